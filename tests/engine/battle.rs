//! R3.4 to R3.8: the reveal, the battle, its payments, building, and the strategy card.

use fereta::engine::*;

use crate::given::*;

#[test]
fn without_a_traitor_diplomat_5_still_stands_in_for_a_united_table() {
    let mut situation = given(3);
    situation.allegiances = vec![Rose, Rose, Rose];
    let mut table = situation.table();
    let then = table.battle([0, 1], &[Farmer, Diplomat5, Strategist], &[&[], &[], &[]]);
    assert_eq!(changes(&then), [(1, Diplomat5, Eagle)]);
    assert_eq!(strengths(&then), (5, 0, Some(Eagle)));
    // Two wildernesses: one winner gets wilderness I; the stand-in is no Traitor.
    assert_eq!(payments(&then), [(1, 3, AwardReason::Land), (2, 2, AwardReason::Strategist)]);
    assert_eq!(table.houses(), [Rose, Eagle, Rose]);
}

#[test]
fn diplomat_5_stays_when_the_traitor_leaves_two_houses() {
    let mut table = given(4).table();
    let then = table.battle([0, 1], &[Diplomat5, Traitor, Farmer, Diplomat2], &[&[], &[], &[], &[]]);
    assert_eq!(changes(&then), [(1, Traitor, Eagle)]);
}

#[test]
fn a_traitor_may_break_up_a_united_table() {
    let mut situation = given(3);
    situation.allegiances = vec![Eagle, Eagle, Eagle];
    let mut table = situation.table();
    let then = table.battle([0, 1], &[Diplomat5, Traitor, Farmer], &[&[], &[], &[]]);
    assert_eq!(changes(&then), [(1, Traitor, Rose)]);
}

#[test]
fn a_united_table_without_diplomat_5_stays() {
    let mut situation = given(3);
    situation.allegiances = vec![Eagle, Eagle, Eagle];
    let mut table = situation.table();
    let then = table.battle([0, 1], &[Diplomat2, Strategist, Farmer], &[&[], &[], &[]]);
    assert_eq!(changes(&then), []);
    assert_eq!(strengths(&then), (2, 0, Some(Eagle)));
}

#[test]
fn a_change_of_allegiance_lasts() {
    let mut situation = given(4);
    situation.hands = vec![vec![2, 2]; 4];
    let mut table = situation.table();
    table.battle([0, 1], &[Traitor, Strategist, Farmer, Diplomat2], &[&[], &[], &[], &[]]);
    assert_eq!(table.houses(), [Rose, Rose, Eagle, Rose]);
    assert_eq!(table.decider(), (1, DecisionKind::ChooseBattlefield));
}

#[test]
fn a_tie_turns_nothing_and_pays_no_land_and_no_mercenary() {
    let mut situation = given(4);
    situation.options.mercenary = true;
    situation.hands = vec![vec![], vec![], vec![], vec![]];
    let mut table = situation.table();
    // Eagle: Mercenary 3 and Strategist. Rose: Diplomat[2] and the Traitor, who joins Eagle.
    let mut hands = situation.clone();
    hands.hands = vec![vec![], vec![], vec![2], vec![3]];
    let mut tied = hands.table();
    let then = table.battle([0, 1], &[Mercenary, Diplomat2, Strategist, Farmer], &[&[], &[], &[], &[]]);
    assert_eq!(strengths(&then), (3, 2, Some(Eagle)));
    assert_eq!(
        payments(&then),
        [
            (0, 2, AwardReason::Land),
            (2, 2, AwardReason::Land),
            (2, 2, AwardReason::Strategist),
            (0, 1, AwardReason::Mercenary)
        ]
    );
    let then = tied.battle([0, 1], &[Mercenary, Diplomat2, Strategist, Traitor], &[&[], &[], &[2], &[]]);
    assert_eq!(strengths(&then), (5, 2, Some(Eagle)));
    let mut tied = hands.table();
    let then = tied.battle([0, 1], &[Mercenary, Diplomat2, Strategist, Farmer], &[&[], &[], &[2], &[3]]);
    assert_eq!(strengths(&then), (5, 5, None));
    assert!(!then.iter().any(|fact| matches!(fact, Fact::LandTurned(_))));
    assert_eq!(payments(&then), [(2, 2, AwardReason::Strategist)]);
    // The border is still there.
    assert!(tied.moves().contains(&Move::ChooseBattlefield { lands: [place(0), place(1)] }));
}

