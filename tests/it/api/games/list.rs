use std::collections::HashSet;

use serde_json::{Value, json};

use crate::support::table::of_rounds;
use crate::support::{Api, Player, Table};

/// The ids of all games that such a query lists, page by page.
async fn ids(player: &Player, query: &str, limit: u32) -> Vec<String> {
    let (mut ids, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = player.get(&format!("/v1/games?limit={limit}&{query}{cursor}")).await.ok(200);
        let items = page["items"].as_array().unwrap();
        assert!(items.len() <= limit as usize);
        ids.extend(items.iter().map(|game| game["id"].as_str().unwrap().to_owned()));
        match page["next"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return ids,
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_filters_and_what_they_add_up_to() {
    let api = Api::start().await;
    let players = Player::guests(&api.base, 3).await;
    let me = &players[0];
    let ended = Table::begin_with(&[&api.base], players.clone(), &of_rounds(3, 1)).await;
    ended.play_out().await;
    let running = Table::begin_with(&[&api.base], players.clone(), &of_rounds(3, 1)).await;
    let open = players[1].new_game(&json!({"players": 4})).await;
    let full = players[1].new_game(&json!({"players": 3, "start": "creator"})).await;
    for player in [&players[0], &players[2]] {
        player.sit(&full, &json!({})).await.ok(201);
    }
    let made = me.new_game(&json!({"players": 5, "seat": false, "visibility": "private"})).await;
    let unlisted = players[2].new_game(&json!({"players": 3, "visibility": "unlisted"})).await;
    let is = async |player: &Player, query: &str, expected: &[&String]| {
        let expected: Vec<String> = expected.iter().map(|id| (*id).clone()).collect();
        assert_eq!(ids(player, query, 100).await, expected, "{query}");
        assert_eq!(ids(player, query, 1).await, expected, "{query}, one by one");
    };
    is(me, "", &[&made, &full, &open, &running.game, &ended.game]).await;
    is(me, "mine=true", &[&made, &full, &running.game, &ended.game]).await;
    is(me, "mine=false&status=open", &[&made, &full, &open]).await;
    is(me, "status=running", &[&running.game]).await;
    is(me, "status=ended&mine=true", &[&ended.game]).await;
    is(me, "open_seats=true", &[&made, &open]).await;
    is(me, "open_seats=true&mine=true", &[&made]).await;
    is(&players[2], "open_seats=true", &[&unlisted, &open]).await;
    is(me, "my_turn=true&status=ended", &[]).await;
    is(me, "my_turn=true&status=open", &[]).await;
    for _ in 0..4 {
        let turn = running.turn().await.unwrap();
        for (seat, player) in players.iter().enumerate() {
            let waits: &[&String] = if seat == turn.seat { &[&running.game] } else { &[] };
            is(player, "my_turn=true", waits).await;
            is(player, "my_turn=true&mine=true&status=running", waits).await;
        }
        running.play(1).await;
    }
    let stranger = Player::guest(&api.base).await;
    is(&stranger, "", &[&full, &open, &running.game, &ended.game]).await;
    is(&stranger, "mine=true", &[]).await;

    let page = me.get("/v1/games?status=running").await.ok(200);
    let game = &page["items"][0];
    let seen = me.game(&running.game).await.ok(200);
    for field in ["id", "version", "creator", "created_at", "updated_at", "players", "visibility"] {
        assert_eq!(game[field], seen[field], "{field}");
    }
    assert_eq!(game["decider"], seen["view"]["decision"]["seat"]);
    assert_eq!((&game["my_seat"], &game["seats"], &game["open_seats"]), (&json!(0), &json!(3), &json!(0)));
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_have_no_gap_and_no_repeat_while_games_are_made() {
    let api = Api::start().await;
    let (player, other) = (Player::guest(&api.base).await, Player::guest(&api.base).await);
    let body = json!({"players": 3});
    let mut before = Vec::new();
    for _ in 0..30 {
        before.push(player.new_game(&body).await);
    }
    before.reverse();
    let making = async {
        for _ in 0..40 {
            other.new_game(&body).await;
        }
    };
    let paging = async {
        for limit in [1, 3, 7] {
            let listed = ids(&player, "", limit).await;
            let once: HashSet<_> = listed.iter().collect();
            assert_eq!(once.len(), listed.len(), "a game came twice");
            assert!(listed.is_sorted_by(|a, b| a > b), "newest first");
            let old: Vec<_> = listed.into_iter().filter(|id| before.contains(id)).collect();
            assert_eq!(old, before, "a game is missing");
        }
    };
    tokio::join!(making, paging);
    assert_eq!(ids(&player, "", 100).await.len(), 70);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_wrong_is_named() {
    let api = Api::start().await;
    let player = Player::guest(&api.base).await;
    for _ in 0..2 {
        player.new_game(&json!({"players": 3})).await;
    }
    for (query, path) in [
        ("limit=0", "?limit"),
        ("limit=101", "?limit"),
        ("limit=-1", "?limit"),
        ("limit=many", "?limit"),
        ("limit=", "?limit"),
        ("limit=1&limit=2", "?limit"),
        ("status=asleep", "?status"),
        ("mine=yes", "?mine"),
        ("my_turn=1", "?my_turn"),
        ("open_seats=TRUE", "?open_seats"),
        ("cursor=", "?cursor"),
        ("cursor=x", "?cursor"),
        ("cursor=AAAA", "?cursor"),
        ("cursor=AZAAAAAAcACAAAAAAAAAAA%3D%3D", "?cursor"),
        ("page=2", "?page"),
        ("Limit=2", "?Limit"),
    ] {
        let problem = player.get(&format!("/v1/games?{query}")).await.refused(400, "malformed");
        assert_eq!(problem["path"], path, "{query}: {problem}");
    }
    for (query, count) in [("limit=1", 1), ("limit=100", 2), ("", 2), ("status=open&status=open", 0)] {
        let answer = player.get(&format!("/v1/games?{query}")).await;
        match count {
            0 => assert_eq!(answer.status, 400),
            count => assert_eq!(answer.ok(200)["items"].as_array().unwrap().len(), count),
        }
    }
    let whole = player.get("/v1/games").await.ok(200);
    assert_eq!(whole["next"], Value::Null);
    let head = player.ask(reqwest::Method::HEAD, "/v1/games", None, None).await;
    assert_eq!((head.status, head.text.as_str()), (200, ""));
}
