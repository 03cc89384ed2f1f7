//! What a viewer is told of a line. Every way to read a history goes through here.

use serde::Serialize;
use serde_json::value::RawValue;

use super::line::{Line, LogError};
use crate::engine::{Status, Viewer};

/// A line as one viewer may see it: the public line byte for byte, and `secret` beside it if he may know it.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct Entry(Box<RawValue>);

/// What `viewer` is told of a line when the game has come as far as `status`.
///
/// # Errors
/// [`LogError`] if the line cannot be read.
pub fn told(line: &Line, viewer: Viewer, status: Status) -> Result<Entry, LogError> {
    let secret = told_secret(line, viewer, status)?;
    let text = match (secret, line.text.strip_suffix('}')) {
        (Some(secret), Some(open)) => format!("{open},\"secret\":{secret}}}"),
        (Some(_), None) | (None, _) => line.text.clone(),
    };
    let raw = RawValue::from_string(text);
    raw.map(Entry).map_err(|error| LogError::Line { seq: line.seq, reason: error.to_string() })
}

/// The secret of a line, if there is one and `viewer` may know it when the game has come as far as `status`.
///
/// # Errors
/// [`LogError`] if the line cannot be read.
pub fn told_secret(line: &Line, viewer: Viewer, status: Status) -> Result<Option<&str>, LogError> {
    let audience = line.fact()?.audience();
    Ok(line.secret.as_deref().filter(|_| audience.is_some_and(|audience| viewer.may_know(audience, status))))
}
