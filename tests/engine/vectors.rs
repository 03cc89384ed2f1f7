//! Vectors of fairness F1 and F2 and whole games, for programs in any language: `tests/data/vectors/*.json`.
//! `tests/data/vectors/check.py` computes them a second time, with nothing but SHA-256 and HMAC.

use std::fmt::Write;

use fereta::engine::*;
use serde_json::{Value, json};

use crate::golden::{Game, command_json, compare, scarce};

/// A list with one entry a line.
fn lines(entries: impl IntoIterator<Item = Value>) -> String {
    let entries: Vec<_> = entries.into_iter().map(|entry| format!("  {entry}")).collect();
    format!("[\n{}\n]\n", entries.join(",\n"))
}

/// A seed in which every byte is another.
fn seed(first: u8) -> [u8; 32] {
    std::array::from_fn(|i| first.wrapping_add(7 * i as u8))
}

const LABELS: [Label; 9] = [
    Label::FirstPlayer,
    Label::Lands,
    Label::Deck,
    Label::Reshuffle(1),
    Label::Reshuffle(12),
    Label::Reshuffle(1234),
    Label::ActionCards(1),
    Label::ActionCards(10),
    Label::ActionCards(20),
];

/// Counts the words that are taken.
struct Counting<W> {
    words: W,
    taken: u32,
}

impl<W: Words> Words for Counting<W> {
    fn word(&mut self) -> u32 {
        self.taken += 1;
        self.words.word()
    }
}

#[test]
fn seeds() {
    let entry = |first: u8, players: u8| {
        let server_seed = seed(first);
        let game_id = uuid::Uuid::from_u128(0x0192_0000_0000_7000_8000_0000_0000_0000 + u128::from(first));
        let seats = || (0..players).filter_map(Seat::new);
        let entropy = |seat: Seat| match seat.number() % 2 {
            0 => default_entropy(&server_seed, seat),
            _ => Bytes32(seed(first ^ 0xff)),
        };
        json!({
            "server_seed": hex::encode(server_seed),
            "seed_commitment": seed_commitment(&server_seed),
            "default_entropies": seats().map(|seat| default_entropy(&server_seed, seat)).collect::<Vec<_>>(),
            "game_id": game_id,
            "entropies": seats().map(entropy).collect::<Vec<_>>(),
            "game_seed": hex::encode(game_seed(&server_seed, game_id.as_bytes(), seats().map(entropy))),
        })
    };
    compare("vectors/seeds.json", &lines([entry(0, 3), entry(1, 4), entry(200, 5)]));
}

#[test]
fn streams() {
    let entry = |label: Label| {
        let game_seed = seed(3);
        let mut words = FairDraws::new(game_seed).open(label);
        // Three blocks of eight words, and the first of the fourth.
        let words: Vec<_> = (0..25).map(|_| words.word()).collect();
        json!({"game_seed": hex::encode(game_seed), "label": label.to_string(), "words": words})
    };
    compare("vectors/streams.json", &lines(LABELS.map(entry)));
}

#[test]
fn bot_seeds() {
    let entry = |(first, number, seq): (u8, u8, u64)| {
        let (server_seed, bot) = (seed(first), Seat::new(number).unwrap());
        let chance = hex::encode(bot_seed(&server_seed, bot, seq));
        json!({"server_seed": hex::encode(server_seed), "seat": bot, "seq": seq, "bot_seed": chance})
    };
    let moves = [(0, 0, 12), (1, 4, 300), (1, 4, 301), (200, 2, 1_000_000)];
    compare("vectors/bot_seeds.json", &lines(moves.map(entry)));
}

#[test]
fn numbers() {
    let mut rejected = 0;
    let entry = |n: u32| {
        let game_seed = seed(n as u8);
        let mut words = Counting { words: FairDraws::new(game_seed).open(Label::Lands), taken: 0 };
        let numbers: Vec<_> = (0..12).map(|_| words.below(n)).collect();
        rejected += words.taken - 12;
        let seed = hex::encode(game_seed);
        json!({"game_seed": seed, "label": "lands", "n": n, "numbers": numbers, "words_taken": words.taken})
    };
    let large = [1 << 31, (1 << 31) + 1, 3_000_000_000, u32::MAX - 1, u32::MAX];
    let numbers = lines((1..=16).chain([27, 200]).chain(large).map(entry));
    assert!(rejected > 10, "numbers of which words are rejected");
    compare("vectors/numbers.json", &numbers);
}

#[test]
fn shuffles() {
    let entry = |count: u8| {
        let game_seed = seed(count);
        let label = LABELS[usize::from(count) % LABELS.len()];
        let mut items: Vec<u8> = (0..count).collect();
        FairDraws::new(game_seed).open(label).shuffle(&mut items);
        json!({"game_seed": hex::encode(game_seed), "label": label.to_string(), "order": items})
    };
    compare("vectors/shuffles.json", &lines([0, 1, 2, 3, 6, 7, 12, 14, 16, 23, 27, 200].map(entry)));
}

fn whole_game(game: &Game) {
    let mut text = String::from("{\n");
    let mut field = |name: &str, value: Value| writeln!(text, "  \"{name}\": {value},").unwrap();
    field("server_seed", hex::encode(game.server_seed).into());
    field("game_id", json!(game.table.game_id));
    field("players", game.table.players.into());
    field("options", json!(game.table.options));
    field("card_set", json!(game.table.card_set));
    field("game_seed", hex::encode(game.game_seed).into());
    let event = |event: &Event| json!({"fact": event.fact, "secret": event.secret});
    let commands = lines(game.steps.iter().map(|(command, _)| command_json(command)));
    let events = lines(game.steps.iter().flat_map(|(_, events)| events).map(event));
    write!(text, "  \"commands\": {},\n  \"events\": {}\n}}\n", commands.trim_end(), events.trim_end()).unwrap();
    serde_json::from_str::<Value>(&text).expect("a JSON text");
    compare(&format!("vectors/{}.json", game.name), &text);
}

#[test]
fn whole_games() {
    let dealt = Options::default();
    let fixed = Options { mercenary: false, opening_hand: OpeningHand::Fixed };
    let mercenary = Options { mercenary: true, opening_hand: OpeningHand::Dealt };
    whole_game(&Game::play_by_older_rules("game_3", 3, 3, dealt, CardSet::default()));
    whole_game(&Game::play_by_older_rules("game_4", 4, 4, mercenary, CardSet::default()));
    whole_game(&Game::play_by_older_rules("game_5", 5, 5, fixed, CardSet::default()));
    whole_game(&Game::play_by_older_rules("game_custom", 6, 3, dealt, scarce()));
    // A bot sits down, and three players give their seats up.
    let given_up = [(2, 0), (30, 3), (61, 1)];
    whole_game(&Game::play("game_bots", 7, 4, dealt, scarce(), &given_up));
}
