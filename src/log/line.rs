//! Sealing events into lines, and reading them back.

use chrono::{DateTime, SecondsFormat, Utc};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};

use super::canonical;
use crate::engine::{
    ActionCardOrder, Audience, Bytes32, DeckOrder, Event, FAIRNESS_VERSION, FORMAT_VERSION, Fact, RULES_VERSION, Seat,
    Secret, SecretActionCard, SecretActionCards, SecretSupplies, hmac_sha256,
};

/// Where the first line has its versions, and the newest ones that this program knows.
const NEWEST: [(&str, u16); 3] =
    [("/data/format", FORMAT_VERSION), ("/data/rules", RULES_VERSION), ("/data/fairness", FAIRNESS_VERSION)];

/// A line of the log, as it is stored.
#[derive(Clone, PartialEq, Eq)]
pub struct Line {
    /// Its number, counted from 1.
    pub seq: u64,
    /// The public line: canonical JSON, byte for byte as it was hashed.
    pub text: String,
    /// The secret part: canonical JSON, byte for byte as it was hashed.
    pub secret: Option<String>,
    /// The chain up to and with this line.
    pub hash: Bytes32,
}

/// The newest line of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// The chain up to and with that line.
    pub hash: Bytes32,
    /// The number of lines.
    pub version: u64,
}

impl Head {
    /// The head of a log without lines.
    pub const EMPTY: Self = Self { hash: Bytes32([0; 32]), version: 0 };
}

/// Who made something happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// The player in a seat.
    Seat(Seat),
    /// The bot in a seat.
    Bot(Seat),
    /// A deadline.
    Clock,
    /// Somebody who acted without a seat.
    Table,
}

/// Why a line cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// The public line is not what a line of this version is.
    #[error("line {seq} cannot be read: {reason}")]
    Line {
        /// The line's number.
        seq: u64,
        /// What is wrong.
        reason: String,
    },
    /// The secret part is not what the line's type has. The reason is not told, as it could quote the secret.
    #[error("the secret of line {seq} cannot be read")]
    Secret {
        /// The line's number.
        seq: u64,
    },
    /// The line does not follow from the one before it.
    #[error("line {seq} breaks the chain")]
    Chain {
        /// The line's number.
        seq: u64,
    },
    /// The log belongs to a version that this program does not know.
    #[error("the game was made by a newer version")]
    Newer,
}

/// Adds events to a log.
pub struct Sealer<'a> {
    server_seed: &'a [u8; 32],
    head: Head,
}

impl<'a> Sealer<'a> {
    /// Goes on after `head`.
    pub const fn new(server_seed: &'a [u8; 32], head: Head) -> Self {
        Self { server_seed, head }
    }

    /// The newest line.
    pub const fn head(&self) -> Head {
        self.head
    }

    /// Makes the next line.
    ///
    /// # Errors
    /// [`LogError::Line`] if the event cannot be written as JSON, which no event of the engine does.
    pub fn seal(&mut self, event: &Event, cause: Cause, at: DateTime<Utc>) -> Result<Line, LogError> {
        let seq = self.head.version + 1;
        let unwritable = |error: serde_json::Error| LogError::Line { seq, reason: error.to_string() };
        let secret = event.secret.as_ref().map(canonical::text).transpose().map_err(unwritable)?;
        let secret_hash = secret.as_ref().map(|secret| secret_hash(self.server_seed, seq, secret));
        let public = Public { at, cause, fact: event.fact.clone(), secret_hash };
        let text = written(seq, &public).map_err(unwritable)?;
        self.head = Head { version: seq, hash: chained(self.head.hash, &text) };
        Ok(Line { seq, text, secret, hash: self.head.hash })
    }
}

fn written(seq: u64, public: &Public) -> Result<String, serde_json::Error> {
    let Public { at, cause, fact, secret_hash } = public;
    canonical::text(&Written {
        seq,
        at: at.to_rfc3339_opts(SecondsFormat::Millis, true),
        cause: *cause,
        fact,
        secret_for: secret_hash.map(|_| match fact.audience() {
            Some(Audience::Seat(seat)) => Some(seat),
            Some(Audience::Nobody) | None => None,
        }),
        secret_hash: *secret_hash,
    })
}

