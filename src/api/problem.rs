//! Everything that can be refused or go wrong, as RFC 9457 problems: the one place where status codes are chosen.
//!
//! A problem is carried through actix as an error and written out by `middleware::frame`, which knows the request's id. Must
//! never: say of something hidden more than is said of something that is not there, or tell the cause of a 500.

use actix_web::{
    HttpResponse, ResponseError,
    http::{
        StatusCode,
        header::{self, HeaderValue},
    },
};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::auth::{AuthError, password::PasswordError, token::TokenError};
use crate::engine::RuleError;
use crate::log::LogError;
use crate::play::PlayError;
use crate::store::StoreError;

/// The media type of problems.
pub const MEDIA_TYPE: &str = "application/problem+json";

/// What is told of a request at most, in bytes of `detail` and of `path`.
const MAX_TOLD: usize = 400;

macro_rules! problem_types {
    ($($variant:ident = $status:literal $slug:literal, $title:literal: $meaning:literal;)*) => {
        /// What kind of problem it is. Its slug is stable, and documented at `/problems/<slug>`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum ProblemType { $(#[doc = $meaning] $variant,)* }

        impl ProblemType {
            /// Every type there is.
            pub const ALL: &[ProblemType] = &[$(ProblemType::$variant,)*];

            /// The last part of its address.
            pub const fn slug(self) -> &'static str {
                match self { $(ProblemType::$variant => $slug,)* }
            }

            /// Its HTTP status.
            pub const fn status(self) -> u16 {
                match self { $(ProblemType::$variant => $status,)* }
            }

            /// One line that says what it is.
            pub const fn title(self) -> &'static str {
                match self { $(ProblemType::$variant => $title,)* }
            }

            /// What it means and what to do.
            pub const fn meaning(self) -> &'static str {
                match self { $(ProblemType::$variant => $meaning,)* }
            }
        }
    };
}

