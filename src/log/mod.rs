//! The log of a game (fairness F3): lines exactly as they were hashed, secrets that are sealed, a chain over all.
//!
//! No IO. What is written here is read by another program, in another language, years later: a line is stored as it was
//! hashed, and never serialised a second time.

mod line;
mod snapshot;
mod wire;

pub use line::{Cause, Head, Line, LogError, Sealer};
pub use snapshot::Snapshot;
pub use wire::{Entry, told};
