//! A database for each test, cloned from a template that is migrated once; rows to start from; the program as a process.

pub(crate) mod api;
pub(crate) mod database;
mod folder;
pub(crate) mod process;
pub(crate) mod rows;

pub(crate) use api::Api;
pub(crate) use database::Database;
pub(crate) use folder::Folder;
pub(crate) use process::Server;
