//! What a server does by itself, beside answering. Every server does it, and they do not get in each other's way.
//!
//! What fails is told to the log and tried again at the next turn. Must never: hold up a request, do what cannot be done
//! again, or keep anything that the database does not have.

mod bots;
mod expire;
mod reviews;
mod sweep;

use std::time::Duration;

use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::play::Play;
use crate::store::Store;

/// When the jobs do what.
#[derive(Clone, Copy, Debug)]
pub struct JobSettings {
    /// How long a table may stand without being started, in seconds.
    pub open_table_s: u32,
    /// How often it is looked whether a table has to be closed.
    pub every: Duration,
}

/// The jobs of a server, at work.
pub struct Jobs {
    stop: CancellationToken,
    expiring: JoinHandle<()>,
    /// None if this server has no threads to think on.
    playing: Option<JoinHandle<()>>,
    /// None if it has none, or makes no reviews.
    reviewing: Option<JoinHandle<()>>,
    sweeping: JoinHandle<()>,
}

impl Jobs {
    /// Begins them all, in the runtime that calls this.
    pub fn start(store: Store, play: Play, settings: JobSettings) -> Self {
        let stop = CancellationToken::new();
        let playing = play.thinking().is_possible().then(|| tokio::spawn(bots::until(stop.clone(), play.clone())));
        let makes_reviews = play.thinking().is_possible() && play.makes_reviews();
        let reviewing = makes_reviews.then(|| tokio::spawn(reviews::until(stop.clone(), play.clone())));
        let expiring = tokio::spawn(expire::until(stop.clone(), play, settings));
        Self { stop, expiring, playing, reviewing, sweeping: tokio::spawn(sweep::for_ever(store)) }
    }

    /// Comes to an end; what changes games once it has done what it had begun.
    pub async fn stop(self) {
        self.sweeping.abort();
        self.stop.cancel();
        for job in [Some(self.expiring), self.playing, self.reviewing].into_iter().flatten() {
            if let Err(error) = job.await {
                tracing::error!(%error, "a job ended badly");
            }
        }
    }
}
