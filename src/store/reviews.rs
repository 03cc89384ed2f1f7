//! Reviews of games that have ended: which are wanted, which server makes one, how far it is, and what came of it.
//!
//! A lease saves work, nothing else: of two who make the same review the first is kept, and they are the same.

use diesel::dsl::{IntervalDsl as _, now};
use diesel::prelude::*;
use diesel::sql_types::{Array, Double, Timestamptz, Uuid as SqlUuid};
use diesel::upsert::excluded;
use diesel_async::RunQueryDsl;
use uuid::Uuid;

use super::schema::reviews;
use super::{Store, StoreError, finish, once_more};
use crate::ids::GameId;

/// How far a review is.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct ReviewRow {
    /// How many decisions have been looked at …
    pub done: i32,
    /// … of how many; 0 before it is begun.
    pub decisions: i32,
    /// The version of the form of `content`.
    pub format: Option<i16>,
    /// Whether somebody wants to see it.
    pub is_awaited: bool,
    /// The review, once it is made.
    pub content: Option<Vec<u8>>,
}

/// The longest asked for that nobody works at, and first of those that somebody waits for.
const LEASE: &str = "UPDATE reviews AS r SET leased_until = now() + make_interval(secs => $1) FROM (\
    SELECT game_id FROM reviews WHERE content IS NULL AND (leased_until IS NULL OR leased_until <= now()) \
    AND game_id <> ALL ($2) ORDER BY is_awaited DESC, asked_at LIMIT 1 FOR UPDATE SKIP LOCKED) AS wanted \
    WHERE r.game_id = wanted.game_id RETURNING r.game_id";

#[derive(QueryableByName)]
struct Leased {
    #[diesel(sql_type = SqlUuid)]
    game_id: Uuid,
}

impl Store {
    /// The review of a game, if somebody has asked for it.
    ///
    /// # Errors
    /// Any [`StoreError`] but a constraint or [`StoreError::Lost`].
    pub async fn review(&self, game: GameId) -> Result<Option<ReviewRow>, StoreError> {
        once_more(|| async {
            let columns = (reviews::done, reviews::decisions, reviews::format, reviews::is_awaited, reviews::content);
            let query = reviews::table.find(game.uuid()).select(columns);
            let mut connection = self.connection().await?;
            let row = self.patiently(query.first(&mut connection)).await.optional();
            finish(connection, row)
        })
        .await
    }

    /// Asks for the review of a game, unless somebody has; `is_awaited` says that somebody wants to see it.
    ///
    /// # Errors
    /// Any [`StoreError`] but [`StoreError::Lost`].
    pub async fn want_review(&self, game: GameId, is_awaited: bool) -> Result<(), StoreError> {
        once_more(|| async {
            let awaited = reviews::is_awaited.eq(is_awaited);
            let row = (reviews::game_id.eq(game.uuid()), reviews::asked_at.eq(now), awaited);
            let insert = diesel::insert_into(reviews::table)
                .values(row)
                .on_conflict(reviews::game_id)
                .do_update()
                .set(reviews::is_awaited.eq(reviews::is_awaited.or(excluded(reviews::is_awaited))));
            let mut connection = self.connection().await?;
            let done = self.patiently(insert.execute(&mut connection)).await;
            finish(connection, done).map(|_| ())
        })
        .await
    }

    /// Leases, for `lease_s` seconds, the game whose review was asked for the longest ago, but none of `but`. A lease that got
    /// lost with its connection runs out.
    ///
    /// # Errors
    /// Any [`StoreError`] but a constraint.
    pub async fn lease_review(&self, lease_s: u32, but: &[GameId]) -> Result<Option<GameId>, StoreError> {
        let but: Vec<Uuid> = but.iter().map(|game| game.uuid()).collect();
        let lease = diesel::sql_query(LEASE).bind::<Double, _>(f64::from(lease_s)).bind::<Array<SqlUuid>, _>(but);
        let mut connection = self.connection().await?;
        let row: QueryResult<Option<Leased>> =
            self.patiently(async { lease.get_result(&mut connection).await.optional() }).await;
        Ok(finish(connection, row)?.map(|leased| leased.game_id.into()))
    }

    /// Notes how far a review is, and prolongs its lease; 0 seconds end it. Nothing happens to one that is made.
    ///
    /// # Errors
    /// Any [`StoreError`] but a constraint or [`StoreError::Lost`].
    pub async fn note_review(&self, game: GameId, done: i32, decisions: i32, lease_s: i32) -> Result<(), StoreError> {
        once_more(|| async {
            let wanted = reviews::table.find(game.uuid()).filter(reviews::content.is_null());
            let until = now.into_sql::<Timestamptz>() + lease_s.seconds();
            let progress =
                (reviews::done.eq(done), reviews::decisions.eq(decisions), reviews::leased_until.eq(until.nullable()));
            let update = diesel::update(wanted).set(progress);
            let mut connection = self.connection().await?;
            let noted = self.patiently(update.execute(&mut connection)).await;
            finish(connection, noted).map(|_| ())
        })
        .await
    }

    /// Keeps a review that was made, unless there is one.
    ///
    /// # Errors
    /// Any [`StoreError`] but a constraint or [`StoreError::Lost`].
    pub async fn keep_review(&self, game: GameId, format: i16, content: &[u8]) -> Result<(), StoreError> {
        once_more(|| async {
            let wanted = reviews::table.find(game.uuid()).filter(reviews::content.is_null());
            let made = (
                reviews::done.eq(reviews::decisions),
                reviews::format.eq(format),
                reviews::content.eq(content),
                reviews::leased_until.eq(None::<chrono::DateTime<chrono::Utc>>),
            );
            let mut connection = self.connection().await?;
            let kept = self.patiently(diesel::update(wanted).set(made).execute(&mut connection)).await;
            finish(connection, kept).map(|_| ())
        })
        .await
    }
}
