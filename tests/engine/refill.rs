//! R3.9: discarding, drawing, reshuffling, and the hand of five.

use fereta::engine::*;

use crate::given::*;
use DrawSource::{Estates, Farmer as FarmerDraw};

#[test]
fn estates_draw_at_lands_of_their_owner_s_new_house_only() {
    let mut situation = given(4);
    // Even places are Eagle's, odd ones Rose's. Seat 0 turns to Rose.
    situation.bases = vec![(0, 6, Estate), (0, 7, Estate), (0, 9, TradingPost), (1, 8, Estate), (1, 11, Estate)];
    let mut table = situation.table();
    let then = table.battle([0, 1], &[Traitor, Diplomat5, Strategist, Diplomat2], &[&[], &[], &[], &[]]);
    assert_eq!(draws(&then), [(0, Estates, 1), (1, Estates, 1), (3, DrawSource::Diplomat2, 1)]);
}

#[test]
fn an_estate_draws_at_a_land_that_has_just_turned() {
    let mut situation = given(4);
    situation.bases = vec![(0, 1, Estate), (1, 3, Estate)];
    let mut table = situation.table();
    let then = table.battle([0, 1], &[Diplomat5, Diplomat2, Strategist, Farmer], &[&[], &[], &[], &[]]);
    assert!(then.contains(&LandTurned { house: Eagle, land: place(1) }.into()));
    assert_eq!(draws(&then), [(3, FarmerDraw, 3), (0, Estates, 1), (1, Estates, 1), (1, DrawSource::Diplomat2, 1)]);
}

#[test]
fn three_estates_and_diplomat_2_draw_three() {
    let mut situation = given(4);
    situation.bases = vec![(1, 1, Estate), (1, 3, Estate), (1, 5, Estate)];
    let mut table = situation.table();
    let then = table.battle([8, 9], &[Diplomat5, Diplomat2, Strategist, Traitor], &[&[], &[], &[], &[]]);
    // Seat 3 is the Traitor; Rose still has seat 1.
    assert_eq!(draws(&then), [(1, Estates, 3)]);
    situation.bases.pop();
    let mut table = situation.table();
    let then = table.battle([8, 9], &[Diplomat5, Diplomat2, Strategist, Traitor], &[&[], &[], &[], &[]]);
    assert_eq!(draws(&then), [(1, Estates, 2), (1, DrawSource::Diplomat2, 1)]);
}

#[test]
fn a_draw_is_split_where_the_reshuffle_falls_into_it() {
    let mut situation = given(4);
    situation.hands = vec![vec![4], vec![8], vec![2], vec![]];
    situation.deck = vec![6, 5];
    situation.discards = vec![3];
    let mut table = situation.table();
    let then = table.battle([0, 1], &[Farmer, Diplomat2, Diplomat5, Traitor], &[&[4], &[8], &[2], &[]]);
    let discarded = then.iter().position(|fact| matches!(fact, Fact::PlayedSuppliesDiscarded(_))).unwrap();
    assert_eq!(
        then[discarded..],
        [
            PlayedSuppliesDiscarded { cards: Box::new([2, 4, 8]) }.into(),
            SuppliesDrawn { count: 2, seat: seat(0), source: FarmerDraw }.into(),
            DeckShuffled { count: 4, reshuffle: 1 }.into(),
            SuppliesDrawn { count: 1, seat: seat(0), source: FarmerDraw }.into(),
            SuppliesDrawn { count: 1, seat: seat(1), source: DrawSource::Diplomat2 }.into(),
            RoundStarted { first_player: seat(1), round: 2 }.into(),
        ]
    );
    // Unshuffled here, the pile is dealt by rising value: 2, 3, 4, 8.
    assert_eq!((table.hand(0), table.hand(1)), (vec![2, 5, 6], vec![3]));
    assert!(table.state.view(Viewer::Spectator).discards.is_empty());
}

#[test]
fn the_discard_pile_is_not_shuffled_before_a_card_must_be_drawn() {
    let mut situation = given(4);
    situation.hands = vec![vec![4], vec![], vec![], vec![]];
    situation.deck = vec![6, 5, 3, 2];
    let mut table = situation.table();
    let then = table.battle([0, 1], &[Farmer, Diplomat2, Diplomat5, Traitor], &[&[4], &[], &[], &[]]);
    assert!(!then.iter().any(|fact| matches!(fact, Fact::DeckShuffled(_))));
    let view = table.state.view(Viewer::Spectator);
    assert_eq!((view.deck_size, view.discards), (0, vec![4]));
}

