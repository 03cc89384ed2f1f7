//! The settings of the server: each a flag and an environment variable, with its unit and its default.
//!
//! Read once, at the start, by `cli`; everything below is given values. Secrets come from the environment or from files, and are
//! never shown in the help.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// How long a client may take nothing of an answer, in milliseconds.
pub const STALL_TIMEOUT_MS: u64 = 20_000;
/// The most connections at once.
pub const MAX_CONNECTIONS: u16 = 4_096;
/// Connections to the database that each worker has for reading games. Few: more backends at work than there are cores
/// only get in each other's way.
pub const READ_CONNECTIONS: u16 = 4;
/// Where the data are if nobody says otherwise.
pub const DEFAULT_DATA_DIR: &str = ".data";

/// How often somebody may ask if the operator does not say otherwise: generous enough for everybody in one house, and for a
/// program that plays fast.
pub mod limits {
    use std::num::NonZeroU32;

    /// Requests of any kind from one address, a minute.
    pub const REQUESTS: NonZeroU32 = NonZeroU32::new(120_000).unwrap();
    /// New accounts from one address, an hour.
    pub const SIGN_UPS: NonZeroU32 = NonZeroU32::new(1_200).unwrap();
    /// Log-ins with a password from one address, a minute.
    pub const LOG_INS: NonZeroU32 = NonZeroU32::new(120).unwrap();
    /// Reads by one account, a minute.
    pub const READS: NonZeroU32 = NonZeroU32::new(12_000).unwrap();
    /// Changes by one account, a minute.
    pub const WRITES: NonZeroU32 = NonZeroU32::new(6_000).unwrap();
    /// Hints for one account, in 10 seconds.
    pub const HINTS: NonZeroU32 = NonZeroU32::new(5).unwrap();
}

/// `fereta serve`.
#[derive(Clone, Debug, Args)]
pub struct ServeConfig {
    /// Address and port to listen on; port 0 takes a free one
    #[arg(long, env = "FERETA_LISTEN", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,
    /// Address and port of GET /metrics (OpenMetrics), for operators alone; without it there is none
    #[arg(long, env = "FERETA_METRICS_LISTEN")]
    pub metrics_listen: Option<SocketAddr>,
    /// Directory for what this server keeps itself: its own database (without DATABASE_URL) and keys [default: .data]
    #[arg(long, env = "FERETA_DATA_DIR")]
    pub data_dir: Option<PathBuf>,
    /// The database
    #[command(flatten, next_help_heading = "Database")]
    pub database: DatabaseConfig,
    /// HTTP
    #[command(flatten, next_help_heading = "HTTP")]
    pub http: HttpConfig,
    /// Keys, tokens and passwords
    #[command(flatten, next_help_heading = "Keys, tokens and passwords")]
    pub auth: AuthConfig,
    /// What the server does of itself
    #[command(flatten, next_help_heading = "What the server does of itself")]
    pub jobs: JobConfig,
    /// The log
    #[command(flatten, next_help_heading = "Log")]
    pub log: LogConfig,
}

/// What the server does of itself.
#[derive(Clone, Debug, Args)]
pub struct JobConfig {
    /// After how many days a table that nobody has started is closed, 1 to 3,650
    #[arg(long, env = "FERETA_OPEN_TABLE_DAYS", default_value_t = 30, value_parser = clap::value_parser!(u16).range(1..=3650))]
    pub open_table_days: u16,
    /// How often to look for something to do, in milliseconds, 10 or more
    #[arg(long, env = "FERETA_JOBS_EVERY_MS", default_value_t = 60_000, value_parser = clap::value_parser!(u64).range(10..))]
    pub jobs_every_ms: u64,
    /// How long bots take for a move, in percent of what is usual at their level (see /v1/bots), 0 to 1,000; the same on all
    /// servers of one database
    #[arg(long, env = "FERETA_BOT_PACE", default_value_t = 100, value_parser = clap::value_parser!(u16).range(..=1_000))]
    pub bot_pace: u16,
    /// Threads that think about the moves of bots, 0 to 1,024; with 0 they are left to other servers [default: half of the cores]
    #[arg(long, env = "FERETA_BOT_THREADS", value_parser = clap::value_parser!(u16).range(..=1_024))]
    pub bot_threads: Option<u16>,
    /// Review games when they have ended, on the threads that think and when no bot needs them: on or off
    #[arg(long, env = "FERETA_REVIEWS", value_enum, default_value_t = Switch::On)]
    pub reviews: Switch,
}

