//! R1.6: which card sets can be played with, and which field is named if one cannot.

use fereta::engine::*;

use crate::given::*;

#[track_caller]
fn refused(players: u8, opening_hand: OpeningHand, change: impl FnOnce(&mut CardSet)) -> String {
    let mut card_set = CardSet::default();
    change(&mut card_set);
    let error = card_set.check(players, opening_hand).expect_err("an unplayable card set");
    let options = Options { opening_hand, mercenary: false };
    let create = Command::Create(NewTable { players, options, card_set: card_set.into(), ..NewTable::default() });
    assert_eq!(State::default().decide(&create, &mut Stacked::default()), Err(RuleError::CardSet));
    error.field
}

#[track_caller]
fn accepted(players: u8, opening_hand: OpeningHand, change: impl FnOnce(&mut CardSet)) {
    let mut card_set = CardSet::default();
    change(&mut card_set);
    assert_eq!(card_set.check(players, opening_hand), Ok(()));
}

use OpeningHand::{Dealt, Fixed};

#[test]
fn the_default_set_fits_every_table() {
    for players in [3, 4, 5] {
        accepted(players, Dealt, |_| ());
        accepted(players, Fixed, |_| ());
    }
}

#[test]
fn rounds_are_1_to_20() {
    assert_eq!(refused(4, Dealt, |set| set.rounds.three = 0), "rounds.three");
    assert_eq!(refused(4, Dealt, |set| set.rounds.four = 21), "rounds.four");
    assert_eq!(refused(4, Dealt, |set| set.rounds.five = 0), "rounds.five");
    accepted(3, Dealt, |set| set.rounds = Rounds { three: 1, four: 20, five: 20 });
}

#[test]
fn lands_are_3_to_8_and_enough_for_the_players() {
    assert_eq!(refused(3, Dealt, |set| set.lands.truncate(2)), "lands");
    assert_eq!(refused(3, Dealt, |set| set.lands.extend_from_within(..2)), "lands");
    accepted(5, Dealt, |set| set.lands.extend_from_within(..1));
    accepted(5, Dealt, |set| set.lands.truncate(3));
    let two_of_three = |set: &mut CardSet| {
        set.lands.truncate(3);
        set.lands[0].five_players_only = true;
    };
    accepted(4, Dealt, two_of_three);
    let one_of_three = |set: &mut CardSet| {
        two_of_three(set);
        set.lands[2].five_players_only = true;
    };
    assert_eq!(refused(3, Dealt, one_of_three), "lands");
    accepted(5, Dealt, one_of_three);
}

#[test]
fn strengths_and_points_are_0_to_99_and_points_never_rise() {
    assert_eq!(refused(3, Dealt, |set| set.lands[2].strength = 100), "lands[2].strength");
    assert_eq!(refused(3, Dealt, |set| set.lands[0].points[0] = 100), "lands[0].points[0]");
    assert_eq!(refused(3, Dealt, |set| set.lands[4].points = [9, 6, 7, 4, 3]), "lands[4].points[2]");
    // Also in a line that this number of players does not use.
    assert_eq!(refused(3, Dealt, |set| set.lands[6].strength = 100), "lands[6].strength");
    accepted(3, Dealt, |set| set.lands[0].points = [0; 5]);
    accepted(3, Dealt, |set| set.lands[0].points = [99; 5]);
}

#[test]
fn supply_values_are_1_to_99_and_rise() {
    assert_eq!(refused(3, Dealt, |set| set.supplies[0].value = 0), "supplies[0].value");
    assert_eq!(refused(3, Dealt, |set| set.supplies[5].value = 100), "supplies[5].value");
    assert_eq!(refused(3, Dealt, |set| set.supplies[1].value = 2), "supplies[1].value");
    accepted(3, Dealt, |set| set.supplies[5].value = 99);
}

#[test]
fn supply_cards_are_3_for_each_player_to_200() {
    let nine = |set: &mut CardSet| {
        set.supplies = vec![SupplyLine { value: 1, count: 9, five_players_extra: 6 }];
    };
    accepted(3, Dealt, nine);
    assert_eq!(refused(4, Dealt, nine), "supplies");
    accepted(5, Dealt, nine);
    assert_eq!(refused(3, Dealt, |set| set.supplies.clear()), "supplies");
    let many = |count, five_players_extra| {
        move |set: &mut CardSet| set.supplies = vec![SupplyLine { value: 1, count, five_players_extra }]
    };
    accepted(5, Dealt, many(199, 1));
    accepted(4, Dealt, many(200, 1));
    assert_eq!(refused(5, Dealt, many(200, 1)), "supplies");
    assert_eq!(refused(4, Dealt, many(201, 0)), "supplies[0].count");
    assert_eq!(refused(4, Dealt, many(12, 201)), "supplies[0].five_players_extra");
}

#[test]
fn the_fixed_hand_needs_a_3_a_4_and_a_5_for_each_player() {
    for line in [1, 2, 3] {
        let three = |set: &mut CardSet| set.supplies[line].count = 3;
        accepted(3, Fixed, three);
        assert_eq!(refused(4, Fixed, three), "supplies");
        accepted(4, Dealt, three);
        // With 5 players the extra card counts.
        accepted(5, Fixed, |set| set.supplies[line].count = 4);
    }
}

#[test]
fn a_card_set_of_just_the_fixed_hands_leaves_a_deck_of_0() {
    let mut situation = given(3);
    situation.options.opening_hand = Fixed;
    situation.card_set.supplies = [3, 4, 5].map(|value| SupplyLine { value, count: 3, five_players_extra: 0 }).to_vec();
    situation.card_set.check(3, Fixed).unwrap();
    let mut table = situation.laid();
    let mut then = Vec::new();
    for number in 0..3 {
        then = facts(&table.act(number, Move::PlaceEstate { land: place(number) }));
    }
    assert_eq!(
        then[1..],
        [
            SuppliesDealt { count: 3, seat: seat(0) }.into(),
            SuppliesDealt { count: 3, seat: seat(1) }.into(),
            SuppliesDealt { count: 3, seat: seat(2) }.into(),
            DeckShuffled { count: 0, reshuffle: 0 }.into(),
            RoundStarted { first_player: seat(0), round: 1 }.into(),
        ]
    );
}

#[test]
fn a_game_keeps_its_card_set_and_counts_its_rounds_by_it() {
    let mut situation = given(3);
    situation.card_set.rounds.three = 2;
    let mut table = situation.table();
    table.battle([0, 1], &[Diplomat5, Diplomat2, Farmer], &[&[], &[], &[]]);
    assert_eq!(table.state.view(Viewer::Spectator).rounds, 2);
    table.battle([2, 3], &[Diplomat5, Diplomat2, Farmer], &[&[], &[], &[]]);
    assert_eq!(table.state.status(), Status::Ended);
}
