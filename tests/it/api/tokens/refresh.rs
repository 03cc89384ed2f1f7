use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::Api;
use crate::support::api::problem;
use crate::support::process::Server;

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

/// Half of them at one server and half at another, on one database and with the same keys.
#[tokio::test(flavor = "multi_thread")]
async fn two_servers_spend_as_one() {
    let api = Api::start().await;
    let (one, two) = (Server::start(&api.database), Server::start(&api.database));
    let send = async |server: &Server, token: &Value| {
        let request = api.client.post(server.url("/v1/tokens/refresh")).json(&json!({"refresh_token": token}));
        request.send().await.unwrap()
    };
    let guest = api.client.post(one.url("/v1/accounts/guest")).json(&json!({"name": "Taro"})).send().await.unwrap();
    let first = guest.json::<Value>().await.unwrap()["refresh_token"].clone();
    let spending = (0..8).map(|n| send(if n % 2 == 0 { &one } else { &two }, &first));
    let mut tokens = Vec::new();
    for answer in join_all(spending).await {
        assert_eq!(answer.status(), 200);
        tokens.push(answer.json::<Value>().await.unwrap()["refresh_token"].clone());
    }
    tokens.dedup();
    assert_eq!((tokens.len(), api.database.count("refresh_tokens").await), (1, 2));
    let third = send(&two, &tokens[0]).await.json::<Value>().await.unwrap()["refresh_token"].clone();
    // Stolen at one, ended at both.
    pass(&api, 31).await;
    for (server, token) in [(&one, &first), (&two, &third), (&one, &third), (&two, &first)] {
        problem(send(server, token).await, "refresh-token-invalid").await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_of_no_use_is_swept_away() {
    let api = Api::start().await;
    let store = api.database.store().await;
    let (taro, jiro) = (api.account("Taro").await, api.account("Jiro").await);
    let (out, stolen) = (api.log_in("Taro").await, api.log_in("Taro").await);
    let mut newest = taro["refresh_token"].clone();
    for _ in 0..3 {
        newest = spend(&api, &newest).await["refresh_token"].clone();
    }
    assert_eq!(api.ask(&out, Method::DELETE, "/v1/tokens", None).await.status(), 204);
    spend(&api, &stolen["refresh_token"]).await;
    pass(&api, 60).await;
    refused(&api, &stolen["refresh_token"]).await;
    assert_eq!(store.sweep_tokens(100).await.unwrap(), 0, "not at once");
    let sql = "UPDATE token_families SET ended_at = ended_at - interval '61 min'";
    api.database.execute(sql).await.unwrap();
    assert_eq!(store.sweep_tokens(100).await.unwrap(), 5, "two devices, and their three tokens");
    refused(&api, &stolen["refresh_token"]).await;
    problem(api.ask(&out, Method::GET, "/v1/me", None).await, "unauthorized").await;
    // Spent ones are kept as long as their later use shows something.
    assert_eq!(api.database.count("refresh_tokens WHERE spent_at IS NOT NULL").await, 3);
    pass(&api, 180 * 86_400 - 120).await;
    spend(&api, &newest).await;
    pass(&api, 7_200).await;
    // In portions: three spent and expired tokens of Taro, and Jiro's device with its one.
    let mut portions = Vec::new();
    while portions.last() != Some(&0) {
        portions.push(store.sweep_tokens(2).await.unwrap());
    }
    assert!(portions.len() > 2 && portions.iter().all(|rows| *rows <= 8), "{portions:?}");
    assert_eq!(api.database.count("refresh_tokens").await, 1, "the newest of Taro's");
    assert_eq!(api.database.count("token_families").await, 1);
    refused(&api, &jiro["refresh_token"]).await;
}
