//! The games that wait for a bot, and the lease by which one server at a time thinks about each.
//!
//! A lease saves work, nothing else: who makes the move is decided by the game's version. So one that has run out, or that
//! two servers believe to have, harms nobody.

use chrono::{DateTime, Utc};
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::sql_types;
use diesel_async::RunQueryDsl;

use super::convert::Count;
use super::{Store, StoreError, bigint, finish, once_more};
use crate::ids::GameId;

/// A game that waits for a bot, leased.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Queryable)]
pub struct DueGame {
    /// The game.
    #[diesel(deserialize_as = uuid::Uuid)]
    pub id: GameId,
    /// The number of its events.
    #[diesel(deserialize_as = Count)]
    pub version: u64,
    /// When the bot's move is to be made.
    pub wake_at: DateTime<Utc>,
    /// The database's clock.
    pub now: DateTime<Utc>,
}

impl Store {
    /// Leases, for `lease_s` seconds, the next game that waits for a bot, but none that is due later than in `ahead_ms`
    /// milliseconds, none that somebody has leased, and none of `but`. Whoever made many games waits for those of others: the
    /// first of each account come before the second of any, and of these the one that is due the earliest. A lease that got
    /// lost with its connection runs out.
    ///
    /// # Errors
    /// Any [`StoreError`] but a constraint.
    pub async fn lease_due_game(
        &self,
        lease_s: u32,
        ahead_ms: u32,
        but: &[GameId],
    ) -> Result<Option<DueGame>, StoreError> {
        let but: Vec<uuid::Uuid> = but.iter().map(|game| game.uuid()).collect();
        let lease = Lease { lease_s: f64::from(lease_s), ahead_s: f64::from(ahead_ms) / 1e3, but };
        let mut connection = self.connection().await?;
        let row: QueryResult<Option<DueGame>> =
            self.patiently(async { lease.get_result(&mut connection).await.optional() }).await;
        finish(connection, row)
    }

    /// Gives up the lease of a game that is still at that version, so that others need not wait until it runs out.
    ///
    /// # Errors
    /// Any [`StoreError`] but a constraint or [`StoreError::Lost`].
    pub async fn give_up_lease(&self, game: GameId, version: u64) -> Result<(), StoreError> {
        once_more(|| async {
            use super::schema::games;
            let row = games::table.filter(games::id.eq(game.uuid())).filter(games::version.eq(bigint(version)));
            let update = diesel::update(row).set(games::leased_until.eq(None::<DateTime<Utc>>));
            let mut connection = self.connection().await?;
            let done = self.patiently(update.execute(&mut connection)).await;
            finish(connection, done).map(|_| ())
        })
        .await
    }
}

struct Lease {
    lease_s: f64,
    ahead_s: f64,
    but: Vec<uuid::Uuid>,
}

impl Query for Lease {
    type SqlType = (sql_types::Uuid, sql_types::BigInt, sql_types::Timestamptz, sql_types::Timestamptz);
}

impl QueryId for Lease {
    type QueryId = Self;

    const HAS_STATIC_QUERY_ID: bool = true;
}

impl QueryFragment<Pg> for Lease {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        // now() and not clock_timestamp(), which would keep the index from being used. Materialized, so that it is looked for once.
        // An account's games that are leased count as its first.
        out.push_sql(
            "WITH waiting AS (SELECT id, wake_at, leased_until, row_number() OVER (PARTITION BY creator \
             ORDER BY leased_until > now() DESC NULLS LAST, wake_at) AS turn FROM games WHERE wake_at IS NOT NULL \
             AND wake_at <= now() + make_interval(secs => ",
        );
        out.push_bind_param::<sql_types::Double, _>(&self.ahead_s)?;
        out.push_sql(
            ")), due AS MATERIALIZED (SELECT g.id FROM waiting AS w JOIN games AS g ON g.id = w.id \
             WHERE (w.leased_until IS NULL OR w.leased_until <= now()) AND (g.leased_until IS NULL OR g.leased_until <= now()) \
             AND g.wake_at = w.wake_at AND w.id <> ALL (",
        );
        out.push_bind_param::<sql_types::Array<sql_types::Uuid>, _>(&self.but)?;
        out.push_sql(
            ") ORDER BY w.turn, w.wake_at LIMIT 1 FOR UPDATE OF g SKIP LOCKED) \
             UPDATE games AS g SET leased_until = now() + make_interval(secs => ",
        );
        out.push_bind_param::<sql_types::Double, _>(&self.lease_s)?;
        out.push_sql(") FROM due WHERE g.id = due.id RETURNING g.id, g.version, g.wake_at, clock_timestamp()");
        Ok(())
    }
}
