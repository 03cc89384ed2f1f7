//! What can be asked of a game, and what the engine makes of it. No IO.

use super::error::PlayError;
use super::invites::InviteCode;
use super::table::Table;
use crate::engine::{
    Bytes32, CloseReason, Command, EntropySource, Event, Move, RuleError, Seat, StartMode, State, Status,
    default_entropy,
};
use crate::ids::AccountId;
use crate::log::Cause;
use crate::store::SeatChange;

/// What is asked of a game.
#[derive(Clone, Debug)]
pub enum Action {
    /// Sit down.
    TakeSeat {
        /// Where; without it at the lowest free seat.
        seat: Option<Seat>,
        /// What the player adds to the randomness (fairness F1).
        entropy: Option<Bytes32>,
        /// What lets a stranger sit down at a private table.
        invite: Option<InviteCode>,
    },
    /// Get up before the start.
    LeaveSeat,
    /// Make a seat free before the start; for the creator.
    VacateSeat {
        /// Which.
        seat: Seat,
    },
    /// Close the table before the start; for the creator.
    Close,
    /// Start the game.
    Start,
    /// Make a move.
    Move {
        /// The version that the player has seen.
        expected_version: u64,
        /// The move.
        action: Move,
    },
}

/// What an action leads to, before it is written.
pub(super) struct Plan {
    pub(super) events: Vec<Event>,
    pub(super) state: State,
    pub(super) cause: Cause,
    /// The seat that the answer is for.
    pub(super) seat: Option<Seat>,
    pub(super) seat_change: Option<SeatChange>,
}

impl Action {
    /// What it is, in a word for the metrics.
    pub(super) const fn word(&self) -> &'static str {
        match self {
            Self::TakeSeat { .. } => "take_seat",
            Self::LeaveSeat => "leave_seat",
            Self::VacateSeat { .. } => "vacate_seat",
            Self::Close => "close",
            Self::Start => "start",
            Self::Move { .. } => "move",
        }
    }

    /// What the action leads to at `table`.
    ///
    /// # Errors
    /// The first refusal that applies, in the order of api.md and R7. Whether an invite is good was found out before.
    pub(super) fn plan(&self, table: &Table, account: AccountId) -> Result<Plan, PlayError> {
        match self {
            Self::TakeSeat { seat, entropy, invite: _ } => take_seat(table, account, *seat, *entropy),
            Self::LeaveSeat => leave_seat(table),
            Self::VacateSeat { seat } => vacate_seat(table, account, *seat),
            Self::Close => close(table, account),
            Self::Start => start(table, account),
            Self::Move { expected_version, action } => make_move(table, *expected_version, action),
        }
    }
}

fn take_seat(
    table: &Table,
    account: AccountId,
    wanted: Option<Seat>,
    entropy: Option<Bytes32>,
) -> Result<Plan, PlayError> {
    if table.seat.is_some() {
        return Err(PlayError::SeatedAlready);
    }
    let mut state = table.state.clone();
    let mut events = Vec::new();
    let seat = sit_down(&mut state, &mut events, &table.row.server_seed, wanted, entropy)?;
    if state.open_seats() == 0 && state.start_mode() == StartMode::Full {
        let mut draws = table.draws(&state);
        state.advance(&Command::Start, &mut draws, &mut events)?;
    }
    Ok(Plan {
        events,
        state,
        cause: Cause::Seat(seat),
        seat: Some(seat),
        seat_change: Some(SeatChange::Take { seat: seat.number(), account }),
    })
}

/// Seats a player at the table, with his own entropy or the server's (fairness F1); gives the seat.
pub(super) fn sit_down(
    state: &mut State,
    events: &mut Vec<Event>,
    server_seed: &[u8; 32],
    wanted: Option<Seat>,
    entropy: Option<Bytes32>,
) -> Result<Seat, RuleError> {
    let lowest = || (0..state.players()).filter_map(Seat::new).find(|seat| !state.is_taken(*seat));
    let seat = wanted.or_else(lowest).unwrap_or_default();
    let (entropy, entropy_from) = match entropy {
        Some(entropy) => (entropy, EntropySource::Player),
        None => (default_entropy(server_seed, seat), EntropySource::Server),
    };
    let command = Command::TakeSeat { seat: Some(seat), entropy, entropy_from };
    // No draw is made when somebody sits down, so any source will do.
    state.advance(&command, &mut crate::engine::FastDraws::new(0), events)?;
    Ok(seat)
}

fn leave_seat(table: &Table) -> Result<Plan, PlayError> {
    let seat = table.seat.ok_or(PlayError::NoSeat)?;
    let (events, state) = advance(table, &Command::LeaveSeat { seat })?;
    let seat_change = Some(SeatChange::Leave { seat: seat.number() });
    Ok(Plan { events, state, cause: Cause::Seat(seat), seat: None, seat_change })
}

fn vacate_seat(table: &Table, account: AccountId, seat: Seat) -> Result<Plan, PlayError> {
    let cause = creators_cause(table, account)?;
    let (events, state) = advance(table, &Command::LeaveSeat { seat })?;
    let seat_change = Some(SeatChange::Leave { seat: seat.number() });
    // A creator who gets up himself is answered as one who has no seat.
    Ok(Plan { events, state, cause, seat: table.seat.filter(|own| *own != seat), seat_change })
}

fn start(table: &Table, account: AccountId) -> Result<Plan, PlayError> {
    let cause = creators_cause(table, account)?;
    let (events, state) = advance(table, &Command::Start)?;
    Ok(Plan { events, state, cause, seat: table.seat, seat_change: None })
}

fn close(table: &Table, account: AccountId) -> Result<Plan, PlayError> {
    let cause = creators_cause(table, account)?;
    let (events, state) = advance(table, &Command::Close { reason: CloseReason::Creator })?;
    Ok(Plan { events, state, cause, seat: table.seat, seat_change: None })
}

/// Nobody asks for it but the clock.
pub(super) fn expire(table: &Table) -> Result<Plan, PlayError> {
    let (events, state) = advance(table, &Command::Close { reason: CloseReason::Expired })?;
    Ok(Plan { events, state, cause: Cause::Clock, seat: None, seat_change: None })
}

fn creators_cause(table: &Table, account: AccountId) -> Result<Cause, PlayError> {
    if table.row.creator == account {
        Ok(table.seat.map_or(Cause::Table, Cause::Seat))
    } else {
        Err(PlayError::NotCreator)
    }
}

fn make_move(table: &Table, expected_version: u64, action: &Move) -> Result<Plan, PlayError> {
    let seat = table.seat.ok_or(PlayError::NoSeat)?;
    match table.state.status() {
        Status::Running => {}
        Status::Open | Status::Ended | Status::Closed => return Err(PlayError::NotRunning),
    }
    if expected_version != table.row.version {
        return Err(PlayError::Stale { version: table.row.version });
    }
    let (events, state) = advance(table, &Command::Act { seat, action: action.clone() })?;
    Ok(Plan { events, state, cause: Cause::Seat(seat), seat: Some(seat), seat_change: None })
}

fn advance(table: &Table, command: &Command) -> Result<(Vec<Event>, State), RuleError> {
    let mut state = table.state.clone();
    let mut events = Vec::new();
    state.advance(command, &mut table.draws(&table.state), &mut events)?;
    Ok((events, state))
}
