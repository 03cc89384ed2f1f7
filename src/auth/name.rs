//! What an account may be called, and when two names are the same name.
//!
//! A name that is accepted comes back byte for byte, so nothing is ever mended here: what is not in good form is
//! refused. Must never: look at the database, or let a name stand for an account (tokens and logs carry ids).
//! Not taken: an allow-list of scripts; players write their names in any of them.

use unicode_normalization::UnicodeNormalization;

/// The most code points that a name may have.
pub const MAX_CODE_POINTS: usize = 40;

/// An acceptable name: 1 to 40 code points, in NFC, without white space at its ends, without characters that cannot be
/// seen or that turn the text around.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name(String);

impl Name {
    /// Accepts `text` as it is.
    ///
    /// # Errors
    /// [`NameError`] says what is wrong with it.
    pub fn parse(text: &str) -> Result<Self, NameError> {
        let length = text.chars().count();
        if length == 0 {
            return Err(NameError::Empty);
        }
        if length > MAX_CODE_POINTS {
            return Err(NameError::TooLong { length });
        }
        if text.trim() != text {
            return Err(NameError::NotTrimmed);
        }
        if let Some(forbidden) = text.chars().find(|c| is_forbidden(*c)) {
            return Err(NameError::Forbidden { code_point: u32::from(forbidden) });
        }
        if !text.nfc().eq(text.chars()) {
            return Err(NameError::NotNfc);
        }
        let name = Self(text.to_owned());
        if name.key().is_empty() {
            return Err(NameError::Empty);
        }
        Ok(name)
    }

    /// The name as it was given.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What makes the name unique: two names with one key are one name.
    ///
    /// NFKC and full case folding (Unicode's compatibility caseless match, D146). Variation selectors, which change only
    /// how a character is drawn, do not count.
    pub fn key(&self) -> String {
        name_key(&self.0)
    }
}

/// The key of any text, also of one that would not be accepted as a name: for looking names up.
pub fn name_key(text: &str) -> String {
    let drawn: String = text.chars().filter(|c| !is_variation_selector(*c)).collect();
    let canonical: String = drawn.nfd().collect();
    let once: String = caseless::default_case_fold_str(&canonical).nfkd().collect();
    let key: String = caseless::default_case_fold_str(&once).nfkc().collect();
    key.trim().to_owned()
}

/// Why a name was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// It has no character that can be seen.
    #[error("a name has at least one character")]
    Empty,
    /// It has more than [`MAX_CODE_POINTS`].
    #[error("a name has at most {MAX_CODE_POINTS} code points, this one has {length}")]
    TooLong {
        /// Its length in code points.
        length: usize,
    },
    /// White space at one of its ends.
    #[error("a name neither begins nor ends with white space")]
    NotTrimmed,
    /// A control, bidi or zero-width character.
    #[error("a name has no control, bidi or zero-width characters: U+{code_point:04X}")]
    Forbidden {
        /// The first such character.
        code_point: u32,
    },
    /// Not in Unicode's normal form C.
    #[error("a name is in Unicode normalization form C (NFC)")]
    NotNfc,
}

/// Control characters, line and paragraph separators, marks that turn or isolate directions, and what has no width:
/// joiners, soft hyphen, byte order mark, fillers, tags, musical and annotation controls.
fn is_forbidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{00AD}' | '\u{034F}' | '\u{061C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}'
            | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF0}'..='\u{FFFB}'
            | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E00FF}'
            | '\u{E01F0}'..='\u{E0FFF}')
}

fn is_variation_selector(c: char) -> bool {
    matches!(c, '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_accepted_comes_back() {
        for text in ["花子", "Ω", "Zoë", "山田 太郎", "ﬁsh", "❤\u{FE0F}", "葛\u{E0100}", &"あ".repeat(40)]
        {
            assert_eq!(Name::parse(text).expect(text).as_str(), text);
        }
    }

    #[test]
    fn bad_form_is_refused_not_mended() {
        use NameError::{Empty, Forbidden, NotNfc, NotTrimmed, TooLong};
        let cases = [
            ("", Empty),
            ("\u{FE0F}", Empty),
            (" a", NotTrimmed),
            ("a\u{3000}", NotTrimmed),
            ("a\u{0000}b", Forbidden { code_point: 0 }),
            ("a\u{202E}b", Forbidden { code_point: 0x202E }),
            ("a\u{2067}b", Forbidden { code_point: 0x2067 }),
            ("a\u{200B}b", Forbidden { code_point: 0x200B }),
            ("a\u{200D}b", Forbidden { code_point: 0x200D }),
            ("\u{FEFF}a", Forbidden { code_point: 0xFEFF }),
            ("a\u{0085}b", Forbidden { code_point: 0x85 }),
            ("e\u{0301}", NotNfc),
            ("\u{212B}", NotNfc),
        ];
        for (text, error) in cases {
            assert_eq!(Name::parse(text), Err(error), "{text:?}");
        }
        assert_eq!(Name::parse(&"a".repeat(41)), Err(TooLong { length: 41 }));
    }

    #[test]
    fn one_name_in_many_dresses_is_one_name() {
        for (a, b) in [
            ("Straße", "STRASSE"),
            ("ｆｅｒｅｔａ", "FERETA"),
            ("ﾌｪﾚｰﾀ", "フェレータ"),
            ("Σίσυφος", "ΣΊΣΥΦΟΣ"),
            ("❤", "❤\u{FE0F}"),
            ("a\u{00A0}b", "a b"),
        ] {
            assert_eq!(Name::parse(a).expect(a).key(), Name::parse(b).expect(b).key(), "{a} {b}");
        }
        assert_ne!(name_key("かな"), name_key("カナ"));
        assert_eq!(name_key(&name_key("ﾌｪﾚｰﾀ ẞ")), name_key("ﾌｪﾚｰﾀ ẞ"));
    }
}
