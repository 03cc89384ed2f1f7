//! The history of a game that has ended, checked by the chain and by the rules; and what was told while it ran, held
//! against it.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

use super::note::{Accepted, Note, Told};
use super::spelling;
use crate::engine::{Audience, Bytes32, Event, State, Status, check_history};
use crate::log::Line;

/// A whole history that holds together.
pub(super) struct Chronicle {
    items: Vec<Value>,
    hashes: Vec<Bytes32>,
    events: Vec<Event>,
}

impl Chronicle {
    /// Reads all events of a game that has ended, as the API tells them, and checks them: numbers, times, the chain up to
    /// `head`, secrets, and the rules.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub(super) fn read(items: Vec<Value>, head: &Value) -> Result<Self, String> {
        let (mut hashes, mut events) = (Vec::new(), Vec::new());
        let (mut hash, mut at) = (Bytes32([0; 32]), String::new());
        for (seq, item) in (1..).zip(&items) {
            let line = line(seq, item, hash)?;
            if !line.follows(hash) {
                return Err(format!("event {seq} does not follow from the one before"));
            }
            let event = line.open().map_err(|error| error.to_string())?;
            secret_is_labelled(seq, item, &event)?;
            let now = item.get("at").and_then(Value::as_str).unwrap_or_default();
            if now.len() != "2026-01-01T00:00:00.000Z".len() || now < at.as_str() {
                return Err(format!("event {seq} happened at {now}, after {at}"));
            }
            (hash, at) = (line.hash, now.to_owned());
            hashes.push(hash);
            events.push(event);
        }
        let version = items.len();
        if *head != json!({"hash": hash.to_string(), "version": version}) {
            return Err(format!("the chain ends in {hash} at {version}, but the head is {head}"));
        }
        let state = check_history(&events).map_err(|fault| fault.to_string())?;
        if state.status() == Status::Ended {
            Ok(Self { items, hashes, events })
        } else {
            Err("it has not ended".into())
        }
    }

    /// Everything that was told and is not so, in the order of the versions.
    pub(super) fn contradictions(&self, mut notes: Vec<Note>) -> Vec<String> {
        notes.sort_by_key(|note| note.version);
        let mut state = State::default();
        let mut version = 0;
        let mut found = Vec::new();
        for note in &notes {
            for event in self.events.iter().skip(version).take((note.version as usize).saturating_sub(version)) {
                state.apply(event);
                version += 1;
            }
            if let Err(what) = self.compare(note, &state) {
                found.push(format!("what {:?} was told at version {}: {what}", note.viewer, note.version));
            }
        }
        found
    }

    /// Every event belongs to exactly one accepted change, whole, and is laid to whoever asked for it.
    pub(super) fn gaps(&self, accepted: &[Accepted]) -> Vec<String> {
        let mut accepted: Vec<&Accepted> = accepted.iter().collect();
        accepted.sort_by_key(|change| change.first);
        let mut found = Vec::new();
        let mut next = 1;
        for change in accepted {
            if change.first != next {
                found.push(format!("events {next} to {} are nobody's, or somebody's twice", change.first));
            }
            next = change.last + 1;
            let from = (change.first as usize).saturating_sub(1);
            let items = self.items.get(from..change.last as usize).unwrap_or_default();
            if items.is_empty() {
                found.push(format!("what was acknowledged as {} to {} is not there", change.first, change.last));
            }
            if items.iter().any(|item| item.get("cause") != Some(&change.cause)) {
                found.push(format!("events {} to {} are not laid to {}", change.first, change.last, change.cause));
            }
        }
        if next as usize != self.items.len() + 1 {
            found.push(format!("events from {next} on are nobody's, of {}", self.items.len()));
        }
        found
    }

    fn compare(&self, note: &Note, state: &State) -> Result<(), String> {
        if note.version == 0 || note.version > self.items.len() as u64 {
            return Err("there is no such version".into());
        }
        match &note.told {
            Told::Head(head) => {
                let hash = self.hashes.get(note.version as usize - 1).map(ToString::to_string).unwrap_or_default();
                same("head", &json!({"hash": hash, "version": note.version}), head)
            }
            Told::View(view) => {
                let expected = serde_json::to_value(state.view(note.viewer)).map_err(|error| error.to_string())?;
                same("view", &expected, view)
            }
            Told::Events(events) => events.iter().try_for_each(|event| self.compare_event(note, event)),
            Told::Moves(bodies) => {
                let legal = note.viewer.seat().map(|seat| state.legal_moves(seat)).unwrap_or_default();
                let body = |action| json!({"expected_version": note.version, "move": action}).to_string();
                let expected: BTreeSet<String> = legal.iter().map(spelling::written).map(body).collect();
                let told: BTreeSet<String> = bodies.iter().map(ToString::to_string).collect();
                let differ: Vec<_> = expected.symmetric_difference(&told).collect();
                if differ.is_empty() { Ok(()) } else { Err(format!("the legal moves differ in {differ:?}")) }
            }
        }
    }

    /// Byte for byte the event of the history, with its secret exactly if the viewer could know it then.
    fn compare_event(&self, note: &Note, told: &Value) -> Result<(), String> {
        let seq = told.get("seq").and_then(Value::as_u64).unwrap_or_default();
        let index = (seq as usize).checked_sub(1);
        let item = index.and_then(|index| self.items.get(index)).filter(|_| seq <= note.version);
        let item = item.ok_or_else(|| format!("event {seq}, which is not there"))?;
        let ended = note.version == self.items.len() as u64;
        let audience = item.get("secret_for").and_then(Value::as_u64);
        let own = note.viewer.seat().is_some_and(|seat| audience == Some(seat.number().into()));
        let mut expected = item.clone();
        if let (false, Some(expected)) = (ended || own, expected.as_object_mut()) {
            expected.remove("secret");
            if told.get("secret").is_some() {
                return Err(format!("the secret of event {seq}, which is not for him: LEAK"));
            }
        }
        same(&format!("event {seq}"), &expected, told)
    }
}

