//! Whoever has the export of a running game for one seat tries to find out by force what he may not know: another's kept action
//! card, the next supply card, the cards that are left over. He tries all secrets that there could be against the hashes, and
//! looks whether anything that he is shown goes with what is hidden.

use std::collections::BTreeMap;

use fereta::cli::selfplay::record::{Recorded, record};
use fereta::engine::{ActionCard, Event, Fact, Seat, Secret, State, Status, Viewer};
use fereta::log::{Export, Line, ProofKey};
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// The seat that looks.
fn eye() -> Seat {
    Seat::new(0).unwrap()
}

/// A game, cut off in the middle of a draft, and what seat 0 is given of it.
fn cut(number: u64) -> (Recorded, Vec<Line>) {
    let game = record(number, &[]).unwrap();
    let drafts = game.events.iter().enumerate().filter(|(_, event)| matches!(event.fact, Fact::ActionCardKept(_)));
    let drafts: Vec<usize> = drafts.map(|(place, _)| place + 1).collect();
    let version = drafts[(number as usize * 7) % drafts.len()];
    let text = game.export(&ProofKey::from_bytes(&[1; 32]), Viewer::Seat(eye()), version).unwrap();
    let export = Export::read(&text);
    assert!(export.end.is_ok_and(|end| end.server_seed.is_none()), "the game runs");
    (game, export.lines)
}

/// The secrets that he was not given, with the lines that hide them.
fn hidden<'a>(game: &'a Recorded, shown: &'a [Line]) -> impl Iterator<Item = (&'a Line, &'a Event)> {
    shown.iter().zip(&game.events).filter(|(line, event)| line.secret.is_none() && event.secret.is_some())
}

#[test]
fn no_secret_that_there_could_be_has_the_hash_under_any_salt_that_is_known() {
    let mut tried = 0;
    for number in 0..40 {
        let (game, shown) = cut(number);
        let public: Vec<Value> = shown.iter().map(|line| serde_json::from_str(&line.text).unwrap()).collect();
        for (line, event) in hidden(&game, &shown) {
            let candidates: Vec<String> = match &event.fact {
                Fact::ActionCardKept(_) => {
                    ActionCard::ALL.iter().map(|card| json!({ "card": card }).to_string()).collect()
                }
                Fact::SuppliesDrawn(drawn) if drawn.count == 1 => {
                    (1..=9).map(|value| json!({ "cards": [value] }).to_string()).collect()
                }
                Fact::ActionCardsLeft(left) if left.count < 2 => {
                    let none = [json!({ "cards": [] }).to_string()];
                    let one = ActionCard::ALL.iter().map(|card| json!({ "cards": [card] }).to_string());
                    none.into_iter().chain(one).collect()
                }
                _ => continue,
            };
            // The list has the true one.
            assert!(candidates.contains(game.lines[line.seq as usize - 1].secret.as_ref().unwrap()), "{candidates:?}");
            let hash = public[line.seq as usize - 1]["secret_hash"].as_str().unwrap().to_owned();
            for salt in salts(&public, &shown, line) {
                for candidate in &candidates {
                    let found = Sha256::new().chain_update(&salt).chain_update(candidate).finalize();
                    assert_ne!(hex::encode(found), hash, "event {} hides {candidate}", line.seq);
                    tried += 1;
                }
            }
        }
    }
    assert!(tried > 50_000, "{tried}");
}