/// Whether something is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Switch {
    /// It is.
    On,
    /// It is not.
    Off,
}

/// How requests are served.
#[derive(Clone, Debug, Args)]
pub struct HttpConfig {
    /// Threads that serve requests, 1 to 65,535 [default: one per core]
    #[arg(long, env = "FERETA_WORKERS", value_parser = clap::value_parser!(u16).range(1..))]
    pub workers: Option<u16>,
    /// How long a request may take until its answer begins, in milliseconds, 1 to 600,000
    #[arg(long, env = "FERETA_REQUEST_TIMEOUT_MS", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..=600_000))]
    pub request_timeout_ms: u64,
    /// How long a client may take nothing of an answer that waits for it, before its connection is dropped, in
    /// milliseconds, 1 to 600,000; on Linux only
    #[arg(long, env = "FERETA_STALL_TIMEOUT_MS", default_value_t = STALL_TIMEOUT_MS, value_parser = clap::value_parser!(u64).range(1..=600_000))]
    pub stall_timeout_ms: u64,
    /// Most connections at once, 1 to 65,535, shared out evenly among the workers; more wait. Each can take up some MiB
    /// while an answer waits
    #[arg(long, env = "FERETA_MAX_CONNECTIONS", default_value_t = MAX_CONNECTIONS, value_parser = clap::value_parser!(u16).range(1..))]
    pub max_connections: u16,
    /// How long to go on serving after /readyz says that the server is about to stop, in milliseconds, 0 to 600,000
    #[arg(long, env = "FERETA_DRAIN_MS", default_value_t = 0, value_parser = clap::value_parser!(u64).range(..=600_000))]
    pub drain_ms: u64,
    /// How often somebody may ask
    #[command(flatten, next_help_heading = "Limits: how often somebody may ask")]
    pub limits: LimitConfig,
}

/// How often somebody may ask, per account and per address; each server counts for itself. As many requests as a limit
/// names may come at once.
#[derive(Clone, Debug, Args)]
pub struct LimitConfig {
    /// Let everybody ask as often as he likes; for benches
    #[arg(long, env = "FERETA_NO_RATE_LIMITS", value_parser = clap::builder::FalseyValueParser::new())]
    pub no_rate_limits: bool,
    /// Requests of any kind from one address, a minute, 1 or more
    #[arg(long, env = "FERETA_REQUESTS_PER_MINUTE", default_value_t = limits::REQUESTS)]
    pub requests_per_minute: NonZeroU32,
    /// New accounts from one address, an hour, 1 or more
    #[arg(long, env = "FERETA_SIGN_UPS_PER_HOUR", default_value_t = limits::SIGN_UPS)]
    pub sign_ups_per_hour: NonZeroU32,
    /// Log-ins with a password from one address, a minute, 1 or more
    #[arg(long, env = "FERETA_LOG_INS_PER_MINUTE", default_value_t = limits::LOG_INS)]
    pub log_ins_per_minute: NonZeroU32,
    /// Reads by one account, a minute, 1 or more
    #[arg(long, env = "FERETA_READS_PER_MINUTE", default_value_t = limits::READS)]
    pub reads_per_minute: NonZeroU32,
    /// Changes by one account, a minute, 1 or more
    #[arg(long, env = "FERETA_WRITES_PER_MINUTE", default_value_t = limits::WRITES)]
    pub writes_per_minute: NonZeroU32,
    /// Hints for one account, in 10 seconds, 1 or more: each takes a thinking thread for a moment
    #[arg(long, env = "FERETA_HINTS_PER_10_S", default_value_t = limits::HINTS)]
    pub hints_per_10_s: NonZeroU32,
    /// How many proxies, one behind the other, are between the clients and this server, 0 to 255
    #[arg(long, env = "FERETA_TRUSTED_PROXIES", default_value_t = 0)]
    pub trusted_proxies: u8,
    /// In which header they tell from where they were asked; the other one is not believed
    #[arg(long, env = "FERETA_PROXY_HEADER", value_enum, default_value_t = ProxyHeader::XForwardedFor)]
    pub proxy_header: ProxyHeader,
}

