use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::player::key;
use crate::support::table::of_rounds;
use crate::support::{Api, Player, Table};

#[tokio::test(flavor = "multi_thread")]
async fn what_is_malformed_is_named_by_its_path() {
    let api = Api::start().await;
    let table = Table::begin(&[&api.base], &of_rounds(3, 1)).await;
    let player = &table.players[0];
    let with = |body: Value| json!({"expected_version": 1, "move": body});
    for (body, path) in [
        (json!({}), "expected_version"),
        (json!([]), ""),
        (json!({"move": {"type": "pass_build"}}), "expected_version"),
        (json!({"expected_version": 1}), "move"),
        (json!({"expected_version": "1", "move": {"type": "pass_build"}}), "expected_version"),
        (json!({"expected_version": -1, "move": {"type": "pass_build"}}), "expected_version"),
        (json!({"expected_version": 1.5, "move": {"type": "pass_build"}}), "expected_version"),
        (json!({"expected_version": 1, "move": {"type": "pass_build"}, "seat": 0}), "seat"),
        (with(json!(3)), "move"),
        (with(json!({})), "move.type"),
        (with(json!({"type": "resign"})), "move.type"),
        (with(json!({"type": 1})), "move.type"),
        (with(json!({"type": "pass_build", "land": 1})), "move.land"),
        (with(json!({"type": "place_estate"})), "move.land"),
        (with(json!({"type": "place_estate", "land": 16})), "move.land"),
        (with(json!({"type": "place_estate", "land": -1})), "move.land"),
        (with(json!({"type": "place_estate", "land": "a"})), "move.land"),
        (with(json!({"type": "choose_battlefield", "lands": [1]})), "move.lands"),
        (with(json!({"type": "choose_battlefield", "lands": [1, 2, 3]})), "move.lands"),
        (with(json!({"type": "choose_battlefield", "lands": [1, 99]})), "move.lands[1]"),
        (with(json!({"type": "take_action_card", "card": "king"})), "move.card"),
        (with(json!({"type": "build", "land": 1, "face": "castle"})), "move.face"),
        (with(json!({"type": "play_supplies", "cards": [5, "x"]})), "move.cards[1]"),
        (with(json!({"type": "play_supplies", "cards": [5, 0]})), "move.cards[1]"),
        (with(json!({"type": "play_supplies", "cards": [5, 2, 100]})), "move.cards[2]"),
        (with(json!({"type": "play_supplies", "cards": vec![2; 201]})), "move.cards"),
        (with(json!({"type": "discard_supplies", "cards": 5})), "move.cards"),
    ] {
        let problem = player.submit(&table.game, &key(), &body).await.refused(400, "malformed");
        assert_eq!(problem["path"].as_str().unwrap_or_default(), path, "{body}: {problem}");
    }
    let path = table.path("/moves");
    player.ask(Method::POST, &path, None, Some(&with(json!({})))).await.refused(400, "idempotency-key-unusable");
    player.ask(Method::POST, &path, Some("k"), None).await.refused(415, "unsupported-media-type");
    api.database.audit(&table.game).await;
}

/// Moves of every kind, most of them wrong whoever makes them.
fn attempts(hand: &[u64]) -> Vec<Value> {
    let mut attempts = Vec::new();
    for land in [0, 5, 9, 15] {
        attempts.push(json!({"type": "place_estate", "land": land}));
        attempts.push(json!({"type": "build", "land": land, "face": "trading_post"}));
        attempts.push(json!({"type": "build", "land": land, "face": "estate"}));
    }
    attempts.extend((0..12).map(|land| json!({"type": "flip_base", "land": land})));
    attempts.push(json!({"type": "flip_base", "land": 15}));
    for lands in [[0, 1], [3, 4], [0, 5], [7, 7], [14, 15]] {
        attempts.push(json!({"type": "choose_battlefield", "lands": lands}));
    }
    for card in ["traitor", "builder", "mercenary"] {
        attempts.push(json!({"type": "take_action_card", "card": card}));
    }
    for kind in ["play_supplies", "discard_supplies"] {
        attempts.extend(
            [json!([99]), json!([2, 2, 2, 2, 2, 2]), json!(hand), json!([])]
                .map(|cards| json!({"type": kind, "cards": cards})),
        );
    }
    attempts
}

