use serde_json::{Value, json};

use crate::support::table::of_rounds;
use crate::support::{Api, Player, Table};

#[tokio::test(flavor = "multi_thread")]
async fn who_leaves_is_a_stranger_and_may_come_back() {
    let api = Api::start().await;
    let players = Player::guests(&api.base, 2).await;
    let game = players[0].new_game(&json!({"players": 3})).await;
    players[1].leave(&game).await.refused(403, "forbidden");
    for _ in 0..3 {
        let sat = players[1].sit(&game, &json!({})).await.ok(201);
        assert_eq!(sat["view"]["seat"], 1);
        let left = players[1].leave(&game).await.ok(200);
        assert_eq!((&left["events"][0]["type"], &left["view"]["seat"]), (&json!("seat_left"), &Value::Null));
        assert_eq!(left["events"][0]["cause"], json!({"seat": 1}));
        players[1].leave(&game).await.refused(403, "forbidden");
        players[1].get(&format!("/v1/games/{game}/moves")).await.refused(403, "forbidden");
    }
    // The creator, too, may leave, and is still the creator.
    players[0].leave(&game).await.ok(200);
    assert_eq!(players[0].game(&game).await.ok(200)["creator"], players[0].account);
    assert_eq!(players[0].start(&game).await.refused(409, "table-not-full")["status"], 409);
    api.database.audit(&game).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_leaves_after_the_start() {
    let api = Api::start().await;
    let table = Table::begin(&[&api.base], &of_rounds(3, 1)).await;
    table.players[1].leave(&table.game).await.refused(409, "already-started");
    table.play_out().await;
    let answer = table.players[1].leave(&table.game).await;
    assert!(["already-started", "not-running"].contains(&answer.slug().as_str()), "{}", answer.text);
    table.players[1].sit(&table.game, &json!({})).await.refused(409, "already-seated");
    api.database.audit(&table.game).await;
}
