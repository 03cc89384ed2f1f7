//! The worlds that bots think in: each could be the true one, and together they say how likely it is.

use std::collections::BTreeMap;

use fereta::engine::{
    ActionCard, Command, Decision, Event, FastDraws, Knowledge, Move, OpeningHand, Seat, State, Status, Supplies,
    Viewer, Words, World,
};

use crate::games::{Kind, Manner, kinds, opening, play};

fn knowledge(viewer: Viewer, events: &[Event]) -> Knowledge {
    let mut knowledge = Knowledge::new(viewer);
    events.iter().for_each(|event| knowledge.observe(event.seen(viewer, Status::Running)));
    knowledge
}

fn seats(players: u8) -> impl Iterator<Item = Seat> {
    (0..players).filter_map(Seat::new)
}

#[test]
fn a_world_looks_to_its_viewer_as_the_true_table_does_and_can_be_played_on() {
    let mut rng = FastDraws::new(11);
    for (kind, manner) in kinds(1).zip([Manner::Even, Manner::Spending, Manner::Saving].into_iter().cycle()) {
        let mut all: Vec<u8> = kind.table.card_set.supply_cards(kind.table.players).collect();
        all.sort_unstable();
        let (mut step, mut history) = (0, Vec::new());
        play(&kind, manner, |_, _, events, state| {
            step += 1;
            history.extend_from_slice(events);
            if step % 16 != 0 || state.status() != Status::Running {
                return;
            }
            for viewer in seats(state.players()).map(Viewer::Seat).chain([Viewer::Spectator]) {
                let mut sampler = knowledge(viewer, &history).sampler(&mut rng);
                for _ in 0..2 {
                    let mut world = sampler.world(&mut rng);
                    assert_eq!(world.view(viewer), state.view(viewer));
                    play_on(&mut world, &mut rng);
                    assert_eq!(supply_cards(&world), all);
                }
            }
        });
    }
}

fn play_on(world: &mut World, rng: &mut FastDraws) {
    let (mut moves, mut events) = (Vec::new(), Vec::new());
    while let Some(Decision { seat, .. }) = world.decision() {
        moves.clear();
        world.list_legal_moves(seat, &mut moves);
        let action = moves.swap_remove(rng.below(moves.len() as u32) as usize);
        world.play(seat, action, rng, &mut events).expect("a legal move");
    }
}

/// All supply cards of a game that has ended.
fn supply_cards(world: &World) -> Vec<u8> {
    let view = world.view(Viewer::Spectator);
    let mut cards = view.deck.expect("the deck is public after the end");
    cards.extend(view.discards);
    cards.extend(view.seats.iter().filter_map(|seat| seat.hand).flat_map(|hand| hand.iter().collect::<Vec<_>>()));
    cards.sort_unstable();
    cards
}

#[test]
fn fixed_opening_hands_are_known_to_everybody() {
    let mut rng = FastDraws::new(12);
    for kind in kinds(0).filter(|kind| kind.table.options.opening_hand == OpeningHand::Fixed) {
        let mut history = Vec::new();
        play(&kind, Manner::Even, |_, _, events, state| {
            history.extend_from_slice(events);
            let nothing_drawn = state.view(Viewer::Spectator).round == 1 && state.status() == Status::Running;
            let nothing_played = state.view(Viewer::Spectator).seats.iter().all(|seat| seat.played.is_none());
            if !nothing_drawn || !nothing_played {
                return;
            }
            let world = knowledge(Viewer::Spectator, &history).sampler(&mut rng).world(&mut rng);
            for seat in seats(state.players()) {
                assert_eq!(*world.hand(seat), [3, 4, 5].into_iter().collect::<Supplies>());
            }
        });
    }
}

/// Something hidden that can be so or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Question {
    /// Whether a player holds a card of this value.
    Holds(u8),
    /// Whether a player keeps this action card.
    Keeps(ActionCard),
    /// Whether the worth of a hand is at least this.
    HandOfAtLeast(u16),
}

/// What was answered to a question over many games.
#[derive(Default)]
struct Answers {
    count: u32,
    /// How often it was so, less how often it should have been.
    excess: f64,
    variance: f64,
    /// How often it was so and was in none of the worlds.
    missed: u32,
}

