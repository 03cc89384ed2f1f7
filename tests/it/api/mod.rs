//! The API over HTTP. A test lies at the path of what it tests.

mod accounts;
mod extract;
mod me;
mod middleware;
mod openapi;
mod problems;
mod readyz;
mod serve;
mod tokens;
