//! A game as it was read, for one caller: who he is at the table, and the table itself.

use super::error::PlayError;
use crate::engine::{Bytes32, Event, FairDraws, Seat, State, Viewer};
use crate::ids::{AccountId, GameId};
use crate::log::{Head, Line, LogError, Snapshot};
use crate::store::{AccountStatus, EventRow, Found, GameRow, GameStatus, Store, Visibility};

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

/// The game's row, if the caller may know that there is such a game. Who acted in it under the key that he sends knows it,
/// also when he has left since: else the answer to a move of his could be lost for good.
/// Who has an invite to a table that has not begun knows it, too.
pub(super) fn known_game(found: &mut Found, caller: AccountId, invited: bool) -> Result<GameRow, PlayError> {
    check_account(found.account)?;
    let row = found.game.take().ok_or(PlayError::NoSuchGame)?;
    if invited || knows(found, &row, caller) { Ok(row) } else { Err(PlayError::NoSuchGame) }
}

/// Whether the game is one that the caller may know of without an invite.
fn knows(found: &Found, row: &GameRow, caller: AccountId) -> bool {
    match row.visibility {
        Visibility::Public | Visibility::Unlisted => true,
        Visibility::Private => {
            let acted = found.request.as_ref().is_some_and(|request| request.game == row.id);
            found.seat.is_some() || row.creator == caller || acted
        }
    }
}

/// Whether an invite to the game that was found is of no use to the caller any more: its table has begun or was closed, and
/// he has no right of his own to know of it.
pub(super) fn comes_too_late(found: &Found, caller: AccountId) -> bool {
    found.game.as_ref().is_some_and(|row| match row.status {
        GameStatus::Open => false,
        GameStatus::Running | GameStatus::Ended | GameStatus::Closed => !knows(found, row, caller),
    })
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

    pub(super) fn draws(&self) -> FairDraws {
        FairDraws::of_game(&self.row.server_seed, self.row.id.bytes(), self.state.entropy())
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
    let lines = lines(store, row, 1, version).await?;
    let events: Result<Vec<Event>, _> = lines.iter().map(Line::open).collect();
    Ok(State::fold(&events?))
}

/// The lines `first..=last` of a game's log, which is at least that long: each follows from the one before it and keeps its
/// secret, and the newest is the one that the row names.
pub(super) async fn lines(store: &Store, row: &GameRow, first: u64, last: u64) -> Result<Vec<Line>, PlayError> {
    let rows = store.events_between(row.id, first.saturating_sub(1).max(1), last).await?;
    let mut lines = rows.into_iter().map(line);
    let mut before = if first > 1 { lines.next().map_or(Head::EMPTY.hash, |line| line.hash) } else { Head::EMPTY.hash };
    let lines: Vec<Line> = lines.collect();
    if let Some(line) = lines.first() {
        // A game that is newer than this program is no corrupt one, whatever its chain is made of.
        line.fact()?;
    }
    for line in &lines {
        let newest = line.seq < row.version || line.hash.0 == row.head;
        if !newest || !line.follows(before) {
            return Err(LogError::Chain { seq: line.seq }.into());
        }
        if !line.keeps_its_secret(&row.server_seed) {
            return Err(LogError::Secret { seq: line.seq }.into());
        }
        before = line.hash;
    }
    Ok(lines)
}

/// A stored row as a line of the log.
pub(super) fn line(row: EventRow) -> Line {
    Line { seq: row.seq, text: row.line, secret: row.secret, hash: Bytes32(row.hash) }
}

/// The account of nobody, for a read that nobody asked for.
pub(super) fn no_account() -> AccountId {
    AccountId::from(uuid::Uuid::nil())
}

/// The id of the game that a row belongs to, for a read that is about no game.
pub(super) fn no_game() -> GameId {
    GameId::from(uuid::Uuid::nil())
}
