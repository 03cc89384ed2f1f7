//! History: the events of a game, as the caller may know them.

pub mod read;
