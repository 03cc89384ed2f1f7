//! A history as a file (fairness F4), written and read: every public line as it was hashed, each with its hash and the secret that
//! the reader may know, the signed head, and the seed once the game has ended.
//!
//! Reading takes nothing on trust but the form: whether the history holds is for the audit to say.

use std::fmt::Write as _;

use serde::Deserialize;

use super::canonical;
use super::line::{Head, Line, there};
use super::proof::{Bytes64, SignedHead};
use crate::engine::Bytes32;

/// The two lines of the file that an event is, each with its line feed.
#[must_use]
pub fn exported_line(line: &Line, secret: Option<&str>) -> String {
    let mut text = String::with_capacity(line.text.len() + 128);
    text.push_str(&line.text);
    text.push('\n');
    text.push_str(&proof_line(line.hash, secret, line.seq));
    text.push('\n');
    text
}

/// The end of the file: the signed head and, if the game has ended, the server's seed.
#[must_use]
pub fn exported_end(head: &SignedHead, server_seed: Option<&[u8; 32]>) -> String {
    let SignedHead { head: Head { hash, version }, key, signature, .. } = head;
    let mut text = format!(
        "{{\"head\":{{\"hash\":\"{hash}\",\"version\":{version}}},\"key\":\"{key}\",\"signature\":\"{signature}\"}}\n"
    );
    if let Some(seed) = server_seed {
        // To write to a string cannot fail.
        let _ = writeln!(text, "{{\"reveal\":{{\"server_seed\":\"{}\"}}}}", Bytes32(*seed));
    }
    text
}

/// The line that follows a public line.
fn proof_line(hash: Bytes32, secret: Option<&str>, seq: u64) -> String {
    match secret {
        None => format!("{{\"hash\":\"{hash}\",\"seq\":{seq}}}"),
        Some(secret) => {
            let secret = secret.replace('\\', "\\\\").replace('"', "\\\"");
            format!("{{\"hash\":\"{hash}\",\"secret\":\"{secret}\",\"seq\":{seq}}}")
        }
    }
}

/// A file as far as it could be read.
#[derive(Clone, PartialEq, Eq)]
pub struct Export {
    /// The events, as they are told: hashes and secrets are not checked.
    pub lines: Vec<Line>,
    /// How it ends; or what cannot be read, after those events.
    pub end: Result<End, FormFault>,
}

/// What follows the events.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct End {
    /// The newest event.
    pub head: Head,
    /// The public proof key that it is signed with.
    pub key: Bytes32,
    /// The signature.
    pub signature: Bytes64,
    /// The server's seed, of a game that has ended.
    pub server_seed: Option<[u8; 32]>,
}

