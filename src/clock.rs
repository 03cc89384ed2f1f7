//! The system's clock, read in one place; everywhere else time is a value that comes in.
//!
//! Must never: be asked by the engine or the log. Where servers must agree, the database's time counts, not this one.

use chrono::{DateTime, Utc};

/// The time now.
#[must_use]
#[expect(clippy::disallowed_methods, reason = "this is the one place")]
pub fn now() -> DateTime<Utc> {
    Utc::now()
}
