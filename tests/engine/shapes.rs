//! R1.7: spellings, and what a stored text must look like to be read.

use fereta::engine::*;
use serde_json::json;

use crate::given::*;

fn spelled<T: serde::Serialize>(values: &[T]) -> serde_json::Value {
    serde_json::to_value(values).unwrap()
}

#[test]
fn spellings() {
    assert_eq!(spelled(&House::BOTH), json!(["eagle", "rose"]));
    assert_eq!(spelled(&Face::BOTH), json!(["estate", "trading_post"]));
    let cards = ["traitor", "strategist", "diplomat_5", "diplomat_2", "builder", "farmer", "mercenary"];
    assert_eq!(spelled(&ActionCard::ALL), json!(cards));
    let kinds = CardSet::default().lands.iter().map(|land| land.kind).collect::<Vec<_>>();
    assert_eq!(spelled(&kinds), json!(["wilderness", "meadow", "river", "forest", "village", "city", "forest"]));
}

#[test]
fn cards_are_listed_in_order_whatever_the_order_they_came_in() {
    assert_eq!(json!(supplies(&[5, 2, 8, 2])), json!([2, 2, 5, 8]));
    let cards: ActionCards = [Farmer, Traitor, Diplomat2, Diplomat5].into_iter().collect();
    assert_eq!(json!(cards), json!(["traitor", "diplomat_5", "diplomat_2", "farmer"]));
}

#[test]
fn what_is_not_in_normal_form_is_not_read() {
    for cards in [json!([3, 2]), json!([2].repeat(9)), json!([256]), json!(["2"])] {
        assert!(serde_json::from_value::<Supplies>(cards).is_err());
    }
    for cards in [json!(["farmer", "traitor"]), json!(["farmer", "farmer"]), json!(["spy"])] {
        assert!(serde_json::from_value::<ActionCards>(cards).is_err());
    }
    assert!(serde_json::from_value::<Seat>(json!(5)).is_err());
    assert!(serde_json::from_value::<Place>(json!(16)).is_err());
    for hex in ["A".repeat(64), "a".repeat(63), "g".repeat(64), "é".repeat(32)] {
        assert!(serde_json::from_value::<Bytes32>(json!(hex)).is_err());
    }
    let unknown = json!({"type": "supplies_played", "data": {"cards": [], "seat": 0, "more": 1}});
    assert!(serde_json::from_value::<Fact>(unknown).is_err());
}

#[test]
fn what_is_secret_is_not_printed() {
    let mut situation = given(3);
    situation.hands = vec![vec![77], vec![88], vec![99]];
    situation.deck = vec![66; 5];
    let table = situation.table();
    let printed = format!("{:?} {:?}", table.state, table.events);
    assert!(["77", "88", "99", "66"].iter().all(|value| !printed.contains(value)), "{printed}");
}
