//! The first statement of every request about one game: all that is needed to say 401, 404, "done before", or to decide.

use std::fmt;

use chrono::{DateTime, Utc};
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::sql_types;
use diesel_async::RunQueryDsl;

use super::convert::{Bytes32, Count, MaybeSmall, Small};
use super::lists::SeatedColumns;
use super::schema::{games, requests};
use super::standing::Standing;
use super::{AccountStatus, GameStatus, Seated, Store, StoreError, Visibility, finish, once_more};
use crate::ids::{AccountId, Bearer, GameId};

/// What one read finds. Each part may be missing for itself, and says nothing of the others.
#[derive(Clone, Debug)]
pub struct Found {
    /// The caller's account: `None` if there is none, or if the caller's device has been logged out.
    pub account: Option<AccountStatus>,
    /// The game, if it exists. Whether the caller may know of it is not decided here.
    pub game: Option<GameRow>,
    /// The caller's seat in that game.
    pub seat: Option<u8>,
    /// What the caller's key was used for before, in whichever game that was.
    pub request: Option<RequestRow>,
    /// The database's clock.
    pub now: DateTime<Utc>,
}

/// A game's row. Its `Debug` hides the seed and the snapshot.
#[derive(Clone, PartialEq, Eq, Queryable)]
pub struct GameRow {
    /// The game.
    #[diesel(deserialize_as = uuid::Uuid)]
    pub id: GameId,
    /// The number of its events.
    #[diesel(deserialize_as = Count)]
    pub version: u64,
    /// The hash of the newest event.
    #[diesel(deserialize_as = Bytes32)]
    pub head: [u8; 32],
    /// Secret until the game has ended.
    #[diesel(deserialize_as = Bytes32)]
    pub server_seed: [u8; 32],
    /// The state at `version`, in a form that only the writer knows. Secret.
    pub snapshot: Vec<u8>,
    /// Where it stands.
    pub status: GameStatus,
    /// Who may know of it.
    pub visibility: Visibility,
    /// How many play, 3 to 5.
    #[diesel(deserialize_as = Small)]
    pub players: u8,
    /// How many seats are free.
    #[diesel(deserialize_as = Small)]
    pub open_seats: u8,
    /// The seat whose decision is awaited.
    #[diesel(deserialize_as = MaybeSmall)]
    pub decider: Option<u8>,
    /// Who made it.
    #[diesel(deserialize_as = uuid::Uuid)]
    pub creator: AccountId,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// When it was last written.
    pub updated_at: DateTime<Utc>,
    /// When a bot is due.
    pub wake_at: Option<DateTime<Utc>>,
    /// Of a game from elsewhere: the proof key and the signature of its file's head.
    pub imported: Option<Vec<u8>>,
    /// Whether its players may ask for hints.
    pub hints: bool,
}

/// A request that was accepted, under the caller's key.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct RequestRow {
    /// What was asked, hashed.
    #[diesel(deserialize_as = Bytes32)]
    pub fingerprint: [u8; 32],
    /// The game that was changed.
    #[diesel(deserialize_as = uuid::Uuid)]
    pub game: GameId,
    /// The seat that the caller acted from.
    #[diesel(deserialize_as = MaybeSmall)]
    pub seat: Option<u8>,
    /// The first event that came of it.
    #[diesel(deserialize_as = Count)]
    pub first_seq: u64,
    /// The last event that came of it.
    #[diesel(deserialize_as = Count)]
    pub last_seq: u64,
    /// When it was accepted.
    pub created_at: DateTime<Utc>,
}

impl Store {
    /// Reads, in one statement, the caller's account, the game, the caller's seat and what the caller's `key` was used for.
    ///
    /// # Errors
    /// Any [`StoreError`] but a constraint or [`StoreError::Lost`].
    pub async fn read(&self, caller: impl Into<Bearer>, game: GameId, key: Option<&str>) -> Result<Found, StoreError> {
        let caller = Standing::of(caller.into());
        once_more(|| async {
            let query = Read { caller, game: game.uuid(), key };
            let mut connection = self.connection().await?;
            let row: QueryResult<FoundRow> = self.patiently(query.get_result(&mut connection)).await;
            let (account, game, seat, request, now) = finish(connection, row)?;
            Ok(Found { account, game, seat: seat.into(), request, now })
        })
        .await
    }

