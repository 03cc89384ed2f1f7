use reqwest::Method;
use serde_json::{Value, json};

use crate::support::Api;
use crate::support::api::problem;
use crate::support::process::Server;

async fn log_out(api: &Api, session: &Value, query: &str) -> u16 {
    api.ask(session, Method::DELETE, &format!("/v1/tokens{query}"), None).await.status().as_u16()
}

async fn is_logged_in(api: &Api, session: &Value) -> bool {
    let used = api.ask(session, Method::GET, "/v1/games", None).await.status();
    let refresh = json!({"refresh_token": session["refresh_token"]});
    let refreshed = api.post("/v1/tokens/refresh", &refresh).await.status();
    assert_eq!(used, refreshed, "both tokens of a device are good, or none");
    used == 200
}

#[tokio::test(flavor = "multi_thread")]
async fn a_device_logs_itself_out_or_all() {
    let api = Api::start().await;
    let (first, jiro) = (api.account("Taro").await, api.account("Jiro").await);
    let (second, third) = (api.log_in("Taro").await, api.log_in("Taro").await);
    let spend = json!({"refresh_token": second["refresh_token"]});
    let newer: Value = api.post("/v1/tokens/refresh", &spend).await.json().await.unwrap();
    assert_eq!(log_out(&api, &second, "").await, 204);
    for session in [&second, &newer] {
        assert!(!is_logged_in(&api, session).await, "all tokens of the device");
    }
    assert_eq!(log_out(&api, &newer, "").await, 401, "asked again");
    assert!(is_logged_in(&api, &first).await && is_logged_in(&api, &third).await);
    assert_eq!(log_out(&api, &third, "?all=false").await, 204);
    assert!(is_logged_in(&api, &first).await && !is_logged_in(&api, &third).await);
    let fourth = api.log_in("Taro").await;
    assert_eq!(log_out(&api, &fourth, "?all=true").await, 204);
    assert!(!is_logged_in(&api, &first).await && !is_logged_in(&api, &fourth).await);
    assert!(is_logged_in(&api, &jiro).await);
    let fifth = api.log_in("Taro").await;
    assert!(is_logged_in(&api, &fifth).await, "the account still stands");
    for query in ["?all=yes", "?everywhere=true", "?all=true&all=false"] {
        problem(api.ask(&fifth, Method::DELETE, &format!("/v1/tokens{query}"), None).await, "malformed").await;
    }
}

/// A server that has seen and remembered the token refuses it as soon as another one has logged the device out.
#[tokio::test(flavor = "multi_thread")]
async fn a_log_out_is_felt_on_every_server() {
    let api = Api::start().await;
    let (one, two) = (Server::start(&api.database), Server::start(&api.database));
    let client = &api.client;
    let guest = client.post(one.url("/v1/accounts/guest")).json(&json!({"name": "Taro"})).send().await.unwrap();
    let session: Value = guest.json().await.unwrap();
    let token = session["access_token"].as_str().unwrap();
    for path in ["/v1/me", "/v1/games"] {
        assert_eq!(client.get(two.url(path)).bearer_auth(token).send().await.unwrap().status(), 200);
    }
    let out = client.delete(one.url("/v1/tokens")).bearer_auth(token).send().await.unwrap();
    assert_eq!(out.status(), 204);
    for server in [&one, &two] {
        for path in ["/v1/me", "/v1/games"] {
            problem(client.get(server.url(path)).bearer_auth(token).send().await.unwrap(), "unauthorized").await;
        }
    }
}
