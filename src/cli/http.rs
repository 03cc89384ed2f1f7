//! Hands the started parts to the API: keys, accounts and tokens, the socket.

use std::net::TcpListener;
use std::path::Path;
use std::time::Duration;

use tokio::runtime::Handle;

use super::CliError;
use crate::api::middleware::address::Proxies;
use crate::api::middleware::limits::LimitSettings;
use crate::api::{self, App, ServeSettings};
use crate::auth::keys::{KeyError, KeyTexts, Keys};
use crate::auth::{Auth, AuthSettings};
use crate::config::{AuthConfig, JobConfig, LimitConfig, ServeConfig, Switch};
use crate::entropy;
use crate::log::ProofKey;
use crate::play::{BotSettings, Play};
use crate::store::Store;

/// What the API works with. `data_dir` is where the keys are unless the settings say otherwise; `private` says that the
/// database is our own: then missing keys may be made, as no other server needs to share them.
pub(super) fn app(store: Store, config: &ServeConfig, data_dir: &Path, private: bool) -> Result<App, CliError> {
    let (bots, reviews, config) = (bots(&config.jobs), config.jobs.reviews, &config.auth);
    let settings = AuthSettings {
        issuer: config.token_issuer.clone(),
        audience: config.token_audience.clone(),
        passwords_at_once: usize::from(config.passwords_at_once),
    };
    let keys = keys(config, data_dir, private)?;
    let proof = ProofKey::new(keys.proof().clone());
    let auth = Auth::new(keys, &settings)?;
    let play = Play::new(store.clone(), entropy::bytes, Handle::current(), proof).with_bots(&bots);
    let play = match reviews {
        Switch::On => play,
        Switch::Off => play.with_reviews(0),
    };
    Ok(App::new(store, auth, play))
}

/// Serves until `stop` is done and the requests that had begun are answered.
pub(super) async fn serve(
    app: App,
    config: &ServeConfig,
    listener: TcpListener,
    stop: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    let read_connections = usize::from(config.database.read_connections);
    let config = &config.http;
    let settings = ServeSettings {
        workers: config.workers.map(usize::from),
        request_timeout: Duration::from_millis(config.request_timeout_ms),
        stall_timeout: Duration::from_millis(config.stall_timeout_ms),
        max_connections: usize::from(config.max_connections),
        drain: Duration::from_millis(config.drain_ms),
        read_connections,
        limits: limits(&config.limits),
        ..ServeSettings::default()
    };
    api::serve(app, settings, listener, stop).await
}

/// Half of the cores think, if the settings do not say otherwise: the rest is for whoever waits for an answer.
fn bots(config: &JobConfig) -> BotSettings {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = config.bot_threads.map_or((cores / 2).max(1), usize::from);
    BotSettings { pace_percent: config.bot_pace, threads }
}

fn limits(config: &LimitConfig) -> Option<LimitSettings> {
    let proxies = Proxies { count: config.trusted_proxies, header: config.proxy_header };
    let settings = LimitSettings {
        requests: config.requests_per_minute,
        sign_ups: config.sign_ups_per_hour,
        log_ins: config.log_ins_per_minute,
        reads: config.reads_per_minute,
        writes: config.writes_per_minute,
        hints: config.hints_per_10_s,
        proxies,
    };
    (!config.no_rate_limits).then_some(settings)
}

/// Keys from the environment, or from a directory; made there only for a server with a database of its own.
fn keys(config: &AuthConfig, data_dir: &Path, private: bool) -> Result<Keys, CliError> {
    if let (Some(token), Some(refresh), Some(proof)) = (&config.token_key, &config.refresh_key, &config.proof_key) {
        let (token, refresh, proof) = (token.clone(), refresh.clone(), proof.clone());
        return Ok(Keys::from_texts(&KeyTexts { token, other_token: config.other_token_key.clone(), refresh, proof })?);
    }
    if private {
        let directory = config.keys_dir.clone().unwrap_or_else(|| data_dir.join("keys"));
        return Ok(Keys::load_or_create(&directory, &super::keys::fresh())?);
    }
    let directory = config.keys_dir.as_deref().ok_or(
        "this server shares its database, so it needs the keys that all its servers share: give --keys-dir with \
         token.pem, refresh.key and proof.pem (`fereta keys` makes what is missing), or FERETA_TOKEN_KEY, \
         FERETA_REFRESH_KEY and FERETA_PROOF_KEY in the environment",
    )?;
    Ok(Keys::load(directory).map_err(|error| explained(&error))?)
}

fn explained(error: &KeyError) -> String {
    let why = std::error::Error::source(error).map(|source| format!(": {source}")).unwrap_or_default();
    format!("{error}{why}")
}
