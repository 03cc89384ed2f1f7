//! Who made an event happen: he who could, and what follows from it has his name and time (F3).

use super::Fault;
use super::chain::Told;
use crate::engine::{CloseReason, Command, EntropySource, Seat, StartMode, Step};
use crate::log::Cause;

/// Who can act at the table.
#[derive(Default)]
pub(super) struct Causes {
    start: StartMode,
    taken: Vec<Seat>,
    before: Option<Told>,
}

impl Causes {
    /// Holds the next step against its causes.
    ///
    /// # Errors
    /// The first event that somebody else, or at another time, is said to have caused.
    pub(super) fn check(&mut self, step: &Step, publics: &[Told]) -> Result<(), Fault> {
        let told = publics.get(step.first.saturating_sub(1)..step.last).unwrap_or_default();
        let Some(first) = told.first().copied() else { return Ok(()) };
        let fault = |offset: usize, expected: String, found: Cause| {
            let seq = (step.first + offset) as u64;
            Err(Fault::new(seq, "F3", "somebody else is said to have done it", expected, words(found)))
        };
        if let Err(expected) = self.may_cause(&step.command, first) {
            return fault(0, expected, first.cause);
        }
        for (offset, follows) in told.iter().enumerate().skip(1) {
            if follows.cause != first.cause {
                return fault(offset, words(first.cause), follows.cause);
            }
            if follows.at != first.at {
                let seq = (step.first + offset) as u64;
                return Err(Fault::new(seq, "F3", "what follows from a move has its time", first.at, follows.at));
            }
        }
        match &step.command {
            Command::Create(table) => self.start = table.start,
            Command::TakeSeat { .. } => self.taken.extend(first.taken),
            Command::LeaveSeat { seat } => self.taken.retain(|taken| taken != seat),
            Command::Close { .. } | Command::Start | Command::Act { .. } => {}
        }
        self.before = told.last().copied();
        Ok(())
    }

    /// Whether he whom the event names can have done it; else who can.
    fn may_cause(&self, command: &Command, told: Told) -> Result<(), String> {
        let expected = match (command, told.cause) {
            (Command::Create(_), Cause::Table) => return Ok(()),
            (Command::Create(_), _) => words(Cause::Table),
            (Command::TakeSeat { entropy_from: EntropySource::Bot, .. }, cause) => match (cause, told.taken) {
                (Cause::Bot(seat), Some(taken)) if seat == taken => return Ok(()),
                (cause, _) => return self.creator(cause),
            },
            // Who sets up a table can sit down at once: then he has no seat yet.
            (Command::TakeSeat { .. }, Cause::Table) if self.taken.is_empty() => return Ok(()),
            (Command::TakeSeat { .. }, Cause::Seat(seat)) if told.taken == Some(seat) => return Ok(()),
            (Command::TakeSeat { .. }, _) => told.taken.map_or_else(String::new, |seat| words(Cause::Seat(seat))),
            (Command::LeaveSeat { .. }, cause) | (Command::Close { reason: CloseReason::Creator }, cause) => {
                return self.creator(cause);
            }
            (Command::Close { reason: CloseReason::Expired }, Cause::Clock) => return Ok(()),
            (Command::Close { reason: CloseReason::Expired }, _) => words(Cause::Clock),
            (Command::Start, cause) => match (self.start, self.before) {
                (StartMode::Full, Some(before)) if before.cause == cause && before.at == told.at => return Ok(()),
                (StartMode::Full, before) => before.map_or_else(String::new, |before| words(before.cause)),
                (StartMode::Creator, _) => return self.creator(cause),
            },
            (Command::Act { seat, .. }, Cause::Seat(actor) | Cause::Bot(actor)) if actor == *seat => return Ok(()),
            (Command::Act { seat, .. }, _) => words(Cause::Seat(*seat)),
        };
        Err(expected)
    }

    /// The creator acts from his seat, or from none; which is his the log does not say.
    fn creator(&self, cause: Cause) -> Result<(), String> {
        match cause {
            Cause::Table => Ok(()),
            Cause::Seat(seat) if self.taken.contains(&seat) => Ok(()),
            Cause::Seat(_) | Cause::Bot(_) | Cause::Clock => Err("somebody who sits there, or the table".into()),
        }
    }
}

fn words(cause: Cause) -> String {
    match cause {
        Cause::Seat(seat) => format!("seat {}", seat.number()),
        Cause::Bot(seat) => format!("the bot in seat {}", seat.number()),
        Cause::Clock => "the clock".into(),
        Cause::Table => "the table".into(),
    }
}
