//! Refresh tokens: spending one, exactly once, and noticing when one is spent that was spent before.
//!
//! Only hashes come here. A family is one device's line of tokens and ends as a whole; a token of an ended family is
//! worthless whatever its own row says, so a token that is born while its family ends needs no lock. Times are the
//! database's: the servers' clocks need not agree.
//!
//! A spent token is kept until it would have expired, as only so its later use shows that somebody else has it; what cannot
//! be used any more, and shows nothing, is swept away in small portions ([`Store::sweep_tokens`]).

use diesel::sql_types::{BigInt, Bool, Bytea, Integer, Nullable, Text, Uuid as SqlUuid};
use diesel::{OptionalExtension as _, QueryResult, QueryableByName};
use diesel_async::RunQueryDsl as _;
use uuid::Uuid;

use super::accounts::{Account, AccountRow, NewFamily, Yes};
use super::{AccountStatus, Connection, Store, StoreError, finish, undeterred};
use crate::ids::{AccountId, Bearer, DeviceId};

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
    Bought {
        /// Whose it is.
        account: Account,
        /// The device.
        family: DeviceId,
    },
    /// It is unknown, expired, or its device or account has ended.
    Worthless,
    /// It is good, but its account is banned: it was not spent.
    Banned,
    /// It was spent before, and not just now: somebody else has it, so its whole family has been ended.
    Stolen {
        /// The family, for the log.
        family: DeviceId,
    },
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
    #[diesel(sql_type = Bool)]
    expired: bool,
}

impl Store {
    /// Begins a new device of an account. `false` if the account no longer stands, or if its password's hash is not `known`
    /// any more.
    ///
    /// # Errors
    /// [`StoreError`] if the database does not answer.
    pub async fn begin_family(
        &self,
        account: AccountId,
        known: Option<&str>,
        family: &NewFamily,
    ) -> Result<bool, StoreError> {
        undeterred(|| async {
            let mut connection = self.connection().await?;
            let begun = diesel::sql_query(
                "WITH a AS (SELECT id FROM accounts WHERE id = $2 AND status = 'active'
                            AND password_hash IS NOT DISTINCT FROM $5 FOR SHARE),
                      f AS (INSERT INTO token_families (id, account_id, created_at)
                            SELECT $1, id, now() FROM a RETURNING id, account_id)
                 INSERT INTO refresh_tokens (hash, family, account_id, issued_at, expires_at)
                 SELECT $3, id, account_id, now(), now() + make_interval(days => $4) FROM f",
            )
            .bind::<SqlUuid, _>(family.id.uuid())
            .bind::<SqlUuid, _>(account.uuid())
            .bind::<Bytea, _>(family.token_hash.as_slice())
            .bind::<Integer, _>(family.life_days)
            .bind::<Nullable<Text>, _>(known)
            .execute(&mut connection);
            let begun = self.patiently(begun).await;
            Ok(finish(connection, begun)? == 1)
        })
        .await
    }

    /// Ends the bearer's device, or all devices of his account, and says how the account stands: nothing was ended unless it
    /// is active. `None` if there is no such account, or if his device has ended before.
    ///
    /// # Errors
    /// [`StoreError`] if the database does not answer.
    pub async fn log_out(&self, bearer: Bearer, everywhere: bool) -> Result<Option<AccountStatus>, StoreError> {
        undeterred(|| async {
            let mut connection = self.connection().await?;
            let status = diesel::sql_query(
                "WITH a AS (SELECT a.id, a.status FROM accounts a WHERE a.id = $1 AND ($2 IS NULL OR EXISTS (
                                SELECT FROM token_families d WHERE d.id = $2 AND d.account_id = a.id AND d.ended_at IS NULL))),
                      e AS (UPDATE token_families f SET ended_at = now() FROM a
                            WHERE f.account_id = a.id AND a.status = 'active' AND f.ended_at IS NULL AND (f.id = $2 OR $3))
                 SELECT status FROM a",
            )
            .bind::<SqlUuid, _>(bearer.account.uuid())
            .bind::<Nullable<SqlUuid>, _>(bearer.device.map(DeviceId::uuid))
            .bind::<Bool, _>(everywhere)
            .get_result(&mut connection);
            let status: QueryResult<Option<StatusRow>> = self.patiently(status).await.optional();
            Ok(finish(connection, status)?.map(|row| row.status))
        })
        .await
    }

    /// Whether this is the hash of the bearer's newest refresh token, or of the one that he spent just now.
    ///
    /// # Errors
    /// [`StoreError`] if the database does not answer.
    pub async fn holds_refresh_token(&self, bearer: Bearer, hash: [u8; 32], retry_s: i32) -> Result<bool, StoreError> {
        let mut connection = self.connection().await?;
        let held = diesel::sql_query(
            "SELECT EXISTS (SELECT FROM refresh_tokens t JOIN token_families f ON f.id = t.family
             WHERE t.hash = $1 AND t.family = $2 AND t.account_id = $3 AND f.ended_at IS NULL AND t.expires_at > now()
               AND (t.spent_at IS NULL OR t.spent_at > now() - make_interval(secs => $4))) AS yes",
        )
        .bind::<Bytea, _>(hash.as_slice())
        .bind::<Nullable<SqlUuid>, _>(bearer.device.map(DeviceId::uuid))
        .bind::<SqlUuid, _>(bearer.account.uuid())
        .bind::<Integer, _>(retry_s)
        .get_result(&mut connection);
        let held: QueryResult<Yes> = self.patiently(held).await;
        Ok(finish(connection, held)?.yes)
    }

    /// Deletes at most `limit` refresh tokens that are of no use any more, and as many devices without one; says how many of
    /// the two. Several servers may do it at once.
    ///
    /// # Errors
    /// [`StoreError`] if the database does not answer.
    pub async fn sweep_tokens(&self, limit: u32) -> Result<usize, StoreError> {
        let mut connection = self.connection().await?;
        let swept = self.patiently(sweep(&mut connection, i64::from(limit))).await;
        finish(connection, swept)
    }

    /// Spends a refresh token. Of any number that spend it at once, one does it and the others ask again.
    ///
    /// # Errors
    /// [`StoreError`] if the database does not answer or makes no sense. After [`StoreError::Lost`] the caller may simply
    /// ask again: the successor is the same.
    pub async fn spend_refresh_token(&self, spending: &Spending) -> Result<Spent, StoreError> {
        undeterred(|| async {
            let mut connection = self.connection().await?;
            let spent = self.patiently(spend_on(&mut connection, spending)).await;
            finish(connection, spent)
        })
        .await
    }
}

