//! The log of a game (fairness F3): lines exactly as they were hashed, secrets that are sealed, a chain over all.
//!
//! No IO. What is written here is read by another program, in another language, years later: a line is stored as it was
//! hashed, and never serialised a second time.

mod canonical;
mod export;
mod line;
mod proof;
mod snapshot;
mod wire;

pub use export::{End, Export, FormFault, begins_a_game, exported_end, exported_line, is_head_line, is_reveal_line};
pub use line::{Cause, Head, Line, LogError, Public, Sealer, described};
pub use proof::{Bytes64, ProofKey, Receipt, SignedHead};
pub use snapshot::Snapshot;
pub use wire::{Entry, told, told_secret};
