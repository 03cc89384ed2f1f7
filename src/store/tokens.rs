//! Refresh tokens: spending one, exactly once, and noticing when one is spent that was spent before.
//!
//! Only hashes come here. A family is one device's line of tokens and ends as a whole; a token of an ended family is
//! worthless whatever its own row says, so a token that is born while its family ends needs no lock. Times are the
//! database's: the servers' clocks need not agree.

use chrono::{DateTime, Utc};
use diesel::sql_types::{Bool, Bytea, Integer, Text, Timestamptz, Uuid as SqlUuid};
use diesel::{OptionalExtension as _, QueryResult, QueryableByName};
use diesel_async::RunQueryDsl as _;
use uuid::Uuid;

use super::accounts::{Account, NewFamily};
use super::{AccountStatus, Connection, Store, StoreError, finish};
use crate::ids::AccountId;

/// A token and what it buys.
pub struct Spending {
    /// Hash of the token that is spent.
    pub token_hash: [u8; 32],
    /// Hash of its one successor.
    pub successor_hash: [u8; 32],
    /// For how long the successor is good, unused, in days.
    pub life_days: i32,
    /// For how long the spent token still buys the same successor, in seconds.
    pub retry_s: i32,
}

/// What came of spending a refresh token.
#[derive(Debug)]
pub enum Spent {
    /// It bought its successor: now, or a moment ago and the caller asks again.
    Bought(Account),
    /// It is unknown, expired, or its device or account has ended.
    Worthless,
    /// It was spent before, and not just now: somebody else has it, so its whole family has been ended.
    Stolen {
        /// The family, for the log.
        family: Uuid,
    },
}

#[derive(QueryableByName)]
struct AccountRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Bool)]
    guest: bool,
    #[diesel(sql_type = Text)]
    locale: String,
    #[diesel(sql_type = Text)]
    status: AccountStatus,
    #[diesel(sql_type = Timestamptz)]
    created_at: DateTime<Utc>,
}

#[derive(QueryableByName)]
struct SpentRow {
    #[diesel(embed)]
    account: AccountRow,
    #[diesel(sql_type = SqlUuid)]
    family: Uuid,
    #[diesel(sql_type = Bool)]
    family_ended: bool,
    #[diesel(sql_type = Bool)]
    spent: bool,
    #[diesel(sql_type = Bool)]
    just_now: bool,
}

impl Store {
    /// Begins a new device of an account. `false` if the account no longer stands.
    ///
    /// # Errors
    /// [`StoreError`] if the database does not answer.
    pub async fn begin_family(&self, account: AccountId, family: &NewFamily) -> Result<bool, StoreError> {
        let mut connection = self.connection().await?;
        let begun = diesel::sql_query(
            "WITH f AS (INSERT INTO token_families (id, account_id, created_at)
                        SELECT $1, id, now() FROM accounts WHERE id = $2 AND status = 'active' RETURNING id, account_id)
             INSERT INTO refresh_tokens (hash, family, account_id, issued_at, expires_at)
             SELECT $3, id, account_id, now(), now() + make_interval(days => $4) FROM f",
        )
        .bind::<SqlUuid, _>(family.id)
        .bind::<SqlUuid, _>(account.uuid())
        .bind::<Bytea, _>(family.token_hash.as_slice())
        .bind::<Integer, _>(family.life_days)
        .execute(&mut connection)
        .await;
        Ok(finish(connection, begun)? == 1)
    }

    /// Spends a refresh token. Of any number that spend it at once, one does it and the others ask again.
    ///
    /// # Errors
    /// [`StoreError`] if the database does not answer or makes no sense. After [`StoreError::Lost`] the caller may simply
    /// ask again: the successor is the same.
    pub async fn spend_refresh_token(&self, spending: &Spending) -> Result<Spent, StoreError> {
        let mut connection = self.connection().await?;
        let spent = spend_on(&mut connection, spending).await;
        finish(connection, spent)
    }
}

impl From<AccountRow> for Account {
    fn from(row: AccountRow) -> Self {
        let AccountRow { id, name, guest, locale, status, created_at } = row;
        Self { id: id.into(), name, guest, locale, status, created_at }
    }
}

async fn spend_on(connection: &mut Connection, spending: &Spending) -> QueryResult<Spent> {
    if let Some(account) = spend(connection, spending).await? {
        return Ok(Spent::Bought(account.into()));
    }
    let Some(row) = look_up(connection, spending).await? else {
        return Ok(Spent::Worthless);
    };
    if row.family_ended || !row.spent || row.account.status != AccountStatus::Active {
        return Ok(Spent::Worthless);
    }
    if row.just_now {
        return Ok(Spent::Bought(row.account.into()));
    }
    end_family(connection, row.family).await?;
    Ok(Spent::Stolen { family: row.family })
}

/// The one statement that decides: whoever comes second waits for the row and then finds it spent.
async fn spend(connection: &mut Connection, spending: &Spending) -> QueryResult<Option<AccountRow>> {
    diesel::sql_query(
        "WITH spent AS (
             UPDATE refresh_tokens t SET spent_at = now()
             FROM token_families f, accounts a
             WHERE t.hash = $1 AND t.spent_at IS NULL AND t.expires_at > now()
               AND f.id = t.family AND f.ended_at IS NULL AND a.id = t.account_id AND a.status = 'active'
             RETURNING t.family, t.account_id),
         next AS (
             INSERT INTO refresh_tokens (hash, family, account_id, issued_at, expires_at)
             SELECT $2, family, account_id, now(), now() + make_interval(days => $3) FROM spent)
         SELECT a.id, a.name, a.password_hash IS NULL AS guest, a.locale, a.status, a.created_at
         FROM spent JOIN accounts a ON a.id = spent.account_id",
    )
    .bind::<Bytea, _>(spending.token_hash.as_slice())
    .bind::<Bytea, _>(spending.successor_hash.as_slice())
    .bind::<Integer, _>(spending.life_days)
    .get_result(connection)
    .await
    .optional()
}

async fn look_up(connection: &mut Connection, spending: &Spending) -> QueryResult<Option<SpentRow>> {
    diesel::sql_query(
        "SELECT a.id, a.name, a.password_hash IS NULL AS guest, a.locale, a.status, a.created_at,
                t.family, f.ended_at IS NOT NULL AS family_ended, t.spent_at IS NOT NULL AS spent,
                coalesce(t.spent_at > now() - make_interval(secs => $2), false) AS just_now
         FROM refresh_tokens t JOIN token_families f ON f.id = t.family JOIN accounts a ON a.id = t.account_id
         WHERE t.hash = $1",
    )
    .bind::<Bytea, _>(spending.token_hash.as_slice())
    .bind::<Integer, _>(spending.retry_s)
    .get_result(connection)
    .await
    .optional()
}

async fn end_family(connection: &mut Connection, family: Uuid) -> QueryResult<usize> {
    diesel::sql_query("UPDATE token_families SET ended_at = now() WHERE id = $1 AND ended_at IS NULL")
        .bind::<SqlUuid, _>(family)
        .execute(connection)
        .await
}
