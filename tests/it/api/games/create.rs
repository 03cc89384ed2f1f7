use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::player::key;
use crate::support::table::short;
use crate::support::{Api, Player};

#[tokio::test(flavor = "multi_thread")]
async fn a_table_is_made_with_its_creator_at_it() {
    let api = Api::start().await;
    let player = Player::guest(&api.base).await;
    let answer = player.create(&json!({"players": 4})).await;
    let made = answer.ok(201);
    let id = made["game_id"].as_str().unwrap();
    assert_eq!(answer.headers["location"], format!("/v1/games/{id}"));
    assert_eq!(
        (&made["version"], &made["view"]["seat"], &made["view"]["status"]),
        (&json!(2), &json!(0), &json!("open"))
    );
    assert_eq!(made["head"]["version"], made["version"]);
    let types: Vec<_> = made["events"].as_array().unwrap().iter().map(|event| event["type"].clone()).collect();
    assert_eq!(types, ["table_created", "seat_taken"]);
    let seen = player.get(answer.headers["location"].to_str().unwrap()).await.ok(200);
    assert_eq!((&seen["view"], &seen["head"], &seen["id"]), (&made["view"], &made["head"], &made["game_id"]));
    assert_eq!((&seen["creator"], &seen["visibility"]), (&json!(player.account), &json!("public")));
    assert_eq!(seen["players"][0]["account_id"], player.account);

    let empty =
        player.create(&json!({"players": 3, "seat": false, "start": "creator", "visibility": "private"})).await.ok(201);
    assert_eq!((&empty["version"], &empty["view"]["seat"]), (&json!(1), &Value::Null));
    assert_eq!(empty["view"]["start"], "creator");
    api.database.audit(id).await;
    api.database.audit(empty["game_id"].as_str().unwrap()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_wrong_is_named_by_its_path() {
    let api = Api::start().await;
    let player = Player::guest(&api.base).await;
    let with = |change: fn(&mut Value)| {
        let mut set = short(2);
        change(&mut set);
        json!({"players": 3, "options": {"card_set": set}})
    };
    let cases = [
        (json!({}), "players"),
        (json!({"players": 2}), "players"),
        (json!([3]), ""),
        (json!([3, "public", {}, "full", true]), ""),
        (json!({"players": 3, "options": ["dealt", false, null]}), "options"),
        (json!({"players": 3, "options": {"opening_hand": {"dealt": null}}}), "options.opening_hand"),
        (json!({"players": 3, "visibility": {"public": null}}), "visibility"),
        (json!({"players": 3, "start": {"full": null}}), "start"),
        (with(|set| set["rounds"] = json!([6, 5, 4])), "options.card_set.rounds"),
        (json!({"players": 6}), "players"),
        (json!({"players": "3"}), "players"),
        (json!({"players": 300}), "players"),
        (json!({"players": 3, "entropy": "00"}), "entropy"),
        (json!({"players": 3, "visibility": "secret"}), "visibility"),
        (json!({"players": 3, "start": "now"}), "start"),
        (json!({"players": 3, "seat": 1}), "seat"),
        (json!({"players": 3, "options": {"hands": 1}}), "options.hands"),
        (json!({"players": 3, "options": {"opening_hand": "open"}}), "options.opening_hand"),
        (json!({"players": 3, "options": {"mercenary": 1}}), "options.mercenary"),
        (json!({"players": 3, "options": {"card_set": {}}}), "options.card_set.lands"),
        (with(|set| set["lands"][2]["points"][1] = json!("4")), "options.card_set.lands[2].points[1]"),
        (with(|set| set["lands"][2]["points"][1] = json!(300)), "options.card_set.lands[2].points[1]"),
        (with(|set| set["lands"][2]["points"][1] = json!(7)), "options.card_set.lands[2].points[1]"),
        (with(|set| set["lands"][7]["kind"] = json!("sea")), "options.card_set.lands[7].kind"),
        (with(|set| set["lands"][0]["strength"] = json!(100)), "options.card_set.lands[0].strength"),
        (with(|set| set["lands"][0]["name"] = json!("x")), "options.card_set.lands[0].name"),
        (with(|set| set["lands"] = json!([])), "options.card_set.lands"),
        (with(|set| set["rounds"]["three"] = json!(0)), "options.card_set.rounds.three"),
        (with(|set| set["rounds"]["five"] = json!(21)), "options.card_set.rounds.five"),
        (with(|set| set["supplies"][1]["value"] = json!(2)), "options.card_set.supplies[1].value"),
        (with(|set| set["supplies"][0]["count"] = json!(-1)), "options.card_set.supplies[0].count"),
        (with(|set| set["supplies"] = json!([])), "options.card_set.supplies"),
    ];
    for (body, path) in cases {
        let problem = player.create(&body).await.refused(400, "malformed");
        assert_eq!(problem["path"].as_str().unwrap_or_default(), path, "{body}: {problem}");
    }
    assert_eq!(api.database.count("games").await, 0);
    assert_eq!(api.database.count("requests").await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_is_needed() {
    let api = Api::start().await;
    let player = Player::guest(&api.base).await;
    let body = json!({"players": 3});
    for bad in [None, Some(""), Some("a b"), Some("é"), Some(&*"k".repeat(65))] {
        let answer = player.ask(Method::POST, "/v1/games", bad, Some(&body)).await;
        answer.refused(400, "idempotency-key-unusable");
    }
    let twice = player.client.post(format!("{}/v1/games", api.base)).bearer_auth(&player.token).json(&body);
    let twice = twice.header("Idempotency-Key", key()).header("Idempotency-Key", key()).send().await.unwrap();
    assert_eq!(twice.status(), 400);
    let query = player.ask(Method::POST, "/v1/games?seat=1", Some(&key()), Some(&body)).await;
    assert_eq!(query.refused(400, "malformed")["path"], "?seat");
    assert_eq!(api.database.count("games").await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_has_only_so_many_open_tables_also_when_it_asks_at_once() {
    let api = Api::start().await;
    let players = Player::guests(&api.base, 2).await;
    let body = json!({"players": 3, "seat": false});
    let create = async |key: String| players[0].ask(Method::POST, "/v1/games", Some(&key), Some(&body)).await;
    let keys: Vec<String> = (0..60).map(|_| key()).collect();
    let answers = join_all(keys.iter().map(|key| create(key.clone()))).await;
    let made: Vec<_> = answers.iter().zip(&keys).filter(|(answer, _)| answer.status == 201).collect();
    assert_eq!(made.len(), 50);
    assert_eq!(api.database.count("games").await, 50);
    for refused in answers.iter().filter(|answer| answer.status != 201) {
        let detail = refused.refused(409, "too-many-tables")["detail"].as_str().unwrap().to_owned();
        assert!(detail.contains(" 50 tables"), "{detail}");
    }
    let (first, of_it) = made[0];
    assert_eq!(create(of_it.clone()).await.ok(201), first.json(), "what was accepted is answered again");
    players[1].new_game(&body).await;
    let game = first.json()["game_id"].as_str().unwrap().to_owned();
    players[0].ask(Method::DELETE, &format!("/v1/games/{game}"), Some(&key()), None).await.ok(200);
    players[0].new_game(&body).await;
    create(key()).await.refused(409, "too-many-tables");
}

#[tokio::test(flavor = "multi_thread")]
async fn bots_sit_down_with_the_table_and_may_start_the_game() {
    let api = Api::start().await;
    let player = Player::guest(&api.base).await;
    let bot = |seat: u8, level: &str| json!({"seat": seat, "level": level});
    let body = json!({"players": 4, "hints": true, "bots": [bot(3, "expert"), {"level": "easy"}]});
    let made = player.create(&body).await.ok(201);
    let levels: Vec<_> = made["view"]["seats"].as_array().unwrap().iter().map(|seat| seat["bot"].clone()).collect();
    assert_eq!(levels, [Value::Null, json!("easy"), Value::Null, json!("expert")]);
    let told: Vec<_> =
        made["events"].as_array().unwrap().iter().map(|event| (&event["type"], &event["cause"])).collect();
    let (table, one, three) = (json!("table"), json!({"bot": 1}), json!({"bot": 3}));
    let (taken, assigned) = (json!("seat_taken"), json!("bot_assigned"));
    let expected = [
        (&json!("table_created"), &table),
        (&taken, &table),
        (&taken, &one),
        (&assigned, &one),
        (&taken, &three),
        (&assigned, &three),
    ];
    assert_eq!(told, expected);
    assert!(made["receipt"].is_object(), "the creator's own seat has its receipt");
    let game = made["game_id"].as_str().unwrap();
    assert_eq!(player.game(game).await.ok(200)["hints"], true);
    assert_eq!(player.get("/v1/games").await.ok(200)["items"][0]["hints"], true);
    api.database.audit(game).await;

    // Full at once: with the creator at the table, and without.
    let three = json!({"players": 3, "bots": [bot(2, "hard"), bot(1, "easy")]});
    let alone = json!({"players": 3, "seat": false, "bots": [{"level": "hard"}, bot(0, "easy"), {"level": "easy"}]});
    for (body, seat) in [(three, json!(0)), (alone, Value::Null)] {
        let key = key();
        let answer = player.ask(Method::POST, "/v1/games", Some(&key), Some(&body)).await;
        let made = answer.ok(201);
        assert_eq!((&made["view"]["status"], &made["view"]["seat"]), (&json!("running"), &seat));
        let events = made["events"].as_array().unwrap();
        let started = events.iter().find(|event| event["type"] == "game_started").unwrap();
        assert_eq!(started["cause"], json!({"bot": 2}), "whoever sat down last starts it");
        // The same again: also if it is written in another way.
        let mut same = body.clone();
        same["bots"].as_array_mut().unwrap().reverse();
        let again = player.ask(Method::POST, "/v1/games", Some(&key), Some(&same)).await;
        if seat.is_number() {
            assert_eq!(again.ok(201), made);
        } else {
            again.refused(422, "idempotency-key-reused");
        }
        assert_eq!(player.ask(Method::POST, "/v1/games", Some(&key), Some(&body)).await.ok(201), made);
        let game = made["game_id"].as_str().unwrap();
        assert_eq!(player.game(game).await.ok(200)["hints"], false);
        api.database.audit(game).await;
    }
    let body = json!({"players": 3, "start": "creator", "bots": [bot(2, "hard"), bot(1, "easy")]});
    assert_eq!(player.create(&body).await.ok(201)["view"]["status"], "open", "its creator starts it");
}

#[tokio::test(flavor = "multi_thread")]
async fn bots_have_seats_of_their_own() {
    let api = Api::start().await;
    let player = Player::guest(&api.base).await;
    let cases = [
        (json!([{"level": "easy", "seat": 0}]), true, "bots[0].seat"),
        (json!([{"level": "easy", "seat": 1}, {"level": "easy", "seat": 1}]), true, "bots[1].seat"),
        (json!([{"level": "easy"}, {"level": "easy", "seat": 3}]), true, "bots[1].seat"),
        (json!([{"level": "easy", "seat": 9}]), true, "bots[0].seat"),
        (json!([{"level": "mighty"}]), true, "bots[0].level"),
        (json!([{"seat": 1}]), true, "bots[0].level"),
        (json!([{"level": "easy", "name": "x"}]), true, "bots[0].name"),
        (json!({"level": "easy"}), true, "bots"),
        (json!(vec![json!({"level": "easy"}); 3]), true, "bots"),
        (json!(vec![json!({"level": "easy"}); 4]), false, "bots"),
    ];
    for (bots, sits, path) in cases {
        let body = json!({"players": 3, "seat": sits, "bots": bots});
        let problem = player.create(&body).await.refused(400, "malformed");
        assert_eq!(problem["path"].as_str().unwrap_or_default(), path, "{body}: {problem}");
    }
    let problem = player.create(&json!({"players": 3, "hints": "yes"})).await.refused(400, "malformed");
    assert_eq!(problem["path"], "hints");
    assert_eq!(api.database.count("games").await, 0);
}
