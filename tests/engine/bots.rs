//! Bots that take a seat: at an open table, and in a running game where a player gives his seat up.

use fereta::engine::*;

use crate::games::{Manner, kinds, play};
use crate::given::*;

fn sit_down(entropy_from: EntropySource) -> Command {
    Command::TakeSeat { seat: None, entropy: Bytes32::default(), entropy_from }
}

fn assign(number: u8, level: BotLevel) -> Command {
    Command::AssignBot { seat: seat(number), level, version: 7 }
}

fn decided(state: &State, command: &Command) -> Result<Vec<Fact>, RuleError> {
    state.decide(command, &mut Stacked::default()).map(|events| facts(&events))
}

/// A table that a bot sits at in seat 0 and a player in seat 1.
fn open_table(rules: u16) -> State {
    let mut state = State::default();
    let create = Command::Create(NewTable { players: 3, rules, ..NewTable::default() });
    for command in [create, sit_down(EntropySource::Bot), sit_down(EntropySource::Player)] {
        state.advance(&command, &mut Stacked::default(), &mut Vec::new()).unwrap();
    }
    state
}

fn bots(state: &State) -> Vec<Option<BotLevel>> {
    state.view(Viewer::Spectator).seats.iter().map(|seat| seat.bot).collect()
}

#[test]
fn a_bot_that_sits_down_says_which_it_is_until_it_gets_up() {
    let mut state = open_table(RULES_VERSION);
    assert_eq!(bots(&state), [None; 3]);
    for level in BotLevel::ALL {
        let assigned = BotAssigned { level, seat: seat(0), version: 7 };
        assert_eq!(decided(&state, &assign(0, level)), Ok(vec![assigned.into()]));
    }
    let advance = |state: &mut State, command: Command| {
        state.advance(&command, &mut Stacked::default(), &mut Vec::new()).unwrap();
    };
    advance(&mut state, assign(0, BotLevel::Hard));
    assert_eq!((bots(&state), state.bot(seat(0))), (vec![Some(BotLevel::Hard), None, None], Some(BotLevel::Hard)));
    advance(&mut state, Command::LeaveSeat { seat: seat(0) });
    assert_eq!(bots(&state), [None; 3]);
    advance(&mut state, sit_down(EntropySource::Server));
    assert_eq!(decided(&state, &assign(0, BotLevel::Easy)), Err(RuleError::SeatTaken), "a player sits there now");
}

#[test]
fn a_bot_takes_no_seat_at_an_open_table_that_it_did_not_sit_down_in() {
    let mut state = open_table(RULES_VERSION);
    for (number, error) in [(1, RuleError::SeatTaken), (2, RuleError::SeatEmpty), (3, RuleError::NoSuchSeat)] {
        assert_eq!(decided(&state, &assign(number, BotLevel::Easy)), Err(error));
    }
    state.advance(&assign(0, BotLevel::Easy), &mut Stacked::default(), &mut Vec::new()).unwrap();
    assert_eq!(decided(&state, &assign(0, BotLevel::Hard)), Err(RuleError::BotPlays));
    let close = Command::Close { reason: CloseReason::Creator };
    state.advance(&close, &mut Stacked::default(), &mut Vec::new()).unwrap();
    assert_eq!(decided(&state, &assign(0, BotLevel::Easy)), Err(RuleError::Closed));
    assert_eq!(decided(&State::default(), &assign(0, BotLevel::Easy)), Err(RuleError::NotCreated));
}

/// A table at each kind of decision.
fn at_each_decision(rules: u16) -> Vec<Table> {
    let mut situation = given(3);
    situation.rules = rules;
    situation.hands = vec![vec![2, 2, 3, 4, 8], vec![3], vec![5]];
    let placing = situation.laid();
    let choosing = situation.table();
    let mut taking = choosing.clone();
    taking.chance.aside = Some(Traitor);
    taking.act(1, Move::ChooseBattlefield { lands: [place(0), place(1)] });
    let mut playing = choosing.clone();
    playing.draft([0, 1], &[Farmer, Diplomat2, Builder]);
    let mut building = playing.clone();
    building.play(&[&[], &[3], &[]]);
    let mut discarding = building.clone();
    discarding.act(2, Move::PassBuild);
    vec![placing, choosing, taking, playing, building, discarding]
}

