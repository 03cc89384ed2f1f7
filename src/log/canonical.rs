//! Canonical JSON (RFC 8785), as far as the log needs it: ASCII strings, whole numbers from 0 below 2^53, booleans, null, lists, objects.
//!
//! A text is canonical in one way only, so that two programs that agree on the data agree on the bytes.

use serde::Serialize;

/// The deepest nesting that is read; lines of the log have 5.
const DEEPEST: usize = 16;
const LARGEST: u64 = (1 << 53) - 1;

/// The canonical text of a value that holds nothing but what the log has.
pub(super) fn text(value: &impl Serialize) -> Result<String, serde_json::Error> {
    let mut value = serde_json::to_value(value)?;
    value.sort_all_objects();
    serde_json::to_string(&value)
}

/// Whether a text is canonical JSON.
///
/// # Errors
/// What is wrong first, in words, and at which byte.
pub(super) fn check(text: &str) -> Result<(), String> {
    let mut reader = Reader { bytes: text.as_bytes(), place: 0 };
    let whole = match reader.value(0) {
        Ok(()) if reader.peek().is_some() => Err("something follows the value"),
        read => read,
    };
    whole.map_err(|what| format!("{what}, at byte {}", reader.place + 1))
}

struct Reader<'a> {
    bytes: &'a [u8],
    place: usize,
}

type Wrong = &'static str;

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.place).copied()
    }

    fn take(&mut self, byte: u8) -> bool {
        let there = self.peek() == Some(byte);
        self.place += usize::from(there);
        there
    }

    fn value(&mut self, depth: usize) -> Result<(), Wrong> {
        if depth > DEEPEST {
            return Err("this is nested too deeply");
        }
        match self.peek() {
            Some(b'{') => self.object(depth),
            Some(b'[') => self.list(depth),
            Some(b'"') => self.string().map(drop),
            Some(b'0'..=b'9') => self.number(),
            Some(b't') => self.word(b"true"),
            Some(b'f') => self.word(b"false"),
            Some(b'n') => self.word(b"null"),
            Some(b' ' | b'\t' | b'\r' | b'\n') => Err("canonical JSON has no space between its parts"),
            Some(_) => Err("no value of the log begins like this"),
            None => Err("the text ends too early"),
        }
    }

    fn word(&mut self, word: &[u8]) -> Result<(), Wrong> {
        if self.bytes.get(self.place..).is_some_and(|rest| rest.starts_with(word)) {
            self.place += word.len();
            Ok(())
        } else {
            Err("this is not true, false or null")
        }
    }

    fn number(&mut self) -> Result<(), Wrong> {
        let zero = self.peek() == Some(b'0');
        let (mut number, begin) = (0_u64, self.place);
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            number = number.saturating_mul(10).saturating_add(u64::from(digit - b'0'));
            self.place += 1;
        }
        if zero && self.place > begin + 1 {
            Err("a number does not begin with 0")
        } else if number > LARGEST {
            Err("this number is too large")
        } else if matches!(self.peek(), Some(b'.' | b'e' | b'E')) {
            Err("the log has whole numbers only")
        } else {
            Ok(())
        }
    }

    /// Its text between the quotation marks, as it is written.
    fn string(&mut self) -> Result<&'a [u8], Wrong> {
        self.place += 1;
        let begin = self.place;
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.place += 1;
                    return Ok(self.bytes.get(begin..self.place - 1).unwrap_or_default());
                }
                Some(b'\\') => {
                    self.place += 1;
                    // A secret is a text in a text; no other string of the log needs more than these.
                    if !matches!(self.peek(), Some(b'"' | b'\\')) {
                        return Err("this need not be escaped");
                    }
                    self.place += 1;
                }
                Some(b' '..=b'~') => self.place += 1,
                Some(_) => return Err("strings of the log are printable ASCII"),
                None => return Err("a string does not end"),
            }
        }
    }

    fn list(&mut self, depth: usize) -> Result<(), Wrong> {
        self.place += 1;
        if self.take(b']') {
            return Ok(());
        }
        loop {
            self.value(depth + 1)?;
            if self.take(b']') {
                return Ok(());
            }
            if !self.take(b',') {
                return Err("a list goes on with a comma or ends");
            }
        }
    }

    fn object(&mut self, depth: usize) -> Result<(), Wrong> {
        self.place += 1;
        if self.take(b'}') {
            return Ok(());
        }
        let mut before: Option<&[u8]> = None;
        loop {
            if self.peek() != Some(b'"') {
                return Err("a name stands in quotation marks");
            }
            let name = self.string()?;
            if before.is_some_and(|before| before >= name) {
                return Err("names are in order, and each stands once");
            }
            before = Some(name);
            if !self.take(b':') {
                return Err("a colon follows a name");
            }
            self.value(depth + 1)?;
            if self.take(b'}') {
                return Ok(());
            }
            if !self.take(b',') {
                return Err("an object goes on with a comma or ends");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_canonical() {
        let value = serde_json::json!({"b": [1, null, {"z": "a\"b\\c", "a": true}], "a": {}, "c": [], "n": 9_007_199_254_740_991_u64});
        let text = text(&value).expect("JSON");
        assert_eq!(text, r#"{"a":{},"b":[1,null,{"a":true,"z":"a\"b\\c"}],"c":[],"n":9007199254740991}"#);
        check(&text).expect("canonical");
    }

    #[test]
    fn what_is_said_in_another_way_is_not() {
        for wrong in [
            "",
            " 1",
            "1 ",
            "01",
            "-0",
            "-1",
            "1.0",
            "1e0",
            "9007199254740992",
            "99999999999999999999999999",
            "tru",
            "[1,]",
            "[,]",
            "[1",
            r#"{"a":1,"a":2}"#,
            r#"{"b":1,"a":2}"#,
            r#"{"a" :1}"#,
            r#"{"a":1,}"#,
            r#"{a:1}"#,
            r#""\u0041""#,
            r#""\/""#,
            r#""\n""#,
            "\"\u{e9}\"",
            "\"\n\"",
            "\"a",
            "\u{feff}1",
            "{}{}",
            "NaN",
        ] {
            assert!(check(wrong).is_err(), "{wrong:?}");
        }
        assert!(check(&"[".repeat(1_000_000)).is_err());
    }
}
