//! What can be asked of a table: the commands, the moves of a seat, and the options of a game.

use std::sync::Arc;

use borsh::{BorshDeserialize, BorshSerialize};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::card::{ActionCard, Supplies};
use super::card_set::CardSet;
use super::decide::RULES_VERSION;
use super::event::{Bytes32, CloseReason, EntropySource, StartMode};
use super::land::{Face, Place};
use super::seat::Seat;

/// How the opening hands come about (R2.4).
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize, ToSchema, BorshSerialize, BorshDeserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum OpeningHand {
    /// Three cards are dealt to each player from the shuffled deck.
    #[default]
    Dealt,
    /// Each player gets one 3, one 4 and one 5 (German edition).
    Fixed,
}

/// The options of a game.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize, ToSchema, BorshSerialize, BorshDeserialize,
)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// Whether the mercenary is among the action cards (R9).
    pub mercenary: bool,
    /// How the opening hands come about (R2.4).
    pub opening_hand: OpeningHand,
}

/// How strong a bot is.
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
pub enum BotLevel {
    /// For those who are learning the rules.
    Easy,
    /// For those who know them.
    Normal,
    /// For those who want to be beaten.
    Hard,
    /// The strongest there is.
    Expert,
}

impl BotLevel {
    /// All levels, the weakest first.
    pub const ALL: [Self; 4] = [Self::Easy, Self::Normal, Self::Hard, Self::Expert];

    /// The level in a word, as it is written.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Easy => "easy",
            Self::Normal => "normal",
            Self::Hard => "hard",
            Self::Expert => "expert",
        }
    }
}

/// What is asked of a table. People, bots and clocks use the same door.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Set up a table that nobody sits at yet.
    Create(NewTable),
    /// Sit down before the start.
    TakeSeat {
        /// The seat wanted; without one the lowest that is free.
        seat: Option<Seat>,
        /// What the player adds to the randomness of the game (fairness F1).
        entropy: Bytes32,
        /// Who chose it.
        entropy_from: EntropySource,
    },
    /// Leave a seat before the start.
    LeaveSeat {
        /// The seat.
        seat: Seat,
    },
    /// Let a bot play a taken seat from now on: one that a bot took, or, while the game runs, one that its player gives up.
    AssignBot {
        /// The seat.
        seat: Seat,
        /// How strong the bot is.
        level: BotLevel,
        /// The version of the bots' play.
        version: u16,
    },
    /// Begin the game; every seat must be taken.
    Start,
    /// Close the table before the start, for good.
    Close {
        /// Why.
        reason: CloseReason,
    },
    /// Make a move.
    Act {
        /// Who moves.
        seat: Seat,
        /// The move.
        action: Move,
    },
}

/// What a new table is set up with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewTable {
    /// The game's id.
    pub game_id: Uuid,
    /// SHA-256 of the server's seed (fairness F1).
    pub seed_commitment: Bytes32,
    /// The number of players, 3 to 5 (R1.1).
    pub players: u8,
    /// The options.
    pub options: Options,
    /// What starts the game.
    pub start: StartMode,
    /// The card set (R1.6).
    pub card_set: Arc<CardSet>,
    /// The version of the rules, 1 to [`RULES_VERSION`].
    pub rules: u16,
}

impl Default for NewTable {
    fn default() -> Self {
        Self {
            game_id: Uuid::nil(),
            seed_commitment: Bytes32::default(),
            players: 0,
            options: Options::default(),
            start: StartMode::default(),
            card_set: Arc::default(),
            rules: RULES_VERSION,
        }
    }
}

/// What a seat can ask for (R7).
#[derive(Clone, Debug, PartialEq, Eq, Hash, BorshSerialize, BorshDeserialize)]
pub enum Move {
    /// Place the first base, estate up (R2.3).
    PlaceEstate {
        /// At this land.
        land: Place,
    },
    /// Choose the battlefield (R3.1).
    ChooseBattlefield {
        /// Its two lands; either order means the same.
        lands: [Place; 2],
    },
    /// Keep one of the action cards passed on (R3.2).
    TakeActionCard {
        /// The card.
        card: ActionCard,
    },
    /// Play supply cards, or none (R3.3).
    PlaySupplies {
        /// The cards.
        cards: Supplies,
    },
    /// Place a base with the Builder (R3.7).
    Build {
        /// At this land.
        land: Place,
        /// With this face up.
        face: Face,
    },
    /// Turn over an own base with the Builder (R3.7).
    FlipBase {
        /// The base at this land.
        land: Place,
    },
    /// Build nothing (R3.7).
    PassBuild,
    /// Discard down to five cards (R3.9.4).
    DiscardSupplies {
        /// The cards to discard.
        cards: Supplies,
    },
}
