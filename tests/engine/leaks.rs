//! Nothing leaks (R5): in every world that a viewer cannot tell from the true one, all that he is given is the same bytes.

use fereta::engine::{
    ActionCard, BotLevel, CardSet, Command, Event, Face, FastDraws, Knowledge, Move, Place, Seat, Secret, State,
    Status, Supplies, Viewer, check_history,
};

use crate::games::{Kind, Manner, kinds, play};

/// Everything that a viewer can be given about a table, as bytes.
type Look = fn(&State, Viewer) -> Vec<u8>;

fn honest(state: &State, viewer: Viewer) -> Vec<u8> {
    let mut bytes = serde_json::to_vec(&state.view(viewer)).unwrap();
    if let Viewer::Seat(seat) = viewer {
        bytes.extend(format!("{:?}", state.legal_moves(seat)).bytes());
        let given_up = Command::AssignBot { seat, level: BotLevel::Hard, version: 1 };
        let moves = every_kind_of_move().into_iter().map(|action| Command::Act { seat, action });
        for command in moves.chain([given_up]) {
            let answer = match state.decide(&command, &mut FastDraws::new(0)) {
                Ok(events) => format!("{:?}", events[0].seen(viewer, Status::Running)),
                Err(error) => format!("{error:?} {error} {} {}", error.rule(), error.code()),
            };
            bytes.extend(answer.bytes());
        }
    }
    bytes.extend(format!("{state:?}").bytes());
    bytes
}

/// As honest, but it tells whether somebody's hidden hand is worth much.
fn leaky(state: &State, viewer: Viewer) -> Vec<u8> {
    let mut bytes = honest(state, viewer);
    for number in 0..state.players() {
        let hand = state.view(Viewer::Seat(Seat::new(number).unwrap())).seats[usize::from(number)].hand;
        bytes.push(u8::from(hand.is_some_and(|hand| hand.sum() > 10)));
    }
    bytes
}

fn every_kind_of_move() -> Vec<Move> {
    let mut moves = vec![Move::PassBuild];
    for land in (0..16).filter_map(Place::new) {
        moves.push(Move::PlaceEstate { land });
        moves.push(Move::FlipBase { land });
        moves.extend(Face::BOTH.map(|face| Move::Build { land, face }));
        moves.push(Move::ChooseBattlefield { lands: [land, Place::new((land.number() + 1) % 16).unwrap()] });
    }
    moves.extend(ActionCard::ALL.map(|card| Move::TakeActionCard { card }));
    for value in 0..10 {
        for cards in [vec![value], vec![value, value], vec![value, value + 1], vec![value; 7]] {
            let cards: Supplies = cards.into_iter().collect();
            moves.push(Move::PlaySupplies { cards });
            moves.push(Move::DiscardSupplies { cards });
        }
    }
    moves
}

/// A usual game of four players.
fn four_players() -> Kind {
    kinds(0).find(|kind| kind.table.players == 4).unwrap()
}

fn viewers(players: u8) -> impl Iterator<Item = Viewer> {
    (0..players).filter_map(Seat::new).map(Viewer::Seat).chain([Viewer::Spectator])
}

fn seen(events: &[Event], viewer: Viewer, status: Status) -> Vec<Vec<u8>> {
    let line = |event: &Event| {
        let seen = event.seen(viewer, status);
        serde_json::to_vec(&(&seen.fact, &seen.secret)).unwrap()
    };
    events.iter().map(line).collect()
}

/// Whether `look` gives the same bytes in some worlds that look the same to `viewer`; also how many of them differed.
fn hides(look: Look, viewer: Viewer, events: &[Event], state: &State, rng: &mut FastDraws) -> (bool, usize) {
    let mut knowledge = Knowledge::new(viewer);
    events.iter().for_each(|event| knowledge.observe(event.seen(viewer, state.status())));
    let (mut same, mut different_worlds) = (true, 0);
    for number in 0..3 {
        let world = knowledge.resample_history(rng);
        assert_eq!(seen(&world, viewer, state.status()), seen(events, viewer, state.status()));
        let other = check_history(&world).expect("a world that the rules allow");
        different_worlds += usize::from(other != *state);
        same &= look(&other, viewer) == look(state, viewer);
        if number > 0 {
            continue;
        }
        // And as he knew the table at any time before.
        let (mut then, mut other_then) = (State::default(), State::default());
        for (event, other_event) in events.iter().zip(&world) {
            then.apply(event);
            other_then.apply(other_event);
            same &= then.view(viewer) == other_then.view(viewer);
        }
    }
    (same, different_worlds)
}

#[test]
fn every_viewer_sees_the_same_in_worlds_he_cannot_tell_apart() {
    let mut rng = FastDraws::new(7);
    for (kind, manner) in kinds(1).zip([Manner::Even, Manner::Spending, Manner::Saving].into_iter().cycle()) {
        let (mut worlds, mut step, mut history) = (0, 0, Vec::new());
        play(&kind, manner, |_, _, events, state| {
            step += 1;
            history.extend_from_slice(events);
            if step % 16 == 0 || state.status() == Status::Ended {
                for viewer in viewers(state.players()) {
                    let (same, different) = hides(honest, viewer, &history, state, &mut rng);
                    assert!(same, "{:?}: {viewer:?} learns something at event {}", kind.table, history.len());
                    assert!(state.status() != Status::Ended || different == 0, "after the end all is public");
                    worlds += different;
                }
            }
        });
        let usual = kind.table.card_set == CardSet::default().into();
        assert!(!usual || worlds > 20, "{:?}: the worlds hardly differ", kind.table);
    }
}

#[test]
fn a_leaky_view_is_found() {
    let mut rng = FastDraws::new(8);
    let (mut found, mut history) = (0, Vec::new());
    play(&four_players(), Manner::Even, |_, _, events, state| {
        history.extend_from_slice(events);
        for viewer in viewers(state.players()) {
            found += usize::from(!hides(leaky, viewer, &history, state, &mut rng).0);
        }
    });
    assert!(found > 50, "only {found} leaks were found");
}

#[test]
fn hidden_items_take_every_value_they_could() {
    let mut rng = FastDraws::new(9);
    let mut history = Vec::new();
    play(&four_players(), Manner::Even, |_, _, events, state| {
        history.extend_from_slice(events);
        let Some(Event { secret: Some(Secret::ActionCards(last_passed)), .. }) = events.last() else { return };
        // The third in turn order is about to take a card: he cannot know which two of three cards the others kept.
        if last_passed.cards.len() != 3 {
            return;
        }
        let viewer = Viewer::Seat(state.decision().unwrap().seat);
        let mut knowledge = Knowledge::new(viewer);
        history.iter().for_each(|event| knowledge.observe(event.seen(viewer, Status::Running)));
        let mut set_aside = std::collections::BTreeMap::<_, usize>::new();
        for _ in 0..300 {
            let world = knowledge.resample_history(&mut rng);
            let order = world.iter().rev().find_map(|event| match &event.secret {
                Some(Secret::ActionOrder(shuffled)) => Some(shuffled.order[0]),
                _ => None,
            });
            *set_aside.entry(order.unwrap()).or_default() += 1;
        }
        assert_eq!(set_aside.len(), 3, "{set_aside:?}");
        assert!(set_aside.keys().all(|card| !last_passed.cards.contains(*card)));
        assert!(set_aside.values().all(|times| *times > 60), "{set_aside:?}");
    });
}
