//! Moves, as they are written on the wire (R7): the same on the way in and on the way out.

pub mod list;
pub mod submit;

use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

use super::one_of::one_of;
use super::union;
use crate::engine::{self, ActionCard, Face, Place, Supplies};

one_of! {
    /// A move (R7). `type` says which; the other fields are those of its schema.
    pub enum Move {
        /// Place the first base, estate up (R2.3).
        "place_estate" PlaceEstate {
            /// The land.
            land: Place,
        }
        /// Choose the battlefield (R3.1): two neighbouring lands that show different houses, in either order.
        "choose_battlefield" ChooseBattlefield {
            /// The two lands.
            #[schema(min_items = 2, max_items = 2)]
            lands: [Place; 2],
        }
        /// Keep one of the action cards that were passed on (R3.2).
        "take_action_card" TakeActionCard {
            /// The card.
            card: ActionCard,
        }
        /// Play supply cards, or none (R3.3).
        "play_supplies" PlaySupplies {
            /// The values, in any order.
            cards: Cards,
        }
        /// Place a base with the Builder (R3.7).
        "build" Build {
            /// The land.
            land: Place,
            /// The face that is up.
            face: Face,
        }
        /// Turn over an own base with the Builder (R3.7).
        "flip_base" FlipBase {
            /// The land.
            land: Place,
        }
        /// Build nothing (R3.7).
        "pass_build" PassBuild {}
        /// Discard down to five cards (R3.9.4).
        "discard_supplies" DiscardSupplies {
            /// The values, in any order.
            cards: Cards,
        }
    }
}

/// Supply cards by their values, in any order.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "Vec<CardValue>")]
#[schema(value_type = Vec<engine::CardValue>, max_items = 200)]
pub struct Cards(Vec<CardValue>);

/// The value of a supply card.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(try_from = "u8")]
pub struct CardValue(u8);

impl TryFrom<u8> for CardValue {
    type Error = &'static str;

    fn try_from(value: u8) -> Result<Self, Self::Error> {
        if (1..=99).contains(&value) { Ok(Self(value)) } else { Err("a supply card's value is 1 to 99") }
    }
}

impl TryFrom<Vec<CardValue>> for Cards {
    type Error = &'static str;

    fn try_from(values: Vec<CardValue>) -> Result<Self, Self::Error> {
        if values.len() <= 200 { Ok(Self(values)) } else { Err("at most 200 supply cards can be named") }
    }
}

impl From<Cards> for Supplies {
    fn from(cards: Cards) -> Self {
        Self::asked(cards.0.into_iter().map(|value| value.0))
    }
}

impl From<Supplies> for Cards {
    fn from(cards: Supplies) -> Self {
        Self(cards.iter().map(CardValue).collect())
    }
}

impl From<Move> for engine::Move {
    fn from(action: Move) -> Self {
        match action {
            Move::PlaceEstate(PlaceEstate { land }) => Self::PlaceEstate { land },
            Move::ChooseBattlefield(ChooseBattlefield { lands }) => Self::ChooseBattlefield { lands },
            Move::TakeActionCard(TakeActionCard { card }) => Self::TakeActionCard { card },
            Move::PlaySupplies(PlaySupplies { cards }) => Self::PlaySupplies { cards: cards.into() },
            Move::Build(Build { land, face }) => Self::Build { land, face },
            Move::FlipBase(FlipBase { land }) => Self::FlipBase { land },
            Move::PassBuild(PassBuild {}) => Self::PassBuild,
            Move::DiscardSupplies(DiscardSupplies { cards }) => Self::DiscardSupplies { cards: cards.into() },
        }
    }
}

impl From<engine::Move> for Move {
    fn from(action: engine::Move) -> Self {
        match action {
            engine::Move::PlaceEstate { land } => Self::PlaceEstate(PlaceEstate { land }),
            engine::Move::ChooseBattlefield { lands } => Self::ChooseBattlefield(ChooseBattlefield { lands }),
            engine::Move::TakeActionCard { card } => Self::TakeActionCard(TakeActionCard { card }),
            engine::Move::PlaySupplies { cards } => Self::PlaySupplies(PlaySupplies { cards: cards.into() }),
            engine::Move::Build { land, face } => Self::Build(Build { land, face }),
            engine::Move::FlipBase { land } => Self::FlipBase(FlipBase { land }),
            engine::Move::PassBuild => Self::PassBuild(PassBuild {}),
            engine::Move::DiscardSupplies { cards } => Self::DiscardSupplies(DiscardSupplies { cards: cards.into() }),
        }
    }
}
