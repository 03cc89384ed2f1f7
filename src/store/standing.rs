//! Whether the caller still stands, as a part of the first statement of every request: a log-out, a ban and the end of an
//! account are felt at once, on every server, and cost no statement of their own.

use diesel::QueryResult;
use diesel::pg::Pg;
use diesel::query_builder::AstPass;
use diesel::sql_types::{Nullable, Uuid as SqlUuid};
use uuid::Uuid;

use crate::ids::{Bearer, DeviceId};

/// The condition that joins the caller's account, as `a`: it is his, and his device has not been logged out.
#[derive(Clone, Copy)]
pub(super) struct Standing {
    pub(super) account: Uuid,
    device: Option<Uuid>,
}

impl Standing {
    pub(super) fn of(bearer: Bearer) -> Self {
        Self { account: bearer.account.uuid(), device: bearer.device.map(DeviceId::uuid) }
    }

    pub(super) fn push_condition<'b>(&'b self, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql("a.id = ");
        out.push_bind_param::<SqlUuid, _>(&self.account)?;
        out.push_sql(" AND (");
        out.push_bind_param::<Nullable<SqlUuid>, _>(&self.device)?;
        out.push_sql(" IS NULL OR EXISTS (SELECT FROM token_families AS d WHERE d.id = ");
        out.push_bind_param::<Nullable<SqlUuid>, _>(&self.device)?;
        out.push_sql(" AND d.account_id = a.id AND d.ended_at IS NULL))");
        Ok(())
    }
}
