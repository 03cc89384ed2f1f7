//! R3.1 and R3.2: the battlefield and the action cards.

use fereta::engine::*;

use crate::given::*;

#[test]
fn the_draft_shrinks_from_player_to_player() {
    let all = [Traitor, Strategist, Diplomat5, Diplomat2, Builder, Farmer, Mercenary];
    for players in [3, 4, 5] {
        for mercenary in [false, true] {
            let mut situation = given(players);
            situation.options.mercenary = mercenary;
            let mut table = situation.table();
            let in_game = if mercenary { 7 } else { 6 };
            let kept: Vec<_> = all[1..].iter().copied().take(usize::from(players)).collect();
            let then = table.draft([0, 1], &kept);
            let mut expected: Vec<Fact> = vec![
                BattlefieldChosen { lands: [place(0), place(1)], seat: seat(1) }.into(),
                ActionCardsShuffled { count: in_game }.into(),
            ];
            for number in 0..players {
                expected.push(ActionCardsPassed { count: in_game - 1 - number, seat: seat(number) }.into());
                expected.push(ActionCardKept { seat: seat(number) }.into());
            }
            let left = in_game - 1 - players;
            expected.push(ActionCardsLeft { count: left, seat: seat(players - 1) }.into());
            assert_eq!(facts(&then), expected, "{players} players, mercenary {mercenary}");
            let Some(Secret::ActionCards(secret)) = &then.last().unwrap().secret else { panic!("the cards left") };
            let others = &all[usize::from(players) + 1..usize::from(in_game)];
            assert_eq!(secret.cards.iter().collect::<Vec<_>>(), others);
            assert_eq!(table.decider(), (0, DecisionKind::PlaySupplies));
        }
    }
}

#[test]
fn the_last_of_five_is_passed_a_single_card_and_still_decides() {
    let mut table = given(5).table();
    table.chance.aside = Some(Farmer);
    table.act(1, Move::ChooseBattlefield { lands: [place(1), place(0)] });
    for (number, card) in [Traitor, Builder, Diplomat5, Diplomat2].into_iter().enumerate() {
        table.act(number as u8, Move::TakeActionCard { card });
    }
    assert_eq!(table.decider(), (4, DecisionKind::TakeActionCard));
    assert_eq!(table.moves(), [Move::TakeActionCard { card: Strategist }]);
}

#[test]
fn who_sees_what_in_the_draft() {
    let mut table = given(3).table();
    table.chance.aside = Some(Strategist);
    let then = table.act(1, Move::ChooseBattlefield { lands: [place(0), place(1)] });
    let shown = |event: &Event, viewer| event.seen(viewer, Status::Running).secret.is_some();
    let viewers = [Viewer::Seat(seat(0)), Viewer::Seat(seat(1)), Viewer::Seat(seat(2)), Viewer::Spectator];
    let shown_to = |event: &Event| viewers.map(|viewer| shown(event, viewer));
    assert_eq!(shown_to(&then[1]), [false; 4]);
    assert_eq!(shown_to(&then[2]), [true, false, false, false]);
    let kept = table.act(0, Move::TakeActionCard { card: Farmer });
    assert_eq!(shown_to(&kept[0]), [true, false, false, false]);
    assert_eq!(shown_to(&kept[1]), [false, true, false, false]);
    table.act(1, Move::TakeActionCard { card: Builder });
    let kept = table.act(2, Move::TakeActionCard { card: Traitor });
    assert_eq!(shown_to(&kept[1]), [false, false, true, false]);
    let own = |number| table.state.view(Viewer::Seat(seat(number))).seats[usize::from(number)].clone();
    assert_eq!(own(0).action_card, Some(Farmer));
    assert_eq!(own(2).passed.unwrap().iter().collect::<Vec<_>>(), [Traitor, Diplomat5, Diplomat2]);
    let public = table.state.view(Viewer::Spectator);
    assert!(public.seats.iter().all(|seat| seat.has_kept && seat.action_card.is_none() && seat.passed.is_none()));
    assert_eq!((public.set_aside, public.left_over, public.deck), (None, None, None));
}

#[test]
fn borders_lie_between_houses_and_close_at_the_seam() {
    let mut situation = given(3);
    situation.lands = [Eagle, Rose, Rose, Rose, Rose, Rose, Rose, Rose, Rose, Rose, Rose, Rose]
        .into_iter()
        .zip((0..6).flat_map(|line| [line, line]))
        .collect();
    let table = situation.table();
    let chosen = |a, b| Move::ChooseBattlefield { lands: [place(a), place(b)] };
    assert_eq!(table.moves(), [chosen(0, 1), chosen(11, 0)]);
    for (asked, said) in [((0, 1), [0, 1]), ((1, 0), [0, 1]), ((11, 0), [11, 0]), ((0, 11), [11, 0])] {
        let then = table.clone().act(1, chosen(asked.0, asked.1));
        assert_eq!(then[0].fact, BattlefieldChosen { lands: said.map(place), seat: seat(1) }.into());
    }
}
