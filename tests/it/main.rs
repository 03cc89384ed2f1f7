//! Everything that needs a real PostgreSQL: the store, the launcher, and the server as a process of its own.
//! `./test` starts one for it.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

mod account;
mod api;
mod audit;
mod bots;
mod docs;
mod jobs;
mod launcher;
mod log;
mod nginx;
mod no_leak;
mod operate;
mod play;
mod readme;
mod server;
mod store;
mod support;
mod swarm;
