//! The worked examples of R8, one test each. P1 is seat 0.

use fereta::engine::*;

use crate::given::*;

/// Two lands first, which are the battlefield [0, 1]; the others behind them.
fn with_battlefield(mut situation: Situation, eagle: u8, rose: u8) -> Situation {
    let rest = |house| {
        let lines = situation.lands.iter().map(|(_, line)| *line).collect::<std::collections::BTreeSet<_>>();
        let fought = if house == Eagle { eagle } else { rose };
        lines.into_iter().filter(move |line| *line != fought).map(move |line| (house, line)).collect::<Vec<_>>()
    };
    situation.lands = [vec![(Eagle, eagle), (Rose, rose)], rest(Rose), rest(Eagle)].concat();
    situation
}

#[test]
fn example_1_the_traitor_makes_three_winners() {
    let mut situation = with_battlefield(given(4), line::VILLAGE, line::RIVER);
    situation.hands = vec![vec![4], vec![3, 5], vec![6], vec![2]];
    let mut table = situation.table();
    let then = table.battle([0, 1], &[Farmer, Diplomat2, Traitor, Strategist], &[&[4], &[5, 3], &[], &[2]]);
    assert_eq!(
        then[..9],
        [
            ActionCardsRevealed { cards: by_seat(&[Farmer, Diplomat2, Traitor, Strategist]) }.into(),
            AllegianceChanged { card: Traitor, house: Rose, seat: seat(2) }.into(),
            BattleFought { eagle: 14, rose: 17, winner: Some(Rose) }.into(),
            LandTurned { house: Rose, land: place(0) }.into(),
            PointsAwarded { points: 5, reason: AwardReason::Land, seat: seat(1) }.into(),
            PointsAwarded { points: 5, reason: AwardReason::Land, seat: seat(2) }.into(),
            PointsAwarded { points: 5, reason: AwardReason::Land, seat: seat(3) }.into(),
            PointsAwarded { points: 1, reason: AwardReason::Traitor, seat: seat(2) }.into(),
            PointsAwarded { points: 2, reason: AwardReason::Strategist, seat: seat(3) }.into(),
        ]
    );
    assert_eq!(then[9], StrategyCardGiven { seat: seat(3) }.into());
    assert_eq!(table.scores(), [0, 5, 6, 7]);
}

#[test]
fn example_2_the_diplomat_stands_in_when_all_are_of_one_house() {
    let mut situation = with_battlefield(given(3), line::FOREST, line::RIVER);
    situation.hands = vec![vec![8], vec![2], vec![3]];
    let mut table = situation.table();
    let then = table.battle([0, 1], &[Diplomat5, Traitor, Farmer], &[&[8], &[2], &[3]]);
    assert_eq!(changes(&then), [(1, Traitor, Eagle), (0, Diplomat5, Rose)]);
    assert_eq!(strengths(&then), (7 + 2 + 3, 5 + 8 + 5, Some(Rose)));
    assert_eq!(payments(&then), [(0, 8, AwardReason::Land), (1, 1, AwardReason::Traitor)]);
}

#[test]
fn example_3_a_house_without_players_has_its_land_alone() {
    let mut situation = with_battlefield(given(3), line::MEADOW, line::CITY);
    situation.hands = vec![vec![2], vec![], vec![]];
    let mut table = situation.table();
    let then = table.battle([0, 1], &[Farmer, Traitor, Builder], &[&[2], &[], &[]]);
    assert_eq!(changes(&then), [(1, Traitor, Eagle)]);
    assert_eq!(strengths(&then), (5, 15, Some(Rose)));
    assert!(then.contains(&LandTurned { house: Rose, land: place(0) }.into()));
    assert_eq!(payments(&then), [(1, 1, AwardReason::Traitor)]);
}

#[test]
fn example_4_nobody_draws_more_than_three() {
    let mut situation = given(4);
    situation.bases = vec![(0, 0, Estate), (0, 2, Estate), (0, 4, Estate)];
    let mut table = situation.table();
    let then = table.battle([6, 7], &[Farmer, Diplomat2, Diplomat5, Strategist], &[&[], &[], &[], &[]]);
    assert_eq!(draws(&then), [(0, DrawSource::Farmer, 3), (1, DrawSource::Diplomat2, 1)]);
}

