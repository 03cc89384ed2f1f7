//! The settings of the server: each a flag and an environment variable, with its unit and its default.
//!
//! Read once, at the start, by `cli`; everything below is given values. Secrets come from the environment or from files, and are
//! never shown in the help.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Where the data are if nobody says otherwise.
pub const DEFAULT_DATA_DIR: &str = ".data";

/// `fereta serve`.
#[derive(Clone, Debug, Args)]
pub struct ServeConfig {
    /// Address and port to listen on; port 0 takes a free one
    #[arg(long, env = "FERETA_LISTEN", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,
    /// The database
    #[command(flatten)]
    pub database: DatabaseConfig,
    /// Directory for what this server keeps itself: its own database (without DATABASE_URL) and keys [default: .data]
    #[arg(long, env = "FERETA_DATA_DIR")]
    pub data_dir: Option<PathBuf>,
    /// The log
    #[command(flatten)]
    pub log: LogConfig,
}

/// Where the database is, and how it is used.
#[derive(Clone, Args)]
pub struct DatabaseConfig {
    /// postgres://role@host/database of the serving role; without it, the server runs a PostgreSQL of its own
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    pub database_url: Option<String>,
    /// The same database, as its owner: then the server migrates at the start, as `fereta migrate` does
    #[arg(long, env = "FERETA_OWNER_DATABASE_URL", hide_env_values = true, requires = "database_url")]
    pub owner_database_url: Option<String>,
    /// The role that the server runs as, which a migration gives its permissions
    #[arg(long, env = "FERETA_SERVING_ROLE", default_value = "fereta_server")]
    pub serving_role: String,
    /// Most connections to the database at once
    #[arg(long, env = "FERETA_POOL_SIZE", default_value_t = 32, value_parser = clap::value_parser!(u16).range(1..))]
    pub pool_size: u16,
    /// How long a request waits for a free connection, in milliseconds
    #[arg(long, env = "FERETA_POOL_WAIT_MS", default_value_t = 2_000)]
    pub pool_wait_ms: u64,
    /// How long the database works on one statement before it gives up, in milliseconds
    #[arg(long, env = "FERETA_STATEMENT_TIMEOUT_MS", default_value_t = 5_000)]
    pub statement_timeout_ms: u64,
}

/// What is logged, and how. Always to standard error.
#[derive(Clone, Debug, Args)]
pub struct LogConfig {
    /// What to log: a level (error, warn, info, debug, trace), or levels by module as in `info,fereta::store=debug`
    #[arg(long = "log", env = "FERETA_LOG", default_value = "info,actix_server=warn")]
    pub filter: String,
    /// Lines for people, or JSON for machines
    #[arg(long = "log-format", env = "FERETA_LOG_FORMAT", value_enum, default_value_t = LogFormat::Text)]
    pub format: LogFormat,
}

/// The form of a line of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

impl std::fmt::Debug for DatabaseConfig {
    /// Without the URLs, which may hold passwords.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("DatabaseConfig")
            .field("serving_role", &self.serving_role)
            .field("pool_size", &self.pool_size)
            .finish_non_exhaustive()
    }
}
