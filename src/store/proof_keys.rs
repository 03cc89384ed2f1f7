//! The public keys that histories were ever signed with.

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use diesel_async::RunQueryDsl;

use super::convert::Bytes32;
use super::schema::proof_keys;
use super::{Store, StoreError, finish, once_more};

/// A public proof key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Queryable)]
pub struct ProofKeyRow {
    /// The Ed25519 public key.
    #[diesel(deserialize_as = Bytes32)]
    pub key: [u8; 32],
    /// When a server first came up with it.
    pub since_at: DateTime<Utc>,
}

impl Store {
    /// Publishes a key, if it is not published yet.
    ///
    /// # Errors
    /// Any [`StoreError`].
    pub async fn publish_proof_key(&self, key: &[u8; 32]) -> Result<(), StoreError> {
        let mut connection = self.connection().await?;
        let insert = diesel::insert_into(proof_keys::table)
            .values(proof_keys::key.eq(key.as_slice()))
            .on_conflict_do_nothing()
            .execute(&mut connection);
        let inserted = self.patiently(insert).await;
        finish(connection, inserted).map(drop)
    }

    /// All keys that were ever published, oldest first.
    ///
    /// # Errors
    /// Any [`StoreError`] but a constraint or [`StoreError::Lost`].
    pub async fn proof_keys(&self) -> Result<Vec<ProofKeyRow>, StoreError> {
        once_more(|| async {
            let query = proof_keys::table
                .order((proof_keys::since_at, proof_keys::key))
                .select((proof_keys::key, proof_keys::since_at));
            let mut connection = self.connection().await?;
            let rows = self.patiently(query.load(&mut connection)).await;
            finish(connection, rows)
        })
        .await
    }
}
