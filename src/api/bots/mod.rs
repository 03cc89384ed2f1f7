//! Bots: which there are, and giving them seats.

pub mod list;
pub mod seat;