/// The item as a line of the log after `before`: its public part in canonical JSON, its secret beside it.
fn line(seq: u64, item: &Value, before: Bytes32) -> Result<Line, String> {
    let mut public: Map<String, Value> = item.as_object().cloned().unwrap_or_default();
    if public.get("seq").and_then(Value::as_u64) != Some(seq) {
        return Err(format!("where event {seq} should be, there is {:?}", public.get("seq")));
    }
    let secret = public.remove("secret").map(canonical);
    let text = canonical(Value::Object(public));
    let claimed = Sha256::new().chain_update(before.0).chain_update(&text).finalize();
    Ok(Line { seq, text, secret, hash: Bytes32(claimed.into()) })
}

/// RFC 8785 for data without fractions and with ASCII keys.
fn canonical(mut value: Value) -> String {
    value.sort_all_objects();
    value.to_string()
}

/// `secret_for` and `secret_hash` are there exactly if the type has a secret, and name its audience.
fn secret_is_labelled(seq: u64, item: &Value, event: &Event) -> Result<(), String> {
    let expected = event.fact.audience().map(|audience| match audience {
        Audience::Seat(seat) => json!(seat),
        Audience::Nobody => Value::Null,
    });
    if item.get("secret_for") == expected.as_ref() && item.get("secret_hash").is_some() == expected.is_some() {
        Ok(())
    } else {
        Err(format!("event {seq} does not say rightly whose secret it has"))
    }
}

/// Whether the two are the same; if not, where they first differ.
fn same(what: &str, expected: &Value, told: &Value) -> Result<(), String> {
    if expected == told {
        return Ok(());
    }
    let differs = |name: &&String| expected.get(*name) != told.get(*name);
    let mut names = [expected, told].into_iter().filter_map(Value::as_object).flat_map(Map::keys);
    let field = names.find(differs).cloned().unwrap_or_default();
    let short = |value: &Value| {
        let value = value.get(&field).unwrap_or(value).to_string();
        value.chars().take(160).collect::<String>()
    };
    Err(format!("{what} differs in `{field}`: {} was told, {} is so", short(told), short(expected)))
}

#[cfg(test)]
#[path = "chronicle_tests.rs"]
mod tests;
