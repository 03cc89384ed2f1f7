use futures_util::future::join_all;
use reqwest::{Method, Response};
use serde_json::{Value, json};

use crate::support::Api;
use crate::support::api::{PASSWORD, problem};

const NEW: &str = "battery staple";

async fn set(api: &Api, session: &Value, body: Value) -> Response {
    api.ask(session, Method::PUT, "/v1/me/password", Some(&body)).await
}

async fn logs_in(api: &Api, password: &str) -> u16 {
    api.post("/v1/tokens", &json!({"name": "Taro", "password": password})).await.status().as_u16()
}

async fn is_logged_in(api: &Api, session: &Value) -> bool {
    let used = api.ask(session, Method::GET, "/v1/me", None).await.status();
    let refresh = json!({"refresh_token": session["refresh_token"]});
    let refreshed = api.post("/v1/tokens/refresh", &refresh).await.status();
    assert_eq!(used, refreshed, "both tokens of a device are good, or none");
    used == 200
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guest_claims_the_account_with_a_first_password() {
    let api = Api::start().await;
    let taro = api.guest("Taro").await;
    assert_eq!(logs_in(&api, NEW).await, 401);
    let answer = set(&api, &taro, json!({"password": NEW})).await;
    assert_eq!(answer.status(), 200);
    let mut expected = taro["account"].clone();
    expected["guest"] = json!(false);
    assert_eq!(answer.json::<Value>().await.unwrap(), expected);
    assert_eq!(logs_in(&api, NEW).await, 200);
    assert!(is_logged_in(&api, &taro).await, "the device that claimed it stays");
    assert_eq!(set(&api, &taro, json!({"password": NEW})).await.status(), 200, "asked again");
    problem(set(&api, &taro, json!({"password": PASSWORD})).await, "wrong-password").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_password_needs_the_old_one_and_ends_all_other_devices() {
    let api = Api::start().await;
    let (here, jiro) = (api.account("Taro").await, api.account("Jiro").await);
    let there = api.log_in("Taro").await;
    for body in [
        json!({"password": NEW}),
        json!({"password": NEW, "old_password": "wrong horse"}),
        json!({"password": NEW, "old_password": "short"}),
        json!({"password": NEW, "old_password": "x".repeat(500)}),
    ] {
        problem(set(&api, &here, body).await, "wrong-password").await;
    }
    for (body, path) in [
        (json!({"password": "short", "old_password": PASSWORD}), "password"),
        (json!({"old_password": PASSWORD}), "password"),
        (json!({"password": NEW, "old_password": null}), "old_password"),
    ] {
        assert_eq!(problem(set(&api, &here, body).await, "malformed").await["path"], path);
    }
    assert!(is_logged_in(&api, &there).await, "a refusal changed nothing");
    let body = json!({"password": NEW, "old_password": PASSWORD});
    assert_eq!(set(&api, &here, body.clone()).await.status(), 200);
    assert_eq!((logs_in(&api, PASSWORD).await, logs_in(&api, NEW).await), (401, 200));
    assert!(is_logged_in(&api, &here).await);
    assert!(!is_logged_in(&api, &there).await);
    assert!(is_logged_in(&api, &jiro).await);
    assert_eq!(set(&api, &here, body).await.status(), 200, "asked again after a lost answer");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_first_passwords_at_once_one_is_it() {
    let api = Api::start().await;
    let taro = api.guest("Taro").await;
    let passwords: Vec<String> = (0..5).map(|n| format!("password {n}")).collect();
    let claim = async |password: &String| set(&api, &taro, json!({"password": password})).await.status().as_u16();
    let claims = passwords.iter().map(claim);
    let statuses = join_all(claims).await;
    assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 1, "{statuses:?}");
    for (password, status) in passwords.iter().zip(statuses) {
        assert_eq!(logs_in(&api, password).await, if status == 200 { 200 } else { 401 });
    }
}

/// A log-in that knew the old password leaves no device behind, whenever it came.
#[tokio::test(flavor = "multi_thread")]
async fn no_device_slips_through_a_change() {
    let api = Api::start().await;
    let here = api.account("Taro").await;
    let login = json!({"name": "Taro", "password": PASSWORD});
    let logging_in = join_all((0..6).map(|_| async { api.post("/v1/tokens", &login).await }));
    let body = json!({"password": NEW, "old_password": PASSWORD});
    let (answers, changed) = tokio::join!(logging_in, set(&api, &here, body));
    assert_eq!(changed.status(), 200);
    for answer in answers {
        if answer.status() == 200 {
            let session: Value = answer.json().await.unwrap();
            assert!(!is_logged_in(&api, &session).await);
        }
    }
    assert!(is_logged_in(&api, &here).await);
}