    /// As [`Store::read`] without a key, and who sits at the table, by seat, as it was at the same moment.
    ///
    /// # Errors
    /// As [`Store::read`].
    pub async fn read_table(
        &self,
        caller: impl Into<Bearer>,
        game: GameId,
    ) -> Result<(Found, Vec<Seated>), StoreError> {
        let caller = Standing::of(caller.into());
        once_more(|| async {
            let query = ReadTable { caller, game: game.uuid() };
            let mut connection = self.connection().await?;
            let rows: QueryResult<Vec<TableRow>> = self.patiently(query.load(&mut connection)).await;
            let mut rows = finish(connection, rows)?;
            let mut players: Vec<Seated> = rows.iter_mut().filter_map(|(.., player)| player.take()).collect();
            players.sort_unstable_by_key(|player| player.seat);
            let (account, row, now, _) = rows
                .into_iter()
                .next()
                .ok_or_else(|| StoreError::Corrupt { what: format!("a read of game {game} without a row") })?;
            let seat = players.iter().find(|player| player.account == Some(AccountId::from(caller.account)));
            let found = Found { account, game: row, seat: seat.map(|player| player.seat), request: None, now };
            Ok((found, players))
        })
        .await
    }
}

impl Store {
    /// The requests that were accepted for a game.
    ///
    /// # Errors
    /// Any [`StoreError`] but a constraint or [`StoreError::Lost`].
    pub async fn requests_of(&self, game: GameId) -> Result<Vec<RequestRow>, StoreError> {
        once_more(|| async {
            let query = requests::table.filter(requests::game_id.eq(game.uuid())).select((
                requests::fingerprint,
                requests::game_id,
                requests::seat,
                requests::first_seq,
                requests::last_seq,
                requests::created_at,
            ));
            let mut connection = self.connection().await?;
            let rows = self.patiently(query.load(&mut connection)).await;
            finish(connection, rows)
        })
        .await
    }

    /// At most `limit` games after the one of the id `after`, by their ids: all, or those that have `finished` since then.
    ///
    /// # Errors
    /// Any [`StoreError`] but a constraint or [`StoreError::Lost`].
    pub async fn games_after(
        &self,
        after: GameId,
        finished: Option<DateTime<Utc>>,
        limit: u32,
    ) -> Result<Vec<GameId>, StoreError> {
        let rows: Vec<uuid::Uuid> = once_more(|| async {
            let mut query = games::table
                .filter(games::id.gt(after.uuid()))
                .order(games::id)
                .limit(limit.into())
                .select(games::id)
                .into_boxed();
            if let Some(since) = finished {
                let over = [GameStatus::Ended.word(), GameStatus::Closed.word()];
                query = query.filter(games::status.eq_any(over)).filter(games::updated_at.ge(since));
            }
            let mut connection = self.connection().await?;
            let rows = self.patiently(query.load(&mut connection)).await;
            finish(connection, rows)
        })
        .await?;
        Ok(rows.into_iter().map(GameId::from).collect())
    }
}

impl Store {
    /// The text of the reading statement, for benches that send it themselves. Its values: device, account, device, game,
    /// account, account, key.
    #[must_use]
    pub fn read_sql(&self) -> String {
        let nobody = Bearer::from(AccountId::from(uuid::Uuid::nil()));
        statement_text(&Read { caller: Standing::of(nobody), game: uuid::Uuid::nil(), key: None })
    }
}

/// The SQL of a statement, with numbered parameters.
pub(super) fn statement_text(statement: &impl QueryFragment<Pg>) -> String {
    let text = diesel::debug_query::<Pg, _>(statement).to_string();
    text.split(" -- binds:").next().unwrap_or_default().to_owned()
}

struct Read<'a> {
    caller: Standing,
    game: uuid::Uuid,
    key: Option<&'a str>,
}

type FoundRow = (Option<AccountStatus>, Option<GameRow>, MaybeSmall, Option<RequestRow>, DateTime<Utc>);

