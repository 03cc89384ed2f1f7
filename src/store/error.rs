//! What can go wrong between us and the database, in words that the layers above can act on.
//!
//! A broken constraint becomes a [`Constraint`] by its NAME, never by the text of a message. A message is read only where
//! diesel keeps the SQLSTATE from us (deadlocks, time limits, shutdowns); a server that speaks another language than English
//! there is answered with [`StoreError::Database`], which is safe, as it promises nothing.
//!
//! PostgreSQL's DETAIL is never kept: for a broken check it shows the whole row, secrets included.

use diesel::result::{DatabaseErrorInformation, DatabaseErrorKind, Error};

/// Why a statement failed.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Nothing was changed: no connection was to be had, or the statement was cut short before it ended.
    #[error("the database is not available: {reason}")]
    Unavailable {
        /// For the log.
        reason: String,
    },
    /// The connection broke after a statement may have been sent. Whether it was carried out is unknown.
    #[error("the connection to the database broke, the outcome is unknown: {reason}")]
    Lost {
        /// For the log.
        reason: String,
    },
    /// A serialisation failure or a deadlock: nothing was changed, the same statement may be tried again.
    #[error("the statement collided with another one: {reason}")]
    Conflict {
        /// For the log.
        reason: String,
    },
    /// A constraint refused the statement; nothing was changed.
    #[error("refused by the constraint {0:?}")]
    Constraint(Constraint),
    /// What is stored contradicts itself, or cannot be read. Never skipped, never repaired in passing.
    #[error("the stored data are corrupt: {what}")]
    Corrupt {
        /// What was found.
        what: String,
    },
    /// Anything else the database refused: a fault of this program or of the set-up.
    #[error("the database refused the statement: {message}")]
    Database {
        /// PostgreSQL's message, without its detail.
        message: String,
    },
}

