//! The door: the only way to change a game, and the one place that decides who may see what of it.
//!
//! A change is one read, a decision of the engine, and one guarded write ([`Play::change`]). Nothing is locked in between and
//! nothing is kept between requests, so any server can take any request.

mod bots;
mod change;
mod create;
mod error;
mod expire;
mod export;
mod fingerprint;
mod hints;
mod import;
mod invites;
mod plan;
mod read;
mod reviews;
mod submit;
mod table;
mod thinking;
mod vacate;
mod verify;

use tokio::runtime::Handle;
use tokio_util::task::TaskTracker;

use self::bots::Bots;
use self::reviews::Reviews;
use crate::engine::View;
use crate::ids::{AccountId, Bearer, DeviceId, GameId};
use crate::log::{Entry, Head, ProofKey, Receipt};
use crate::review::REVIEW_ITERATIONS;
use crate::store::Store;
use crate::telemetry::metrics::PlayCounts;

pub use bots::{BotSettings, BotTurn};
pub use change::Ask;
pub use create::NewGameAsk;
pub use error::PlayError;
pub use export::Export;
pub use hints::HintAsk;
pub use import::ImportError;
pub use invites::{InviteCode, InvitePage, MadeInvite};
pub use read::{GameAnswer, History, LegalMoves, ListPage, Occupant, Player};
pub use reviews::{ReviewAnswer, ReviewError};
pub use submit::Action;
pub use thinking::{BrokeOff, Place, Thinking};

/// The door to all games. Cheap to clone.
#[derive(Clone)]
pub struct Play {
    /// What is written goes through here, and goes on when the thread ends that asked for it.
    store: Store,
    /// What is read comes through here.
    reads: Store,
    fresh_seed: fn() -> [u8; 32],
    runtime: Handle,
    writes: TaskTracker,
    counts: PlayCounts,
    proof: ProofKey,
    bots: Bots,
    reviews: Reviews,
}

/// Who asks, and the key under which an acceptance is remembered.
#[derive(Clone, Debug)]
pub struct Caller {
    /// The account, from the token.
    pub account: AccountId,
    /// The device, from the token; `None` for what acts without one.
    pub device: Option<DeviceId>,
    /// The Idempotency-Key.
    pub key: String,
}

impl Caller {
    /// Who asks, for the read that says whether he still stands.
    #[must_use]
    pub fn bearer(&self) -> Bearer {
        Bearer { account: self.account, device: self.device }
    }
}

/// What an accepted change did, for the one who asked. A pure function of the log up to `head` and his seat, so that it
/// can be given again.
#[derive(Clone, Debug)]
pub struct Accepted {
    /// The game.
    pub game: GameId,
    /// The newest event of the change.
    pub head: Head,
    /// The events that came of it, as the caller may see them.
    pub events: Vec<Entry>,
    /// The table after them, as the caller may see it.
    pub view: View,
    /// The receipt for the seat that the caller took by it.
    pub receipt: Option<Receipt>,
}

impl Play {
    /// The door to the games in `store`. Writes go on in `runtime` when a caller hangs up; `fresh_seed` draws the seed of
    /// a new game, and `proof` vouches for what players are told. Its bots go at their own pace and think on one thread, unless
    /// [`Play::with_bots`] says otherwise.
    pub fn new(store: Store, fresh_seed: fn() -> [u8; 32], runtime: Handle, proof: ProofKey) -> Self {
        let (reads, writes) = (store.clone(), TaskTracker::new());
        let bots = Bots::new(&BotSettings { pace_percent: 100, threads: 1 });
        Self {
            store,
            reads,
            fresh_seed,
            runtime,
            writes,
            counts: PlayCounts::default(),
            proof,
            bots,
            reviews: Reviews::new(REVIEW_ITERATIONS),
        }
    }

    /// The same door, which reads through another pool.
    #[must_use]
    pub fn reading_through(&self, reads: Store) -> Self {
        Self { reads, ..self.clone() }
    }

    /// What it counts.
    pub fn counts(&self) -> &PlayCounts {
        &self.counts
    }

    /// Waits until every write that was begun is done; for the end of the server.
    pub async fn finish(&self) {
        self.writes.close();
        self.writes.wait().await;
    }
}
