//! What the bots' search says of a decision, from what its seat knows.

use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::share::Share;
use crate::bots;
use crate::engine::{BySeat, Knowledge, Move};

/// How many looks ahead a hint takes.
pub const HINT_ITERATIONS: u32 = 2_000;

/// How many looks ahead a move's value is taken to have had already, which came to the average. So what was hardly looked into
/// is neither praised nor blamed for it.
const CAUTION: f32 = 8.0;

/// What the search says of a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// The legal moves, the best one first.
    pub moves: Vec<Hinted>,
    /// Each seat's chance to win.
    pub chances: BySeat<Share>,
}

/// A legal move, and what the search says of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hinted {
    /// The move.
    pub action: Move,
    /// The chance of its player to win by it; shared victories count as shares.
    pub value: Share,
    /// The share of the search that went into it.
    pub visits: Share,
}

/// A hint for a seat that has seen what is `known` and has to decide: `seq` is the number that its move's event will have.
///
/// It hangs on nothing secret: all chance in it follows from the game's id, the seat and the number.
pub fn hint(game: Uuid, known: &Knowledge, legal: &[Move], seq: u64) -> Hint {
    let seat = known.viewer().seat().map_or(0, |seat| seat.number());
    let seed = seed("fereta/hint/1/", game, &format!("{seat}/{seq}"));
    look(known, legal, HINT_ITERATIONS, seed)
}

/// What the search says of the decision of a seat that has seen what is `known`.
pub(super) fn look(known: &Knowledge, legal: &[Move], iterations: u32, seed: [u8; 32]) -> Hint {
    let advice = bots::advise(known, legal, iterations, seed);
    let average = known.viewer().seat().and_then(|seat| advice.chances.at(seat)).copied().unwrap_or_default();
    let moves = advice.moves.into_iter().map(|candidate| {
        let looks = candidate.visits * iterations as f32;
        let value = (candidate.value * looks + average * CAUTION) / (looks + CAUTION);
        // Of one move alone the search has nothing to say.
        let visits = if legal.len() == 1 { 1.0 } else { candidate.visits };
        Hinted { action: candidate.action, value: Share::of(value), visits: Share::of(visits) }
    });
    Hint { moves: moves.collect(), chances: shares(&advice.chances) }
}

pub(super) fn shares(chances: &BySeat<f32>) -> BySeat<Share> {
    BySeat::new(chances.players(), |seat| Share::of(chances[seat]))
}

/// A seed that everybody can reckon.
pub(super) fn seed(label: &str, game: Uuid, what: &str) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(label);
    hash.update(game.as_bytes());
    hash.update(what);
    hash.finalize().into()
}
