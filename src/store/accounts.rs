//! Accounts: who somebody is, and what he is called.
//!
//! Must never: see a password or a token unhashed. A name's uniqueness is the database's to keep: nothing here asks first.
//!
//! Who begins a device or ends an account holds the account's row while he does, so that a password that is changed, or an
//! account that is ended, leaves no device behind that began in the same moment.

use chrono::{DateTime, Utc};
use diesel::sql_types::{Bool, Bytea, Integer, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use diesel::{ExpressionMethods as _, OptionalExtension as _, QueryDsl as _, QueryResult, QueryableByName};
use diesel_async::{AsyncConnection as _, RunQueryDsl as _};
use uuid::Uuid;

use super::schema::accounts;
use super::{AccountStatus, Connection, Store, StoreError, finish, once_more, undeterred};
use crate::ids::{AccountId, Bearer, DeviceId};

/// An account that is about to be.
pub struct NewAccount<'a> {
    /// Its id.
    pub id: AccountId,
    /// Its name as given.
    pub name: &'a str,
    /// What makes the name unique.
    pub name_key: &'a str,
    /// PHC string; `None` for a guest.
    pub password_hash: Option<&'a str>,
    /// Language tag.
    pub locale: &'a str,
}

/// A line of refresh tokens that is about to begin: one device.
pub struct NewFamily {
    /// Its id.
    pub id: DeviceId,
    /// Hash of its first token.
    pub token_hash: [u8; 32],
    /// For how long the token is good, unused, in days.
    pub life_days: i32,
}

/// What is to change of an account; `None` stays as it is.
#[derive(Default)]
pub struct AccountChange<'a> {
    /// Name as given, and what makes it unique.
    pub name: Option<(&'a str, &'a str)>,
    /// Language tag.
    pub locale: Option<&'a str>,
}

/// What remains of an account that has ended, under which nobody can be found.
pub struct Tombstone<'a> {
    /// In place of the name.
    pub name: &'a str,
    /// In place of the language.
    pub locale: &'a str,
}

/// What came of ending an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Ending {
    /// It has ended.
    Ended,
    /// It sits in a game that is being played: nothing was changed.
    Seated,
    /// It sits at a table, or made one, that has not begun: nothing was changed.
    Unsettled,
    /// It does not stand any more, or its password is another by now: nothing was changed.
    Changed,
}

/// An account as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// Its id.
    pub id: AccountId,
    /// Its name as given.
    pub name: String,
    /// Whether it has no password (yet).
    pub guest: bool,
    /// Language tag.
    pub locale: String,
    /// Whether it stands.
    pub status: AccountStatus,
    /// When it was made.
    pub created_at: DateTime<Utc>,
}

/// An account and its password's hash, which a guest has not.
pub type WithPassword = (Account, Option<String>);

/// An account as statements give it: `id, name, guest, locale, status, created_at`.
#[derive(QueryableByName)]
pub(super) struct AccountRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Bool)]
    guest: bool,
    #[diesel(sql_type = Text)]
    locale: String,
    #[diesel(sql_type = Text)]
    pub(super) status: AccountStatus,
    #[diesel(sql_type = Timestamptz)]
    created_at: DateTime<Utc>,
}

#[derive(QueryableByName)]
struct Made {
    #[diesel(sql_type = Timestamptz)]
    at: DateTime<Utc>,
}

/// The answer to a yes-or-no question.
#[derive(QueryableByName)]
pub(super) struct Yes {
    #[diesel(sql_type = Bool)]
    pub(super) yes: bool,
}

#[derive(QueryableByName)]
struct Held {
    #[diesel(sql_type = Bool)]
    seated: bool,
    #[diesel(sql_type = Bool)]
    unsettled: bool,
}

#[derive(QueryableByName)]
struct Found {
    #[diesel(embed)]
    account: AccountRow,
    #[diesel(sql_type = Nullable<Text>)]
    password_hash: Option<String>,
}

