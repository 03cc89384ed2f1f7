//! Examples of bodies and answers: what was really asked and answered, as `tests/it/api/openapi.rs` wrote it down.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde_json::Value;

/// By operation id, then by `request` or the answer's status.
static EXAMPLES: LazyLock<BTreeMap<String, BTreeMap<String, Value>>> =
    LazyLock::new(|| serde_json::from_str(include_str!("../../../openapi/examples.json")).unwrap_or_default());

pub(super) fn of(operation: &str, part: &str) -> Option<Value> {
    EXAMPLES.get(operation)?.get(part).cloned()
}
