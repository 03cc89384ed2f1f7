use reqwest::Method;
use serde_json::{Value, json};

use crate::support::player::{Answer, key};
use crate::support::{Api, Player};

async fn seat_bot(player: &Player, game: &str, seat: &str, key: &str, body: &Value) -> Answer {
    player.ask(Method::POST, &format!("/v1/games/{game}/seats/{seat}/bot"), Some(key), Some(body)).await
}

async fn vacate(player: &Player, game: &str, seat: u8) -> Answer {
    player.ask(Method::DELETE, &format!("/v1/games/{game}/seats/{seat}"), Some(&key()), None).await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_creator_gives_a_free_seat_to_a_bot_and_takes_it_away_again() {
    let api = Api::start().await;
    let players = Player::guests(&api.base, 2).await;
    let creator = &players[0];
    let game = creator.new_game(&json!({"players": 3})).await;
    let (hard, first) = (json!({"level": "hard"}), key());
    seat_bot(&players[1], &game, "1", &key(), &hard).await.refused(403, "forbidden");
    let done = seat_bot(creator, &game, "1", &first, &hard).await.ok(201);
    let told: Vec<_> =
        done["events"].as_array().unwrap().iter().map(|event| (&event["type"], &event["cause"])).collect();
    let bot = json!({"bot": 1});
    assert_eq!(told, [(&json!("seat_taken"), &bot), (&json!("bot_assigned"), &bot)]);
    assert_eq!(done["events"][0]["data"], json!({"entropy": "00".repeat(32), "entropy_from": "bot", "seat": 1}));
    assert_eq!(done["events"][1]["data"], json!({"level": "hard", "seat": 1, "version": 1}));
    assert_eq!((&done["view"]["seats"][1]["bot"], &done["view"]["seat"]), (&json!("hard"), &json!(0)));
    assert_eq!((&done["view"]["seats"][0]["bot"], &done["receipt"]), (&Value::Null, &Value::Null));
    // The same request again; another one under its key.
    assert_eq!(seat_bot(creator, &game, "1", &first, &hard).await.ok(201), done);
    for (seat, body) in [("2", &hard), ("1", &json!({"level": "easy"}))] {
        seat_bot(creator, &game, seat, &first, body).await.refused(422, "idempotency-key-reused");
    }
    // It looks like a bot wherever it is seen.
    let bots = json!([{"seat": 1, "level": "hard"}]);
    let seen = players[1].game(&game).await.ok(200);
    let listed = players[1].get("/v1/games").await.ok(200);
    for seen in [&seen, &listed["items"][0]] {
        assert_eq!((&seen["bots"], seen["players"].as_array().unwrap().len()), (&bots, 1));
    }
    assert_eq!(listed["items"][0]["open_seats"], 1);

    for seat in ["0", "1"] {
        seat_bot(creator, &game, seat, &key(), &hard).await.refused(409, "seat-taken");
    }
    let none = seat_bot(creator, &game, "3", &key(), &hard).await.refused(422, "rule-violation");
    assert_eq!(none["code"], "no_such_seat");
    seat_bot(creator, &game, "x", &key(), &hard).await.refused(404, "not-found");
    for (body, path) in
        [(json!({}), "level"), (json!({"level": "mighty"}), "level"), (json!({"level": "hard", "seat": 2}), "seat")]
    {
        assert_eq!(seat_bot(creator, &game, "2", &key(), &body).await.refused(400, "malformed")["path"], path);
    }
    let left = vacate(creator, &game, 1).await.ok(200);
    assert_eq!((&left["events"][0]["type"], &left["events"][0]["cause"]), (&json!("seat_left"), &json!({"seat": 0})));
    assert_eq!(left["view"]["seats"][1]["bot"], Value::Null);
    let sat = players[1].sit(&game, &json!({"seat": 1})).await.ok(201);
    assert_eq!((&sat["view"]["seat"], &sat["view"]["seats"][1]["bot"]), (&json!(1), &Value::Null));
    api.database.audit(&game).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_last_seat_starts_the_game_or_the_creator_does() {
    let api = Api::start().await;
    let creator = Player::guest(&api.base).await;
    let body = json!({"level": "easy"});
    let full = creator.new_game(&json!({"players": 3, "bots": [{"level": "normal"}]})).await;
    let begun = seat_bot(&creator, &full, "2", &key(), &body).await.ok(201);
    let started = begun["events"].as_array().unwrap().iter().find(|event| event["type"] == "game_started").unwrap();
    assert_eq!((&started["cause"], &begun["view"]["status"]), (&json!({"bot": 2}), &json!("running")));
    seat_bot(&creator, &full, "2", &key(), &body).await.refused(409, "already-started");
    vacate(&creator, &full, 1).await.refused(409, "already-started");

    let by_hand = json!({"players": 3, "start": "creator", "bots": [{"level": "normal"}, {"level": "expert"}]});
    let by_hand = creator.new_game(&by_hand).await;
    seat_bot(&creator, &by_hand, "2", &key(), &body).await.refused(409, "table-full");
    assert_eq!(creator.start(&by_hand).await.ok(200)["events"][0]["cause"], json!({"seat": 0}));

    let closed = creator.new_game(&json!({"players": 3})).await;
    creator.ask(Method::DELETE, &format!("/v1/games/{closed}"), Some(&key()), None).await.ok(200);
    seat_bot(&creator, &closed, "1", &key(), &body).await.refused(409, "not-running");
    for game in [full, by_hand, closed] {
        api.database.audit(&game).await;
    }
}

/// Whoever decides first, and whether the game has begun: a refusal tells nothing of what would have been drawn.
#[tokio::test(flavor = "multi_thread")]
async fn an_account_has_only_so_many_games_with_bots() {
    let api = Api::start().await;
    let players = Player::guests(&api.base, 2).await;
    let bots =
        |seat: bool, count: usize| json!({"players": 3, "seat": seat, "bots": vec![json!({"level": "easy"}); count]});
    let without = players[0].new_game(&bots(false, 0)).await;
    let waiting = players[0].new_game(&bots(false, 2)).await;
    for number in 0..49 {
        players[0].new_game(&if number % 2 == 0 { bots(true, 2) } else { bots(false, 1) }).await;
    }
    for more in [bots(true, 2), bots(false, 1), bots(false, 3)] {
        let refused = players[0].create(&more).await.refused(409, "too-many-games-of-bots");
        assert!(refused["detail"].as_str().unwrap().contains("50"), "{refused}");
    }
    let easy = json!({"level": "easy"});
    seat_bot(&players[0], &without, "0", &key(), &easy).await.refused(409, "too-many-games-of-bots");
    // A table at which one sits may have more of them, and begins whoever takes its last seat.
    assert_eq!(players[1].sit(&waiting, &json!({})).await.ok(201)["view"]["status"], "running");
    players[1].new_game(&bots(false, 3)).await;
    let end = format!("UPDATE games SET status = 'ended', wake_at = NULL WHERE id = '{waiting}'");
    api.database.execute(&end).await.unwrap();
    seat_bot(&players[0], &without, "0", &key(), &easy).await.ok(201);
}
