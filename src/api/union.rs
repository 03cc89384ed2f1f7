//! Unions in bodies: `type` is read first, then the struct of that type, and errors name the field by its whole path.
//!
//! serde's own tagged enums do the first but lose the path, as they buffer the fields without keeping track. Here the error's
//! inner path travels to `extract::parse_json` at the head of the message, as that is all that serde lets through.
//!
//! ```
//! use fereta::api::{extract::parse_json, union};
//! use serde::{Deserialize, Deserializer};
//!
//! #[derive(Debug, Deserialize)]
//! #[serde(deny_unknown_fields)]
//! struct PlaySupplies { cards: Vec<u8> }
//! #[derive(Debug, Deserialize)]
//! #[serde(deny_unknown_fields)]
//! struct Pass {}
//! #[derive(Debug)]
//! enum Move { PlaySupplies(PlaySupplies), Pass(Pass) }
//!
//! impl<'de> Deserialize<'de> for Move {
//!     fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
//!         union::deserialize(deserializer, &["play_supplies", "pass"], |name, fields| match name {
//!             "play_supplies" => fields.read().map(Move::PlaySupplies),
//!             "pass" => fields.read().map(Move::Pass),
//!             other => Err(fields.unknown_type(other)),
//!         })
//!     }
//! }
//!
//! #[derive(Debug, Deserialize)]
//! #[serde(deny_unknown_fields)]
//! struct Body { expected_version: u64, r#move: Move }
//!
//! let good = br#"{"expected_version": 41, "move": {"type": "play_supplies", "cards": [5, 3]}}"#;
//! assert!(parse_json::<Body>(good).is_ok());
//! ```

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{DeserializeOwned, Error as _, MapAccess, SeqAccess, Visitor},
};
use serde_json::{Map, Value};

/// Begins a message that carries a path. No message of serde begins with it.
const MARK: char = '\u{1}';

/// The fields of a union's value, without its `type`.
pub struct Fields {
    types: &'static [&'static str],
    map: Map<String, Value>,
}

/// What is wrong inside a union's value, and where.
pub struct UnionError {
    path: String,
    message: String,
}

impl Fields {
    /// Reads the fields as this variant's struct.
    ///
    /// # Errors
    /// [`UnionError`] with the path from here.
    pub fn read<T: DeserializeOwned>(self) -> Result<T, UnionError> {
        serde_path_to_error::deserialize(Value::Object(self.map)).map_err(|error| {
            let outer = error.path().to_string();
            let (inner, message) = split(&error.into_inner().to_string());
            UnionError { path: join(&outer, &inner), message }
        })
    }

    /// There is no variant of that name.
    pub fn unknown_type(&self, name: &str) -> UnionError {
        let known = self.types.join("`, `");
        UnionError { path: "type".into(), message: format!("unknown type `{name}`, expected one of `{known}`") }
    }
}

/// Reads an object, its `type`, and then what `read` makes of the other fields. `types` is for messages.
///
/// # Errors
/// What `read` found, with its path; that there is no object, or no `type`; a field that comes twice.
pub fn deserialize<'de, D: Deserializer<'de>, T>(
    deserializer: D,
    types: &'static [&'static str],
    read: impl FnOnce(&str, Fields) -> Result<T, UnionError>,
) -> Result<T, D::Error> {
    let mut map = deserializer.deserialize_map(ObjectVisitor)?;
    let marked = |error: UnionError| D::Error::custom(format!("{MARK}{}{MARK}{}", error.path, error.message));
    let name = match map.remove("type") {
        Some(Value::String(name)) => name,
        Some(_) => return Err(marked(UnionError { path: "type".into(), message: "expected a string".into() })),
        None => return Err(D::Error::custom("missing field `type`")),
    };
    read(&name, Fields { types, map }).map_err(marked)
}

/// The path that a message carries, and the message without it. Of a field that is missing or comes twice, serde tells only
/// the name, in the message.
pub(super) fn split(message: &str) -> (String, String) {
    if let Some((path, rest)) = message.strip_prefix(MARK).and_then(|rest| rest.split_once(MARK)) {
        return (path.to_owned(), rest.to_owned());
    }
    let told = ["missing field `", "duplicate field `"].into_iter().find_map(|start| message.strip_prefix(start));
    let field = told.and_then(|rest| rest.split('`').next()).unwrap_or_default();
    (field.to_owned(), message.to_owned())
}

/// `inner` as seen from where `outer` leads.
pub(super) fn join(outer: &str, inner: &str) -> String {
    let (outer, inner) = (named(outer), named(inner));
    let separator = if outer.is_empty() || inner.is_empty() || inner.starts_with('[') { "" } else { "." };
    format!("{outer}{separator}{inner}")
}

/// serde_path_to_error says `.` for "here" and `?` for "somewhere inside".
fn named(path: &str) -> &str {
    match path {
        "." | "?" => "",
        path => path.strip_suffix(".?").unwrap_or(path),
    }
}

struct ObjectVisitor;

impl<'de> Visitor<'de> for ObjectVisitor {
    type Value = Map<String, Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with a `type`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Self::Value, A::Error> {
        let mut map = Map::new();
        while let Some((key, Plain(value))) = access.next_entry::<String, Plain>()? {
            if map.contains_key(&key) {
                return Err(A::Error::custom(format!("duplicate field `{key}`")));
            }
            map.insert(key, value);
        }
        Ok(map)
    }
}

