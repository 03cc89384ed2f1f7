//! Who somebody is: accounts, passwords and tokens.
//!
//! The only layer that sees a password or a token unhashed. Must never: know of games, log a secret, read the clock or
//! the system's randomness (both come in, as [`Fresh`]). Whether an account still stands is for the read of each request to
//! say; a good access token says only whose it is.

pub mod keys;
mod me;
pub mod name;
pub mod password;
pub mod refresh;
pub mod token;

use std::sync::Arc;

use chrono::{DateTime, Utc};
use uuid::Uuid;

pub use self::me::{Profile, Proof, Proven, TOMBSTONE};
use self::{
    keys::{Jwk, Keys},
    name::{NameError, name_key},
    password::{Password, PasswordError, Passwords},
    refresh::RefreshToken,
    token::{Good, TokenError, Tokens},
};
use crate::ids::{AccountId, DeviceId};
use crate::store::{
    AccountStatus, Constraint, Store, StoreError,
    accounts::{Account, NewAccount, NewFamily},
    tokens::{Spending, Spent},
};

/// The language of who does not say.
pub const DEFAULT_LOCALE: &str = "ja";

/// Signs up, logs in, refreshes and recognises.
pub struct Auth {
    keys: Arc<Keys>,
    tokens: Tokens,
    passwords: Passwords,
}

/// What the operator decides about tokens and passwords.
#[derive(Clone, Debug)]
pub struct AuthSettings {
    /// `iss` of the access tokens.
    pub issuer: String,
    /// `aud` of the access tokens.
    pub audience: String,
    /// How many passwords are hashed at once, each in 19 MiB.
    pub passwords_at_once: usize,
}

/// What one call needs from outside: the time, and bytes that nobody can foresee.
pub struct Fresh {
    /// The time.
    pub now: DateTime<Utc>,
    /// Becomes the first refresh token of a device.
    pub refresh: [u8; 32],
    /// Becomes a password's salt.
    pub salt: [u8; 16],
}

/// Who is logged in now, and the tokens that say so.
pub struct Session {
    /// The account.
    pub account: Account,
    /// JWT, good for [`token::LIFE_S`].
    pub access_token: String,
    /// Buys the next session, once.
    pub refresh_token: RefreshToken,
}

/// A new account as somebody asks for it.
pub struct SignUp<'a> {
    /// Name.
    pub name: &'a str,
    /// `None` for a guest.
    pub password: Option<&'a str>,
    /// Language tag; [`DEFAULT_LOCALE`] without.
    pub locale: Option<&'a str>,
}

impl Auth {
    /// With these keys and settings.
    ///
    /// # Errors
    /// [`PasswordError::Hash`] when argon2 does not work here.
    pub fn new(keys: Keys, settings: &AuthSettings) -> Result<Self, PasswordError> {
        let keys = Arc::new(keys);
        Ok(Self {
            tokens: Tokens::new(Arc::clone(&keys), &settings.issuer, &settings.audience),
            passwords: Passwords::new(settings.passwords_at_once)?,
            keys,
        })
    }

    /// The public keys that access tokens can be checked with.
    pub fn jwks(&self) -> Vec<Jwk> {
        self.keys.jwks()
    }

    /// The key that entity tags are made with: with it a tag tells nobody anything but that nothing has changed.
    pub fn tag_key(&self) -> [u8; 32] {
        self.keys.refresh().derive("fereta/etag/1/")
    }

    /// Who bears this access token at `now`.
    ///
    /// # Errors
    /// [`AuthError::Token`].
    pub fn recognise(&self, access_token: &str, now: DateTime<Utc>) -> Result<Good, AuthError> {
        Ok(self.tokens.verify(access_token, now)?)
    }

    /// Makes an account and logs it in on its first device.
    ///
    /// # Errors
    /// [`AuthError::Name`], [`AuthError::Locale`], [`AuthError::Password`] for what is not acceptable;
    /// [`AuthError::NameTaken`].
    pub async fn sign_up(&self, store: &Store, request: SignUp<'_>, fresh: Fresh) -> Result<Session, AuthError> {
        let name = me::free_name(request.name)?;
        let locale = parse_locale(request.locale.unwrap_or(DEFAULT_LOCALE))?;
        let password_hash = match request.password {
            Some(password) => Some(self.passwords.hash(Password::parse(password)?, fresh.salt).await?),
            None => None,
        };
        let new = NewAccount {
            id: AccountId::fresh(),
            name: name.as_str(),
            name_key: &name.key(),
            password_hash: password_hash.as_deref(),
            locale,
        };
        let refresh_token = RefreshToken::from_random(fresh.refresh);
        let family = new_family(&refresh_token);
        let created_at = match store.create_account(&new, &family).await {
            Ok(created_at) => created_at,
            Err(StoreError::Constraint(Constraint::AccountName)) => return Err(AuthError::NameTaken),
            Err(error) => return Err(error.into()),
        };
        let account = Account {
            id: new.id,
            name: new.name.to_owned(),
            guest: password_hash.is_none(),
            locale: locale.to_owned(),
            status: AccountStatus::Active,
            created_at,
        };
        self.session(account, family.id, refresh_token, fresh.now)
    }

