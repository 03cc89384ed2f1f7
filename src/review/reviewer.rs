//! Goes through a game that has ended, decision by decision.

use std::cmp::Reverse;

use uuid::Uuid;

use super::hint::{look, seed, shares};
use super::{Judgement, Review, Reviewed, SWINGS, Share, Swing, Texts};
use crate::bots::{self, BOTS_VERSION};
use crate::engine::{
    BySeat, Command, DecisionKind, Event, Fact, Fault, Knowledge, Move, Referee, Seat, Status, Viewer,
};
use crate::story::{Language, Story};

/// Why there is nothing to review.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotReviewable {
    /// The history is against the rules.
    #[error("the history does not hold: {0}")]
    Fault(#[from] Fault),
    /// The game has not ended.
    #[error("the game has not ended")]
    NotEnded,
}

/// Looks at the decisions of a game that has ended, in any order, also several at a time.
pub struct Reviewer {
    game: Uuid,
    events: Vec<Event>,
    turns: Vec<Turn>,
    /// Each seat's share of the victory.
    victory: BySeat<Share>,
    iterations: u32,
}

/// A decision and its place in the history.
struct Turn {
    /// The number of the move's event, counted from 1.
    first: usize,
    /// The number of the last event that followed from it.
    last: usize,
    round: u8,
    seat: Seat,
    kind: DecisionKind,
    action: Move,
    legal: Vec<Move>,
}

impl Reviewer {
    /// Of the whole history of a game, with so many looks ahead before and after each decision.
    ///
    /// # Errors
    /// [`NotReviewable`].
    pub fn new(events: Vec<Event>, iterations: u32) -> Result<Self, NotReviewable> {
        let mut turns = Vec::new();
        let mut referee = Referee::new(&events);
        loop {
            let due = referee.state().decision();
            let legal = due.map(|decision| referee.state().legal_moves(decision.seat)).unwrap_or_default();
            let round = referee.state().view(Viewer::Spectator).round;
            let Some(step) = referee.step()? else { break };
            if let (Command::Act { seat, action }, Some(decision)) = (step.command, due) {
                let (first, last, kind) = (step.first, step.last, decision.kind);
                turns.push(Turn { first, last, round, seat, kind, action, legal });
            }
        }
        let (Some(Fact::TableCreated(table)), Some(Fact::GameEnded(end))) =
            (events.first().map(|event| &event.fact), events.last().map(|event| &event.fact))
        else {
            return Err(NotReviewable::NotEnded);
        };
        let victory = victory(&end.ranks);
        Ok(Self { game: table.game_id, victory, turns, iterations, events })
    }

    /// How many decisions were made.
    pub fn decisions(&self) -> usize {
        self.turns.len()
    }

    /// What there is to say of a decision, counted from 0; none if there is no such one. This takes its time.
    pub fn look_at(&self, number: usize) -> Option<Reviewed> {
        let turn = self.turns.get(number)?;
        let judgement = if turn.legal.len() > 1 { Some(self.judge(turn)) } else { None };
        let Turn { round, seat, kind, .. } = *turn;
        Some(Reviewed { seq: turn.first as u64, round, seat, kind, action: turn.action.clone(), judgement })
    }

    /// The review, of what was said of every decision in order.
    pub fn finish(&self, decisions: Vec<Reviewed>) -> Review {
        let mut swings: Vec<_> = decisions
            .iter()
            .filter_map(|decision| Some((decision, decision.judgement.as_ref()?.most_moved()?)))
            .collect();
        // The sort is stable: of equal ones the earlier is first.
        swings.sort_by_key(|(_, (_, before, after))| Reverse(before.distance(*after)));
        let swings = swings.into_iter().take(SWINGS).filter_map(|(decision, (seat, before, after))| {
            let texts = self.tell(decision, seat, [before.percent(), after.percent()])?;
            Some(Swing { seq: decision.seq, seat, before, after, texts })
        });
        let swings = swings.collect();
        Review { bots_version: BOTS_VERSION, iterations: self.iterations, decisions, swings }
    }

    fn judge(&self, turn: &Turn) -> Judgement {
        let seed = seed("fereta/review/1/", self.game, &turn.first.to_string());
        let found = look(&self.known(turn.seat, turn.first - 1), &turn.legal, self.iterations, seed);
        let value = found.moves.iter().find(|candidate| candidate.action == turn.action);
        let value = value.map_or(Share::default(), |candidate| candidate.value);
        // What was played is the best if it turned out to be worth as much as what the search looked into most.
        let better = found.moves.first().filter(|candidate| candidate.value > value);
        let (best, best_value) = match better {
            Some(candidate) => (candidate.action.clone(), candidate.value),
            None => (turn.action.clone(), value),
        };
        let after = if turn.last == self.events.len() {
            self.victory.clone()
        } else {
            shares(&bots::chances(&self.known(turn.seat, turn.last), self.iterations, seed))
        };
        Judgement { value, best, best_value, before: found.chances, after }
    }

    /// What the player in `seat` had seen when so many events had happened.
    fn known(&self, seat: Seat, events: usize) -> Knowledge {
        Knowledge::of(Viewer::Seat(seat), self.events.iter().take(events), Status::Running)
    }

    /// The turning point in words: all is told, as the game has ended.
    fn tell(&self, decision: &Reviewed, whose: Seat, chances: [u8; 2]) -> Option<Texts> {
        let turn = self.turns.iter().find(|turn| turn.first as u64 == decision.seq)?;
        let seen = |event: &Event| event.seen(Viewer::Spectator, Status::Ended);
        let before = self.events.get(..turn.first - 1)?;
        let events: Vec<_> = self.events.get(turn.first - 1..turn.last)?.iter().map(seen).collect();
        let tell = |language| {
            let mut story = Story::new(Viewer::Spectator, language);
            before.iter().map(seen).for_each(|event| {
                story.tell(&event);
            });
            story.turning_point(turn.round, &events, whose, chances)
        };
        Some(Texts { en: tell(Language::En), ja: tell(Language::Ja), de: tell(Language::De) })
    }
}

/// Each seat's share of the victory (R4.3).
fn victory(ranks: &BySeat<u8>) -> BySeat<Share> {
    let winners = ranks.values().filter(|rank| **rank == 1).count().max(1) as f32;
    BySeat::new(ranks.players(), |seat| if ranks[seat] == 1 { Share::of(1.0 / winners) } else { Share::default() })
}

impl std::fmt::Debug for Reviewer {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Reviewer").field("game", &self.game).finish_non_exhaustive()
    }
}
