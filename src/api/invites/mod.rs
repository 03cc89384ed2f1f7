//! Invites: codes that let a stranger look at a private table and sit down at it.
//!
//! A code is a secret: it comes in a body, never in a URL, and is told once, to the creator who made it.

pub mod create;
pub mod list;
pub mod open;
pub mod revoke;

use chrono::{DateTime, Utc};
use serde::Serialize;
use utoipa::ToSchema;

use crate::ids::InviteId;
use crate::store::InviteRow;

/// An invite, without its code.
#[derive(Serialize, ToSchema)]
pub struct Invite {
    /// Its id, by which it can be revoked; it lets nobody in.
    pub id: InviteId,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// Until when it is good, unless it is revoked.
    pub expires_at: DateTime<Utc>,
    /// When it was revoked; null if it was not.
    pub revoked_at: Option<DateTime<Utc>>,
}

impl From<InviteRow> for Invite {
    fn from(row: InviteRow) -> Self {
        let InviteRow { id, created_at, expires_at, revoked_at } = row;
        Self { id, created_at, expires_at, revoked_at }
    }
}
