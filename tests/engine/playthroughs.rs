//! Whole games as text: every command, what happened, who was told of it, and what it changed in every view. If a secret
//! leaks, it is a line that was not there: `tests/data/playthroughs/*.txt`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use fereta::engine::*;
use serde_json::Value;

use crate::golden::{Game, command_json, compare, scarce};

/// The values in a view by their paths; a list of plain values is one value.
type Flat = BTreeMap<String, String>;

fn flatten(path: &str, value: &Value, flat: &mut Flat) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                let dot = if path.is_empty() { "" } else { "." };
                flatten(&format!("{path}{dot}{name}"), value, flat);
            }
        }
        Value::Array(items) if items.iter().any(Value::is_object) => {
            for (number, item) in items.iter().enumerate() {
                flatten(&format!("{path}[{number}]"), item, flat);
            }
        }
        Value::Array(_) | Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            flat.insert(path.to_owned(), value.to_string());
        }
    }
}

/// The spectator is `s`, a seat its number.
fn name(viewer: Viewer) -> String {
    viewer.seat().map_or_else(|| "s".to_owned(), |seat| seat.number().to_string())
}

fn playthrough(game: &Game) -> String {
    let viewers: Vec<_> =
        (0..game.table.players).filter_map(Seat::new).map(Viewer::Seat).chain([Viewer::Spectator]).collect();
    let mut state = State::default();
    let mut views = vec![Flat::new(); viewers.len()];
    let mut text = String::from(
        "> a command\n  - what happened, and in [] who was told which secret\n  what changed in the views: whose, where, \
         what it is now; * is everybody, s a spectator\n\n",
    );
    for (command, events) in &game.steps {
        writeln!(text, "> {}", command_json(command)).unwrap();
        events.iter().for_each(|event| state.apply(event));
        for event in events {
            let Value::Object(fact) = serde_json::to_value(&event.fact).unwrap() else { panic!("an object") };
            let told = viewers.iter().map(|viewer| (name(*viewer), event.seen(*viewer, Status::Running)));
            let (told, secrets): (Vec<_>, Vec<_>) = told.filter_map(|(name, seen)| Some((name, seen.secret?))).unzip();
            assert!(secrets.iter().all(|secret| Some(secret) == event.secret.as_ref()));
            write!(text, "  - {} {}", fact["type"].as_str().unwrap(), fact["data"]).unwrap();
            match &event.secret {
                Some(secret) => {
                    writeln!(text, " [{}] {}", told.join(","), serde_json::to_string(secret).unwrap()).unwrap();
                }
                None => text.push('\n'),
            }
        }
        let now: Vec<Flat> = viewers
            .iter()
            .map(|viewer| {
                let mut flat = Flat::new();
                flatten("", &serde_json::to_value(state.view(*viewer)).unwrap(), &mut flat);
                flat
            })
            .collect();
        let paths: BTreeSet<&String> = now.iter().chain(&views).flat_map(Flat::keys).collect();
        for path in paths {
            let mut changed: BTreeMap<Option<&String>, Vec<String>> = BTreeMap::new();
            for (viewer, (now, before)) in viewers.iter().zip(now.iter().zip(&views)) {
                if now.get(path) != before.get(path) {
                    changed.entry(now.get(path)).or_default().push(name(*viewer));
                }
            }
            for (value, whose) in changed {
                let whose = if whose.len() == viewers.len() { "*".to_owned() } else { whose.join(",") };
                writeln!(text, "  {whose} {path} {}", value.map_or("is gone", String::as_str)).unwrap();
            }
        }
        views = now;
        text.push('\n');
    }
    assert_eq!(state.status(), Status::Ended);
    text
}

#[test]
fn playthroughs() {
    let dealt = Options::default();
    let fixed = Options { mercenary: false, opening_hand: OpeningHand::Fixed };
    let mercenary = Options { mercenary: true, opening_hand: OpeningHand::Dealt };
    let games = [
        Game::play("three", 13, 3, dealt, CardSet::default(), &[]),
        Game::play("four", 14, 4, dealt, CardSet::default(), &[]),
        Game::play("five", 15, 5, dealt, CardSet::default(), &[]),
        Game::play("mercenary", 16, 5, mercenary, CardSet::default(), &[]),
        Game::play("fixed_hand", 17, 4, fixed, CardSet::default(), &[]),
        Game::play("custom_card_set", 18, 4, mercenary, scarce(), &[]),
        // Seats are given up by who has to decide, by another, and by the last player.
        Game::play("bots", 19, 3, dealt, CardSet::default(), &[(4, 1), (33, 0)]),
    ];
    for game in games {
        compare(&format!("playthroughs/{}.txt", game.name), &playthrough(&game));
    }
}
