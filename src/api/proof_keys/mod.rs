//! Proof keys: what signed heads and receipts are checked with.

pub mod list;
