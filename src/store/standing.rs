//! Whether the caller still stands, as a part of the first statement of every request: a log-out, a ban and the end of an
//! account are felt at once, on every server, and cost no statement of their own.

use diesel::QueryResult;
use diesel::pg::Pg;
use diesel::query_builder::AstPass;
use diesel::sql_types::{Nullable, Uuid as SqlUuid};
use uuid::Uuid;

use crate::ids::{Bearer, DeviceId};

/// The caller as a part of a statement: whether he has an account, and whether his device has not been logged out.
#[derive(Clone, Copy)]
pub(super) struct Standing {
    pub(super) account: Uuid,
    device: Option<Uuid>,
}

impl Standing {
    pub(super) fn of(bearer: Bearer) -> Self {
        Self { account: bearer.account.uuid(), device: bearer.device.map(DeviceId::uuid) }
    }

    /// The caller's account status, or null; with [`Standing::push_joins`].
    pub(super) fn push_status<'b>(&'b self, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql("CASE WHEN ");
        out.push_bind_param::<Nullable<SqlUuid>, _>(&self.device)?;
        out.push_sql(" IS NULL OR d.id IS NOT NULL THEN a.status END");
        Ok(())
    }

    /// Joins the account as `a` and the device as `d`. Cheaper than a condition with a statement of its own in it, which
    /// matters where every request comes by.
    pub(super) fn push_joins<'b>(&'b self, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql(" LEFT JOIN accounts AS a ON a.id = ");
        out.push_bind_param::<SqlUuid, _>(&self.account)?;
        out.push_sql(" LEFT JOIN token_families AS d ON d.id = ");
        out.push_bind_param::<Nullable<SqlUuid>, _>(&self.device)?;
        out.push_sql(" AND d.account_id = a.id AND d.ended_at IS NULL");
        Ok(())
    }
}
