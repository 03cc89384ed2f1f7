//! The bots' moves thought of again, once the server's seed is told: whether a bot played what a bot of its level plays that has seen
//! what its seat saw, and no more.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Fault;
use super::chain::unreadable;
use crate::bots::{self, BOTS_VERSION};
use crate::engine::{
    BotAssigned, Command, Event, Fact, FastDraws, Knowledge, Move, Seat, State, Status, Viewer, bot_seed,
};
use crate::log::{Cause, Line, described};

/// What came of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Replayed {
    /// How many moves were thought of again, and were the same.
    pub replayed: u64,
    /// How many were not, by the version of the bots that made them: this program has other bots.
    pub not_replayed: BTreeMap<u16, u64>,
}

/// Thinks again, for every move of a bot that was assigned to its seat, of a history that holds; `progress` is told of each.
///
/// # Errors
/// The first move that the bot would not have made.
pub(super) fn replay(lines: &[Line], server_seed: &[u8; 32], mut progress: impl FnMut()) -> Result<Replayed, Fault> {
    let mut found = Replayed::default();
    let mut table = Seats::default();
    for line in lines {
        let read = line.public().and_then(|public| Ok((public.cause, line.open()?)));
        let (cause, event) = read.map_err(|error| unreadable(line.seq, &error))?;
        if let (Cause::Bot(seat), Some(Command::Act { action, .. })) = (cause, Command::behind(&event))
            && let Some((bot, known)) = table.bot(seat)
        {
            if bot.version == BOTS_VERSION {
                let legal = table.state.legal_moves(seat);
                let chosen = bots::choose(bot.level, known, &legal, bot_seed(server_seed, seat, line.seq));
                same(line.seq, seat, chosen, &action, &table.state)?;
                found.replayed += 1;
            } else {
                *found.not_replayed.entry(bot.version).or_default() += 1;
            }
            progress();
        }
        table.note(&event);
    }
    Ok(found)
}

/// A table, and what its seats have seen of it.
#[derive(Default)]
struct Seats {
    state: State,
    /// The bot that was assigned, and what was seen, by seat.
    seats: Vec<(Option<BotAssigned>, Knowledge)>,
}

impl Seats {
    fn bot(&self, seat: Seat) -> Option<(&BotAssigned, &Knowledge)> {
        let (bot, known) = self.seats.get(usize::from(seat.number()))?;
        Some((bot.as_ref()?, known))
    }

    fn note(&mut self, event: &Event) {
        self.state.apply(event);
        if let Fact::TableCreated(table) = &event.fact {
            let seats = (0..table.players).filter_map(Seat::new);
            self.seats = seats.map(|seat| (None, Knowledge::new(Viewer::Seat(seat)))).collect();
        }
        for (number, (bot, known)) in (0..).zip(&mut self.seats) {
            match &event.fact {
                Fact::BotAssigned(assigned) if assigned.seat.number() == number => *bot = Some(assigned.clone()),
                Fact::SeatLeft(left) if left.seat.number() == number => *bot = None,
                _ => {}
            }
            known.observe(event.seen(known.viewer(), Status::Running));
        }
    }
}

/// That the bot would have made the move; both are told in the words of the log.
fn same(seq: u64, seat: Seat, chosen: Option<Move>, made: &Move, state: &State) -> Result<(), Fault> {
    if chosen.as_ref() == Some(made) {
        return Ok(());
    }
    let words = |action: &Move| {
        // No draw is made by the move itself, so any source will do.
        let command = Command::Act { seat, action: action.clone() };
        let events = state.decide(&command, &mut FastDraws::new(0)).unwrap_or_default();
        events.first().map_or_else(String::new, described)
    };
    let expected = chosen.map_or_else(|| "no move".to_owned(), |chosen| words(&chosen));
    Err(Fault::new(seq, "F3", "the bot would have made another move", expected, words(made)))
}
