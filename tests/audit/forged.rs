//! Files forged by the server itself: lines changed, and all that hangs on them made anew with its own seed and key.

use fereta::cli::selfplay::record::Recorded;
use fereta::engine::{Bytes32, Viewer};
use fereta::log::{Head, Line, exported_end, exported_line};
use serde_json::Value;
use uuid::Uuid;

use crate::games::server;

/// An event that is not what it was.
pub(crate) struct Forged {
    pub(crate) seq: u64,
    pub(crate) public: Value,
    pub(crate) secret: Option<Value>,
}

pub(crate) fn canonical(value: &Value) -> String {
    let mut value = value.clone();
    value.sort_all_objects();
    value.to_string()
}

pub(crate) fn public_of(line: &Line) -> Value {
    serde_json::from_str(&line.text).unwrap()
}

pub(crate) fn secret_of(line: &Line) -> Option<Value> {
    line.secret.as_ref().map(|secret| serde_json::from_str(secret).unwrap())
}

/// The lines with one of them forged; with `anew` secrets are sealed and hashes chained anew from there on.
pub(crate) fn lines(game: &Recorded, forged: &Forged, anew: bool) -> Vec<Line> {
    let mut before = Bytes32::default();
    let mut lines = Vec::new();
    for old in &game.lines {
        let mut line = old.clone();
        if old.seq == forged.seq {
            let mut public = forged.public.clone();
            line.secret = forged.secret.as_ref().map(canonical);
            if anew && forged.secret != secret_of(old) {
                public["secret_hash"] = line.sealed(&game.server_seed).unwrap().to_string().into();
            }
            line.text = canonical(&public);
        }
        if anew {
            line.hash = line.chained(before);
        }
        before = line.hash;
        lines.push(line);
    }
    lines
}

/// The file of these lines, whose secrets are told to everybody, signed by the server.
pub(crate) fn file(lines: &[Line], id: Uuid, server_seed: Option<&[u8; 32]>) -> String {
    let events: String = lines.iter().map(|line| exported_line(line, line.secret.as_deref())).collect();
    let last = lines.last().unwrap();
    let head = server().sign_head(id, Head { hash: last.hash, version: last.seq });
    events + &exported_end(&head, server_seed)
}

/// The game's id as its first line says.
pub(crate) fn id_of(lines: &[Line]) -> Uuid {
    public_of(&lines[0])["data"]["game_id"].as_str().and_then(|id| id.parse().ok()).unwrap_or_default()
}

/// Every value within `value` with another in its place, one at a time: where it is, and the whole with the change.
pub(crate) fn changed(value: &Value) -> Vec<(String, Value)> {
    let mut all = Vec::new();
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                for (place, other) in changed(field) {
                    let mut whole = value.clone();
                    whole[name] = other;
                    all.push((format!(".{name}{place}"), whole));
                }
            }
        }
        Value::Array(items) => {
            for (number, item) in items.iter().enumerate() {
                for (place, other) in changed(item) {
                    let mut whole = value.clone();
                    whole[number] = other;
                    all.push((format!(".n{place}"), whole));
                }
            }
            if let [first, second, rest @ ..] = items.as_slice()
                && first != second
            {
                all.push((".turned".into(), [&[second.clone(), first.clone()], rest].concat().into()));
            }
            if let [_, rest @ ..] = items.as_slice() {
                all.push((".shorter".into(), rest.to_vec().into()));
            }
            let one = items.first().cloned().unwrap_or_else(|| 1.into());
            all.push((".longer".into(), [&[one], items.as_slice()].concat().into()));
        }
        leaf => all.extend(others(leaf).into_iter().map(|other| (String::new(), other))),
    }
    all
}

const WORDS: &[&[&str]] = &[
    &["eagle", "rose"],
    &["estate", "trading_post"],
    &["bot", "player", "server"],
    &["farmer", "estates", "diplomat_2"],
    &["traitor", "strategist", "diplomat_5", "diplomat_2", "builder", "farmer", "mercenary"],
    &["land", "traitor", "strategist", "mercenary", "trading_posts"],
    &["last_round", "one_house"],
    &["creator", "full"],
    &["creator", "expired"],
    &["dealt", "fixed"],
    &["clock", "table"],
    &["river", "city"],
    &["easy", "normal", "hard", "expert"],
];

/// Other values for one, of its kind where there are some, and of another.
fn others(leaf: &Value) -> Vec<Value> {
    match leaf {
        Value::Number(number) => {
            let number = number.as_u64().unwrap();
            let mut all: Vec<Value> = vec![(number + 1).into(), 65_535.into(), number.to_string().into()];
            all.extend(number.checked_sub(1).map(Value::from));
            all
        }
        Value::Bool(bool) => vec![(!bool).into()],
        Value::String(text) => {
            let (begin, end) = text.split_at(text.len() - 1);
            let digit = if end == "1" { "2" } else { "1" };
            let last_digit = text.rfind(|c: char| c.is_ascii_digit()).filter(|_| text.ends_with('Z'));
            let later = last_digit
                .map(|place| format!("{}{}Z", &text[..place], if &text[place..=place] == "9" { "8" } else { "9" }));
            let mut all: Vec<Value> =
                vec![later.unwrap_or_else(|| format!("{begin}{digit}")).into(), format!("{text}0").into()];
            for words in WORDS.iter().filter(|words| words.contains(&text.as_str())) {
                let place = words.iter().position(|word| word == text).unwrap();
                all.push(words[(place + 1) % words.len()].into());
            }
            if let ("clock" | "table", _) = (text.as_str(), ()) {
                all.push(serde_json::json!({"seat": 0}));
                all.push(serde_json::json!({"bot": 1}));
            }
            all
        }
        _ => vec!["rose".into(), 0.into()],
    }
}

/// Every field of an object that is not there any more, named in another way, or null.
pub(crate) fn misshapen(value: &Value) -> Vec<(String, Value)> {
    let mut all = Vec::new();
    let Value::Object(fields) = value else { return all };
    for (name, field) in fields {
        let without: serde_json::Map<_, _> = fields.clone().into_iter().filter(|(other, _)| other != name).collect();
        all.push((format!(".{name} is not there"), without.into()));
        let mut null = value.clone();
        null[name] = Value::Null;
        all.push((format!(".{name} is null"), null));
        for (place, other) in misshapen(field) {
            let mut whole = value.clone();
            whole[name] = other;
            all.push((format!(".{name}{place}"), whole));
        }
    }
    for more in ["secret", "secret_hash", "secret_for", "zzz"] {
        if !fields.contains_key(more) {
            let mut whole = value.clone();
            whole[more] = Value::Null;
            all.push((format!(".{more} more"), whole));
        }
    }
    all
}

/// The whole game's file, as it is.
pub(crate) fn whole(game: &Recorded) -> String {
    game.export(&server(), Viewer::Spectator, usize::MAX).unwrap()
}
