//! Bots at the table: what one is given to think about, and its move through the door.
//!
//! A bot gets what its seat may see, by the function that decides it for everybody, its legal moves, and a seed; its move is
//! written by the same guarded statement as a person's, at the version that it thought about. It is made at a time that
//! follows from public facts alone (when its turn began, and its level), so it tells nothing by when it comes. Must never:
//! hand out the table, the seed of the game, or what another seat holds.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use tokio::sync::Notify;

use super::Play;
use super::change::{Sealed, event_time};
use super::error::PlayError;
use super::plan::Plan;
use super::table::{Table, lines, no_account};
use super::thinking::Thinking;
use crate::bots::{LEVELS, Strength};
use crate::engine::{BotLevel, Command, Event, Knowledge, Move, Seat, State, Viewer, bot_seed};
use crate::ids::GameId;
use crate::log::{Cause, Line};
use crate::store::{DueGame, StoreError};

/// How long a server has a game to itself while it thinks about a move, in seconds.
const LEASE_S: u32 = 15;
/// How long before its time a move may be thought about, in milliseconds: from the beginning of the turn at the usual pace.
const AHEAD_MS: u32 = 3_000;
/// How often a move is tried again that collided with another statement.
const COLLISIONS: usize = 3;
/// The word of a bot's move in the metrics.
const BOT_MOVE: &str = "bot_move";

/// How bots play on a server.
#[derive(Clone, Debug)]
pub struct BotSettings {
    /// How long they take for a move, in percent of their levels' pace.
    pub pace_percent: u16,
    /// How many moves are thought about at once; with 0 the bots of this server rest.
    pub threads: usize,
}

/// The bots of a server. Clones are the same.
#[derive(Clone)]
pub(super) struct Bots {
    pace_percent: u16,
    pub(super) thinking: Thinking,
    begun: Arc<Notify>,
}

/// A move that a bot is to make, and all that it may know. Its `Debug` shows nothing of it.
pub struct BotTurn {
    game: GameId,
    version: u64,
    seat: Seat,
    fixed_at: DateTime<Utc>,
    /// How strong the bot is.
    pub level: BotLevel,
    /// What its seat has lawfully seen.
    pub known: Knowledge,
    /// Its legal moves.
    pub legal: Vec<Move>,
    /// What it takes its chance from.
    pub seed: [u8; 32],
}

impl Bots {
    pub(super) fn new(settings: &BotSettings) -> Self {
        let thinking = Thinking::on(settings.threads);
        Self { pace_percent: settings.pace_percent, thinking, begun: Arc::default() }
    }

    /// When the bot that decides at this table is to move, if one does; `at` is when its turn began.
    pub(super) fn wake_at(&self, state: &State, at: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let level = state.bot(state.decision()?.seat)?;
        Some(at + self.pace(level))
    }

    fn pace(&self, level: BotLevel) -> Duration {
        let pace_ms = LEVELS.iter().find(|one| one.level == level).map_or(0, |one| one.pace_ms);
        Duration::from_millis(u64::from(pace_ms) * u64::from(self.pace_percent) / 100)
    }

    /// Tells whoever waits in [`Play::until_a_bot_may_be_due`].
    pub(super) fn turn_has_begun(&self) {
        self.begun.notify_one();
    }
}

impl Play {
    /// The same door, with bots that play like this.
    #[must_use]
    pub fn with_bots(self, settings: &BotSettings) -> Self {
        Self { bots: Bots::new(settings), ..self }
    }

    /// The levels of the bots, the weakest first, each with the time that it takes for a move here.
    pub fn bot_levels(&self) -> impl Iterator<Item = (Strength, Duration)> {
        LEVELS.iter().map(|one| (*one, self.bots.pace(one.level)))
    }

    /// The limit that all thinking shares.
    pub fn thinking(&self) -> &Thinking {
        &self.bots.thinking
    }

    /// Returns when this server has begun a bot's turn since the last call, or else never.
    pub async fn until_a_bot_may_be_due(&self) {
        self.bots.begun.notified().await;
    }

    /// The next game whose bot is to be thought about, which is this server's for a while; none of `but`.
    ///
    /// # Errors
    /// A failure of the store.
    pub async fn lease_bot_turn(&self, but: &[GameId]) -> Result<Option<DueGame>, StoreError> {
        self.store.lease_due_game(LEASE_S, AHEAD_MS, but).await
    }

    /// Leaves a game to other servers.
    ///
    /// # Errors
    /// A failure of the store.
    pub async fn leave_bot_turn(&self, due: &DueGame) -> Result<(), StoreError> {
        self.store.give_up_lease(due.id, due.version).await
    }

    /// What the bot is to think about; none if the game has gone on.
    ///
    /// # Errors
    /// [`PlayError`] if what is stored cannot be read, or waits for no bot.
    pub async fn bot_turn(&self, due: &DueGame) -> Result<Option<BotTurn>, PlayError> {
        let row = self.store.read(no_account(), due.id, None).await?.game.ok_or(PlayError::NoSuchGame)?;
        if row.version != due.version {
            return Ok(None);
        }
        let lines = lines(&self.store, &row, 1, row.version).await?;
        let events: Vec<Event> = lines.iter().map(Line::open).collect::<Result<_, _>>()?;
        let state = State::fold(&events);
        let decider = state.decision().and_then(|decision| Some((decision.seat, state.bot(decision.seat)?)));
        let Some((seat, level)) = decider else {
            return Err(StoreError::Corrupt { what: "the game's row waits for a bot, its log does not".into() }.into());
        };
        Ok(Some(BotTurn {
            game: due.id,
            version: due.version,
            seat,
            fixed_at: due.wake_at,
            level,
            known: Knowledge::of(Viewer::Seat(seat), &events, state.status()),
            legal: state.legal_moves(seat),
            seed: bot_seed(&row.server_seed, seat, due.version + 1),
        }))
    }

    /// Makes a bot's move, unless the game has gone on; whether it did. Its time is never before the one that is fixed.
    ///
    /// # Errors
    /// [`PlayError`]; what came of a write that got lost the next look at the game tells.
    pub async fn make_bot_move(&self, turn: &BotTurn, action: Move) -> Result<bool, PlayError> {
        let command = Command::Act { seat: turn.seat, action };
        for _ in 0..COLLISIONS {
            let found = self.store.read(no_account(), turn.game, None).await?;
            let row = found.game.ok_or(PlayError::NoSuchGame)?;
            if row.version != turn.version {
                return Ok(false);
            }
            let table = Table::load(&self.store, row, None).await?;
            let plan = Plan::of(&table, Cause::Bot(turn.seat), &command)?;
            let at = event_time(found.now).max(table.row.updated_at).max(turn.fixed_at);
            let sealed = Sealed::new(BOT_MOVE, &table.row.server_seed, table.head(), plan, at)?;
            match self.write(None, turn.game, Some(turn.version), None, sealed).await {
                Ok(written) => return Ok(written.is_some()),
                Err(StoreError::Conflict { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(PlayError::Crowded)
    }
}

impl fmt::Debug for BotTurn {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("BotTurn").field("game", &self.game).field("seat", &self.seat).finish_non_exhaustive()
    }
}
