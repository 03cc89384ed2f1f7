use chrono::{DateTime, Utc};
use fereta::clock;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::support::player::key;
use crate::support::table::{kinds, of_rounds};
use crate::support::{Api, Player, Table};

/// The public line of an item: canonical JSON without its secret. serde_json writes objects in the order of their keys.
fn public_line(item: &Value) -> String {
    let mut item = item.clone();
    item.as_object_mut().unwrap().remove("secret");
    serde_json::to_string(&item).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_chain_can_be_computed_by_everybody_and_secrets_are_for_their_audience() {
    let api = Api::start().await;
    let stranger = Player::guest(&api.base).await;
    for kind in kinds(1) {
        let table = Table::begin(&[&api.base], &kind).await;
        loop {
            let seen = stranger.game(&table.game).await.ok(200);
            let ended = seen["view"]["status"] == "ended";
            let public = stranger.history(&table.game).await;
            let log = api.database.log(&table.game).await;
            let mut hash = [0; 32];
            for (item, line) in public.iter().zip(&log) {
                let text = public_line(item);
                assert_eq!(text, line.text);
                hash = Sha256::new().chain_update(hash).chain_update(&text).finalize().into();
            }
            assert_eq!(seen["head"], json!({"version": public.len(), "hash": hex::encode(hash)}));
            for (seat, player) in
                [None, Some(0), Some(1), Some(2)].iter().zip([&stranger].into_iter().chain(&table.players))
            {
                let own = player.history(&table.game).await;
                for (item, line) in own.iter().zip(&log) {
                    assert_eq!(public_line(item), line.text);
                    let audience = item.get("secret_for");
                    let mine = audience.is_some_and(|audience| ended || seat.is_some_and(|seat| *audience == seat));
                    assert_eq!(item.get("secret").is_some(), mine, "{item}");
                    assert_eq!(audience.is_some(), item.get("secret_hash").is_some());
                }
                assert_eq!(own.len(), log.len());
            }
            if table.play(6).await.is_none() {
                break;
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_lead_to_the_end() {
    let api = Api::start().await;
    let table = Table::begin(&[&api.base], &of_rounds(3, 1)).await;
    table.play_out().await;
    let player = &table.players[0];
    let whole = player.history(&table.game).await;
    let page = async |query: &str| player.get(&table.path(&format!("/history{query}"))).await.ok(200);
    for limit in [1, 7, 99, 100] {
        let (mut items, mut after) = (Vec::new(), Value::Null);
        loop {
            let query = after.as_str().map(|after| format!("&cursor={after}")).unwrap_or_default();
            let page = page(&format!("?limit={limit}{query}")).await;
            assert_eq!((&page["version"], &page["head"]["version"]), (&json!(whole.len()), &json!(whole.len())));
            let part = page["items"].as_array().unwrap();
            assert!(!part.is_empty() && part.len() <= limit);
            items.extend(part.clone());
            after = page["next"].clone();
            if after.is_null() {
                break;
            }
        }
        assert_eq!(items, whole, "{limit}");
    }
    let last = whole.len();
    for (query, first, count) in [
        (format!("?after={}", last - 1), last, 1),
        (format!("?after={last}"), 0, 0),
        (format!("?after={}", u64::MAX), 0, 0),
        ("?after=3&limit=2".to_owned(), 4, 2),
    ] {
        let page = page(&query).await;
        let items = page["items"].as_array().unwrap();
        assert_eq!(items.len(), count, "{query}");
        assert!(items.is_empty() || items[0]["seq"] == first, "{query}");
        assert_eq!(page["next"].is_null(), first != 4, "{query}");
    }
    for (query, path) in [
        ("limit=0", "?limit"),
        ("limit=101", "?limit"),
        ("limit=x", "?limit"),
        ("after=-1", "?after"),
        ("after=x", "?after"),
        ("after=18446744073709551616", "?after"),
        ("cursor=x", "?cursor"),
        ("cursor=3&after=3", "?cursor"),
    ] {
        let problem = player.get(&table.path(&format!("/history?{query}"))).await.refused(400, "malformed");
        assert_eq!(problem["path"], path, "{query}: {problem}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn time_never_goes_back_and_what_follows_has_the_cause_of_its_move() {
    let api = Api::start().await;
    let mut body = of_rounds(3, 1);
    body["start"] = json!("creator");
    let table = Table::begin(&[&api.base], &body).await;
    table.play(4).await;
    // The clock of the database may be set back; the log's is not.
    api.database.execute("UPDATE games SET updated_at = updated_at + interval '1 hour'").await.unwrap();
    let turn = table.turn().await.unwrap();
    let answer = turn.player.submit(&table.game, &key(), turn.choice()).await.ok(200);
    let (events, cause) = (answer["events"].as_array().unwrap(), json!({"seat": turn.seat}));
    assert!(events.iter().all(|event| event["cause"] == cause && event["at"] == events[0]["at"]));
    table.play_out().await;
    let history = table.players[0].history(&table.game).await;
    let mut before = DateTime::<Utc>::MIN_UTC;
    for event in &history {
        let text = event["at"].as_str().unwrap();
        assert!(text.len() == "2026-01-01T00:00:00.000Z".len() && text.ends_with('Z'), "{text}");
        let at: DateTime<Utc> = text.parse().unwrap();
        assert!(at >= before, "{text}");
        before = at;
        match event["type"].as_str().unwrap() {
            "table_created" => assert_eq!(event["cause"], "table"),
            "game_started" => assert_eq!(event["cause"], json!({"seat": 0})),
            "seat_taken" if event["data"]["seat"] == 0 => assert_eq!(event["cause"], "table"),
            "seat_taken" | "estate_placed" | "supplies_played" | "action_card_kept" => {
                assert_eq!(event["cause"], json!({"seat": event["data"]["seat"]}));
            }
            _ => assert!(event["cause"]["seat"].is_u64(), "{event}"),
        }
    }
    assert!(before > clock::now() + chrono::TimeDelta::minutes(59));
}
