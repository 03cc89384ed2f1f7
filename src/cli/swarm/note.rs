//! What was told while a game ran, to be held against its history when it has ended.

use serde_json::Value;

use super::wire::Ask;
use crate::engine::Viewer;

/// Something that a viewer was told of a game at a version.
#[derive(Clone, Debug)]
pub(super) struct Note {
    pub(super) viewer: Viewer,
    /// The version of the answer that told it.
    pub(super) version: u64,
    pub(super) told: Told,
}

/// What was told.
#[derive(Clone, Debug)]
pub(super) enum Told {
    /// The newest event.
    Head(Value),
    /// The table.
    View(Value),
    /// Events of the history.
    Events(Vec<Value>),
    /// The legal moves, as bodies.
    Moves(Vec<Value>),
}

/// An accepted change: the events from `first` to `last`, and who made them.
#[derive(Clone, Debug)]
pub(super) struct Accepted {
    pub(super) first: u64,
    pub(super) last: u64,
    pub(super) cause: Value,
    /// Which guest asked, and how.
    pub(super) guest: usize,
    pub(super) ask: Ask,
    /// What was answered.
    pub(super) status: u16,
    pub(super) text: String,
}

/// The number in a field of an answer, 0 if there is none.
pub(super) fn number(json: &Value, pointer: &str) -> u64 {
    json.pointer(pointer).and_then(Value::as_u64).unwrap_or_default()
}

/// The list in a field of an answer, empty if there is none.
pub(super) fn list(json: &Value, field: &str) -> Vec<Value> {
    json.get(field).and_then(Value::as_array).cloned().unwrap_or_default()
}
