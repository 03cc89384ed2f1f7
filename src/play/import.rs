//! Games that come from elsewhere as a file: audited first, and then kept as they came.

use super::Play;
use super::table::no_account;
use crate::audit::{self, Notes, Verdict};
use crate::engine::{Event, State, Status};
use crate::ids::GameId;
use crate::log::{End, Export, Line, LogError, Snapshot};
use crate::store::{Change, Constraint, GameStatus, Import, NewEvent, NewGame, StartRule, StoreError, Visibility};

/// Why a file is not taken in.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// It does not hold, or the game has not ended.
    #[error("the game is not imported: {why}")]
    Refused {
        /// Why.
        why: String,
    },
    /// There is a game of that id.
    #[error("game {game} is there already")]
    Exists {
        /// The game.
        game: GameId,
    },
    /// The log cannot be read.
    #[error("{0}")]
    Log(#[from] LogError),
    /// The store failed.
    #[error("{0}")]
    Store(#[from] StoreError),
}

impl Play {
    /// Takes in the file of a finished game. It touches no account, and is exported again byte for byte.
    ///
    /// # Errors
    /// [`ImportError`]; nothing was changed.
    pub async fn import(&self, text: &str, visibility: Visibility) -> Result<GameId, ImportError> {
        let refused = |why: String| ImportError::Refused { why };
        let report = audit::audit(text, &Notes::default());
        match (report.verdict, report.fault) {
            (Verdict::Consistent | Verdict::Anchored, _) => {}
            (Verdict::Incomplete, _) => return Err(refused("the game has not ended".into())),
            (Verdict::Faulty, fault) => {
                return Err(refused(fault.map_or_else(String::new, |fault| fault.to_string())));
            }
        }
        let Export { lines, end } = Export::read(text);
        let (Some(id), Ok(End { key, signature, server_seed: Some(server_seed), .. })) = (report.game_id, end) else {
            return Err(refused("the file is not whole".into()));
        };
        let events: Vec<Event> = lines.iter().map(Line::open).collect::<Result<_, _>>()?;
        let state = State::fold(&events);
        let (Some(first), Some(last)) = (lines.first(), lines.last()) else {
            return Err(refused("the file has no event".into()));
        };
        let mut proof = [0; 96];
        proof.iter_mut().zip(key.0.into_iter().chain(signature.0)).for_each(|(to, from)| *to = from);
        let game = NewGame {
            id: GameId::from(id),
            server_seed,
            visibility,
            start: StartRule::Full,
            players: state.players(),
            creator: no_account(),
            hints: false,
            imported: Some(Import { proof, created_at: first.at()? }),
        };
        let stored = lines.iter().map(|line| NewEvent {
            line: line.text.clone(),
            secret: line.secret.clone(),
            hash: line.hash.0,
        });
        let change = Change {
            events: &stored.collect::<Vec<_>>(),
            snapshot: &Snapshot::to_bytes(id.as_bytes(), last.seq, &state),
            status: match state.status() {
                Status::Closed => GameStatus::Closed,
                Status::Ended | Status::Open | Status::Running => GameStatus::Ended,
            },
            open_seats: state.open_seats(),
            decider: None,
            bots: 0,
            wake_at: None,
            at: last.at()?,
            request: None,
            seats: Vec::new(),
        };
        match self.store.create(&game, &change).await {
            Ok(()) => Ok(game.id),
            Err(StoreError::Constraint(Constraint::GameId)) => Err(ImportError::Exists { game: game.id }),
            Err(error) => Err(error.into()),
        }
    }
}
