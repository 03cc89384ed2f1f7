//! Lists of games as an account may see them, and who sits where.

use chrono::{DateTime, Utc};
use diesel::dsl::{IntervalDsl as _, sql};
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::sql_types;
use diesel_async::RunQueryDsl;

use super::convert::{Count, MaybeAccount, MaybeSmall, Small};
use super::schema::{accounts, games, seats};
use super::standing::Standing;
use super::{AccountStatus, BotLevel, GameStatus, StartRule, Store, StoreError, Visibility, finish, once_more};
use crate::ids::{AccountId, Bearer, GameId};

/// Which games to list. The default is all that the caller may see.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameFilter {
    /// Only games that stand there.
    pub status: Option<GameStatus>,
    /// Only games where the caller sits, or which the caller made.
    pub mine: bool,
    /// Only games that wait for the caller's decision.
    pub my_turn: bool,
    /// Only games with a seat that can be taken.
    pub open_seats: bool,
}

/// A page of the list, newest first, and whether the caller's account still stands.
#[derive(Clone, Debug)]
pub struct Listing {
    /// The caller's account: `None` if there is none, or if the caller's device has been logged out.
    pub account: Option<AccountStatus>,
    /// The games. The last one's id is the cursor of the next page.
    pub games: Vec<ListedGame>,
}

/// A game as a list shows it: nothing in it is secret from one who may know of the game.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct ListedGame {
    /// The game.
    #[diesel(deserialize_as = uuid::Uuid)]
    pub id: GameId,
    /// The number of its events.
    #[diesel(deserialize_as = Count)]
    pub version: u64,
    /// Where it stands.
    pub status: GameStatus,
    /// Who may know of it.
    pub visibility: Visibility,
    /// What starts it.
    pub start: StartRule,
    /// How many play.
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
    /// Whether it was played elsewhere.
    pub imported: bool,
    /// Whether its players may ask for hints.
    pub hints: bool,
    /// The caller's seat.
    #[diesel(deserialize_as = MaybeSmall)]
    pub my_seat: Option<u8>,
}

/// Somebody at a table: an account or a bot.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct Seated {
    /// The table.
    #[diesel(deserialize_as = uuid::Uuid)]
    pub game: GameId,
    /// The seat.
    #[diesel(deserialize_as = Small)]
    pub seat: u8,
    /// The account that sits there; none for a bot.
    #[diesel(deserialize_as = MaybeAccount)]
    pub account: Option<AccountId>,
    /// The account's name as it is now, a tombstone's included; none for a bot.
    pub name: Option<String>,
    /// The bot that sits there.
    pub bot: Option<BotLevel>,
}

/// `game_id, seat, account_id, name, bot`.
pub(super) type SeatedColumns = (
    sql_types::Uuid,
    sql_types::SmallInt,
    sql_types::Nullable<sql_types::Uuid>,
    sql_types::Nullable<sql_types::Text>,
    sql_types::Nullable<sql_types::Text>,
);

impl Store {
    /// At most `limit` games that the caller may see, newest first, older than the game `before`.
    ///
    /// Public games are for everybody; others are listed only for those who sit there and for the creator.
    ///
    /// # Errors
    /// Any [`StoreError`] but a constraint or [`StoreError::Lost`].
    pub async fn list_games(
        &self,
        caller: impl Into<Bearer>,
        filter: &GameFilter,
        before: Option<GameId>,
        limit: u32,
    ) -> Result<Listing, StoreError> {
        let caller = Standing::of(caller.into());
        let rows = once_more(|| async {
            let query = List { caller, filter: *filter, before: before.map(GameId::uuid), limit: limit.into() };
            let mut connection = self.connection().await?;
            let rows: QueryResult<Vec<(Option<AccountStatus>, Option<ListedGame>)>> =
                self.patiently(query.load(&mut connection)).await;
            finish(connection, rows)
        })
        .await?;
        let account = rows.as_slice().first().and_then(|(account, _)| *account);
        Ok(Listing { account, games: rows.into_iter().filter_map(|(_, game)| game).collect() })
    }

    /// At most `limit` tables that were set up more than `age_s` seconds ago and have not been started, oldest first,
    /// without the first `skip` of them.
    ///
    /// # Errors
    /// Any [`StoreError`] but a constraint or [`StoreError::Lost`].
    pub async fn expired_tables(&self, age_s: u32, skip: u32, limit: u32) -> Result<Vec<GameId>, StoreError> {
        let rows: Vec<uuid::Uuid> = once_more(|| async {
            let age = i32::try_from(age_s).unwrap_or(i32::MAX).seconds();
            let query = games::table
                // As a literal, by which PostgreSQL knows the index of open tables.
                .filter(sql::<sql_types::Bool>("status = 'open'"))
                .filter(games::created_at.lt(diesel::dsl::now.into_sql::<sql_types::Timestamptz>() - age))
                .order((games::created_at, games::id))
                .offset(skip.into())
                .limit(limit.into())
                .select(games::id);
            let mut connection = self.connection().await?;
            let rows = self.patiently(query.load(&mut connection)).await;
            finish(connection, rows)
        })
        .await?;
        Ok(rows.into_iter().map(GameId::from).collect())
    }