#[test]
fn a_seat_is_given_up_at_any_decision_and_the_game_goes_on_as_it_would_have() {
    let mut kinds = Vec::new();
    for table in at_each_decision(RULES_VERSION) {
        let decision = table.state.decision().unwrap();
        kinds.push(decision.kind);
        for number in 0..3 {
            let command = assign(number, BotLevel::Normal);
            let mut given_up = table.clone();
            given_up.state.advance(&command, &mut given_up.chance, &mut given_up.events).unwrap();
            let assigned = BotAssigned { level: BotLevel::Normal, seat: seat(number), version: 7 };
            assert_eq!(facts(&given_up.events[table.events.len()..]), [assigned.into()], "and nothing follows from it");
            assert_eq!(given_up.state.decision(), Some(decision));
            for viewer in [Viewer::Seat(seat(0)), Viewer::Seat(seat(1)), Viewer::Seat(seat(2)), Viewer::Spectator] {
                let mut before = table.state.view(viewer);
                before.seats[usize::from(number)].bot = Some(BotLevel::Normal);
                assert_eq!(given_up.state.view(viewer), before);
            }
            let moves = table.state.legal_moves(decision.seat);
            assert_eq!(given_up.state.legal_moves(decision.seat), moves);
            for action in moves {
                let command = Command::Act { seat: decision.seat, action };
                let then = table.state.decide(&command, &mut table.chance.clone());
                assert_eq!(given_up.state.decide(&command, &mut table.chance.clone()), then);
            }
            assert_eq!(decided(&given_up.state, &command), Err(RuleError::BotPlays));
            assert_eq!(decided(&given_up.state, &assign(3, BotLevel::Easy)), Err(RuleError::NoSuchSeat));
        }
    }
    kinds.dedup();
    assert_eq!(kinds.len(), 6, "{kinds:?}");
}

#[test]
fn a_game_of_version_1_knows_no_bots_and_is_played_as_ever() {
    let refused = |state: &State| {
        for number in 0..4 {
            assert_eq!(decided(state, &assign(number, BotLevel::Easy)), Err(RuleError::RulesWithoutBots));
        }
    };
    refused(&open_table(1));
    for (older, newer) in at_each_decision(1).iter().zip(at_each_decision(RULES_VERSION)) {
        refused(&older.state);
        assert_eq!(older.events[1..], newer.events[1..]);
        assert_eq!((older.state.rules(), newer.state.rules()), (1, 2));
    }
    for rules in [0, RULES_VERSION + 1, u16::MAX] {
        let create = Command::Create(NewTable { players: 3, rules, ..NewTable::default() });
        assert_eq!(decided(&State::default(), &create), Err(RuleError::RulesVersion));
    }
}

#[test]
fn after_the_end_no_seat_is_given_up() {
    for kind in kinds(0) {
        play(&kind, Manner::Even, |_, _, _, after| {
            if after.status() == Status::Ended {
                for number in 0..5 {
                    assert_eq!(decided(after, &assign(number, BotLevel::Easy)), Err(RuleError::Ended));
                }
            }
        });
    }
}

#[test]
fn whole_games_with_bots_are_those_without_them_but_for_what_is_said_of_bots() {
    for kind in kinds(1) {
        let (mut with, mut without, mut commands) = (Vec::new(), Vec::new(), Vec::new());
        play(&kind, Manner::Even, |_, command, events, _| {
            with.extend_from_slice(events);
            commands.push(command.clone());
        });
        let (mut state, mut draws) = (State::default(), FastDraws::new(kind.seed));
        let bots = |command: &Command| matches!(command, Command::AssignBot { .. });
        let assigned = commands.iter().filter(|command| bots(command)).count();
        for command in commands.iter().filter(|command| !bots(command)) {
            state.advance(command, &mut draws, &mut without).unwrap();
        }
        with.retain(|event| !matches!(event.fact, Fact::BotAssigned(_)));
        assert!(assigned > 0);
        assert_eq!(with, without);
    }
}
