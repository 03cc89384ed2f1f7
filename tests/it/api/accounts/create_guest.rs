use serde_json::{Value, json};

use crate::support::Api;
use crate::support::api::{PASSWORD, problem};

#[tokio::test(flavor = "multi_thread")]
async fn a_guest_plays_at_once_and_cannot_log_in() {
    let api = Api::start().await;
    let answer = api.post("/v1/accounts/guest", &json!({"name": "Taro"})).await;
    assert_eq!(answer.status(), 201);
    let body: Value = answer.json().await.unwrap();
    assert_eq!((&body["account"]["guest"], &body["account"]["locale"]), (&json!(true), &json!("ja")));
    let refreshed = api.post("/v1/tokens/refresh", &json!({"refresh_token": body["refresh_token"]})).await;
    assert_eq!(refreshed.status(), 200);
    problem(api.post("/v1/tokens", &json!({"name": "Taro", "password": PASSWORD})).await, "wrong-credentials").await;
    let with_password = json!({"name": "Jiro", "password": PASSWORD});
    assert_eq!(problem(api.post("/v1/accounts/guest", &with_password).await, "malformed").await["path"], "password");
}