type GameColumns = (
    sql_types::Uuid,
    sql_types::BigInt,
    sql_types::Binary,
    sql_types::Binary,
    sql_types::Binary,
    sql_types::Text,
    sql_types::Text,
    sql_types::SmallInt,
    sql_types::SmallInt,
    sql_types::Nullable<sql_types::SmallInt>,
    sql_types::Uuid,
    sql_types::Timestamptz,
    sql_types::Timestamptz,
    sql_types::Nullable<sql_types::Timestamptz>,
    sql_types::Nullable<sql_types::Binary>,
    sql_types::Bool,
);

type RequestColumns = (
    sql_types::Binary,
    sql_types::Uuid,
    sql_types::Nullable<sql_types::SmallInt>,
    sql_types::BigInt,
    sql_types::BigInt,
    sql_types::Timestamptz,
);

impl Query for Read<'_> {
    type SqlType = (
        sql_types::Nullable<sql_types::Text>,
        sql_types::Nullable<GameColumns>,
        sql_types::Nullable<sql_types::SmallInt>,
        sql_types::Nullable<RequestColumns>,
        sql_types::Timestamptz,
    );
}

impl QueryId for Read<'_> {
    type QueryId = Read<'static>;

    const HAS_STATIC_QUERY_ID: bool = true;
}

impl QueryFragment<Pg> for Read<'_> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql("SELECT ");
        self.caller.push_status(&mut out)?;
        out.push_sql(GAME_COLUMNS);
        out.push_sql(
            ", s.seat, r.fingerprint, r.game_id, r.seat, r.first_seq, r.last_seq, r.created_at, clock_timestamp() \
             FROM (SELECT 1) AS one",
        );
        self.caller.push_joins(&mut out)?;
        out.push_sql(" LEFT JOIN games AS g ON g.id = ");
        out.push_bind_param::<sql_types::Uuid, _>(&self.game)?;
        out.push_sql(" LEFT JOIN seats AS s ON s.game_id = g.id AND s.account_id = ");
        out.push_bind_param::<sql_types::Uuid, _>(&self.caller.account)?;
        out.push_sql(" LEFT JOIN requests AS r ON r.account_id = ");
        out.push_bind_param::<sql_types::Uuid, _>(&self.caller.account)?;
        out.push_sql(" AND r.key = ");
        out.push_bind_param::<sql_types::Nullable<sql_types::Text>, _>(&self.key)
    }
}

const GAME_COLUMNS: &str = ", g.id, g.version, g.head, g.server_seed, g.snapshot, g.status, g.visibility, g.players, \
    g.open_seats, g.decider, g.creator, g.created_at, g.updated_at, g.wake_at, g.imported, g.hints";

/// A row for each player, and one if there is none: to say the game again costs less than to gather the players.
struct ReadTable {
    caller: Standing,
    game: uuid::Uuid,
}

type TableRow = (Option<AccountStatus>, Option<GameRow>, DateTime<Utc>, Option<Seated>);

impl Query for ReadTable {
    type SqlType = (
        sql_types::Nullable<sql_types::Text>,
        sql_types::Nullable<GameColumns>,
        sql_types::Timestamptz,
        sql_types::Nullable<SeatedColumns>,
    );
}

impl QueryId for ReadTable {
    type QueryId = Self;

    const HAS_STATIC_QUERY_ID: bool = true;
}

impl QueryFragment<Pg> for ReadTable {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql("SELECT ");
        self.caller.push_status(&mut out)?;
        out.push_sql(GAME_COLUMNS);
        out.push_sql(", clock_timestamp(), s.game_id, s.seat, s.account_id, n.name, s.bot FROM (SELECT 1) AS one");
        self.caller.push_joins(&mut out)?;
        out.push_sql(" LEFT JOIN games AS g ON g.id = ");
        out.push_bind_param::<sql_types::Uuid, _>(&self.game)?;
        out.push_sql(" LEFT JOIN seats AS s ON s.game_id = g.id LEFT JOIN accounts AS n ON n.id = s.account_id");
        Ok(())
    }
}

impl fmt::Debug for GameRow {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("GameRow")
            .field("id", &self.id)
            .field("version", &self.version)
            .field("status", &self.status)
            .finish_non_exhaustive()
    }
}
