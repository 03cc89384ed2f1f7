//! `fereta serve`: from settings to a server that answers.
//!
//! With a DATABASE_URL the database is somebody else's: its schema is checked, and changed only if its owner's URL is given too.
//! Without one the server runs a PostgreSQL of its own, under the same two roles: it migrates as the owner, and serves as the
//! role that cannot rewrite the log.

use std::io::{self, Write};
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::task::spawn_blocking;

use super::signals::Signals;
use super::{CliError, http};
use crate::api::metrics::MetricsPage;
use crate::config::{DEFAULT_DATA_DIR, DatabaseConfig, JobConfig, ServeConfig};
use crate::jobs::{JobSettings, Jobs};
use crate::postgres::{Cluster, Durability, PostgresError, SUPERUSER};
use crate::store::{self, Store, StoreSettings};
use crate::telemetry;

const OWNER: &str = "fereta_owner";
const DATABASE: &str = "fereta";
/// Where PostgreSQL's own account can go, if it cannot go where we are.
const REACHABLE_DATA_DIR: &str = "/var/lib/fereta";
/// How often a PostgreSQL of our own is looked after.
const WATCH: Duration = Duration::from_secs(1);

pub(super) async fn serve(config: &ServeConfig) -> Result<ExitCode, CliError> {
    telemetry::start(&config.log)?;
    let mut signals = Signals::new()?;
    // Before anything is started, so that a taken port is told at once.
    let listener = listen(config.listen, "--listen")?;
    let metrics = config.metrics_listen.map(|address| listen(address, "--metrics-listen")).transpose()?;
    let address = listener.local_addr()?;
    // A task of its own: if a signal comes first, what it has started ends with it.
    let starting = tokio::spawn(start(config.clone()));
    let (store, private) = tokio::select! {
        started = starting => started??,
        _ = signals.next() => return Ok(ExitCode::SUCCESS),
    };
    let data_dir = config.data_dir.clone().unwrap_or_else(|| PathBuf::from(DEFAULT_DATA_DIR));
    let app = http::app(store.clone(), config, &data_dir, private.is_some())?;
    app.play.publish_proof_key().await?;
    if let Some(listener) = metrics {
        tracing::info!(address = %listener.local_addr()?, "metrics are served");
        tokio::spawn(MetricsPage::of(&app).serve(listener));
    }
    let jobs = Jobs::start(store, app.play.clone(), job_settings(&config.jobs));
    announce(address);
    let private = Arc::new(Mutex::new(private));
    let served = http::serve(app, config, listener, asked_to_stop(signals, Arc::clone(&private))).await;
    jobs.stop().await;
    let cluster = lock(&private).take();
    if let Some(mut cluster) = cluster {
        if cluster.has_ended() {
            return Err(format!("PostgreSQL has ended by itself; see {}", cluster.log().display()).into());
        }
        tracing::info!("stopping PostgreSQL");
        spawn_blocking(move || cluster.stop()).await??;
    }
    served?;
    tracing::info!("stopped");
    Ok(ExitCode::SUCCESS)
}

fn listen(address: SocketAddr, flag: &str) -> Result<TcpListener, CliError> {
    let listener = TcpListener::bind(address)
        .map_err(|error| format!("cannot listen on {address}: {error} (choose another with {flag})"))?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}

fn job_settings(config: &JobConfig) -> JobSettings {
    const DAY_S: u32 = 86_400;
    JobSettings {
        open_table_s: u32::from(config.open_table_days) * DAY_S,
        every: Duration::from_millis(config.jobs_every_ms),
    }
}

/// By a signal, or because a database of our own is gone: without it nothing can be served, and whoever started this server
/// is to know.
async fn asked_to_stop(mut signals: Signals, private: Arc<Mutex<Option<Cluster>>>) {
    loop {
        tokio::select! {
            _ = signals.next() => return,
            () = tokio::time::sleep(WATCH) => {
                if lock(&private).as_mut().is_some_and(Cluster::has_ended) {
                    tracing::error!("PostgreSQL has ended by itself");
                    return;
                }
            }
        }
    }
}

fn lock(private: &Mutex<Option<Cluster>>) -> MutexGuard<'_, Option<Cluster>> {
    private.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn start(config: ServeConfig) -> Result<(Store, Option<Cluster>), CliError> {
    let (url, private) = match &config.database.database_url {
        Some(url) => {
            if let Some(owner) = &config.database.owner_database_url {
                migrate(owner, &config.database.serving_role).await?;
            }
            (url.clone(), None)
        }
        None => {
            let (url, cluster) = start_private(&config).await?;
            (url, Some(cluster))
        }
    };
    let store = Store::connect(&store_settings(&config.database, url)).await?;
    store.check_set_up().await?;
    Ok((store, private))
}

/// A cluster of our own with its roles and database, migrated. Returns the URL of the serving role.
async fn start_private(config: &ServeConfig) -> Result<(String, Cluster), CliError> {
    let named = config.data_dir.clone();
    let cluster = spawn_blocking(move || start_cluster(named.as_deref())).await??;
    tracing::info!(directory = %cluster.directory().display(), "PostgreSQL is running");
    let role = &config.database.serving_role;
    store::provision(&cluster.url(SUPERUSER, "postgres"), OWNER, role, DATABASE).await?;
    migrate(&cluster.url(OWNER, DATABASE), role).await?;
    Ok((cluster.url(role, DATABASE), cluster))
}

/// In the directory that was named, or else in the usual one, or, if PostgreSQL's account cannot get there, in one it can.
fn start_cluster(named: Option<&Path>) -> Result<Cluster, PostgresError> {
    let directory = named.unwrap_or(Path::new(DEFAULT_DATA_DIR)).join("postgres");
    match Cluster::start(&directory, Durability::Durable) {
        Err(error @ PostgresError::Unreachable { .. }) if named.is_none() => {
            tracing::warn!("{error}; they go to {REACHABLE_DATA_DIR} (choose another place with --data-dir)");
            Cluster::start(&Path::new(REACHABLE_DATA_DIR).join("postgres"), Durability::Durable)
        }
        started => started,
    }
}

async fn migrate(owner_url: &str, role: &str) -> Result<(), CliError> {
    let migrated = store::migrate(owner_url, role).await?;
    if !migrated.is_empty() {
        tracing::info!(versions = migrated.join(", "), "the schema was migrated");
    }
    Ok(())
}

fn store_settings(config: &DatabaseConfig, url: String) -> StoreSettings {
    StoreSettings {
        url,
        pool_size: usize::from(config.pool_size),
        wait: Duration::from_millis(config.pool_wait_ms),
        statement_timeout: Duration::from_millis(config.statement_timeout_ms),
    }
}

/// The only lines on standard output: for people, and for programs that wait for them. That nobody reads it is no reason to
/// end, as it would be for `println!`.
fn announce(address: SocketAddr) {
    let first = r#"-H 'Content-Type: application/json' -d '{"name":"hanako"}'"#;
    let lines = format!("fereta is ready: http://{address}\nTry it: curl http://{address}/v1/accounts/guest {first}\n");
    let mut output = io::stdout();
    let _ = output.write_all(lines.as_bytes()).and_then(|()| output.flush());
}
