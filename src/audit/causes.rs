//! Who made an event happen: he who could, and what follows from it has his name and time (F3).

use super::Fault;
use super::chain::Told;
use crate::engine::{CloseReason, Command, EntropySource, RULES_WITH_BOTS, Seat, StartMode, Step};
use crate::log::Cause;

/// Who can act at the table.
#[derive(Default)]
pub(super) struct Causes {
    start: StartMode,
    /// The version of the rules.
    rules: u16,
    has_started: bool,
    /// Where bots were assigned.
    bots: Vec<Seat>,
    /// Where people sit.
    people: Vec<Seat>,
    /// Where the creator sits, if he sat down with the table.
    creator: Option<Seat>,
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
        if let Err(expected) = self.may_cause(step, first) {
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
            Command::Create(table) => (self.start, self.rules) = (table.start, table.rules),
            Command::TakeSeat { entropy_from: EntropySource::Bot, .. } => {}
            Command::TakeSeat { .. } => {
                self.people.extend(first.taken);
                self.creator = self.creator.or(first.taken.filter(|_| first.cause == Cause::Table));
            }
            Command::LeaveSeat { seat } => {
                self.people.retain(|taken| taken != seat);
                self.bots.retain(|taken| taken != seat);
                self.creator = self.creator.filter(|creator| creator != seat);
            }
            Command::AssignBot { seat, .. } => self.bots.push(*seat),
            Command::Start => self.has_started = true,
            Command::Close { .. } | Command::Act { .. } => {}
        }
        self.before = told.last().copied();
        Ok(())
    }

    /// Whether he whom the event names can have done it; else who can.
    fn may_cause(&self, step: &Step, told: Told) -> Result<(), String> {
        let at_once = self.before.is_some_and(|before| before.at == told.at);
        let expected = match (&step.command, told.cause) {
            (Command::Create(_), Cause::Table) => return Ok(()),
            (Command::Create(_), _) => words(Cause::Table),
            (Command::TakeSeat { entropy_from: EntropySource::Bot, .. }, cause) => match told.taken.map(Cause::Bot) {
                Some(bot) if cause == bot => return Ok(()),
                bot => bot.map_or_else(String::new, words),
            },
            // Who sets up a table can sit down with it: then he has no seat yet, and was shown no commitment (F1).
            (Command::TakeSeat { entropy_from: EntropySource::Server, .. }, Cause::Table)
                if step.first == 2 && at_once =>
            {
                return Ok(());
            }
            (Command::TakeSeat { .. }, Cause::Seat(seat)) if told.taken == Some(seat) => return Ok(()),
            (Command::TakeSeat { .. }, _) => told.taken.map_or_else(String::new, |seat| words(Cause::Seat(seat))),
            (Command::LeaveSeat { seat }, Cause::Seat(own)) if own == *seat && !self.bots.contains(seat) => {
                return Ok(());
            }
            (Command::LeaveSeat { .. }, cause) | (Command::Close { reason: CloseReason::Creator }, cause) => {
                return self.creator(cause);
            }
            // A bot sits down, or a player gives his seat up.
            (Command::AssignBot { seat, .. }, cause) => {
                let by = if self.has_started { Cause::Seat(*seat) } else { Cause::Bot(*seat) };
                if cause == by {
                    return Ok(());
                }
                words(by)
            }
            (Command::Close { reason: CloseReason::Expired }, Cause::Clock) => return Ok(()),
            (Command::Close { reason: CloseReason::Expired }, _) => words(Cause::Clock),
            (Command::Start, cause) => match (self.start, self.before) {
                (StartMode::Full, Some(before)) if before.cause == cause && before.at == told.at => return Ok(()),
                (StartMode::Full, before) => before.map_or_else(String::new, |before| words(before.cause)),
                (StartMode::Creator, _) => return self.creator(cause),
            },
            // Older histories do not say where a bot plays.
            (Command::Act { seat, .. }, Cause::Bot(actor)) if self.rules < RULES_WITH_BOTS && actor == *seat => {
                return Ok(());
            }
            (Command::Act { seat, .. }, cause) => {
                let by = if self.bots.contains(seat) { Cause::Bot(*seat) } else { Cause::Seat(*seat) };
                if cause == by {
                    return Ok(());
                }
                words(by)
            }
        };
        Err(expected)
    }

    /// The creator acts from his seat, or from none; which is his the log says only if he sat down with the table.
    fn creator(&self, cause: Cause) -> Result<(), String> {
        match (self.creator, cause) {
            (Some(creator), cause) if cause == Cause::Seat(creator) => Ok(()),
            (Some(creator), _) => Err(words(Cause::Seat(creator))),
            (None, Cause::Table) => Ok(()),
            (None, Cause::Seat(seat)) if self.people.contains(&seat) => Ok(()),
            (None, Cause::Seat(_) | Cause::Bot(_) | Cause::Clock) => {
                Err("somebody who sits there, or the table".into())
            }
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
