//! What an account may be called, and when two names are the same name.
//!
//! A name that is accepted comes back byte for byte, so nothing is ever mended here: what is not in good form is
//! refused. Must never: look at the database, or let a name stand for an account (tokens and logs carry ids).
//! Not taken: an allow-list of scripts; players write their names in any of them.

use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

/// The most code points that a name may have.
pub const MAX_CODE_POINTS: usize = 40;

/// An acceptable name: 1 to 40 code points, in NFC, without white space at its ends, without characters that cannot be
/// seen, that turn the text around, that mean nothing (yet), or that combine with no character.
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
        if combines_with_nothing(text) {
            return Err(NameError::Combining);
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
    /// how a character is drawn, do not count, and of white space neither the kind nor the amount.
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
    key.split_whitespace().collect::<Vec<_>>().join(" ")
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
    /// A character that cannot be seen, turns the text around, or has no meaning.
    #[error("a name has no control, bidi, invisible, private or unassigned characters: U+{code_point:04X}")]
    Forbidden {
        /// The first such character.
        code_point: u32,
    },
    /// A combining mark at the beginning or after white space.
    #[error("a name has no combining mark without a character before it")]
    Combining,
    /// Not in Unicode's normal form C.
    #[error("a name is in Unicode normalization form C (NFC)")]
    NotNfc,
}

/// What Unicode says is a control, a format (joiners, marks that turn or isolate directions, soft hyphen, byte order mark,
/// tags, controls of music, shorthand and hieroglyphs), a separator of lines, for private use, or not assigned (with that the
/// noncharacters); and what looks like nothing although it says otherwise.
fn is_forbidden(c: char) -> bool {
    use GeneralCategory::{Control, Format, LineSeparator, ParagraphSeparator, PrivateUse, Surrogate, Unassigned};
    let category = c.general_category();
    matches!(category, Control | Format | LineSeparator | ParagraphSeparator | PrivateUse | Surrogate | Unassigned)
        || looks_like_nothing(c)
}

/// Ignorable marks and letters (of the ignorable, variation selectors alone may stay), fillers and blanks.
fn looks_like_nothing(c: char) -> bool {
    matches!(c,
        '\u{034F}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{180B}'..='\u{180F}' | '\u{2800}'
        | '\u{3164}' | '\u{FFA0}' | '\u{FFFC}' | '\u{13430}'..='\u{1345F}' | '\u{16FE4}' | '\u{1D159}')
}

/// A mark that stands first, or after white space, is drawn upon nothing, or upon what is before the name.
fn combines_with_nothing(text: &str) -> bool {
    let mut after_nothing = true;
    text.chars().any(|c| {
        let alone = after_nothing && c.general_category_group() == GeneralCategoryGroup::Mark;
        after_nothing = c.is_whitespace();
        alone
    })
}

fn is_variation_selector(c: char) -> bool {
    matches!(c, '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_accepted_comes_back() {
        for text in [
            "花子",
            "Ω",
            "Zoë",
            "山田 太郎",
            "ﬁsh",
            "❤\u{FE0F}",
            "葛\u{E0100}",
            "हिन्दी",
            "نام",
            "a  b",
            &"あ".repeat(40),
        ] {
            assert_eq!(Name::parse(text).expect(text).as_str(), text);
        }
    }

    #[test]
    fn bad_form_is_refused_not_mended() {
        use NameError::{Combining, Empty, Forbidden, NotNfc, NotTrimmed, TooLong};
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
            ("\u{0301}", Combining),
            ("\u{0301}a", Combining),
            ("a \u{0301}", Combining),
            ("\u{FE0F}a", Combining),
            ("\u{093E}", Combining),
            ("e\u{0301}", NotNfc),
            ("\u{212B}", NotNfc),
        ];
        for (text, error) in cases {
            assert_eq!(Name::parse(text), Err(error), "{text:?}");
        }
        assert_eq!(Name::parse(&"a".repeat(41)), Err(TooLong { length: 41 }));
    }

    #[test]
    fn what_cannot_be_seen_or_means_nothing_is_refused() {
        let ranges = [0x2800..=0x2800, 0x13430..=0x1345F, 0x1D159..=0x1D159, 0x1D173..=0x1D17A, 0xE0000..=0xE00FF];
        let more = [0xFFFC..=0xFFFF, 0x1FFFE..=0x1FFFF, 0x10FFFE..=0x10FFFF, 0xFDD0..=0xFDEF, 0xE000..=0xE001];
        let single = [0xAD, 0x34F, 0x378, 0x61C, 0x115F, 0x1160, 0x17B4, 0x180B, 0x180E, 0x180F, 0x200D, 0x2065];
        let other = [0x3164, 0xFEFF, 0xFFA0, 0xFFF0, 0xFFF9, 0x1BCA0, 0xE01F0, 0xF0000];
        let points = ranges.into_iter().chain(more).flatten().chain(single).chain(other).filter(|c| *c != 0xFFFD);
        for code_point in points {
            let c = char::from_u32(code_point).expect("a character");
            for text in [c.to_string(), format!("x{c}"), format!("x{c}y")] {
                assert_eq!(Name::parse(&text), Err(NameError::Forbidden { code_point }), "{text:?}");
            }
        }
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
            ("a  b", "a b"),
            ("a\u{3000} \u{2003}b", "a b"),
            ("a\u{1680}b", "a b"),
        ] {
            assert_eq!(Name::parse(a).expect(a).key(), Name::parse(b).expect(b).key(), "{a} {b}");
        }
        assert_ne!(name_key("かな"), name_key("カナ"));
        assert_eq!(name_key(&name_key("ﾌｪﾚｰﾀ ẞ")), name_key("ﾌｪﾚｰﾀ ẞ"));
    }
}
