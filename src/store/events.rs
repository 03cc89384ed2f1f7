//! The log of a game, as it is read. It is written only together with the game's row: `super::write`.

use std::fmt;

use diesel::prelude::*;
use diesel_async::RunQueryDsl;

use super::convert::{Bytes32, Count};
use super::schema::game_events;
use super::{Store, StoreError, bigint, finish, once_more};
use crate::ids::GameId;

/// One stored event. Its `Debug` hides the secret.
#[derive(Clone, PartialEq, Eq, Queryable)]
pub struct EventRow {
    /// 1, 2, 3 … without a gap.
    #[diesel(deserialize_as = Count)]
    pub seq: u64,
    /// The public line, byte for byte as it was hashed.
    pub line: String,
    /// The secret part, byte for byte as it was hashed. Whom it may be shown to is not known here.
    pub secret: Option<String>,
    /// The chain up to and with this event.
    #[diesel(deserialize_as = Bytes32)]
    pub hash: [u8; 32],
}

impl Store {
    /// At most `limit` events of a game that come after `after`, in order. None if the game does not exist.
    ///
    /// # Errors
    /// Any [`StoreError`] but a constraint or [`StoreError::Lost`].
    pub async fn events(&self, game: GameId, after: u64, limit: u32) -> Result<Vec<EventRow>, StoreError> {
        once_more(|| async {
            let query = game_events::table
                .filter(game_events::game_id.eq(game.uuid()))
                .filter(game_events::seq.gt(bigint(after)))
                .order(game_events::seq)
                .limit(i64::from(limit))
                .select((game_events::seq, game_events::line, game_events::secret, game_events::hash));
            let mut connection = self.connection().await?;
            let rows = self.patiently(query.load(&mut connection)).await;
            finish(connection, rows)
        })
        .await
    }

    /// The events `first..=last` of a game, in order: what an accepted request did.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] if one of them is missing, and any other but a constraint or [`StoreError::Lost`].
    pub async fn events_between(&self, game: GameId, first: u64, last: u64) -> Result<Vec<EventRow>, StoreError> {
        let rows = once_more(|| async {
            let query = game_events::table
                .filter(game_events::game_id.eq(game.uuid()))
                .filter(game_events::seq.between(bigint(first), bigint(last)))
                .order(game_events::seq)
                .select((game_events::seq, game_events::line, game_events::secret, game_events::hash));
            let mut connection = self.connection().await?;
            let rows: Result<Vec<EventRow>, _> = self.patiently(query.load(&mut connection)).await;
            finish(connection, rows)
        })
        .await?;
        if (first..=last).eq(rows.iter().map(|row| row.seq)) {
            Ok(rows)
        } else {
            Err(StoreError::Corrupt { what: format!("game {game} lacks an event of {first} to {last}") })
        }
    }
}

impl fmt::Debug for EventRow {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("EventRow").field("seq", &self.seq).field("line", &self.line).finish_non_exhaustive()
    }
}
