use serde_json::json;

use crate::support::{Api, Player};

#[tokio::test(flavor = "multi_thread")]
async fn seats_are_taken_as_asked_or_from_the_lowest() {
    let api = Api::start().await;
    let players = Player::guests(&api.base, 6).await;
    let game = players[0].new_game(&json!({"players": 5, "seat": false})).await;
    let entropy = "0123456789abcdef".repeat(4);
    let sat = players[1].sit(&game, &json!({"seat": 3, "entropy": entropy})).await.ok(201);
    assert_eq!((&sat["view"]["seat"], &sat["events"][0]["cause"]), (&json!(3), &json!({"seat": 3})));
    assert_eq!(sat["events"][0]["data"], json!({"seat": 3, "entropy": entropy, "entropy_from": "player"}));
    let sat = players[2].sit(&game, &json!({})).await.ok(201);
    assert_eq!((&sat["view"]["seat"], &sat["events"][0]["data"]["entropy_from"]), (&json!(0), &json!("server")));
    players[3].sit(&game, &json!({"seat": 3})).await.refused(409, "seat-taken");
    players[1].sit(&game, &json!({"seat": 4})).await.refused(409, "already-seated");
    for player in [&players[3], &players[4]] {
        player.sit(&game, &json!({"seat": null, "entropy": null})).await.ok(201);
    }
    // The last one starts the game, and is told all of it.
    let begun = players[0].sit(&game, &json!({})).await.ok(201);
    assert_eq!((&begun["view"]["seat"], &begun["view"]["status"]), (&json!(4), &json!("running")));
    assert!(begun["events"].as_array().unwrap().len() > 2);
    players[5].sit(&game, &json!({})).await.refused(409, "already-started");
    players[5].sit(&game, &json!({"seat": 1})).await.refused(409, "already-started");
    players[1].sit(&game, &json!({})).await.refused(409, "already-seated");
    api.database.audit(&game).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_seat_and_no_entropy_is_refused() {
    let api = Api::start().await;
    let players = Player::guests(&api.base, 2).await;
    let game = players[0].new_game(&json!({"players": 3})).await;
    let none = players[1].sit(&game, &json!({"seat": 3})).await.refused(422, "rule-violation");
    assert_eq!((&none["rule"], &none["code"]), (&json!("R2"), &json!("no_such_seat")));
    for (body, path) in [
        (json!({"seat": 5}), "seat"),
        (json!({"seat": -1}), "seat"),
        (json!({"seat": "1"}), "seat"),
        (json!({"entropy": "00"}), "entropy"),
        (json!({"entropy": "AB".repeat(32)}), "entropy"),
        (json!({"entropy": "zz".repeat(32)}), "entropy"),
        (json!({"entropy": 7}), "entropy"),
        (json!({"invite": "x"}), "invite"),
        (json!([]), ""),
        (json!(null), ""),
    ] {
        let problem = players[1].sit(&game, &body).await.refused(400, "malformed");
        assert_eq!(problem["path"].as_str().unwrap_or_default(), path, "{body}: {problem}");
    }
    assert_eq!(api.database.count("seats").await, 1);
}
