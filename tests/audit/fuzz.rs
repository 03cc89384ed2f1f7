//! Files that nobody would call a game: the audit says so, whatever they are, and soon.

use std::time::{Duration, Instant};

use fereta::audit::Verdict;
use fereta::cli::selfplay::record::Recorded;
use fereta::engine::{Bytes32, FastDraws, Words};
use fereta::log::{Head, Line, exported_end, exported_line};
use serde_json::{Value, json};

use crate::cases::{all, audited, told};
use crate::forged::{canonical, changed, public_of, secret_of};
use crate::games::{server, short_games};

/// Of so many hostile numbers one is tried.
const HOSTILE_STRIDE: u32 = 29;

/// No file of this size may take longer, though nothing is optimised here.
const LONGEST: Duration = Duration::from_secs(8);

fn timely(what: &str, text: &str, faulty: bool) -> Result<(), String> {
    let begin = Instant::now();
    let report =
        audited(text).map_err(|why| format!("{what}: {why}:\n{}", text.chars().take(3000).collect::<String>()))?;
    let took = begin.elapsed();
    if took > LONGEST {
        return Err(format!("{what}: it took {took:?}: {}", told(&report)));
    }
    if faulty && report.verdict != Verdict::Faulty {
        return Err(format!("{what}: {:?}", report.verdict));
    }
    Ok(())
}

/// A file of these events, chained and signed, with the secrets of `told` (all with the seed, of one seat, or none).
fn running(game: &Recorded, events: &[(Value, Option<Value>)], seat: Option<u64>, ended: bool) -> String {
    let (mut before, mut text) = (Bytes32::default(), String::new());
    for (place, (public, secret)) in events.iter().enumerate() {
        let (mut public, seq) = (public.clone(), place as u64 + 1);
        public["seq"] = seq.into();
        let mut line = Line { seq, text: String::new(), secret: secret.as_ref().map(canonical), hash: before };
        if let Some(hash) = line.sealed(&game.server_seed) {
            public["secret_hash"] = hash.to_string().into();
        }
        line.text = canonical(&public);
        line.hash = line.chained(before);
        before = line.hash;
        let tells = ended || (seat.is_some() && public["secret_for"].as_u64() == seat);
        text += &exported_line(&line, line.secret.as_deref().filter(|_| tells));
    }
    let head = Head { hash: before, version: events.len() as u64 };
    text + &exported_end(&server().sign_head(game.id, head), ended.then_some(&game.server_seed))
}

#[test]
fn whatever_is_made_of_files_and_lines_is_judged_in_time() {
    let games = short_games();
    let events: Vec<Vec<(Value, Option<Value>)>> = games
        .iter()
        .map(|(_, _, game)| game.lines.iter().map(|line| (public_of(line), secret_of(line))).collect())
        .collect();
    let numbers: Vec<u64> = (0..1200).collect();
    all("fuzz", &numbers, |number| {
        let mut dice = FastDraws::new(number ^ 0xf022);
        let mut below = |n: usize| dice.below(n as u32) as usize;
        let which = below(games.len());
        let (_, _, game) = &games[which];
        let mut mixed = events[which].clone();
        for _ in 0..=below(3) {
            let place = below(mixed.len());
            match below(6) {
                0 => drop(mixed.remove(place)),
                1 => mixed.insert(place, mixed[below(mixed.len())].clone()),
                2 => {
                    let other = below(mixed.len());
                    mixed.swap(place, other);
                }
                3 => {
                    let other = &events[below(events.len())];
                    let from = below(other.len());
                    mixed.splice(place.., other[from..].iter().cloned());
                }
                4 => {
                    let (public, secret) = &mut mixed[place];
                    match secret {
                        Some(secret) if below(2) == 0 => {
                            let mut others = changed(secret);
                            *secret = others.swap_remove(below(others.len())).1;
                        }
                        _ => {
                            let mut others = changed(public);
                            *public = others.swap_remove(below(others.len())).1;
                        }
                    }
                }
                _ => mixed.truncate(place.max(1)),
            }
            if mixed.is_empty() {
                mixed = events[which].clone();
            }
        }
        let (seat, ended) = ([None, Some(0), Some(1), Some(2)][below(4)], below(3) == 0);
        let text = running(game, &mixed, seat, ended);
        timely(&format!("mixture {number}"), &text, false)?;
        // And bytes of it, without any sense.
        let mut bytes = text.into_bytes();
        for _ in 0..1 + below(4) {
            let (from, to) = (below(bytes.len()), below(bytes.len()));
            match below(3) {
                0 => bytes[from] = below(256) as u8,
                1 => {
                    let (end, last) = ((from + 40).min(bytes.len()), bytes.len() - 40);
                    bytes.copy_within(from..end, to.min(last));
                }
                _ => drop(bytes.drain(from..(from + 1 + below(300)).min(bytes.len()))),
            }
            bytes.resize(bytes.len().max(100), b' ');
        }
        timely(&format!("bytes of mixture {number}"), &String::from_utf8_lossy(&bytes), false)
    });
}

