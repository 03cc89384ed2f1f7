//! Invites: codes that let a stranger sit down. Only a code's hash is known here.

use chrono::{DateTime, Utc};
use diesel::dsl::{IntervalDsl as _, now};
use diesel::prelude::*;
use diesel::sql_types::{Bool, Timestamptz};
use diesel_async::{AsyncConnection as _, RunQueryDsl};
use uuid::Uuid;

use super::schema::{games, invites};
use super::{Connection, Store, StoreError, finish, once_more, undeterred};
use crate::ids::{GameId, InviteId};

/// An invite that is about to be.
#[derive(Clone, Copy, Debug)]
pub struct NewInvite {
    /// Its id.
    pub id: InviteId,
    /// The table that it is for.
    pub game: GameId,
    /// The hash of its code.
    pub code_hash: [u8; 32],
    /// For how long it is good.
    pub life_s: u32,
    /// How many may be good at one table.
    pub most: i64,
}

/// An invite as its table's creator may see it.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct InviteRow {
    /// Its id.
    #[diesel(deserialize_as = Uuid)]
    pub id: InviteId,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// Until when it is good, unless it is revoked.
    pub expires_at: DateTime<Utc>,
    /// When it was revoked.
    pub revoked_at: Option<DateTime<Utc>>,
}

/// What a code is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Queryable)]
pub struct FoundInvite {
    /// The table.
    #[diesel(deserialize_as = Uuid)]
    pub game: GameId,
    /// Whether it is good no more.
    pub gone: bool,
}

impl Store {
    /// Makes an invite; `None` if the table has as many that are good as it may have.
    ///
    /// # Errors
    /// Any [`StoreError`]; after [`StoreError::Lost`] it is unknown whether it was made.
    pub async fn create_invite(&self, new: &NewInvite) -> Result<Option<InviteRow>, StoreError> {
        undeterred(|| async {
            let mut connection = self.connection().await?;
            let made = connection.transaction(async |connection| {
                // Who makes one waits for his rivals, and then counts theirs too.
                let game = games::table.find(new.game.uuid()).select(games::id).for_no_key_update();
                game.first::<Uuid>(connection).await.optional()?;
                let good = invites::table
                    .filter(invites::game_id.eq(new.game.uuid()))
                    .filter(invites::revoked_at.is_null())
                    .filter(invites::expires_at.gt(now))
                    .count();
                let good: i64 = good.get_result(connection).await?;
                if good >= new.most { QueryResult::Ok(None) } else { insert(connection, new).await.map(Some) }
            });
            let made = self.patiently(made).await;
            finish(connection, made)
        })
        .await
    }

    /// At most `limit` invites of a table, newest first, older than the invite `before`.
    ///
    /// # Errors
    /// Any [`StoreError`] but a constraint or [`StoreError::Lost`].
    pub async fn invites(
        &self,
        game: GameId,
        before: Option<InviteId>,
        limit: u32,
    ) -> Result<Vec<InviteRow>, StoreError> {
        once_more(|| async {
            let before = before.map_or(Uuid::max(), InviteId::uuid);
            let query = invites::table
                .filter(invites::game_id.eq(game.uuid()))
                .filter(invites::id.lt(before))
                .order(invites::id.desc())
                .limit(limit.into())
                .select((invites::id, invites::created_at, invites::expires_at, invites::revoked_at));
            let mut connection = self.connection().await?;
            let rows = self.patiently(query.load(&mut connection)).await;
            finish(connection, rows)
        })
        .await
    }

    /// The invite with this code, whichever table it is for.
    ///
    /// # Errors
    /// Any [`StoreError`] but a constraint or [`StoreError::Lost`].
    pub async fn invite_by_code(&self, code_hash: &[u8; 32]) -> Result<Option<FoundInvite>, StoreError> {
        once_more(|| async {
            let gone = diesel::dsl::sql::<Bool>("revoked_at IS NOT NULL OR expires_at <= now()");
            let query =
                invites::table.filter(invites::code_hash.eq(code_hash.as_slice())).select((invites::game_id, gone));
            let mut connection = self.connection().await?;
            let row = self.patiently(query.first(&mut connection)).await.optional();
            finish(connection, row)
        })
        .await
    }

    /// Revokes an invite of that table; false if there is none. One that is revoked already stays as it is.
    ///
    /// # Errors
    /// Any [`StoreError`] but a constraint.
    pub async fn revoke_invite(&self, game: GameId, invite: InviteId) -> Result<bool, StoreError> {
        undeterred(|| async {
            let revoked = diesel::dsl::sql::<diesel::sql_types::Nullable<Timestamptz>>("coalesce(revoked_at, now())");
            let query = diesel::update(invites::table)
                .filter(invites::game_id.eq(game.uuid()))
                .filter(invites::id.eq(invite.uuid()))
                .set(invites::revoked_at.eq(revoked));
            let mut connection = self.connection().await?;
            let changed = self.patiently(query.execute(&mut connection)).await;
            finish(connection, changed).map(|changed| changed > 0)
        })
        .await
    }
}

async fn insert(connection: &mut Connection, new: &NewInvite) -> QueryResult<InviteRow> {
    let life = i32::try_from(new.life_s).unwrap_or(i32::MAX).seconds();
    diesel::insert_into(invites::table)
        .values((
            invites::id.eq(new.id.uuid()),
            invites::game_id.eq(new.game.uuid()),
            invites::code_hash.eq(new.code_hash.as_slice()),
            invites::created_at.eq(now),
            invites::expires_at.eq(now.into_sql::<Timestamptz>() + life),
        ))
        .returning((invites::id, invites::created_at, invites::expires_at, invites::revoked_at))
        .get_result(connection)
        .await
}