/// What a secret is sealed with (fairness F3).
fn secret_hash(server_seed: &[u8; 32], seq: u64, secret: &str) -> Bytes32 {
    let salt = hmac_sha256(server_seed, format!("fereta/salt/1/{seq}").as_bytes());
    Bytes32(Sha256::new().chain_update(salt).chain_update(secret).finalize().into())
}

/// The chain after one more line.
fn chained(before: Bytes32, text: &str) -> Bytes32 {
    Bytes32(Sha256::new().chain_update(before.0).chain_update(text).finalize().into())
}

/// The public line as it is written, field by field.
#[derive(Serialize)]
struct Written<'a> {
    seq: u64,
    at: String,
    cause: Cause,
    #[serde(flatten)]
    fact: &'a Fact,
    #[serde(skip_serializing_if = "Option::is_none")]
    secret_for: Option<Option<Seat>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    secret_hash: Option<Bytes32>,
}

/// The public line as it is read.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Read<'a> {
    seq: u64,
    at: &'a str,
    cause: Cause,
    #[serde(borrow)]
    data: &'a RawValue,
    #[serde(rename = "type")]
    kind: &'a str,
    #[serde(default, deserialize_with = "there")]
    secret_for: Option<Option<Seat>>,
    #[serde(default, deserialize_with = "there")]
    secret_hash: Option<Bytes32>,
}

/// Tells a null that is there from a field that is not.
pub(super) fn there<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

/// What a public line says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Public {
    /// When it happened.
    pub at: DateTime<Utc>,
    /// Who made it happen.
    pub cause: Cause,
    /// What happened.
    pub fact: Fact,
    /// The secret's hash, if there is a secret.
    pub secret_hash: Option<Bytes32>,
}

/// An event in the words of the log, without number, time and cause.
#[must_use]
pub fn described(event: &Event) -> String {
    let fact = canonical::text(&event.fact).unwrap_or_default();
    let secret = event.secret.as_ref().and_then(|secret| canonical::text(secret).ok());
    secret.map_or_else(|| fact.clone(), |secret| format!("{fact} with the secret {secret}"))
}

impl Line {
    /// Whether the line follows the one with the hash `before`.
    pub fn follows(&self, before: Bytes32) -> bool {
        self.chained(before) == self.hash
    }

    /// The chain up to and with this line, if it follows the one with the hash `before`.
    pub fn chained(&self, before: Bytes32) -> Bytes32 {
        chained(before, &self.text)
    }

    /// The hash that the secret has under this seed; none without a secret.
    pub fn sealed(&self, server_seed: &[u8; 32]) -> Option<Bytes32> {
        self.secret.as_deref().map(|secret| secret_hash(server_seed, self.seq, secret))
    }

    /// Whether the secret is the one that the public line has the hash of, and is there only if the line has one.
    pub fn keeps_its_secret(&self, server_seed: &[u8; 32]) -> bool {
        self.public().is_ok_and(|public| public.secret_hash == self.sealed(server_seed))
    }

    /// Reads the event back.
    ///
    /// # Errors
    /// [`LogError`] if the line or its secret is not what this version writes; nothing is skipped.
    pub fn open(&self) -> Result<Event, LogError> {
        let fact = self.public()?.fact;
        let secret = self.open_secret(&fact)?;
        if secret.is_some() == fact.audience().is_some() {
            Ok(Event { fact, secret })
        } else {
            Err(LogError::Secret { seq: self.seq })
        }
    }

    /// Reads the secret part, if it is there, of a line that says `fact`.
    ///
    /// # Errors
    /// [`LogError::Secret`] if it is not what this version writes, to the byte.
    pub fn open_secret(&self, fact: &Fact) -> Result<Option<Secret>, LogError> {
        let Some(text) = self.secret.as_deref() else { return Ok(None) };
        let written = canonical::check(text).is_ok() && fact.audience().is_some();
        match read_secret(fact, text) {
            Ok(secret) if written => Ok(Some(secret)),
            Ok(_) | Err(_) => Err(LogError::Secret { seq: self.seq }),
        }
    }

