//! What an account leaves behind when it ends: its seats are given up and the tables that it made are closed, as far as they
//! have not begun. No door of its own: each seat is left and each table is closed as its owner would do it.

use std::time::Duration;

use tokio::time::Instant;
use uuid::Uuid;

use super::error::PlayError;
use super::submit::Action;
use super::{Ask, Caller, Play};
use crate::engine::RuleError;
use crate::ids::{Bearer, GameId};
use crate::store::GameStatus;

impl Play {
    /// Closes all tables that the bearer made, and gives up his seats at all others, where the game has not begun. What was
    /// done stays so, also after an error; it may be asked again, and goes on where it stopped.
    ///
    /// # Errors
    /// [`PlayError::SeatedInGame`] if he sits in a game that is being played: then nothing is given up, but for a game that
    /// began in the same moment. [`PlayError::Unfinished`] if it takes longer than the `patience`. Else as [`Play::change`].
    pub async fn vacate(&self, bearer: Bearer, patience: Duration) -> Result<(), PlayError> {
        let until = Instant::now() + patience;
        let seats = self.store.unfinished_games_of(bearer.account).await?;
        if seats.iter().any(|(_, status)| *status == GameStatus::Running) {
            return Err(PlayError::SeatedInGame);
        }
        let made = self.store.open_tables_of(bearer.account).await?;
        let elsewhere: Vec<_> = seats.into_iter().filter(|(game, _)| made.binary_search(game).is_err()).collect();
        // A table that was closed holds nobody: there no seat needs to be left.
        let closing = made.into_iter().map(|game| (game, Action::Close));
        let leaving = elsewhere.into_iter().map(|(game, _)| (game, Action::LeaveSeat));
        for (game, action) in closing.chain(leaving) {
            if Instant::now() > until {
                return Err(PlayError::Unfinished);
            }
            self.let_go(bearer, game, action).await?;
        }
        Ok(())
    }

    async fn let_go(&self, bearer: Bearer, game: GameId, action: Action) -> Result<(), PlayError> {
        let closing = matches!(action, Action::Close);
        // A key of our own, as he gave none for this; nobody asks for its answer again.
        let key = format!("let-go-{}", Uuid::now_v7().simple());
        let caller = Caller { account: bearer.account, device: bearer.device, key };
        match self.change(Ask { caller, game, action }).await {
            Ok(_)
            | Err(PlayError::NoSeat | PlayError::NoSuchGame | PlayError::Rule(RuleError::Ended | RuleError::Closed)) => {
                Ok(())
            }
            // His table that began just now is others' now; whether he sits there is seen to before the account ends.
            Err(PlayError::Rule(RuleError::AlreadyStarted)) if closing => Ok(()),
            Err(PlayError::Rule(RuleError::AlreadyStarted)) => Err(PlayError::SeatedInGame),
            Err(error) => Err(error),
        }
    }
}
