//! Opponents, from harmless to hard.
//!
//! A bot is handed what its seat has lawfully seen ([`Knowledge`]) and its legal moves, never the table itself and never
//! the game's own draws: it cannot cheat, whatever it does. What it does follows from these and its seed alone, so the same
//! seed plays the same game.

mod random;

use crate::engine::{BotLevel, BySeat, FastDraws, Knowledge, Move};

/// The version of the bots' play: with the same one, the same knowledge and the same seed lead to the same move.
pub const BOTS_VERSION: u16 = 1;

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

/// A move as the search sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The move.
    pub action: Move,
    /// The chance of its player to win (shared victories count as shares), 0 to 1.
    pub value: f32,
    /// The share of the search that went into it, 0 to 1.
    pub visits: f32,
}

/// What the search thinks of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice {
    /// The legal moves, the best one first.
    pub moves: Vec<Candidate>,
    /// Each seat's chance to win, 0 to 1, together 1.
    pub chances: BySeat<f32>,
}

/// What the levels are made of, the weakest first.
pub const LEVELS: [Strength; 4] = [
    Strength { level: BotLevel::Easy, pace_ms: 1_000, against_the_level_below: None },
    Strength { level: BotLevel::Normal, pace_ms: 1_000, against_the_level_below: None },
    Strength { level: BotLevel::Hard, pace_ms: 1_500, against_the_level_below: None },
    Strength { level: BotLevel::Expert, pace_ms: 2_500, against_the_level_below: None },
];

/// The move of a bot of this level that has seen what is `known`; none if there is no legal move.
pub fn choose(_level: BotLevel, known: &Knowledge, legal: &[Move], seed: [u8; 32]) -> Option<Move> {
    random::choose(known, legal, &mut draws(seed))
}

/// What the search thinks of a seat's decision, from what it has seen; it takes `iterations` looks ahead.
pub fn advise(_known: &Knowledge, legal: &[Move], _iterations: u32, _seed: [u8; 32]) -> Advice {
    let share = 1.0 / legal.len().max(1) as f32;
    let moves = legal.iter().map(|action| Candidate { action: action.clone(), value: 0.0, visits: share }).collect();
    Advice { moves, chances: BySeat::default() }
}

/// Each seat's chance to win as far as the viewer can tell, 0 to 1, together 1; it takes `iterations` looks ahead.
pub fn chances(_known: &Knowledge, _iterations: u32, _seed: [u8; 32]) -> BySeat<f32> {
    BySeat::default()
}

fn draws(seed: [u8; 32]) -> FastDraws {
    let mut start = [0; 8];
    start.iter_mut().zip(seed).for_each(|(byte, from)| *byte = from);
    FastDraws::new(u64::from_be_bytes(start))
}
