use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::support::api::{PASSWORD, problem};
use crate::support::{Api, database::OWNER};

#[tokio::test(flavor = "multi_thread")]
async fn an_account_is_made_and_logged_in() {
    let api = Api::start().await;
    let name = "ﾌｪﾚｰﾀ ❤\u{FE0F} é";
    let answer = api.post("/v1/accounts", &json!({"name": name, "password": PASSWORD, "locale": "pt-BR"})).await;
    assert_eq!(answer.status(), 201);
    assert_eq!(answer.headers()["cache-control"], "no-store");
    let body: Value = answer.json().await.unwrap();
    let account = &body["account"];
    assert_eq!(
        (&account["name"], &account["guest"], &account["locale"]),
        (&json!(name), &json!(false), &json!("pt-BR"))
    );
    assert_eq!((&body["token_type"], &body["expires_in_s"]), (&json!("Bearer"), &json!(900)));
    let token = body["access_token"].as_str().unwrap();
    assert!(token.is_ascii() && token.split('.').count() == 3);
    assert!(account["created_at"].as_str().unwrap().ends_with('Z'));
    assert_eq!(body["refresh_token"].as_str().unwrap().len(), 43);
    let stored =
        api.database.texts("SELECT name || ':' || left(password_hash, 10) AS t FROM accounts WHERE name <> ''").await;
    assert_eq!(stored, [format!("{name}:$argon2id$")]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_is_one_persons_whatever_its_dress() {
    let api = Api::start().await;
    api.account("Straße").await;
    for name in ["Straße", "STRASSE", "ｓｔｒａｓｓｅ"] {
        let answer = api.post("/v1/accounts", &json!({"name": name, "password": PASSWORD})).await;
        problem(answer, "name-taken").await;
        problem(api.post("/v1/accounts/guest", &json!({"name": name})).await, "name-taken").await;
    }
    assert_eq!(api.database.count("refresh_tokens").await, 1, "a refusal leaves nothing behind");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_who_want_a_name_at_once_one_gets_it() {
    let api = Api::start().await;
    let attempts = ["Taro", "TARO", "taro", "ＴＡＲＯ", "tARO", "Taro", "taRo", "TaRo"].map(|name| {
        let body = json!({"name": name});
        let api = &api;
        async move { api.post("/v1/accounts/guest", &body).await.status().as_u16() }
    });
    let mut statuses = join_all(attempts).await;
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 409, 409, 409, 409, 409, 409, 409]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_acceptable_is_named() {
    let api = Api::start().await;
    let cases = [
        (json!({"name": "", "password": PASSWORD}), Some("name")),
        (json!({"name": "a".repeat(41), "password": PASSWORD}), Some("name")),
        (json!({"name": " Taro", "password": PASSWORD}), Some("name")),
        (json!({"name": "Ta\u{0}ro", "password": PASSWORD}), Some("name")),
        (json!({"name": "Ta\u{202E}ro", "password": PASSWORD}), Some("name")),
        (json!({"name": "e\u{301}", "password": PASSWORD}), Some("name")),
        (json!({"name": 7, "password": PASSWORD}), Some("name")),
        (json!({"name": "Taro", "password": "short"}), Some("password")),
        (json!({"name": "Taro", "password": "x".repeat(129)}), Some("password")),
        (json!({"name": "Taro", "password": PASSWORD, "locale": "日本"}), Some("locale")),
        (json!({"name": "Taro", "password": PASSWORD, "admin": true}), Some("admin")),
        (json!({"name": "Taro"}), Some("password")),
        (json!(["Taro", PASSWORD]), None),
        (json!(null), None),
    ];
    for (body, path) in cases {
        let problem = problem(api.post("/v1/accounts", &body).await, "malformed").await;
        assert_eq!(problem.get("path").and_then(Value::as_str), path, "{body} {problem}");
        assert!(
            !problem.to_string().contains("short") && !problem.to_string().contains("xxxx"),
            "a password is not told"
        );
    }
    assert_eq!(api.database.count("accounts WHERE name <> ''").await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_refuses_is_a_fault_of_ours_without_its_words() {
    let api = Api::start().await;
    api.database.execute("ALTER TABLE accounts RENAME COLUMN locale TO place").await.unwrap();
    let answer = api.post("/v1/accounts/guest", &json!({"name": "Taro"})).await;
    let told = problem(answer, "internal").await;
    assert!(told.get("detail").is_none() && !told.to_string().contains("column"), "{told}");
    drop(api.database.connection(OWNER).await);
}