problem_types! {
    Malformed = 400 "malformed", "The request is malformed":
        "The body, a query parameter or a header is not what this operation takes: not JSON, a field that is unknown, missing, of a wrong type or out of range. `path` names it. Nothing was changed; the same request will be refused again.";
    IdempotencyKeyUnusable = 400 "idempotency-key-unusable", "The Idempotency-Key is missing or unusable":
        "This operation needs one header Idempotency-Key of 1 to 64 characters from A-Z, a-z, 0-9, _ and -, bare or in double quotes. Make a new one for every thing you want done, and send the same one when you ask again for the same thing.";
    Unauthorized = 401 "unauthorized", "A valid access token is needed":
        "No access token, or one that has expired, is not from here, or whose account has ended. Send `Authorization: Bearer <access token>`; get a new token with the refresh token, or log in again.";
    WrongCredentials = 401 "wrong-credentials", "The name or the password is wrong":
        "No account with a password has this name, or the password is another. Which of the two is not told.";
    RefreshTokenInvalid = 401 "refresh-token-invalid", "The refresh token is not valid":
        "It is unknown, expired, or its device was logged out; or it was spent before, in which case all tokens of its device have been ended, as somebody else may have it. Log in again.";
    Forbidden = 403 "forbidden", "You may not do this":
        "You may know that it exists, but not do this with it.";
    WrongPassword = 403 "wrong-password", "The password is missing or wrong":
        "This needs the account's password, or, of a guest, who has none, the newest refresh token of this device. The access token is good.";
    Banned = 403 "banned", "The account is banned":
        "The operator of this server has ended this account.";
    NoHints = 403 "no-hints", "The table allows no hints":
        "Whether players may ask for hints is decided when the table is set up, and shown as `hints` of the game.";
    NoReviews = 403 "no-reviews", "No reviews are made here":
        "The operator of this server has switched reviews off, and there is none of this game from before.";
    NotFound = 404 "not-found", "There is nothing here":
        "It does not exist, or you may not know whether it does.";
    MethodNotAllowed = 405 "method-not-allowed", "The method is not allowed here":
        "The address exists, but not for this method. The header Allow lists those that it takes.";
    NotAcceptable = 406 "not-acceptable", "No acceptable encoding":
        "The header Accept-Encoding allows none of the encodings that this server has: identity, gzip, br.";
    BodyTooSlow = 408 "body-too-slow", "The body did not come":
        "The rest of the body did not come in time. Nothing was changed: send it again.";
    StaleVersion = 409 "stale-version", "The table has moved on":
        "`expected_version` is not the table's version any more; `version` is. Read the table again and decide anew.";
    NotYourDecision = 409 "not-your-decision", "It is not your decision":
        "The table waits for somebody else's decision.";
    NotRunning = 409 "not-running", "The game is not running":
        "It has not begun yet, has ended, or its table was closed.";
    NotEnded = 409 "not-ended", "The game has not ended":
        "This is told only of a game that has been played to its end. A table that was closed before the start never will be.";
    AlreadyStarted = 409 "already-started", "The game has started":
        "This can be done only before the start.";
    TableNotFull = 409 "table-not-full", "A seat is free":
        "The game can start only when every seat is taken.";
    TableFull = 409 "table-full", "Every seat is taken":
        "There is no free seat at this table.";
    SeatTaken = 409 "seat-taken", "The seat is taken":
        "Somebody sits there. Ask for another seat, or for any.";
    AlreadySeated = 409 "already-seated", "You sit at this table":
        "An account has one seat at a table at most.";
    SeatedInGame = 409 "seated-in-game", "You sit in a game that is being played":
        "It began under rules that know of no bots, which could play on for you: play it to its end first.";
    NameTaken = 409 "name-taken", "The name is taken":
        "Another account has this name, or one that differs only in case or in the form of its characters.";
    TooManyInvites = 409 "too-many-invites", "The table has enough invites":
        "A table has 20 invites at most that are good at the same time. Revoke one, or use one of them: any number of people can.";
    TooManyTables = 409 "too-many-tables", "You have enough open tables":
        "An account has 50 tables at most that it made and that have not begun. Start or close one; a table that nobody starts is closed after a while.";
    TooManyGamesOfBots = 409 "too-many-games-of-bots", "Bots sit at enough of your tables":
        "When a game begins with a bot's decision, at most 49 others that its creator made may be waiting for a bot. Wait until some have ended.";
    InviteGone = 410 "invite-gone", "The invite is gone":
        "It was revoked or has expired, or its table has begun or was closed. As long as the table has not begun, ask for a new one.";
    BodyTooLarge = 413 "body-too-large", "The body is too large":
        "A body has at most 65,536 bytes.";
    UnsupportedMediaType = 415 "unsupported-media-type", "The body is not JSON":
        "Send `Content-Type: application/json`, encoded as UTF-8, without a Content-Encoding.";
    RuleViolation = 422 "rule-violation", "The rules forbid it":
        "`rule` is the rule's number, `code` a stable word for what is wrong. Nothing was changed.";
    IdempotencyKeyReused = 422 "idempotency-key-reused", "The Idempotency-Key was used for something else":
        "The same account sent this key before with another request that was accepted. Make a new key for every thing you want done.";
    TooManyRequests = 429 "too-many-requests", "Too many requests":
        "`limit` names the limit that was hit. Come back after the seconds in the header Retry-After.";
    Internal = 500 "internal", "Something went wrong here":
        "A fault of this server. Its cause is in the server's log under the id that `instance` carries.";
    Unavailable = 503 "unavailable", "Not available just now":
        "The server is too busy, or cannot reach its database. Nothing was changed: ask again after the seconds in the header Retry-After.";
    Draining = 503 "draining", "This server is about to stop":
        "Nothing was changed: ask again after the seconds in the header Retry-After, another server will answer.";
    NewerData = 503 "newer-data", "The game is newer than this server":
        "It was written by a newer release, and this one does not touch it. Nothing was changed.";
    OutcomeUnknown = 503 "outcome-unknown", "It may or may not have been done":
        "The connection to the database broke, or time ran out, at the wrong moment. Ask again with the same Idempotency-Key (the same refresh token, …): it will not be done twice.";
}

