//! Hints: what the bots' search thinks of a decision that is due, for the player whose it is, at a table that allows it.
//!
//! The search is given what his seat has seen, by the function that decides it for everybody, and chance that hangs on
//! nothing secret. Must never: think on the threads that serve, or wait long for a place to think.

use std::time::Duration;

use super::Play;
use super::error::PlayError;
use super::table::{Table, lines};
use crate::bots::BOTS_VERSION;
use crate::engine::{Event, Knowledge, Move, RuleError, Seat, Status, Viewer};
use crate::ids::{Bearer, GameId};
use crate::log::{Head, Line};
use crate::review::{HINT_ITERATIONS, Hint, hint};

/// How long a place to think is waited for.
const PATIENCE: Duration = Duration::from_secs(3);

/// A decision that is due, for the player whose it is. Its `Debug` shows nothing of what he knows.
pub struct HintAsk {
    game: GameId,
    head: Head,
    seat: Seat,
    known: Knowledge,
    legal: Vec<Move>,
}

impl Play {
    /// The decision that the caller may have a hint for.
    ///
    /// # Errors
    /// As [`Play::game`]; [`PlayError::NoHints`], [`PlayError::NoSeat`], [`PlayError::NotRunning`], and
    /// [`RuleError::NotYourDecision`].
    pub async fn hint_ask(&self, caller: Bearer, game: GameId) -> Result<HintAsk, PlayError> {
        let table = self.table(caller, game).await?;
        if !table.row.hints {
            return Err(PlayError::NoHints);
        }
        let (seat, head, Table { row, state, .. }) = (table.seat.ok_or(PlayError::NoSeat)?, table.head(), table);
        let Some(decision) = state.decision() else { return Err(PlayError::NotRunning) };
        if decision.seat != seat {
            return Err(RuleError::NotYourDecision.into());
        }
        let lines = lines(&self.reads, &row, 1, row.version).await?;
        let events: Vec<Event> = lines.iter().map(Line::open).collect::<Result<_, _>>()?;
        let known = Knowledge::of(Viewer::Seat(seat), &events, Status::Running);
        Ok(HintAsk { game, head, seat, known, legal: state.legal_moves(seat) })
    }

    /// The hint, thought of where bots think.
    ///
    /// # Errors
    /// [`PlayError::Busy`] if there is no place to think for too long, or too many wait for one.
    pub async fn hint(&self, ask: HintAsk) -> Result<Hint, PlayError> {
        if !self.thinking().is_possible() {
            return Err(PlayError::Busy);
        }
        let place = tokio::time::timeout(PATIENCE, self.thinking().asked_place()).await;
        let place = place.ok().flatten().ok_or(PlayError::Busy)?;
        let HintAsk { game, head, known, legal, .. } = ask;
        let thought = place.think(move || hint(game.uuid(), &known, &legal, head.version + 1));
        thought.await.map_err(|_| PlayError::Busy)
    }
}

impl HintAsk {
    /// The version that the hint is for.
    #[must_use]
    pub const fn version(&self) -> u64 {
        self.head.version
    }

    /// Whose decision it is.
    #[must_use]
    pub const fn seat(&self) -> Seat {
        self.seat
    }

    /// All that the hint follows from, so that it need not be made to know whether it is the same.
    #[must_use]
    pub fn tag(&self) -> String {
        format!("{BOTS_VERSION}/{HINT_ITERATIONS}/{}/{}", self.seat.number(), self.head.hash)
    }
}

impl std::fmt::Debug for HintAsk {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("HintAsk").field("game", &self.game).field("seat", &self.seat).finish_non_exhaustive()
    }
}
