//! The extractors that no operation here uses yet, on an operation of the test's own.

use actix_web::http::header::AUTHORIZATION;
use actix_web::middleware::from_fn;
use actix_web::test::{TestRequest, call_service, init_service, read_body_json};
use actix_web::web::{self, Data};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use fereta::api::App;
use fereta::api::extract::{Caller, IdempotencyKey, Path, Query};
use fereta::api::middleware::frame::frame;
use fereta::auth::{Fresh, SignUp};
use fereta::entropy;
use fereta::ids::GameId;
use fereta::log::ProofKey;
use fereta::play::Play;
use reqwest::Method;
use serde::Deserialize;
use serde_json::Value;
use tokio::runtime::Handle;

use crate::support::api::{auth, problem};
use crate::support::{Api, Database};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Page {
    limit: Option<u8>,
}

async fn operation(caller: Caller, key: IdempotencyKey, id: Path<GameId>, page: Query<Page>) -> String {
    format!("{} {} {} {:?}", caller.0.account, key.0, id.0, page.0.limit)
}

/// Path, Authorization, Idempotency-Key, status, problem.
type Case<'a> = (&'a str, Vec<&'a str>, Vec<&'a str>, u16, &'a str);

#[actix_web::test]
async fn who_what_and_where() {
    let database = Database::new().await;
    let store = database.store().await;
    let play = Play::new(store.clone(), entropy::bytes, Handle::current(), ProofKey::from_bytes(&[7; 32]));
    let app = App::new(store, auth(1), play);
    let guest = SignUp { name: "Taro", password: None, locale: None };
    let session = app.auth.sign_up(&app.store, guest, app.fresh()).await.unwrap();
    let guest = SignUp { name: "Jiro", password: None, locale: None };
    let foreign = auth(2).sign_up(&app.store, guest, app.fresh()).await.unwrap().access_token;
    let service = init_service(
        actix_web::App::new().app_data(Data::new(app)).route("/{id}", web::get().to(operation)).wrap(from_fn(frame)),
    )
    .await;
    let game = GameId::fresh();
    let bearer = format!("Bearer {}", session.access_token);
    let lower = format!("bearer {}", session.access_token);
    let bare = session.access_token.clone();
    let basic = format!("Basic {}", session.access_token);
    let foreign = format!("Bearer {foreign}");
    let cut = bearer.get(..bearer.len() - 2).unwrap().to_owned();
    let good = format!("/{game}");
    let cases: [Case<'_>; 15] = [
        (&good, vec![&bearer], vec!["key"], 200, ""),
        (&good, vec![&lower], vec!["\"key\""], 200, ""),
        (&good, vec![], vec!["key"], 401, "unauthorized"),
        (&good, vec![&bearer, &bearer], vec!["key"], 401, "unauthorized"),
        (&good, vec![&bare], vec!["key"], 401, "unauthorized"),
        (&good, vec![&basic], vec!["key"], 401, "unauthorized"),
        (&good, vec![&foreign], vec!["key"], 401, "unauthorized"),
        (&good, vec![&cut], vec!["key"], 401, "unauthorized"),
        (&good, vec!["Bearer"], vec!["key"], 401, "unauthorized"),
        (&good, vec![&bearer], vec![], 400, "idempotency-key-unusable"),
        (&good, vec![&bearer], vec!["a", "b"], 400, "idempotency-key-unusable"),
        (&good, vec![&bearer], vec!["a b"], 400, "idempotency-key-unusable"),
        ("/7", vec![&bearer], vec!["key"], 404, "not-found"),
        (&format!("{good}?limit=300"), vec![&bearer], vec!["key"], 400, "malformed"),
        (&format!("{good}?page=3"), vec![&bearer], vec!["key"], 400, "malformed"),
    ];
    for (path, authorization, keys, status, slug) in cases {
        let mut request = TestRequest::get().uri(path);
        for value in &authorization {
            request = request.append_header((AUTHORIZATION, *value));
        }
        for key in &keys {
            request = request.append_header(("idempotency-key", *key));
        }
        let answer = call_service(&service, request.to_request()).await;
        assert_eq!(answer.status().as_u16(), status, "{path} {authorization:?} {keys:?}");
        if status == 401 {
            let challenge = answer.headers().get("www-authenticate").unwrap().to_str().unwrap();
            assert_eq!(challenge.contains("invalid_token"), !authorization.is_empty(), "{challenge}");
        }
        if status != 200 {
            let problem: Value = read_body_json(answer).await;
            assert_eq!(problem["type"], format!("/problems/{slug}"), "{path}");
        }
    }
}

/// What a forger may send to an operation that is really served; `auth::token` has the forgeries of the token itself.
#[tokio::test(flavor = "multi_thread")]
async fn nobody_gets_in_without_a_token_of_this_server() {
    let api = Api::start().await;
    let made = api.account("Taro").await;
    let token = made["access_token"].as_str().unwrap();
    let foreign = auth(2).sign_up(&api.database.store().await, guest("Jiro"), fresh()).await.unwrap().access_token;
    let parts: Vec<&str> = token.split('.').collect();
    let unsigned = format!("{}.{}.", URL_SAFE_NO_PAD.encode(r#"{"alg":"none"}"#), parts[1]);
    let resigned = format!("{}.{}.{}", parts[0], parts[1], foreign.rsplit('.').next().unwrap());
    let ask = |token: &str| api.request(Method::GET, "/v1/games").bearer_auth(token).send();
    assert_eq!(ask(token).await.unwrap().status(), 200);
    for forged in
        [&foreign, &unsigned, &resigned, "", "x", &"x".repeat(60_000), made["refresh_token"].as_str().unwrap()]
    {
        problem(ask(forged).await.unwrap(), "unauthorized").await;
    }
    assert_eq!(ask(token).await.unwrap().status(), 200);
    let in_url = api.get(&format!("/v1/games?access_token={token}")).await;
    problem(in_url, "malformed").await;
    problem(api.get("/v1/games").await, "unauthorized").await;
}

fn guest(name: &str) -> SignUp<'_> {
    SignUp { name, password: None, locale: None }
}

fn fresh() -> Fresh {
    Fresh { now: fereta::clock::now(), refresh: entropy::bytes(), salt: entropy::bytes() }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_is_described_once() {
    let api = Api::start().await;
    for (name, one, other) in [
        ("content-type", "application/json", "text/plain"),
        ("content-type", "application/json", "application/json"),
        ("content-encoding", "identity", "gzip"),
        ("content-encoding", "identity", "identity"),
    ] {
        let mut request =
            api.request(reqwest::Method::POST, "/v1/accounts/guest").header(name, one).header(name, other);
        if name == "content-encoding" {
            request = request.header("content-type", "application/json");
        }
        problem(request.body(r#"{"name": "Taro"}"#).send().await.unwrap(), "unsupported-media-type").await;
    }
    assert_eq!(api.database.count("accounts WHERE name = 'Taro'").await, 0);
}
