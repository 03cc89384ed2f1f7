//! The secret parts of events.

use std::fmt;

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::super::card::{ActionCard, ActionCards, Supplies, SupplyValue};
use super::super::numbers::CardValue;

/// The secret part of an event.
#[derive(Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Secret {
    /// Of `deck_shuffled`.
    Deck(DeckOrder),
    /// Of `action_cards_shuffled`.
    ActionOrder(ActionCardOrder),
    /// Of `supplies_dealt` and `supplies_drawn`.
    Supplies(SecretSupplies),
    /// Of `action_cards_passed` and `action_cards_left`.
    ActionCards(SecretActionCards),
    /// Of `action_card_kept`.
    ActionCard(SecretActionCard),
}

impl fmt::Debug for Secret {
    /// Says that there is a secret, not which.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

/// The order of the supply deck.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DeckOrder {
    /// The values from the top.
    #[schema(value_type = Vec<CardValue>, max_items = 200)]
    pub order: Box<[SupplyValue]>,
}

/// The order of the shuffled action cards.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ActionCardOrder {
    /// The cards from the top; the top one is set aside.
    #[schema(value_type = Vec<ActionCard>, max_items = 7)]
    pub order: ArrayVec<ActionCard, 7>,
}

/// Supply cards that one seat has seen.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SecretSupplies {
    /// The values, rising.
    pub cards: Supplies,
}

/// Action cards that one seat has seen.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SecretActionCards {
    /// The cards in the order of R1.4.
    pub cards: ActionCards,
}

/// The action card that a seat keeps.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SecretActionCard {
    /// The card.
    pub card: ActionCard,
}
