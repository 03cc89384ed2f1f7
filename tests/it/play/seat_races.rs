//! Rivals for seats and starts, on two servers at once.

use futures_util::future::{join, join_all, join3};
use serde_json::{Value, json};

use super::Pair;
use crate::support::Player;
use crate::support::player::key;

/// A game of that start rule with the first `seated` of these players at it, of whom the first is the creator.
async fn open_table(start: &str, seats: u8, players: &[Player], seated: usize) -> String {
    let game = players[0].new_game(&json!({"players": seats, "start": start})).await;
    for player in &players[1..seated] {
        player.sit(&game, &json!({})).await.ok(201);
    }
    game
}

async fn seen(pair: &Pair, player: &Player, game: &str) -> Value {
    pair.database.audit(game).await;
    player.game(game).await.ok(200)
}

#[tokio::test(flavor = "multi_thread")]
async fn of_thirty_rivals_for_the_last_seat_one_gets_it() {
    let pair = Pair::start().await;
    let [one, two] = pair.bases();
    let players = Player::guests(&one, 32).await;
    for round in 0..6 {
        let start = if round % 2 == 0 { "full" } else { "creator" };
        let game = open_table(start, 3, &players, 2).await;
        let rivals = players[2..].iter().zip([&one, &two].into_iter().cycle());
        let bodies = [json!({}), json!({"seat": 2})];
        let sitting = rivals.zip(bodies.iter().cycle()).map(|((rival, base), body)| {
            let (rival, game) = (rival.at(base), &game);
            async move { rival.sit(game, body).await }
        });
        let answers = join_all(sitting).await;
        assert_eq!(answers.iter().filter(|answer| answer.status == 201).count(), 1);
        for answer in answers.iter().filter(|answer| answer.status != 201) {
            assert_eq!(answer.status, 409, "{}", answer.text);
            let slug = answer.slug();
            let usual = if start == "full" { vec!["already-started"] } else { vec!["table-full", "seat-taken"] };
            assert!(usual.contains(&slug.as_str()), "{slug}");
        }
        let seen = seen(&pair, &players[0], &game).await;
        assert_eq!(seen["view"]["status"], if start == "full" { "running" } else { "open" });
        assert_eq!(seen["players"].as_array().unwrap().len(), 3);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_last_two_at_once_start_the_game_once() {
    let pair = Pair::start().await;
    let [one, two] = pair.bases();
    let players = Player::guests(&one, 4).await;
    for round in 0..12 {
        let game = open_table("full", 4, &players, 2).await;
        // The same seat, seats of their own, or any.
        let wanted =
            [(json!({}), json!({})), (json!({"seat": 3}), json!({})), (json!({"seat": 3}), json!({"seat": 2}))];
        let (left, right) = &wanted[round % 3];
        let (a, b) = join(players[2].at(&one).sit(&game, left), players[3].at(&two).sit(&game, right)).await;
        if a.status == 409 || b.status == 409 {
            panic!("{} {}", a.text, b.text);
        }
        assert_eq!((a.status, b.status), (201, 201));
        let seen = seen(&pair, &players[0], &game).await;
        assert_eq!(seen["view"]["status"], "running");
        let history = players[0].history(&game).await;
        assert_eq!(history.iter().filter(|event| event["type"] == "game_started").count(), 1);
        for (player, answer) in [(&players[2], &a), (&players[3], &b)] {
            let seat = answer.json()["view"]["seat"].clone();
            let at = seen["players"].as_array().unwrap().iter().find(|at| at["seat"] == seat).unwrap();
            assert_eq!(at["account_id"], player.account);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_joins_while_the_creator_starts_is_in_or_the_start_is_refused() {
    let pair = Pair::start().await;
    let [one, two] = pair.bases();
    let players = Player::guests(&one, 3).await;
    for round in 0..16 {
        let game = open_table("creator", 3, &players, 2).await;
        let creator = players[0].at(if round % 2 == 0 { &one } else { &two });
        let (joined, started) = join(players[2].at(&one).sit(&game, &json!({})), creator.start(&game)).await;
        joined.ok(201);
        if started.status != 200 {
            started.refused(409, "table-not-full");
            assert_eq!(seen(&pair, &creator, &game).await["view"]["status"], "open");
            creator.start(&game).await.ok(200);
        }
        let seen = seen(&pair, &creator, &game).await;
        assert_eq!((&seen["view"]["status"], &seen["view"]["seats"][2]["taken"]), (&json!("running"), &json!(true)));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_table_that_starts_itself_always_does() {
    let pair = Pair::start().await;
    let [one, two] = pair.bases();
    let players = Player::guests(&one, 4).await;
    for _ in 0..12 {
        let game = open_table("full", 3, &players, 2).await;
        let (left, third, fourth) = join3(
            players[1].at(&one).leave(&game),
            players[2].at(&two).sit(&game, &json!({})),
            players[3].at(&one).sit(&game, &json!({})),
        )
        .await;
        let seen = seen(&pair, &players[0], &game).await;
        let free = seen["view"]["seats"].as_array().unwrap().iter().filter(|seat| seat["taken"] == false).count();
        assert_eq!(seen["view"]["status"] == "running", free == 0, "{seen}");
        match left.status {
            200 => assert_eq!((third.status, fourth.status, free), (201, 201, 0)),
            _ => {
                left.refused(409, "already-started");
                assert_eq!([third.status, fourth.status].iter().filter(|status| **status == 201).count(), 1);
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_leaves_while_the_creator_starts_is_out_or_stays() {
    let pair = Pair::start().await;
    let [one, two] = pair.bases();
    let players = Player::guests(&one, 3).await;
    for _ in 0..16 {
        let game = open_table("creator", 3, &players, 3).await;
        let (left, started) = join(players[1].at(&one).leave(&game), players[0].at(&two).start(&game)).await;
        let seen = seen(&pair, &players[0], &game).await;
        if left.status == 200 {
            started.refused(409, "table-not-full");
            assert_eq!(seen["view"]["status"], "open");
        } else {
            left.refused(409, "already-started");
            started.ok(200);
            assert_eq!(seen["players"].as_array().unwrap().len(), 3);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_starts_at_once_are_one() {
    let pair = Pair::start().await;
    let [one, two] = pair.bases();
    let players = Player::guests(&one, 3).await;
    for _ in 0..12 {
        let game = open_table("creator", 3, &players, 3).await;
        let (a, b) = join(players[0].at(&one).start(&game), players[0].at(&two).start(&game)).await;
        let (made, refused) = if a.status == 200 { (a, b) } else { (b, a) };
        made.ok(200);
        refused.refused(409, "already-started");
        seen(&pair, &players[0], &game).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_account_gets_one_seat() {
    let pair = Pair::start().await;
    let [one, two] = pair.bases();
    let players = Player::guests(&one, 2).await;
    for _ in 0..15 {
        let game = open_table("full", 4, &players, 1).await;
        let rival = &players[1];
        let (one, two) = (rival.at(&one), rival.at(&two));
        let (seat_2, seat_3) = (json!({"seat": 2}), json!({"seat": 3}));
        let (a, b) = join(one.sit(&game, &seat_2), two.sit(&game, &seat_3)).await;
        let (sat, refused) = if a.status == 201 { (a, b) } else { (b, a) };
        sat.ok(201);
        refused.refused(409, "already-seated");
        assert_eq!(seen(&pair, &players[0], &game).await["players"].as_array().unwrap().len(), 2);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_request_for_a_table_on_two_servers_is_one_table() {
    let pair = Pair::start().await;
    let [one, two] = pair.bases();
    let player = Player::guest(&one).await;
    for round in 0..15 {
        let (key, body) = (key(), json!({"players": 3 + round % 3}));
        let create = async |base: &str| {
            let method = reqwest::Method::POST;
            player.at(base).ask(method, "/v1/games", Some(&key), Some(&body)).await
        };
        let (a, b, c) = join3(create(&one), create(&two), create(&two)).await;
        a.ok(201);
        assert_eq!((b.status, c.status), (201, 201));
        assert_eq!([&b.text, &c.text], [&a.text; 2]);
        for again in [&b, &c] {
            assert_eq!(again.headers["location"], a.headers["location"]);
        }
        assert_eq!(pair.database.count("games").await, i64::from(round) + 1);
    }
}
