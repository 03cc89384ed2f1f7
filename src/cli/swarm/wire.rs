//! Requests and answers over HTTP: every answer is held against what all answers promise, and what is not answered is
//! asked again, under the same key, until the patience is at an end.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, RETRY_AFTER};
use reqwest::{Client, Method, Url};
use serde_json::Value;
use tokio::task::JoinSet;
use uuid::Uuid;

use super::promises::{self, Documented};
use super::tally::Tally;
use crate::cli::CliError;

/// The longest wait between two tries.
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// A request.
#[derive(Clone, Debug)]
pub(super) struct Ask {
    pub(super) method: Method,
    /// The template of its path in the OpenAPI document.
    pub(super) operation: &'static str,
    /// Path and query.
    pub(super) path: String,
    pub(super) token: Option<String>,
    pub(super) key: Option<String>,
    pub(super) body: Option<String>,
}

/// An answer.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) headers: HeaderMap,
    pub(super) text: String,
    /// The body; null if it is no JSON.
    pub(super) json: Value,
    /// The X-Request-Id that was sent.
    pub(super) request_id: String,
    /// From sending to the whole answer.
    pub(super) took: Duration,
}

/// Why a game was not played to its end.
#[derive(Debug)]
pub(super) struct Abandoned(pub(super) String);

/// The way to the servers, all of one database: any request can go to any of them.
pub(super) struct Wire {
    client: Client,
    servers: Vec<Server>,
    turn: AtomicUsize,
    patience: Duration,
    documented: Documented,
    pub(super) tally: Arc<Tally>,
}

/// Where one server is.
struct Server {
    base: String,
    /// Host and port; none if it speaks TLS.
    authority: Option<String>,
}

impl Server {
    fn parse(url: &str) -> Result<Self, CliError> {
        let base = url.trim_end_matches('/').to_owned();
        let parsed = Url::parse(&base)?;
        let authority = match (parsed.scheme(), parsed.host_str(), parsed.port_or_known_default()) {
            ("http", Some(host), Some(port)) => Some(format!("{host}:{port}")),
            _ => None,
        };
        Ok(Self { base, authority })
    }
}

impl Ask {
    /// A look at something.
    pub(super) fn get(operation: &'static str, path: String) -> Self {
        Self { method: Method::GET, operation, path, token: None, key: None, body: None }
    }

    /// A change.
    pub(super) fn post(operation: &'static str, path: String) -> Self {
        Self { method: Method::POST, ..Self::get(operation, path) }
    }

    /// The end of something.
    pub(super) fn delete(operation: &'static str, path: String) -> Self {
        Self { method: Method::DELETE, ..Self::get(operation, path) }
    }

    #[must_use]
    pub(super) fn token(mut self, token: &str) -> Self {
        self.token = Some(token.to_owned());
        self
    }

    #[must_use]
    pub(super) fn key(mut self, key: impl Into<String>) -> Self {
        self.key = Some(key.into());
        self
    }

    #[must_use]
    pub(super) fn json(mut self, body: &Value) -> Self {
        self.body = Some(body.to_string());
        self
    }

    /// The request in a few words, for findings.
    pub(super) fn words(&self) -> String {
        let body = self.body.as_deref().unwrap_or_default();
        let key = self.key.as_deref().unwrap_or("-");
        format!("{} {} (key {key}) {}", self.method, self.path, body.chars().take(120).collect::<String>())
    }
}

impl Answer {
    /// The last part of a problem's type.
    pub(super) fn problem(&self) -> &str {
        self.json.get("type").and_then(Value::as_str).and_then(|slug| slug.strip_prefix("/problems/")).unwrap_or("")
    }

    /// The answer in a few words, for findings.
    pub(super) fn words(&self) -> String {
        format!("{} {}", self.status, self.text.chars().take(200).collect::<String>())
    }

    fn pause(&self) -> Option<Duration> {
        let seconds = self.headers.get(RETRY_AFTER)?.to_str().ok()?.parse().ok()?;
        Some(Duration::from_secs(seconds))
    }
}

