use serde_json::json;

use crate::support::{Api, Player};

#[tokio::test(flavor = "multi_thread")]
async fn only_the_creator_starts_and_only_a_full_table() {
    let api = Api::start().await;
    let players = Player::guests(&api.base, 4).await;
    // The creator need not sit there.
    let game = players[0].new_game(&json!({"players": 3, "start": "creator", "seat": false})).await;
    for player in &players[1..] {
        players[0].start(&game).await.refused(409, "table-not-full");
        player.start(&game).await.refused(403, "forbidden");
        player.sit(&game, &json!({})).await.ok(201);
        player.start(&game).await.refused(403, "forbidden");
    }
    assert_eq!(players[0].game(&game).await.ok(200)["view"]["status"], "open");
    let begun = players[0].start(&game).await.ok(200);
    assert_eq!((&begun["view"]["status"], &begun["view"]["seat"]), (&json!("running"), &json!(null)));
    assert!(
        begun["events"]
            .as_array()
            .unwrap()
            .iter()
            .all(|event| event["cause"] == "table" && event.get("secret").is_none())
    );
    assert_eq!(begun["events"][0]["type"], "game_started");
    players[0].start(&game).await.refused(409, "already-started");
    players[1].start(&game).await.refused(403, "forbidden");
    api.database.audit(&game).await;

    // A table that starts by itself, too, is started by nobody else.
    let game = players[0].new_game(&json!({"players": 3})).await;
    players[0].start(&game).await.refused(409, "table-not-full");
    for player in &players[1..3] {
        player.sit(&game, &json!({})).await.ok(201);
    }
    players[0].start(&game).await.refused(409, "already-started");
    api.database.audit(&game).await;
}
