//! Moves as JSON: as the API writes them, in another spelling of the same move, and such that cannot be made.

use serde_json::{Value, json};

use crate::engine::{Move, Words};

/// A move as the API writes it.
pub(super) fn written(action: &Move) -> Value {
    match action {
        Move::PlaceEstate { land } => json!({"type": "place_estate", "land": land}),
        Move::ChooseBattlefield { lands } => json!({"type": "choose_battlefield", "lands": lands}),
        Move::TakeActionCard { card } => json!({"type": "take_action_card", "card": card}),
        Move::PlaySupplies { cards } => json!({"type": "play_supplies", "cards": cards}),
        Move::Build { land, face } => json!({"type": "build", "land": land, "face": face}),
        Move::FlipBase { land } => json!({"type": "flip_base", "land": land}),
        Move::PassBuild => json!({"type": "pass_build"}),
        Move::DiscardSupplies { cards } => json!({"type": "discard_supplies", "cards": cards}),
    }
}

/// The same body, with its lists the other way round.
pub(super) fn other_way_round(body: &Value) -> Value {
    let mut body = body.clone();
    for list in ["cards", "lands"] {
        let list = body.get_mut("move").and_then(|action| action.get_mut(list)).and_then(Value::as_array_mut);
        list.into_iter().for_each(|list| list.reverse());
    }
    body
}

/// A move that the rules forbid to whoever has the decision for which these bodies are legal.
pub(super) fn illegal(legal: &[Value], dice: &mut impl Words) -> Value {
    let kind = legal.first().and_then(|body| body.pointer("/move/type")).and_then(Value::as_str).unwrap_or_default();
    let cards = ["traitor", "strategist", "diplomat_5", "diplomat_2", "builder", "farmer", "mercenary"];
    let is_legal =
        |card: &str| legal.iter().any(|body| body.pointer("/move/card").and_then(Value::as_str) == Some(card));
    let not_passed = cards.into_iter().find(|card| !is_legal(card));
    let other_kind = if kind == "take_action_card" {
        json!({"type": "play_supplies", "cards": []})
    } else {
        json!({"type": "take_action_card", "card": "farmer"})
    };
    if dice.below(3) == 0 {
        return other_kind;
    }
    match kind {
        "place_estate" => json!({"type": "place_estate", "land": 15}),
        "choose_battlefield" if dice.below(2) == 0 => json!({"type": "choose_battlefield", "lands": [0, 2]}),
        "choose_battlefield" => json!({"type": "choose_battlefield", "lands": [15, 0]}),
        "take_action_card" => not_passed.map_or(other_kind, |card| json!({"type": "take_action_card", "card": card})),
        "play_supplies" if dice.below(2) == 0 => json!({"type": "play_supplies", "cards": [2, 2, 2, 2, 2, 2]}),
        "play_supplies" => json!({"type": "play_supplies", "cards": [99]}),
        "build" | "flip_base" | "pass_build" => json!({"type": "flip_base", "land": 15}),
        "discard_supplies" => json!({"type": "discard_supplies", "cards": [99]}),
        _ => other_kind,
    }
}

/// Bodies that no move is, and the path that the refusal must name.
pub(super) fn malformed(version: u64) -> [(String, &'static str); 9] {
    let of = |action: Value| json!({"expected_version": version, "move": action}).to_string();
    let pass = json!({"type": "pass_build"});
    [
        (of(json!({"type": "play_supplies", "cards": [2, 0]})), "move.cards[1]"),
        (of(json!({"type": "place_estate", "land": 16})), "move.land"),
        (of(json!({"type": "place_estate", "land": "3"})), "move.land"),
        (of(json!({"type": "place_estate", "land": 3, "face": "estate"})), "move.face"),
        (of(json!({"type": "take_action_card", "card": "joker"})), "move.card"),
        (of(json!({"type": "dance"})), "move.type"),
        (json!({"expected_version": "1", "move": pass}).to_string(), "expected_version"),
        (json!({"expected_version": version, "move": pass, "seat": 0}).to_string(), "seat"),
        (json!({"expected_version": version}).to_string(), "move"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::FastDraws;

    #[test]
    fn lists_can_be_written_the_other_way_round() {
        let body = json!({"expected_version": 3, "move": {"type": "play_supplies", "cards": [2, 5]}});
        assert_eq!(other_way_round(&body).pointer("/move/cards"), Some(&json!([5, 2])));
        let body = json!({"expected_version": 3, "move": {"type": "pass_build"}});
        assert_eq!(other_way_round(&body), body);
    }

    #[test]
    fn an_illegal_move_is_not_among_the_legal() {
        let legal = [json!({"move": {"type": "take_action_card", "card": "traitor"}})];
        for seed in 0..20 {
            let action = illegal(&legal, &mut FastDraws::new(seed));
            assert!(legal.iter().all(|body| body.get("move") != Some(&action)), "{action}");
        }
    }
}
