//! The checker finds what it is there to find.

use super::*;
use crate::cli::swarm::wire::Ask;
use crate::engine::{
    Command, EntropySource, FastDraws, NewTable, Seat, StartMode, Viewer, Words as _, default_entropy, seed_commitment,
};
use crate::log::{Cause, Head, Sealer, told};

const SEED: [u8; 32] = [7; 32];

/// A whole game as the API tells it: its events, its head, what seats were told, and the accepted changes.
struct Game {
    items: Vec<Value>,
    head: Value,
    notes: Vec<Note>,
    accepted: Vec<Accepted>,
}

struct Play {
    state: State,
    events: Vec<Event>,
    lines: Vec<Line>,
    head: Head,
    draws: FastDraws,
    game: Game,
}

impl Play {
    fn tell(&self, from: usize, viewer: Viewer) -> Vec<Value> {
        let entry = |line: &Line| told(line, viewer, self.state.status()).unwrap();
        let text = |line: &Line| serde_json::to_string(&entry(line)).unwrap();
        self.lines[from..].iter().map(|line| serde_json::from_str(&text(line)).unwrap()).collect()
    }

    fn change(&mut self, command: &Command, cause: Cause, viewer: Viewer) {
        let from = self.events.len();
        self.state.advance(command, &mut self.draws, &mut self.events).unwrap();
        let mut sealer = Sealer::new(&SEED, self.head);
        for event in &self.events[from..] {
            self.lines.push(sealer.seal(event, cause, chrono::DateTime::UNIX_EPOCH).unwrap());
        }
        self.head = sealer.head();
        let version = self.lines.len() as u64;
        let head = serde_json::to_value(self.head).unwrap();
        let view = serde_json::to_value(self.state.view(viewer)).unwrap();
        for told in [Told::Head(head), Told::View(view), Told::Events(self.tell(from, viewer))] {
            self.game.notes.push(Note { viewer, version, told });
        }
        let (cause, ask) = (serde_json::to_value(cause).unwrap(), Ask::get("/", "/".into()));
        let (first, last) = (from as u64 + 1, version);
        self.game.accepted.push(Accepted { first, last, cause, guest: 0, ask, status: 200, text: String::new() });
    }
}

fn game() -> Game {
    let empty = Game { items: Vec::new(), head: Value::Null, notes: Vec::new(), accepted: Vec::new() };
    let (events, lines, draws) = (Vec::new(), Vec::new(), FastDraws::new(5));
    let mut play = Play { state: State::default(), events, lines, head: Head::EMPTY, draws, game: empty };
    let table = NewTable {
        players: 3,
        seed_commitment: seed_commitment(&SEED),
        start: StartMode::Creator,
        ..NewTable::default()
    };
    play.change(&Command::Create(table), Cause::Table, Viewer::Spectator);
    for seat in (0..3).filter_map(Seat::new) {
        let (entropy, entropy_from) = (default_entropy(&SEED, seat), EntropySource::Server);
        let command = Command::TakeSeat { seat: Some(seat), entropy, entropy_from };
        play.change(&command, Cause::Seat(seat), Viewer::Seat(seat));
    }
    play.change(&Command::Start, Cause::Table, Viewer::Spectator);
    let mut dice = FastDraws::new(9);
    while let Some(decision) = play.state.decision() {
        let (seat, version) = (decision.seat, play.lines.len() as u64);
        let mut moves = play.state.legal_moves(seat);
        let bodies = moves.iter().map(|action| json!({"expected_version": version, "move": spelling::written(action)}));
        let told = Told::Moves(bodies.collect());
        play.game.notes.push(Note { viewer: Viewer::Seat(seat), version, told });
        let action = moves.swap_remove(dice.below(moves.len() as u32) as usize);
        play.change(&Command::Act { seat, action }, Cause::Seat(seat), Viewer::Seat(seat));
    }
    play.game.items = play.tell(0, Viewer::Spectator);
    play.game.head = serde_json::to_value(play.head).unwrap();
    play.game
}

fn read(game: &Game) -> Result<Chronicle, String> {
    Chronicle::read(game.items.clone(), &game.head)
}

/// The number of the first event of a type, counted from 0.
fn first(game: &Game, of_type: &str) -> usize {
    game.items.iter().position(|item| item["type"] == of_type).unwrap()
}

