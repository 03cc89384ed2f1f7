use reqwest::Method;
use serde_json::json;

use crate::support::player::key;
use crate::support::table::{kinds, of_rounds};
use crate::support::{Api, Player, Table};

#[tokio::test(flavor = "multi_thread")]
async fn each_can_be_posted_as_it_is_and_they_are_only_for_whose_turn_it_is() {
    let api = Api::start().await;
    for kind in kinds(1) {
        let table = Table::begin(&[&api.base], &kind).await;
        let mut choice = 0;
        while let Some(turn) = table.turn().await {
            assert!(!turn.moves.is_empty());
            for (seat, player) in table.players.iter().enumerate() {
                let list = player.get(&table.path("/moves")).await.ok(200);
                assert_eq!(list["version"], turn.version);
                assert_eq!(list["items"].as_array().unwrap().is_empty(), seat != turn.seat);
            }
            choice += 1;
            let body = &turn.moves[choice % turn.moves.len()];
            assert_eq!(body["expected_version"], turn.version);
            turn.player.submit(&table.game, &key(), body).await.ok(200);
        }
        assert!(table.players[0].moves(&table.game).await.is_empty());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_has_no_seat_has_no_moves() {
    let api = Api::start().await;
    let table = Table::begin(&[&api.base], &of_rounds(3, 1)).await;
    let stranger = Player::guest(&api.base).await;
    stranger.get(&table.path("/moves")).await.refused(403, "forbidden");
    let head = stranger.ask(Method::HEAD, &table.path("/moves"), None, None).await;
    assert_eq!((head.status, head.text.as_str()), (403, ""));
    let open = stranger.new_game(&json!({"players": 3})).await;
    assert!(stranger.moves(&open).await.is_empty());
}
