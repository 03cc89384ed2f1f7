//! Sealing events into lines, and reading them back.

use chrono::{DateTime, SecondsFormat, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::engine::{
    ActionCardOrder, Audience, Bytes32, DeckOrder, Event, Fact, Seat, Secret, SecretActionCard, SecretActionCards,
    SecretSupplies, hmac_sha256,
};

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
        let secret = event.secret.as_ref().map(canonical).transpose().map_err(unwritable)?;
        let public = Public {
            seq,
            at: at.to_rfc3339_opts(SecondsFormat::Millis, true),
            cause,
            fact: event.fact.clone(),
            secret_for: secret.as_ref().map(|_| match event.fact.audience() {
                Some(Audience::Seat(seat)) => Some(seat),
                Some(Audience::Nobody) | None => None,
            }),
            secret_hash: secret.as_ref().map(|secret| secret_hash(self.server_seed, seq, secret)),
        };
        let text = canonical(&public).map_err(unwritable)?;
        self.head = Head { version: seq, hash: chained(self.head.hash, &text) };
        Ok(Line { seq, text, secret, hash: self.head.hash })
    }
}

fn secret_hash(server_seed: &[u8; 32], seq: u64, secret: &str) -> Bytes32 {
    let salt = hmac_sha256(server_seed, format!("fereta/salt/1/{seq}").as_bytes());
    Bytes32(Sha256::new().chain_update(salt).chain_update(secret).finalize().into())
}

/// The chain after one more line.
fn chained(before: Bytes32, text: &str) -> Bytes32 {
    Bytes32(Sha256::new().chain_update(before.0).chain_update(text).finalize().into())
}

/// The public line, field by field.
#[derive(Serialize)]
struct Public {
    seq: u64,
    at: String,
    cause: Cause,
    #[serde(flatten)]
    fact: Fact,
    #[serde(skip_serializing_if = "Option::is_none")]
    secret_for: Option<Option<Seat>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    secret_hash: Option<Bytes32>,
}

/// Canonical JSON (RFC 8785) of data that hold nothing but ASCII strings, whole numbers, booleans, null, lists, objects.
fn canonical(value: &impl Serialize) -> Result<String, serde_json::Error> {
    let mut value = serde_json::to_value(value)?;
    value.sort_all_objects();
    serde_json::to_string(&value)
}

impl Line {
    /// Whether the line follows the one with the hash `before`.
    pub fn follows(&self, before: Bytes32) -> bool {
        chained(before, &self.text) == self.hash
    }

    /// Whether the secret is the one that the public line has the hash of, and is there only if the line has one.
    pub fn keeps_its_secret(&self, server_seed: &[u8; 32]) -> bool {
        #[derive(Deserialize)]
        struct Sealed {
            secret_hash: Option<Bytes32>,
        }
        let hash = self.secret.as_deref().map(|secret| secret_hash(server_seed, self.seq, secret));
        serde_json::from_str(&self.text).is_ok_and(|sealed: Sealed| sealed.secret_hash == hash)
    }

    /// Reads the event back.
    ///
    /// # Errors
    /// [`LogError`] if the line or its secret is not what this version writes; nothing is skipped.
    pub fn open(&self) -> Result<Event, LogError> {
        let fact = self.fact()?;
        let unreadable = |_| LogError::Secret { seq: self.seq };
        let secret = self.secret.as_deref().map(|text| read_secret(&fact, text)).transpose().map_err(unreadable)?;
        if secret.is_some() == fact.audience().is_some() {
            Ok(Event { fact, secret })
        } else {
            Err(LogError::Secret { seq: self.seq })
        }
    }

    /// When it happened.
    ///
    /// # Errors
    /// [`LogError::Line`] if it is not what this version writes.
    pub fn at(&self) -> Result<DateTime<Utc>, LogError> {
        #[derive(Deserialize)]
        struct Time {
            at: DateTime<Utc>,
        }
        let time: Result<Time, _> = serde_json::from_str(&self.text);
        time.map(|time| time.at).map_err(|error| LogError::Line { seq: self.seq, reason: error.to_string() })
    }

    /// Reads the public part back.
    ///
    /// # Errors
    /// [`LogError::Line`] if it is not what this version writes.
    pub fn fact(&self) -> Result<Fact, LogError> {
        let line = |reason: String| LogError::Line { seq: self.seq, reason };
        let mut object: Map<String, Value> =
            serde_json::from_str(&self.text).map_err(|error| line(error.to_string()))?;
        if object.get("seq").and_then(Value::as_u64) != Some(self.seq) {
            return Err(line("it has another number".into()));
        }
        object.retain(|key, _| key == "type" || key == "data");
        let newer = matches!(object.get("type").and_then(Value::as_str), Some("table_created"))
            && ["format", "rules", "fairness"].into_iter().any(|name| {
                object.get("data").and_then(|data| data.get(name)).and_then(Value::as_u64).is_some_and(|v| v > 1)
            });
        if newer {
            return Err(LogError::Newer);
        }
        serde_json::from_value(Value::Object(object)).map_err(|error| line(error.to_string()))
    }
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
