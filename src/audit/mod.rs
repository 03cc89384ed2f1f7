//! Whether an exported history holds (fairness F1 to F4): one verdict, and the first fault in words.
//!
//! No IO, and nothing on trust: the file may have been made by whoever wants to deceive. An ended game is played again from its
//! first event, with the draws that its seeds lead to. Of a game that still runs as much is checked as the exporter could see.

mod bots;
mod causes;
mod chain;
mod notes;
mod rules;

use serde::Serialize;
use uuid::Uuid;

use crate::engine::{Fact, State, Status};
use crate::log::{End, Export, FormFault, Head, Line, SignedHead};

pub use bots::Replayed;
pub use notes::{NotedHead, Notes};

/// What an audit came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report {
    /// The game, if the first event could be read.
    pub game_id: Option<Uuid>,
    /// In a word.
    pub verdict: Verdict,
    /// How many events the file has.
    pub version: u64,
    /// The proof key that the file names, if it could be read to its end.
    pub key: Option<crate::engine::Bytes32>,
    /// The result of a game that ended and holds, by seat.
    pub result: Option<GameResult>,
    /// How many notes it was held against.
    pub held: usize,
    /// The last event that those notes cover, 0 without: what follows it could be another history still.
    pub held_to: u64,
    /// What came of thinking of the bots' moves again, if that was asked for.
    pub bots: Option<Replayed>,
    /// The first fault.
    pub fault: Option<Fault>,
}

/// The result of a game (R4.3), by seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GameResult {
    /// Victory points.
    pub scores: Vec<u16>,
    /// Ranks, from 1.
    pub ranks: Vec<u8>,
}

/// What an audit came to, in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The game has ended, all holds, and it is the one that was noted while it ran.
    Anchored,
    /// The game has ended and all holds, but there is nothing noted to hold it against: another history may have been shown.
    Consistent,
    /// The game has not ended: what can be checked holds.
    Incomplete,
    /// Something does not hold.
    Faulty,
}

/// The first thing that does not hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// The event where it shows, counted from 1; null for what stands after the events.
    pub seq: Option<u64>,
    /// What is broken: a part of the fairness page (`F3`) or a rule (`R3.1`).
    pub rule: String,
    /// What is wrong, in words.
    pub message: String,
    /// What should stand there.
    pub expected: String,
    /// What stands there.
    pub found: String,
}

impl Fault {
    fn new(
        seq: impl Into<Option<u64>>,
        rule: impl Into<String>,
        message: impl Into<String>,
        expected: impl ToString,
        found: impl ToString,
    ) -> Self {
        let (expected, found) = (expected.to_string(), found.to_string());
        Self { seq: seq.into(), rule: rule.into(), message: message.into(), expected, found }
    }
}

/// Checks the file of one game, and holds it against what was noted.
#[must_use]
pub fn audit(text: &str, notes: &Notes) -> Report {
    let export = Export::read(text);
    let end = export.end.as_ref().ok().copied();
    let server_seed = end.and_then(|end| end.server_seed);
    // A file that breaks off may be of a game that has ended: then its secrets are told, and its seed is not.
    let runs = end.is_some() && !export.lines.last().is_some_and(ends_a_game);
    let chain = chain::check(&export.lines, server_seed.filter(|_| !runs));
    let game_id = chain.game_id();
    let mut report = Report {
        game_id,
        verdict: Verdict::Faulty,
        version: export.lines.len() as u64,
        key: end.map(|end| end.key),
        result: None,
        held: 0,
        held_to: 0,
        bots: None,
        fault: None,
    };
    let broken = chain.fault.clone().or_else(|| export.end.as_ref().err().map(form_fault));
    let played = rules::check(&chain, server_seed, runs);
    let found = match (played, broken, end) {
        // The rules look at no event from the first that cannot be read on: what they find comes before it, or is that it is missing.
        (Err(fault), Some(broken), _)
            if broken.seq.is_some_and(|seq| fault.seq.is_none_or(|of_rules| of_rules >= seq)) =>
        {
            Err(broken)
        }
        (Err(fault), _, _) | (Ok(_), Some(fault), _) => Err(fault),
        (Ok(played), None, Some(end)) => finish(game_id, chain.head, &played, &end).map(|()| played),
        (Ok(_), None, None) => Err(Fault::new(None, "F4", "there is no end", "the head", "the end of the file")),
    };
    match found.and_then(|played| Ok((played, notes.hold(game_id, &chain.hashes, &chain.publics, end)?))) {
        Err(fault) => report.fault = Some(fault),
        Ok((played, held)) => {
            report.verdict = match (played.status, held.is_empty()) {
                (Status::Open | Status::Running, _) => Verdict::Incomplete,
                (Status::Ended | Status::Closed, true) => Verdict::Consistent,
                (Status::Ended | Status::Closed, false) => Verdict::Anchored,
            };
            (report.held, report.held_to) = (held.len(), held.into_iter().max().unwrap_or(0));
            report.result = played.result;
        }
    }
    report
}

