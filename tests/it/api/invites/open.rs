use reqwest::Method;
use serde_json::{Value, json};

use super::{code, open, private_table, revoke};
use crate::support::player::key;
use crate::support::{Api, Player};

#[tokio::test(flavor = "multi_thread")]
async fn who_is_invited_looks_first() {
    let api = Api::start().await;
    let players = Player::guests(&api.base, 2).await;
    let game = private_table(&players[0]).await;
    let (id, good) = code(&players[0], &game).await;
    let seen = open(&players[1], &good).await.ok(200);
    assert_eq!((&seen["id"], &seen["view"]["seat"]), (&json!(game), &Value::Null));
    assert_eq!(seen["view"]["seed_commitment"].as_str().unwrap().len(), 64);
    // He has seen the commitment, so entropy of his own counts.
    let entropy = "0123456789abcdef".repeat(4);
    players[1].sit(&game, &json!({"invite": good, "entropy": entropy})).await.ok(201);
    assert_eq!(open(&players[1], &good).await.ok(200)["view"]["seat"], 0);
    assert_eq!(revoke(&players[0], &game, &id).await.status, 204);
    open(&players[1], &good).await.refused(410, "invite-gone");
    open(&players[1], "AAAAAAAAAAAAAAAAAAAAAA").await.refused(404, "not-found");
    assert_eq!(open(&players[1], "AAAA").await.refused(400, "malformed")["path"], "code");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invite_tells_nothing_of_a_game_that_has_begun_or_was_closed() {
    let api = Api::start().await;
    let players = Player::guests(&api.base, 4).await;
    let (creator, stranger) = (&players[0], &players[3]);
    let game = private_table(creator).await;
    let (_, good) = code(creator, &game).await;
    for player in &players[..3] {
        player.sit(&game, &json!({"invite": good})).await.ok(201);
    }
    let gone_for_the_stranger = async |game: &str, invite: &str| {
        open(stranger, invite).await.refused(410, "invite-gone");
        stranger.sit(game, &json!({"invite": invite})).await.refused(410, "invite-gone");
        stranger.game(game).await.refused(404, "not-found");
    };
    gone_for_the_stranger(&game, &good).await;
    assert_eq!(open(&players[1], &good).await.ok(200)["view"]["status"], "running", "he knows it without");
    api.database.execute("UPDATE games SET status = 'ended'").await.unwrap();
    gone_for_the_stranger(&game, &good).await;
    let closed = private_table(creator).await;
    let (_, good) = code(creator, &closed).await;
    open(stranger, &good).await.ok(200);
    creator.ask(Method::DELETE, &format!("/v1/games/{closed}"), Some(&key()), None).await.ok(200);
    gone_for_the_stranger(&closed, &good).await;
    assert_eq!(open(creator, &good).await.ok(200)["view"]["status"], "closed");
}