#[test]
fn what_is_hidden_is_as_often_as_the_worlds_say() {
    const WORLDS: usize = 60;
    let games = std::env::var("FERETA_SAMPLER_GAMES").ok().and_then(|games| games.parse().ok()).unwrap_or(40);
    let mut answers: BTreeMap<(bool, Question), Answers> = BTreeMap::new();
    for kind in kinds(0) {
        for game in 0..games {
            let mut rng = FastDraws::new(kind.seed * 1_000_003 + game);
            let (history, state) = blind_game(&kind, &mut rng);
            let viewer = Seat::new(rng.below(state.players().into()) as u8).unwrap();
            let other = Seat::new((viewer.number() + 1) % state.players()).unwrap();
            let mut sampler = knowledge(Viewer::Seat(viewer), &history).sampler(&mut rng);
            let worlds: Vec<World> = (0..WORLDS).map(|_| sampler.world(&mut rng)).collect();
            let truth = state.view(Viewer::Seat(other)).seats[usize::from(other.number())].clone();
            let (hand, kept) = (truth.hand.unwrap(), truth.action_card);
            let is_fixed = kind.table.options.opening_hand == OpeningHand::Fixed;
            let mut ask = |question, is_so: bool, could: &dyn Fn(&World) -> bool| {
                let share = worlds.iter().filter(|world| could(world)).count() as f64 / WORLDS as f64;
                let answers = answers.entry((is_fixed, question)).or_default();
                answers.count += 1;
                answers.excess += f64::from(is_so) - share;
                answers.variance += share * (1.0 - share) * (1.0 + 1.0 / WORLDS as f64);
                answers.missed += u32::from(is_so && share == 0.0);
            };
            for value in [2, 3, 4, 5, 6, 8] {
                let holds = |hand: &Supplies| hand.iter().any(|held| held == value);
                ask(Question::Holds(value), holds(&hand), &|world| holds(world.hand(other)));
            }
            for worth in [8, 12, 16, 20] {
                let is_worth = |hand: &Supplies| hand.sum() >= worth;
                ask(Question::HandOfAtLeast(worth), is_worth(&hand), &|world| is_worth(world.hand(other)));
            }
            for card in ActionCard::ALL.into_iter().filter(|_| kept.is_some()) {
                ask(Question::Keeps(card), kept == Some(card), &|world| world.kept(other) == Some(card));
            }
        }
    }
    for ((is_fixed, question), answers) in answers {
        let deviations = answers.excess / answers.variance.sqrt().max(1.0);
        let told = format!(
            "fixed {is_fixed}, {question:?}: {} times, {:+.1} too often, {deviations:+.2} standard deviations, {} missed",
            answers.count, answers.excess, answers.missed
        );
        println!("{told}");
        assert!(deviations.abs() < 4.0, "{told}");
        assert!(f64::from(answers.missed) <= 2.0 + 0.02 * f64::from(answers.count), "{told}");
    }
}

/// A game up to some decision, in which nobody looks at his cards: so what is shown tells nothing else than what it shows.
fn blind_game(kind: &Kind, rng: &mut FastDraws) -> (Vec<Event>, State) {
    let (mut state, mut events, mut draws) = (State::default(), Vec::new(), rng.clone());
    for command in opening(kind) {
        state.advance(&command, &mut draws, &mut events).unwrap();
    }
    for _ in 0..20 + rng.below(60) {
        let before = (events.len(), state.clone());
        let Some(Decision { seat, .. }) = state.decision() else { break };
        let legal = state.legal_moves(seat);
        let mut action = legal[rng.below(legal.len() as u32) as usize].clone();
        let hand = state.view(Viewer::Seat(seat)).seats[usize::from(seat.number())].hand.unwrap();
        if let Move::PlaySupplies { cards } | Move::DiscardSupplies { cards } = &mut action {
            let count = match legal.first() {
                Some(Move::PlaySupplies { .. }) => rng.below(hand.len().min(5) as u32 + 1) as usize,
                _ => cards.len(),
            };
            let mut order: Vec<u8> = hand.iter().collect();
            rng.shuffle(&mut order);
            *cards = order.into_iter().take(count).collect();
        }
        state.advance(&Command::Act { seat, action }, &mut draws, &mut events).unwrap();
        if state.status() != Status::Running {
            events.truncate(before.0);
            state = before.1;
            break;
        }
    }
    (events, state)
}
