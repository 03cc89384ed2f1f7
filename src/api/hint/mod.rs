//! Hints for a decision that is due.

pub mod read;
