use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::json;

use crate::support::api::problem;
use crate::support::{Api, Player};

#[tokio::test(flavor = "multi_thread")]
async fn the_callers_request_id_comes_back_if_it_is_one() {
    let api = Api::start().await;
    let mine = "0192f0c0-1111-7222-8333-444455556666";
    let with = |id: &'static [u8]| api.request(Method::GET, "/v1/nothing").header("x-request-id", id).send();
    let answer = with(mine.as_bytes()).await.unwrap();
    assert_eq!(answer.headers()["x-request-id"], mine);
    problem(answer, "not-found").await;
    let upper = "0192F0C0-AAAA-7BBB-8CCC-DDDDEEEEFFFF";
    assert_eq!(with(upper.as_bytes()).await.unwrap().headers()["x-request-id"], upper, "byte for byte");
    for bad in [
        b"".as_slice(),
        b"{0192f0c0-1111-7222-8333-444455556666}",
        b"urn:uuid:0192f0c0-1111-7222-8333-444455556666",
        b"0192f0c0111172228333444455556666",
        b"7",
        b"00000000-0000-0000-0000-000000000000",
        b"x'; --",
        b"\xff",
    ] {
        let made = with(bad).await.unwrap().headers()["x-request-id"].to_str().unwrap().to_owned();
        assert!(uuid::Uuid::try_parse(&made).is_ok_and(|id| id.get_version_num() == 7), "{made}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_has_one_spelling_and_a_parameter_has_one_name() {
    let api = Api::start().await;
    let taro = Player::guest(&api.base).await;
    let game = taro.new_game(&json!({"players": 3})).await;
    taro.game(&game).await.ok(200);
    let first = game.get(..1).unwrap().bytes().next().unwrap();
    let encoded = format!("%{first:02x}{}", game.get(1..).unwrap());
    for path in [
        format!("/%76%31/games/{game}?x=1"),
        format!("/%76%31/games/{game}"),
        format!("/v1/g%61mes/{game}?access_token=x"),
        format!("/v1/games/{encoded}"),
        format!("/v1/games/%20{game}"),
        format!("/v1%2Fgames/{game}"),
        format!("/v1/games/{game}%00"),
        "/v1/%E3%81%82".to_owned(),
        "/v1/openapi%2Ejson".to_owned(),
        "/%64ocs/".to_owned(),
        "/.well%2Dknown/jwks.json".to_owned(),
    ] {
        let answer = api.request(Method::GET, &path).bearer_auth(&taro.token).send().await.unwrap();
        problem(answer, "not-found").await;
    }
    assert_eq!(taro.get("/v1/games?l%69mit=1").await.ok(200)["items"].as_array().unwrap().len(), 1);
    for query in ["p%61ge=1", "l%69mit=0", "limit=1&l%69mit=1", "access%5Ftoken=x"] {
        taro.get(&format!("/v1/games?{query}")).await.refused(400, "malformed");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn any_origin_may_use_the_api_and_sees_what_it_needs() {
    let api = Api::start().await;
    let preflight = api
        .request(Method::OPTIONS, "/v1/accounts")
        .header("origin", "https://elsewhere.example")
        .header("access-control-request-method", "POST")
        .header("access-control-request-headers", "idempotency-key, authorization");
    let answer = preflight.send().await.unwrap();
    assert_eq!(answer.status(), 204);
    assert_eq!(answer.headers()["access-control-allow-origin"], "*");
    let allowed = answer.headers()["access-control-allow-headers"].to_str().unwrap().to_lowercase();
    for header in ["authorization", "content-type", "idempotency-key", "if-none-match", "last-event-id"] {
        assert!(allowed.contains(header), "{header}");
    }
    for (answer, status) in [
        (api.post("/v1/accounts/guest", &json!({"name": "Taro"})).await, 201),
        (api.post("/v1/accounts/guest", &json!({})).await, 400),
        (api.get("/v1/nothing").await, 404),
    ] {
        assert_eq!(answer.status(), status);
        assert_eq!(answer.headers()["access-control-allow-origin"], "*");
        assert!(!answer.headers().contains_key("access-control-allow-credentials"));
        let exposed = answer.headers()["access-control-expose-headers"].to_str().unwrap();
        for header in ["ETag", "Location", "Retry-After", "X-Request-Id", "RateLimit", "RateLimit-Policy"] {
            assert!(exposed.contains(header), "{header}");
        }
    }
    assert!(!api.get("/healthz").await.headers().contains_key("access-control-allow-origin"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_may_depend_on_the_caller_is_his_own() {
    let api = Api::start().await;
    let answer = api.post("/v1/accounts", &json!({})).await;
    assert_eq!(answer.headers()["cache-control"], "private, no-cache");
    assert!(answer.headers().get_all("vary").iter().any(|value| value == "Authorization"));
    assert!(answer.headers().contains_key("date"));
}

#[tokio::test(flavor = "multi_thread")]
async fn head_is_get_without_the_body() {
    let api = Api::start().await;
    let (get, head) =
        (api.get("/v1/openapi.json").await, api.request(Method::HEAD, "/v1/openapi.json").send().await.unwrap());
    assert_eq!(head.status(), 200);
    assert_eq!(head.headers()["content-length"], get.headers()["content-length"]);
    assert!(head.bytes().await.unwrap().is_empty());
    // The connection is still in step.
    assert_eq!(api.get("/healthz").await.status(), 204);
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_are_compressed_when_asked_for() {
    let api = Api::start().await;
    let ask = |encoding: &'static str| {
        api.request(Method::GET, "/v1/openapi.json").header("accept-encoding", encoding).send()
    };
    let plain = ask("identity").await.unwrap();
    assert!(!plain.headers().contains_key("content-encoding"));
    let plain = plain.bytes().await.unwrap().len();
    for encoding in ["gzip", "br"] {
        let packed = ask(encoding).await.unwrap();
        assert_eq!(packed.headers()["content-encoding"], encoding);
        assert!(packed.bytes().await.unwrap().len() * 3 < plain);
    }
    problem(ask("identity;q=0, *;q=0").await.unwrap(), "not-acceptable").await;
    let refused = api.request(Method::GET, "/v1/nothing").header("accept-encoding", "gzip").send().await.unwrap();
    problem(refused, "not-found").await;
}

/// A packet that waits for the one before it to be acknowledged waits 40 ms.
#[tokio::test(flavor = "multi_thread")]
async fn a_compressed_answer_does_not_wait_for_the_network() {
    let api = Api::start().await;
    let ask = async |encoding: &'static str| {
        let since = Instant::now();
        let answer = api.request(Method::GET, "/problems").header("accept-encoding", encoding).send().await.unwrap();
        answer.bytes().await.unwrap();
        since.elapsed()
    };
    let (mut plain, mut packed) = (Vec::new(), Vec::new());
    for _ in 0..41 {
        plain.push(ask("identity").await);
        packed.push(ask("br").await);
    }
    let median = |times: &mut Vec<Duration>| {
        times.sort();
        times[20]
    };
    let (plain, packed) = (median(&mut plain), median(&mut packed));
    assert!(packed < plain + Duration::from_millis(25), "{packed:?} rather than {plain:?}");
}
