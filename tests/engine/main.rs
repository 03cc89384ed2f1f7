//! The rules, tested without a database.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail")]
mod leaks;