/// The header in which proxies tell from where they were asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ProxyHeader {
    /// `X-Forwarded-For`.
    #[default]
    XForwardedFor,
    /// `Forwarded` (RFC 7239).
    Forwarded,
}

/// Where the keys are, what tokens say, how passwords are hashed.
#[derive(Clone, Args)]
pub struct AuthConfig {
    /// Directory with token.pem, refresh.key, proof.pem and, while keys are rotated, token-other.pem; needed with a DATABASE_URL
    /// [default without: keys, in the data directory]
    #[arg(long, env = "FERETA_KEYS_DIR")]
    pub keys_dir: Option<PathBuf>,
    /// Ed25519 key that signs access tokens, PKCS#8 PEM, in place of the directory; give it in the environment, as flags can be seen by others
    #[arg(long, env = "FERETA_TOKEN_KEY", hide_env_values = true, requires_all = ["refresh_key", "proof_key"])]
    pub token_key: Option<String>,
    /// The other key whose tokens are accepted, while keys are rotated
    #[arg(long, env = "FERETA_OTHER_TOKEN_KEY", hide_env_values = true, requires = "token_key")]
    pub other_token_key: Option<String>,
    /// Secret behind refresh tokens, 64 hex digits; given in the environment, and always together with the token key
    #[arg(long, env = "FERETA_REFRESH_KEY", hide_env_values = true, requires = "token_key")]
    pub refresh_key: Option<String>,
    /// Ed25519 key that vouches for the games' histories, PKCS#8 PEM, never the token key; its public part is published for ever
    #[arg(long, env = "FERETA_PROOF_KEY", hide_env_values = true, requires = "token_key")]
    pub proof_key: Option<String>,
    /// `iss` of access tokens
    #[arg(long, env = "FERETA_TOKEN_ISSUER", default_value = "fereta")]
    pub token_issuer: String,
    /// `aud` of access tokens
    #[arg(long, env = "FERETA_TOKEN_AUDIENCE", default_value = "fereta")]
    pub token_audience: String,
    /// Most passwords hashed at once, each in 19 MiB of memory, 1 to 65,535
    #[arg(long, env = "FERETA_PASSWORDS_AT_ONCE", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..))]
    pub passwords_at_once: u16,
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
    /// Most connections to the database at once, 1 to 65,535
    #[arg(long, env = "FERETA_POOL_SIZE", default_value_t = 32, value_parser = clap::value_parser!(u16).range(1..))]
    pub pool_size: u16,
    /// Connections of its own through which each worker reads games, beside the pool, 0 to 1,000; 0: through the pool
    #[arg(long, env = "FERETA_READ_CONNECTIONS", default_value_t = READ_CONNECTIONS, value_parser = clap::value_parser!(u16).range(..=1_000))]
    pub read_connections: u16,
    /// How long a request waits for a free connection, in milliseconds, 1 to 600,000
    #[arg(long, env = "FERETA_POOL_WAIT_MS", default_value_t = 2_000, value_parser = clap::value_parser!(u64).range(1..=600_000))]
    pub pool_wait_ms: u64,
    /// How long the database works on one statement before it gives up, in milliseconds, 1 to 600,000
    #[arg(long, env = "FERETA_STATEMENT_TIMEOUT_MS", default_value_t = 5_000, value_parser = clap::value_parser!(u64).range(1..=600_000))]
    pub statement_timeout_ms: u64,
}

/// What is logged, and how. Always to standard error.
#[derive(Clone, Debug, Args)]
pub struct LogConfig {
    /// What to log: a level (error, warn, info, debug, trace), or levels by module as in `info,fereta::store=debug`. What cannot
    /// be read as HTTP is told only where actix_http is named
    #[arg(long = "log", env = "FERETA_LOG", default_value = "info,actix_server=warn,actix_http=off")]
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

impl std::fmt::Debug for AuthConfig {
    /// Without the keys.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("AuthConfig")
            .field("keys_dir", &self.keys_dir)
            .field("token_issuer", &self.token_issuer)
            .field("token_audience", &self.token_audience)
            .finish_non_exhaustive()
    }
}
