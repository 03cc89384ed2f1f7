//! Opponents, from harmless to hard.
//!
//! A bot is handed what its seat has lawfully seen ([`Knowledge`]) and its legal moves, never the table itself and never
//! the game's own draws: it cannot cheat, whatever it does. To think ahead it has worlds that its seat cannot tell from
//! the true one, and chance of its own. What it does follows from these and its seed alone, and from arithmetic that is
//! the same on every machine: so the same seed plays the same game, and an audit can play it again.

mod belief;
mod glance;
mod greedy;
mod levels;
mod numbers;
mod outlook;
mod random;
mod search;
mod tree;

use crate::engine::{BotLevel, BySeat, FastDraws, Knowledge, Move};

pub use greedy::{TASTE, Taste};
pub use levels::{LEVELS, Strength, player};
pub use search::{Budget, DEFAULT, Settings};

/// The version of the bots' play: with the same one, the same knowledge and the same seed lead to the same move.
pub const BOTS_VERSION: u16 = 1;

/// A way to play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Player {
    /// Makes any legal move as likely as any other.
    Random,
    /// Takes what is worth most now.
    Greedy {
        /// What it wants.
        taste: Taste,
        /// How far it strays from what looks best, in victory points; 0 for never.
        whim: f32,
    },
    /// Looks ahead.
    Search(Settings),
}

impl Player {
    /// The move of a player who has seen what is `known`; none if there is no legal move.
    pub fn choose(&self, known: &Knowledge, legal: &[Move], rng: &mut FastDraws) -> Option<Move> {
        match self {
            _ if legal.len() <= 1 => legal.first().cloned(),
            Self::Random => random::choose(legal, rng),
            Self::Greedy { taste, whim } => greedy::choose(known, legal, taste, *whim, rng),
            Self::Search(settings) => search::choose(known, legal, settings, rng),
        }
    }
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

/// What the search thinks of a decision.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice {
    /// The legal moves, the best one first.
    pub moves: Vec<Candidate>,
    /// Each seat's chance to win, 0 to 1, together 1.
    pub chances: BySeat<f32>,
}

/// The move of a bot of this level that has seen what is `known`; none if there is no legal move.
pub fn choose(level: BotLevel, known: &Knowledge, legal: &[Move], seed: [u8; 32]) -> Option<Move> {
    levels::player(level).choose(known, legal, &mut draws(seed))
}

/// What the search thinks of a seat's decision, from what that seat has seen; it takes `iterations` looks ahead.
pub fn advise(known: &Knowledge, legal: &[Move], iterations: u32, seed: [u8; 32]) -> Advice {
    search::advise(known, legal, &Settings { budget: Budget::Iterations(iterations), ..DEFAULT }, &mut draws(seed))
}

/// Each seat's chance to win as far as the viewer can tell, 0 to 1, together 1; it takes `iterations` looks ahead.
pub fn chances(known: &Knowledge, iterations: u32, seed: [u8; 32]) -> BySeat<f32> {
    search::chances(known, &Settings { budget: Budget::Iterations(iterations), ..DEFAULT }, &mut draws(seed))
}

fn draws(seed: [u8; 32]) -> FastDraws {
    let mut start = [0; 8];
    start.iter_mut().zip(seed).for_each(|(byte, from)| *byte = from);
    FastDraws::new(u64::from_be_bytes(start))
}
