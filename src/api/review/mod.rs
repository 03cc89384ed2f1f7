//! Reviews of games that have ended, as they are written on the wire.

pub mod read;

use serde::Serialize;
use utoipa::ToSchema;

use super::moves::Move;
use crate::engine::{BySeat, DecisionKind, Seat};
use crate::ids::GameId;
use crate::play::ReviewAnswer;
use crate::review::{self, Share};

/// How far a review is.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReviewStatus {
    /// It has not been begun.
    Waiting,
    /// It is being made: `done` of `of` decisions have been looked at.
    UnderWay,
    /// It is made.
    Done,
}

/// What the bots think of a game that has ended. Until `status` is `done` the lists are empty: ask again after a second.
#[derive(Serialize, ToSchema)]
pub struct Review {
    /// The game's id.
    game_id: GameId,
    /// How far the review is.
    status: ReviewStatus,
    /// How many decisions have been looked at.
    #[schema(minimum = 0, maximum = 400)]
    done: u32,
    /// How many decisions there were; 0 before the review is begun.
    #[schema(minimum = 0, maximum = 400)]
    of: u32,
    /// The version of the bots that thought about it; null until it is made.
    #[schema(minimum = 0, maximum = 65_535)]
    bots_version: Option<u16>,
    /// Every decision, in order.
    #[schema(max_items = 400)]
    decisions: Vec<ReviewedDecision>,
    /// What changed somebody's chance to win the most, the most first.
    #[schema(max_items = 3)]
    swings: Vec<Swing>,
}

/// A decision that was made.
#[derive(Serialize, ToSchema)]
pub struct ReviewedDecision {
    /// The number of the move's event in the history.
    #[schema(minimum = 1)]
    seq: u64,
    /// The round, counted from 1; 0 in the setup.
    #[schema(minimum = 0, maximum = 20)]
    round: u8,
    /// Who decided.
    seat: Seat,
    /// What about.
    kind: DecisionKind,
    /// What he did.
    #[serde(rename = "move")]
    action: Move,
    /// What the bots think of it; null if there was no choice.
    judgement: Option<Judgement>,
}

/// What the bots think of a decision, from what the decider knew when he made it. Values are his chances to win.
#[derive(Serialize, ToSchema)]
pub struct Judgement {
    /// What the move that he made was worth.
    value: Share,
    /// The best move that was found; often the one that he made.
    best: Move,
    /// What that one was worth.
    best_value: Share,
    /// How much the move cost: `best_value` less `value`.
    cost: Share,
    /// Each seat's chance to win before the move, by seat, as far as he could tell.
    #[schema(min_items = 3, max_items = 5)]
    before: Vec<Share>,
    /// Each seat's chance after the move and what followed from it by itself; at the end, the seats' shares of the victory.
    #[schema(min_items = 3, max_items = 5)]
    after: Vec<Share>,
}

/// A turning point.
#[derive(Serialize, ToSchema)]
pub struct Swing {
    /// The number of the move's event in the history.
    #[schema(minimum = 1)]
    seq: u64,
    /// The seat whose chance changed the most, which need not be the decider's.
    seat: Seat,
    /// That chance before.
    before: Share,
    /// That chance after.
    after: Share,
    /// What happened, in words.
    text: Texts,
}

/// The same text in every language.
#[derive(Serialize, ToSchema)]
pub struct Texts {
    /// In English.
    en: String,
    /// In Japanese.
    ja: String,
    /// In German.
    de: String,
}

impl Review {
    pub(super) fn of(game_id: GameId, answer: ReviewAnswer) -> Self {
        let (decisions, swings) = (Vec::new(), Vec::new());
        let empty =
            Self { game_id, status: ReviewStatus::Waiting, done: 0, of: 0, bots_version: None, decisions, swings };
        match answer {
            ReviewAnswer::Waiting => empty,
            ReviewAnswer::UnderWay { done, of } => Self { status: ReviewStatus::UnderWay, done, of, ..empty },
            ReviewAnswer::Made(review) => {
                let of = review.decisions.len() as u32;
                Self {
                    status: ReviewStatus::Done,
                    done: of,
                    of,
                    bots_version: Some(review.bots_version),
                    decisions: review.decisions.into_iter().map(ReviewedDecision::from).collect(),
                    swings: review.swings.into_iter().map(Swing::from).collect(),
                    ..empty
                }
            }
        }
    }
}

impl From<review::Reviewed> for ReviewedDecision {
    fn from(reviewed: review::Reviewed) -> Self {
        let review::Reviewed { seq, round, seat, kind, action, judgement } = reviewed;
        Self { seq, round, seat, kind, action: action.into(), judgement: judgement.map(Judgement::from) }
    }
}

impl From<review::Judgement> for Judgement {
    fn from(judgement: review::Judgement) -> Self {
        let cost = judgement.cost();
        let review::Judgement { value, best, best_value, before, after } = judgement;
        let by_seat = |shares: BySeat<Share>| shares.values().copied().collect();
        Self { value, best: best.into(), best_value, cost, before: by_seat(before), after: by_seat(after) }
    }
}

impl From<review::Swing> for Swing {
    fn from(swing: review::Swing) -> Self {
        let review::Swing { seq, seat, before, after, texts: review::Texts { en, ja, de } } = swing;
        Self { seq, seat, before, after, text: Texts { en, ja, de } }
    }
}
