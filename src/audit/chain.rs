//! The lines for themselves: that each is one of the log, follows from the one before it, and keeps its secret (F1, F3).

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::Fault;
use crate::engine::{Audience, Bytes32, EntropySource, Event, Fact, Seat, default_entropy, seed_commitment};
use crate::log::{Cause, Head, Line, LogError, Public};

/// The lines, as far as they hold.
pub(super) struct Chain {
    /// What the lines say in public.
    pub(super) publics: Vec<Told>,
    /// The events, with what the file tells of their secrets.
    pub(super) events: Vec<Event>,
    /// The chain after each line.
    pub(super) hashes: Vec<Bytes32>,
    /// The last line that holds.
    pub(super) head: Head,
    /// The first that does not.
    pub(super) fault: Option<Fault>,
}

/// When a line was written, by whom; and what it says of seats.
#[derive(Clone, Copy)]
pub(super) struct Told {
    pub(super) at: DateTime<Utc>,
    pub(super) cause: Cause,
    /// The seat that was taken by this event.
    pub(super) taken: Option<Seat>,
}

impl Chain {
    /// The game that the first event names.
    pub(super) fn game_id(&self) -> Option<Uuid> {
        match self.events.first().map(|event| &event.fact) {
            Some(Fact::TableCreated(created)) => Some(created.game_id),
            Some(_) | None => None,
        }
    }
}

/// Checks line after line, up to the first fault. With the seed all secrets have to be there, and to be the sealed ones.
pub(super) fn check(lines: &[Line], server_seed: Option<[u8; 32]>) -> Chain {
    let mut chain =
        Chain { publics: Vec::new(), events: Vec::new(), hashes: Vec::new(), head: Head::EMPTY, fault: None };
    for line in lines {
        if let Err(fault) = chain.add(line, server_seed.as_ref()) {
            chain.fault = Some(fault);
            break;
        }
    }
    chain
}

impl Chain {
    fn add(&mut self, line: &Line, server_seed: Option<&[u8; 32]>) -> Result<(), Fault> {
        let seq = self.head.version + 1;
        let public = line.public().map_err(|error| unreadable(seq, &error))?;
        if !line.is_written(&public) {
            return Err(Fault::new(
                seq,
                "F3",
                "the line is written in another way than what it says",
                "one way",
                &line.text,
            ));
        }
        if matches!(public.fact, Fact::TableCreated(_)) != (seq == 1) {
            let message = "the first event, and no other, is that the table was set up";
            return Err(Fault::new(seq, "F3", message, "table_created first", &line.text));
        }
        let hash = line.chained(self.head.hash);
        if hash != line.hash {
            let message = "the line is not the one that was hashed, or does not follow the one before it";
            return Err(Fault::new(seq, "F3", message, hash, line.hash));
        }
        if let Some(before) = self.publics.last().filter(|before| before.at > public.at) {
            return Err(Fault::new(seq, "F3", "time goes back", format!("{} or later", before.at), public.at));
        }
        if let Some(seed) = server_seed {
            seeds(seq, &public.fact, seed)?;
            sealed(line, &public, seed)?;
        }
        let secret = line.open_secret(&public.fact).map_err(|error| unreadable(seq, &error))?;
        if let Fact::SeatTaken(taken) = &public.fact
            && taken.entropy_from == EntropySource::Bot
            && taken.entropy != Bytes32::default()
        {
            return Err(Fault::new(seq, "F1", "a bot's entropy is zero", Bytes32::default(), taken.entropy));
        }
        let taken = match &public.fact {
            Fact::SeatTaken(taken) => Some(taken.seat),
            _ => None,
        };
        self.publics.push(Told { at: public.at, cause: public.cause, taken });
        self.events.push(Event { fact: public.fact, secret });
        self.hashes.push(hash);
        self.head = Head { hash, version: seq };
        Ok(())
    }

    /// Whose secrets the file tells, of a game whose seed it does not.
    ///
    /// # Errors
    /// If it tells what no one player may know.
    pub(super) fn exporter(&self) -> Result<Option<Seat>, Fault> {
        let mut exporter = None;
        for (seq, event) in (1..).zip(&self.events) {
            let Some(audience) = event.fact.audience().filter(|_| event.secret.is_some()) else { continue };
            let seat = match audience {
                Audience::Seat(seat) if exporter.is_none_or(|known| known == seat) => seat,
                Audience::Seat(_) | Audience::Nobody => {
                    let message = "the game has not ended, but the secret is told";
                    return Err(Fault::new(seq, "F4", message, "no secret but those of one seat", "another one"));
                }
            };
            exporter = Some(seat);
        }
        Ok(exporter)
    }
}

pub(super) fn unreadable(seq: u64, error: &LogError) -> Fault {
    let found = match error {
        LogError::Line { reason, .. } => reason.clone(),
        LogError::Secret { .. } => "a secret that an event of this type does not have".into(),
        LogError::Chain { .. } | LogError::Newer => error.to_string(),
    };
    Fault::new(seq, "F3", "the line cannot be read", "an event of version 1 of the log", found)
}

/// What the seed was bound to before it was told (F1).
fn seeds(seq: u64, fact: &Fact, seed: &[u8; 32]) -> Result<(), Fault> {
    let (message, expected, found) = match fact {
        Fact::TableCreated(created) => {
            ("the seed is not the one that was committed to", seed_commitment(seed), created.seed_commitment)
        }
        Fact::SeatTaken(taken) if taken.entropy_from == EntropySource::Server => (
            "the server chose an entropy that does not follow from its seed",
            default_entropy(seed, taken.seat),
            taken.entropy,
        ),
        _ => return Ok(()),
    };
    if expected == found { Ok(()) } else { Err(Fault::new(seq, "F1", message, expected, found)) }
}

fn sealed(line: &Line, public: &Public, seed: &[u8; 32]) -> Result<(), Fault> {
    let hash = line.sealed(seed);
    if hash == public.secret_hash {
        return Ok(());
    }
    let words =
        |hash: Option<Bytes32>| hash.map_or_else(|| "no secret".to_owned(), |hash| format!("one with the hash {hash}"));
    let message = "the secret is not the one that was sealed";
    Err(Fault::new(line.seq, "F3", message, words(public.secret_hash), words(hash)))
}