/// Whether the rules refuse it: `stale` if the game has not come there.
async fn refusal(table: &Table, player: &Player, version: u64, attempt: &Value) -> Option<(String, String)> {
    let body = json!({"expected_version": version, "move": attempt});
    let answer = player.submit(&table.game, &key(), &body).await;
    if answer.status == 200 {
        return None;
    }
    let problem = answer.refused(422, "rule-violation");
    assert!(problem["detail"].is_string());
    Some((problem["rule"].as_str().unwrap().to_owned(), problem["code"].as_str().unwrap().to_owned()))
}

/// Games are played towards what is rare: the Builder and the Farmer, trading posts, full hands.
#[tokio::test(flavor = "multi_thread")]
async fn every_rule_that_can_refuse_a_move_does() {
    let api = Api::start().await;
    let expected = [
        ("R1.5", "face_limit"),
        ("R2.3", "land_has_base"),
        ("R2.3", "no_such_land"),
        ("R3.1", "no_such_land"),
        ("R3.1", "not_neighbours"),
        ("R3.1", "same_house"),
        ("R3.2", "not_passed_to_you"),
        ("R3.3", "not_in_hand"),
        ("R3.3", "too_many_cards"),
        ("R3.7", "land_has_base"),
        ("R3.7", "no_base_left"),
        ("R3.7", "no_base_of_yours"),
        ("R3.7", "no_such_land"),
        ("R3.9.4", "not_in_hand"),
        ("R3.9.4", "wrong_count"),
        ("R6", "other_decision_due"),
    ];
    let mut missing: BTreeSet<_> = expected.into_iter().collect();
    for _ in 0..6 {
        let table = Table::begin(&[&api.base], &json!({"players": 3})).await;
        let mut seen = table.players[0].game(&table.game).await.ok(200);
        while let (Some(turn), false) = (table.turn_after(&seen).await, missing.is_empty()) {
            let own = turn.player.game(&table.game).await.ok(200);
            let hand = own["view"]["seats"][turn.seat]["hand"].as_array().unwrap();
            let hand: Vec<u64> = hand.iter().map(|card| card.as_u64().unwrap()).collect();
            let kind = own["view"]["decision"]["kind"].as_str().unwrap().to_owned();
            let legal: Vec<&Value> = turn.moves.iter().map(|body| &body["move"]).collect();
            let due = |attempt: &Value| attempt["type"] == kind.as_str() || kind == "build";
            for attempt in attempts(&hand).into_iter().filter(|attempt| due(attempt) && !legal.contains(&attempt)) {
                let mut turned = attempt.clone();
                if let Some(lands) = turned["lands"].as_array_mut() {
                    lands.reverse();
                }
                if legal.contains(&&turned)
                    || attempt["cards"].as_array().is_some_and(|cards| cards.is_empty() && kind == "play_supplies")
                {
                    continue;
                }
                if let Some((rule, code)) = refusal(&table, &turn.player, turn.version, &attempt).await {
                    missing.retain(|known| *known != (rule.as_str(), code.as_str()));
                } else {
                    panic!("{attempt} is not among {legal:?}");
                }
            }
            let wanted = [json!("builder"), json!("farmer"), json!("trading_post")];
            let rare = |body: &&Value| wanted.contains(&body["move"]["card"]) || wanted.contains(&body["move"]["face"]);
            let choice = turn.moves.iter().find(rare).unwrap_or(&turn.moves[0]);
            seen = turn.player.submit(&table.game, &key(), choice).await.ok(200);
        }
        api.database.audit(&table.game).await;
        if missing.is_empty() {
            return;
        }
    }
    panic!("never told: {missing:?}");
}
