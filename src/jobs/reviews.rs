//! Makes the reviews of games that have ended, one at a time, decision by decision, wherever there is a place to think that
//! nobody else waits for.
//!
//! A lease keeps two servers from making the same review; what one had begun when it was killed another begins anew. One that
//! cannot be made is left alone for a while. Must never: keep a bot or a hint waiting for longer than one decision takes.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, sleep, timeout};
use tokio_util::sync::CancellationToken;

use crate::ids::GameId;
use crate::play::{BrokeOff, Play, ReviewError};
use crate::store::StoreError;

/// How often to look for reviews that other servers were asked for, or had begun. What this one is asked for it knows at once.
const QUIET: Duration = Duration::from_secs(5);
/// How often to say how far a review is.
const NOTE: Duration = Duration::from_secs(1);
/// How long to leave a review alone that could not be made.
const PAUSE: Duration = Duration::from_mins(5);
/// How many are left alone at most.
const MOST_LEFT_ALONE: usize = 1_000;

/// Why a review was not made.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error(transparent)]
    Review(#[from] ReviewError),
    #[error(transparent)]
    BrokeOff(#[from] BrokeOff),
    #[error(transparent)]
    Store(#[from] StoreError),
}

pub(super) async fn until(stop: CancellationToken, play: Play) {
    let mut left_alone: BTreeMap<GameId, Instant> = BTreeMap::new();
    while !stop.is_cancelled() {
        left_alone.retain(|_, until| *until > Instant::now());
        let but: Vec<GameId> = left_alone.keys().copied().collect();
        match play.lease_review(&but).await {
            Ok(Some(game)) => {
                let made = stop.run_until_cancelled(make(&play, game)).await;
                match made {
                    Some(Ok(())) => continue,
                    Some(Err(error)) => {
                        tracing::error!(%game, %error, "a review cannot be made");
                        left_alone.insert(game, Instant::now() + PAUSE);
                        if left_alone.len() > MOST_LEFT_ALONE {
                            left_alone.pop_first();
                        }
                    }
                    None => {}
                }
                if let Err(error) = play.leave_review(game).await {
                    tracing::debug!(%game, %error, "a lease has to run out");
                }
            }
            Ok(None) => wait(&stop, &play).await,
            Err(error) => {
                tracing::warn!(%error, "cannot look for reviews to be made");
                wait(&stop, &play).await;
            }
        }
    }
}

async fn wait(stop: &CancellationToken, play: &Play) {
    tokio::select! {
        () = stop.cancelled() => {}
        () = play.until_a_review_may_be_wanted() => {}
        () = sleep(QUIET) => {}
    }
}

async fn make(play: &Play, game: GameId) -> Result<(), Failure> {
    let reviewer = Arc::new(play.reviewer(game).await?);
    let (of, mut noted) = (reviewer.decisions(), None);
    let mut decisions = Vec::with_capacity(of);
    for number in 0..of {
        let place = loop {
            // Also while there is no place, so that no other server begins the same.
            if noted.is_none_or(|at: Instant| at.elapsed() >= NOTE) {
                play.note_review(game, number, of).await?;
                noted = Some(Instant::now());
            }
            if let Ok(place) = timeout(NOTE, play.thinking().spare_place()).await {
                break place;
            }
        };
        let reviewer = Arc::clone(&reviewer);
        decisions.extend(place.think(move || reviewer.look_at(number)).await?);
    }
    Ok(play.keep_review(game, &reviewer.finish(decisions)).await?)
}