/// A problem on its way to the client. Boxed, as most results are none.
#[derive(Debug)]
pub struct Problem(Box<Parts>);

#[derive(Debug)]
struct Parts {
    kind: ProblemType,
    detail: Option<String>,
    path: Option<String>,
    version: Option<u64>,
    rule: Option<&'static str>,
    code: Option<&'static str>,
    limit: Option<&'static str>,
    headers: Vec<(header::HeaderName, HeaderValue)>,
    cause: Option<String>,
}

/// An RFC 9457 problem: what every refused or failed request is answered with. More fields may come.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Problem)]
pub struct ProblemBody {
    /// Stable address of the problem's type, relative to this server; its documentation is there.
    #[serde(rename = "type")]
    #[schema(examples("/problems/malformed"))]
    pub type_: String,
    /// One line that says what it is, the same for every problem of the type.
    pub title: &'static str,
    /// The HTTP status.
    #[schema(minimum = 400, maximum = 599)]
    pub status: u16,
    /// What is wrong with this very request, for a human.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub detail: Option<String>,
    /// `urn:uuid:` and the request's id, which is also in the header X-Request-Id.
    pub instance: String,
    /// The field, parameter or header that was refused, such as `move.cards[1]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub path: Option<String>,
    /// `stale-version`: the table's version now.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub version: Option<u64>,
    /// `rule-violation`: the rule's number.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, examples("R3.1"))]
    pub rule: Option<&'static str>,
    /// `rule-violation`: a stable word for what is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub code: Option<&'static str>,
    /// `too-many-requests`: the limit's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub limit: Option<&'static str>,
}

impl Problem {
    /// A problem of this type, of which nothing more is said.
    pub fn new(kind: ProblemType) -> Self {
        let problem = Self(Box::new(Parts {
            kind,
            detail: None,
            path: None,
            version: None,
            rule: None,
            code: None,
            limit: None,
            headers: Vec::new(),
            cause: None,
        }));
        match kind.status() {
            401 => problem.header(header::WWW_AUTHENTICATE, "Bearer realm=\"fereta\""),
            503 => problem.retry_after_s(1),
            _ => problem,
        }
    }

