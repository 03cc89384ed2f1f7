//! Imports only go down, and the engine, the review and the story stay pure. The layers are told at the head of `src/lib.rs`.

#![expect(clippy::panic, clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};

/// What each layer may import of ours.
const LAYERS: &[(&str, &[&str])] = &[
    (
        "cli",
        &[
            "api", "jobs", "auth", "play", "review", "bots", "store", "audit", "log", "story", "engine", "postgres",
            LEAVES,
        ],
    ),
    ("api", &["auth", "play", "review", "bots", "store", "log", "story", "engine", LEAVES]),
    ("jobs", &["play", "bots", "store", "log", "engine", LEAVES]),
    ("auth", &["store", LEAVES]),
    ("play", &["store", "audit", "review", "bots", "log", "engine", LEAVES]),
    ("review", &["bots", "story", "engine"]),
    ("bots", &["engine"]),
    ("store", &[LEAVES]),
    ("log", &["engine", LEAVES]),
    ("audit", &["bots", "log", "engine", LEAVES]),
    ("story", &["engine"]),
    ("engine", &[]),
    ("postgres", &[LEAVES]),
    ("ids", &[]),
    ("clock", &[]),
    ("entropy", &[]),
    ("config", &[]),
    ("telemetry", &["config"]),
    ("main", &["cli"]),
];

/// The leaves, which everything above the engine may import.
const LEAVES: &str = "clock config entropy ids telemetry";

/// The layers that do nothing but reckon.
const PURE: &[&str] = &["engine", "review", "story"];

/// The layers that are given what a seat knows, never the table: what they think with they cannot have stolen.
const BLIND: &[&str] = &["bots"];

/// What is found in one layer only, or in all but some.
const WORDS: &[(&str, Only)] = &[
    ("diesel", Only::In("store")),
    ("actix_web", Only::In("api")),
    ("async", Only::Outside(PURE)),
    ("tokio", Only::Outside(PURE)),
    ("std::io", Only::Outside(PURE)),
    ("std::fs", Only::Outside(PURE)),
    ("std::net", Only::Outside(PURE)),
    ("std::env", Only::Outside(PURE)),
    ("std::time", Only::Outside(PURE)),
    ("chrono", Only::Outside(PURE)),
    ("serde_json", Only::Outside(PURE)),
    ("rand", Only::Outside(PURE)),
    ("getrandom", Only::Outside(PURE)),
    ("HashMap", Only::Outside(PURE)),
    ("HashSet", Only::Outside(PURE)),
    ("println", Only::Outside(PURE)),
    ("State", Only::Outside(BLIND)),
    ("Referee", Only::Outside(BLIND)),
    ("FairDraws", Only::Outside(BLIND)),
    ("HashMap", Only::Outside(BLIND)),
    ("HashSet", Only::Outside(BLIND)),
];

enum Only {
    In(&'static str),
    Outside(&'static [&'static str]),
}

/// What is wrong with the source `text` of a file in `layer`, with the numbers of the lines.
fn faults(layer: &str, text: &str) -> Vec<(usize, String)> {
    let code: String = text.lines().flat_map(|line| [line.split("//").next().unwrap_or_default(), "\n"]).collect();
    let (_, below) = LAYERS.iter().find(|(name, _)| *name == layer).unwrap_or_else(|| panic!("no layer {layer}"));
    let is_layer = |name: &str| LAYERS.iter().any(|(layer, _)| *layer == name);
    let may_import =
        |name: &str| name == layer || below.iter().flat_map(|names| names.split(' ')).any(|below| below == name);
    let mut found = Vec::new();
    for (at, name) in imports(&code).into_iter().filter(|(_, name)| is_layer(name) && !may_import(name)) {
        let line = code.split_at(at).0.lines().count();
        found.push((line, format!("{layer} must not import {name}")));
    }
    for (number, line) in (1..).zip(code.lines()) {
        let has = |word: &str| {
            if word.contains(':') { line.contains(word) } else { line.split(is_no_word).any(|w| w == word) }
        };
        found.extend(WORDS.iter().filter(|(word, _)| has(word)).filter_map(|(word, only)| match only {
            Only::In(place) if layer != *place => Some((number, format!("{word} belongs into {place}, not {layer}"))),
            Only::Outside(places) if places.contains(&layer) => {
                Some((number, format!("{word} does not belong into {layer}")))
            }
            Only::In(_) | Only::Outside(_) => None,
        }));
    }
    found
}