#[test]
fn a_losing_mercenary_is_not_paid() {
    let mut situation = given(4);
    situation.options.mercenary = true;
    let mut table = situation.table();
    let then = table.battle([0, 1], &[Mercenary, Diplomat5, Farmer, Traitor], &[&[], &[], &[], &[]]);
    assert_eq!(strengths(&then), (3, 5, Some(Rose)));
    assert_eq!(payments(&then), [(1, 3, AwardReason::Land), (3, 1, AwardReason::Traitor)]);
}

#[test]
fn land_points_are_paid_in_turn_order_and_by_the_losing_land() {
    let mut situation = given(5);
    situation.lands[0] = (Eagle, line::CITY);
    situation.lands[1] = (Rose, line::MEADOW);
    let mut table = situation.table();
    let then = table.battle([0, 1], &[Farmer, Diplomat5, Diplomat2, Builder, Traitor], &[&[], &[], &[], &[], &[]]);
    // Seat 4 leaves Eagle: Rose has seats 1, 3, 4 and 3 + 5; Eagle 15 + 2. The meadow turns to Eagle.
    assert_eq!(strengths(&then), (17, 8, Some(Eagle)));
    assert_eq!(payments(&then), [(0, 3, AwardReason::Land), (2, 3, AwardReason::Land), (4, 1, AwardReason::Traitor)]);
    assert_eq!(table.decider(), (3, DecisionKind::Build));
}

#[test]
fn a_payment_of_0_is_none() {
    let mut situation = given(4);
    for land in &mut situation.card_set.lands {
        land.points = [1, 0, 0, 0, 0];
    }
    let mut table = situation.table();
    let then = table.battle([0, 1], &[Diplomat5, Diplomat2, Farmer, Strategist], &[&[], &[], &[], &[]]);
    assert!(then.iter().any(|fact| matches!(fact, Fact::LandTurned(_))));
    assert_eq!(payments(&then), [(3, 2, AwardReason::Strategist)]);
}

#[test]
fn the_strategy_card_stays_if_nobody_chose_the_strategist() {
    let mut table = given(4).table();
    let then = table.battle([0, 1], &[Diplomat5, Diplomat2, Farmer, Traitor], &[&[], &[], &[], &[]]);
    assert!(!then.iter().any(|fact| matches!(fact, Fact::StrategyCardGiven(_))));
    assert_eq!(table.decider(), (1, DecisionKind::ChooseBattlefield));
}

#[test]
fn the_builder_builds_before_the_refill_and_draws_at_once() {
    let mut situation = given(4);
    situation.bases = vec![(0, 0, TradingPost)];
    let mut table = situation.table();
    table.battle([4, 5], &[Builder, Diplomat2, Farmer, Strategist], &[&[], &[], &[], &[]]);
    assert_eq!(table.decider(), (0, DecisionKind::Build));
    let then = facts(&table.act(0, Move::Build { land: place(2), face: Estate }));
    assert_eq!(
        then,
        [
            BaseBuilt { face: Estate, land: place(2), seat: seat(0) }.into(),
            StrategyCardGiven { seat: seat(3) }.into(),
            PlayedSuppliesDiscarded { cards: Box::default() }.into(),
            SuppliesDrawn { count: 3, seat: seat(2), source: DrawSource::Farmer }.into(),
            SuppliesDrawn { count: 1, seat: seat(0), source: DrawSource::Estates }.into(),
            SuppliesDrawn { count: 1, seat: seat(1), source: DrawSource::Diplomat2 }.into(),
            RoundStarted { first_player: seat(1), round: 2 }.into(),
        ]
    );
}