macro_rules! constraints {
    ($($(#[doc = $doc:literal])* $variant:ident = $name:literal,)*) => {
        /// A named constraint of the schema.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Constraint { $($(#[doc = $doc])* $variant,)* }

        impl Constraint {
            /// Every constraint there is.
            pub const ALL: &[Constraint] = &[$(Constraint::$variant,)*];

            /// The constraint's name in the database.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Constraint::$variant => $name,)* }
            }
        }
    };
}

constraints! {
    /// The account id is taken.
    AccountId = "accounts_pk",
    /// Another account has this name, by NFKC and case folding.
    AccountName = "accounts_name_key_unique",
    /// An account that is not a tombstone needs a name.
    AccountNamePresent = "accounts_name_key_present",
    /// An account's status that nobody knows.
    AccountStatus = "accounts_status_known",
    /// The token family's id is taken.
    FamilyId = "token_families_pk",
    /// The family's account does not exist.
    FamilyAccount = "token_families_account_fk",
    /// The very same refresh token exists.
    RefreshToken = "refresh_tokens_pk",
    /// A token's hash is not 32 bytes long.
    RefreshTokenHash = "refresh_tokens_hash_length",
    /// The token's family does not exist.
    RefreshTokenFamily = "refresh_tokens_family_fk",
    /// The token's account does not exist.
    RefreshTokenAccount = "refresh_tokens_account_fk",
    /// The game's id is taken.
    GameId = "games_pk",
    /// A game without an event.
    GameVersion = "games_version_positive",
    /// A head that is not 32 bytes long.
    GameHead = "games_head_length",
    /// A seed that is not 32 bytes long.
    GameServerSeed = "games_server_seed_length",
    /// A game's status that nobody knows.
    GameStatus = "games_status_known",
    /// A visibility that nobody knows.
    GameVisibility = "games_visibility_known",
    /// A way to start that nobody knows.
    GameStart = "games_start_known",
    /// Fewer than three or more than five players.
    GamePlayers = "games_players_range",
    /// More open seats than seats.
    GameOpenSeats = "games_open_seats_range",
    /// More bots than seats.
    GameBots = "games_bots_range",
    /// A decision by a seat that is not at the table.
    GameDecider = "games_decider_range",
    /// The proof of an imported game is not 96 bytes long.
    GameImported = "games_imported_length",
    /// The creator's account does not exist.
    GameCreator = "games_creator_fk",
    /// The creator's account has ended or is banned.
    GameCreatorStands = "games_creator_stands",
    /// The creator has as many open tables as an account may have.
    GameOpenPerCreator = "games_open_per_creator",
    /// The creator has as many games with bots as an account may have.
    GamesOfBotsPerCreator = "games_of_bots_per_creator",
    /// Somebody sits there.
    SeatTaken = "seats_pk",
    /// The account sits at this table already.
    SeatedTwice = "seats_account_once",
    /// No table has a seat of this number.
    SeatNumber = "seats_seat_range",
    /// The seat's game does not exist.
    SeatGame = "seats_game_fk",
    /// The seat's account does not exist.
    SeatAccount = "seats_account_fk",
    /// A level of bots that nobody knows.
    SeatBot = "seats_bot_known",
    /// A seat that is neither an account's nor a bot's, or both.
    SeatOccupant = "seats_one_occupant",
    /// The invite's id is taken.
    InviteId = "invites_pk",
    /// The invite's game does not exist.
    InviteGame = "invites_game_fk",
    /// Another invite has this code.
    InviteCode = "invites_code_unique",
    /// The hash of an invite's code is not 32 bytes long.
    InviteCodeHash = "invites_code_hash_length",
    /// The seat's account has ended or is banned.
    SeatAccountStands = "seats_account_stands",
    /// The log has an event of this number. Reported as [`StoreError::Corrupt`].
    EventSeq = "game_events_pk",
    /// Events count from one.
    EventSeqPositive = "game_events_seq_positive",
    /// An event's hash is not 32 bytes long.
    EventHash = "game_events_hash_length",
    /// Somebody tried to change the log.
    LogAppendOnly = "game_events_append_only",
    /// The proof key is published already.
    ProofKey = "proof_keys_pk",
    /// A proof key is not 32 bytes long.
    ProofKeyLength = "proof_keys_key_length",
    /// Somebody tried to take back a proof key.
    ProofKeysAppendOnly = "proof_keys_append_only",
    /// The review's row is there already.
    ReviewGame = "reviews_pk",
    /// The review's game does not exist.
    ReviewGameKnown = "reviews_game_fk",
    /// More decisions looked at than there are.
    ReviewDone = "reviews_done_range",
    /// A review without its format, or a format without a review.
    ReviewWhole = "reviews_whole",
    /// The account used this key before.
    RequestKey = "requests_pk",
    /// A fingerprint is not 32 bytes long.
    RequestFingerprint = "requests_fingerprint_length",
    /// A request whose last event comes before its first.
    RequestRange = "requests_range",
}

impl Constraint {
    /// The constraint of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|constraint| constraint.name() == name)
    }
}

impl From<Error> for StoreError {
    fn from(error: Error) -> Self {
        match error {
            Error::DatabaseError(kind, information) => from_database(&kind, information.as_ref()),
            Error::DeserializationError(error) => Self::Corrupt { what: error.to_string() },
            other => Self::Database { message: other.to_string() },
        }
    }
}

fn from_database(kind: &DatabaseErrorKind, information: &dyn DatabaseErrorInformation) -> StoreError {
    let message = information.message().to_owned();
    if let Some(constraint) = information.constraint_name().and_then(Constraint::named) {
        return match constraint {
            Constraint::EventSeq => StoreError::Corrupt { what: message },
            constraint => StoreError::Constraint(constraint),
        };
    }
    match kind {
        DatabaseErrorKind::UnableToSendCommand | DatabaseErrorKind::ClosedConnection => {
            StoreError::Lost { reason: message }
        }
        DatabaseErrorKind::SerializationFailure => StoreError::Conflict { reason: message },
        DatabaseErrorKind::ReadOnlyTransaction => StoreError::Unavailable { reason: message },
        _ => from_message(message),
    }
}

/// The kinds that diesel calls `Unknown`.
fn from_message(message: String) -> StoreError {
    let starts_with = |beginnings: &[&str]| beginnings.iter().any(|beginning| message.starts_with(beginning));
    if starts_with(&["deadlock detected"]) {
        StoreError::Conflict { reason: message }
    } else if starts_with(&["terminating connection", "the database system is", "server closed the connection"]) {
        StoreError::Lost { reason: message }
    } else if starts_with(&["canceling statement due to", "sorry, too many clients", "remaining connection slots"]) {
        StoreError::Unavailable { reason: message }
    } else {
        StoreError::Database { message }
    }
}
