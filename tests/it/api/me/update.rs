use std::time::Duration;

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::Api;
use crate::support::api::{PASSWORD, problem};

async fn update(api: &Api, session: &Value, body: Value) -> reqwest::Response {
    api.ask(session, Method::PATCH, "/v1/me", Some(&body)).await
}

#[tokio::test(flavor = "multi_thread")]
async fn name_and_language_are_changed_and_the_rest_is_not() {
    let api = Api::start().await;
    let taro = api.account("Taro").await;
    let mut expected = taro["account"].clone();
    for (body, name, locale) in [
        (json!({"name": "花子"}), "花子", "ja"),
        (json!({"locale": "pt-BR"}), "花子", "pt-BR"),
        (json!({}), "花子", "pt-BR"),
        (json!({"name": "HANAKO", "locale": "en"}), "HANAKO", "en"),
        (json!({"name": "Hanako"}), "Hanako", "en"),
    ] {
        let answer = update(&api, &taro, body).await;
        assert_eq!(answer.status(), 200);
        (expected["name"], expected["locale"]) = (json!(name), json!(locale));
        assert_eq!(answer.json::<Value>().await.unwrap(), expected);
    }
    let me: Value = api.ask(&taro, Method::GET, "/v1/me", None).await.json().await.unwrap();
    assert_eq!(me, expected);
    api.guest("Taro").await;
    api.log_in("hanako").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_acceptable_changes_nothing() {
    let api = Api::start().await;
    let taro = api.account("Taro").await;
    api.account("Straße").await;
    for (body, path) in [
        (json!({"name": ""}), "name"),
        (json!({"name": "a".repeat(41)}), "name"),
        (json!({"name": "Ta\u{202E}ro", "locale": "en"}), "name"),
        (json!({"name": null}), "name"),
        (json!({"locale": null}), "locale"),
        (json!({"name": "Jiro", "locale": "日本"}), "locale"),
        (json!({"password": PASSWORD}), "password"),
        (json!({"guest": true}), "guest"),
    ] {
        assert_eq!(problem(update(&api, &taro, body).await, "malformed").await["path"], path);
    }
    for name in ["STRASSE", "(deleted)", "（DELETED）"] {
        problem(update(&api, &taro, json!({"name": name, "locale": "en"})).await, "name-taken").await;
    }
    problem(api.post("/v1/accounts/guest", &json!({"name": "(Deleted)"})).await, "name-taken").await;
    let me: Value = api.ask(&taro, Method::GET, "/v1/me", None).await.json().await.unwrap();
    assert_eq!(me, taro["account"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_who_want_a_name_at_once_one_gets_it() {
    let api = Api::start().await;
    let mut sessions = Vec::new();
    for n in 0..6 {
        sessions.push(api.guest(&format!("guest {n}")).await);
    }
    let attempts =
        sessions.iter().map(|session| async { update(&api, session, json!({"name": "Taro"})).await.status().as_u16() });
    let mut statuses = join_all(attempts).await;
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409, 409, 409, 409, 409]);
}

/// Two that swap names hold each other up, until PostgreSQL gives one of them up.
#[tokio::test(flavor = "multi_thread")]
async fn who_swap_names_at_once_are_told_that_they_are_taken() {
    let api = Api::start().await;
    let (taro, jiro) = (api.guest("Taro").await, api.guest("Jiro").await);
    // Between the new row and the look for its like there is time for the other to come as far.
    let slow = "CREATE FUNCTION slow(name text) RETURNS text IMMUTABLE LANGUAGE plpgsql \
                AS 'BEGIN PERFORM pg_sleep(0.3); RETURN name; END'; \
                CREATE INDEX accounts_slow ON accounts (slow(name)); \
                ALTER TABLE accounts DROP CONSTRAINT accounts_name_key_unique; \
                ALTER TABLE accounts ADD CONSTRAINT accounts_name_key_unique UNIQUE (name_key)";
    api.database.execute(slow).await.unwrap();
    let (to_jiro, to_taro) = (json!({"name": "Jiro"}), json!({"name": "Taro"}));
    let (one, two) = tokio::join!(
        api.ask(&taro, Method::PATCH, "/v1/me", Some(&to_jiro)),
        api.ask(&jiro, Method::PATCH, "/v1/me", Some(&to_taro))
    );
    problem(one, "name-taken").await;
    problem(two, "name-taken").await;
    let deadlocks = "SELECT deadlocks::text AS t FROM pg_stat_database WHERE datname = current_database()";
    for _ in 0..50 {
        if api.database.texts(deadlocks).await != ["0"] {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("they did not get in each other's way");
}
