//! A game as it was read, for one caller: who he is at the table, and the table itself.

use super::error::PlayError;
use crate::engine::{Bytes32, Event, FairDraws, Seat, State, Viewer};
use crate::ids::{AccountId, GameId};
use crate::log::{Head, Line, Snapshot};
use crate::store::{AccountStatus, EventRow, Found, GameRow, Store, Visibility};

/// A game that the caller may know of.
pub(super) struct Table {
    pub(super) row: GameRow,
    /// The caller's seat.
    pub(super) seat: Option<Seat>,
    pub(super) state: State,
}

/// Whether the account still stands.
pub(super) fn check_account(status: Option<AccountStatus>) -> Result<(), PlayError> {
    match status {
        Some(AccountStatus::Active) => Ok(()),
        Some(AccountStatus::Banned) => Err(PlayError::Banned),
        Some(AccountStatus::Deleted) | None => Err(PlayError::AccountEnded),
    }
}

/// The game's row, if the caller may know that there is such a game.
pub(super) fn known_game(found: &mut Found, caller: AccountId) -> Result<GameRow, PlayError> {
    check_account(found.account)?;
    let row = found.game.take().ok_or(PlayError::NoSuchGame)?;
    let may_know = match row.visibility {
        Visibility::Public | Visibility::Unlisted => true,
        Visibility::Private => found.seat.is_some() || row.creator == caller,
    };
    if may_know { Ok(row) } else { Err(PlayError::NoSuchGame) }
}

impl Table {
    /// The table of a row that was read.
    pub(super) async fn load(store: &Store, row: GameRow, seat: Option<u8>) -> Result<Self, PlayError> {
        let state = state_at(store, &row, row.version).await?;
        Ok(Self { row, seat: seat.and_then(Seat::new), state })
    }

    pub(super) fn viewer(&self) -> Viewer {
        viewer(self.seat)
    }

    pub(super) fn head(&self) -> Head {
        Head { hash: Bytes32(self.row.head), version: self.row.version }
    }

    pub(super) fn draws(&self, state: &State) -> FairDraws {
        FairDraws::of_game(&self.row.server_seed, self.row.id.bytes(), state.entropy())
    }
}

/// What the caller is at a table: the player in his seat, else a spectator. Nothing that he sends has a say in it.
pub(super) fn viewer(seat: Option<Seat>) -> Viewer {
    seat.map_or(Viewer::Spectator, Viewer::Seat)
}

/// The table at a version: the snapshot, if it is that version's and sound, else folded from the log.
pub(super) async fn state_at(store: &Store, row: &GameRow, version: u64) -> Result<State, PlayError> {
    if let Some(state) = Snapshot::read(&row.snapshot, row.id.bytes(), version) {
        return Ok(state);
    }
    let rows = store.events_between(row.id, 1, version).await?;
    let events: Result<Vec<Event>, _> = rows.into_iter().map(|row| line(row).open()).collect();
    Ok(State::fold(&events?))
}

/// A stored row as a line of the log.
pub(super) fn line(row: EventRow) -> Line {
    Line { seq: row.seq, text: row.line, secret: row.secret, hash: Bytes32(row.hash) }
}

/// The id of the game that a row belongs to, for a read that is about no game.
pub(super) fn no_game() -> GameId {
    GameId::from(uuid::Uuid::nil())
}
