//! Sweeps away what tokens leave behind: refresh tokens that have expired, and devices that have ended.
//!
//! In portions, so that no statement holds many rows, with a pause after each, so that a long neglected database is caught up
//! with but not kept busy.

use std::time::Duration;

use crate::entropy;
use crate::store::Store;

/// The most tokens, and the most devices, that one portion deletes.
const PORTION: u32 = 500;
/// How long to wait when there was nothing more to do.
const IDLE: Duration = Duration::from_mins(10);
/// How long to wait between two portions.
const PAUSE: Duration = Duration::from_secs(1);

pub(super) async fn for_ever(store: Store) {
    // Servers that were started together do not sweep together.
    let mut wait = IDLE.mul_f64(f64::from(u8::from_le_bytes(entropy::bytes())) / 256.0);
    loop {
        tokio::time::sleep(wait).await;
        wait = match store.sweep_tokens(PORTION).await {
            Ok(0) => IDLE,
            Ok(rows) => {
                tracing::debug!(rows, "old tokens were swept away");
                PAUSE
            }
            Err(error) => {
                tracing::warn!(%error, "sweeping away old tokens");
                IDLE
            }
        };
    }
}
