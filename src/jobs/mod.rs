//! What the server does of itself, without anybody asking: so far, closing tables that nobody started.
//!
//! Every server does it, at any time; that it is done once is seen to by the door (`play`), not here. What fails is told to the
//! log and tried again at the next turn. Must never: hold up a request, or keep anything that the database does not have.

use std::time::Duration;

use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::play::Play;

/// When the jobs do what.
#[derive(Clone, Copy, Debug)]
pub struct JobSettings {
    /// How long a table may stand without being started, in seconds.
    pub open_table_s: u32,
    /// How often it is looked whether there is something to do.
    pub every: Duration,
}

/// The jobs of a server, at work.
pub struct Jobs {
    stop: CancellationToken,
    working: JoinHandle<()>,
}

impl Jobs {
    /// Begins, in the runtime that calls this.
    pub fn start(play: Play, settings: JobSettings) -> Self {
        let stop = CancellationToken::new();
        let stopped = stop.clone();
        let working = tokio::spawn(async move {
            while stopped.run_until_cancelled(tokio::time::sleep(settings.every)).await.is_some() {
                close_expired_tables(&play, settings.open_table_s).await;
            }
        });
        Self { stop, working }
    }

    /// Comes to an end once what is being done is done.
    pub async fn stop(self) {
        self.stop.cancel();
        if let Err(error) = self.working.await {
            tracing::error!(%error, "a job ended badly");
        }
    }
}

async fn close_expired_tables(play: &Play, open_table_s: u32) {
    match play.close_expired_tables(open_table_s).await {
        Ok(0) => {}
        Ok(closed) => tracing::info!(closed, "closed tables that nobody started"),
        Err(error) => tracing::warn!(%error, "cannot look for tables that nobody started"),
    }
}