    /// The games at which the account sits and that have not ended.
    ///
    /// # Errors
    /// Any [`StoreError`] but a constraint or [`StoreError::Lost`].
    pub async fn unfinished_games_of(&self, account: AccountId) -> Result<Vec<(GameId, GameStatus)>, StoreError> {
        once_more(|| async {
            let query = seats::table
                .inner_join(games::table)
                .filter(
                    seats::account_id
                        .eq(account.uuid())
                        .and(games::status.eq_any([GameStatus::Open, GameStatus::Running])),
                )
                .order(games::id)
                .select((games::id, games::status));
            let mut connection = self.connection().await?;
            let rows: QueryResult<Vec<(uuid::Uuid, GameStatus)>> = self.patiently(query.load(&mut connection)).await;
            let rows = finish(connection, rows)?;
            Ok(rows.into_iter().map(|(game, status)| (game.into(), status)).collect())
        })
        .await
    }

    /// The tables that the account made and that have not begun.
    ///
    /// # Errors
    /// Any [`StoreError`] but a constraint or [`StoreError::Lost`].
    pub async fn open_tables_of(&self, account: AccountId) -> Result<Vec<GameId>, StoreError> {
        let rows: Vec<uuid::Uuid> = once_more(|| async {
            let query = games::table
                .filter(games::creator.eq(account.uuid()))
                // As a literal, by which PostgreSQL knows the index of open tables.
                .filter(sql::<sql_types::Bool>("status = 'open'"))
                .order(games::id)
                .select(games::id);
            let mut connection = self.connection().await?;
            let rows = self.patiently(query.load(&mut connection)).await;
            finish(connection, rows)
        })
        .await?;
        Ok(rows.into_iter().map(GameId::from).collect())
    }

    /// Who sits at these tables, by game and seat.
    ///
    /// # Errors
    /// Any [`StoreError`] but a constraint or [`StoreError::Lost`].
    pub async fn seated(&self, games: &[GameId]) -> Result<Vec<Seated>, StoreError> {
        let games: Vec<uuid::Uuid> = games.iter().map(|game| game.uuid()).collect();
        once_more(|| async {
            let query = seats::table
                .left_join(accounts::table)
                .filter(seats::game_id.eq_any(&games))
                .order((seats::game_id, seats::seat))
                .select((seats::game_id, seats::seat, seats::account_id, accounts::name.nullable(), seats::bot));
            let mut connection = self.connection().await?;
            let rows = self.patiently(query.load(&mut connection)).await;
            finish(connection, rows)
        })
        .await
    }
}

/// One row for the account at least, so that an empty page says too whether the account stands.
struct List {
    caller: Standing,
    filter: GameFilter,
    before: Option<uuid::Uuid>,
    limit: i64,
}

type ListedColumns = (
    sql_types::Uuid,
    sql_types::BigInt,
    sql_types::Text,
    sql_types::Text,
    sql_types::Text,
    sql_types::SmallInt,
    sql_types::SmallInt,
    sql_types::Nullable<sql_types::SmallInt>,
    sql_types::Uuid,
    sql_types::Timestamptz,
    sql_types::Timestamptz,
    sql_types::Bool,
    sql_types::Bool,
    sql_types::Nullable<sql_types::SmallInt>,
);

impl Query for List {
    type SqlType = (sql_types::Nullable<sql_types::Text>, sql_types::Nullable<ListedColumns>);
}

/// The text follows from the filter: each one is kept as a prepared statement of its own.
impl QueryId for List {
    type QueryId = ();

    const HAS_STATIC_QUERY_ID: bool = false;
}

impl QueryFragment<Pg> for List {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql("SELECT ");
        self.caller.push_status(&mut out)?;
        out.push_sql(", l.* FROM (SELECT 1) AS one");
        self.caller.push_joins(&mut out)?;
        out.push_sql(
            " LEFT JOIN LATERAL (SELECT g.id, g.version, g.status, g.visibility, g.start, g.players, g.open_seats, g.decider, \
             g.creator, g.created_at, g.updated_at, g.imported IS NOT NULL, g.hints, s.seat FROM games AS g \
             LEFT JOIN seats AS s ON s.game_id = g.id AND s.account_id = ",
        );
        out.push_bind_param::<sql_types::Uuid, _>(&self.caller.account)?;
        if self.filter.mine {
            out.push_sql(" WHERE g.id IN (SELECT game_id FROM seats WHERE account_id = ");
            out.push_bind_param::<sql_types::Uuid, _>(&self.caller.account)?;
            out.push_sql(" UNION ALL SELECT id FROM games WHERE creator = ");
            out.push_bind_param::<sql_types::Uuid, _>(&self.caller.account)?;
            out.push_sql(")");
        } else if self.filter.my_turn {
            out.push_sql(" WHERE s.seat IS NOT NULL");
        } else {
            out.push_sql(" WHERE (g.visibility = 'public' OR s.seat IS NOT NULL OR g.creator = ");
            out.push_bind_param::<sql_types::Uuid, _>(&self.caller.account)?;
            out.push_sql(")");
        }
        if self.filter.my_turn {
            out.push_sql(" AND g.decider = s.seat");
        }
        if self.filter.open_seats {
            out.push_sql(" AND g.open_seats > 0 AND g.status = 'open'");
        }
        if let Some(status) = &self.filter.status {
            out.push_sql(" AND g.status = ");
            out.push_bind_param::<sql_types::Text, _>(status)?;
        }
        if let Some(before) = &self.before {
            out.push_sql(" AND g.id < ");
            out.push_bind_param::<sql_types::Uuid, _>(before)?;
        }
        out.push_sql(" ORDER BY g.id DESC LIMIT ");
        out.push_bind_param::<sql_types::BigInt, _>(&self.limit)?;
        out.push_sql(") AS l ON true ORDER BY l.id DESC");
        Ok(())
    }
}