#[test]
fn example_5_lost_draws() {
    let mut situation = given(4);
    situation.hands = vec![vec![2, 2, 2, 2, 2], vec![3; 5], vec![4; 5], vec![5; 5]];
    situation.deck = vec![6];
    situation.discards = vec![6, 8];
    situation.bases = vec![(0, 0, Estate), (1, 1, Estate), (2, 2, Estate), (3, 3, Estate)];
    let mut table = situation.table();
    let then = table.battle([6, 7], &[Farmer, Diplomat2, Diplomat5, Strategist], &[&[], &[], &[], &[]]);
    let refill = then.iter().position(|fact| matches!(fact, Fact::PlayedSuppliesDiscarded(_))).unwrap();
    assert_eq!(
        then[refill..],
        [
            PlayedSuppliesDiscarded { cards: Box::default() }.into(),
            SuppliesDrawn { count: 1, seat: seat(0), source: DrawSource::Farmer }.into(),
            DeckShuffled { count: 2, reshuffle: 1 }.into(),
            SuppliesDrawn { count: 2, seat: seat(0), source: DrawSource::Farmer }.into(),
            DrawLost { seat: seat(1), source: DrawSource::Estates }.into(),
            DrawLost { seat: seat(2), source: DrawSource::Estates }.into(),
            DrawLost { seat: seat(3), source: DrawSource::Estates }.into(),
            DrawLost { seat: seat(1), source: DrawSource::Diplomat2 }.into(),
        ]
    );
    assert_eq!(table.hand(0), [2, 2, 2, 2, 2, 6, 6, 8]);
    assert_eq!(table.decider(), (0, DecisionKind::DiscardSupplies));
    let then = facts(&table.act(0, Move::DiscardSupplies { cards: supplies(&[8, 2, 6]) }));
    assert_eq!(
        then,
        [
            SuppliesDiscarded { cards: supplies(&[2, 6, 8]), seat: seat(0) }.into(),
            RoundStarted { first_player: seat(1), round: 2 }.into(),
        ]
    );
    assert_eq!(table.state.view(Viewer::Spectator).discards, [2, 6, 8]);
}

#[test]
fn example_6_down_to_five() {
    let mut situation = given(4);
    situation.hands = vec![vec![3; 4], vec![2; 5], vec![], vec![]];
    situation.deck = vec![8, 6, 5];
    let mut table = situation.table();
    table.battle([0, 1], &[Farmer, Traitor, Diplomat5, Strategist], &[&[], &[], &[], &[]]);
    assert_eq!(table.hand(0).len(), 7);
    assert_eq!(table.decider(), (0, DecisionKind::DiscardSupplies));
    table.act(0, Move::DiscardSupplies { cards: supplies(&[3, 8]) });
    assert_eq!(table.hand(0), [3, 3, 3, 5, 6]);
    // The hand of five that drew nothing discards nothing: the next round has begun.
    assert_eq!(table.decider(), (3, DecisionKind::ChooseBattlefield));
}

#[test]
fn example_7_trading_posts() {
    let mut situation = given(4);
    situation.round = 8;
    situation.hands = vec![vec![2; 5], vec![3, 3], vec![4; 3], vec![]];
    situation.bases =
        vec![(0, 0, TradingPost), (0, 1, TradingPost), (1, 2, TradingPost), (2, 3, Estate), (3, 4, TradingPost)];
    let mut table = situation.table();
    let then = table.battle([6, 7], &[Diplomat5, Traitor, Diplomat2, Farmer], &[&[], &[], &[], &[]]);
    let bonus: Vec<_> =
        payments(&then).into_iter().filter(|(_, _, reason)| *reason == AwardReason::TradingPosts).collect();
    // The last seat's farmer fills his hand to three.
    assert_eq!(
        bonus,
        [(0, 6, AwardReason::TradingPosts), (1, 2, AwardReason::TradingPosts), (3, 3, AwardReason::TradingPosts)]
    );
    assert_eq!(table.state.status(), Status::Ended);
}
