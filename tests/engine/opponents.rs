//! Bots play by the rules, from what their seat knows, and the same seed plays the same game.

use std::fmt::Write as _;

use fereta::bots::{self, BOTS_VERSION, Budget, DEFAULT, LEVELS, Player, Settings};
use fereta::engine::{
    BotLevel, Command, Decision, Event, FastDraws, Knowledge, Move, Seat, State, Status, Viewer, Words, check_history,
};

use crate::games::{Kind, Manner, kinds, opening, play};
use crate::golden::compare;

/// A game that bots play: who makes a move is chosen by `choose`, from what the seat knows.
fn bot_game(kind: &Kind, mut choose: impl FnMut(Seat, &Knowledge, &[Move]) -> Option<Move>) -> (Vec<Event>, State) {
    let (mut state, mut events, mut draws) = (State::default(), Vec::new(), FastDraws::new(kind.seed));
    for command in opening(kind) {
        state.advance(&command, &mut draws, &mut events).unwrap();
    }
    let seats = (0..kind.table.players).filter_map(Seat::new);
    let mut known: Vec<Knowledge> = seats.map(|seat| Knowledge::new(Viewer::Seat(seat))).collect();
    let mut observed = 0;
    while let Some(Decision { seat, .. }) = state.decision() {
        for known in &mut known {
            let viewer = known.viewer();
            events[observed..].iter().for_each(|event| known.observe(event.seen(viewer, state.status())));
        }
        observed = events.len();
        let legal = state.legal_moves(seat);
        let action = choose(seat, &known[usize::from(seat.number())], &legal).expect("a move");
        assert!(legal.contains(&action), "{action:?} is not among {legal:?}");
        state.advance(&Command::Act { seat, action }, &mut draws, &mut events).expect("a legal move");
    }
    (events, state)
}

fn seed(number: u64) -> [u8; 32] {
    let mut seed = [7; 32];
    seed[..8].copy_from_slice(&number.to_be_bytes());
    seed
}

/// `FERETA_BOT_GAMES` plays more of them.
#[test]
fn no_bot_makes_an_illegal_move_in_any_kind_of_game() {
    let games = std::env::var("FERETA_BOT_GAMES").ok().and_then(|games| games.parse().ok()).unwrap_or(24);
    let search = |depth, belief| Player::Search(Settings { budget: Budget::Iterations(50), depth, belief, ..DEFAULT });
    let players = [
        search(DEFAULT.depth, DEFAULT.belief),
        bots::player(BotLevel::Easy),
        search(4, 1.0),
        bots::player(BotLevel::Normal),
        Player::Random,
    ];
    for (kind, number) in kinds(games / 12).zip(0..games) {
        let mut rng = FastDraws::new(number);
        let (events, state) = bot_game(&kind, |seat, known, legal| {
            players[(usize::from(seat.number()) + number as usize) % players.len()].choose(known, legal, &mut rng)
        });
        assert_eq!(state.status(), Status::Ended);
        if number % 100 < 12 {
            assert_eq!(check_history(&events).unwrap(), state);
        }
    }
}

#[test]
fn the_same_seed_plays_the_same_game() {
    let kind = kinds(0).nth(3).unwrap();
    let game = |number: u64| {
        let mut moves = 0;
        bot_game(&kind, |seat, known, legal| {
            moves += 1;
            let level = if seat.number() == 0 && moves < 30 { BotLevel::Hard } else { BotLevel::Normal };
            bots::choose(level, known, legal, seed(number + moves))
        })
        .0
    };
    assert_eq!(game(1), game(1));
    assert_ne!(game(1), game(1_000_000));
}

/// Hidden cards, shuffles to come and the seeds of both worlds differ; the bot's own chance is the same.
#[test]
fn a_bot_of_every_level_chooses_the_same_in_worlds_that_its_seat_cannot_tell_apart() {
    let mut rng = FastDraws::new(5);
    let (mut compared, mut different) = ([0; 4], 0);
    for kind in kinds(0) {
        let (mut step, mut history) = (0, Vec::new());
        play(&kind, Manner::Even, |_, _, events, state| {
            step += 1;
            history.extend_from_slice(events);
            let Some(Decision { seat, .. }) = state.decision().filter(|_| step % 23 == 0) else { return };
            let viewer = Viewer::Seat(seat);
            let known = |events: &[Event]| {
                let mut known = Knowledge::new(viewer);
                events.iter().for_each(|event| known.observe(event.seen(viewer, Status::Running)));
                known
            };
            let other = known(&history).resample_history(&mut rng);
            let other_state = check_history(&other).unwrap();
            different += u32::from(other_state != *state);
            for (level, compared) in BotLevel::ALL.into_iter().zip(&mut compared) {
                // The higher levels take their time.
                if level == BotLevel::Expert && (step % 69 != 0 || kind.table.players > 3) {
                    continue;
                }
                let here = bots::choose(level, &known(&history), &state.legal_moves(seat), seed(step));
                let there = bots::choose(level, &known(&other), &other_state.legal_moves(seat), seed(step));
                assert_eq!(here, there);
                *compared += 1;
            }
        });
    }
    assert!(different > 20 && compared.iter().all(|count| *count > 2), "{different} {compared:?}");
}

