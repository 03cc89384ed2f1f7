//! The API over HTTP. A test lies at the path of what it tests.

mod accounts;
mod bots;
mod callers;
mod conditional;
mod connections;
mod extract;
mod games;
mod hint;
mod history;
mod invites;
mod me;
mod metrics;
mod middleware;
mod moves;
mod openapi;
mod problems;
mod readyz;
mod review;
mod seats;
mod serve;
mod tokens;