    /// A fault of ours; `cause` goes to the log and nowhere else.
    pub fn internal(cause: &(dyn std::error::Error + 'static)) -> Self {
        Self::new(ProblemType::Internal).cause(cause)
    }

    /// A malformed request; `path` names what is wrong in it.
    pub fn malformed(path: impl Into<String>, detail: impl Into<String>) -> Self {
        let path = path.into();
        let mut problem = Self::new(ProblemType::Malformed).detail(detail);
        problem.0.path = (!path.is_empty()).then(|| cut(path));
        problem
    }

    /// The rules forbid it: R-number, stable word, and what a human may want to know.
    pub fn rule_violation(rule: &'static str, code: &'static str, detail: impl Into<String>) -> Self {
        let mut problem = Self::new(ProblemType::RuleViolation).detail(detail);
        problem.0.rule = Some(rule);
        problem.0.code = Some(code);
        problem
    }

    /// The table is at `version` by now.
    pub fn stale_version(version: u64) -> Self {
        let mut problem = Self::new(ProblemType::StaleVersion);
        problem.0.version = Some(version);
        problem
    }

    /// The limit of that name was hit; it opens again after so many seconds.
    pub fn too_many_requests(limit: &'static str, retry_after_s: u64) -> Self {
        let mut problem = Self::new(ProblemType::TooManyRequests).retry_after_s(retry_after_s);
        problem.0.limit = Some(limit);
        problem
    }

    /// The method is not among those that the address takes.
    pub fn method_not_allowed(allowed: &str) -> Self {
        Self::new(ProblemType::MethodNotAllowed).header(header::ALLOW, allowed)
    }

    /// Says what is wrong with this very request.
    #[must_use]
    pub fn detail(mut self, detail: impl Into<String>) -> Self {
        self.0.detail = Some(cut(detail.into()));
        self
    }

    /// A typical problem of that type, for the document.
    pub(super) fn example(kind: ProblemType) -> ProblemBody {
        let example = Self::new(kind);
        let example = match kind {
            ProblemType::Malformed => Self::malformed("move.cards[1]", "invalid type: string \"x\", expected u8"),
            ProblemType::StaleVersion => Self::stale_version(42),
            ProblemType::RuleViolation => {
                let error = RuleError::SameHouse;
                Self::rule_violation(error.rule(), error.code(), error.to_string())
            }
            ProblemType::TooManyRequests => Self::too_many_requests("sign-ups", 60),
            _ => example,
        };
        example.body(Uuid::from_u128(0x0199_b2c4_7d11_7a5e_8f3a_2b9c_4d5e_6f70))
    }

    /// When to come back.
    #[must_use]
    pub fn retry_after_s(mut self, seconds: u64) -> Self {
        self.0.headers.retain(|(name, _)| name != header::RETRY_AFTER);
        self.0.headers.push((header::RETRY_AFTER, seconds.into()));
        self
    }

    /// A header of the answer. Left out if `value` is not one.
    #[must_use]
    pub fn header(mut self, name: header::HeaderName, value: &str) -> Self {
        if let Ok(value) = HeaderValue::from_str(value) {
            self.0.headers.retain(|(other, _)| *other != name);
            self.0.headers.push((name, value));
        }
        self
    }

    /// What the log is to say of it, with all that lies behind.
    #[must_use]
    pub fn cause(mut self, cause: &(dyn std::error::Error + 'static)) -> Self {
        let chain: Vec<String> =
            std::iter::successors(Some(cause), |error| error.source()).map(ToString::to_string).collect();
        self.0.cause = Some(chain.join(": "));
        self
    }

    /// Its type.
    pub fn kind(&self) -> ProblemType {
        self.0.kind
    }

    /// The path that it names.
    pub fn path_told(&self) -> Option<&str> {
        self.0.path.as_deref()
    }

    /// What it says of this very request.
    pub fn detail_told(&self) -> Option<&str> {
        self.0.detail.as_deref()
    }

    /// What stands for a refusal that did not come from here (actix's own, the documentation's).
    pub(super) fn from_status(status: StatusCode) -> Self {
        let kind = match status.as_u16() {
            401 => ProblemType::Unauthorized,
            403 => ProblemType::Forbidden,
            404 => ProblemType::NotFound,
            405 => ProblemType::MethodNotAllowed,
            406 => ProblemType::NotAcceptable,
            408 => ProblemType::BodyTooSlow,
            413 => ProblemType::BodyTooLarge,
            415 => ProblemType::UnsupportedMediaType,
            503 => ProblemType::Unavailable,
            400..=499 => ProblemType::Malformed,
            _ => ProblemType::Internal,
        };
        Self::new(kind)
    }

    /// What the log says of it.
    pub(super) fn logged_cause(&self) -> Option<&str> {
        self.0.cause.as_deref()
    }

    /// The answer to the request of that id.
    pub(super) fn to_response(&self, request: Uuid) -> HttpResponse {
        let mut response = HttpResponse::build(self.status_code());
        for (name, value) in &self.0.headers {
            response.insert_header((name.clone(), value.clone()));
        }
        let body = self.body(request);
        response.content_type(MEDIA_TYPE).body(serde_json::to_string(&body).unwrap_or_default())
    }

    fn body(&self, request: Uuid) -> ProblemBody {
        ProblemBody {
            type_: format!("/problems/{}", self.0.kind.slug()),
            title: self.0.kind.title(),
            status: self.0.kind.status(),
            detail: self.0.detail.clone(),
            instance: format!("urn:uuid:{request}"),
            path: self.0.path.clone(),
            version: self.0.version,
            rule: self.0.rule,
            code: self.0.code,
            limit: self.0.limit,
        }
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0.kind.title())
    }
}

impl ResponseError for Problem {
    fn status_code(&self) -> StatusCode {
        StatusCode::from_u16(self.0.kind.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    /// Only for who uses a handler without `middleware::frame`: there the request has an id.
    fn error_response(&self) -> HttpResponse {
        self.to_response(Uuid::nil())
    }
}

impl From<AuthError> for Problem {
    fn from(error: AuthError) -> Self {
        match error {
            AuthError::Name(error) => Self::malformed("name", error.to_string()),
            AuthError::Password(error) => error.into(),
            AuthError::Locale => Self::malformed("locale", error.to_string()),
            AuthError::NameTaken => Self::new(ProblemType::NameTaken),
            AuthError::Credentials => Self::new(ProblemType::WrongCredentials),
            AuthError::Ended => Self::from(TokenError::Invalid),
            AuthError::Unproven => Self::new(ProblemType::WrongPassword),
            AuthError::Seated => Self::new(ProblemType::SeatedInGame),
            AuthError::Unsettled | AuthError::Crowded => Self::new(ProblemType::Unavailable).cause(&error),
            AuthError::Banned => Self::new(ProblemType::Banned),
            AuthError::Token(error) => error.into(),
            AuthError::Refresh => Self::new(ProblemType::RefreshTokenInvalid),
            AuthError::Store(error) => error.into(),
        }
    }
}

impl From<PasswordError> for Problem {
    fn from(error: PasswordError) -> Self {
        match error {
            PasswordError::Length => Self::malformed("password", error.to_string()),
            PasswordError::Busy => Self::new(ProblemType::Unavailable).retry_after_s(2).cause(&error),
            PasswordError::Hash(_) | PasswordError::Stored(_) | PasswordError::Stopped => Self::internal(&error),
        }
    }
}

impl From<TokenError> for Problem {
    fn from(error: TokenError) -> Self {
        let challenge = |description: &str| {
            Self::new(ProblemType::Unauthorized).detail(description).header(
                header::WWW_AUTHENTICATE,
                &format!("Bearer realm=\"fereta\", error=\"invalid_token\", error_description=\"{description}\""),
            )
        };
        match error {
            TokenError::Expired | TokenError::Invalid => challenge(&error.to_string()),
            TokenError::Signing => Self::internal(&error),
        }
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Unavailable { .. } | StoreError::Conflict { .. } => {
                Self::new(ProblemType::Unavailable).cause(&error)
            }
            StoreError::Lost { .. } => Self::new(ProblemType::OutcomeUnknown).cause(&error),
            StoreError::Constraint(_) | StoreError::Corrupt { .. } | StoreError::Database { .. } => {
                Self::internal(&error)
            }
        }
    }
}

impl From<PlayError> for Problem {
    fn from(error: PlayError) -> Self {
        match error {
            PlayError::AccountEnded => Self::from(TokenError::Invalid),
            PlayError::Banned => Self::new(ProblemType::Banned),
            PlayError::NoSuchGame => Self::new(ProblemType::NotFound),
            PlayError::NoSeat | PlayError::NotCreator => Self::new(ProblemType::Forbidden).detail(error.to_string()),
            PlayError::InviteGone => Self::new(ProblemType::InviteGone),
            PlayError::TooManyInvites { .. } => Self::new(ProblemType::TooManyInvites).detail(error.to_string()),
            PlayError::TooManyTables { .. } => Self::new(ProblemType::TooManyTables).detail(error.to_string()),
            PlayError::TooManyGamesOfBots { .. } => {
                Self::new(ProblemType::TooManyGamesOfBots).detail(error.to_string())
            }
            PlayError::NoSuchVersion { .. } => Self::malformed("?at", error.to_string()),
            PlayError::SeatedInGame => Self::new(ProblemType::SeatedInGame),
            PlayError::SeatedAlready => Self::new(ProblemType::AlreadySeated),
            PlayError::NotRunning => Self::new(ProblemType::NotRunning),
            PlayError::Stale { version } => Self::stale_version(version),
            PlayError::KeyReused => Self::new(ProblemType::IdempotencyKeyReused),
            PlayError::CardSet(error) => Self::malformed(format!("options.card_set.{}", error.field), error.reason),
            PlayError::Rule(error) => error.into(),
            PlayError::NoHints => Self::new(ProblemType::NoHints),
            PlayError::NotEnded => Self::new(ProblemType::NotEnded),
            PlayError::NoReviews => Self::new(ProblemType::NoReviews),
            PlayError::Crowded => Self::new(ProblemType::Unavailable).cause(&error),
            PlayError::Busy => Self::new(ProblemType::Unavailable).retry_after_s(2).cause(&error),
            PlayError::Unfinished => Self::new(ProblemType::OutcomeUnknown).detail(error.to_string()).cause(&error),
            PlayError::OutcomeUnknown => Self::new(ProblemType::OutcomeUnknown).cause(&error),
            PlayError::Log(LogError::Newer) => Self::new(ProblemType::NewerData).cause(&LogError::Newer),
            PlayError::Log(error @ (LogError::Line { .. } | LogError::Secret { .. } | LogError::Chain { .. })) => {
                Self::internal(&error)
            }
            PlayError::Store(error) => error.into(),
        }
    }
}

impl From<RuleError> for Problem {
    fn from(error: RuleError) -> Self {
        match error {
            RuleError::NotYourDecision => Self::new(ProblemType::NotYourDecision),
            RuleError::Ended | RuleError::Closed | RuleError::NotStarted => Self::new(ProblemType::NotRunning),
            RuleError::AlreadyStarted => Self::new(ProblemType::AlreadyStarted),
            RuleError::TableFull => Self::new(ProblemType::TableFull),
            RuleError::SeatTaken => Self::new(ProblemType::SeatTaken),
            RuleError::SeatsFree => Self::new(ProblemType::TableNotFull),
            RuleError::NotCreated | RuleError::AlreadyCreated | RuleError::RulesVersion => Self::internal(&error),
            RuleError::PlayerCount
            | RuleError::CardSet
            | RuleError::NoSuchSeat
            | RuleError::SeatEmpty
            | RuleError::RulesWithoutBots
            | RuleError::BotPlays
            | RuleError::OtherDecisionDue
            | RuleError::PlaceNoSuchLand
            | RuleError::PlaceLandHasBase
            | RuleError::BattlefieldNoSuchLand
            | RuleError::NotNeighbours
            | RuleError::SameHouse
            | RuleError::NotPassedToYou
            | RuleError::TooManyPlayed
            | RuleError::PlayedNotInHand
            | RuleError::NoBaseLeft
            | RuleError::BuildNoSuchLand
            | RuleError::BuildLandHasBase
            | RuleError::NoBaseOfYours
            | RuleError::FaceLimit
            | RuleError::DiscardedNotInHand
            | RuleError::DiscardCount => Self::rule_violation(error.rule(), error.code(), error.to_string()),
        }
    }
}

/// At most [`MAX_TOLD`] bytes of a text that may repeat what the client sent.
fn cut(mut text: String) -> String {
    if text.len() > MAX_TOLD {
        let end = (0..=MAX_TOLD).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
        text.truncate(end);
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_are_unique_and_plain() {
        let mut slugs: Vec<_> = ProblemType::ALL.iter().map(|kind| kind.slug()).collect();
        assert!(slugs.iter().all(|slug| slug.bytes().all(|b| b.is_ascii_lowercase() || b == b'-')));
        slugs.sort_unstable();
        slugs.dedup();
        assert_eq!(slugs.len(), ProblemType::ALL.len());
    }

    #[test]
    fn what_the_client_sent_is_repeated_in_bounds() {
        let problem = Problem::malformed("é".repeat(50_000), "花".repeat(50_000));
        assert!(problem.0.path.expect("a path").len() <= MAX_TOLD + 3);
        assert!(problem.0.detail.expect("a detail").len() <= MAX_TOLD + 3);
    }

    #[test]
    fn a_cause_is_for_the_log_only() {
        let problem = Problem::from(StoreError::Database { message: "secret".into() });
        assert!(problem.logged_cause().expect("a cause").contains("secret"));
        let body = serde_json::to_string(&format!("{:?}", problem.to_response(Uuid::nil()))).expect("text");
        assert!(!body.contains("secret"));
        assert_eq!(problem.status_code(), 500);
    }
}
