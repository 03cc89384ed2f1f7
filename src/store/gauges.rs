//! How the database is doing, in numbers for the operator.

use std::sync::PoisonError;

use diesel::QueryableByName;
use diesel::sql_types::{Array, BigInt, Text};
use diesel_async::RunQueryDsl;
use diesel_async::pooled_connection::deadpool::Pool;

use super::{GameStatus, Store, StoreError, finish};

/// The connections of all pools at this moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Connections {
    /// The most there can be.
    pub max: usize,
    /// Those that serve somebody.
    pub in_use: usize,
    /// Those that are free.
    pub idle: usize,
    /// Who waits for one.
    pub waiting: usize,
}

/// Each status by itself from the index on it, and never more than so many rows of it.
const COUNT: &str = "SELECT s.status, (SELECT count(*) FROM (SELECT FROM games AS g WHERE g.status = s.status \
    LIMIT 1000000) AS few) AS games FROM unnest($1) AS s (status)";

#[derive(QueryableByName)]
struct CountRow {
    #[diesel(sql_type = Text)]
    status: GameStatus,
    #[diesel(sql_type = BigInt)]
    games: i64,
}

impl Store {
    /// The connections of all pools.
    #[must_use]
    pub fn connections(&self) -> Connections {
        let pools = self.pools.lock().unwrap_or_else(PoisonError::into_inner);
        let none = Connections { max: 0, in_use: 0, idle: 0, waiting: 0 };
        pools.iter().map(Pool::status).fold(none, |sum, status| Connections {
            max: sum.max + status.max_size,
            in_use: sum.in_use + status.size.saturating_sub(status.available),
            idle: sum.idle + status.available,
            waiting: sum.waiting + status.waiting,
        })
    }

    /// How many games there are by where they stand; a million stands for a million or more.
    ///
    /// # Errors
    /// Any [`StoreError`] but a constraint.
    pub async fn count_games(&self) -> Result<Vec<(GameStatus, u64)>, StoreError> {
        let mut connection = self.connection().await?;
        let count = diesel::sql_query(COUNT).bind::<Array<Text>, _>(GameStatus::ALL);
        let rows = self.patiently(count.load(&mut connection)).await;
        let rows: Vec<CountRow> = finish(connection, rows)?;
        Ok(rows.into_iter().map(|row| (row.status, u64::try_from(row.games).unwrap_or(0))).collect())
    }
}
