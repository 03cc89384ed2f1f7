//! A possible world: a table that a viewer cannot tell from the true one, to think ahead in.
//!
//! The only way to one is [`Knowledge`](super::Knowledge), so whoever holds worlds holds no secret: that is what makes a
//! bot fair by type. It can be played on, with draws of its own, and looked at from the seat of any player in it.

use super::command::{Command, Move};
use super::decide::Decision;
use super::draws::Draws;
use super::error::RuleError;
use super::event::Event;
use super::seat::Seat;
use super::state::State;

/// A table that a viewer cannot tell from the true one.
#[derive(Clone)]
pub struct World(pub(super) State);

impl World {
    /// Whose decision it is, and what about (R6); none before the start and after the end.
    pub fn decision(&self) -> Option<Decision> {
        self.0.decision()
    }

    /// Adds the legal moves of `seat` to `moves`, which can be used again.
    pub fn list_legal_moves(&self, seat: Seat, moves: &mut Vec<Move>) {
        self.0.list_legal_moves(seat, moves);
    }

    /// Plays a move of `seat` and all that follows from it; what happens is added to `events`.
    ///
    /// # Errors
    /// The rule that forbids the move; then neither the world nor `events` has changed.
    pub fn play(
        &mut self,
        seat: Seat,
        action: Move,
        draws: &mut impl Draws,
        events: &mut Vec<Event>,
    ) -> Result<(), RuleError> {
        self.0.advance(&Command::Act { seat, action }, draws, events)
    }
}