/// All that he knows and could be a salt, or the key that salts are made with.
fn salts(public: &[Value], shown: &[Line], line: &Line) -> Vec<Vec<u8>> {
    let table = &public[0]["data"];
    let mut keys: Vec<Vec<u8>> = vec![Vec::new(), vec![0; 32], table["game_id"].as_str().unwrap().into()];
    keys.push(uuid::Uuid::parse_str(table["game_id"].as_str().unwrap()).unwrap().as_bytes().to_vec());
    keys.push(hex::decode(table["seed_commitment"].as_str().unwrap()).unwrap());
    let entropies = public.iter().filter_map(|event| event["data"]["entropy"].as_str());
    keys.extend(entropies.map(|entropy| hex::decode(entropy).unwrap()));
    keys.push(shown[line.seq as usize - 2].hash.0.to_vec());
    keys.push(line.hash.0.to_vec());
    let seq = line.seq;
    let mut salts = keys.clone();
    salts.extend([seq.to_string().into_bytes(), seq.to_be_bytes().to_vec()]);
    for key in keys {
        for label in [format!("fereta/salt/1/{seq}"), format!("fereta/entropy/1/{seq}"), seq.to_string()] {
            let mut mac = Hmac::<Sha256>::new_from_slice(&key).unwrap();
            mac.update(label.as_bytes());
            salts.push(mac.finalize().into_bytes().to_vec());
        }
    }
    salts
}

/// Nothing that can be seen of a line goes with what it hides: who learns by half of the games which card goes with what, guesses no
/// better in the other half than he who always says the commonest card.
#[test]
fn nothing_that_is_shown_goes_with_what_is_hidden() {
    let mut cases: Vec<(BTreeMap<String, u64>, ActionCard)> = Vec::new();
    for number in 0..250 {
        let game = record(1_000 + number, &[]).unwrap();
        let mut state = State::default();
        for (line, event) in game.lines.iter().zip(&game.events) {
            state.apply(event);
            let (Fact::ActionCardKept(kept), Some(Secret::ActionCard(secret))) = (&event.fact, &event.secret) else {
                continue;
            };
            if kept.seat == eye() || state.status() != Status::Running {
                continue;
            }
            let public: Value = serde_json::from_str(&line.text).unwrap();
            let hash = hex::decode(public["secret_hash"].as_str().unwrap()).unwrap();
            let mut seen =
                BTreeMap::from([("length".to_owned(), line.text.len() as u64 % 64), ("seq".to_owned(), line.seq % 8)]);
            seen.insert("time".into(), public["at"].as_str().unwrap()[20..23].parse::<u64>().unwrap() % 8);
            for (place, byte) in hash.iter().enumerate() {
                seen.insert(format!("secret hash, byte {place}"), u64::from(byte % 8));
            }
            for (place, byte) in line.hash.0.iter().enumerate() {
                seen.insert(format!("hash, byte {place}"), u64::from(byte % 8));
            }
            for (place, byte) in game.id.as_bytes().iter().enumerate() {
                seen.insert(format!("id, byte {place}"), u64::from(byte % 8));
            }
            cases.push((seen, secret.card));
        }
    }
    let (learn, test) = cases.split_at(cases.len() / 2);
    let commonest =
        |cards: &BTreeMap<ActionCard, usize>| cards.iter().max_by_key(|(_, count)| **count).map(|(card, _)| *card);
    let mut all = BTreeMap::new();
    learn.iter().for_each(|(_, card)| *all.entry(*card).or_insert(0) += 1);
    let usual = commonest(&all);
    let right = |guess: &dyn Fn(&BTreeMap<String, u64>) -> Option<ActionCard>| {
        test.iter().filter(|(seen, card)| guess(seen) == Some(*card)).count() as f64 / test.len() as f64
    };
    let by_rote = right(&|_| usual);
    let spread = (by_rote * (1.0 - by_rote) / test.len() as f64).sqrt();
    assert!(test.len() > 2_000, "{}", test.len());
    for feature in learn[0].0.keys() {
        let mut known: BTreeMap<u64, BTreeMap<ActionCard, usize>> = BTreeMap::new();
        for (seen, card) in learn {
            *known.entry(seen[feature]).or_default().entry(*card).or_insert(0) += 1;
        }
        let guessed = right(&|seen| known.get(&seen[feature]).and_then(commonest));
        // 5 sigma: there are a hundred features.
        assert!(guessed < by_rote + 5.0 * spread, "{feature}: {guessed:.3} against {by_rote:.3}");
    }
}
