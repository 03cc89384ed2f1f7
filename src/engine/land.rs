//! Houses, lands in their circle, and the bases on them.

use borsh::{BorshDeserialize, BorshSerialize};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::seat::Seat;

/// The most lands a circle can have: 8 lines, one land of each per house (R1.6).
pub(super) const MAX_LANDS: usize = 16;

/// A house (陣営): the side a player or a land is on.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize, ToSchema, BorshSerialize, BorshDeserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum House {
    /// 鷹の家
    #[default]
    Eagle,
    /// 薔薇の家
    Rose,
}

impl House {
    /// Both houses, Eagle first.
    pub const BOTH: [Self; 2] = [Self::Eagle, Self::Rose];

    /// The other house.
    pub const fn other(self) -> Self {
        match self {
            Self::Eagle => Self::Rose,
            Self::Rose => Self::Eagle,
        }
    }
}

/// The kinds of land (R1.2).
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema, BorshSerialize, BorshDeserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum LandKind {
    /// 荒地, Ödnis
    Wilderness,
    /// 牧草地, Weide
    Meadow,
    /// 川, Fluss
    River,
    /// 森, Wald
    Forest,
    /// 村, Dorf
    Village,
    /// 都市, Stadt
    City,
}

/// A place in the circle of lands: place i+1 lies to the left of place i, and the last neighbours place 0 (R1.2).
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    ToSchema,
    BorshSerialize,
    BorshDeserialize,
)]
#[serde(try_from = "u8", into = "u8")]
#[schema(value_type = u8, minimum = 0, maximum = 15)]
pub struct Place(u8);

impl Place {
    /// The place with this number, 0 to 15.
    pub const fn new(number: u8) -> Option<Self> {
        if (number as usize) < MAX_LANDS { Some(Self(number)) } else { None }
    }

    /// The place's number, 0 to 15.
    pub const fn number(self) -> u8 {
        self.0
    }
}

impl TryFrom<u8> for Place {
    type Error = &'static str;

    fn try_from(number: u8) -> Result<Self, Self::Error> {
        Self::new(number).ok_or("a land is a number from 0 to 15")
    }
}

impl From<Place> for u8 {
    fn from(place: Place) -> Self {
        place.0
    }
}

/// The face of a base that is up (R1.5).
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema, BorshSerialize, BorshDeserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Face {
    /// 屋敷: draws supply cards (R3.9.2).
    Estate,
    /// 商館: scores at the end (R4.2).
    TradingPost,
}

impl Face {
    /// Both faces, the estate first.
    pub const BOTH: [Self; 2] = [Self::Estate, Self::TradingPost];

    /// The face underneath.
    pub const fn other(self) -> Self {
        match self {
            Self::Estate => Self::TradingPost,
            Self::TradingPost => Self::Estate,
        }
    }

    /// How many bases of one player may show this face (R1.5).
    pub const fn limit(self) -> u8 {
        match self {
            Self::Estate => 3,
            Self::TradingPost => 2,
        }
    }
}

/// A base (拠点) on the table.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema, BorshSerialize, BorshDeserialize,
)]
pub struct Base {
    /// Whose it is.
    pub seat: Seat,
    /// The face that is up.
    pub face: Face,
}

/// A land as it was laid: a line of the card set (R1.2), and the house it shows.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema, BorshSerialize, BorshDeserialize,
)]
#[serde(deny_unknown_fields)]
pub struct LaidLand {
    /// The house it shows.
    pub house: House,
    /// Which of the card set's lands it is, counted from 0.
    #[schema(minimum = 0, maximum = 7)]
    pub line: u8,
}

/// A land in the circle, with what lies at it now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, BorshSerialize, BorshDeserialize)]
pub(super) struct Land {
    pub(super) line: u8,
    pub(super) house: House,
    pub(super) base: Option<Base>,
}