/// Something in a file that no server writes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line} of the file: {found}; there should be {expected}")]
pub struct FormFault {
    /// The line of the file, counted from 1.
    pub line: usize,
    /// The event that it belongs to, or that should be there.
    pub seq: u64,
    /// Whether it stands among the events, or after them.
    pub of_event: bool,
    /// What should stand there.
    pub expected: &'static str,
    /// What stands there.
    pub found: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ProofLine {
    hash: Bytes32,
    #[serde(default, deserialize_with = "there")]
    secret: Option<String>,
    seq: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HeadLine {
    head: Head,
    key: Bytes32,
    signature: Bytes64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RevealLine {
    reveal: Reveal,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Reveal {
    server_seed: Bytes32,
}

impl Export {
    /// Reads the file of one game.
    #[must_use]
    pub fn read(text: &str) -> Self {
        let mut reader = Reader { rest: text, line: 0, seq: 1, ended: false };
        let mut lines = Vec::new();
        let end = loop {
            match reader.event() {
                Ok(Some(line)) => lines.push(line),
                Ok(None) => break reader.end(),
                Err(fault) => break Err(fault),
            }
        };
        Self { lines, end }
    }
}

/// Whether a line of a file is the one with the head, after which only the reveal can follow.
#[must_use]
pub fn is_head_line(line: &str) -> bool {
    line.starts_with("{\"head\":")
}

/// Whether a line of a file is the first of a game.
#[must_use]
pub fn begins_a_game(line: &str) -> bool {
    line.trim_end().ends_with("\"seq\":1,\"type\":\"table_created\"}")
}

/// Whether a line of a file is the reveal.
#[must_use]
pub fn is_reveal_line(line: &str) -> bool {
    line.starts_with("{\"reveal\":")
}

struct Reader<'a> {
    rest: &'a str,
    /// The number of the line that was read last.
    line: usize,
    /// The event that is read.
    seq: u64,
    /// Whether the head was come to.
    ended: bool,
}

impl<'a> Reader<'a> {
    /// The next event; none where the head stands.
    fn event(&mut self) -> Result<Option<Line>, FormFault> {
        if is_head_line(self.rest) {
            self.ended = true;
            return Ok(None);
        }
        let text = self.canonical_line("the public line of an event, or the head")?;
        if let Some((hash, secret, rest)) = self.usual_proof() {
            let seq = self.seq;
            (self.rest, self.line, self.seq) = (rest, self.line + 1, seq + 1);
            return Ok(Some(Line { seq, text: text.to_owned(), secret, hash }));
        }
        let proof = self.canonical_line("the line with the event's hash")?;
        let ProofLine { hash, secret, seq } = self.read(proof, "the line with the event's hash")?;
        if seq != self.seq {
            return Err(self.fault("the hashes in order, without a gap", format!("the hash of event {seq}")));
        }
        self.seq += 1;
        Ok(Some(Line { seq, text: text.to_owned(), secret, hash }))
    }

    /// The line with the hash of the event, if it is as it ought to be to the byte; what follows it. Whatever else stands there is
    /// read with more patience, to say what is wrong.
    fn usual_proof(&self) -> Option<(Bytes32, Option<String>, &'a str)> {
        let (line, rest) = self.rest.split_once('\n')?;
        let (hash, after) = line.strip_prefix("{\"hash\":\"")?.split_at_checked(64)?;
        let hash = hash.parse().ok()?;
        let end = format!("\",\"seq\":{}}}", self.seq);
        if after == end {
            return Some((hash, None, rest));
        }
        let secret = after.strip_prefix("\",\"secret\":\"")?.strip_suffix(&end)?;
        let secret = secret.replace("\\\"", "\"");
        (proof_line(hash, Some(&secret), self.seq) == line).then_some((hash, Some(secret), rest))
    }

    fn end(&mut self) -> Result<End, FormFault> {
        let head = self.canonical_line("the head")?;
        let HeadLine { head, key, signature } = self.read(head, "the head with its key and signature")?;
        let server_seed = if self.rest.is_empty() {
            None
        } else {
            let reveal = self.canonical_line("the reveal")?;
            let RevealLine { reveal } = self.read(reveal, "the reveal of the server's seed, or nothing")?;
            Some(reveal.server_seed.0)
        };
        if self.rest.is_empty() {
            Ok(End { head, key, signature, server_seed })
        } else {
            self.line += 1;
            Err(self.fault("the end of the file", "more lines".into()))
        }
    }

    fn canonical_line(&mut self, expected: &'static str) -> Result<&'a str, FormFault> {
        self.line += 1;
        let Some((line, rest)) = self.rest.split_once('\n') else {
            let found = if self.rest.is_empty() { "the end of the file" } else { "a line that does not end" };
            return Err(self.fault(expected, found.into()));
        };
        self.rest = rest;
        match canonical::check(line) {
            Ok(()) => Ok(line),
            Err(what) => Err(self.fault(expected, format!("no canonical JSON: {what}"))),
        }
    }

    fn read<T: for<'de> Deserialize<'de>>(&self, line: &str, expected: &'static str) -> Result<T, FormFault> {
        serde_json::from_str(line).map_err(|error| self.fault(expected, error.to_string()))
    }

    fn fault(&self, expected: &'static str, found: String) -> FormFault {
        FormFault { line: self.line, seq: self.seq, of_event: !self.ended, expected, found }
    }
}