/// An audit thinks of every bot's move again, so with one version they must never choose otherwise: whoever changes how they
/// play raises [`BOTS_VERSION`], and writes the file anew.
#[test]
fn with_one_version_the_bots_choose_as_ever() {
    let mut chosen = format!("version {BOTS_VERSION}\n");
    for (number, kind) in kinds(0).enumerate() {
        let (mut step, mut history) = (0, Vec::new());
        play(&kind, Manner::Even, |_, _, events, state| {
            step += 1;
            history.extend_from_slice(events);
            let Some(Decision { seat, .. }) = state.decision().filter(|_| step % 19 == 0) else { return };
            let mut known = Knowledge::new(Viewer::Seat(seat));
            history.iter().for_each(|event| known.observe(event.seen(Viewer::Seat(seat), Status::Running)));
            for level in BotLevel::ALL {
                if level == BotLevel::Expert && (step != 38 || number % 4 > 0) {
                    continue;
                }
                let action = bots::choose(level, &known, &state.legal_moves(seat), seed(step)).unwrap();
                writeln!(chosen, "game {number}, move {step}, {level:?}: {action:?}").unwrap();
            }
        });
    }
    compare("bots/chosen.txt", &chosen);
}

#[test]
fn advice_is_about_the_legal_moves_and_chances_add_up() {
    let kind = kinds(0).next().unwrap();
    let (mut step, mut history) = (0, Vec::new());
    play(&kind, Manner::Even, |_, _, events, state| {
        step += 1;
        history.extend_from_slice(events);
        let Some(Decision { seat, .. }) = state.decision().filter(|_| step % 9 == 0) else { return };
        let mut known = Knowledge::new(Viewer::Seat(seat));
        history.iter().for_each(|event| known.observe(event.seen(Viewer::Seat(seat), Status::Running)));
        let legal = state.legal_moves(seat);
        let advice = bots::advise(&known, &legal, 60, seed(step));
        assert_eq!(advice.moves.len(), legal.len());
        assert!(legal.iter().all(|action| advice.moves.iter().any(|candidate| candidate.action == *action)));
        assert!(advice.moves.is_sorted_by(|one, other| one.visits >= other.visits));
        let visits: f32 = advice.moves.iter().map(|candidate| candidate.visits).sum();
        assert!(legal.len() == 1 || (visits - 1.0).abs() < 1e-3, "{visits}");
        let bounds = |share: f32| (0.0..=1.0).contains(&share);
        assert!(advice.moves.iter().all(|candidate| bounds(candidate.value) && bounds(candidate.visits)));
        for chances in [advice.chances, bots::chances(&known, 60, seed(step))] {
            assert_eq!(chances.players(), state.players());
            let sum: f32 = chances.values().sum();
            assert!((sum - 1.0).abs() < 1e-3, "{sum}");
        }
    });
}

#[test]
fn after_the_end_there_is_no_doubt_who_has_won() {
    let kind = kinds(0).next().unwrap();
    let mut rng = FastDraws::new(3);
    let (events, state) = bot_game(&kind, |_, _, legal| legal.get(rng.below(legal.len() as u32) as usize).cloned());
    let mut known = Knowledge::new(Viewer::Spectator);
    events.iter().for_each(|event| known.observe(event.seen(Viewer::Spectator, state.status())));
    let winners = (0..3).filter_map(Seat::new).filter(|seat| state.rank(*seat) == Some(1)).count() as f32;
    for (seat, chance) in bots::chances(&known, 1, seed(1)).iter() {
        let share = if state.rank(seat) == Some(1) { 1.0 / winners } else { 0.0 };
        assert!((chance - share).abs() < 1e-6);
    }
}

#[test]
fn the_levels_are_told_from_the_weakest_on() {
    assert!(LEVELS.iter().map(|strength| strength.level).eq(BotLevel::ALL));
}
