//! Action cards and supply cards.

use std::fmt;

use arrayvec::ArrayVec;
use borsh::{BorshDeserialize, BorshSerialize};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::ToSchema;

/// The action cards (行動カード), in the order of R1.4.
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
#[serde(rename_all = "snake_case")]
pub enum ActionCard {
    /// 反逆者: its holder changes allegiance (R3.4) and gets 1 VP (R3.6).
    Traitor,
    /// 戦略家: 2 VP (R3.6) and the strategy card (R3.8).
    Strategist,
    /// 外交家5: 5 strength (R3.5); stands in when all are of one house (R3.4).
    #[serde(rename = "diplomat_5")]
    Diplomat5,
    /// 外交家2: 2 strength (R3.5) and one supply card (R3.9.2).
    #[serde(rename = "diplomat_2")]
    Diplomat2,
    /// 建築家: builds (R3.7).
    Builder,
    /// 農業家: three supply cards (R3.9.2).
    Farmer,
    /// 傭兵: 3 strength and 1 VP for a victory (R9).
    Mercenary,
}

impl ActionCard {
    /// All action cards, the mercenary last (R1.4).
    pub const ALL: [Self; 7] = [
        Self::Traitor,
        Self::Strategist,
        Self::Diplomat5,
        Self::Diplomat2,
        Self::Builder,
        Self::Farmer,
        Self::Mercenary,
    ];

    /// What the card adds to the strength of its holder's house (R3.5, R9).
    pub const fn strength(self) -> u16 {
        match self {
            Self::Diplomat5 => 5,
            Self::Diplomat2 => 2,
            Self::Mercenary => 3,
            Self::Traitor | Self::Strategist | Self::Builder | Self::Farmer => 0,
        }
    }
}

/// A set of action cards; each exists once (R1.4), so a set says all but an order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, BorshSerialize, BorshDeserialize, ToSchema)]
#[schema(value_type = Vec<ActionCard>, max_items = 7)]
pub struct ActionCards(u8);

impl ActionCards {
    /// The action cards of a game (R1.4, R9).
    pub const fn of_game(mercenary: bool) -> Self {
        Self(if mercenary { 0b111_1111 } else { 0b011_1111 })
    }

    /// Whether `card` is among them.
    pub const fn contains(self, card: ActionCard) -> bool {
        self.0 & Self::bit(card) != 0
    }

    /// These cards and `card`.
    #[must_use]
    pub const fn with(self, card: ActionCard) -> Self {
        Self(self.0 | Self::bit(card))
    }

    /// These cards but `card`.
    #[must_use]
    pub const fn without(self, card: ActionCard) -> Self {
        Self(self.0 & !Self::bit(card))
    }

    /// These cards but all of `others`.
    #[must_use]
    pub const fn except(self, others: Self) -> Self {
        Self(self.0 & !others.0)
    }

    /// How many there are.
    pub const fn len(self) -> u8 {
        self.0.count_ones() as u8
    }

    /// Whether there is none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The cards in the order of R1.4.
    pub fn iter(self) -> impl Iterator<Item = ActionCard> {
        ActionCard::ALL.into_iter().filter(move |card| self.contains(*card))
    }

    const fn bit(card: ActionCard) -> u8 {
        1 << card as u8
    }
}

impl FromIterator<ActionCard> for ActionCards {
    fn from_iter<I: IntoIterator<Item = ActionCard>>(cards: I) -> Self {
        cards.into_iter().fold(Self::default(), Self::with)
    }
}

impl fmt::Debug for ActionCards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl Serialize for ActionCards {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for ActionCards {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let cards = <ArrayVec<ActionCard, 7> as Deserialize>::deserialize(deserializer)?;
        let set: Self = cards.iter().copied().collect();
        if set.iter().eq(cards) {
            Ok(set)
        } else {
            Err(serde::de::Error::custom("action cards stand in the order of R1.4, each once"))
        }
    }
}

/// The value of a supply card, 1 to 99 (R1.3, R1.6).
pub type SupplyValue = u8;

/// Supply cards (兵站カード) in a hand or a play: a multiset, always by rising value (R1.7).
///
/// A hand never holds more than 8: it is cut to 5 at the end of a round, and nobody draws more than 3 in one (R3.9).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, BorshSerialize, BorshDeserialize, ToSchema)]
#[schema(value_type = Vec<super::numbers::CardValue>, max_items = 8)]
pub struct Supplies(Row);

