//! A database for each test, cloned from a template that is migrated once, and rows to start from.

pub(crate) mod api;
pub(crate) mod database;
pub(crate) mod rows;

pub(crate) use api::Api;
pub(crate) use database::Database;
