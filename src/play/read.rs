//! Reading games: the view, the legal moves, the history, the list. Nothing here changes anything.

use chrono::{DateTime, Utc};

use super::Play;
use super::error::PlayError;
use super::table::{Table, check_account, known_game, lines};
use crate::engine::{Move, View};
use crate::ids::{AccountId, Bearer, GameId};
use crate::log::{Entry, Head, told};
use crate::store::{GameFilter, ListedGame, Seated, Visibility};

/// A game as its caller may know it.
#[derive(Clone, Debug)]
pub struct GameAnswer {
    /// The game.
    pub id: GameId,
    /// Who may know of it.
    pub visibility: Visibility,
    /// Who made it.
    pub creator: AccountId,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// When its newest event happened.
    pub updated_at: DateTime<Utc>,
    /// Who sits there, by seat.
    pub players: Vec<Player>,
    /// The newest event.
    pub head: Head,
    /// The table.
    pub view: View,
}

/// Somebody at a table.
#[derive(Clone, Debug)]
pub struct Player {
    /// The seat.
    pub seat: u8,
    /// The account.
    pub account: AccountId,
    /// Its name as it is now.
    pub name: String,
}

/// The moves that a caller can make now.
#[derive(Clone, Debug)]
pub struct LegalMoves {
    /// The version that they are for.
    pub version: u64,
    /// The moves; none if the decision is not the caller's.
    pub moves: Vec<Move>,
}

/// A part of a game's history.
#[derive(Clone, Debug)]
pub struct History {
    /// The newest event of the game when it was read.
    pub head: Head,
    /// The events, in order.
    pub events: Vec<Entry>,
    /// The number of the last event told, if there are more.
    pub next: Option<u64>,
}

/// A page of the list of games, newest first.
#[derive(Clone, Debug)]
pub struct ListPage {
    /// The games, each with who sits there.
    pub games: Vec<(ListedGame, Vec<Player>)>,
    /// Where the next page begins, if there is one.
    pub next: Option<GameId>,
}

impl Play {
    /// The game as the caller may know it.
    ///
    /// # Errors
    /// [`PlayError`]: 401, 403, 404 in the words of api.md, or a failure of the store.
    pub async fn game(&self, caller: Bearer, game: GameId) -> Result<GameAnswer, PlayError> {
        let table = self.table(caller, game).await?;
        let players = self.store.seated(&[game]).await?.into_iter().map(player).collect();
        Ok(GameAnswer {
            id: game,
            visibility: table.row.visibility,
            creator: table.row.creator,
            created_at: table.row.created_at,
            updated_at: table.row.updated_at,
            players,
            head: table.head(),
            view: table.state.view(table.viewer()),
        })
    }

    /// The moves that the caller can make now.
    ///
    /// # Errors
    /// As [`Play::game`]; also without a seat.
    pub async fn legal_moves(&self, caller: Bearer, game: GameId) -> Result<LegalMoves, PlayError> {
        let table = self.table(caller, game).await?;
        let seat = table.seat.ok_or(PlayError::NoSeat)?;
        Ok(LegalMoves { version: table.row.version, moves: table.state.legal_moves(seat) })
    }

    /// At most `limit` events after the one of number `after`, as the caller may know them.
    ///
    /// # Errors
    /// As [`Play::game`].
    pub async fn history(&self, caller: Bearer, game: GameId, after: u64, limit: u32) -> Result<History, PlayError> {
        let table = self.table(caller, game).await?;
        let (viewer, status, head) = (table.viewer(), table.state.status(), table.head());
        // What is written after the row was read is told the next time, when it is known whether the game has ended.
        let last = after.saturating_add(limit.into()).min(head.version);
        let lines = if after < last { lines(&self.store, &table.row, after + 1, last).await? } else { Vec::new() };
        let events = lines.iter().map(|line| told(line, viewer, status)).collect::<Result<_, _>>()?;
        Ok(History { head, events, next: (last < head.version).then_some(last) })
    }

    /// At most `limit` games that the caller may list, newest first.
    ///
    /// # Errors
    /// As [`Play::game`].
    pub async fn list(
        &self,
        caller: Bearer,
        filter: &GameFilter,
        before: Option<GameId>,
        limit: u32,
    ) -> Result<ListPage, PlayError> {
        let listing = self.store.list_games(caller, filter, before, limit + 1).await?;
        check_account(listing.account)?;
        let mut games = listing.games;
        let more = games.len() > limit as usize;
        games.truncate(limit as usize);
        let next = games.last().filter(|_| more).map(|game| game.id);
        let ids: Vec<GameId> = games.iter().map(|game| game.id).collect();
        let seated = self.store.seated(&ids).await?;
        let at = |id| seated.iter().filter(move |seated| seated.game == id).cloned().map(player).collect();
        let games = games.into_iter().map(|game| (game.clone(), at(game.id))).collect();
        Ok(ListPage { games, next })
    }

    async fn table(&self, caller: Bearer, game: GameId) -> Result<Table, PlayError> {
        let mut found = self.store.read(caller, game, None).await?;
        let row = known_game(&mut found, caller.account)?;
        Table::load(&self.store, row, found.seat).await
    }
}

fn player(seated: Seated) -> Player {
    Player { seat: seated.seat, account: seated.account, name: seated.name }
}
