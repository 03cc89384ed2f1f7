use std::num::NonZeroU32;

use fereta::api::middleware::address::Proxies;
use fereta::api::middleware::limits::LimitSettings;
use fereta::config::ProxyHeader;
use reqwest::{Method, Response};
use serde_json::json;

use crate::support::api::{PASSWORD, problem};
use crate::support::player::key;
use crate::support::{Api, Player};

async fn limited(change: impl FnOnce(&mut LimitSettings)) -> Api {
    let mut limits = LimitSettings::DEFAULT;
    change(&mut limits);
    Api::start_with(|settings| settings.serve.limits = Some(limits)).await
}

fn few(count: u32) -> NonZeroU32 {
    NonZeroU32::new(count).unwrap()
}

fn header<'a>(answer: &'a Response, name: &str) -> &'a str {
    answer.headers()[name].to_str().unwrap()
}

async fn too_many(answer: Response, limit: &str) {
    let wait: u64 = header(&answer, "retry-after").parse().unwrap();
    assert!((1..=3_600).contains(&wait));
    let left = header(&answer, "ratelimit").to_owned();
    assert!(left.contains(&format!("\"{limit}\";r=0;t=")), "{left}");
    assert_eq!(problem(answer, "too-many-requests").await["limit"], limit);
}

#[tokio::test(flavor = "multi_thread")]
async fn accounts_have_limits_of_their_own() {
    let api = limited(|limits| (limits.writes, limits.reads) = (few(3), few(4))).await;
    let players = Player::guests(&api.base, 2).await;
    for left in (0..3).rev() {
        let answer = players[0].create(&json!({"players": 3})).await;
        let (policy, told) = (&answer.headers["ratelimit-policy"], &answer.headers["ratelimit"]);
        assert_eq!(policy, "\"requests\";q=120000;w=60, \"writes\";q=3;w=60");
        let told = told.to_str().unwrap();
        assert!(told.contains(&format!("\"writes\";r={left};t=")), "{told}");
        answer.ok(201);
    }
    let refused = players[0].client.post(format!("{}/v1/games", api.base)).bearer_auth(&players[0].token);
    too_many(refused.header("idempotency-key", key()).json(&json!({"players": 3})).send().await.unwrap(), "writes")
        .await;
    // Reads are another limit, and others another account; whoever has no account counts by his address.
    for _ in 0..4 {
        players[0].get("/v1/games").await.ok(200);
    }
    players[0].get("/v1/games").await.refused(429, "too-many-requests");
    players[1].create(&json!({"players": 3})).await.ok(201);
    players[1].create(&json!({"players": 9})).await.refused(400, "malformed");
    for _ in 0..4 {
        problem(api.get("/v1/games").await, "unauthorized").await;
    }
    too_many(api.get("/v1/games").await, "reads").await;
    assert_eq!(api.database.count("games").await, 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn addresses_have_limits_too() {
    let api = limited(|limits| (limits.sign_ups, limits.log_ins) = (few(3), few(2))).await;
    let account = api.account("Taro").await;
    assert!(account["access_token"].is_string());
    for name in ["Jiro", "Saburo"] {
        assert_eq!(api.post("/v1/accounts/guest", &json!({"name": name})).await.status(), 201);
    }
    too_many(api.post("/v1/accounts/guest", &json!({"name": "Shiro"})).await, "sign-ups").await;
    too_many(api.post("/v1/accounts", &json!({"name": "Shiro", "password": PASSWORD})).await, "sign-ups").await;
    let wrong = json!({"name": "Taro", "password": "wrong horse"});
    for _ in 0..2 {
        problem(api.post("/v1/tokens", &wrong).await, "wrong-credentials").await;
    }
    too_many(api.post("/v1/tokens", &json!({"name": "Taro", "password": PASSWORD})).await, "log-ins").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_counts_but_the_servers_health() {
    let api = limited(|limits| limits.requests = few(5)).await;
    for path in ["/v1/nothing", "/v1/openapi.json", "/problems", "/docs/", "/.well-known/jwks.json"] {
        assert!(header(&api.get(path).await, "ratelimit").starts_with("\"requests\";r="), "{path}");
    }
    too_many(api.get("/problems").await, "requests").await;
    let preflight = api.request(Method::OPTIONS, "/v1/games").header("origin", "https://elsewhere.example");
    let preflight = preflight.header("access-control-request-method", "GET").send().await.unwrap();
    assert_eq!(preflight.status(), 204);
    for path in ["/healthz", "/readyz"] {
        let answer = api.get(path).await;
        assert!(answer.status() == 204 && !answer.headers().contains_key("ratelimit"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn behind_proxies_the_client_counts_and_not_the_proxy() {
    let proxies = Proxies { count: 1, header: ProxyHeader::XForwardedFor };
    let api = limited(|limits| (limits.requests, limits.proxies) = (few(2), proxies)).await;
    let from = async |address: &str| {
        api.request(Method::GET, "/problems").header("x-forwarded-for", address).send().await.unwrap().status().as_u16()
    };
    assert_eq!([from("192.0.2.1").await, from("192.0.2.1").await, from("192.0.2.1").await], [200, 200, 429]);
    assert_eq!(from("192.0.2.2").await, 200);
    // What the client has written itself does not help.
    assert_eq!(from("203.0.113.9, 192.0.2.1").await, 429);
    // Without trusted proxies nobody is believed.
    let api = limited(|limits| limits.requests = few(1)).await;
    let asked = async |address: &str| {
        api.request(Method::GET, "/problems").header("x-forwarded-for", address).send().await.unwrap().status().as_u16()
    };
    assert_eq!([asked("192.0.2.1").await, asked("192.0.2.2").await], [200, 429]);
}

#[tokio::test(flavor = "multi_thread")]
async fn they_can_be_turned_off() {
    let api = Api::start_with(|settings| settings.serve.limits = None).await;
    assert!(!api.get("/problems").await.headers().contains_key("ratelimit"));
}