#[derive(QueryableByName)]
struct StatusRow {
    #[diesel(sql_type = Text)]
    status: AccountStatus,
}

impl SpentRow {
    fn unspent_or_just_now(&self) -> bool {
        if self.spent { self.just_now } else { !self.expired }
    }

    fn bought(self) -> Spent {
        Spent::Bought { account: self.account.into(), family: self.family.into() }
    }
}

async fn spend_on(connection: &mut Connection, spending: &Spending) -> QueryResult<Spent> {
    if let Some(row) = spend(connection, spending).await? {
        return Ok(row.bought());
    }
    let Some(row) = look_up(connection, spending).await? else {
        return Ok(Spent::Worthless);
    };
    match row.account.status {
        AccountStatus::Banned if !row.family_ended && row.unspent_or_just_now() => return Ok(Spent::Banned),
        AccountStatus::Banned | AccountStatus::Deleted => return Ok(Spent::Worthless),
        AccountStatus::Active => {}
    }
    if row.family_ended || !row.spent {
        return Ok(Spent::Worthless);
    }
    if row.just_now {
        return Ok(row.bought());
    }
    end_family(connection, row.family).await?;
    Ok(Spent::Stolen { family: row.family.into() })
}

/// The one statement that decides: whoever comes second waits for the row and then finds it spent.
async fn spend(connection: &mut Connection, spending: &Spending) -> QueryResult<Option<SpentRow>> {
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
         SELECT a.id, a.name, a.password_hash IS NULL AS guest, a.locale, a.status, a.created_at,
                spent.family, false AS family_ended, true AS spent, true AS just_now, false AS expired
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
                coalesce(t.spent_at > now() - make_interval(secs => $2), false) AS just_now,
                t.expires_at <= now() AS expired
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

/// First devices whose newest token has expired end, then tokens that have expired or whose device has ended go, then devices
/// that have ended and have no token. Nothing goes within the hour, so that whoever is using it in this moment still finds it.
async fn sweep(connection: &mut Connection, limit: i64) -> QueryResult<usize> {
    let steps = [
        "UPDATE token_families SET ended_at = now() - interval '1 hour' WHERE ended_at IS NULL AND id IN (
             SELECT family FROM refresh_tokens WHERE spent_at IS NULL AND expires_at < now() - interval '1 hour'
             ORDER BY expires_at LIMIT $1)",
        "DELETE FROM refresh_tokens WHERE hash IN (
             SELECT hash FROM refresh_tokens WHERE expires_at < now() - interval '1 hour'
             ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)",
        "DELETE FROM refresh_tokens WHERE hash IN (
             SELECT t.hash FROM token_families f JOIN refresh_tokens t ON t.family = f.id
             WHERE f.ended_at <= now() - interval '1 hour' LIMIT $1 FOR UPDATE OF t SKIP LOCKED)",
        "DELETE FROM token_families WHERE id IN (
             SELECT f.id FROM token_families f WHERE f.ended_at <= now() - interval '1 hour'
               AND NOT EXISTS (SELECT FROM refresh_tokens t WHERE t.family = f.id)
             LIMIT $1 FOR UPDATE SKIP LOCKED)",
    ];
    let mut swept = 0;
    for step in steps {
        swept += diesel::sql_query(step).bind::<BigInt, _>(limit).execute(connection).await?;
    }
    Ok(swept)
}
