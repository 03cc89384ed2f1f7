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
    assert_eq!(player.game(&format!("{game}?at=1&x=2")).await.refused(400, "malformed")["path"], "?x");
    for (method, rest) in
        [(Method::PUT, ""), (Method::GET, "/seats"), (Method::DELETE, "/moves"), (Method::POST, "/history")]
    {
        player.ask(method, &format!("/v1/games/{game}{rest}"), None, None).await.refused(405, "method-not-allowed");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_past_is_what_the_caller_knew_then() {
    let api = Api::start().await;
    let table = Table::begin(&[&api.base], &of_rounds(3, 1)).await;
    let stranger = Player::guest(&api.base).await;
    let viewers: Vec<&Player> = table.players.iter().chain([&stranger]).collect();
    let mut known = Vec::new();
    loop {
        for viewer in &viewers {
            known.push((*viewer, viewer.game(&table.game).await.ok(200)));
        }
        for (viewer, then) in &known {
            let at = then["version"].as_u64().unwrap();
            assert_eq!(viewer.game(&format!("{}?at={at}", table.game)).await.ok(200), *then, "version {at}");
        }
        if table.play(7).await.is_none() {
            break;
        }
    }
    let now = stranger.game(&table.game).await.ok(200);
    assert_eq!(now["view"]["status"], "ended");
    let end = now["version"].as_u64().unwrap();
    // One event before the end, others' hands are still theirs.
    let before = stranger.game(&format!("{}?at={}", table.game, end - 1)).await.ok(200);
    assert_eq!((&before["view"]["status"], &before["head"]["version"]), (&json!("running"), &json!(end - 1)));
    assert!(before["view"]["deck"].is_null() && before["view"]["seats"][0]["hand"].is_null());
    let history = stranger.history(&table.game).await;
    for version in 1..=end {
        let then = table.players[1].game(&format!("{}?at={version}", table.game)).await.ok(200);
        assert_eq!(then["version"], version);
        assert_eq!(then["updated_at"].as_str().unwrap().len(), history[0]["at"].as_str().unwrap().len());
    }
    for (at, path) in [("0", "?at"), (&*(end + 1).to_string(), "?at"), ("-1", "?at"), ("x", "?at"), ("", "?at")] {
        let refused = stranger.game(&format!("{}?at={at}", table.game)).await.refused(400, "malformed");
        assert_eq!(refused["path"], path, "{at}");
    }
    let private = table.players[0].new_game(&json!({"players": 3, "visibility": "private"})).await;
    for at in ["0", "1", "99"] {
        stranger.game(&format!("{private}?at={at}")).await.refused(404, "not-found");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn before_the_start_one_was_a_spectator_until_one_sat_down() {
    let api = Api::start().await;
    let players = Player::guests(&api.base, 2).await;
    let game = players[0].new_game(&json!({"players": 3})).await;
    players[1].sit(&game, &json!({"seat": 2})).await.ok(201);
    players[1].leave(&game).await.ok(200);
    players[0].leave(&game).await.ok(200);
    players[1].sit(&game, &json!({"seat": 0})).await.ok(201);
    let seat = async |at: u8| {
        let then = players[1].game(&format!("{game}?at={at}")).await.ok(200);
        let named = then["players"].as_array().unwrap().iter().map(|one| one["account_id"].clone()).collect::<Vec<_>>();
        (then["view"]["seat"].as_u64(), named)
    };
    assert_eq!(seat(1).await, (None, vec![]));
    // Somebody else sat in seat 0 then, and he himself elsewhere: the log does not say who.
    assert_eq!(seat(3).await, (None, vec![]));
    assert_eq!(seat(6).await, (Some(0), vec![json!(players[1].account)]));
    let past = players[1].game(&format!("{game}?at=3")).await.ok(200);
    assert_eq!((&past["view"]["seats"][0]["taken"], &past["view"]["seats"][2]["taken"]), (&json!(true), &json!(true)));
}
