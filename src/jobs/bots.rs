//! Plays the bots: takes the games that wait for one, a little before their time, thinks, waits for the fixed time, and makes
//! the move through the door (`play`), which sees to it that each is made once.
//!
//! Every server with threads to think on does it; a lease keeps two from thinking about the same move. What a server had begun
//! when it was killed others take up once its leases have run out. A game that cannot be played is left alone for a while, by
//! this server alone, as another one may be able to. Must never: hold more games than there is room to think about, or let
//! a move come earlier or later for what was thought.

use std::collections::BTreeMap;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::{Instant, sleep, sleep_until};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::bots;
use crate::ids::GameId;
use crate::play::{BrokeOff, Place, Play, PlayError};
use crate::store::{DueGame, StoreError};

/// How often to look for turns that other servers have begun, as long as there is something to do …
const LIVELY: Duration = Duration::from_millis(100);
/// … and when there was nothing for a while. What this server begins itself it knows at once.
const QUIET: Duration = Duration::from_millis(500);
/// How long that while is.
const LIVELY_FOR: Duration = Duration::from_secs(10);
/// How long to leave a game alone whose move failed, if the database may have been to blame …
const PAUSE: Duration = Duration::from_secs(1);
/// … and if the game was.
const LONG_PAUSE: Duration = Duration::from_mins(1);
/// How many games are left alone at most.
const MOST_LEFT_ALONE: usize = 1_000;

/// Why a move was not made.
#[derive(Debug, thiserror::Error)]
enum BotError {
    #[error(transparent)]
    Play(#[from] PlayError),
    #[error(transparent)]
    BrokeOff(#[from] BrokeOff),
    #[error("the bot found no move")]
    NoMove,
}

pub(super) async fn until(stop: CancellationToken, play: Play) {
    let (turns, mut left_alone) = (TaskTracker::new(), LeftAlone::new());
    let mut quiet_from = Instant::now();
    // No game is leased before there is room to think about it.
    while let Some(place) = stop.run_until_cancelled(play.thinking().place()).await {
        match play.lease_bot_turn(&left_alone.now()).await {
            Ok(Some(due)) => {
                quiet_from = Instant::now() + LIVELY_FOR;
                let turn = Turn { play: play.clone(), due, place, failed: left_alone.failed.clone() };
                turns.spawn(turn.until(stop.clone()));
                continue;
            }
            Ok(None) => {}
            Err(error) => {
                tracing::warn!(%error, "cannot look for games that wait for a bot");
                // Each failure has waited for the database already; this is for those that come at once.
                stop.run_until_cancelled(sleep(PAUSE)).await;
            }
        }
        drop(place);
        let pause = if Instant::now() < quiet_from { LIVELY } else { QUIET };
        tokio::select! {
            () = stop.cancelled() => {}
            () = play.until_a_bot_may_be_due() => {}
            () = sleep(pause) => {}
        }
    }
    turns.close();
    turns.wait().await;
}

/// A game that was leased, and the room to think about it.
struct Turn {
    play: Play,
    due: DueGame,
    place: Place,
    failed: mpsc::UnboundedSender<(GameId, Instant)>,
}

impl Turn {
    /// Makes the move, or leaves the game to others: at once if the server stops.
    async fn until(self, stop: CancellationToken) {
        let Self { play, due, place, failed } = self;
        let game = due.id;
        let fixed = Instant::now() + (due.wake_at - due.now).to_std().unwrap_or_default();
        match make_move(&play, &due, place, fixed, &stop).await {
            Ok(true) => return,
            Ok(false) => {}
            Err(error) if is_passing(&error) => {
                tracing::warn!(%game, %error, "a bot's move failed");
                let _ = failed.send((game, Instant::now() + PAUSE));
            }
            Err(error) => {
                tracing::error!(%game, %error, "a bot's move cannot be made");
                let _ = failed.send((game, Instant::now() + LONG_PAUSE));
            }
        }
        if let Err(error) = play.leave_bot_turn(&due).await {
            tracing::debug!(%game, %error, "a lease has to run out");
        }
    }
}

/// Whether there is nothing left to do: the move was made, or the game has gone on. Not if the server stops before.
async fn make_move(
    play: &Play,
    due: &DueGame,
    place: Place,
    fixed: Instant,
    stop: &CancellationToken,
) -> Result<bool, BotError> {
    let Some(turn) = play.bot_turn(due).await? else { return Ok(true) };
    let began = Instant::now();
    let thought = place.think(move || {
        let action = bots::choose(turn.level, &turn.known, &turn.legal, turn.seed);
        (turn, action)
    });
    let Some(thought) = stop.run_until_cancelled(thought).await else { return Ok(false) };
    let (turn, action) = thought?;
    let action = action.ok_or(BotError::NoMove)?;
    play.counts().bot_thought(turn.level.word(), began.elapsed());
    if stop.run_until_cancelled(sleep_until(fixed)).await.is_none() {
        return Ok(false);
    }
    if play.make_bot_move(&turn, action).await? {
        play.counts().bot_moved(turn.level.word(), fixed.elapsed());
    }
    Ok(true)
}

/// Whether the database, or others, may have been to blame.
fn is_passing(error: &BotError) -> bool {
    match error {
        BotError::Play(PlayError::Crowded | PlayError::OutcomeUnknown) => true,
        BotError::Play(PlayError::Store(error)) => match error {
            StoreError::Unavailable { .. } | StoreError::Lost { .. } | StoreError::Conflict { .. } => true,
            StoreError::Constraint(_) | StoreError::Corrupt { .. } | StoreError::Database { .. } => false,
        },
        BotError::Play(_) | BotError::BrokeOff(_) | BotError::NoMove => false,
    }
}

/// The games whose moves failed, and until when each is left alone.
struct LeftAlone {
    games: BTreeMap<GameId, Instant>,
    failed: mpsc::UnboundedSender<(GameId, Instant)>,
    told: mpsc::UnboundedReceiver<(GameId, Instant)>,
}

impl LeftAlone {
    fn new() -> Self {
        let (failed, told) = mpsc::unbounded_channel();
        Self { games: BTreeMap::new(), failed, told }
    }

    /// The games that are left alone now.
    fn now(&mut self) -> Vec<GameId> {
        while let Ok((game, until)) = self.told.try_recv() {
            self.games.insert(game, until);
        }
        let now = Instant::now();
        self.games.retain(|_, until| *until > now);
        while self.games.len() > MOST_LEFT_ALONE {
            self.games.pop_first();
        }
        self.games.keys().copied().collect()
    }
}