#[test]
fn reshuffles_are_counted() {
    let mut situation = given(4);
    situation.hands = vec![vec![4, 4, 4, 4, 4], vec![], vec![], vec![]];
    situation.deck = vec![2];
    let mut table = situation.table();
    let cards = [Farmer, Diplomat2, Diplomat5, Traitor];
    let first = table.battle([0, 1], &cards, &[&[4; 5], &[], &[], &[]]);
    assert!(first.contains(&DeckShuffled { count: 5, reshuffle: 1 }.into()));
    // Seats 1, 2, 3, 0 now; seat 0 holds 2, 4, 4 and plays them, the deck has two.
    let second = table.battle([2, 3], &cards, &[&[], &[], &[], &[4, 4, 2]]);
    assert!(second.contains(&DeckShuffled { count: 3, reshuffle: 2 }.into()), "{second:?}");
}

#[test]
fn lost_draws_count_towards_the_three_of_a_round() {
    let mut situation = given(4);
    situation.deck = vec![6];
    situation.bases = vec![(0, 6, Estate), (0, 8, Estate), (1, 7, Estate)];
    let mut table = situation.table();
    let then = table.battle([0, 1], &[Farmer, Diplomat2, Diplomat5, Traitor], &[&[], &[], &[], &[]]);
    assert_eq!(
        draws(&then),
        [(0, FarmerDraw, 1), (0, FarmerDraw, 0), (0, FarmerDraw, 0), (1, Estates, 0), (1, DrawSource::Diplomat2, 0)]
    );
}

#[test]
fn those_with_more_than_five_discard_in_turn_order() {
    let mut situation = given(4);
    situation.hands = vec![vec![5; 5], vec![4; 5], vec![3; 5], vec![2; 5]];
    situation.bases = vec![(0, 6, Estate), (3, 7, Estate)];
    let mut table = situation.table();
    table.battle([0, 1], &[Diplomat5, Strategist, Farmer, Diplomat2], &[&[], &[], &[], &[]]);
    assert_eq!(table.decider(), (0, DecisionKind::DiscardSupplies));
    assert_eq!(table.moves(), [2, 5].map(|value| Move::DiscardSupplies { cards: supplies(&[value]) }));
    table.act(0, Move::DiscardSupplies { cards: supplies(&[5]) });
    assert_eq!(table.decider(), (2, DecisionKind::DiscardSupplies));
    table.act(2, Move::DiscardSupplies { cards: supplies(&[3, 2, 2]) });
    assert_eq!(table.decider(), (3, DecisionKind::DiscardSupplies));
    table.act(3, Move::DiscardSupplies { cards: supplies(&[2, 2]) });
    assert_eq!(table.decider(), (1, DecisionKind::ChooseBattlefield));
    assert_eq!(table.state.view(Viewer::Spectator).discards, [2, 2, 2, 2, 3, 5]);
}

#[test]
fn discards_of_the_adjustment_are_not_drawn_in_the_same_round() {
    let mut situation = given(4);
    situation.hands = vec![vec![5; 5], vec![], vec![], vec![]];
    situation.deck = vec![2, 2, 2];
    let mut table = situation.table();
    let then = table.battle([0, 1], &[Farmer, Diplomat2, Diplomat5, Traitor], &[&[], &[], &[], &[]]);
    assert_eq!(draws(&then), [(0, FarmerDraw, 3), (1, DrawSource::Diplomat2, 0)]);
    let then = table.act(0, Move::DiscardSupplies { cards: supplies(&[5, 5, 5]) });
    assert!(matches!(then[1].fact, Fact::RoundStarted(_)));
}

#[test]
fn an_empty_hand_plays_nothing() {
    let mut table = given(3).table();
    table.draft([0, 1], &[Farmer, Diplomat2, Diplomat5]);
    assert_eq!(table.moves(), [Move::PlaySupplies { cards: Supplies::default() }]);
}

#[test]
fn equal_cards_are_listed_once() {
    let mut situation = given(3);
    situation.hands[0] = vec![2, 2, 3];
    let mut table = situation.table();
    table.draft([0, 1], &[Farmer, Diplomat2, Diplomat5]);
    let played = [&[][..], &[2], &[2, 2], &[3], &[2, 3], &[2, 2, 3]];
    let moves = table.moves();
    assert_eq!(moves.len(), played.len());
    assert!(played.iter().all(|cards| moves.contains(&Move::PlaySupplies { cards: supplies(cards) })));
}
