//! Somebody who plays, over HTTP.

use reqwest::header::HeaderMap;
use reqwest::{Client, Method};
use serde_json::{Value, json};

use super::contract::Contract;

/// An account and its token, at one server.
#[derive(Clone)]
pub(crate) struct Player {
    pub(crate) client: Client,
    pub(crate) base: String,
    pub(crate) token: String,
    pub(crate) account: String,
}

/// An answer, read to its end.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The answer's body, if that is its status.
    #[track_caller]
    pub(crate) fn ok(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.text);
        self.json()
    }

    /// The problem, if it is of that type.
    #[track_caller]
    pub(crate) fn refused(&self, status: u16, slug: &str) -> Value {
        let body = self.ok(status);
        assert_eq!(body["type"], format!("/problems/{slug}"), "{}", self.text);
        body
    }

    /// The last part of the problem's type; empty if it is none.
    pub(crate) fn slug(&self) -> String {
        let kind = self.json()["type"].as_str().unwrap_or_default().to_owned();
        kind.rsplit('/').next().unwrap_or_default().to_owned()
    }
}

/// A key that nobody has used.
pub(crate) fn key() -> String {
    uuid::Uuid::now_v7().simple().to_string()
}

impl Player {
    pub(crate) async fn guest(base: &str) -> Self {
        let client = Client::builder().no_gzip().build().unwrap();
        let id = key();
        let name = json!({"name": format!("guest {}", &id[id.len() - 16..])});
        let answer = client.post(format!("{base}/v1/accounts/guest")).json(&name).send().await.unwrap();
        assert_eq!(answer.status(), 201);
        Self::of_session(base, &answer.json().await.unwrap())
    }

    /// The account that such an answer brought.
    pub(crate) fn of_session(base: &str, made: &Value) -> Self {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        Self {
            client: Client::builder().no_gzip().build().unwrap(),
            base: base.to_owned(),
            token: text(&made["access_token"]),
            account: text(&made["account"]["id"]),
        }
    }

    pub(crate) async fn guests(base: &str, count: usize) -> Vec<Self> {
        futures_util::future::join_all((0..count).map(|_| Self::guest(base))).await
    }

    /// The same one at another server.
    pub(crate) fn at(&self, base: &str) -> Self {
        Self { base: base.to_owned(), ..self.clone() }
    }

    pub(crate) async fn ask(&self, method: Method, path: &str, key: Option<&str>, body: Option<&Value>) -> Answer {
        self.try_ask(method, path, key, body).await.unwrap()
    }

    /// None if the connection breaks. Every answer is held against the document.
    pub(crate) async fn try_ask(
        &self,
        method: Method,
        path: &str,
        key: Option<&str>,
        body: Option<&Value>,
    ) -> Option<Answer> {
        let operation = Contract::of_the_code().operation(&method, path);
        let mut request = self.client.request(method, format!("{}{path}", self.base)).bearer_auth(&self.token);
        if let Some(key) = key {
            request = request.header("Idempotency-Key", key);
        }
        if let Some(body) = body {
            request = request.json(body);
        }
        let answer = request.send().await.ok()?;
        let (status, headers) = (answer.status().as_u16(), answer.headers().clone());
        let text = answer.text().await.ok()?;
        if let Some(operation) = operation {
            Contract::of_the_code().check(operation, status, &headers, &text).unwrap();
        }
        Some(Answer { status, headers, text })
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.ask(Method::GET, path, None, None).await
    }

    pub(crate) async fn create(&self, body: &Value) -> Answer {
        self.ask(Method::POST, "/v1/games", Some(&key()), Some(body)).await
    }

    /// The id of a new game.
    pub(crate) async fn new_game(&self, body: &Value) -> String {
        self.create(body).await.ok(201)["game_id"].as_str().unwrap().to_owned()
    }

    pub(crate) async fn game(&self, game: &str) -> Answer {
        self.get(&format!("/v1/games/{game}")).await
    }

    pub(crate) async fn sit(&self, game: &str, body: &Value) -> Answer {
        self.sit_again(game, &key(), body).await
    }

    pub(crate) async fn sit_again(&self, game: &str, key: &str, body: &Value) -> Answer {
        self.ask(Method::POST, &format!("/v1/games/{game}/seats"), Some(key), Some(body)).await
    }

    pub(crate) async fn leave(&self, game: &str) -> Answer {
        self.leave_again(game, &key()).await
    }

    pub(crate) async fn leave_again(&self, game: &str, key: &str) -> Answer {
        self.ask(Method::DELETE, &format!("/v1/games/{game}/seats/me"), Some(key), None).await
    }

    pub(crate) async fn start(&self, game: &str) -> Answer {
        self.start_again(game, &key()).await
    }

    pub(crate) async fn start_again(&self, game: &str, key: &str) -> Answer {
        self.ask(Method::POST, &format!("/v1/games/{game}/start"), Some(key), None).await
    }

    /// The legal moves, each as it can be posted.
    pub(crate) async fn moves(&self, game: &str) -> Vec<Value> {
        let list = self.get(&format!("/v1/games/{game}/moves")).await.ok(200);
        list["items"].as_array().unwrap().clone()
    }

    pub(crate) async fn submit(&self, game: &str, key: &str, body: &Value) -> Answer {
        self.ask(Method::POST, &format!("/v1/games/{game}/moves"), Some(key), Some(body)).await
    }

    /// The whole history, page by page.
    pub(crate) async fn history(&self, game: &str) -> Vec<Value> {
        let (mut items, mut after) = (Vec::new(), "0".to_owned());
        loop {
            let page = self.get(&format!("/v1/games/{game}/history?after={after}")).await.ok(200);
            items.extend(page["items"].as_array().unwrap().iter().cloned());
            match page["next"].as_str() {
                Some(next) => after = next.to_owned(),
                None => return items,
            }
        }
    }
}
