//! Accounts: who plays.

pub mod create;
pub mod create_guest;

use serde::Serialize;
use utoipa::ToSchema;

use crate::ids::AccountId;

/// An account, as its owner sees it.
#[derive(Serialize, ToSchema)]
pub struct Account {
    /// Its id, which tokens and games know it by.
    pub id: AccountId,
    /// Its name, byte for byte as it was given.
    #[schema(min_length = 1, max_length = 40)]
    pub name: String,
    /// Whether it has no password yet: then only its refresh token leads back to it.
    pub guest: bool,
    /// Language tag (BCP 47).
    #[schema(examples("ja"))]
    pub locale: String,
    /// When it was made.
    pub created_at: chrono::DateTime<chrono::Utc>,
}

impl From<crate::store::accounts::Account> for Account {
    fn from(account: crate::store::accounts::Account) -> Self {
        let crate::store::accounts::Account { id, name, guest, locale, status: _, created_at } = account;
        Self { id, name, guest, locale, created_at }
    }
}
