//! Whether what is stored of a game fits together: log, row, snapshot, seats and keys. Nothing here changes anything.

use super::Play;
use super::export::imported_head;
use super::plan::level;
use super::table::{line, no_account};
use crate::audit;
use crate::engine::{Seat, State, Status};
use crate::ids::GameId;
use crate::log::{Head, Line, LogError, Snapshot};
use crate::store::{GameRow, GameStatus, StoreError};

/// How often a game is looked at anew that is changed while it is looked at.
const ATTEMPTS: usize = 5;

impl Play {
    /// At most `limit` games after `after`, by their ids; for the operator.
    ///
    /// # Errors
    /// A failure of the store.
    pub async fn games_after(&self, after: GameId, limit: u32) -> Result<Vec<GameId>, StoreError> {
        self.reads.games_after(after, None, limit).await
    }

    /// What of a game does not fit, in words; nothing if all does. It is held in memory as a whole, and no other one is.
    ///
    /// # Errors
    /// A failure of the store.
    pub async fn verify(&self, game: GameId) -> Result<Vec<String>, StoreError> {
        let mut found = Vec::new();
        for _ in 0..ATTEMPTS {
            let Some(row) = self.reads.read(no_account(), game, None).await?.game else {
                return Ok(vec!["the game is gone".into()]);
            };
            let (before, version) = (row.version, row.version);
            found = self.verify_row(row).await?;
            let now = self.reads.read(no_account(), game, None).await?.game.map_or(0, |row| row.version);
            if found.is_empty() || now == before {
                break;
            }
            tracing::debug!(%game, version, "the game went on while it was looked at");
        }
        Ok(found)
    }

    async fn verify_row(&self, row: GameRow) -> Result<Vec<String>, StoreError> {
        let rows = match self.reads.events_between(row.id, 1, row.version).await {
            Ok(rows) => rows,
            Err(StoreError::Corrupt { what }) => return Ok(vec![what]),
            Err(error) => return Err(error),
        };
        let mut found = Vec::new();
        if self.reads.events(row.id, row.version, 1).await?.into_iter().next().is_some() {
            // Of a game that was changed meanwhile it is looked at anew.
            found.push(format!("the log goes on after version {} of the row", row.version));
        }
        let lines: Vec<Line> = rows.into_iter().map(line).collect();
        match audit::audit_log(&lines, &row.server_seed) {
            Ok((state, head)) => {
                if head.hash.0 != row.head {
                    found.push("the row's head is not that of the log".into());
                }
                self.verify_state(&row, &state, head, &mut found).await?;
            }
            Err(fault) if matches!(lines.first().map(Line::public), Some(Err(LogError::Newer))) => {
                found.push(format!("the game is newer than this program: {fault}"));
            }
            Err(fault) => found.push(fault.to_string()),
        }
        Ok(found)
    }

    async fn verify_state(
        &self,
        row: &GameRow,
        state: &State,
        head: Head,
        found: &mut Vec<String>,
    ) -> Result<(), StoreError> {
        match Snapshot::read(&row.snapshot, row.id.bytes(), row.version) {
            Some(snapshot) if snapshot == *state => {}
            Some(_) => found.push("the snapshot is of another table than the log".into()),
            None => found.push("the snapshot cannot be read".into()),
        }
        let status = match state.status() {
            Status::Open => GameStatus::Open,
            Status::Running => GameStatus::Running,
            Status::Ended => GameStatus::Ended,
            Status::Closed => GameStatus::Closed,
        };
        let decision = state.decision();
        let decider = decision.map(|decision| decision.seat.number());
        if (row.status, row.players, row.open_seats, row.decider)
            != (status, state.players(), state.open_seats(), decider)
        {
            found.push("the row's status, seats or decider are not those of the log".into());
        }
        let of_a_bot = decision.is_some_and(|decision| state.bot(decision.seat).is_some());
        if row.wake_at.is_some() != of_a_bot {
            found.push("the row waits for a bot and the log does not, or the other way round".into());
        }
        if row.imported.is_some() {
            if !imported_head(row, head).is_some_and(|signed| signed.holds()) {
                found.push("the signature that the game came with does not hold".into());
            }
        } else {
            let seats = (0..state.players()).filter_map(Seat::new).filter(|seat| state.is_taken(*seat));
            let taken: Vec<_> = seats.map(|seat| (seat.number(), state.bot(seat))).collect();
            let seated = self.reads.seated(&[row.id]).await?;
            let seated: Vec<_> = seated.iter().map(|seated| (seated.seat, seated.bot.map(level))).collect();
            if seated != taken {
                found.push(format!("the log has the seats and bots {taken:?}, the table of seats {seated:?}"));
            }
        }
        for request in self.reads.requests_of(row.id).await? {
            let seat = request.seat.is_none_or(|seat| seat < row.players);
            if request.last_seq > row.version || !seat {
                found.push(format!("a key is remembered for the events {} to {}", request.first_seq, request.last_seq));
            }
        }
        Ok(())
    }
}
