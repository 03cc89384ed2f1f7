//! Bodies say one thing in one way: an object is an object, a word is a string.
//!
//! What serde derives is more lenient: a struct is also taken from a list of its fields in order, and a word of an enum also
//! from an object (`{"public": null}`). No document says so, and the order of fields would become a promise. Here that is
//! refused for every type at once, however deep, by a deserializer around the one that reads. Must never: know a type.

use std::fmt;

use serde::Deserializer;
use serde::de::value::StrDeserializer;
use serde::de::{DeserializeSeed, Error, MapAccess, SeqAccess, Unexpected, Visitor};

/// Reads as what is in it does, but structs from objects only, and enums from strings only: a variant with fields is a union
/// (`union`).
pub(super) struct Closed<T>(pub(super) T);

/// Hands on what was found, if it is of a kind that is taken.
struct Watch<V> {
    visitor: V,
    takes: Takes,
}

enum Takes {
    /// Whatever the visitor takes.
    Anything,
    Object,
    Word,
    /// A whole number in that range.
    Integer(&'static str),
}

macro_rules! as_it_is {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
            self.0.$method(Watch { visitor, takes: Takes::Anything })
        }
    )*};
}

macro_rules! integers {
    ($($method:ident $range:literal)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
            self.0.$method(Watch { visitor, takes: Takes::Integer($range) })
        }
    )*};
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Closed<D> {
    type Error = D::Error;

    as_it_is! {
        deserialize_any deserialize_bool deserialize_i128 deserialize_u128 deserialize_f32 deserialize_f64 deserialize_char
        deserialize_str deserialize_string deserialize_bytes deserialize_byte_buf deserialize_option deserialize_unit
        deserialize_seq deserialize_map deserialize_identifier deserialize_ignored_any
    }

    integers! {
        deserialize_u8 "0 to 255"
        deserialize_u16 "0 to 65535"
        deserialize_u32 "0 to 4294967295"
        deserialize_u64 "0 to 18446744073709551615"
        deserialize_i8 "-128 to 127"
        deserialize_i16 "-32768 to 32767"
        deserialize_i32 "-2147483648 to 2147483647"
        deserialize_i64 "-9223372036854775808 to 9223372036854775807"
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0.deserialize_struct(name, fields, Watch { visitor, takes: Takes::Object })
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0.deserialize_str(Watch { visitor, takes: Takes::Word })
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_unit_struct(name, Watch { visitor, takes: Takes::Anything })
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_newtype_struct(name, Watch { visitor, takes: Takes::Anything })
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_tuple(length, Watch { visitor, takes: Takes::Anything })
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0.deserialize_tuple_struct(name, length, Watch { visitor, takes: Takes::Anything })
    }

    fn is_human_readable(&self) -> bool {
        self.0.is_human_readable()
    }
}

