//! R4: the end, its bonus and its ranks.

use fereta::engine::*;

use crate::given::*;

fn last_border() -> Situation {
    let mut situation = given(4);
    for (house, _) in &mut situation.lands {
        *house = Eagle;
    }
    situation.lands[3].0 = Rose;
    situation
}

#[test]
fn the_game_ends_when_all_lands_show_one_house_and_the_round_is_completed() {
    let mut situation = last_border();
    situation.hands = vec![vec![8, 8, 8, 8, 8], vec![], vec![], vec![2, 2]];
    situation.bases = vec![(3, 0, TradingPost)];
    let mut table = situation.table();
    let then = table.battle([3, 4], &[Farmer, Diplomat2, Diplomat5, Traitor], &[&[], &[], &[], &[]]);
    assert!(then.contains(&LandTurned { house: Eagle, land: place(3) }.into()));
    assert_eq!(table.decider(), (0, DecisionKind::DiscardSupplies));
    let then = facts(&table.act(0, Move::DiscardSupplies { cards: supplies(&[2, 2, 2]) }));
    assert_eq!(
        then[1..],
        [
            PointsAwarded { points: 2, reason: AwardReason::TradingPosts, seat: seat(3) }.into(),
            GameEnded { ranks: by_seat(&[2, 4, 2, 1]), reason: EndReason::OneHouse, scores: by_seat(&[2, 0, 2, 5]) }
                .into(),
        ]
    );
    assert_eq!(table.state.status(), Status::Ended);
    assert_eq!(table.state.decision(), None);
    let public = table.state.view(Viewer::Spectator);
    assert_eq!(public.set_aside, Some(Strategist));
    assert!(public.deck.is_some() && public.seats.iter().all(|seat| seat.hand.is_some() && seat.rank.is_some()));
}

#[test]
fn a_tie_at_the_last_border_ends_nothing() {
    let mut situation = last_border();
    situation.hands[1] = vec![5];
    situation.lands[3].1 = line::WILDERNESS;
    situation.lands[4].1 = line::WILDERNESS;
    let mut table = situation.table();
    let then = table.battle([3, 4], &[Diplomat5, Strategist, Farmer, Traitor], &[&[], &[5], &[], &[]]);
    assert_eq!(strengths(&then), (5, 5, None));
    assert_eq!(table.decider(), (1, DecisionKind::ChooseBattlefield));
}

#[test]
fn the_last_round_ends_the_game_for_each_number_of_players() {
    for (players, rounds) in [(3, 9), (4, 8), (5, 10)] {
        let mut situation = given(players);
        situation.round = rounds;
        let mut table = situation.table();
        let cards = [Diplomat5, Diplomat2, Farmer, Traitor, Strategist];
        let plays = [&[][..]; 5];
        let count = usize::from(players);
        let then = table.battle([0, 1], &cards[..count], &plays[..count]);
        assert!(matches!(then.last(), Some(Fact::GameEnded(ended)) if ended.reason == EndReason::LastRound));
        assert!(!then.iter().any(|fact| matches!(fact, Fact::RoundStarted(_))));
    }
}

#[test]
fn equal_scores_share_a_rank() {
    let mut situation = given(4);
    situation.round = 8;
    let mut table = situation.table();
    for (number, points) in [(0, 9), (1, 9), (2, 3), (3, 9)] {
        table.record(open(PointsAwarded { points, reason: AwardReason::Land, seat: seat(number) }));
    }
    table.record(open(RoundStarted { first_player: seat(0), round: 8 }));
    let then = table.battle([0, 1], &[Farmer, Diplomat5, Diplomat2, Builder], &[&[], &[], &[], &[]]);
    assert_eq!(payments(&then), [(1, 2, AwardReason::Land), (3, 2, AwardReason::Land)]);
    let then = facts(&table.act(3, Move::PassBuild));
    let ended =
        GameEnded { ranks: by_seat(&[3, 1, 4, 1]), reason: EndReason::LastRound, scores: by_seat(&[9, 11, 3, 11]) };
    assert_eq!(then.last(), Some(&ended.into()));
}

#[test]
fn the_bonus_is_paid_in_turn_order() {
    let mut situation = given(4);
    situation.hands = vec![vec![2; 4]; 4];
    situation.bases = (0..4).map(|number| (number, number, TradingPost)).collect();
    let mut table = situation.table();
    table.record(open(RoundStarted { first_player: seat(2), round: 8 }));
    let then = table.battle([6, 7], &[Traitor, Diplomat5, Diplomat2, Strategist], &[&[], &[], &[], &[]]);
    let paid: Vec<_> = payments(&then)
        .into_iter()
        .filter(|(_, _, reason)| *reason == AwardReason::TradingPosts)
        .map(|(seat, points, _)| (seat, points))
        .collect();
    assert_eq!(paid, [(2, 3), (3, 3), (0, 3), (1, 3)]);
}
