//! Reviews of games that have ended: shown to who may see the game, wanted when it ends or when somebody asks, and made by
//! the jobs.
//!
//! Must never: tell anything of a game that runs, not even whether it could be reviewed.

use std::sync::Arc;

use tokio::sync::Notify;

use super::Play;
use super::error::PlayError;
use super::table::{lines, no_account};
use crate::engine::{Event, Status};
use crate::ids::{Bearer, GameId};
use crate::log::{Line, LogError};
use crate::review::{NotReviewable, REVIEW_FORMAT, Review, Reviewer};
use crate::store::StoreError;

/// How long a server has a review to itself without saying how far it is, in seconds.
const LEASE_S: u32 = 20;

/// How far a review is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReviewAnswer {
    /// Nobody has begun it yet.
    Waiting,
    /// It is being made.
    UnderWay {
        /// How many decisions have been looked at …
        done: u32,
        /// … of how many.
        of: u32,
    },
    /// It is made.
    Made(Review),
}

/// Why a review cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum ReviewError {
    /// The game cannot be read.
    #[error("{0}")]
    Play(#[from] PlayError),
    /// There is nothing to review.
    #[error("{0}")]
    NotReviewable(#[from] NotReviewable),
}

/// The reviews of a server. Clones are the same.
#[derive(Clone)]
pub(super) struct Reviews {
    /// How many looks ahead are taken before and after a decision; 0 if none are made.
    iterations: u32,
    wanted: Arc<Notify>,
}

impl Reviews {
    pub(super) fn new(iterations: u32) -> Self {
        Self { iterations, wanted: Arc::default() }
    }
}

impl Play {
    /// The same door, with reviews that take so many looks ahead before and after a decision; with 0 it makes none.
    #[must_use]
    pub fn with_reviews(self, iterations: u32) -> Self {
        Self { reviews: Reviews::new(iterations), ..self }
    }

    /// Whether it makes reviews.
    #[must_use]
    pub const fn makes_reviews(&self) -> bool {
        self.reviews.iterations > 0
    }

    /// The review of a game that has ended, which is made if it is not there yet.
    ///
    /// # Errors
    /// As [`Play::game`]; [`PlayError::NotEnded`], also for a table that was closed before the start;
    /// [`PlayError::NoReviews`] if there is none, and none is made here.
    pub async fn review(&self, caller: Bearer, game: GameId) -> Result<ReviewAnswer, PlayError> {
        let table = self.table(caller, game).await?;
        match table.state.status() {
            Status::Ended => {}
            Status::Open | Status::Running | Status::Closed => return Err(PlayError::NotEnded),
        }
        let Some(row) = self.reads.review(game).await? else {
            if !self.makes_reviews() {
                return Err(PlayError::NoReviews);
            }
            self.store.want_review(game, true).await?;
            self.reviews.wanted.notify_one();
            return Ok(ReviewAnswer::Waiting);
        };
        if row.content.is_none() && !row.is_awaited {
            self.store.want_review(game, true).await?;
        }
        let count = |number: i32| u32::try_from(number).unwrap_or(0);
        match (row.format, row.content) {
            (Some(format), Some(content)) if u16::try_from(format) == Ok(REVIEW_FORMAT) => {
                let damaged = || StoreError::Corrupt { what: format!("the review of game {game}") };
                Ok(ReviewAnswer::Made(Review::read(&content).ok_or_else(damaged)?))
            }
            (Some(_), _) => Err(LogError::Newer.into()),
            (None, _) if row.decisions == 0 => Ok(ReviewAnswer::Waiting),
            (None, _) => Ok(ReviewAnswer::UnderWay { done: count(row.done), of: count(row.decisions) }),
        }
    }

    /// Asks for the review of a game that has just ended. If it does not succeed, the first one who wants to see it asks.
    pub(super) fn want_review(&self, game: GameId) {
        if !self.makes_reviews() {
            return;
        }
        let (store, wanted) = (self.store.clone(), Arc::clone(&self.reviews.wanted));
        let asking = async move {
            match store.want_review(game, false).await {
                Ok(()) => wanted.notify_one(),
                Err(error) => tracing::debug!(%game, %error, "a review could not be asked for"),
            }
        };
        self.writes.spawn_on(asking, &self.runtime);
    }

    /// Returns when somebody has asked this server for a review since the last call, or else never.
    pub async fn until_a_review_may_be_wanted(&self) {
        self.reviews.wanted.notified().await;
    }

    /// The game whose review is to be made next, which is this server's for a while; none of `but`.
    ///
    /// # Errors
    /// A failure of the store.
    pub async fn lease_review(&self, but: &[GameId]) -> Result<Option<GameId>, StoreError> {
        self.store.lease_review(LEASE_S, but).await
    }

    /// Leaves a review to other servers.
    ///
    /// # Errors
    /// A failure of the store.
    pub async fn leave_review(&self, game: GameId) -> Result<(), StoreError> {
        self.store.note_review(game, 0, 0, 0).await
    }

    /// What looks at the decisions of a game that has ended.
    ///
    /// # Errors
    /// [`ReviewError`].
    pub async fn reviewer(&self, game: GameId) -> Result<Reviewer, ReviewError> {
        let found = self.store.read(no_account(), game, None).await.map_err(PlayError::from)?;
        let row = found.game.ok_or(PlayError::NoSuchGame)?;
        let lines = lines(&self.store, &row, 1, row.version).await?;
        let events: Result<Vec<Event>, LogError> = lines.iter().map(Line::open).collect();
        Ok(Reviewer::new(events.map_err(PlayError::from)?, self.reviews.iterations)?)
    }

    /// Says that so many decisions have been looked at, of so many; then the review is this server's for a while longer.
    ///
    /// # Errors
    /// A failure of the store.
    pub async fn note_review(&self, game: GameId, done: usize, of: usize) -> Result<(), StoreError> {
        let count = |number: usize| i32::try_from(number).unwrap_or(i32::MAX);
        self.store.note_review(game, count(done), count(of), LEASE_S as i32).await
    }

    /// Keeps a review that was made.
    ///
    /// # Errors
    /// A failure of the store.
    pub async fn keep_review(&self, game: GameId, review: &Review) -> Result<(), StoreError> {
        self.store.keep_review(game, REVIEW_FORMAT as i16, &review.to_bytes()).await
    }
}
