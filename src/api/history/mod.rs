//! History: the events of a game, as the caller may know them.

pub mod export;
pub mod read;
