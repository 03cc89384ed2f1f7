//! The levels for people: named settings, with how strong they proved to be.

use super::Player;
use super::greedy::TASTE;
use super::search::{Budget, DEFAULT, Settings};
use crate::engine::BotLevel;

/// What a level is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength {
    /// The level.
    pub level: BotLevel,
    /// How long after its turn began the bot's move is made, in milliseconds: always the same, whatever it thought about.
    pub pace_ms: u32,
    /// Its share of victories, of four seats, against three bots of the level below; 0.25 is par. None for the lowest.
    pub against_the_level_below: Option<f32>,
}

/// What the levels are made of, the weakest first.
pub const LEVELS: [Strength; 4] = [
    Strength { level: BotLevel::Easy, pace_ms: 1_000, against_the_level_below: None },
    Strength { level: BotLevel::Normal, pace_ms: 1_000, against_the_level_below: Some(0.41) },
    Strength { level: BotLevel::Hard, pace_ms: 1_500, against_the_level_below: Some(0.64) },
    Strength { level: BotLevel::Expert, pace_ms: 2_500, against_the_level_below: Some(0.45) },
];

/// How bots of a level play.
pub const fn player(level: BotLevel) -> Player {
    match level {
        BotLevel::Easy => Player::Greedy { taste: TASTE, whim: 2.0 },
        BotLevel::Normal => Player::Greedy { taste: TASTE, whim: 0.3 },
        BotLevel::Hard => Player::Search(Settings { budget: Budget::Iterations(40), ..DEFAULT }),
        BotLevel::Expert => Player::Search(DEFAULT),
    }
}
