//! Whether the audit finds what was tampered with, where it is; tried on changes of every kind to games of every kind.

#![expect(clippy::indexing_slicing, clippy::unwrap_used, reason = "a test fails by panicking")]

mod adversary;
mod agreement;
mod bots;
mod bytes;
mod cases;
mod forged;
mod fuzz;
mod games;
mod lines;
mod replay;
mod values;
