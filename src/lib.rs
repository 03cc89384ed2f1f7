//! A play-by-web server for フェレータ (Verräter), a card game for three to five with hidden hands and secret roles.
//!
//! The layers, from the top; imports only go down:
//! `cli` · `api`, `jobs` · `auth`, `play` · `store`, `audit`, `review` · `bots`, `log`, `story` · `engine`, and the leaves `clock`,
//! `config`, `ids`, `telemetry`.

pub mod api;
pub mod audit;
pub mod auth;
pub mod bots;
pub mod cli;
pub mod clock;
pub mod config;
pub mod engine;
pub mod entropy;
pub mod ids;
pub mod jobs;
pub mod log;
pub mod play;
pub mod postgres;
pub mod review;
pub mod store;
pub mod story;
pub mod telemetry;