#[test]
fn a_true_history_holds() {
    let game = game();
    let chronicle = read(&game).unwrap();
    assert_eq!(chronicle.contradictions(game.notes.clone()), Vec::<String>::new());
    assert_eq!(chronicle.gaps(&game.accepted), Vec::<String>::new());
}

/// What is tampered with, and how.
type Tampering = (&'static str, fn(&mut Game));

#[test]
fn a_tampered_history_is_found() {
    let tamper: [Tampering; 8] = [
        ("a fact", |game| {
            let n = first(game, "supplies_played");
            game.items[n]["data"]["cards"] = json!([8]);
        }),
        ("a time", |game| game.items[4]["at"] = json!("1970-01-01T00:00:00.001Z")),
        ("a secret", |game| {
            let n = first(game, "action_card_kept");
            game.items[n]["secret"]["card"] = json!("mercenary");
        }),
        ("a secret left out", |game| {
            let n = first(game, "supplies_dealt");
            game.items[n].as_object_mut().unwrap().remove("secret");
        }),
        ("an event left out", |game| drop(game.items.remove(9))),
        ("the end left out", |game| drop(game.items.pop())),
        ("two events swapped", |game| game.items.swap(10, 11)),
        ("another head", |game| game.head["hash"] = json!("0".repeat(64))),
    ];
    for (what, tamper) in tamper {
        let mut game = game();
        tamper(&mut game);
        assert!(read(&game).is_err(), "{what}");
    }
}

#[test]
fn what_is_against_the_rules_is_found_though_the_chain_holds() {
    let mut game = game();
    let n = first(&game, "battle_fought");
    game.items[n]["data"]["eagle"] = json!(99);
    let mut hash = Bytes32([0; 32]);
    for (seq, item) in (1..).zip(&game.items) {
        hash = line(seq, item, hash).unwrap().hash;
    }
    game.head["hash"] = json!(hash.to_string());
    let fault = read(&game).err().unwrap();
    assert!(fault.contains("should be"), "{fault}");
}

#[test]
fn what_was_told_otherwise_is_found() {
    let game = game();
    let chronicle = read(&game).unwrap();
    let wrong = |what: &str, change: &dyn Fn(&mut Note) -> bool| {
        let mut notes = game.notes.clone();
        assert!(notes.iter_mut().rev().skip(20).any(change), "{what}");
        let found = chronicle.contradictions(notes);
        assert!(found.len() == 1 && found[0].contains(what), "{what}: {found:?}");
    };
    wrong("head", &|note| match &mut note.told {
        Told::Head(head) => {
            head["hash"] = json!("0".repeat(64));
            true
        }
        _ => false,
    });
    wrong("view", &|note| match &mut note.told {
        Told::View(view) => {
            view["seats"][0]["score"] = json!(77);
            true
        }
        _ => false,
    });
    wrong("legal moves", &|note| match &mut note.told {
        Told::Moves(moves) => moves.pop().is_some(),
        _ => false,
    });
    wrong("LEAK", &|note| match (&mut note.told, note.viewer) {
        (Told::Events(events), Viewer::Seat(seat)) => {
            let others = |event: &&mut Value| {
                event.get("secret_hash").is_some()
                    && event["secret_for"] != json!(seat)
                    && event.get("secret").is_none()
            };
            events.iter_mut().find(others).is_some_and(|event| {
                event["secret"] = json!({});
                true
            })
        }
        _ => false,
    });
    wrong("differs", &|note| match &mut note.told {
        Told::Events(events) => events.iter_mut().any(|event| {
            event.get("secret").is_some() && event.as_object_mut().is_some_and(|event| event.remove("secret").is_some())
        }),
        _ => false,
    });
}

#[test]
fn half_moves_and_strangers_moves_are_found() {
    let game = game();
    let chronicle = read(&game).unwrap();
    let gaps = |change: &dyn Fn(&mut Vec<Accepted>)| {
        let mut accepted = game.accepted.clone();
        change(&mut accepted);
        chronicle.gaps(&accepted)
    };
    assert!(!gaps(&|accepted| drop(accepted.remove(7))).is_empty());
    assert!(!gaps(&|accepted| drop(accepted.pop())).is_empty());
    assert!(!gaps(&|accepted| accepted[8].last += 1).is_empty());
    assert!(!gaps(&|accepted| accepted[8].cause = json!("clock")).is_empty());
}