fn is_no_word(c: char) -> bool {
    !c.is_alphanumeric() && c != '_'
}

/// What is named behind `crate::` or `fereta::`, alone or in braces, with the places in the text.
fn imports(code: &str) -> Vec<(usize, &str)> {
    let roots = code.match_indices("crate::").chain(code.match_indices("fereta::"));
    let mut named = Vec::new();
    for (at, root) in roots {
        let path = code.split_at(at + root.len()).1;
        let Some(group) = path.strip_prefix('{') else {
            named.extend(path.split(is_no_word).next().map(|name| (at, name)));
            continue;
        };
        let (mut depth, mut is_first) = (1, true);
        for word in group.split_inclusive(is_no_word) {
            let name = word.trim_end_matches(is_no_word);
            if is_first && depth == 1 && !name.is_empty() {
                named.push((at, name));
                is_first = false;
            }
            match word.chars().last() {
                Some('{') => depth += 1,
                Some('}') => depth -= 1,
                Some(',') if depth == 1 => is_first = true,
                Some(_) | None => {}
            }
            if depth == 0 {
                break;
            }
        }
    }
    named
}

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn imports_only_go_down_and_what_is_pure_stays_so() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    rust_files(&source, &mut files);
    let mut found = Vec::new();
    for file in files.iter().filter(|file| !file.ends_with("src/lib.rs")) {
        let path = file.strip_prefix(&source).unwrap();
        let layer = path.iter().next().unwrap().to_str().unwrap().trim_end_matches(".rs");
        let text = std::fs::read_to_string(file).unwrap();
        let lines = faults(layer, &text).into_iter();
        found.extend(lines.map(|(number, fault)| format!("src/{}:{number}: {fault}", path.display())));
    }
    assert!(found.is_empty(), "\n{}", found.join("\n"));
    assert!(files.len() > 30, "the source was not found");
}

#[test]
fn a_bad_line_is_found() {
    let bad = [
        ("engine", "use crate::log::Line;"),
        ("store", "use crate::{\n    ids::{GameId, EventId},\n    play,\n};"),
        ("store", "use crate::engine::State;"),
        ("bots", "pub(super) fn choose(state: &crate::play::Table) {"),
        ("bots", "use crate::engine::{Knowledge, State};"),
        ("bots", "    let world = fereta::engine::State::fold(events);"),
        ("api", "use diesel::prelude::*;"),
        ("play", "    Err(actix_web::Error::from(error))"),
        ("engine", "pub async fn advance() {}"),
        ("engine", "use std::collections::{BTreeMap, HashMap};"),
        ("engine", "let now = std::time::Instant::now();"),
        ("engine", "use serde_json::json;"),
        ("engine", "let word = rand::random();"),
        ("story", "println!(\"{sentence}\");"),
        ("story", "use crate::play::Table;"),
        ("review", "use crate::log::Line;"),
    ];
    let missed: Vec<_> = bad.iter().filter(|(layer, line)| faults(layer, line).is_empty()).collect();
    assert!(missed.is_empty(), "{missed:?}");
    let good = [
        ("engine", "use super::state::State; // what crate::play and HashMap are for"),
        ("play", "use crate::engine::{State, Viewer};"),
        ("store", "use diesel::prelude::*;"),
        ("engine", "let random = operand(b\"fereta/entropy/1/\");"),
        ("store", "use crate::{clock, ids::{self, play}};"),
    ];
    let found: Vec<_> = good.iter().flat_map(|(layer, line)| faults(layer, line)).collect();
    assert!(found.is_empty(), "{found:?}");
}