    /// When it happened.
    ///
    /// # Errors
    /// [`LogError::Line`] if it is not what this version writes.
    pub fn at(&self) -> Result<DateTime<Utc>, LogError> {
        self.public().map(|public| public.at)
    }

    /// Reads the public part back.
    ///
    /// # Errors
    /// As [`Line::public`].
    pub fn fact(&self) -> Result<Fact, LogError> {
        self.public().map(|public| public.fact)
    }

    /// Reads the public line back.
    ///
    /// # Errors
    /// [`LogError::Line`] if it is not what this version writes, [`LogError::Newer`] if it is what a newer one does.
    pub fn public(&self) -> Result<Public, LogError> {
        let wrong = |reason: String| LogError::Line { seq: self.seq, reason };
        if self.is_newer() {
            return Err(LogError::Newer);
        }
        let read: Read<'_> = serde_json::from_str(&self.text).map_err(|error| wrong(error.to_string()))?;
        if read.seq != self.seq {
            return Err(wrong(format!("it has the number {}", read.seq)));
        }
        let at = time(read.at).ok_or_else(|| wrong(format!("{} is no time of the log", read.at)))?;
        // With its type before its data a fact is read without a detour.
        let fact = format!("{{\"type\":\"{}\",\"data\":{}}}", read.kind, read.data);
        let fact: Fact = serde_json::from_str(&fact).map_err(|error| wrong(error.to_string()))?;
        let audience = fact.audience().map(|audience| match audience {
            Audience::Seat(seat) => Some(seat),
            Audience::Nobody => None,
        });
        if read.secret_for != audience {
            return Err(wrong("its secret is for somebody else".into()));
        }
        if read.secret_hash.is_some() != audience.is_some() {
            return Err(wrong("a secret and its audience go together".into()));
        }
        Ok(Public { at, cause: read.cause, fact, secret_hash: read.secret_hash })
    }

    /// Whether the line is `public` as it is written, byte for byte: what reads the same need not be the same.
    pub fn is_written(&self, public: &Public) -> bool {
        written(self.seq, public).is_ok_and(|text| text == self.text)
    }

    /// Whether the line begins a log of a version that this program does not know.
    fn is_newer(&self) -> bool {
        self.seq == 1
            && serde_json::from_str::<Value>(&self.text).is_ok_and(|line| {
                let newer = |(name, newest): (&str, u16)| {
                    line.pointer(name).and_then(Value::as_u64).is_some_and(|version| version > newest.into())
                };
                line.get("type").is_some_and(|kind| kind == "table_created") && NEWEST.into_iter().any(newer)
            })
    }
}

/// A time as it is written: RFC 3339, UTC, three decimals, and in no other way.
fn time(text: &str) -> Option<DateTime<Utc>> {
    let has = |place: usize, byte: u8| text.as_bytes().get(place) == Some(&byte);
    let written = text.len() == 24 && has(10, b'T') && has(19, b'.') && has(23, b'Z');
    DateTime::parse_from_rfc3339(text)
        .ok()
        .filter(|_| written)
        .map(|time| time.with_timezone(&Utc))
        .filter(|time| time.timestamp_subsec_millis() < 1_000)
}

fn read_secret(fact: &Fact, text: &str) -> Result<Secret, serde_json::Error> {
    match fact {
        Fact::DeckShuffled(_) => serde_json::from_str::<DeckOrder>(text).map(Secret::Deck),
        Fact::ActionCardsShuffled(_) => serde_json::from_str::<ActionCardOrder>(text).map(Secret::ActionOrder),
        Fact::ActionCardsPassed(_) | Fact::ActionCardsLeft(_) => {
            serde_json::from_str::<SecretActionCards>(text).map(Secret::ActionCards)
        }
        Fact::ActionCardKept(_) => serde_json::from_str::<SecretActionCard>(text).map(Secret::ActionCard),
        _ => serde_json::from_str::<SecretSupplies>(text).map(Secret::Supplies),
    }
}
