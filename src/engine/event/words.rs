//! The words that events say why and how in.

use borsh::{BorshDeserialize, BorshSerialize};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Who chose the entropy of a seat (fairness F1).
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema, BorshSerialize, BorshDeserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum EntropySource {
    /// The player.
    Player,
    /// The server, by a rule that leaves it no choice.
    Server,
    /// A bot: 32 zero bytes.
    Bot,
}

/// What starts a game.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize, ToSchema, BorshSerialize, BorshDeserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum StartMode {
    /// The last free seat being taken.
    #[default]
    Full,
    /// The creator, once every seat is taken.
    Creator,
}

/// Why a table was closed before the start.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema, BorshSerialize, BorshDeserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum CloseReason {
    /// Its creator did not want it any more.
    Creator,
    /// The game was not started for too long.
    Expired,
}

/// What victory points are given for, in the order of payment (R3.6), and at the end (R4.2).
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
pub enum AwardReason {
    /// A won battle: the VP of the losing land.
    Land,
    /// Choosing the Traitor: 1.
    Traitor,
    /// Choosing the Strategist: 2.
    Strategist,
    /// Winning with the Mercenary: 1 (R9).
    Mercenary,
    /// Trading posts at the end (R4.2).
    TradingPosts,
}

/// What lets a player draw supply cards (R3.9.2).
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema, BorshSerialize, BorshDeserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum DrawSource {
    /// The Farmer: 3.
    Farmer,
    /// Estates at lands of the player's house: 1 each.
    Estates,
    /// Diplomat\[2\]: 1.
    #[serde(rename = "diplomat_2")]
    Diplomat2,
}

/// Why a game ended (R4.1).
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema, BorshSerialize, BorshDeserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum EndReason {
    /// The last round was played.
    LastRound,
    /// All lands show one house.
    OneHouse,
}
