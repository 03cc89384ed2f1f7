//! What an account does about itself: its name and language, its password, its devices, its end.
//!
//! Each begins with a read that says whether the account and the device still stand. Who only has a device in his hands, or an
//! access token that he found, cannot take the account away: that needs its password, or, of a guest, who has none, the
//! refresh token of this device. Must never: let a password be guessed more cheaply here than at the log-in.

use super::name::{Name, name_key};
use super::password::Password;
use super::refresh::{self, RefreshToken};
use super::{Auth, AuthError, parse_locale};
use crate::ids::Bearer;
use crate::store::accounts::{Account, AccountChange, Ending, Tombstone, WithPassword};
use crate::store::{AccountStatus, Constraint, Store, StoreError};

/// What all accounts that have ended are called. Nobody else can be.
pub const TOMBSTONE: &str = "(deleted)";

/// The language of who has ended: undetermined (ISO 639-2).
const NO_LOCALE: &str = "und";
/// How often a change is tried anew when others were faster.
const ATTEMPTS: usize = 3;

/// What an account may change about itself; `None` stays as it is.
pub struct Profile<'a> {
    /// Name.
    pub name: Option<&'a str>,
    /// Language tag.
    pub locale: Option<&'a str>,
}

/// What shows that it is the owner who asks.
#[derive(Clone, Copy)]
pub enum Proof<'a> {
    /// The account's password.
    Password(&'a str),
    /// The newest refresh token of this device, of a guest.
    RefreshToken(&'a str),
}

/// An owner who has shown that he is.
pub struct Proven {
    bearer: Bearer,
    password_hash: Option<String>,
}

impl Auth {
    /// The bearer's account.
    ///
    /// # Errors
    /// [`AuthError::Ended`], [`AuthError::Banned`].
    pub async fn account(&self, store: &Store, bearer: Bearer) -> Result<Account, AuthError> {
        standing(store, bearer).await.map(|(account, _)| account)
    }

    /// Changes the bearer's name or language.
    ///
    /// # Errors
    /// As [`Auth::account`]; [`AuthError::Name`] or [`AuthError::Locale`] for what is not acceptable;
    /// [`AuthError::NameTaken`].
    pub async fn change_profile(
        &self,
        store: &Store,
        bearer: Bearer,
        profile: Profile<'_>,
    ) -> Result<Account, AuthError> {
        let (account, _) = standing(store, bearer).await?;
        let name = profile.name.map(free_name).transpose()?;
        let key = name.as_ref().map(Name::key);
        let change = AccountChange {
            name: name.as_ref().map(Name::as_str).zip(key.as_deref()),
            locale: profile.locale.map(parse_locale).transpose()?,
        };
        if change.name.is_none() && change.locale.is_none() {
            return Ok(account);
        }
        match store.change_account(bearer.account, &change).await {
            Ok(changed) => changed.ok_or(AuthError::Ended),
            Err(StoreError::Constraint(Constraint::AccountName)) => Err(AuthError::NameTaken),
            Err(error) => Err(error.into()),
        }
    }

    /// Gives the account another password, or a guest his first, and logs out all other devices. Whoever lost the answer may
    /// ask again: that the password is the new one already is as good as knowing the old one.
    ///
    /// # Errors
    /// As [`Auth::account`]; [`AuthError::Password`] for one that is not acceptable; [`AuthError::Unproven`] without the old
    /// one, if there is one.
    pub async fn set_password(
        &self,
        store: &Store,
        bearer: Bearer,
        new: &str,
        old: Option<&str>,
        salt: [u8; 16],
    ) -> Result<Account, AuthError> {
        for _ in 0..ATTEMPTS {
            let (account, known) = standing(store, bearer).await?;
            let password = Password::parse(new)?;
            if let Some(known) = &known
                && !self.knows(old, known).await?
                && !self.knows(Some(new), known).await?
            {
                return Err(AuthError::Unproven);
            }
            let hash = self.passwords.hash(password, salt).await?;
            if store.set_password(bearer, known.as_deref(), &hash).await? {
                return Ok(Account { guest: false, ..account });
            }
        }
        Err(AuthError::Crowded)
    }

    /// Logs out the bearer's device, or all devices of his account. Its refresh tokens are worthless from then on, and its
    /// access tokens are refused at the next request, on every server.
    ///
    /// # Errors
    /// [`AuthError::Ended`], [`AuthError::Banned`].
    pub async fn log_out(&self, store: &Store, bearer: Bearer, everywhere: bool) -> Result<(), AuthError> {
        check(store.log_out(bearer, everywhere).await?)
    }

    /// Whether it is the owner who asks.
    ///
    /// # Errors
    /// As [`Auth::account`]; [`AuthError::Unproven`] if the proof is wrong or not of the right kind.
    pub async fn prove(&self, store: &Store, bearer: Bearer, proof: Proof<'_>) -> Result<Proven, AuthError> {
        let (_, password_hash) = standing(store, bearer).await?;
        let right = match (&password_hash, proof) {
            (Some(hash), Proof::Password(password)) => self.knows(Some(password), hash).await?,
            (None, Proof::RefreshToken(token)) => match RefreshToken::parse(token) {
                Some(token) => store.holds_refresh_token(bearer, token.hash().0, refresh::RETRY_S).await?,
                None => false,
            },
            (Some(_), Proof::RefreshToken(_)) | (None, Proof::Password(_)) => false,
        };
        if right { Ok(Proven { bearer, password_hash }) } else { Err(AuthError::Unproven) }
    }

    /// Ends the account: its name becomes [`TOMBSTONE`] everywhere, and free for others; all its tokens end. What it did
    /// stays, under its id.
    ///
    /// # Errors
    /// [`AuthError::Seated`] if it sits in a game that is being played; [`AuthError::Unsettled`] if it sits at a table, or
    /// made one, that has not begun; [`AuthError::Ended`], [`AuthError::Banned`] or
    /// [`AuthError::Unproven`] if something changed since the proof. Nothing was changed.
    pub async fn end_account(&self, store: &Store, proven: &Proven) -> Result<(), AuthError> {
        let tombstone = Tombstone { name: TOMBSTONE, locale: NO_LOCALE };
        let known = proven.password_hash.as_deref();
        match store.end_account(proven.bearer.account, known, &tombstone).await? {
            Ending::Ended => Ok(()),
            Ending::Seated => Err(AuthError::Seated),
            Ending::Unsettled => Err(AuthError::Unsettled),
            Ending::Changed => Err(standing(store, proven.bearer).await.err().unwrap_or(AuthError::Unproven)),
        }
    }

    async fn knows(&self, password: Option<&str>, hash: &str) -> Result<bool, AuthError> {
        match password.map(Password::parse) {
            Some(Ok(password)) => Ok(self.passwords.verify(password, Some(hash.to_owned())).await?),
            Some(Err(_)) | None => Ok(false),
        }
    }
}

/// A name that is acceptable, and not that of the dead.
pub(super) fn free_name(text: &str) -> Result<Name, AuthError> {
    let name = Name::parse(text)?;
    if name.key() == name_key(TOMBSTONE) { Err(AuthError::NameTaken) } else { Ok(name) }
}

async fn standing(store: &Store, bearer: Bearer) -> Result<WithPassword, AuthError> {
    let found = store.account(bearer).await?;
    check(found.as_ref().map(|(account, _)| account.status))?;
    found.ok_or(AuthError::Ended)
}

fn check(status: Option<AccountStatus>) -> Result<(), AuthError> {
    match status {
        Some(AccountStatus::Active) => Ok(()),
        Some(AccountStatus::Banned) => Err(AuthError::Banned),
        Some(AccountStatus::Deleted) | None => Err(AuthError::Ended),
    }
}
