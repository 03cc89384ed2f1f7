//! Who may know of a game, see it, and act in it; and which refusal comes first.

use chrono::TimeDelta;
use fereta::clock;
use reqwest::Method;
use reqwest::header::HeaderMap;
use serde_json::{Value, json};

use crate::support::api::token;
use crate::support::player::{Answer, key};
use crate::support::table::of_rounds;
use crate::support::{Api, Player, Table};

const NO_GAME: &str = "01900000-0000-7000-8000-000000000000";

/// Every operation on one game: method, the rest of its path, body.
fn operations() -> Vec<(Method, &'static str, Option<Value>)> {
    let body = json!({"expected_version": 1, "move": {"type": "pass_build"}});
    vec![
        (Method::GET, "", None),
        (Method::HEAD, "", None),
        (Method::GET, "/moves", None),
        (Method::GET, "/history", None),
        (Method::GET, "/history?after=3&limit=2", None),
        (Method::POST, "/moves", Some(body)),
        (Method::POST, "/seats", Some(json!({}))),
        (Method::POST, "/seats", Some(json!({"seat": 4, "entropy": "00".repeat(32)}))),
        (Method::DELETE, "/seats/me", None),
        (Method::POST, "/start", None),
    ]
}

/// The operation, always under the same request id, so that whole answers can be held against each other.
async fn ask(player: &Player, game: &str, operation: &(Method, &str, Option<Value>)) -> Answer {
    let (method, rest, body) = operation;
    let url = format!("{}/v1/games/{game}{rest}", player.base);
    let mut request = player.client.request(method.clone(), url).bearer_auth(&player.token);
    request = request.header("X-Request-Id", NO_GAME).header("Idempotency-Key", key());
    if let Some(body) = body {
        request = request.json(body);
    }
    let answer = request.send().await.unwrap();
    let (status, headers) = (answer.status().as_u16(), answer.headers().clone());
    Answer { status, headers, text: answer.text().await.unwrap() }
}

/// Nor how often one may still ask, which hangs on how often one has asked.
fn without_date(mut headers: HeaderMap) -> HeaderMap {
    headers.remove("date");
    assert!(headers.remove("ratelimit").is_some());
    headers
}