    /// Logs in on a new device. A name that nobody has, a guest's name and a wrong password are one and the same answer,
    /// after the same time.
    ///
    /// # Errors
    /// [`AuthError::Credentials`]; [`AuthError::Banned`] for who knows the password of a banned account.
    pub async fn log_in(&self, store: &Store, name: &str, password: &str, fresh: Fresh) -> Result<Session, AuthError> {
        let password = Password::parse(password).map_err(|_| AuthError::Credentials)?;
        let found = match findable(name) {
            Some(key) => store.account_by_name_key(&key).await?,
            None => None,
        };
        let (account, stored) = found.map_or((None, None), |(account, stored)| (Some(account), stored));
        let right = self.passwords.verify(password, stored.clone()).await?;
        let account = account.filter(|_| right).ok_or(AuthError::Credentials)?;
        match account.status {
            AccountStatus::Active => {}
            AccountStatus::Deleted => return Err(AuthError::Credentials),
            AccountStatus::Banned => return Err(AuthError::Banned),
        }
        let refresh_token = RefreshToken::from_random(fresh.refresh);
        let family = new_family(&refresh_token);
        if !store.begin_family(account.id, stored.as_deref(), &family).await? {
            return Err(AuthError::Credentials);
        }
        self.session(account, family.id, refresh_token, fresh.now)
    }

    /// Spends a refresh token for a new session. Asked again within half a minute, it gives the same refresh token again;
    /// later it ends the device's whole family.
    ///
    /// # Errors
    /// [`AuthError::Refresh`] for a token that is worthless, whatever the reason; [`AuthError::Banned`].
    pub async fn refresh(&self, store: &Store, token: &str, now: DateTime<Utc>) -> Result<Session, AuthError> {
        let token = RefreshToken::parse(token).ok_or(AuthError::Refresh)?;
        let successor = token.successor(self.keys.refresh());
        let spending = Spending {
            token_hash: token.hash().0,
            successor_hash: successor.hash().0,
            life_days: refresh::LIFE_DAYS,
            retry_s: refresh::RETRY_S,
        };
        match store.spend_refresh_token(&spending).await? {
            Spent::Bought { account, family } => self.session(account, family, successor, now),
            Spent::Worthless => Err(AuthError::Refresh),
            Spent::Banned => Err(AuthError::Banned),
            Spent::Stolen { family } => {
                tracing::warn!(%family, "a spent refresh token was used again: its family has been ended");
                Err(AuthError::Refresh)
            }
        }
    }

    fn session(
        &self,
        account: Account,
        device: DeviceId,
        refresh_token: RefreshToken,
        now: DateTime<Utc>,
    ) -> Result<Session, AuthError> {
        let access_token = self.tokens.issue(account.id, device, Uuid::now_v7(), now)?;
        Ok(Session { account, access_token, refresh_token })
    }
}

/// Why somebody was not let in.
#[derive(Debug, thiserror::Error)]
pub enum AuthError {
    /// Not acceptable as a name.
    #[error(transparent)]
    Name(#[from] NameError),
    /// Not acceptable as a password, or hashing it failed.
    #[error(transparent)]
    Password(#[from] PasswordError),
    /// Not a language tag.
    #[error("a locale is a language tag such as \"ja\" or \"pt-BR\", of at most {MAX_LOCALE_BYTES} bytes")]
    Locale,
    /// The name is another's.
    #[error("the name is taken")]
    NameTaken,
    /// No such name, or not its password.
    #[error("the name or the password is wrong")]
    Credentials,
    /// The account has ended, or its device was logged out.
    #[error("the account has ended, or this device was logged out")]
    Ended,
    /// Not the account's password, or not a guest's refresh token.
    #[error("the password (or, of a guest, the refresh token) is missing or wrong")]
    Unproven,
    /// The account sits in a game that is being played.
    #[error("the account sits in a game that is being played")]
    Seated,
    /// The account sits at a table, or made one, that has not begun.
    #[error("the account has seats or tables that have not begun")]
    Unsettled,
    /// Others change the same account at the same time.
    #[error("the account is being changed by others at the same time")]
    Crowded,
    /// The account was ended by an operator.
    #[error("the account is banned")]
    Banned,
    /// No good access token.
    #[error(transparent)]
    Token(#[from] TokenError),
    /// No good refresh token.
    #[error("the refresh token is not valid: log in again")]
    Refresh,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The key of a name that somebody types to log in, in whatever form his keyboard writes it; none if nobody can be called
/// that.
fn findable(name: &str) -> Option<String> {
    // Decomposed, a code point of a name becomes four at the most. PostgreSQL's text has no NUL.
    let most = 4 * name::MAX_CODE_POINTS;
    let possible = name.chars().take(most + 1).count() <= most && !name.contains('\0');
    possible.then(|| name_key(name)).filter(|key| !key.contains('\0'))
}

/// The longest language tag (RFC 5646, 4.4.1).
const MAX_LOCALE_BYTES: usize = 35;

fn new_family(token: &RefreshToken) -> NewFamily {
    NewFamily { id: DeviceId::fresh(), token_hash: token.hash().0, life_days: refresh::LIFE_DAYS }
}

/// Accepts a well-formed language tag; whether anybody speaks it is not asked.
fn parse_locale(text: &str) -> Result<&str, AuthError> {
    let mut parts = text.split('-');
    let language = parts.next().unwrap_or_default();
    let formed = (2..=8).contains(&language.len())
        && language.bytes().all(|b| b.is_ascii_alphabetic())
        && parts.all(|part| (1..=8).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphanumeric()));
    if formed && text.len() <= MAX_LOCALE_BYTES { Ok(text) } else { Err(AuthError::Locale) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locales_are_language_tags() {
        for good in ["ja", "en", "pt-BR", "zh-Hant-TW", "de-CH-1996", "sl-rozaj-biske"] {
            assert!(parse_locale(good).is_ok(), "{good}");
        }
        for bad in ["", "j", "日本", "en_GB", "en-", "-en", "e1", "en--GB", "../etc", &"en-abcdefgh".repeat(4)] {
            assert!(parse_locale(bad).is_err(), "{bad}");
        }
    }
}
