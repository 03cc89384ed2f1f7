use reqwest::Method;
use serde_json::json;

use crate::support::player::{Answer, key};
use crate::support::table::of_rounds;
use crate::support::{Api, Player, Table};

async fn close(player: &Player, game: &str, key: &str) -> Answer {
    player.ask(Method::DELETE, &format!("/v1/games/{game}"), Some(key), None).await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_creator_closes_a_table_before_the_start_for_good() {
    let api = Api::start().await;
    let players = Player::guests(&api.base, 2).await;
    let game = players[0].new_game(&json!({"players": 3})).await;
    players[1].sit(&game, &json!({})).await.ok(201);
    close(&players[1], &game, &key()).await.refused(403, "forbidden");
    let key_of_it = key();
    let closed = close(&players[0], &game, &key_of_it).await.ok(200);
    assert_eq!(
        (&closed["events"][0]["type"], &closed["events"][0]["data"], &closed["events"][0]["cause"]),
        (&json!("table_closed"), &json!({"reason": "creator"}), &json!({"seat": 0}))
    );
    assert_eq!(close(&players[0], &game, &key_of_it).await.ok(200), closed);
    close(&players[0], &game, &key()).await.refused(409, "not-running");
    for player in &players {
        let seen = player.game(&game).await.ok(200);
        assert_eq!((&seen["view"]["status"], &seen["players"][1]["seat"]), (&json!("closed"), &json!(1)));
        assert!(player.moves(&game).await.is_empty());
        player.leave(&game).await.refused(409, "not-running");
    }
    let late = Player::guest(&api.base).await;
    late.sit(&game, &json!({})).await.refused(409, "not-running");
    players[0].start(&game).await.refused(409, "not-running");
    let listed = async |query: &str| {
        let page = late.get(&format!("/v1/games?{query}")).await.ok(200);
        page["items"].as_array().unwrap().iter().map(|game| game["status"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(listed("status=closed").await, ["closed"]);
    assert_eq!(listed("open_seats=true").await, [""; 0], "nobody can sit down there");
    assert_eq!(listed("status=ended").await, [""; 0]);
    assert_eq!(late.history(&game).await.last().unwrap()["type"], "table_closed");
    api.database.audit(&game).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_that_has_begun_is_not_closed() {
    let api = Api::start().await;
    let table = Table::begin(&[&api.base], &of_rounds(3, 1)).await;
    close(&table.players[0], &table.game, &key()).await.refused(409, "already-started");
    table.play_out().await;
    close(&table.players[0], &table.game, &key()).await.refused(409, "not-running");
}