macro_rules! handed_on {
    ($($method:ident $type:ty)*) => {$(
        fn $method<E: Error>(self, value: $type) -> Result<V::Value, E> {
            self.visitor.$method(value)
        }
    )*};
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Watch<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.takes {
            Takes::Anything => self.visitor.expecting(f),
            Takes::Object => f.write_str("an object"),
            Takes::Word => f.write_str("a string"),
            Takes::Integer(range) => write!(f, "an integer from {range}"),
        }
    }

    handed_on! {
        visit_bool bool
        visit_i8 i8 visit_i16 i16 visit_i32 i32 visit_i64 i64 visit_i128 i128
        visit_u8 u8 visit_u16 u16 visit_u32 u32 visit_u64 u64 visit_u128 u128
        visit_char char visit_bytes &[u8] visit_borrowed_bytes &'de [u8] visit_byte_buf Vec<u8>
    }

    fn visit_f32<E: Error>(self, value: f32) -> Result<V::Value, E> {
        self.visit_f64(value.into())
    }

    /// Also what has too many digits for an integer comes as one of these.
    fn visit_f64<E: Error>(self, value: f64) -> Result<V::Value, E> {
        match self.takes {
            Takes::Integer(range) => Err(E::custom(format!("expected an integer from {range}"))),
            Takes::Anything | Takes::Object | Takes::Word => self.visitor.visit_f64(value),
        }
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<V::Value, E> {
        match self.takes {
            Takes::Word => self.visitor.visit_enum(StrDeserializer::new(text)),
            Takes::Anything | Takes::Object | Takes::Integer(_) => self.visitor.visit_str(text),
        }
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<V::Value, E> {
        match self.takes {
            Takes::Word => self.visit_str(text),
            Takes::Anything | Takes::Object | Takes::Integer(_) => self.visitor.visit_borrowed_str(text),
        }
    }

    fn visit_string<E: Error>(self, text: String) -> Result<V::Value, E> {
        match self.takes {
            Takes::Word => self.visit_str(&text),
            Takes::Anything | Takes::Object | Takes::Integer(_) => self.visitor.visit_string(text),
        }
    }

    fn visit_none<E: Error>(self) -> Result<V::Value, E> {
        self.visitor.visit_none()
    }

    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.visitor.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        self.visitor.visit_some(Closed(deserializer))
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        self.visitor.visit_newtype_struct(Closed(deserializer))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, access: A) -> Result<V::Value, A::Error> {
        match self.takes {
            Takes::Object => Err(A::Error::invalid_type(Unexpected::Seq, &self)),
            Takes::Anything | Takes::Word | Takes::Integer(_) => self.visitor.visit_seq(Closed(access)),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, access: A) -> Result<V::Value, A::Error> {
        self.visitor.visit_map(Closed(access))
    }
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Closed<A> {
    type Error = A::Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        self.0.next_element_seed(Closed(seed))
    }

    fn size_hint(&self) -> Option<usize> {
        self.0.size_hint()
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Closed<A> {
    type Error = A::Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        self.0.next_key_seed(seed)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        self.0.next_value_seed(Closed(seed))
    }

    fn size_hint(&self) -> Option<usize> {
        self.0.size_hint()
    }
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Closed<S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<S::Value, D::Error> {
        self.0.deserialize(Closed(deserializer))
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use crate::api::extract::parse_json;

    #[derive(Debug, PartialEq, Eq, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Word {
        Open,
    }
    #[derive(Debug, PartialEq, Eq, Deserialize)]
    struct Wrapped(Inner);
    #[derive(Debug, PartialEq, Eq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Inner {
        word: Option<Word>,
        pair: [u8; 2],
    }
    #[derive(Debug, PartialEq, Eq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Body {
        inner: Inner,
        #[serde(default)]
        more: Vec<Wrapped>,
        version: u64,
    }

    #[test]
    fn what_the_document_says_is_read() {
        let text = br#"{"inner": {"word": "o\u0070en", "pair": [1, 2]}, "version": 18446744073709551615}"#;
        let inner = Inner { word: Some(Word::Open), pair: [1, 2] };
        assert_eq!(parse_json::<Body>(text).ok(), Some(Body { inner, more: vec![], version: u64::MAX }));
        let text = br#"{"inner": {"word": null, "pair": [1, 2]}, "more": [{"pair": [3, 4]}], "version": 0}"#;
        let (inner, more) = (Inner { word: None, pair: [1, 2] }, Inner { word: None, pair: [3, 4] });
        assert_eq!(parse_json::<Body>(text).ok(), Some(Body { inner, more: vec![Wrapped(more)], version: 0 }));
    }

    #[test]
    fn another_way_to_say_it_is_refused_by_its_path() {
        let inner = r#""version": 1, "inner": {"pair": [1, 2]}"#;
        for (text, path) in [
            (r#"[{"pair": [1, 2]}, [], 1]"#.to_owned(), None),
            (r#"{"version": 1, "inner": [null, [1, 2]]}"#.to_owned(), Some("inner")),
            (r#"{"version": 1, "inner": {"word": {"open": null}, "pair": [1, 2]}}"#.to_owned(), Some("inner.word")),
            (r#"{"version": 1, "inner": {"word": ["open"], "pair": [1, 2]}}"#.to_owned(), Some("inner.word")),
            (r#"{"version": 1, "inner": {"word": 0, "pair": [1, 2]}}"#.to_owned(), Some("inner.word")),
            (r#"{"version": 1, "inner": {"word": "shut", "pair": [1, 2]}}"#.to_owned(), Some("inner.word")),
            (r#"{"version": 1, "inner": {"pair": {"0": 1}}}"#.to_owned(), Some("inner.pair")),
            (format!("{{{inner}, \"more\": [[null, [1, 2]]]}}"), Some("more[0]")),
            (format!("{{{inner}, \"more\": [[{{\"pair\": [1, 2]}}]]}}"), Some("more[0]")),
        ] {
            let problem = parse_json::<Body>(text.as_bytes()).expect_err(&text);
            assert_eq!(problem.path_told(), path, "{text}");
        }
    }

    #[test]
    fn a_number_out_of_range_is_told_the_range() {
        for number in ["18446744073709551616", "-1e300", "1.5"] {
            let text = format!(r#"{{"inner": {{"pair": [1, 2]}}, "version": {number}}}"#);
            let problem = parse_json::<Body>(text.as_bytes()).expect_err(number);
            assert_eq!(problem.path_told(), Some("version"));
            let said = problem.detail_told().unwrap_or_default();
            assert!(said.starts_with("expected an integer from 0 to 18446744073709551615"), "{said}");
        }
    }
}
