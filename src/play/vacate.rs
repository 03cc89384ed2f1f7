//! What an account leaves behind when it ends: where the game has not begun its seats are left and the tables that it made are
//! closed; where it has, a bot plays on for it. No door of its own: each is done as the account's owner would do it.

use std::time::Duration;

use tokio::time::Instant;
use uuid::Uuid;

use super::error::PlayError;
use super::submit::Action;
use super::table::{Table, no_account};
use super::{Ask, Caller, Play};
use crate::engine::{BotLevel, RULES_WITH_BOTS, RuleError};
use crate::ids::{Bearer, GameId};
use crate::store::GameStatus;

/// The bot that plays on for who has ended: no pushover for those who stay, and not above most of them.
const SUCCESSOR: BotLevel = BotLevel::Hard;

impl Play {
    /// Closes all tables that the bearer made, and gives up his seats at all others: where the game has not begun they are
    /// free, else a bot plays on. What was done stays so, also after an error; it may be asked again, and goes on where it
    /// stopped.
    ///
    /// # Errors
    /// [`PlayError::SeatedInGame`] if he sits in a game that is being played under rules that know of no bots: then nothing is
    /// given up. [`PlayError::Unfinished`] if it takes longer than the `patience`. Else as [`Play::change`].
    pub async fn vacate(&self, bearer: Bearer, patience: Duration) -> Result<(), PlayError> {
        let until = Instant::now() + patience;
        let seats = self.store.unfinished_games_of(bearer.account).await?;
        for (game, status) in &seats {
            if *status == GameStatus::Running && !self.knows_bots(*game).await? {
                return Err(PlayError::SeatedInGame);
            }
        }
        let made = self.store.open_tables_of(bearer.account).await?;
        let elsewhere: Vec<_> = seats.into_iter().filter(|(game, _)| made.binary_search(game).is_err()).collect();
        // A table that was closed holds nobody: there no seat needs to be left.
        let closing = made.into_iter().map(|game| (game, Action::Close));
        let leaving = elsewhere.into_iter().map(|(game, status)| match status {
            GameStatus::Running => (game, Action::GiveUp { level: SUCCESSOR }),
            GameStatus::Open | GameStatus::Ended | GameStatus::Closed => (game, Action::LeaveSeat),
        });
        for (game, action) in closing.chain(leaving) {
            if Instant::now() > until {
                return Err(PlayError::Unfinished);
            }
            self.let_go(bearer, game, action).await?;
        }
        Ok(())
    }

    async fn knows_bots(&self, game: GameId) -> Result<bool, PlayError> {
        let row = self.store.read(no_account(), game, None).await?.game.ok_or(PlayError::NoSuchGame)?;
        let table = Table::load(&self.store, row, None).await?;
        Ok(table.state.rules() >= RULES_WITH_BOTS)
    }

    async fn let_go(&self, bearer: Bearer, game: GameId, action: Action) -> Result<(), PlayError> {
        // A key of our own, as he gave none for this; nobody asks for its answer again.
        let key = format!("let-go-{}", Uuid::now_v7().simple());
        let caller = Caller { account: bearer.account, device: bearer.device, key };
        match self.change(Ask { caller, game, action }).await {
            // What began, ended or was closed just now is looked at again before the account ends.
            Ok(_)
            | Err(
                PlayError::NoSeat
                | PlayError::NoSuchGame
                | PlayError::Rule(RuleError::Ended | RuleError::Closed | RuleError::AlreadyStarted),
            ) => Ok(()),
            Err(error) => Err(error),
        }
    }
}
