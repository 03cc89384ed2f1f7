//! What a change leads to, before it is written: step by step, each with who caused it.

use super::error::PlayError;
use super::table::Table;
use crate::bots::BOTS_VERSION;
use crate::engine::{
    BotLevel, Bytes32, Command, Draws, EntropySource, Event, FairDraws, FastDraws, RuleError, Seat, StartMode, State,
    default_entropy,
};
use crate::ids::{AccountId, GameId};
use crate::log::Cause;
use crate::store::{self, SeatChange};

/// What is to be written.
pub(super) struct Plan {
    /// What happens, in order: each command's events, and who caused them.
    pub(super) steps: Vec<(Cause, Vec<Event>)>,
    /// The table after all of it.
    pub(super) state: State,
    /// The seat that the answer is for.
    pub(super) seat: Option<Seat>,
    /// Who sits where from then on.
    pub(super) seats: Vec<SeatChange>,
}

impl Plan {
    /// At a table that nobody has set up.
    pub(super) fn new() -> Self {
        Self { steps: Vec::new(), state: State::default(), seat: None, seats: Vec::new() }
    }

    /// At a table as it is.
    pub(super) fn at(table: &Table) -> Self {
        Self { state: table.state.clone(), ..Self::new() }
    }

    /// Of one command.
    ///
    /// # Errors
    /// The rule that forbids it.
    pub(super) fn of(table: &Table, cause: Cause, command: &Command) -> Result<Self, PlayError> {
        let mut plan = Self::at(table);
        plan.carry_out(cause, command, &mut table.draws())?;
        Ok(plan)
    }

    /// To be answered to the player in that seat; without it, as to a spectator.
    pub(super) fn answering(self, seat: Option<Seat>) -> Self {
        Self { seat, ..self }
    }

    /// Adds what a command leads to.
    ///
    /// # Errors
    /// The rule that forbids it; then nothing was added.
    pub(super) fn carry_out(
        &mut self,
        cause: Cause,
        command: &Command,
        draws: &mut impl Draws,
    ) -> Result<(), RuleError> {
        let mut events = Vec::new();
        self.state.advance(command, draws, &mut events)?;
        self.steps.push((cause, events));
        Ok(())
    }

    /// The seat that is asked for, or the lowest that is free.
    pub(super) fn seat_wanted(&self, wanted: Option<Seat>) -> Seat {
        let mut seats = (0..self.state.players()).filter_map(Seat::new);
        wanted.or_else(|| seats.find(|seat| !self.state.is_taken(*seat))).unwrap_or_default()
    }

    /// Seats a player, with his own entropy or the server's (fairness F1).
    ///
    /// # Errors
    /// The rule that forbids it.
    pub(super) fn sit_down(
        &mut self,
        cause: Cause,
        seat: Seat,
        account: AccountId,
        server_seed: &[u8; 32],
        entropy: Option<Bytes32>,
    ) -> Result<(), RuleError> {
        let (entropy, entropy_from) = match entropy {
            Some(entropy) => (entropy, EntropySource::Player),
            None => (default_entropy(server_seed, seat), EntropySource::Server),
        };
        self.without_draws(cause, &Command::TakeSeat { seat: Some(seat), entropy, entropy_from })?;
        self.seats.push(SeatChange::Take { seat: seat.number(), account });
        Ok(())
    }

    /// Seats a bot, which adds nothing to the randomness (fairness F1).
    ///
    /// # Errors
    /// The rule that forbids it.
    pub(super) fn seat_bot(&mut self, seat: Seat, level: BotLevel) -> Result<(), RuleError> {
        let (entropy, entropy_from) = (Bytes32::default(), EntropySource::Bot);
        let cause = Cause::Bot(seat);
        self.without_draws(cause, &Command::TakeSeat { seat: Some(seat), entropy, entropy_from })?;
        self.without_draws(cause, &assigned(seat, level))?;
        self.seats.push(SeatChange::Place { seat: seat.number(), bot: stored(level) });
        Ok(())
    }

    /// Lets a bot play a player's seat from now on.
    ///
    /// # Errors
    /// The rule that forbids it.
    pub(super) fn hand_over(&mut self, cause: Cause, seat: Seat, level: BotLevel) -> Result<(), RuleError> {
        self.without_draws(cause, &assigned(seat, level))?;
        self.seats.push(SeatChange::HandOver { seat: seat.number(), bot: stored(level) });
        Ok(())
    }

    /// Starts the game if that is what the last one to sit down does.
    ///
    /// # Errors
    /// The rule that forbids it.
    pub(super) fn start_if_full(
        &mut self,
        cause: Cause,
        game: GameId,
        server_seed: &[u8; 32],
    ) -> Result<(), RuleError> {
        if self.state.open_seats() > 0 || self.state.start_mode() != StartMode::Full {
            return Ok(());
        }
        let mut draws = FairDraws::of_game(server_seed, game.bytes(), self.state.entropy());
        self.carry_out(cause, &Command::Start, &mut draws)
    }

    /// What draws nothing, so that any source will do.
    pub(super) fn without_draws(&mut self, cause: Cause, command: &Command) -> Result<(), RuleError> {
        self.carry_out(cause, command, &mut FastDraws::new(0))
    }
}

const fn assigned(seat: Seat, level: BotLevel) -> Command {
    Command::AssignBot { seat, level, version: BOTS_VERSION }
}

/// The level as the store knows it.
pub(super) const fn stored(level: BotLevel) -> store::BotLevel {
    match level {
        BotLevel::Easy => store::BotLevel::Easy,
        BotLevel::Normal => store::BotLevel::Normal,
        BotLevel::Hard => store::BotLevel::Hard,
        BotLevel::Expert => store::BotLevel::Expert,
    }
}

/// A level that was stored.
pub(super) const fn level(stored: store::BotLevel) -> BotLevel {
    match stored {
        store::BotLevel::Easy => BotLevel::Easy,
        store::BotLevel::Normal => BotLevel::Normal,
        store::BotLevel::Hard => BotLevel::Hard,
        store::BotLevel::Expert => BotLevel::Expert,
    }
}
