use reqwest::Method;
use serde_json::json;

use crate::support::table::of_rounds;
use crate::support::{Api, Player, Table};

#[tokio::test(flavor = "multi_thread")]
async fn everybody_sees_the_same_table_from_his_own_place() {
    let api = Api::start().await;
    let table = Table::begin(&[&api.base], &of_rounds(3, 1)).await;
    let stranger = Player::guest(&api.base).await;
    loop {
        let seen = stranger.game(&table.game).await.ok(200);
        for (seat, player) in table.players.iter().enumerate() {
            let own = player.game(&table.game).await.ok(200);
            assert_eq!(own["view"]["seat"], seat);
            for field in ["id", "version", "head", "players", "creator", "updated_at"] {
                assert_eq!(own[field], seen[field], "{field}");
            }
        }
        assert_eq!(seen["version"], seen["head"]["version"]);
        assert_eq!(seen["players"].as_array().unwrap().len(), 3);
        if table.play(2).await.is_none() {
            break;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn head_is_get_without_its_body_and_addresses_are_exact() {
    let api = Api::start().await;
    let player = Player::guest(&api.base).await;
    let game = player.new_game(&json!({"players": 3})).await;
    let (get, head) =
        (player.game(&game).await, player.ask(Method::HEAD, &format!("/v1/games/{game}"), None, None).await);
    assert_eq!((head.status, head.text.as_str()), (200, ""));
    assert_eq!(get.headers["content-type"], head.headers["content-type"]);
    assert_eq!(get.headers["cache-control"], "private, no-cache");
    assert!(get.headers.get_all("vary").iter().any(|vary| vary == "Authorization"));
    for id in ["x", "1", &game[..35], &format!("{game}0"), "%00", "00000000-0000-0000-0000-00000000000g", "%E8%8A%B1"] {
        player.game(id).await.refused(404, "not-found");
        player.leave(id).await.refused(404, "not-found");
        player.get(&format!("/v1/games/{id}/history")).await.refused(404, "not-found");
    }
    assert_eq!(player.game(&format!("{game}?at=1&x=2")).await.refused(400, "malformed")["path"], "?at");
    for (method, rest) in
        [(Method::PUT, ""), (Method::GET, "/seats"), (Method::DELETE, "/moves"), (Method::POST, "/history")]
    {
        player.ask(method, &format!("/v1/games/{game}{rest}"), None, None).await.refused(405, "method-not-allowed");
    }
}
