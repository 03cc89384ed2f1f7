//! Who does not stand any more is refused by every operation, on every server, at his next request.

use std::collections::BTreeMap;

use reqwest::{Method, Response};
use serde_json::{Value, json};

use crate::support::Api;
use crate::support::api::problem;

/// Every operation that takes an access token, with a request that it takes.
fn operations(game: &str) -> Vec<(Method, String, Option<Value>)> {
    let document: Value = serde_json::from_str(&fereta::api::openapi::document()).unwrap();
    let entropy = "00".repeat(32);
    let seat_move = json!({"expected_version": 1, "move": {"type": "pass_build"}});
    // An operation whose body is closed and has to have something in it has a line here.
    let bodies: BTreeMap<&str, Value> = [
        ("create_game", json!({"players": 3})),
        ("seat_bot", json!({"level": "easy"})),
        ("take_seat", json!({"entropy": entropy})),
        ("submit_move", seat_move),
        ("open_invite", json!({"code": "AAAAAAAAAAAAAAAAAAAAAA"})),
        ("set_password", json!({"password": "battery staple"})),
        ("delete_me", json!({"password": "battery staple"})),
    ]
    .into();
    let mut operations = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            if operation["security"] == json!([]) {
                continue;
            }
            let path = path.replace("{id}", game).replace("{n}", "0").replace("{seat}", "0").replace("{invite}", game);
            let id = operation["operationId"].as_str().unwrap();
            let body =
                (!operation["requestBody"].is_null()).then(|| bodies.get(id).cloned().unwrap_or_else(|| json!({})));
            operations.push((method.to_uppercase().parse().unwrap(), path, body));
        }
    }
    assert!(operations.len() >= 14, "{operations:?}");
    operations
}

async fn table(api: &Api) -> String {
    let jiro = api.account("Jiro").await;
    let answer = api.ask(&jiro, Method::POST, "/v1/games", Some(&json!({"players": 3}))).await;
    answer.json::<Value>().await.unwrap()["game_id"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_operation_refuses_who_has_ended() {
    let api = Api::start().await;
    let game = table(&api).await;
    let (taro, there) = (api.account("Taro").await, api.log_in("Taro").await);
    let id = taro["account"]["id"].as_str().unwrap();
    let set = async |status: &str| {
        let sql = format!("UPDATE accounts SET status = '{status}' WHERE id = '{id}'");
        api.database.execute(&sql).await.unwrap();
    };
    let ask = async |session: &Value, (method, path, body): &(Method, String, Option<Value>)| -> Response {
        api.ask(session, method.clone(), path, body.as_ref()).await
    };
    assert_eq!(api.ask(&taro, Method::GET, "/v1/me", None).await.status(), 200, "the token is remembered");
    for (status, slug) in [("banned", "banned"), ("deleted", "unauthorized")] {
        set(status).await;
        for operation in &operations(&game) {
            println!("{status}: {operation:?}");
            problem(ask(&taro, operation).await, slug).await;
        }
    }
    set("active").await;
    assert_eq!(api.ask(&there, Method::DELETE, "/v1/tokens", None).await.status(), 204);
    for operation in &operations(&game) {
        println!("logged out: {operation:?}");
        problem(ask(&there, operation).await, "unauthorized").await;
    }
    assert_eq!(api.ask(&taro, Method::GET, "/v1/me", None).await.status(), 200, "the other device was not logged out");
    assert_eq!(api.database.count("token_families WHERE ended_at IS NOT NULL").await, 1, "nothing was done meanwhile");
}
