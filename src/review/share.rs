//! Parts of one, as they are told: with three decimals, so that nobody reads more into a search than it found.

use borsh::{BorshDeserialize, BorshSerialize};
use serde::{Serialize, Serializer};
use utoipa::ToSchema;

/// A part of one, 0 to 1, in thousandths: a chance, or a share of the search.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, ToSchema, BorshSerialize, BorshDeserialize,
)]
#[schema(value_type = f64, minimum = 0, maximum = 1)]
pub struct Share(u16);

impl Share {
    /// The nearest one; a number below 0 counts as 0, one above 1 as 1.
    pub fn of(number: f32) -> Self {
        Self((number.clamp(0.0, 1.0) * 1_000.0 + 0.5) as u16)
    }

    /// In thousandths.
    pub const fn thousandths(self) -> u16 {
        self.0
    }

    /// In percent, without decimals.
    pub const fn percent(self) -> u8 {
        ((self.0 + 5) / 10) as u8
    }

    /// How far the other one is away.
    #[must_use]
    pub const fn distance(self, other: Self) -> Self {
        Self(self.0.abs_diff(other.0))
    }

    /// How much more it is than the other one; 0 if it is less.
    #[must_use]
    pub const fn above(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl Serialize for Share {
    /// As a number with at most three decimals.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(f64::from(self.0) / 1_000.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Share;

    #[test]
    fn a_share_is_the_nearest_thousandth() {
        let thousandths = |number| Share::of(number).thousandths();
        assert_eq!([0.0, 0.23449, 0.6, 1.0, 7.0, -1.0].map(thousandths), [0, 234, 600, 1_000, 1_000, 0]);
        assert_eq!([0.2349, 0.235, 0.994, 0.995].map(|number| Share::of(number).percent()), [24, 24, 99, 100]);
        let (few, many) = (Share::of(0.2), Share::of(0.7));
        assert_eq!(
            (few.distance(many), many.above(few), few.above(many)),
            (Share::of(0.5), Share::of(0.5), Share::of(0.0))
        );
    }
}
