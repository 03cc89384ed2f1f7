//! Accounts: who somebody is, and what he is called.
//!
//! Must never: see a password or a token unhashed. A name's uniqueness is the database's to keep: nothing here asks first.

use chrono::{DateTime, Utc};
use diesel::sql_types::{Bytea, Integer, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use diesel::{ExpressionMethods as _, OptionalExtension as _, QueryDsl as _, QueryResult, QueryableByName};
use diesel_async::RunQueryDsl as _;
use uuid::Uuid;

use super::schema::accounts;
use super::{AccountStatus, Store, StoreError, finish};
use crate::ids::AccountId;

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
    pub id: Uuid,
    /// Hash of its first token.
    pub token_hash: [u8; 32],
    /// For how long the token is good, unused, in days.
    pub life_days: i32,
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

#[derive(QueryableByName)]
struct Made {
    #[diesel(sql_type = Timestamptz)]
    at: DateTime<Utc>,
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
        let mut connection = self.connection().await?;
        let made: QueryResult<Made> = diesel::sql_query(
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
        .bind::<SqlUuid, _>(family.id)
        .bind::<Bytea, _>(family.token_hash.as_slice())
        .bind::<Integer, _>(family.life_days)
        .get_result(&mut connection)
        .await;
        finish(connection, made).map(|made| made.at)
    }

    /// The account whose name has this key, with its password's hash. Tombstones have no key.
    ///
    /// # Errors
    /// [`StoreError`] if the database does not answer or makes no sense.
    pub async fn account_by_name_key(&self, name_key: &str) -> Result<Option<(Account, Option<String>)>, StoreError> {
        type Row = (Uuid, String, Option<String>, String, AccountStatus, DateTime<Utc>);
        let mut connection = self.connection().await?;
        let row: QueryResult<Option<Row>> = accounts::table
            .filter(accounts::name_key.eq(name_key))
            .select((
                accounts::id,
                accounts::name,
                accounts::password_hash,
                accounts::locale,
                accounts::status,
                accounts::created_at,
            ))
            .first(&mut connection)
            .await
            .optional();
        let row = finish(connection, row)?;
        Ok(row.map(|(id, name, password_hash, locale, status, created_at)| {
            let guest = password_hash.is_none();
            (Account { id: id.into(), name, guest, locale, status, created_at }, password_hash)
        }))
    }
}
