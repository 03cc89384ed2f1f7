//! The rules, tested without a database: given a table, when somebody moves, then these things happen.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod battle;
mod bots;
mod card_sets;
mod chronicle;
mod draft;
mod ending;
mod event_docs;
mod examples;
mod games;
mod given;
mod golden;
mod guessing;
mod leaks;
mod opponents;
mod playthroughs;
mod properties;
mod refill;
mod refusals;
mod reviews;
mod sampler;
mod setup;
mod shapes;
mod stories;
mod vectors;
