//! R7: which refusal comes first.

use fereta::engine::*;

use crate::given::*;

fn place_estate(land: u8) -> Move {
    Move::PlaceEstate { land: place(land) }
}

fn choose(a: u8, b: u8) -> Move {
    Move::ChooseBattlefield { lands: [place(a), place(b)] }
}

fn take(card: ActionCard) -> Move {
    Move::TakeActionCard { card }
}

fn play(cards: &[u8]) -> Move {
    Move::PlaySupplies { cards: Supplies::asked(cards.iter().copied()) }
}

fn build(land: u8, face: Face) -> Move {
    Move::Build { land: place(land), face }
}

fn flip(land: u8) -> Move {
    Move::FlipBase { land: place(land) }
}

fn discard(cards: &[u8]) -> Move {
    Move::DiscardSupplies { cards: Supplies::asked(cards.iter().copied()) }
}

/// One move of each kind, none of which is legal anywhere.
fn hopeless() -> Vec<Move> {
    vec![
        place_estate(15),
        choose(15, 15),
        take(Mercenary),
        play(&[99; 6]),
        build(15, TradingPost),
        flip(15),
        discard(&[99; 9]),
    ]
}

#[test]
fn the_end_comes_before_everything() {
    let mut situation = given(3);
    situation.round = 9;
    let mut table = situation.table();
    table.battle([0, 1], &[Diplomat5, Diplomat2, Farmer], &[&[], &[], &[]]);
    assert_eq!(table.state.status(), Status::Ended);
    for number in 0..5 {
        for action in hopeless().into_iter().chain([Move::PassBuild]) {
            assert_eq!(table.refuses(number, action), RuleError::Ended);
        }
    }
    assert_eq!(RuleError::Ended.rule(), "R4.1");
}

#[test]
fn whose_decision_it_is_comes_before_which_kind_is_due_and_both_before_the_rest() {
    let mut situation = given(4);
    situation.hands = vec![vec![2; 5]; 4];
    let mut at = vec![(situation.laid(), 0, DecisionKind::PlaceEstate)];
    let mut table = situation.table();
    at.push((table.clone(), 1, DecisionKind::ChooseBattlefield));
    table.act(1, choose(0, 1));
    at.push((table.clone(), 0, DecisionKind::TakeActionCard));
    let mut table = situation.table();
    table.draft([0, 1], &[Builder, Farmer, Diplomat2, Traitor]);
    at.push((table.clone(), 0, DecisionKind::PlaySupplies));
    table.play(&[&[], &[], &[], &[]]);
    at.push((table.clone(), 0, DecisionKind::Build));
    table.act(0, Move::PassBuild);
    at.push((table, 1, DecisionKind::DiscardSupplies));
    for (table, decider, kind) in at {
        assert_eq!(table.decider(), (decider, kind));
        for action in hopeless() {
            for other in (0..5).filter(|number| *number != decider) {
                assert_eq!(table.refuses(other, action.clone()), RuleError::NotYourDecision);
            }
            let error = table.refuses(decider, action.clone());
            assert_eq!(error == RuleError::OtherDecisionDue, action.kind() != kind, "{action:?} at {kind:?}");
        }
    }
}

#[test]
fn placing_the_first_base() {
    let mut table = given(3).laid();
    table.act(0, place_estate(3));
    assert_eq!(table.refuses(1, place_estate(12)), RuleError::PlaceNoSuchLand);
    assert_eq!(table.refuses(1, place_estate(3)), RuleError::PlaceLandHasBase);
    assert_eq!(table.moves().len(), 11);
    let mut five = given(5).laid();
    five.act(0, place_estate(13));
    assert_eq!(five.refuses(1, place_estate(14)), RuleError::PlaceNoSuchLand);
}

#[test]
fn choosing_the_battlefield() {
    let mut situation = given(3);
    // Eagle at 0, 2, 4, 6, 8, 10 and now at 1.
    situation.lands[1].0 = Eagle;
    let table = situation.table();
    let no_such_land = RuleError::BattlefieldNoSuchLand;
    for lands in [choose(12, 0), choose(0, 12), choose(11, 12), choose(12, 13), choose(15, 15)] {
        assert_eq!(table.refuses(1, lands), no_such_land);
    }
    // Not neighbours comes before one house: 0 and 2 show the same.
    for lands in [choose(0, 2), choose(0, 0), choose(11, 1), choose(0, 10), choose(3, 5)] {
        assert_eq!(table.refuses(1, lands), RuleError::NotNeighbours);
    }
    for lands in [choose(0, 1), choose(1, 0), choose(1, 2)] {
        assert_eq!(table.refuses(1, lands), RuleError::SameHouse);
    }
}