/// Checks the file of one game as [`audit`] does, and if the game has ended and holds, thinks of its bots' moves again, which takes
/// them as long as it did then; `progress` is told of each.
#[must_use]
pub fn audit_with_bots(text: &str, notes: &Notes, progress: impl FnMut()) -> Report {
    let mut report = audit(text, notes);
    let export = Export::read(text);
    let server_seed = export.end.ok().and_then(|end| end.server_seed);
    let (Some(server_seed), Verdict::Consistent | Verdict::Anchored) = (server_seed, report.verdict) else {
        return report;
    };
    match bots::replay(&export.lines, &server_seed, progress) {
        Ok(replayed) => report.bots = Some(replayed),
        Err(fault) => (report.verdict, report.fault) = (Verdict::Faulty, Some(fault)),
    }
    report
}

fn form_fault(form: &FormFault) -> Fault {
    let seq = Some(form.seq).filter(|_| form.of_event);
    Fault::new(seq, "F4", format!("line {} of the file", form.line), form.expected, &form.found)
}

/// Whether nothing can happen after this line.
fn ends_a_game(line: &Line) -> bool {
    line.fact().is_ok_and(|fact| matches!(fact, Fact::GameEnded(_) | Fact::TableClosed(_)))
}

/// Checks a whole log with the seed behind it, of a game that may still run; gives the table that it leads to, and the head.
///
/// # Errors
/// The first fault.
pub fn audit_log(lines: &[Line], server_seed: &[u8; 32]) -> Result<(State, Head), Fault> {
    let chain = chain::check(lines, Some(*server_seed));
    rules::check(&chain, Some(*server_seed), false)?;
    match chain.fault {
        Some(fault) => Err(fault),
        None => Ok((State::fold(&chain.events), chain.head)),
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.seq {
            Some(seq) => write!(f, "event {seq} ({}): {}", self.rule, self.message),
            None => write!(f, "after the events ({}): {}", self.rule, self.message),
        }
    }
}

/// The end of the file: it is the end of this history, it is signed, and the seed is told exactly if the game has ended.
fn finish(game_id: Option<Uuid>, head: Head, played: &rules::Played, end: &End) -> Result<(), Fault> {
    let after = None;
    let Some(game_id) = game_id else {
        return Err(Fault::new(
            1,
            "F3",
            "there is no event",
            "the event that the table was set up",
            "the end of the file",
        ));
    };
    if end.head != head {
        let words = |head: Head| format!("version {}, hash {}", head.version, head.hash);
        return Err(Fault::new(after, "F4", "the head is not that of these events", words(head), words(end.head)));
    }
    if !(SignedHead { game_id, head, key: end.key, signature: end.signature }).holds() {
        let expected = format!("a signature of the head by the key {}", end.key);
        return Err(Fault::new(after, "F3", "the head's signature does not hold", expected, end.signature));
    }
    let ended = match played.status {
        Status::Ended | Status::Closed => true,
        Status::Open | Status::Running => false,
    };
    match (ended, end.server_seed.is_some()) {
        (true, false) => Err(Fault::new(
            after,
            "F4",
            "the game has ended, but its seed is not told",
            "the reveal",
            "the end of the file",
        )),
        (false, true) => Err(Fault::new(
            after,
            "F4",
            "the seed is told, but the game has not ended",
            "the end of the file",
            "the reveal",
        )),
        (true, true) | (false, false) => Ok(()),
    }
}
