//! What every request and every answer has in common.
//!
//! [`frame::frame`] is the outermost and does it in order; the other modules are its parts. Compression is actix's own,
//! inside of it. Must never: look into a body, or treat one operation otherwise than another, but for the limit that it counts for.

pub mod address;
pub mod body;
pub mod caching;
pub mod cors;
pub mod frame;
pub mod limits;
pub mod log;
pub mod panics;
pub mod request_id;
