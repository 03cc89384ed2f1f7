//! What the bots' search thinks of decisions: of one that is due (a [`hint`]), and of all that were made in a game that has
//! ended (a [`Review`]).
//!
//! Whatever is said of a decision comes from what its seat knew when it was made, never from the table. Pure: the same
//! history leads to the same review, whoever makes it. Must never: be shown anything of a game that runs, but to the seat
//! whose knowledge it is.

mod hint;
mod reviewer;
mod share;

use std::cmp::Reverse;

use borsh::{BorshDeserialize, BorshSerialize};

use crate::engine::{BySeat, DecisionKind, Move, Seat};

pub use hint::{HINT_ITERATIONS, Hint, Hinted, hint};
pub use reviewer::{NotReviewable, Reviewer};
pub use share::Share;

/// The version of the form in which reviews are kept.
pub const REVIEW_FORMAT: u16 = 1;
/// How many looks ahead are taken before a decision, and as many after it: a game of four takes 10 to 20 s of one core.
pub const REVIEW_ITERATIONS: u32 = 4_000;
/// How many turning points are told.
const SWINGS: usize = 3;

/// What there is to say of a game that has ended.
#[derive(Clone, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Review {
    /// The version of the bots that thought about it.
    pub bots_version: u16,
    /// How many looks ahead they took before a decision, and after it.
    pub iterations: u32,
    /// Every decision, in order.
    pub decisions: Vec<Reviewed>,
    /// What changed somebody's chance to win the most, the most first.
    pub swings: Vec<Swing>,
}

/// A decision that was made.
#[derive(Clone, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Reviewed {
    /// The number of the move's event.
    pub seq: u64,
    /// The round, counted from 1; 0 in the setup.
    pub round: u8,
    /// Who decided.
    pub seat: Seat,
    /// What about.
    pub kind: DecisionKind,
    /// The move.
    pub action: Move,
    /// What the search says of it; none if it was the only one.
    pub judgement: Option<Judgement>,
}

/// What the search says of a decision, from what the decider knew. Values are his chances to win.
#[derive(Clone, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Judgement {
    /// What the move that was made was worth.
    pub value: Share,
    /// The best move that was found.
    pub best: Move,
    /// What that one was worth.
    pub best_value: Share,
    /// Each seat's chance to win before the move.
    pub before: BySeat<Share>,
    /// Each seat's chance after the move and all that followed from it by itself; once the game has ended, the seats' true
    /// shares of the victory.
    pub after: BySeat<Share>,
}

/// A turning point.
#[derive(Clone, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Swing {
    /// The number of the move's event.
    pub seq: u64,
    /// The seat whose chance changed the most, which need not be the decider's.
    pub seat: Seat,
    /// That chance before.
    pub before: Share,
    /// That chance after.
    pub after: Share,
    /// What happened, in every language.
    pub texts: Texts,
}

/// The same text in every language.
#[derive(Clone, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Texts {
    /// English.
    pub en: String,
    /// Japanese.
    pub ja: String,
    /// German.
    pub de: String,
}

impl Judgement {
    /// How much better the best move was.
    pub const fn cost(&self) -> Share {
        self.best_value.above(self.value)
    }

    /// The seat whose chance changed the most, the lowest of several.
    fn most_moved(&self) -> Option<(Seat, Share, Share)> {
        let changes =
            self.before.iter().zip(self.after.values()).map(|((seat, before), after)| (seat, *before, *after));
        changes.max_by_key(|(seat, before, after)| (before.distance(*after), Reverse(*seat)))
    }
}

impl Review {
    /// The review as it is kept.
    pub fn to_bytes(&self) -> Vec<u8> {
        borsh::to_vec(self).unwrap_or_default()
    }

    /// A review that was kept; none if that is not what it is.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        borsh::from_slice(bytes).ok()
    }
}
