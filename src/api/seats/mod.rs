//! Seats: sitting down at a table and getting up again, before the start.

pub mod leave;
pub mod take;
pub mod vacate;
