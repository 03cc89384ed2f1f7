//! Closes tables that nobody started. That each is closed once is seen to by the door (`play`), not here.

use tokio_util::sync::CancellationToken;

use super::JobSettings;
use crate::play::Play;

pub(super) async fn until(stop: CancellationToken, play: Play, settings: JobSettings) {
    while stop.run_until_cancelled(tokio::time::sleep(settings.every)).await.is_some() {
        match play.close_expired_tables(settings.open_table_s).await {
            Ok(0) => {}
            Ok(closed) => tracing::info!(closed, "closed tables that nobody started"),
            Err(error) => tracing::warn!(%error, "cannot look for tables that nobody started"),
        }
    }
}
