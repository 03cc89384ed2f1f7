use reqwest::Method;
use serde_json::{Value, json};

use crate::api::invites::{code, private_table, revoke};
use crate::support::player::{Answer, key};
use crate::support::table::of_rounds;
use crate::support::{Api, Player, Table};

async fn vacate(player: &Player, game: &str, seat: &str, key: &str) -> Answer {
    player.ask(Method::DELETE, &format!("/v1/games/{game}/seats/{seat}"), Some(key), None).await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_creator_makes_others_get_up_before_the_start() {
    let api = Api::start().await;
    let players = Player::guests(&api.base, 3).await;
    let game = players[0].new_game(&json!({"players": 3})).await;
    players[1].sit(&game, &json!({})).await.ok(201);
    vacate(&players[1], &game, "0", &key()).await.refused(403, "forbidden");
    vacate(&players[2], &game, "1", &key()).await.refused(403, "forbidden");
    let key_of_it = key();
    let done = vacate(&players[0], &game, "1", &key_of_it).await.ok(200);
    assert_eq!((&done["events"][0]["type"], &done["events"][0]["data"]), (&json!("seat_left"), &json!({"seat": 1})));
    assert_eq!((&done["events"][0]["cause"], &done["view"]["seat"]), (&json!({"seat": 0}), &json!(0)));
    assert_eq!(vacate(&players[0], &game, "1", &key_of_it).await.ok(200), done);
    let empty = vacate(&players[0], &game, "1", &key()).await.refused(422, "rule-violation");
    assert_eq!(empty["code"], "seat_empty");
    let none = vacate(&players[0], &game, "4", &key()).await.refused(422, "rule-violation");
    assert_eq!(none["code"], "no_such_seat");
    for bad in ["5", "01", "+1", "you", "-1"] {
        vacate(&players[0], &game, bad, &key()).await.refused(404, "not-found");
    }
    // A seat of one's own, too.
    let own = vacate(&players[0], &game, "0", &key()).await.ok(200);
    assert_eq!(own["view"]["seat"], Value::Null);
    let sat = players[1].sit(&game, &json!({"seat": 2})).await.ok(201);
    assert_eq!(sat["view"]["seat"], 2);
    let done = vacate(&players[0], &game, "2", &key()).await.ok(200);
    assert_eq!(done["events"][0]["cause"], "table");
    api.database.audit(&game).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_thrown_out_of_a_game_that_has_begun() {
    let api = Api::start().await;
    let table = Table::begin(&[&api.base], &of_rounds(3, 1)).await;
    vacate(&table.players[0], &table.game, "1", &key()).await.refused(409, "already-started");
    table.play_out().await;
    vacate(&table.players[0], &table.game, "1", &key()).await.refused(409, "not-running");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_was_thrown_out_of_a_private_table_knows_of_it_no_more() {
    let api = Api::start().await;
    let players = Player::guests(&api.base, 2).await;
    let game = private_table(&players[0]).await;
    let (id, good) = code(&players[0], &game).await;
    players[1].sit(&game, &json!({"invite": good})).await.ok(201);
    assert_eq!(revoke(&players[0], &game, &id).await.status, 204);
    vacate(&players[0], &game, "0", &key()).await.ok(200);
    players[1].game(&game).await.refused(404, "not-found");
    players[1].sit(&game, &json!({"invite": good})).await.refused(410, "invite-gone");
    vacate(&players[1], &game, "0", &key()).await.refused(404, "not-found");
}
