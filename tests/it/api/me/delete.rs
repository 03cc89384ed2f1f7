use std::time::Duration;

use fereta::entropy;
use fereta::ids::AccountId;
use fereta::log::ProofKey;
use fereta::play::{Play, PlayError};
use futures_util::future::join_all;
use reqwest::{Method, Response};
use serde_json::{Value, json};
use tokio::runtime::Handle;

use crate::support::Api;
use crate::support::api::{PASSWORD, problem};

async fn delete(api: &Api, session: &Value, body: Value) -> Response {
    api.ask(session, Method::DELETE, "/v1/me", Some(&body)).await
}

async fn create(api: &Api, session: &Value) -> String {
    let answer = api.ask(session, Method::POST, "/v1/games", Some(&json!({"players": 3}))).await;
    assert_eq!(answer.status(), 201);
    answer.json::<Value>().await.unwrap()["game_id"].as_str().unwrap().to_owned()
}

async fn sit(api: &Api, session: &Value, game: &str) -> u16 {
    let path = format!("/v1/games/{game}/seats");
    api.ask(session, Method::POST, &path, Some(&json!({}))).await.status().as_u16()
}

async fn look(api: &Api, session: &Value, game: &str) -> Value {
    api.ask(session, Method::GET, &format!("/v1/games/{game}"), None).await.json().await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_password_ends_the_account_everywhere() {
    let api = Api::start().await;
    let taro = api.account("Taro").await;
    let there = api.log_in("Taro").await;
    for body in
        [json!({"password": "wrong horse"}), json!({"password": "x"}), json!({"refresh_token": taro["refresh_token"]})]
    {
        problem(delete(&api, &taro, body).await, "wrong-password").await;
    }
    for body in
        [json!({}), json!({"password": PASSWORD, "refresh_token": taro["refresh_token"]}), json!({"password": null})]
    {
        problem(delete(&api, &taro, body).await, "malformed").await;
    }
    assert_eq!(delete(&api, &taro, json!({"password": PASSWORD})).await.status(), 204);
    for session in [&taro, &there] {
        problem(api.ask(session, Method::GET, "/v1/me", None).await, "unauthorized").await;
        let refresh = json!({"refresh_token": session["refresh_token"]});
        problem(api.post("/v1/tokens/refresh", &refresh).await, "refresh-token-invalid").await;
    }
    problem(api.post("/v1/tokens", &json!({"name": "Taro", "password": PASSWORD})).await, "wrong-credentials").await;
    problem(delete(&api, &taro, json!({"password": PASSWORD})).await, "unauthorized").await;
    let left = "SELECT concat_ws(' ', name, coalesce(name_key, '-'), coalesce(password_hash, '-'), locale) AS t FROM accounts WHERE name <> ''";
    assert_eq!(api.database.texts(left).await, ["(deleted) - - und"]);
    api.account("Taro").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guest_shows_the_newest_refresh_token_of_this_device() {
    let api = Api::start().await;
    let (taro, jiro) = (api.guest("Taro").await, api.guest("Jiro").await);
    let spend = json!({"refresh_token": taro["refresh_token"]});
    let newer: Value = api.post("/v1/tokens/refresh", &spend).await.json().await.unwrap();
    let sql = "UPDATE refresh_tokens SET spent_at = spent_at - interval '31 s'";
    api.database.execute(sql).await.unwrap();
    for worthless in [&taro["refresh_token"], &jiro["refresh_token"], &json!("x"), &taro["access_token"]] {
        problem(delete(&api, &taro, json!({"refresh_token": worthless})).await, "wrong-password").await;
    }
    problem(delete(&api, &taro, json!({"password": PASSWORD})).await, "wrong-password").await;
    assert_eq!(delete(&api, &taro, json!({"refresh_token": newer["refresh_token"]})).await.status(), 204);
    problem(api.ask(&newer, Method::GET, "/v1/me", None).await, "unauthorized").await;
    assert_eq!(api.ask(&jiro, Method::GET, "/v1/me", None).await.status(), 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn seats_are_given_up_and_tables_that_were_made_are_closed() {
    let api = Api::start().await;
    let (taro, jiro) = (api.account("Taro").await, api.account("Jiro").await);
    let (his, other) = (create(&api, &taro).await, create(&api, &jiro).await);
    assert_eq!(sit(&api, &taro, &other).await, 201);
    let second = api.guest("Saburo").await;
    assert_eq!(sit(&api, &second, &his).await, 201);
    assert_eq!(delete(&api, &taro, json!({"password": PASSWORD})).await.status(), 204);
    for (game, status, seated, event) in
        [(&his, "closed", vec!["(deleted)", "Saburo"], "table_closed"), (&other, "open", vec!["Jiro"], "seat_left")]
    {
        let table = look(&api, &jiro, game).await;
        let names: Vec<_> = table["players"].as_array().unwrap().iter().map(|player| &player["name"]).collect();
        assert_eq!((&table["view"]["status"], &json!(names)), (&json!(status), &json!(seated)), "{table}");
        let path = format!("/v1/games/{game}/history?after=0");
        let history: Value = api.ask(&jiro, Method::GET, &path, None).await.json().await.unwrap();
        assert_eq!(history["items"].as_array().unwrap().last().unwrap()["type"], event, "{history}");
        assert!(!history.to_string().contains("Taro"));
        api.database.audit(game).await;
    }
    assert_eq!(sit(&api, &jiro, &his).await, 409);
    // Others take the seat, and the game is played.
    let goro = api.guest("Goro").await;
    assert_eq!((sit(&api, &goro, &other).await, sit(&api, &second, &other).await), (201, 201));
    assert_eq!(look(&api, &jiro, &other).await["view"]["status"], "running");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_plays_on_for_who_ends_in_mid_game() {
    let api = Api::start().await;
    let (taro, jiro, saburo) = (api.account("Taro").await, api.guest("Jiro").await, api.guest("Saburo").await);
    let (game, open) = (create(&api, &taro).await, create(&api, &taro).await);
    assert_eq!((sit(&api, &jiro, &game).await, sit(&api, &saburo, &game).await), (201, 201));
    assert_eq!(delete(&api, &taro, json!({"password": PASSWORD})).await.status(), 204);
    let table = look(&api, &jiro, &game).await;
    assert_eq!(table["bots"], json!([{"seat": 0, "level": "hard"}]));
    assert_eq!((&table["view"]["seats"][0]["bot"], &table["view"]["status"]), (&json!("hard"), &json!("running")));
    assert_eq!(look(&api, &jiro, &open).await["view"]["status"], "closed");
    // Nobody looks through his eyes any more, and nobody is told his name.
    problem(api.ask(&taro, Method::GET, &format!("/v1/games/{game}"), None).await, "unauthorized").await;
    for session in [&jiro, &saburo] {
        let table = look(&api, session, &game).await;
        assert_eq!(
            (&table["view"]["seats"][0]["hand"], &table["view"]["seats"][0]["passed"]),
            (&Value::Null, &Value::Null)
        );
        assert!(!table.to_string().contains("Taro"));
    }
    let path = format!("/v1/games/{game}/history?after=4");
    let history: Value = api.ask(&jiro, Method::GET, &path, None).await.json().await.unwrap();
    let last = history["items"].as_array().unwrap().last().unwrap();
    assert_eq!((&last["type"], &last["cause"]), (&json!("bot_assigned"), &json!({"seat": 0})));
    // Before that he sat there, whoever he was.
    let before = table["version"].as_u64().unwrap() - 1;
    let past = api.ask(&jiro, Method::GET, &format!("/v1/games/{game}?at={before}"), None).await;
    let past: Value = past.json().await.unwrap();
    assert_eq!(past["view"]["seats"][0]["bot"], Value::Null);
    let seats: Vec<_> = past["players"].as_array().unwrap().iter().map(|player| player["seat"].clone()).collect();
    assert_eq!(seats, [1, 2]);
    assert_eq!(api.database.count("seats WHERE account_id IS NULL AND bot = 'hard'").await, 1);
    api.database.audit(&game).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_leaves_a_game_whose_rules_know_of_no_bots() {
    let api = Api::start().await;
    let (taro, jiro, saburo) = (api.account("Taro").await, api.guest("Jiro").await, api.guest("Saburo").await);
    let open = create(&api, &taro).await;
    let running = create(&api, &taro).await;
    assert_eq!((sit(&api, &jiro, &running).await, sit(&api, &saburo, &running).await), (201, 201));
    let account = |session: &Value| session["account"]["id"].as_str().unwrap().parse::<AccountId>().unwrap();
    let game = api.database.old_game([&taro, &jiro, &saburo].map(account)).await.to_string();
    problem(delete(&api, &taro, json!({"password": PASSWORD})).await, "seated-in-game").await;
    assert_eq!(look(&api, &jiro, &open).await["players"].as_array().unwrap().len(), 1, "no seat was given up");
    assert_eq!(look(&api, &jiro, &running).await["view"]["seats"][0]["bot"], Value::Null, "nor there");
    // A game that has ended holds nobody; there the tombstone is seen.
    let sql = format!("UPDATE games SET status = 'ended' WHERE id = '{game}'");
    api.database.execute(&sql).await.unwrap();
    assert_eq!(delete(&api, &taro, json!({"password": PASSWORD})).await.status(), 204);
    let table = look(&api, &jiro, &game).await;
    assert_eq!(table["players"][0]["name"], "(deleted)");
    assert_eq!(table["players"][0]["account_id"], taro["account"]["id"]);
    assert!(!table.to_string().contains("Taro"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_closed_table_holds_nobody() {
    let api = Api::start().await;
    let (taro, jiro, saburo) = (api.account("Taro").await, api.account("Jiro").await, api.account("Saburo").await);
    let (closed, expired) = (create(&api, &taro).await, create(&api, &saburo).await);
    assert_eq!((sit(&api, &jiro, &closed).await, sit(&api, &jiro, &expired).await), (201, 201));
    assert_eq!(api.ask(&taro, Method::DELETE, &format!("/v1/games/{closed}"), None).await.status(), 200);
    api.database.execute("UPDATE games SET status = 'closed' WHERE status = 'open'").await.unwrap();
    for session in [&jiro, &taro, &saburo] {
        assert_eq!(delete(&api, session, json!({"password": PASSWORD})).await.status(), 204);
    }
    let goro = api.guest("Goro").await;
    assert_eq!(look(&api, &goro, &closed).await["players"][1]["name"], "(deleted)", "who sat there stays known");
}

/// What an account left behind before there was a cap, too.
#[tokio::test(flavor = "multi_thread")]
async fn what_takes_longer_than_a_request_may_goes_on_where_it_stopped() {
    let api = Api::start().await;
    let taro = api.account("Taro").await;
    for _ in 0..50 {
        create(&api, &taro).await;
    }
    let play = Play::new(api.database.store().await, entropy::bytes, Handle::current(), ProofKey::from_bytes(&[7; 32]));
    let account: AccountId = taro["account"]["id"].as_str().unwrap().parse().unwrap();
    let mut unfinished = 0;
    while let Err(error) = play.vacate(account.into(), Duration::from_millis(20)).await {
        assert!(matches!(error, PlayError::Unfinished), "{error}");
        unfinished += 1;
        assert!(unfinished < 50, "each time something is done");
    }
    assert!(unfinished > 0);
    assert_eq!(api.database.count("games WHERE status = 'closed'").await, 50);
    assert_eq!(delete(&api, &taro, json!({"password": PASSWORD})).await.status(), 204);
}

/// Of an end and of seats that are taken in the same moment, no seat is left to somebody who has ended.
#[tokio::test(flavor = "multi_thread")]
async fn who_ends_sits_nowhere() {
    let api = Api::start().await;
    let jiro = api.account("Jiro").await;
    let mut games = Vec::new();
    for _ in 0..6 {
        games.push(create(&api, &jiro).await);
    }
    for round in 0..4 {
        let taro = api.account(&format!("Taro {round}")).await;
        let sitting = join_all(games.iter().map(|game| sit(&api, &taro, game)));
        let creating = join_all((0..3).map(|_| async {
            let body = json!({"players": 3});
            api.ask(&taro, Method::POST, "/v1/games", Some(&body)).await.status().as_u16()
        }));
        let ending = async {
            let mut status = 0;
            while status != 204 {
                status = delete(&api, &taro, json!({"password": PASSWORD})).await.status().as_u16();
                assert!(matches!(status, 204 | 409 | 503), "{status}");
            }
        };
        let (sat, created, ()) = tokio::join!(sitting, creating, ending);
        assert!(sat.iter().chain(&created).all(|status| matches!(status, 201 | 401 | 503)), "{sat:?} {created:?}");
        for ghosts in [
            "seats s JOIN accounts a ON a.id = s.account_id JOIN games g ON g.id = s.game_id \
             WHERE a.status <> 'active' AND g.status IN ('open', 'running')",
            "games g JOIN accounts a ON a.id = g.creator WHERE a.status <> 'active' AND g.status = 'open'",
        ] {
            assert_eq!(api.database.count(ghosts).await, 0, "{ghosts}");
        }
    }
}