#[test]
fn a_base_may_be_turned_over_both_ways() {
    let mut situation = given(4);
    situation.bases = vec![(0, 0, TradingPost), (0, 1, Estate), (1, 2, Estate)];
    let mut table = situation.table();
    table.battle([4, 5], &[Builder, Diplomat2, Farmer, Strategist], &[&[], &[], &[], &[]]);
    for (land, face) in [(0, Estate), (1, TradingPost)] {
        let then = table.clone().act(0, Move::FlipBase { land: place(land) });
        assert_eq!(then[0].fact, BaseFlipped { face, land: place(land), seat: seat(0) }.into());
    }
    let then = table.act(0, Move::PassBuild);
    assert_eq!(then[0].fact, BuildPassed { seat: seat(0) }.into());
}

#[test]
fn two_trading_posts_are_the_limit() {
    let mut situation = given(4);
    situation.bases = vec![(0, 0, TradingPost), (0, 1, TradingPost), (0, 2, Estate)];
    let mut table = situation.table();
    table.battle([4, 5], &[Builder, Diplomat2, Farmer, Strategist], &[&[], &[], &[], &[]]);
    let flips = [0, 1].map(|land| Move::FlipBase { land: place(land) });
    assert_eq!(table.moves(), [&flips[..], &[Move::PassBuild]].concat());
    assert_eq!(table.refuses(0, Move::FlipBase { land: place(2) }), RuleError::FaceLimit);

    situation.bases.pop();
    let mut table = situation.table();
    table.battle([4, 5], &[Builder, Diplomat2, Farmer, Strategist], &[&[], &[], &[], &[]]);
    let built = |face| {
        table
            .moves()
            .iter()
            .filter(|action| matches!(action, Move::Build { face: built, .. } if *built == face))
            .count()
    };
    assert_eq!((built(Estate), built(TradingPost)), (10, 0));
    assert_eq!(table.refuses(0, Move::Build { land: place(2), face: TradingPost }), RuleError::FaceLimit);
}

#[test]
fn three_estates_are_allowed() {
    let mut situation = given(4);
    situation.bases = vec![(0, 0, Estate), (0, 1, Estate)];
    let mut table = situation.table();
    table.battle([4, 5], &[Builder, Diplomat2, Farmer, Strategist], &[&[], &[], &[], &[]]);
    table.act(0, Move::Build { land: place(2), face: Estate });
    assert_eq!(table.state.view(Viewer::Spectator).bases(seat(0), Estate), 3);
}

#[test]
fn the_fifteenth_base_can_never_be_placed() {
    let mut situation = given(5);
    situation.bases = (0..14).map(|land| (land % 5, land, Estate)).collect();
    let mut table = situation.table();
    table.draft([0, 1], &[Farmer, Diplomat2, Diplomat5, Strategist, Builder]);
    table.play(&[&[], &[], &[], &[], &[]]);
    assert_eq!(table.decider(), (4, DecisionKind::Build));
    assert!(table.moves().iter().all(|action| !matches!(action, Move::Build { .. })));
    assert_eq!(table.refuses(4, Move::Build { land: place(0), face: Estate }), RuleError::BuildLandHasBase);
    table.act(4, Move::PassBuild);
}

#[test]
fn the_first_player_card_goes_left_and_all_is_taken_back() {
    let mut situation = given(3);
    situation.hands = vec![vec![2], vec![], vec![]];
    let mut table = situation.table();
    table.battle([0, 1], &[Diplomat5, Diplomat2, Farmer], &[&[2], &[], &[]]);
    let view = table.state.view(Viewer::Seat(seat(0)));
    assert_eq!((view.round, view.first_player), (2, Some(seat(1))));
    assert_eq!((view.battlefield, view.battle), (None, None));
    assert!(view.seats.iter().all(|seat| seat.played.is_none() && !seat.has_kept && seat.action_card.is_none()));
}
