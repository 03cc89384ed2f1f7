//! The API on a socket and a database of its own, and a client that talks to it.

use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, Utc};
use fereta::api::{App, ServeSettings, serve};
use fereta::auth::keys::{Keys, NewKeys};
use fereta::auth::token::Tokens;
use fereta::auth::{Auth, AuthSettings};
use fereta::entropy;
use fereta::jobs::{JobSettings, Jobs};
use fereta::log::ProofKey;
use fereta::play::{BotSettings, Play};
use fereta::store::{Store, StoreSettings};
use reqwest::{Client, Method, RequestBuilder, Response};
use serde_json::{Value, json};
use tokio::runtime::Handle;

use super::Database;
use super::database::SERVING;

pub(crate) const PASSWORD: &str = "correct horse";

/// A server that stops with the test.
pub(crate) struct Api {
    pub(crate) database: Database,
    pub(crate) base: String,
    pub(crate) client: Client,
}

/// What a test may want otherwise.
pub(crate) struct Settings {
    pub(crate) serve: ServeSettings,
    pub(crate) pool_size: usize,
    pub(crate) wait: Duration,
    /// Without them bots wait for ever, and a test can move for them.
    pub(crate) bots: Option<BotSettings>,
    /// How many looks ahead a review takes before and after a decision; it is made only with bots.
    pub(crate) reviews: u32,
}

impl Api {
    pub(crate) async fn start() -> Self {
        Self::start_with(|_| ()).await
    }

    pub(crate) async fn start_with(change: impl FnOnce(&mut Settings)) -> Self {
        Self::start_on(Database::new().await, change).await
    }

    /// With bots that move at `pace_percent` of their pace.
    pub(crate) async fn with_bots(pace_percent: u16) -> Self {
        Self::start_with(|settings| settings.bots = Some(BotSettings { pace_percent, threads: 2 })).await
    }

    /// On a database that others may use too.
    pub(crate) async fn start_on(database: Database, change: impl FnOnce(&mut Settings)) -> Self {
        let base = Self::serve(&database, change).await;
        Self { database, base, client: Client::builder().no_gzip().build().unwrap() }
    }

    /// The address of another server on the same database.
    pub(crate) async fn another(&self, change: impl FnOnce(&mut Settings)) -> String {
        Self::serve(&self.database, change).await
    }

    async fn serve(database: &Database, change: impl FnOnce(&mut Settings)) -> String {
        let mut settings = Settings {
            serve: ServeSettings { workers: Some(2), ..ServeSettings::default() },
            pool_size: 8,
            wait: Duration::from_secs(2),
            bots: None,
            reviews: 10,
        };
        change(&mut settings);
        let mut store = StoreSettings::new(database.url(SERVING));
        (store.pool_size, store.wait) = (settings.pool_size, settings.wait);
        let store = Store::connect(&store).await.unwrap();
        let mut play = Play::new(store.clone(), entropy::bytes, Handle::current(), ProofKey::from_bytes(&[7; 32]));
        play = play.with_reviews(settings.reviews);
        if let Some(bots) = &settings.bots {
            play = play.with_bots(bots);
            let rarely = JobSettings { open_table_s: u32::MAX, every: Duration::from_secs(3_600) };
            // They end with the test's runtime.
            drop(Jobs::start(store.clone(), play.clone(), rarely));
        }
        play.publish_proof_key().await.unwrap();
        let app = App::new(store, auth(1), play);
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(serve(app, settings.serve, listener, std::future::pending()));
        base
    }

    pub(crate) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{}{path}", self.base))
    }

    pub(crate) async fn get(&self, path: &str) -> Response {
        self.request(Method::GET, path).send().await.unwrap()
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Response {
        self.request(Method::POST, path).json(body).send().await.unwrap()
    }

    /// As the account of that session.
    pub(crate) async fn ask(&self, session: &Value, method: Method, path: &str, body: Option<&Value>) -> Response {
        let token = session["access_token"].as_str().unwrap();
        let request = self.request(method, path).bearer_auth(token).header("idempotency-key", fresh_key());
        match body {
            Some(body) => request.json(body).send().await.unwrap(),
            None => request.send().await.unwrap(),
        }
    }

    pub(crate) async fn guest(&self, name: &str) -> Value {
        let answer = self.post("/v1/accounts/guest", &json!({"name": name})).await;
        assert_eq!(answer.status(), 201);
        answer.json().await.unwrap()
    }

    /// Another device of the account of that name.
    pub(crate) async fn log_in(&self, name: &str) -> Value {
        let answer = self.post("/v1/tokens", &json!({"name": name, "password": PASSWORD})).await;
        assert_eq!(answer.status(), 200);
        answer.json().await.unwrap()
    }

    /// An account with [`PASSWORD`], as the answer that made it.
    pub(crate) async fn account(&self, name: &str) -> Value {
        let answer = self.post("/v1/accounts", &json!({"name": name, "password": PASSWORD})).await;
        assert_eq!(answer.status(), 201);
        answer.json().await.unwrap()
    }
}

pub(crate) fn fresh_key() -> String {
    uuid::Uuid::now_v7().simple().to_string()
}

/// Accounts and tokens under keys that are always the same for the same seed.
pub(crate) fn auth(seed: u8) -> Auth {
    let settings = AuthSettings { issuer: "fereta".into(), audience: "fereta".into(), passwords_at_once: 2 };
    Auth::new(keys(seed), &settings).unwrap()
}

/// An access token for the account and the device of that `other` one, made then.
pub(crate) fn token(seed: u8, other: &str, at: DateTime<Utc>) -> String {
    let tokens = Tokens::new(Arc::new(keys(seed)), "fereta", "fereta");
    let claims = URL_SAFE_NO_PAD.decode(other.split('.').nth(1).unwrap()).unwrap();
    let claims: Value = serde_json::from_slice(&claims).unwrap();
    let (device, _) = claims["jti"].as_str().unwrap().split_once('.').unwrap();
    let account = claims["sub"].as_str().unwrap();
    tokens.issue(account.parse().unwrap(), device.parse().unwrap(), uuid::Uuid::now_v7(), at).unwrap()
}

fn keys(seed: u8) -> Keys {
    let dir = std::env::temp_dir().join(format!("fereta-it-{}", uuid::Uuid::now_v7().simple()));
    let keys =
        Keys::load_or_create(&dir, &NewKeys { token: [seed; 32], refresh: [seed; 32], proof: [seed ^ 0x80; 32] })
            .unwrap();
    std::fs::remove_dir_all(dir).unwrap();
    keys
}

/// The answer as the problem of this type, after everything that all problems have in common has been checked.
pub(crate) async fn problem(answer: Response, slug: &str) -> Value {
    let (status, headers) = (answer.status(), answer.headers().clone());
    let text = answer.text().await.unwrap();
    assert_eq!(headers["content-type"], "application/problem+json", "{status} {text}");
    let body: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(body["type"], format!("/problems/{slug}"), "{text}");
    assert_eq!(body["status"], status.as_u16(), "{text}");
    assert!(!body["title"].as_str().unwrap().is_empty());
    let id = headers["x-request-id"].to_str().unwrap();
    assert_eq!(body["instance"], format!("urn:uuid:{id}"));
    assert_eq!(headers.contains_key("www-authenticate"), status == 401);
    assert_eq!(headers.contains_key("allow"), status == 405);
    assert_eq!(headers.contains_key("retry-after"), matches!(status.as_u16(), 429 | 503));
    assert!(headers.contains_key("cache-control"));
    body
}
