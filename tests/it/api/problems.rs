use fereta::api::problem::ProblemType;
use reqwest::{Method, Response};
use serde_json::Value;

use crate::support::Api;
use crate::support::api::problem;

const ACCOUNTS: &str = "/v1/accounts";

async fn send(api: &Api, content_type: &str, body: impl Into<reqwest::Body>) -> Response {
    api.request(Method::POST, ACCOUNTS).header("content-type", content_type).body(body).send().await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn bodies_that_are_not_what_they_should_be() {
    let api = Api::start().await;
    let good = r#"{"name": "Taro", "password": "correct horse"}"#;
    let deep = format!("{}{}", "[".repeat(30_000), "]".repeat(30_000));
    let malformed: Vec<Vec<u8>> = vec![
        b"".to_vec(),
        b"{".to_vec(),
        b"{\"name\": \"Taro\", \"password\": \"correct horse\"".to_vec(),
        b"{\"name\": \"Ta\xFFro\", \"password\": \"correct horse\"}".to_vec(),
        b"{\"name\": \"Ta\\ud800ro\", \"password\": \"correct horse\"}".to_vec(),
        b"{'name': 'Taro'}".to_vec(),
        b"{\"name\": NaN}".to_vec(),
        b"{\"name\": \"a\", \"name\": \"b\", \"password\": \"correct horse\"}".to_vec(),
        [good.as_bytes(), b" {}"].concat(),
        [b"\xEF\xBB\xBF", good.as_bytes()].concat(),
        deep.into_bytes(),
    ];
    for body in malformed {
        problem(send(&api, "application/json", body).await, "malformed").await;
    }
    for media in
        ["text/plain", "", "application/x-www-form-urlencoded", "application/json; charset=latin1", "application/jsonp"]
    {
        problem(send(&api, media, good).await, "unsupported-media-type").await;
    }
    let packed = api.request(Method::POST, ACCOUNTS).header("content-type", "application/json");
    problem(packed.header("content-encoding", "gzip").body(good).send().await.unwrap(), "unsupported-media-type").await;
    problem(send(&api, "application/json", format!("{good}{}", " ".repeat(65_536))).await, "body-too-large").await;
    assert_eq!(send(&api, "Application/JSON; Charset=\"UTF-8\"", good).await.status(), 201);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_refused_word_is_told_in_short() {
    let api = Api::start().await;
    let body = format!("{{\"{}\": 1}}", "\u{7}é".replace('\u{7}', "\\u0007").repeat(7_000));
    let told = problem(send(&api, "application/json", body).await, "malformed").await;
    assert!(told.to_string().len() < 5_000, "{}", told.to_string().len());
}

#[tokio::test(flavor = "multi_thread")]
async fn addresses_and_methods_that_are_not_there() {
    let api = Api::start().await;
    for path in [
        "/v1",
        "/v1/",
        "/v2/accounts",
        "/v1/accounts/",
        "/v1/Accounts",
        "/v1/%00",
        "/v1/%ff",
        "/docs/nothing",
        "/problems/nothing",
        "/..%2f..%2fetc/passwd",
    ] {
        problem(api.get(path).await, "not-found").await;
    }
    for (method, path, allow) in [
        (Method::GET, ACCOUNTS, "POST, OPTIONS"),
        (Method::HEAD, ACCOUNTS, "POST, OPTIONS"),
        (Method::DELETE, "/v1/tokens/refresh", "POST, OPTIONS"),
        (Method::POST, "/healthz", "GET, HEAD, OPTIONS"),
        (Method::from_bytes(b"BREW").unwrap(), "/v1/openapi.json", "GET, HEAD, OPTIONS"),
    ] {
        let answer = api.request(method.clone(), path).send().await.unwrap();
        assert_eq!(answer.headers()["allow"], allow);
        assert_eq!(answer.status(), 405);
        if method != Method::HEAD {
            problem(answer, "method-not-allowed").await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn unknown_query_parameters_are_refused_everywhere() {
    let api = Api::start().await;
    let answer = api.request(Method::POST, "/v1/accounts?trace=1").body("{}").send().await.unwrap();
    assert_eq!(problem(answer, "malformed").await["path"], "?trace");
    assert_eq!(problem(api.get("/v1/openapi.json?access_token=x").await, "malformed").await["path"], "?access_token");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_type_is_documented_at_its_address() {
    let api = Api::start().await;
    let list = api.get("/problems").await.text().await.unwrap();
    for kind in ProblemType::ALL {
        let path = format!("/problems/{}", kind.slug());
        assert!(list.contains(&path), "{path}");
        let page = api.get(&path).await;
        assert_eq!(page.status(), 200);
        assert!(page.headers()["content-type"].to_str().unwrap().starts_with("text/html"));
        let text = page.text().await.unwrap();
        assert!(text.contains(kind.title()) && text.len() < 4_000);
    }
    let document: Value = api.get("/v1/openapi.json").await.json().await.unwrap();
    assert!(document["components"]["schemas"]["Problem"]["properties"]["instance"].is_object());
}