impl Wire {
    /// Reads the first server's document, so that it is known which answers are documented.
    ///
    /// # Errors
    /// If there is no server, or no document.
    pub(super) async fn connect(urls: &[String], patience: Duration, tally: Arc<Tally>) -> Result<Self, CliError> {
        let servers = urls.iter().map(|url| Server::parse(url)).collect::<Result<Vec<_>, _>>()?;
        let first = servers.first().ok_or("no server was named")?;
        let client = Client::builder().timeout(Duration::from_secs(30)).build()?;
        let document = client.get(format!("{}/v1/openapi.json", first.base)).send().await?.error_for_status()?;
        let documented = Documented::read(&document.json().await?);
        Ok(Self { client, servers, turn: AtomicUsize::new(0), patience, documented, tally })
    }

    /// The server whose turn it is.
    #[expect(clippy::indexing_slicing, reason = "there is at least one server, and the turn is taken by their number")]
    fn server(&self) -> &Server {
        &self.servers[self.turn.fetch_add(1, Ordering::Relaxed) % self.servers.len()]
    }

    /// Host and port for those who open connections themselves; none if the server speaks TLS.
    pub(super) fn authority(&self) -> Option<&str> {
        self.server().authority.as_deref()
    }

    /// Asks once; none if no whole answer came.
    pub(super) async fn once(&self, ask: &Ask) -> Option<Answer> {
        let request_id = Uuid::now_v7().to_string();
        let mut request = self.client.request(ask.method.clone(), format!("{}{}", self.server().base, ask.path));
        request = request.header("x-request-id", &request_id);
        if let Some(token) = &ask.token {
            request = request.header(AUTHORIZATION, format!("Bearer {token}"));
        }
        if let Some(key) = &ask.key {
            request = request.header("idempotency-key", key);
        }
        if let Some(body) = &ask.body {
            request = request.header(CONTENT_TYPE, "application/json").body(body.clone());
        }
        let asked = Instant::now();
        let response = request.send().await.ok()?;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let text = response.text().await.ok()?;
        let json = serde_json::from_str(&text).unwrap_or(Value::Null);
        let answer = Answer { status, headers, text, json, request_id, took: asked.elapsed() };
        for breach in promises::breaches(&self.documented, ask, &answer) {
            self.tally.find(format!("{}: {breach}; answered {}", ask.words(), answer.words()));
        }
        Some(answer)
    }

    /// Asks, and asks again the very same way, until there is an answer that says something: not a 503, not a 429.
    ///
    /// # Errors
    /// If the patience is at an end.
    pub(super) async fn insist(&self, ask: &Ask) -> Result<Answer, Abandoned> {
        let began = Instant::now();
        let mut pause = Duration::from_millis(20);
        loop {
            let wait = match self.once(ask).await {
                Some(answer) if answer.status == 503 => {
                    self.tally.unavailable(format!("{} -> {}", ask.words(), answer.words()));
                    pause
                }
                Some(answer) if answer.status == 429 => answer.pause().unwrap_or(pause),
                Some(answer) => return Ok(answer),
                None => {
                    self.tally.outage();
                    pause
                }
            };
            if began.elapsed() + wait > self.patience {
                return Err(Abandoned(format!("no answer for {:?} to {}", self.patience, ask.words())));
            }
            self.tally.retries.add(1);
            tokio::time::sleep(wait).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    /// Asks for all of it at the same time; gives the answers in the order of the requests.
    ///
    /// # Errors
    /// If the patience is at an end.
    pub(super) async fn race(self: &Arc<Self>, asks: &[Ask]) -> Result<Vec<Answer>, Abandoned> {
        let mut racing = JoinSet::new();
        for (place, ask) in asks.iter().cloned().enumerate() {
            let wire = self.clone();
            racing.spawn(async move { (place, wire.insist(&ask).await) });
        }
        let mut answers = Vec::new();
        while let Some(done) = racing.join_next().await {
            let (place, answer) = done.map_err(|error| Abandoned(error.to_string()))?;
            answers.push((place, answer?));
        }
        answers.sort_unstable_by_key(|(place, _)| *place);
        Ok(answers.into_iter().map(|(_, answer)| answer).collect())
    }
}
