//! The one statement that changes a game, and the one that makes it.
//!
//! The guard is the version in the game's row: of any number of rivals for one version exactly one is written, the others
//! find nothing to update, and then nothing else of their statement happens either. There is no `ON CONFLICT` here: on the
//! key it would play a move twice, on the log it would hide a broken chain.

use std::fmt;

use chrono::{DateTime, Utc};
use diesel_async::RunQueryDsl;

use super::statement::Statement;
use super::{BotLevel, GameStatus, StartRule, Store, StoreError, Visibility, finish};
use crate::ids::{AccountId, GameId};

/// What became of a guarded write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Outcome {
    /// It is on disk, whole.
    Written,
    /// The game is not at the expected version (or does not exist); nothing was changed.
    Stale,
}

/// An event to be added to the log. Its `Debug` hides the secret.
#[derive(Clone)]
pub struct NewEvent {
    /// The public line as it was hashed.
    pub line: String,
    /// The secret part as it was hashed.
    pub secret: Option<String>,
    /// The chain up to and with this event.
    pub hash: [u8; 32],
}

/// The request that asked for the change. Its events are those of the [`Change`].
#[derive(Clone, Debug)]
pub struct NewRequest<'a> {
    /// Who asked.
    pub account: AccountId,
    /// The caller's Idempotency-Key.
    pub key: &'a str,
    /// What was asked, hashed.
    pub fingerprint: [u8; 32],
    /// The seat that the answer is for.
    pub seat: Option<u8>,
}

/// Who sits where, as far as it changes.
#[derive(Clone, Copy, Debug)]
pub enum SeatChange {
    /// An account sits down.
    Take {
        /// Where.
        seat: u8,
        /// Who.
        account: AccountId,
    },
    /// A bot sits down.
    Place {
        /// Where.
        seat: u8,
        /// Which.
        bot: BotLevel,
    },
    /// A bot takes an account's place.
    HandOver {
        /// Where.
        seat: u8,
        /// Which.
        bot: BotLevel,
    },
    /// A seat becomes free.
    Leave {
        /// Which.
        seat: u8,
    },
}

/// All that is written with one change of a game.
#[derive(Clone)]
pub struct Change<'a> {
    /// The new events, in order; at least one. The game's version grows by their number, its head is the last one's hash.
    pub events: &'a [NewEvent],
    /// The state after them.
    pub snapshot: &'a [u8],
    /// Where the game stands after them.
    pub status: GameStatus,
    /// How many seats are free after them.
    pub open_seats: u8,
    /// Whose decision is awaited after them.
    pub decider: Option<u8>,
    /// When a bot is due. Nobody holds the game's lease after the write.
    pub wake_at: Option<DateTime<Utc>>,
    /// How many bots sit there after them.
    pub bots: u8,
    /// The time of the events.
    pub at: DateTime<Utc>,
    /// The request, if one asked for it; what a clock causes has none.
    pub request: Option<NewRequest<'a>>,
    /// The seats that are taken or left, each of them once.
    pub seats: Vec<SeatChange>,
}

/// What is fixed about a game when it is made.
#[derive(Clone)]
pub struct NewGame {
    /// The game.
    pub id: GameId,
    /// Secret until the game has ended.
    pub server_seed: [u8; 32],
    /// Who may know of it.
    pub visibility: Visibility,
    /// What starts it.
    pub start: StartRule,
    /// How many play, 3 to 5.
    pub players: u8,
    /// Who made it.
    pub creator: AccountId,
    /// Whether its players may ask for hints.
    pub hints: bool,
    /// For a game that comes from elsewhere.
    pub imported: Option<Import>,
}

/// What a game from elsewhere brings along.
#[derive(Clone, Copy)]
pub struct Import {
    /// The proof key and the signature of its file's head.
    pub proof: [u8; 96],
    /// When it was made there.
    pub created_at: DateTime<Utc>,
}

impl Store {
    /// Writes a change, whole or not at all, if the game is still at the `expected` version.
    ///
    /// # Errors
    /// Nothing was changed with [`StoreError::Constraint`] (`RequestKey`: the key was used before, read again; `SeatTaken`,
    /// `SeatedTwice`), [`StoreError::Corrupt`] (the log has events beyond the version, or there were none to write),
    /// [`StoreError::Conflict`] and [`StoreError::Unavailable`]. After [`StoreError::Lost`] it is unknown: read the key.
    pub async fn write(&self, game: GameId, expected: u64, change: &Change<'_>) -> Result<Outcome, StoreError> {
        let statement = Statement::new(game, expected, None, change)?;
        let mut connection = self.connection().await?;
        let written: Result<i64, _> = self.patiently(statement.get_result(&mut connection)).await;
        match finish(connection, written)? {
            0 => Ok(Outcome::Stale),
            _ => Ok(Outcome::Written),
        }
    }

    /// Makes a game with its first events, whole or not at all.
    ///
    /// # Errors
    /// As [`Store::write`]; also `GameId` and `GameCreator` among the constraints.
    pub async fn create(&self, game: &NewGame, change: &Change<'_>) -> Result<(), StoreError> {
        let statement = Statement::new(game.id, 0, Some(game), change)?;
        let mut connection = self.connection().await?;
        let written: Result<i64, _> = self.patiently(statement.get_result(&mut connection)).await;
        finish(connection, written).map(|_| ())
    }
}

impl Store {
    /// The text of the writing statement, for benches that send it themselves. Its values are those of [`Change`] in the
    /// order of the text.
    ///
    /// # Errors
    /// As [`Store::write`] for a change without an event.
    pub fn write_sql(&self, game: GameId, change: &Change<'_>) -> Result<String, StoreError> {
        Ok(super::games::statement_text(&Statement::new(game, 0, None, change)?))
    }
}

impl fmt::Debug for NewEvent {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("NewEvent").field("line", &self.line).finish_non_exhaustive()
    }
}