/// Some cards in a row, without an address elsewhere: hands are copied as often as anything.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, BorshSerialize, BorshDeserialize)]
struct Row {
    /// The values, rising, and 0 behind them, so that equal cards are equal bytes.
    values: [SupplyValue; Supplies::MAX_HAND + 1],
    count: u8,
}

impl Supplies {
    /// The most cards a hand can hold.
    pub const MAX_HAND: usize = 8;

    /// The cards that a player names in a request, in any order.
    ///
    /// Of a list longer than any hand just enough is kept to be longer than any hand: the rules refuse it with the same
    /// words, however long it is.
    pub fn asked(values: impl IntoIterator<Item = SupplyValue>) -> Self {
        values.into_iter().take(Self::MAX_HAND + 1).collect()
    }

    /// How many cards there are.
    pub const fn len(&self) -> usize {
        self.0.count as usize
    }

    /// Whether there is none.
    pub const fn is_empty(&self) -> bool {
        self.0.count == 0
    }

    /// The values, rising.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = SupplyValue> + ExactSizeIterator {
        self.as_slice().iter().copied()
    }

    /// The values, rising.
    pub fn as_slice(&self) -> &[SupplyValue] {
        self.0.values.get(..self.len()).unwrap_or_default()
    }

    /// The sum of the values.
    pub fn sum(&self) -> u16 {
        self.iter().map(u16::from).sum()
    }

    /// Adds a card; one more than any hand can hold is not taken.
    pub fn add(&mut self, value: SupplyValue) {
        if self.len() > Self::MAX_HAND {
            return;
        }
        // The card takes the place of the first that is greater, and that one of the next.
        let (count, mut stepping) = (self.len(), value);
        for place in self.0.values.iter_mut().take(count) {
            if *place > stepping {
                std::mem::swap(place, &mut stepping);
            }
        }
        self.put_last(stepping);
    }

    /// Adds a card that is not less than any other.
    fn put_last(&mut self, value: SupplyValue) {
        let count = self.len();
        if let Some(place) = self.0.values.get_mut(count) {
            *place = value;
            self.0.count += 1;
        }
    }

    /// Whether all of `others` are among them, copies counted.
    pub fn contains(&self, others: &Self) -> bool {
        let mut held = self.iter();
        others.iter().all(|wanted| held.any(|value| value == wanted))
    }

    /// Takes `others` away; what is not there is passed over.
    pub fn remove(&mut self, others: &Self) {
        let mut gone = others.iter().peekable();
        let mut kept = Self::default();
        for value in self.iter() {
            while gone.next_if(|wanted| *wanted < value).is_some() {}
            if gone.next_if_eq(&value).is_none() {
                kept.put_last(value);
            }
        }
        *self = kept;
    }

    /// Every different choice of `least` to `most` of the cards, once.
    pub(super) fn choices(self, least: usize, most: usize) -> impl Iterator<Item = Self> {
        // A choice is a number with a bit for each card. Of equal cards the first ones are taken: a bit may be set only
        // together with that of its equal to the left.
        let equal_to_left: u32 = self
            .as_slice()
            .windows(2)
            .zip(1..)
            .filter(|(pair, _)| matches!(pair, [a, b] if a == b))
            .map(|(_, card)| 1 << card)
            .sum();
        (0..1_u32 << self.len())
            .filter(move |choice| choice & equal_to_left & !(choice << 1) == 0)
            .filter(move |choice| (least..=most).contains(&(choice.count_ones() as usize)))
            .map(move |choice| {
                let mut chosen = Self::default();
                let cards = self.iter().zip(0..).filter(|(_, card)| choice >> card & 1 == 1);
                cards.for_each(|(value, _)| chosen.put_last(value));
                chosen
            })
    }
}

impl fmt::Debug for Supplies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl Serialize for Supplies {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl FromIterator<SupplyValue> for Supplies {
    fn from_iter<I: IntoIterator<Item = SupplyValue>>(values: I) -> Self {
        let mut supplies = Self::default();
        values.into_iter().for_each(|value| supplies.add(value));
        supplies
    }
}

impl<'de> Deserialize<'de> for Supplies {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let values = <ArrayVec<SupplyValue, 9> as Deserialize>::deserialize(deserializer)?;
        if values.len() <= Self::MAX_HAND && values.is_sorted() {
            Ok(values.into_iter().collect())
        } else {
            Err(serde::de::Error::custom("supply cards stand by rising value, at most 8"))
        }
    }
}
