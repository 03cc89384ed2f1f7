use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::Api;
use crate::support::api::{PASSWORD, problem};

#[tokio::test(flavor = "multi_thread")]
async fn the_right_password_logs_in_under_any_form_of_the_name() {
    let api = Api::start().await;
    let made = api.account("Zoë").await;
    for name in ["Zoë", "ZOË", "Zoe\u{308}", "ｚｏë"] {
        let answer = api.post("/v1/tokens", &json!({"name": name, "password": PASSWORD})).await;
        assert_eq!(answer.status(), 200, "{name}");
        assert_eq!(answer.headers()["cache-control"], "no-store");
        let body: Value = answer.json().await.unwrap();
        assert_eq!(body["account"], made["account"]);
        assert_ne!(body["refresh_token"], made["refresh_token"], "a device of its own");
    }
}

/// Whether a name exists shows neither in the answer nor in the time that it takes.
#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_password_and_an_unknown_name_are_one_answer() {
    let api = Api::start().await;
    api.account("Taro").await;
    api.database.execute("INSERT INTO accounts SELECT gen_random_uuid(), 'gone', NULL, password_hash, 'ja', 'deleted', now() FROM accounts").await.unwrap();
    let mut answers = Vec::new();
    let mut quickest = [Duration::MAX; 2];
    // The quickest of several: other tests share the cores. Without a hash it would never come near.
    for round in 0..40 {
        for (which, name) in ["Taro", "Jiro"].into_iter().enumerate() {
            let since = Instant::now();
            let answer = api.post("/v1/tokens", &json!({"name": name, "password": "wrong horse"})).await;
            quickest[which] = quickest[which].min(since.elapsed());
            answers.push(shape(problem(answer, "wrong-credentials").await));
        }
        let ratio = quickest[1].as_secs_f64() / quickest[0].as_secs_f64();
        if (0.6..1.7).contains(&ratio) {
            break;
        }
        assert!(round < 39, "{quickest:?}");
    }
    for name in ["gone", "Ta\u{0}ro", "", &"x".repeat(5_000)] {
        let answer = api.post("/v1/tokens", &json!({"name": name, "password": PASSWORD})).await;
        answers.push(shape(problem(answer, "wrong-credentials").await));
    }
    answers.dedup();
    assert_eq!(answers.len(), 1, "{answers:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_banned_account_learns_it_with_its_password_only() {
    let api = Api::start().await;
    let made = api.account("Taro").await;
    api.database.execute("UPDATE accounts SET status = 'banned' WHERE name <> ''").await.unwrap();
    problem(api.post("/v1/tokens", &json!({"name": "Taro", "password": PASSWORD})).await, "banned").await;
    problem(api.post("/v1/tokens", &json!({"name": "Taro", "password": "wrong horse"})).await, "wrong-credentials")
        .await;
    let refresh = json!({"refresh_token": made["refresh_token"]});
    problem(api.post("/v1/tokens/refresh", &refresh).await, "banned").await;
    api.database.execute("UPDATE accounts SET status = 'active' WHERE name <> ''").await.unwrap();
    assert_eq!(api.post("/v1/tokens/refresh", &refresh).await.status(), 200, "it was not spent");
}

fn shape(mut problem: Value) -> String {
    problem["instance"] = Value::Null;
    problem.to_string()
}
