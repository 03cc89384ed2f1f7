use std::num::NonZeroU32;
use std::time::{Duration, Instant};

use fereta::play::BotSettings;
use serde_json::{Value, json};

use crate::support::player::key;
use crate::support::table::short;
use crate::support::{Api, Player, Table};

fn with_hints(rounds: u8) -> Value {
    json!({"players": 3, "hints": true, "options": {"card_set": short(rounds)}})
}

async fn begin(api: &Api, rounds: u8) -> Table {
    Table::begin(&[&api.base], &with_hints(rounds)).await
}

#[tokio::test(flavor = "multi_thread")]
async fn every_decision_of_ones_own_has_a_hint_of_legal_moves() {
    let api = Api::start_with(|settings| settings.serve.limits = None).await;
    let table = begin(&api, 1).await;
    let mut last = Value::Null;
    while let Some(turn) = table.turn().await {
        let hint = turn.player.get(&table.path("/hint")).await.ok(200);
        assert_eq!((&hint["seat"], &hint["version"]), (&json!(turn.seat), &json!(turn.version)));
        let items = hint["items"].as_array().unwrap();
        let number = |item: &Value, name: &str| item[name].as_f64().unwrap();
        let mut told: Vec<String> = items.iter().map(|item| item["submit"].to_string()).collect();
        let mut legal: Vec<String> = turn.moves.iter().map(Value::to_string).collect();
        told.sort();
        legal.sort();
        assert_eq!(told, legal);
        let visits: Vec<f64> = items.iter().map(|item| number(item, "visits")).collect();
        assert!(visits.is_sorted_by(|a, b| a >= b), "{visits:?}");
        assert!((visits.iter().sum::<f64>() - 1.0).abs() < 0.05, "{visits:?}");
        assert!(items.iter().all(|item| (0.0..=1.0).contains(&number(item, "value"))));
        let chances = hint["chances"].as_array().unwrap();
        assert_eq!(chances.len(), 3);
        assert!((chances.iter().map(|chance| chance.as_f64().unwrap()).sum::<f64>() - 1.0).abs() < 0.01);
        // The same again, as nothing has changed; and the best one can be made as it is.
        assert_eq!(turn.player.get(&table.path("/hint")).await.ok(200), hint);
        assert_ne!(hint, last);
        turn.player.submit(&table.game, &key(), &items[0]["submit"]).await.ok(200);
        last = hint;
    }
    for player in &table.players {
        player.get(&table.path("/hint")).await.refused(409, "not-running");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn it_is_for_him_whose_decision_it_is_at_a_table_that_allows_it() {
    let api = Api::start_with(|settings| settings.serve.limits = None).await;
    let table = begin(&api, 1).await;
    assert_eq!(table.players[0].game(&table.game).await.ok(200)["hints"], json!(true));
    let turn = table.turn().await.unwrap();
    for (seat, player) in table.players.iter().enumerate().filter(|(seat, _)| *seat != turn.seat) {
        let refused = player.get(&table.path("/hint")).await.refused(409, "not-your-decision");
        assert!(!refused.to_string().contains("chances"), "seat {seat}");
    }
    Player::guest(&api.base).await.get(&table.path("/hint")).await.refused(403, "forbidden");
    let open = table.players[0].new_game(&with_hints(1)).await;
    table.players[0].get(&format!("/v1/games/{open}/hint")).await.refused(409, "not-running");
    let without = Table::begin(&[&api.base], &json!({"players": 3})).await;
    for player in &without.players {
        player.get(&without.path("/hint")).await.refused(403, "no-hints");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_known_already_is_not_thought_of_again() {
    let api = Api::start().await;
    let table = begin(&api, 1).await;
    let turn = table.turn().await.unwrap();
    let first = turn.player.get(&table.path("/hint")).await;
    let tag = first.headers["etag"].clone();
    // A server that cannot think knows it, too, and who may not see it is told nothing by his tag.
    let resting = api.another(|settings| settings.bots = Some(BotSettings { pace_percent: 100, threads: 0 })).await;
    let asked = async |player: &Player| {
        let request = player.client.get(format!("{resting}{}", table.path("/hint"))).bearer_auth(&player.token);
        request.header("if-none-match", &tag).send().await.unwrap()
    };
    let began = Instant::now();
    let again = asked(&turn.player).await;
    assert_eq!((again.status().as_u16(), &again.headers()["etag"]), (304, &tag));
    assert!(again.text().await.unwrap().is_empty() && began.elapsed() < Duration::from_secs(1));
    assert_eq!(asked(&table.players[(turn.seat + 1) % 3]).await.status(), 409);
    assert_eq!(asked(&Player::guest(&api.base).await).await.status(), 403);
    let busy = turn.player.at(&resting).get(&table.path("/hint")).await;
    busy.refused(503, "unavailable");
    assert!(busy.headers.contains_key("retry-after"));
    turn.player.submit(&table.game, &key(), turn.choice()).await.ok(200);
    let turn = table.turn().await.unwrap();
    assert_ne!(asked(&turn.player).await.status(), 304);
}

#[tokio::test(flavor = "multi_thread")]
async fn hints_have_a_limit_of_their_own() {
    let api = Api::start_with(|settings| {
        let limits = settings.serve.limits.as_mut().unwrap();
        limits.hints = NonZeroU32::new(2).unwrap();
    })
    .await;
    let table = begin(&api, 1).await;
    let turn = table.turn().await.unwrap();
    // Who is refused has asked, too; and a refusal takes no time in which the limit would recover.
    let other = &table.players[(turn.seat + 1) % 3];
    for _ in 0..2 {
        let asked = other.get(&table.path("/hint")).await;
        assert!(asked.headers["ratelimit-policy"].to_str().unwrap().ends_with("\"hints\";q=2;w=10"));
        asked.refused(409, "not-your-decision");
    }
    let refused = other.get(&table.path("/hint")).await.refused(429, "too-many-requests");
    assert_eq!(refused["limit"], "hints");
    other.game(&table.game).await.ok(200);
    turn.player.get(&table.path("/hint")).await.ok(200);
}