impl Store {
    /// Makes an account and its first device, both or neither, and says when (by the database's clock).
    ///
    /// # Errors
    /// [`StoreError::Constraint`] with [`super::Constraint::AccountName`] if the name is another's.
    pub async fn create_account(
        &self,
        account: &NewAccount<'_>,
        family: &NewFamily,
    ) -> Result<DateTime<Utc>, StoreError> {
        undeterred(|| async {
            let mut connection = self.connection().await?;
            let made = diesel::sql_query(
                "WITH a AS (INSERT INTO accounts (id, name, name_key, password_hash, locale, status, created_at)
                            VALUES ($1, $2, $3, $4, $5, 'active', now())),
                      f AS (INSERT INTO token_families (id, account_id, created_at) VALUES ($6, $1, now()))
                 INSERT INTO refresh_tokens (hash, family, account_id, issued_at, expires_at)
                 VALUES ($7, $6, $1, now(), now() + make_interval(days => $8))
                 RETURNING issued_at AS at",
            )
            .bind::<SqlUuid, _>(account.id.uuid())
            .bind::<Text, _>(account.name)
            .bind::<Text, _>(account.name_key)
            .bind::<Nullable<Text>, _>(account.password_hash)
            .bind::<Text, _>(account.locale)
            .bind::<SqlUuid, _>(family.id.uuid())
            .bind::<Bytea, _>(family.token_hash.as_slice())
            .bind::<Integer, _>(family.life_days)
            .get_result(&mut connection);
            let made: QueryResult<Made> = self.patiently(made).await;
            finish(connection, made).map(|made| made.at)
        })
        .await
    }

    /// The account whose name has this key. Tombstones have no key.
    ///
    /// # Errors
    /// [`StoreError`] if the database does not answer or makes no sense.
    pub async fn account_by_name_key(&self, name_key: &str) -> Result<Option<WithPassword>, StoreError> {
        type Row = (Uuid, String, Option<String>, String, AccountStatus, DateTime<Utc>);
        let mut connection = self.connection().await?;
        let row = accounts::table
            .filter(accounts::name_key.eq(name_key))
            .select((
                accounts::id,
                accounts::name,
                accounts::password_hash,
                accounts::locale,
                accounts::status,
                accounts::created_at,
            ))
            .first(&mut connection);
        let row: QueryResult<Option<Row>> = self.patiently(row).await.optional();
        let row = finish(connection, row)?;
        Ok(row.map(|(id, name, password_hash, locale, status, created_at)| {
            let guest = password_hash.is_none();
            (Account { id: id.into(), name, guest, locale, status, created_at }, password_hash)
        }))
    }

    /// The bearer's account, whatever its status; `None` if there is none, or if his device has been logged out.
    ///
    /// # Errors
    /// Any [`StoreError`] but a constraint or [`StoreError::Lost`].
    pub async fn account(&self, bearer: Bearer) -> Result<Option<WithPassword>, StoreError> {
        once_more(|| async {
            let mut connection = self.connection().await?;
            let found = diesel::sql_query(
                "SELECT a.id, a.name, a.password_hash IS NULL AS guest, a.locale, a.status, a.created_at, a.password_hash
                 FROM accounts a WHERE a.id = $1 AND ($2 IS NULL OR EXISTS (
                     SELECT FROM token_families d WHERE d.id = $2 AND d.account_id = a.id AND d.ended_at IS NULL))",
            )
            .bind::<SqlUuid, _>(bearer.account.uuid())
            .bind::<Nullable<SqlUuid>, _>(bearer.device.map(DeviceId::uuid))
            .get_result(&mut connection);
            let found: QueryResult<Option<Found>> = self.patiently(found).await.optional();
            Ok(finish(connection, found)?.map(|found| (found.account.into(), found.password_hash)))
        })
        .await
    }

    /// Changes an account. `None` if it no longer stands.
    ///
    /// # Errors
    /// [`StoreError::Constraint`] with [`super::Constraint::AccountName`] if the name is another's.
    pub async fn change_account(
        &self,
        account: AccountId,
        change: &AccountChange<'_>,
    ) -> Result<Option<Account>, StoreError> {
        undeterred(|| async {
            let mut connection = self.connection().await?;
            let changed = diesel::sql_query(
                "UPDATE accounts SET name = coalesce($2, name), name_key = coalesce($3, name_key), locale = coalesce($4, locale)
                 WHERE id = $1 AND status = 'active'
                 RETURNING id, name, password_hash IS NULL AS guest, locale, status, created_at",
            )
            .bind::<SqlUuid, _>(account.uuid())
            .bind::<Nullable<Text>, _>(change.name.map(|(name, _)| name))
            .bind::<Nullable<Text>, _>(change.name.map(|(_, key)| key))
            .bind::<Nullable<Text>, _>(change.locale)
            .get_result(&mut connection);
            let changed: QueryResult<Option<AccountRow>> = self.patiently(changed).await.optional();
            Ok(finish(connection, changed)?.map(Account::from))
        })
        .await
    }

    /// Gives the account another password, or its first, and ends all of its devices but the bearer's. `false` if the
    /// account no longer stands or its password's hash is not `known` any more: then nothing was changed.
    ///
    /// # Errors
    /// [`StoreError`] if the database does not answer. After [`StoreError::Lost`] the caller may simply ask again.
    pub async fn set_password(&self, bearer: Bearer, known: Option<&str>, hash: &str) -> Result<bool, StoreError> {
        undeterred(|| async {
            let mut connection = self.connection().await?;
            let set = connection.transaction(async |connection| {
                let updated = diesel::sql_query(
                    "UPDATE accounts SET password_hash = $3
                     WHERE id = $1 AND status = 'active' AND password_hash IS NOT DISTINCT FROM $2",
                )
                .bind::<SqlUuid, _>(bearer.account.uuid())
                .bind::<Nullable<Text>, _>(known)
                .bind::<Text, _>(hash)
                .execute(connection)
                .await?;
                if updated == 1 {
                    end_other_devices(connection, bearer).await?;
                }
                QueryResult::Ok(updated == 1)
            });
            let set = self.patiently(set).await;
            finish(connection, set)
        })
        .await
    }

    /// Ends an account whose password's hash is `known`: its name becomes the tombstone's, all its devices end. Its seats at
    /// games that have ended and at tables that were closed stay, as does what it did.
    ///
    /// # Errors
    /// [`StoreError`] if the database does not answer.
    pub async fn end_account(
        &self,
        account: AccountId,
        known: Option<&str>,
        tombstone: &Tombstone<'_>,
    ) -> Result<Ending, StoreError> {
        undeterred(|| async {
            let mut connection = self.connection().await?;
            let ending = connection.transaction(async |connection| {
                if !lock(connection, account, known).await? {
                    return QueryResult::Ok(Ending::Changed);
                }
                if let Some(held) = holds(connection, account).await? {
                    return Ok(held);
                }
                bury(connection, account, tombstone).await?;
                end_other_devices(connection, account.into()).await?;
                Ok(Ending::Ended)
            });
            let ending = self.patiently(ending).await;
            finish(connection, ending)
        })
        .await
    }

    /// Bans an account that is active, or lets a banned one in again. `None` if it is neither.
    ///
    /// # Errors
    /// [`StoreError`] if the database does not answer.
    pub async fn set_banned(&self, account: AccountId, banned: bool) -> Result<Option<Account>, StoreError> {
        undeterred(|| async {
            let (from, to) = (AccountStatus::Active, AccountStatus::Banned);
            let (from, to) = if banned { (from, to) } else { (to, from) };
            let mut connection = self.connection().await?;
            let changed = diesel::sql_query(
                "UPDATE accounts SET status = $3 WHERE id = $1 AND status IN ($2, $3)
                 RETURNING id, name, password_hash IS NULL AS guest, locale, status, created_at",
            )
            .bind::<SqlUuid, _>(account.uuid())
            .bind::<Text, _>(from)
            .bind::<Text, _>(to)
            .get_result(&mut connection);
            let changed: QueryResult<Option<AccountRow>> = self.patiently(changed).await.optional();
            Ok(finish(connection, changed)?.map(Account::from))
        })
        .await
    }
}

