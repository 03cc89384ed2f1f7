use std::collections::HashSet;

use futures_util::future::join_all;
use serde_json::json;

use super::{code, invite, private_table, revoke};
use crate::support::table::of_rounds;
use crate::support::{Api, Player, Table};

#[tokio::test(flavor = "multi_thread")]
async fn a_stranger_sits_down_with_a_code_and_sees_the_table_from_then_on() {
    let api = Api::start().await;
    let players = Player::guests(&api.base, 3).await;
    let (creator, friend, other) = (&players[0], &players[1], &players[2]);
    let game = private_table(creator).await;
    let (_, good) = code(creator, &game).await;
    friend.game(&game).await.refused(404, "not-found");
    friend.sit(&game, &json!({})).await.refused(404, "not-found");
    let key = crate::support::player::key();
    let sat = friend.sit_again(&game, &key, &json!({"seat": 2, "invite": good})).await.ok(201);
    assert_eq!(sat["view"]["seat"], 2);
    friend.game(&game).await.ok(200);
    // A code is good for any number of people, and for a table that is known anyway.
    other.sit(&game, &json!({"invite": good})).await.ok(201);
    creator.sit(&game, &json!({"invite": good})).await.ok(201);
    let again = friend.sit_again(&game, &key, &json!({"seat": 2, "invite": good})).await.ok(201);
    assert_eq!(again, sat);
    friend.sit_again(&game, &key, &json!({"seat": 2})).await.refused(422, "idempotency-key-reused");
    invite(creator, &game, &json!({})).await.refused(409, "already-started");
    api.database.audit(&game).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_code_that_never_was_is_answered_like_a_game_that_is_not() {
    let api = Api::start().await;
    let players = Player::guests(&api.base, 3).await;
    let game = private_table(&players[0]).await;
    let elsewhere = private_table(&players[1]).await;
    let (_, foreign) = code(&players[1], &elsewhere).await;
    let none = uuid::Uuid::now_v7().to_string();
    let unknown = "AAAAAAAAAAAAAAAAAAAAAA";
    let plain = |answer: &crate::support::player::Answer| {
        let mut headers: Vec<_> = answer.headers.iter().map(|(name, value)| format!("{name}: {value:?}")).collect();
        headers.retain(|header| !["date", "x-request-id", "ratelimit:"].iter().any(|name| header.starts_with(name)));
        headers.sort();
        let mut body = answer.json();
        body["instance"] = json!("");
        (answer.status, headers, body)
    };
    let expected = players[2].sit(&none, &json!({"invite": unknown})).await;
    expected.refused(404, "not-found");
    for (game, invite) in [(&game, unknown), (&game, &foreign), (&none, &foreign)] {
        let answer = players[2].sit(game, &json!({"invite": invite})).await;
        assert_eq!(plain(&answer), plain(&expected), "{game} {invite}");
    }
    for bad in ["", "A", "AAAAAAAAAAAAAAAAAAAAAB", "AAAAAAAAAAAAAAAAAAAAAA==", "AAAAAAAAAAA+AAAAAAAAAA"] {
        let answer = players[2].sit(&game, &json!({"invite": bad})).await;
        assert_eq!(answer.refused(400, "malformed")["path"], "invite", "{bad}");
    }
    assert_eq!(api.database.count("seats").await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_creator_makes_them_and_only_so_many() {
    let api = Api::start().await;
    let players = Player::guests(&api.base, 2).await;
    let game = private_table(&players[0]).await;
    invite(&players[1], &game, &json!({})).await.refused(404, "not-found");
    let public = players[0].new_game(&json!({"players": 3})).await;
    invite(&players[1], &public, &json!({})).await.refused(403, "forbidden");
    for (body, path) in [
        (json!({"expires_in_s": 59}), "expires_in_s"),
        (json!({"expires_in_s": 2_592_001}), "expires_in_s"),
        (json!({"expires_in_s": "60"}), "expires_in_s"),
        (json!({"uses": 1}), "uses"),
    ] {
        assert_eq!(invite(&players[0], &game, &body).await.refused(400, "malformed")["path"], path);
    }
    let mut codes = HashSet::new();
    let mut ids = Vec::new();
    for _ in 0..20 {
        let (id, code) = code(&players[0], &game).await;
        assert!(codes.insert(code));
        ids.push(id);
    }
    invite(&players[0], &game, &json!({})).await.refused(409, "too-many-invites");
    assert_eq!(revoke(&players[0], &game, &ids[7]).await.status, 204);
    let made = invite(&players[0], &game, &json!({"expires_in_s": 60})).await.ok(201);
    let time = |name: &str| made["invite"][name].as_str().unwrap().parse::<chrono::DateTime<chrono::Utc>>().unwrap();
    assert_eq!((time("expires_at") - time("created_at")).num_seconds(), 60);
    // Only a hash is kept.
    let hex = api.database.texts("SELECT encode(code_hash, 'hex') AS t FROM invites").await;
    assert_eq!(hex.len(), 21);
    assert_eq!(api.database.count("invites WHERE expires_at = created_at + interval '7 days'").await, 20);
    let running = Table::begin(&[&api.base], &of_rounds(3, 1)).await;
    invite(&running.players[0], &running.game, &json!({})).await.refused(409, "already-started");
    running.play_out().await;
    invite(&running.players[0], &running.game, &json!({})).await.refused(409, "not-running");
}

#[tokio::test(flavor = "multi_thread")]
async fn not_one_too_many_is_made_when_many_are_asked_for_at_once() {
    let api = Api::start().await;
    let creator = Player::guest(&api.base).await;
    let game = private_table(&creator).await;
    let empty = json!({});
    let answers = join_all((0..40).map(|_| invite(&creator, &game, &empty))).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 201).count(), 20);
    for answer in answers.iter().filter(|answer| answer.status != 201) {
        answer.refused(409, "too-many-invites");
    }
    assert_eq!(api.database.count("invites").await, 20);
}
