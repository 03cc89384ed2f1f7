//! A database for each test, cloned from a template that is migrated once; rows to start from; the program as a process;
//! players and tables; a log read behind the server's back.

pub(crate) mod api;
mod audit;
pub(crate) mod contract;
pub(crate) mod database;
mod folder;
mod old;
pub(crate) mod player;
pub(crate) mod process;
pub(crate) mod proxy;
pub(crate) mod rows;
pub(crate) mod table;

pub(crate) use api::Api;
pub(crate) use database::Database;
pub(crate) use folder::Folder;
pub(crate) use player::Player;
pub(crate) use process::Server;
pub(crate) use table::Table;
