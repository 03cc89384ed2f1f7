//! What can be asked of a game, and what the engine makes of it. No IO.

use super::error::PlayError;
use super::invites::InviteCode;
use super::plan::Plan;
use super::table::Table;
use crate::engine::{BotLevel, Bytes32, CloseReason, Command, Move, Seat, Status};
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
    /// Give a free seat to a bot before the start; for the creator.
    SeatBot {
        /// Which.
        seat: Seat,
        /// How strong the bot is.
        level: BotLevel,
    },
    /// Give one's seat up for good while the game runs: a bot plays it from then on.
    GiveUp {
        /// How strong the bot is.
        level: BotLevel,
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

impl Action {
    /// What it is, in a word for the metrics.
    pub(super) const fn word(&self) -> &'static str {
        match self {
            Self::TakeSeat { .. } => "take_seat",
            Self::LeaveSeat => "leave_seat",
            Self::VacateSeat { .. } => "vacate_seat",
            Self::SeatBot { .. } => "seat_bot",
            Self::GiveUp { .. } => "give_up",
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
            Self::SeatBot { seat, level } => seat_bot(table, account, *seat, *level),
            Self::GiveUp { level } => give_up(table, *level),
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
    let mut plan = Plan::at(table);
    let seat = plan.seat_wanted(wanted);
    plan.sit_down(Cause::Seat(seat), seat, account, &table.row.server_seed, entropy)?;
    plan.start_if_full(Cause::Seat(seat), table.row.id, &table.row.server_seed)?;
    Ok(plan.answering(Some(seat)))
}

fn leave_seat(table: &Table) -> Result<Plan, PlayError> {
    let seat = table.seat.ok_or(PlayError::NoSeat)?;
    get_up(table, Cause::Seat(seat), seat)
}

fn vacate_seat(table: &Table, account: AccountId, seat: Seat) -> Result<Plan, PlayError> {
    let plan = get_up(table, creators_cause(table, account)?, seat)?;
    // A creator who gets up himself is answered as one who has no seat.
    Ok(plan.answering(table.seat.filter(|own| *own != seat)))
}

fn get_up(table: &Table, cause: Cause, seat: Seat) -> Result<Plan, PlayError> {
    let mut plan = Plan::at(table);
    plan.carry_out(cause, &Command::LeaveSeat { seat }, &mut table.draws())?;
    plan.seats.push(SeatChange::Leave { seat: seat.number() });
    Ok(plan)
}

/// A bot that sits down is its own cause, whoever lets it (fairness F3).
fn seat_bot(table: &Table, account: AccountId, seat: Seat, level: BotLevel) -> Result<Plan, PlayError> {
    creators_cause(table, account)?;
    let mut plan = Plan::at(table);
    plan.seat_bot(seat, level)?;
    plan.start_if_full(Cause::Bot(seat), table.row.id, &table.row.server_seed)?;
    Ok(plan.answering(table.seat))
}

/// He is answered as the spectator that he is from now on (R5.4).
fn give_up(table: &Table, level: BotLevel) -> Result<Plan, PlayError> {
    let seat = table.seat.ok_or(PlayError::NoSeat)?;
    let mut plan = Plan::at(table);
    plan.hand_over(Cause::Seat(seat), seat, level)?;
    Ok(plan)
}

fn start(table: &Table, account: AccountId) -> Result<Plan, PlayError> {
    let plan = Plan::of(table, creators_cause(table, account)?, &Command::Start)?;
    Ok(plan.answering(table.seat))
}

fn close(table: &Table, account: AccountId) -> Result<Plan, PlayError> {
    let command = Command::Close { reason: CloseReason::Creator };
    let plan = Plan::of(table, creators_cause(table, account)?, &command)?;
    Ok(plan.answering(table.seat))
}

/// Nobody asks for it but the clock.
pub(super) fn expire(table: &Table) -> Result<Plan, PlayError> {
    Plan::of(table, Cause::Clock, &Command::Close { reason: CloseReason::Expired })
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
    let plan = Plan::of(table, Cause::Seat(seat), &Command::Act { seat, action: action.clone() })?;
    Ok(plan.answering(Some(seat)))
}
