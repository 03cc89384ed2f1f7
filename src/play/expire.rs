//! Tables that nobody started: they are closed after a while. Who does it is the clock, through the same door as everybody.

use super::Play;
use super::change::{ATTEMPTS, Sealed, event_time};
use super::error::PlayError;
use super::submit::expire;
use super::table::{Table, no_account};
use crate::engine::Status;
use crate::ids::GameId;
use crate::store::StoreError;

/// How many tables are looked up at once.
const BATCH: u32 = 100;

impl Play {
    /// Closes the tables that were set up more than `age_s` seconds ago and have not begun; how many it closed. Any number of
    /// servers may do so at the same time: each table is closed once. One that cannot be closed is told to the log and
    /// does not hold up the others.
    ///
    /// # Errors
    /// [`PlayError`] if the database cannot be asked which they are.
    pub async fn close_expired_tables(&self, age_s: u32) -> Result<usize, PlayError> {
        let (mut closed, mut skipped) = (0, 0);
        loop {
            let tables = self.store.expired_tables(age_s, skipped, BATCH).await?;
            if tables.is_empty() {
                return Ok(closed);
            }
            for game in tables {
                match self.expire(game).await {
                    Ok(true) => closed += 1,
                    // Another was faster; counted, so that a row that contradicts its log does not keep us here for ever.
                    Ok(false) => skipped += 1,
                    Err(PlayError::Store(error @ StoreError::Unavailable { .. })) => return Err(error.into()),
                    Err(error) => {
                        skipped += 1;
                        tracing::error!(%game, %error, "an expired table cannot be closed");
                    }
                }
            }
        }
    }

    /// Whether it was this call that closed the table.
    async fn expire(&self, game: GameId) -> Result<bool, PlayError> {
        for _ in 0..ATTEMPTS {
            let found = self.store.read(no_account(), game, None).await?;
            let row = found.game.ok_or(PlayError::NoSuchGame)?;
            let table = Table::load(&self.store, row, None).await?;
            match table.state.status() {
                Status::Open => {}
                Status::Running | Status::Ended | Status::Closed => return Ok(false),
            }
            let at = event_time(found.now).max(table.row.updated_at);
            let sealed = Sealed::new("expire", &table.row.server_seed, table.head(), expire(&table)?, at)?;
            match self.write(None, game, Some(table.row.version), None, sealed).await {
                Ok(Some(_)) => return Ok(true),
                // Somebody sat down or got up meanwhile, or another server was faster.
                Ok(None) | Err(StoreError::Conflict { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(PlayError::Crowded)
    }
}