#[tokio::test(flavor = "multi_thread")]
async fn a_private_game_is_to_strangers_as_if_it_were_not_there() {
    let api = Api::start().await;
    let stranger = Player::guest(&api.base).await;
    let creator = Player::guest(&api.base).await;
    let empty = creator.new_game(&json!({"players": 3, "visibility": "private", "seat": false})).await;
    creator.game(&empty).await.ok(200);
    let (running, ended) =
        (Table::begin(&[&api.base], &of_rounds(3, 1)).await, Table::begin(&[&api.base], &of_rounds(3, 1)).await);
    running.play(4).await;
    ended.play_out().await;
    api.database.execute("UPDATE games SET visibility = 'private'").await.unwrap();
    for operation in operations() {
        let nothing = ask(&stranger, NO_GAME, &operation).await;
        assert_eq!(nothing.status, 404);
        for game in [&empty, &running.game, &ended.game] {
            let hidden = ask(&stranger, game, &operation).await;
            assert_eq!((hidden.status, &hidden.text), (404, &nothing.text), "{operation:?}");
            assert_eq!(without_date(hidden.headers), without_date(nothing.headers.clone()), "{operation:?}");
        }
    }
    assert_eq!(stranger.get("/v1/games").await.ok(200)["items"], json!([]));
    for table in [&running, &ended] {
        for player in &table.players {
            player.game(&table.game).await.ok(200);
            player.get(&table.path("/history")).await.ok(200);
            assert_eq!(player.get("/v1/games").await.ok(200)["items"].as_array().unwrap().len(), 1);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unlisted_game_is_for_those_who_have_its_id() {
    let api = Api::start().await;
    let stranger = Player::guest(&api.base).await;
    let mut body = of_rounds(3, 1);
    body["visibility"] = json!("unlisted");
    let table = Table::begin(&[&api.base], &body).await;
    for query in ["", "?status=running", "?mine=true", "?my_turn=true"] {
        assert_eq!(stranger.get(&format!("/v1/games{query}")).await.ok(200)["items"], json!([]), "{query}");
    }
    let seen = stranger.game(&table.game).await.ok(200);
    assert_eq!((&seen["visibility"], &seen["view"]["seat"]), (&json!("unlisted"), &Value::Null));
    stranger.get(&table.path("/history")).await.ok(200);
    assert_eq!(table.players[1].get("/v1/games").await.ok(200)["items"][0]["id"], table.game);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_spectator_sees_no_hand_before_the_end() {
    let api = Api::start().await;
    let spectator = Player::guest(&api.base).await;
    let table = Table::begin(&[&api.base], &of_rounds(4, 1)).await;
    loop {
        let seen = spectator.game(&table.game).await.ok(200);
        let ended = seen["view"]["status"] == "ended";
        for seat in seen["view"]["seats"].as_array().unwrap() {
            assert_eq!(seat["hand"].is_array(), ended);
            assert_eq!(seat["passed"].is_array(), ended);
        }
        assert_eq!(seen["view"]["deck"].is_array(), ended);
        for player in &table.players {
            let own = player.game(&table.game).await.ok(200);
            let mine = own["view"]["seat"].as_u64().unwrap() as usize;
            for (place, seat) in own["view"]["seats"].as_array().unwrap().iter().enumerate() {
                assert_eq!(seat["hand"].is_array(), ended || place == mine);
            }
            assert_eq!(own["version"], seen["version"]);
        }
        spectator.get(&table.path("/moves")).await.refused(403, "forbidden");
        let body = json!({"expected_version": seen["version"], "move": {"type": "pass_build"}});
        spectator.submit(&table.game, &key(), &body).await.refused(403, "forbidden");
        if table.play(3).await.is_none() {
            break;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_that_ended_is_shut_out_at_its_next_request() {
    let api = Api::start().await;
    let table = Table::begin(&[&api.base], &of_rounds(3, 1)).await;
    let (banned, deleted) = (&table.players[0], &table.players[1]);
    for (player, status) in [(banned, "banned"), (deleted, "deleted")] {
        player.game(&table.game).await.ok(200);
        let sql = format!("UPDATE accounts SET status = '{status}' WHERE id = '{}'", player.account);
        api.database.execute(&sql).await.unwrap();
    }
    let mut everything = operations();
    everything.retain(|(method, _, _)| method != Method::HEAD);
    for game in [table.game.as_str(), NO_GAME] {
        for operation in &everything {
            ask(banned, game, operation).await.refused(403, "banned");
            let answer = ask(deleted, game, operation).await;
            answer.refused(401, "unauthorized");
            assert!(answer.headers.contains_key("www-authenticate"));
        }
    }
    for body in [json!({"players": 3}), of_rounds(4, 2)] {
        banned.create(&body).await.refused(403, "banned");
        deleted.create(&body).await.refused(401, "unauthorized");
    }
    for query in ["", "?mine=true", "?my_turn=true&status=ended"] {
        banned.get(&format!("/v1/games{query}")).await.refused(403, "banned");
        deleted.get(&format!("/v1/games{query}")).await.refused(401, "unauthorized");
    }
    // They still sit there, and the others play on where they can.
    assert_eq!(api.database.count("seats").await, 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_good_token_nothing_is_told() {
    let api = Api::start().await;
    let player = Player::guest(&api.base).await;
    let game = player.new_game(&json!({"players": 3})).await;
    let issue = |seed: u8, minutes: i64| token(seed, &player.token, clock::now() - TimeDelta::minutes(minutes));
    assert_eq!(Player { token: issue(1, 0), ..player.clone() }.game(&game).await.status, 200);
    for token in [issue(1, 16), issue(2, 0), "x".to_owned(), String::new(), format!("{}x", player.token)] {
        let other = Player { token, ..player.clone() };
        for operation in operations().iter().filter(|(method, _, _)| method != Method::HEAD) {
            for game in [game.as_str(), NO_GAME] {
                ask(&other, game, operation).await.refused(401, "unauthorized");
            }
        }
        other.get("/v1/games").await.refused(401, "unauthorized");
        other.create(&json!({"players": 3})).await.refused(401, "unauthorized");
    }
    let bare = reqwest::get(format!("{}/v1/games/{game}", api.base)).await.unwrap();
    assert_eq!(bare.status(), 401);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_refusal_that_applies_is_told() {
    let api = Api::start().await;
    let players = Player::guests(&api.base, 3).await;
    let stranger = Player::guest(&api.base).await;
    let game = players[0].new_game(&of_rounds(3, 1)).await;
    let body =
        |version: u64, land: u8| json!({"expected_version": version, "move": {"type": "place_estate", "land": land}});
    // Before the start: no seat, then not running.
    stranger.submit(&game, &key(), &body(99, 0)).await.refused(403, "forbidden");
    players[0].submit(&game, &key(), &body(99, 0)).await.refused(409, "not-running");
    for player in &players[1..] {
        player.sit(&game, &json!({})).await.ok(201);
    }
    let table = Table { game: game.clone(), players };
    let turn = table.turn().await.unwrap();
    let other = &table.players[(turn.seat + 1) % 3];
    let (now, wrong_kind) = (turn.version, json!({"expected_version": turn.version, "move": {"type": "pass_build"}}));
    stranger.submit(&game, &key(), &body(1, 0)).await.refused(403, "forbidden");
    other.submit(&game, &key(), &body(now - 1, 0)).await.refused(409, "stale-version");
    let stale = turn.player.submit(&game, &key(), &body(now + 1, 0)).await.refused(409, "stale-version");
    assert_eq!(stale["version"], now);
    other.submit(&game, &key(), &wrong_kind).await.refused(409, "not-your-decision");
    assert_eq!(turn.player.submit(&game, &key(), &wrong_kind).await.refused(422, "rule-violation")["rule"], "R6");
    // A known key comes before all that is judged anew.
    let key_1 = key();
    let made = turn.player.submit(&game, &key_1, turn.choice()).await;
    made.ok(200);
    assert_eq!(turn.player.submit(&game, &key_1, turn.choice()).await.text, made.text);
    turn.player.submit(&game, &key_1, &body(now - 1, 0)).await.refused(422, "idempotency-key-reused");
    turn.player.submit(NO_GAME, &key_1, turn.choice()).await.refused(404, "not-found");
    // A move that is malformed is not judged at all.
    stranger.submit(NO_GAME, &key_1, &json!({"expected_version": 1, "move": {}})).await.refused(400, "malformed");
    table.play_out().await;
    let last = turn.player.game(&game).await.ok(200)["version"].as_u64().unwrap();
    turn.player.submit(&game, &key(), &body(last, 0)).await.refused(409, "not-running");
    turn.player.submit(&game, &key(), &body(1, 0)).await.refused(409, "not-running");
    assert_eq!(turn.player.submit(&game, &key_1, turn.choice()).await.text, made.text);
    stranger.submit(&game, &key(), &body(1, 0)).await.refused(403, "forbidden");
}
