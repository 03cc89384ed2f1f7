//! Reading games: the view, the legal moves, the history, the list. Nothing here changes anything.

use chrono::{DateTime, Utc};

use super::Play;
use super::error::PlayError;
use super::plan::level;
use super::table::{Table, check_account, known_game, lines, viewer as viewer_in};
use crate::engine::{BotLevel, Event, Fact, Move, Seat, State, Status, View};
use crate::ids::{AccountId, Bearer, GameId};
use crate::log::{Entry, Head, Line, LogError, told};
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
    /// Whether it was played elsewhere, and came as a file.
    pub imported: bool,
    /// Whether its players may ask for hints.
    pub hints: bool,
    /// The newest event.
    pub head: Head,
    /// The table.
    pub view: View,
}

/// Somebody at a table.
#[derive(Clone, Debug)]
pub struct Player {
    /// The seat.
    pub seat: Seat,
    /// Who sits there.
    pub occupant: Occupant,
}

/// Who sits in a seat.
#[derive(Clone, Debug)]
pub enum Occupant {
    /// A person.
    Account {
        /// The account.
        id: AccountId,
        /// Its name as it is now.
        name: String,
    },
    /// A bot of this level.
    Bot(BotLevel),
}

impl Occupant {
    const fn bot(&self) -> Option<BotLevel> {
        match self {
            Self::Account { .. } => None,
            Self::Bot(level) => Some(*level),
        }
    }
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
        let (table, players) = self.table_and_players(caller, game).await?;
        Ok(game_answer(table, players))
    }

    /// The game as the caller knew it when it had come as far as the version `at`, also after the end (R5.4): the view of
    /// his seat by what had happened until then. Before the start seats change hands, and the log does not say whose;
    /// until he took the seat that he has now he is shown the table as a spectator.
    ///
    /// # Errors
    /// As [`Play::game`]; [`PlayError::NoSuchVersion`].
    pub async fn game_at(&self, caller: Bearer, game: GameId, at: u64) -> Result<GameAnswer, PlayError> {
        let (table, players) = self.table_and_players(caller, game).await?;
        if at == 0 || at > table.row.version {
            return Err(PlayError::NoSuchVersion { at, version: table.row.version });
        }
        let (viewer, row) = (table.seat, table.row.clone());
        let now = game_answer(table, players);
        if at == row.version {
            return Ok(now);
        }
        let past = lines(&self.reads, &row, 1, at).await?;
        let events: Result<Vec<Event>, _> = past.iter().map(Line::open).collect();
        let state = State::fold(&events?);
        let later = match state.status() {
            Status::Open => lines(&self.reads, &row, at + 1, row.version).await?,
            Status::Running | Status::Ended | Status::Closed => Vec::new(),
        };
        let taken_later = taken(&later)?;
        let sat_then = |seat: &Seat| state.is_taken(*seat) && !taken_later.contains(seat);
        // Whose seat a bot has taken over since then is not known any more.
        let played_then = |one: &Player| sat_then(&one.seat) && state.bot(one.seat) == one.occupant.bot();
        let newest = past.last().ok_or(PlayError::NoSuchVersion { at, version: row.version })?;
        Ok(GameAnswer {
            updated_at: newest.at()?,
            players: now.players.into_iter().filter(played_then).collect(),
            head: Head { hash: newest.hash, version: at },
            view: state.view(viewer_in(viewer.filter(sat_then))),
            ..now
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
        let lines = if after < last { lines(&self.reads, &table.row, after + 1, last).await? } else { Vec::new() };
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
        let listing = self.reads.list_games(caller, filter, before, limit + 1).await?;
        check_account(listing.account)?;
        let mut games = listing.games;
        let more = games.len() > limit as usize;
        games.truncate(limit as usize);
        let next = games.last().filter(|_| more).map(|game| game.id);
        let ids: Vec<GameId> = games.iter().map(|game| game.id).collect();
        let seated = self.reads.seated(&ids).await?;
        let at = |id| seated.iter().filter(move |seated| seated.game == id).cloned().filter_map(player).collect();
        let games = games.into_iter().map(|game| (game.clone(), at(game.id))).collect();
        Ok(ListPage { games, next })
    }

    pub(super) async fn table(&self, caller: Bearer, game: GameId) -> Result<Table, PlayError> {
        let mut found = self.reads.read(caller, game, None).await?;
        let row = known_game(&mut found, caller.account, false)?;
        Table::load(&self.reads, row, found.seat).await
    }

    async fn table_and_players(&self, caller: Bearer, game: GameId) -> Result<(Table, Vec<Seated>), PlayError> {
        let (mut found, players) = self.reads.read_table(caller, game).await?;
        let row = known_game(&mut found, caller.account, false)?;
        Ok((Table::load(&self.reads, row, found.seat).await?, players))
    }
}

pub(super) fn game_answer(table: Table, players: Vec<Seated>) -> GameAnswer {
    GameAnswer {
        id: table.row.id,
        visibility: table.row.visibility,
        creator: table.row.creator,
        created_at: table.row.created_at,
        updated_at: table.row.updated_at,
        imported: table.row.imported.is_some(),
        hints: table.row.hints,
        players: players.into_iter().filter_map(player).collect(),
        head: table.head(),
        view: table.state.view(table.viewer()),
    }
}

/// The seats that somebody sat down in by these lines.
fn taken(lines: &[Line]) -> Result<Vec<Seat>, LogError> {
    let mut seats = Vec::new();
    for line in lines {
        if let Fact::SeatTaken(taken) = line.fact()? {
            seats.push(taken.seat);
        }
    }
    Ok(seats)
}

/// None for a row that the constraints of the database forbid.
fn player(Seated { seat, account, name, bot, .. }: Seated) -> Option<Player> {
    let occupant = match (bot, account, name) {
        (Some(bot), _, _) => Occupant::Bot(level(bot)),
        (None, Some(id), Some(name)) => Occupant::Account { id, name },
        (None, _, _) => return None,
    };
    Some(Player { seat: Seat::new(seat)?, occupant })
}
