use serde_json::json;

use super::{code, open, private_table, revoke};
use crate::support::player::key;
use crate::support::{Api, Player};

#[tokio::test(flavor = "multi_thread")]
async fn a_revoked_code_is_gone_but_not_who_came_by_it() {
    let api = Api::start().await;
    let players = Player::guests(&api.base, 3).await;
    let game = private_table(&players[0]).await;
    let (id, good) = code(&players[0], &game).await;
    let (key, body) = (key(), json!({"invite": good}));
    let sat = players[1].sit_again(&game, &key, &body).await.ok(201);
    revoke(&players[1], &game, &id).await.refused(403, "forbidden");
    revoke(&players[2], &game, &id).await.refused(404, "not-found");
    for _ in 0..2 {
        assert_eq!(revoke(&players[0], &game, &id).await.status, 204);
    }
    players[2].sit(&game, &body).await.refused(410, "invite-gone");
    assert_eq!(players[1].sit_again(&game, &key, &body).await.ok(201), sat, "asked again, answered again");
    players[1].game(&game).await.ok(200);
    revoke(&players[0], &game, &uuid::Uuid::now_v7().to_string()).await.refused(404, "not-found");
    let elsewhere = private_table(&players[0]).await;
    revoke(&players[0], &elsewhere, &id).await.refused(404, "not-found");
    revoke(&players[0], &game, "x").await.refused(404, "not-found");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_expired_code_is_gone() {
    let api = Api::start().await;
    let players = Player::guests(&api.base, 2).await;
    let game = private_table(&players[0]).await;
    let (_, good) = code(&players[0], &game).await;
    api.database.execute("UPDATE invites SET expires_at = now() - interval '1 second'").await.unwrap();
    players[1].sit(&game, &json!({"invite": good})).await.refused(410, "invite-gone");
    open(&players[1], &good).await.refused(410, "invite-gone");
    players[1].game(&game).await.refused(404, "not-found");
}
