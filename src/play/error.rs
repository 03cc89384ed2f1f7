//! Why the door stays shut.

use crate::engine::{CardSetError, RuleError};
use crate::log::LogError;
use crate::store::StoreError;

/// Why a request was not carried out. Unless it says otherwise, nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// There is no such account any more.
    #[error("the account does not exist any more")]
    AccountEnded,
    /// The account is banned.
    #[error("the account is banned")]
    Banned,
    /// There is no such game, or the caller may not know that there is.
    #[error("there is no such game")]
    NoSuchGame,
    /// The caller does not sit at the table.
    #[error("you have no seat at this table")]
    NoSeat,
    /// Only the creator may do that.
    #[error("only the creator of the table may do that")]
    NotCreator,
    /// The invite was revoked, or has expired.
    #[error("the invite was revoked or has expired")]
    InviteGone,
    /// The table has as many invites as it may have.
    #[error("the table has {most} invites that are good; revoke one")]
    TooManyInvites {
        /// How many it may have.
        most: i64,
    },
    /// The caller has made as many tables that have not begun as he may have.
    #[error("you have made {most} tables that have not begun; start or close one")]
    TooManyTables {
        /// How many he may have.
        most: u32,
    },
    /// The creator has made as many games with bots that have not ended as he may have.
    #[error("bots sit at {most} tables of your making that have not ended; wait until some have, or close them")]
    TooManyGamesOfBots {
        /// How many there may be.
        most: u32,
    },
    /// The game has not come as far as the version that the caller asked for.
    #[error("there is no version {at}; the game is at version {version}")]
    NoSuchVersion {
        /// What the caller asked for.
        at: u64,
        /// The current version.
        version: u64,
    },
    /// The caller sits in a game that is being played.
    #[error("you sit in a game that is being played")]
    SeatedInGame,
    /// There is so much to give up that it takes more than one request.
    #[error("not all seats and tables have been given up yet; ask again")]
    Unfinished,
    /// The caller sits at the table already.
    #[error("you sit at this table already")]
    SeatedAlready,
    /// The game is not being played.
    #[error("the game is not running")]
    NotRunning,
    /// The table allows no hints.
    #[error("this table allows no hints")]
    NoHints,
    /// The game has not ended, or never began.
    #[error("the game has not ended")]
    NotEnded,
    /// No reviews are made here.
    #[error("this server makes no reviews")]
    NoReviews,
    /// There was no place to think for too long, or the thinking broke off.
    #[error("too many think here at the same time")]
    Busy,
    /// The game has gone on since the caller looked.
    #[error("the game has gone on; it is at version {version}")]
    Stale {
        /// The current version.
        version: u64,
    },
    /// The key was used for another request.
    #[error("the Idempotency-Key was used before for another request")]
    KeyReused,
    /// The card set cannot be played with.
    #[error("{0}")]
    CardSet(#[from] CardSetError),
    /// The rules forbid it.
    #[error("{0}")]
    Rule(#[from] RuleError),
    /// Too many others changed the table at the same time.
    #[error("too many changed the table at the same time")]
    Crowded,
    /// The connection broke after the change was sent; the key tells whether it was made.
    #[error("it is not known whether the change was made; ask again with the same key")]
    OutcomeUnknown,
    /// What is stored cannot be read.
    #[error("{0}")]
    Log(#[from] LogError),
    /// The store failed.
    #[error("{0}")]
    Store(#[from] StoreError),
}