#[test]
fn one_text_whatever_became_of_the_action_card() {
    let mut table = given(4).table();
    table.chance.aside = Some(Farmer);
    table.act(1, choose(0, 1));
    table.act(0, take(Traitor));
    // Kept by another, set aside, and not in the game.
    for card in [Traitor, Farmer, Mercenary] {
        assert_eq!(table.refuses(1, take(card)), RuleError::NotPassedToYou);
    }
}

#[test]
fn playing_supplies() {
    let mut situation = given(3);
    situation.hands[0] = vec![2, 2, 3, 4, 8];
    let mut table = situation.table();
    table.draft([0, 1], &[Farmer, Diplomat2, Diplomat5]);
    // More than five comes before not in hand.
    for cards in [&[2, 2, 3, 4, 8, 8][..], &[9; 6], &[1; 200]] {
        assert_eq!(table.refuses(0, play(cards)), RuleError::TooManyPlayed);
    }
    for cards in [&[2, 2, 2][..], &[5], &[8, 8], &[1], &[99]] {
        assert_eq!(table.refuses(0, play(cards)), RuleError::PlayedNotInHand);
    }
    let then = table.act(0, play(&[8, 2, 4, 3, 2]));
    assert_eq!(then[0].fact, SuppliesPlayed { cards: supplies(&[2, 2, 3, 4, 8]), seat: seat(0) }.into());
}

#[test]
fn building() {
    let mut situation = given(4);
    situation.bases = vec![(0, 0, TradingPost), (0, 1, TradingPost), (0, 2, Estate), (1, 3, Estate)];
    let build_turn = |situation: &Situation| {
        let mut table = situation.table();
        table.battle([6, 7], &[Builder, Farmer, Diplomat2, Traitor], &[&[], &[], &[], &[]]);
        table
    };
    let table = build_turn(&situation);
    // No base left comes before everything of the land and before the limit.
    for action in [build(15, TradingPost), build(3, TradingPost), build(4, TradingPost), build(4, Estate)] {
        assert_eq!(table.refuses(0, action), RuleError::NoBaseLeft);
    }
    assert_eq!(table.refuses(0, flip(12)), RuleError::BuildNoSuchLand);
    // No base of yours comes before the limit.
    for land in [3, 4] {
        assert_eq!(table.refuses(0, flip(land)), RuleError::NoBaseOfYours);
    }
    assert_eq!(table.refuses(0, flip(2)), RuleError::FaceLimit);

    situation.bases.remove(2);
    let table = build_turn(&situation);
    assert_eq!(table.refuses(0, build(12, TradingPost)), RuleError::BuildNoSuchLand);
    for land in [0, 3] {
        assert_eq!(table.refuses(0, build(land, TradingPost)), RuleError::BuildLandHasBase);
    }
    assert_eq!(table.refuses(0, build(2, TradingPost)), RuleError::FaceLimit);
    assert_eq!((RuleError::FaceLimit.rule(), RuleError::NoBaseLeft.rule()), ("R1.5", "R3.7"));
}

#[test]
fn discarding() {
    let mut situation = given(3);
    situation.hands[0] = vec![2, 2, 3, 4, 8];
    let mut table = situation.table();
    table.battle([0, 1], &[Farmer, Diplomat2, Diplomat5], &[&[], &[], &[]]);
    assert_eq!(table.hand(0), [2, 2, 2, 2, 2, 3, 4, 8]);
    // Not in hand comes before the count.
    for cards in [&[5][..], &[8, 8], &[8, 8, 8], &[9; 9], &[2; 200]] {
        assert_eq!(table.refuses(0, discard(cards)), RuleError::DiscardedNotInHand);
    }
    for cards in [&[][..], &[2], &[2, 2, 2, 3], &[2, 2, 2, 2, 2, 3, 4, 8]] {
        assert_eq!(table.refuses(0, discard(cards)), RuleError::DiscardCount);
    }
    table.act(0, discard(&[2, 8, 2]));
    assert_eq!(table.hand(0), [2, 2, 2, 3, 4]);
}