impl From<AccountRow> for Account {
    fn from(row: AccountRow) -> Self {
        let AccountRow { id, name, guest, locale, status, created_at } = row;
        Self { id: id.into(), name, guest, locale, status, created_at }
    }
}

/// All devices of the account but the bearer's. A statement of its own, after the account's row is held: it sees the devices
/// that began before.
async fn end_other_devices(connection: &mut Connection, bearer: Bearer) -> QueryResult<usize> {
    diesel::sql_query(
        "UPDATE token_families SET ended_at = now()
         WHERE account_id = $1 AND ended_at IS NULL AND id IS DISTINCT FROM $2",
    )
    .bind::<SqlUuid, _>(bearer.account.uuid())
    .bind::<Nullable<SqlUuid>, _>(bearer.device.map(DeviceId::uuid))
    .execute(connection)
    .await
}

/// Holds the row against seats that are being taken, tables that are being made and devices that are being begun. `false` if it is another by now.
async fn lock(connection: &mut Connection, account: AccountId, known: Option<&str>) -> QueryResult<bool> {
    let locked: Option<Yes> = diesel::sql_query(
        "SELECT true AS yes FROM accounts WHERE id = $1 AND status = 'active' AND password_hash IS NOT DISTINCT FROM $2 FOR UPDATE",
    )
    .bind::<SqlUuid, _>(account.uuid())
    .bind::<Nullable<Text>, _>(known)
    .get_result(connection)
    .await
    .optional()?;
    Ok(locked.is_some_and(|row| row.yes))
}

/// What keeps the account from ending. New seats and tables wait for the account's row.
async fn holds(connection: &mut Connection, account: AccountId) -> QueryResult<Option<Ending>> {
    let row: Held = diesel::sql_query(
        "SELECT EXISTS (SELECT FROM seats s JOIN games g ON g.id = s.game_id
                        WHERE s.account_id = $1 AND g.status = 'running') AS seated,
                EXISTS (SELECT FROM seats s JOIN games g ON g.id = s.game_id
                        WHERE s.account_id = $1 AND g.status = 'open')
             OR EXISTS (SELECT FROM games g WHERE g.creator = $1 AND g.status = 'open') AS unsettled",
    )
    .bind::<SqlUuid, _>(account.uuid())
    .get_result(connection)
    .await?;
    Ok(match row {
        Held { seated: true, .. } => Some(Ending::Seated),
        Held { unsettled: true, .. } => Some(Ending::Unsettled),
        Held { seated: false, unsettled: false } => None,
    })
}

async fn bury(connection: &mut Connection, account: AccountId, tombstone: &Tombstone<'_>) -> QueryResult<usize> {
    diesel::sql_query(
        "UPDATE accounts SET status = 'deleted', name = $2, name_key = NULL, password_hash = NULL, locale = $3
         WHERE id = $1",
    )
    .bind::<SqlUuid, _>(account.uuid())
    .bind::<Text, _>(tombstone.name)
    .bind::<Text, _>(tombstone.locale)
    .execute(connection)
    .await
}