/// One event of a running game replaced by one with numbers that no game has.
#[test]
fn hostile_numbers_are_faults_and_nothing_more() {
    let games = short_games();
    let (mut cases, mut number) = (Vec::new(), 0);
    for (name, _, game) in games.iter().step_by(5) {
        let events: Vec<_> = game.lines.iter().map(|line| (public_of(line), secret_of(line))).collect();
        for (place, (public, _)) in events.iter().enumerate() {
            let fields: Vec<String> = public["data"].as_object().unwrap().keys().cloned().collect();
            for field in fields {
                let old = &public["data"][&field];
                let hostile = match old {
                    Value::Number(_) => vec![
                        json!(4),
                        json!(15),
                        json!(200),
                        json!(255),
                        json!(256),
                        json!(65_535),
                        json!((1_u64 << 53) - 1),
                    ],
                    Value::Array(_) => {
                        vec![json!([]), json!([9, 9, 9, 9, 9, 9, 9, 9]), json!(vec![3; 300]), json!([4, 4, 4])]
                    }
                    Value::Object(_) if field == "card_set" => hostile_card_sets(old),
                    _ => continue,
                };
                for new in hostile.into_iter().filter(|new| new != old) {
                    number += 1;
                    if number % HOSTILE_STRIDE > 0 {
                        continue;
                    }
                    let mut mixed = events.clone();
                    mixed[place].0["data"][&field] = new.clone();
                    if field == "seat" && !mixed[place].0["secret_for"].is_null() {
                        mixed[place].0["secret_for"] = new.clone();
                    }
                    let short = canonical(&new).chars().take(40).collect::<String>();
                    let what = format!("{name}, event {}: {} {field} {short}", place + 1, public["type"]);
                    // Once with what comes before it only, once within all but the end of the game.
                    for length in [place + 1, (events.len() - 1).max(place + 1)] {
                        for seat in [None, new.as_u64().filter(|seat| *seat < 5).or(Some(1))] {
                            cases.push((what.clone(), running(game, &mixed[..length], seat, false)));
                        }
                    }
                }
            }
        }
    }
    all("hostile numbers", &cases, |(what, text)| timely(what, text, false));
}

fn hostile_card_sets(good: &Value) -> Vec<Value> {
    let mut sets = Vec::new();
    let mut add = |path: &str, new: Value| {
        let mut set = good.clone();
        *set.pointer_mut(path).unwrap() = new;
        sets.push(set);
    };
    let land = good["lands"][0].clone();
    let supply = json!({"count": 200, "five_players_extra": 200, "value": 3});
    add("/lands", json!([]));
    add("/lands", json!(vec![land.clone(); 9]));
    add("/lands", json!(vec![land; 300]));
    add("/supplies", json!([]));
    add("/supplies", json!(vec![supply.clone(); 3000]));
    add(
        "/supplies",
        json!(
            (1..=99).map(|value| json!({"count": 255, "five_players_extra": 255, "value": value})).collect::<Vec<_>>()
        ),
    );
    add("/supplies/0", supply);
    add("/rounds/three", json!(0));
    add("/rounds/four", json!(255));
    sets
}

/// Many events that could each be one of a game: time grows with their number, and no faster.
#[test]
fn a_long_file_takes_no_longer_than_its_length() {
    let games = short_games();
    let (_, _, game) = &games[7];
    let events: Vec<_> = game.lines.iter().map(|line| (public_of(line), secret_of(line))).collect();
    let set_up = events.iter().take_while(|(public, _)| public["type"] != "round_started").cloned();
    let mut cases = Vec::new();
    for kind in [
        "supplies_played",
        "supplies_drawn",
        "deck_shuffled",
        "played_supplies_discarded",
        "action_card_kept",
        "action_cards_shuffled",
    ] {
        for seat in [None, Some(0)] {
            let many = events.iter().filter(|(public, _)| public["type"] == kind).cycle().take(3000).cloned();
            let file: Vec<_> = set_up.clone().chain(many).collect();
            cases.push((format!("{kind} for ever"), running(game, &file, seat, false)));
        }
    }
    let again = events[..events.len() - 1].iter().skip(events.len() / 3).cycle().take(3000).cloned();
    let whole: Vec<_> = events[..events.len() / 3].iter().cloned().chain(again).collect();
    cases.push(("rounds for ever".into(), running(game, &whole, None, false)));
    all("long files", &cases, |(what, text)| timely(what, text, true));
}