/// Any JSON value, read as what it is. `Value` itself would read on inside a string if a client named a field as serde_json
/// names its own raw values, each time with a new allowance of depth.
struct Plain(Value);

impl<'de> Deserialize<'de> for Plain {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(PlainVisitor).map(Self)
    }
}

struct PlainVisitor;

impl<'de> Visitor<'de> for PlainVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(Plain(item)) = access.next_element()? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, access: A) -> Result<Value, A::Error> {
        ObjectVisitor.visit_map(access).map(Value::Object)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::extract::parse_json;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Play {
        #[expect(dead_code, reason = "read for its errors")]
        cards: Vec<u8>,
    }
    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Twice {
        #[expect(dead_code, reason = "read for its errors")]
        then: Vec<Step>,
    }
    #[derive(Debug)]
    enum Step {
        Play(#[expect(dead_code, reason = "read for its errors")] Play),
        Twice(#[expect(dead_code, reason = "read for its errors")] Twice),
    }
    impl<'de> Deserialize<'de> for Step {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            deserialize(deserializer, &["play", "twice"], |name, fields| match name {
                "play" => fields.read().map(Step::Play),
                "twice" => fields.read().map(Step::Twice),
                other => Err(fields.unknown_type(other)),
            })
        }
    }
    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Body {
        #[expect(dead_code, reason = "read for its errors")]
        expected_version: u64,
        #[expect(dead_code, reason = "read for its errors")]
        r#move: Step,
    }

    #[test]
    fn errors_name_the_whole_path() {
        let cases = [
            (r#"{"expected_version": 1, "move": {"type": "play", "cards": [5, "x"]}}"#, "move.cards[1]"),
            (r#"{"expected_version": 1, "move": {"type": "play", "cards": [5, 300]}}"#, "move.cards[1]"),
            (r#"{"expected_version": 1, "move": {"cards": 5, "type": "play"}}"#, "move.cards"),
            (r#"{"expected_version": 1, "move": {"type": "play", "cards": [], "extra": 1}}"#, "move.extra"),
            (r#"{"expected_version": 1, "move": {"type": "play"}}"#, "move.cards"),
            (r#"{"expected_version": 1, "move": {"type": "pray"}}"#, "move.type"),
            (r#"{"expected_version": 1, "move": {"type": 7}}"#, "move.type"),
            (r#"{"expected_version": 1, "move": {}}"#, "move.type"),
            (r#"{"expected_version": 1}"#, "move"),
            (r#"{"expected_version": 1, "expected_version": 1}"#, "expected_version"),
            (r#"{"expected_version": 1, "move": []}"#, "move"),
            (r#"{"expected_version": 1, "move": {"type": "play", "cards": [], "cards": []}}"#, "move.cards"),
            (r#"{"expected_version": "1", "move": {"type": "play", "cards": []}}"#, "expected_version"),
            (r#"{"expected_version": -1, "move": {"type": "play", "cards": []}}"#, "expected_version"),
            (r#"{"expected_version": 1, "mive": {"type": "play", "cards": []}}"#, "mive"),
            (
                r#"{"expected_version": 1, "move": {"type": "twice", "then": [{"type": "play", "cards": [true]}]}}"#,
                "move.then[0].cards[0]",
            ),
        ];
        for (text, path) in cases {
            let problem = parse_json::<Body>(text.as_bytes()).expect_err(text);
            assert_eq!(problem.path_told().unwrap_or_default(), path, "{text}");
        }
        for text in ["", "{", "[]", "null", "{\"expected_version\": 1", "\u{1}a\u{1}b"] {
            let problem = parse_json::<Body>(text.as_bytes()).expect_err(text);
            assert_eq!(problem.path_told(), None, "{text}");
        }
        let good = r#"{"expected_version": 1, "move": {"type": "twice", "then": [{"cards": [1], "type": "play"}]}}"#;
        assert!(parse_json::<Body>(good.as_bytes()).is_ok());
        assert!(parse_json::<Body>(format!("{good} x").as_bytes()).is_err(), "trailing garbage");
    }

    /// A text of `depth` levels, each of them a string inside the one before that serde_json's own raw values would go into.
    fn nested_raw_values(depth: u32) -> String {
        let quote = |level: u32| match level {
            0 => String::from("\""),
            level => format!("\\{}u0022", "u005c".repeat(level as usize - 1)),
        };
        let mut text = String::from(r#"{"expected_version":1,"move":{"type":"twice","then":[{"type":"play","cards":"#);
        for level in 0..depth {
            let quote = quote(level);
            text += &"[".repeat(if level == 0 { 100 } else { 126 });
            text += &format!("{{{quote}$serde_json::private::RawValue{quote}:{quote}");
        }
        text.push('1');
        (0..depth).rev().for_each(|level| text += &quote(level));
        text
    }

    #[test]
    fn no_text_is_read_inside_a_string() {
        for depth in [1, 10, 72] {
            assert!(parse_json::<Body>(nested_raw_values(depth).as_bytes()).is_err());
        }
        let raw = r#"{"expected_version":1,"move":{"type":"play","cards":{"$serde_json::private::RawValue":"[1]"}}}"#;
        let problem = parse_json::<Body>(raw.as_bytes()).expect_err("an object is no list");
        assert_eq!(problem.path_told(), Some("move.cards"));
    }
}
