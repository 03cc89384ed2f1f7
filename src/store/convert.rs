//! Numbers and hashes between PostgreSQL's types and ours. A value outside of our range is an error of the data.

use diesel::deserialize::{self, Queryable};
use diesel::pg::Pg;
use diesel::sql_types::{BigInt, Binary, Nullable, SmallInt, Uuid};

use crate::ids::AccountId;

/// A seat or a count of seats.
pub struct Small(u8);

/// A seat, if there is one.
pub struct MaybeSmall(Option<u8>);

/// An account, if there is one.
pub struct MaybeAccount(Option<AccountId>);

/// A sequence number or a version.
pub struct Count(u64);

/// A hash or a seed.
pub struct Bytes32([u8; 32]);

impl Queryable<SmallInt, Pg> for Small {
    type Row = i16;

    fn build(row: i16) -> deserialize::Result<Self> {
        Ok(Self(u8::try_from(row)?))
    }
}

impl Queryable<Nullable<SmallInt>, Pg> for MaybeSmall {
    type Row = Option<i16>;

    fn build(row: Option<i16>) -> deserialize::Result<Self> {
        Ok(Self(row.map(u8::try_from).transpose()?))
    }
}

impl Queryable<Nullable<Uuid>, Pg> for MaybeAccount {
    type Row = Option<uuid::Uuid>;

    fn build(row: Option<uuid::Uuid>) -> deserialize::Result<Self> {
        Ok(Self(row.map(AccountId::from)))
    }
}

impl Queryable<BigInt, Pg> for Count {
    type Row = i64;

    fn build(row: i64) -> deserialize::Result<Self> {
        Ok(Self(u64::try_from(row)?))
    }
}

impl Queryable<Binary, Pg> for Bytes32 {
    type Row = Vec<u8>;

    fn build(row: Vec<u8>) -> deserialize::Result<Self> {
        let length = row.len();
        row.try_into().map(Self).map_err(|_| format!("{length} bytes where 32 belong").into())
    }
}

impl From<Small> for u8 {
    fn from(small: Small) -> Self {
        small.0
    }
}

impl From<MaybeSmall> for Option<u8> {
    fn from(small: MaybeSmall) -> Self {
        small.0
    }
}

impl From<MaybeAccount> for Option<AccountId> {
    fn from(account: MaybeAccount) -> Self {
        account.0
    }
}

impl From<Count> for u64 {
    fn from(count: Count) -> Self {
        count.0
    }
}

impl From<Bytes32> for [u8; 32] {
    fn from(bytes: Bytes32) -> Self {
        bytes.0
    }
}
