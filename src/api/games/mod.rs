//! Games: tables to sit down at, and what can be seen of them.

pub mod close;
pub mod create;

pub mod list;
pub mod read;
pub mod signed_head;
pub mod start;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::events::EventEntry;
use crate::engine::{BotLevel, Seat, StartMode, Status, View};
use crate::ids::{AccountId, GameId};
use crate::log::{Head, Receipt};
use crate::{play, store};

/// Who may know of a game.
#[derive(Clone, Copy, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// Everybody: it is listed.
    #[default]
    Public,
    /// Everybody who has its id.
    Unlisted,
    /// Those who sit there, its creator, and who has an invite.
    Private,
}

/// A game as the caller may know it: the view of his seat, else that of a spectator.
#[derive(Serialize, ToSchema)]
pub struct Game {
    /// The game's id.
    pub id: GameId,
    /// Who may know of it.
    pub visibility: Visibility,
    /// The account that made it.
    pub creator: AccountId,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// When its newest event happened.
    pub updated_at: DateTime<Utc>,
    /// Whether it was played elsewhere and came here as a file: then none of its players is known.
    pub imported: bool,
    /// Whether its players may ask for hints.
    pub hints: bool,
    /// The accounts that sit there, by seat.
    #[schema(max_items = 5)]
    pub players: Vec<Player>,
    /// The bots that sit there, by seat.
    #[schema(max_items = 5)]
    pub bots: Vec<SeatedBot>,
    /// The number of its events; what a move names as `expected_version`.
    #[schema(minimum = 1)]
    pub version: u64,
    /// The newest event, by which the whole history can be checked.
    pub head: Head,
    /// The table.
    pub view: View,
}

/// An account at a table.
#[derive(Serialize, ToSchema)]
pub struct Player {
    /// The seat.
    pub seat: Seat,
    /// The account.
    pub account_id: AccountId,
    /// Its name as it is now.
    pub name: String,
}

/// A bot at a table.
#[derive(Serialize, ToSchema)]
pub struct SeatedBot {
    /// The seat.
    pub seat: Seat,
    /// How strong it is.
    pub level: BotLevel,
}

/// A game in a list.
#[derive(Serialize, ToSchema)]
pub struct GameSummary {
    /// The game's id.
    pub id: GameId,
    /// How far it has come.
    pub status: Status,
    /// Who may know of it.
    pub visibility: Visibility,
    /// What starts it.
    pub start: StartMode,
    /// The number of seats.
    #[schema(minimum = 3, maximum = 5)]
    pub seats: u8,
    /// How many of them are free.
    #[schema(minimum = 0, maximum = 5)]
    pub open_seats: u8,
    /// The seat whose decision is awaited.
    pub decider: Option<Seat>,
    /// The caller's seat.
    pub my_seat: Option<Seat>,
    /// The account that made it.
    pub creator: AccountId,
    /// Whether it was played elsewhere and came here as a file.
    pub imported: bool,
    /// Whether its players may ask for hints.
    pub hints: bool,
    /// The accounts that sit there, by seat.
    #[schema(max_items = 5)]
    pub players: Vec<Player>,
    /// The bots that sit there, by seat.
    #[schema(max_items = 5)]
    pub bots: Vec<SeatedBot>,
    /// The number of its events.
    #[schema(minimum = 1)]
    pub version: u64,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// When its newest event happened.
    pub updated_at: DateTime<Utc>,
}

/// What an accepted change of a game did. The same request with the same key is given the same again.
#[derive(Serialize, ToSchema)]
pub struct Accepted {
    /// The game's id.
    pub game_id: GameId,
    /// The number of the game's events after the change.
    #[schema(minimum = 1)]
    pub version: u64,
    /// The newest event of the change.
    pub head: Head,
    /// The events that came of it, as the caller may know them.
    #[schema(value_type = Vec<super::events::Event>, max_items = 200)]
    pub events: Vec<EventEntry>,
    /// The table after the change, as the caller may know it.
    pub view: View,
    /// If the caller took a seat by it: the server's signed word that he did, and of all that had happened until then. Keep it: who has
    /// it can prove later that he was shown another history. Else null.
    pub receipt: Option<Receipt>,
}

impl From<play::GameAnswer> for Game {
    fn from(game: play::GameAnswer) -> Self {
        let (players, bots) = seated(game.players);
        Self {
            id: game.id,
            visibility: game.visibility.into(),
            creator: game.creator,
            created_at: game.created_at,
            updated_at: game.updated_at,
            imported: game.imported,
            hints: game.hints,
            players,
            bots,
            version: game.head.version,
            head: game.head,
            view: game.view,
        }
    }
}

/// The accounts and the bots at a table.
fn seated(players: Vec<play::Player>) -> (Vec<Player>, Vec<SeatedBot>) {
    let (mut accounts, mut bots) = (Vec::new(), Vec::new());
    for play::Player { seat, occupant } in players {
        match occupant {
            play::Occupant::Account { id, name } => accounts.push(Player { seat, account_id: id, name }),
            play::Occupant::Bot(level) => bots.push(SeatedBot { seat, level }),
        }
    }
    (accounts, bots)
}

impl From<play::Accepted> for Accepted {
    fn from(accepted: play::Accepted) -> Self {
        let play::Accepted { game, head, events, view, receipt } = accepted;
        Self { game_id: game, version: head.version, head, events, view, receipt }
    }
}

impl From<(store::ListedGame, Vec<play::Player>)> for GameSummary {
    fn from((game, players): (store::ListedGame, Vec<play::Player>)) -> Self {
        let (players, bots) = seated(players);
        Self {
            id: game.id,
            status: match game.status {
                store::GameStatus::Open => Status::Open,
                store::GameStatus::Running => Status::Running,
                store::GameStatus::Ended => Status::Ended,
                store::GameStatus::Closed => Status::Closed,
            },
            visibility: game.visibility.into(),
            start: match game.start {
                store::StartRule::Full => StartMode::Full,
                store::StartRule::Creator => StartMode::Creator,
            },
            seats: game.players,
            open_seats: game.open_seats,
            decider: game.decider.and_then(Seat::new),
            my_seat: game.my_seat.and_then(Seat::new),
            creator: game.creator,
            imported: game.imported,
            hints: game.hints,
            players,
            bots,
            version: game.version,
            created_at: game.created_at,
            updated_at: game.updated_at,
        }
    }
}

impl From<store::Visibility> for Visibility {
    fn from(visibility: store::Visibility) -> Self {
        match visibility {
            store::Visibility::Public => Self::Public,
            store::Visibility::Unlisted => Self::Unlisted,
            store::Visibility::Private => Self::Private,
        }
    }
}

impl From<Visibility> for store::Visibility {
    fn from(visibility: Visibility) -> Self {
        match visibility {
            Visibility::Public => Self::Public,
            Visibility::Unlisted => Self::Unlisted,
            Visibility::Private => Self::Private,
        }
    }
}
