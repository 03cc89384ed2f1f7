//! Giving up all seats before an account ends. No door of its own: each seat is left as its owner would leave it.

use uuid::Uuid;

use super::error::PlayError;
use super::submit::Action;
use super::{Ask, Caller, Play};
use crate::engine::RuleError;
use crate::ids::Bearer;
use crate::store::GameStatus;

impl Play {
    /// Gives up the bearer's seats at all tables whose game has not begun. What was given up stays so, also after an error; it
    /// may be asked again.
    ///
    /// # Errors
    /// [`PlayError::SeatedInGame`] if he sits in a game that is being played: then no seat is given up, but for one that began
    /// in the same moment. Else as [`Play::change`].
    pub async fn give_up_seats(&self, bearer: Bearer) -> Result<(), PlayError> {
        let games = self.store.unfinished_games_of(bearer.account).await?;
        if games.iter().any(|(_, status)| *status == GameStatus::Running) {
            return Err(PlayError::SeatedInGame);
        }
        for (game, _) in games {
            // A key of our own, as he gave none for this; nobody asks for its answer again.
            let key = format!("give-up-seat-{}", Uuid::now_v7().simple());
            let caller = Caller { account: bearer.account, device: bearer.device, key };
            match self.change(Ask { caller, game, action: Action::LeaveSeat }).await {
                Ok(_)
                | Err(
                    PlayError::NoSeat | PlayError::NoSuchGame | PlayError::Rule(RuleError::Ended | RuleError::Closed),
                ) => {}
                Err(PlayError::Rule(RuleError::AlreadyStarted)) => return Err(PlayError::SeatedInGame),
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}
