//! The rules, tested without a database.

mod leaks;
