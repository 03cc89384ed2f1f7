//! A whole history as a file (fairness F4), part by part, so that no game is ever held as a whole.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::Play;
use super::error::PlayError;
use super::table::{Table, lines};
use crate::engine::{Bytes32, Status, Viewer};
use crate::ids::{Bearer, GameId};
use crate::log::{Bytes64, Head, SignedHead, exported_end, exported_line, told_secret};
use crate::store::{GameRow, ProofKeyRow, Store};

/// How many events are read at once.
const PART: u64 = 200;

/// An export that is under way. It is of the version that the game had when it began, whatever happens meanwhile.
pub struct Export {
    store: Store,
    row: GameRow,
    viewer: Viewer,
    status: Status,
    signed: SignedHead,
    /// The last event that was told; none after the end.
    told: Option<u64>,
}

impl Play {
    /// The newest event of a game, signed: to be noted, and held against what is shown later.
    ///
    /// # Errors
    /// As [`Play::game`].
    pub async fn head(&self, caller: Bearer, game: GameId) -> Result<SignedHead, PlayError> {
        let table = self.table(caller, game).await?;
        Ok(self.signed(&table))
    }

    /// The history as the caller may know it.
    ///
    /// # Errors
    /// As [`Play::game`].
    pub async fn export(&self, caller: Bearer, game: GameId) -> Result<Export, PlayError> {
        let table = self.table(caller, game).await?;
        Ok(self.export_of(table))
    }

    /// The history as a spectator may know it; for the operator, who needs no account.
    ///
    /// # Errors
    /// [`PlayError::NoSuchGame`], or a failure of the store.
    pub async fn export_public(&self, game: GameId) -> Result<Export, PlayError> {
        let found = self.reads.read(super::table::no_account(), game, None).await?;
        let row = found.game.ok_or(PlayError::NoSuchGame)?;
        Ok(self.export_of(Table::load(&self.reads, row, None).await?))
    }

    fn export_of(&self, table: Table) -> Export {
        Export {
            store: self.reads.clone(),
            viewer: table.viewer(),
            status: table.state.status(),
            signed: self.signed(&table),
            row: table.row,
            told: Some(0),
        }
    }

    fn signed(&self, table: &Table) -> SignedHead {
        let own = || self.proof.sign_head(table.row.id.uuid(), table.head());
        imported_head(&table.row, table.head()).unwrap_or_else(own)
    }

    /// At most `limit` finished games after `after`, by their ids, that were over at `since` or later; for the operator.
    ///
    /// # Errors
    /// A failure of the store.
    pub async fn finished_games(
        &self,
        after: GameId,
        since: DateTime<Utc>,
        limit: u32,
    ) -> Result<Vec<GameId>, PlayError> {
        Ok(self.reads.games_after(after, Some(since), limit).await?)
    }

    /// All keys that heads and receipts were ever signed with.
    ///
    /// # Errors
    /// A failure of the store.
    pub async fn proof_keys(&self) -> Result<Vec<ProofKeyRow>, PlayError> {
        Ok(self.reads.proof_keys().await?)
    }

    /// Publishes the key that this server signs with, before it signs anything.
    ///
    /// # Errors
    /// A failure of the store.
    pub async fn publish_proof_key(&self) -> Result<(), PlayError> {
        Ok(self.store.publish_proof_key(&self.proof.public().0).await?)
    }
}

/// A game from elsewhere keeps the word of the server that it was played on; none if the game is our own.
pub(super) fn imported_head(row: &GameRow, head: Head) -> Option<SignedHead> {
    let (key, signature) = row.imported.as_deref()?.split_first_chunk()?;
    let signature = Bytes64(signature.try_into().ok()?);
    Some(SignedHead { game_id: row.id.uuid(), head, key: Bytes32(*key), signature })
}

impl Export {
    /// The game.
    #[must_use]
    pub fn game_id(&self) -> Uuid {
        self.signed.game_id
    }

    /// The newest event that is exported.
    #[must_use]
    pub fn head(&self) -> Head {
        self.signed.head
    }

    /// The next lines of the file; none at its end.
    ///
    /// # Errors
    /// A failure of the store, or a log that is damaged: what was told until then is no whole file.
    pub async fn next(&mut self) -> Result<Option<String>, PlayError> {
        let Some(told) = self.told else { return Ok(None) };
        let last = (told + PART).min(self.row.version);
        let mut part = String::new();
        for line in lines(&self.store, &self.row, told + 1, last).await? {
            part.push_str(&exported_line(&line, told_secret(&line, self.viewer, self.status)?));
        }
        self.told = Some(last).filter(|last| *last < self.row.version);
        if self.told.is_none() {
            let revealed = match self.status {
                Status::Ended | Status::Closed => Some(&self.row.server_seed),
                Status::Open | Status::Running => None,
            };
            part.push_str(&exported_end(&self.signed, revealed));
        }
        Ok(Some(part))
    }
}
