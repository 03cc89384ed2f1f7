use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::support::Api;
use crate::support::api::problem;

async fn spend(api: &Api, token: &Value) -> Value {
    let answer = api.post("/v1/tokens/refresh", &json!({"refresh_token": token})).await;
    assert_eq!(answer.status(), 200);
    assert_eq!(answer.headers()["cache-control"], "no-store");
    answer.json().await.unwrap()
}

async fn refused(api: &Api, token: &Value) {
    problem(api.post("/v1/tokens/refresh", &json!({"refresh_token": token})).await, "refresh-token-invalid").await;
}

/// Everything that happened to tokens happened so many seconds earlier.
async fn pass(api: &Api, seconds: u32) {
    let sql = format!(
        "UPDATE refresh_tokens SET issued_at = issued_at - interval '{seconds} s', \
         expires_at = expires_at - interval '{seconds} s', spent_at = spent_at - interval '{seconds} s'"
    );
    api.database.execute(&sql).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn each_token_buys_the_next() {
    let api = Api::start().await;
    let made = api.account("Taro").await;
    let mut token = made["refresh_token"].clone();
    for _ in 0..3 {
        let session = spend(&api, &token).await;
        assert_eq!(session["account"], made["account"]);
        assert_ne!(session["refresh_token"], token);
        assert_ne!(session["access_token"], made["access_token"]);
        token = session["refresh_token"].clone();
        pass(&api, 900).await;
    }
    let hashes = api.database.texts("SELECT encode(hash, 'escape') AS t FROM refresh_tokens").await;
    assert_eq!(hashes.len(), 4);
    assert!(!hashes.contains(&token.as_str().unwrap().to_owned()));
}

#[tokio::test(flavor = "multi_thread")]
async fn who_asks_again_within_half_a_minute_gets_the_same_token() {
    let api = Api::start().await;
    let first = api.account("Taro").await["refresh_token"].clone();
    let second = spend(&api, &first).await["refresh_token"].clone();
    pass(&api, 25).await;
    assert_eq!(spend(&api, &first).await["refresh_token"], second);
    spend(&api, &second).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_at_once_all_get_the_same_one_token() {
    let api = Api::start().await;
    let first = api.account("Taro").await["refresh_token"].clone();
    let sessions = join_all((0..8).map(|_| spend(&api, &first))).await;
    let mut tokens: Vec<_> = sessions.iter().map(|session| session["refresh_token"].to_string()).collect();
    tokens.dedup();
    assert_eq!(tokens.len(), 1);
    assert_eq!(api.database.count("refresh_tokens").await, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_later_use_of_a_spent_token_ends_its_device_and_no_other() {
    let api = Api::start().await;
    let made = api.account("Taro").await;
    let login = json!({"name": "Taro", "password": crate::support::api::PASSWORD});
    let other: Value = api.post("/v1/tokens", &login).await.json().await.unwrap();
    let first = made["refresh_token"].clone();
    let second = spend(&api, &first).await["refresh_token"].clone();
    pass(&api, 31).await;
    refused(&api, &first).await;
    refused(&api, &second).await;
    refused(&api, &first).await;
    spend(&api, &other["refresh_token"]).await;
    assert_eq!(api.database.count("token_families WHERE ended_at IS NOT NULL").await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_worthless_is_refused_alike() {
    let api = Api::start().await;
    let token = api.account("Taro").await["refresh_token"].clone();
    for bad in [
        json!(""),
        json!("x"),
        json!("A".repeat(43)),
        json!("花".repeat(43)),
        json!(format!("{}=", token.as_str().unwrap())),
    ] {
        refused(&api, &bad).await;
    }
    let second = spend(&api, &token).await["refresh_token"].clone();
    pass(&api, 180 * 86_400 + 1).await;
    refused(&api, &second).await;
    assert_eq!(api.database.count("token_families WHERE ended_at IS NOT NULL").await, 0, "unused is not stolen");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_that_ended_refreshes_nothing() {
    let api = Api::start().await;
    let first = api.account("Taro").await["refresh_token"].clone();
    let second = spend(&api, &first).await["refresh_token"].clone();
    api.database.execute("UPDATE accounts SET status = 'deleted', name_key = NULL").await.unwrap();
    refused(&api, &first).await;
    refused(&api, &second).await;
}
