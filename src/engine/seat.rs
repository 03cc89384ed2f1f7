//! Seats at the table and tables with one entry per seat.

use std::ops::{Index, IndexMut};

use arrayvec::ArrayVec;
use borsh::{BorshDeserialize, BorshSerialize};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The most players a table can have (R1.1).
pub(super) const MAX_PLAYERS: usize = 5;

/// A place at the table: 0 to n-1 for n players.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Default,
    Serialize,
    Deserialize,
    ToSchema,
    BorshSerialize,
    BorshDeserialize,
)]
#[serde(try_from = "u8", into = "u8")]
#[schema(value_type = u8, minimum = 0, maximum = 4)]
pub struct Seat(u8);

impl Seat {
    /// The seat with this number, 0 to 4.
    pub const fn new(number: u8) -> Option<Self> {
        if (number as usize) < MAX_PLAYERS { Some(Self(number)) } else { None }
    }

    /// The seat's number, 0 to 4.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The next seat to the left at a table of `players`.
    pub const fn left(self, players: u8) -> Self {
        let next = self.0 + 1;
        Self(if next >= players { 0 } else { next })
    }
}

impl TryFrom<u8> for Seat {
    type Error = &'static str;

    fn try_from(number: u8) -> Result<Self, Self::Error> {
        Self::new(number).ok_or("a seat is a number from 0 to 4")
    }
}

impl std::str::FromStr for Seat {
    type Err = &'static str;

    /// Plain digits only: a seat has one name.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number = match text.as_bytes() {
            [digit @ b'0'..=b'9'] => digit - b'0',
            _ => u8::MAX,
        };
        Self::try_from(number)
    }
}

impl From<Seat> for u8 {
    fn from(seat: Seat) -> Self {
        seat.0
    }
}

/// One value for each seat of a table.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize, BorshSerialize, BorshDeserialize)]
#[serde(transparent)]
pub struct BySeat<T>(ArrayVec<T, MAX_PLAYERS>);

impl<T> BySeat<T> {
    /// A table of `players` seats, filled by `value`; at most 5 are made.
    pub fn new(players: u8, value: impl FnMut(Seat) -> T) -> Self {
        Self((0..players).filter_map(Seat::new).map(value).collect())
    }

    /// The number of seats.
    pub fn players(&self) -> u8 {
        self.0.len() as u8
    }

    /// The value of `seat`, if the table has that seat.
    pub fn at(&self, seat: Seat) -> Option<&T> {
        self.0.get(usize::from(seat.0))
    }

    /// The value of `seat` to be changed, if the table has that seat.
    pub fn at_mut(&mut self, seat: Seat) -> Option<&mut T> {
        self.0.get_mut(usize::from(seat.0))
    }

    /// All seats with their values, by number.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (Seat, &T)> {
        self.0.iter().enumerate().map(|(number, value)| (Seat(number as u8), value))
    }

    /// The values alone, by seat.
    pub fn values(&self) -> std::slice::Iter<'_, T> {
        self.0.iter()
    }

    /// The values alone, by seat, to be changed.
    pub fn values_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.0.iter_mut()
    }
}

impl<T> Index<Seat> for BySeat<T> {
    type Output = T;

    #[expect(clippy::indexing_slicing, reason = "a game's seats are checked against its table where they enter")]
    fn index(&self, seat: Seat) -> &T {
        &self.0[usize::from(seat.0)]
    }
}

impl<T> IndexMut<Seat> for BySeat<T> {
    #[expect(clippy::indexing_slicing, reason = "a game's seats are checked against its table where they enter")]
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        &mut self.0[usize::from(seat.0)]
    }
}

/// The seats of a table of `players` in turn order, from `first` to the left.
pub(super) fn turn_order(first: Seat, players: u8) -> impl Iterator<Item = Seat> {
    (0..players).map(move |step| {
        let number = first.0 + step;
        Seat(if number >= players { number - players } else { number })
    })
}
