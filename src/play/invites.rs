//! Invites: a code that lets a stranger look at a table and sit down at it. Whoever has the code is invited, any number of
//! times until the table has begun or was closed; its creator can revoke it. From then on a stranger who has it is told that it
//! is gone, and nothing of the game.
//!
//! An invite is no event: it says nothing of the game, and its code must not be in a log that everybody reads. So it is not
//! guarded by the game's version. It is looked up before every attempt to sit down, so that a seat is taken with a revoked
//! one only by a request that was under way when it was revoked. To throw somebody out, revoke first.

use std::fmt;
use std::str::FromStr;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

use super::error::PlayError;
use super::read::{GameAnswer, game_answer};
use super::submit::Action;
use super::table::{Table, check_account, comes_too_late, known_game, no_game};
use super::{Ask, Play};
use crate::engine::{RuleError, Status};
use crate::ids::{Bearer, GameId, InviteId};
use crate::store::{Found, InviteRow, NewInvite};

/// How many invites of a table can be good at the same time.
const MOST: i64 = 20;

/// An invite's code: 128 random bits, on the wire 22 characters of base64url. A secret: its `Debug` hides it.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "String", into = "String")]
#[schema(value_type = String, pattern = "^[A-Za-z0-9_-]{22}$", min_length = 22, max_length = 22)]
pub struct InviteCode([u8; 16]);

/// An invite that was just made: the one time that its code is told.
#[derive(Clone, Debug)]
pub struct MadeInvite {
    /// The invite.
    pub invite: InviteRow,
    /// Its code.
    pub code: InviteCode,
}

/// A page of a table's invites, newest first.
#[derive(Clone, Debug)]
pub struct InvitePage {
    /// The invites.
    pub invites: Vec<InviteRow>,
    /// Where the next page begins, if there is one.
    pub next: Option<InviteId>,
}

/// What came of the invite in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Invited {
    /// There is none in it.
    NotAsked,
    /// It is good for this game.
    Good,
    /// It was good for this game once.
    Gone,
    /// No such invite of this game.
    Unknown,
}

impl InviteCode {
    /// The first half of 32 random bytes.
    fn of(random: [u8; 32]) -> Self {
        let mut bytes = random.into_iter();
        Self(std::array::from_fn(|_| bytes.next().unwrap_or_default()))
    }

    /// The code as it is told.
    pub fn to_text(self) -> String {
        URL_SAFE_NO_PAD.encode(self.0)
    }

    /// What is stored of it. 128 random bits need no salt.
    fn hash(self) -> [u8; 32] {
        Sha256::digest(self.0).into()
    }
}

impl Invited {
    /// Whether the caller may know of the game for it.
    pub(super) const fn tells_of_the_game(self) -> bool {
        match self {
            Self::Good | Self::Gone => true,
            Self::NotAsked | Self::Unknown => false,
        }
    }

    /// An invite that is sent must be good, also where none is needed.
    pub(super) const fn check(self) -> Result<(), PlayError> {
        match self {
            Self::NotAsked | Self::Good => Ok(()),
            Self::Gone => Err(PlayError::InviteGone),
            Self::Unknown => Err(PlayError::NoSuchGame),
        }
    }
}

impl Play {
    /// Makes an invite to a table that has not begun; for its creator.
    ///
    /// # Errors
    /// [`PlayError`]; [`PlayError::TooManyInvites`] if enough are good.
    pub async fn invite(&self, caller: Bearer, game: GameId, life_s: u32) -> Result<MadeInvite, PlayError> {
        let table = self.own_table(caller, game).await?;
        match table.state.status() {
            Status::Open => {}
            Status::Running => return Err(RuleError::AlreadyStarted.into()),
            Status::Ended => return Err(RuleError::Ended.into()),
            Status::Closed => return Err(RuleError::Closed.into()),
        }
        let code = InviteCode::of((self.fresh_seed)());
        let new = NewInvite { id: InviteId::fresh(), game, code_hash: code.hash(), life_s, most: MOST };
        let made = self.store.create_invite(&new).await?;
        made.map(|invite| MadeInvite { invite, code }).ok_or(PlayError::TooManyInvites { most: MOST })
    }

    /// At most `limit` invites of a table, newest first; for its creator.
    ///
    /// # Errors
    /// [`PlayError`].
    pub async fn invites(
        &self,
        caller: Bearer,
        game: GameId,
        before: Option<InviteId>,
        limit: u32,
    ) -> Result<InvitePage, PlayError> {
        self.own_table(caller, game).await?;
        let mut invites = self.reads.invites(game, before, limit + 1).await?;
        let more = invites.len() > limit as usize;
        invites.truncate(limit as usize);
        let next = invites.last().filter(|_| more).map(|invite| invite.id);
        Ok(InvitePage { invites, next })
    }

    /// Revokes an invite; for the table's creator. Again is as good as once.
    ///
    /// # Errors
    /// [`PlayError`]; [`PlayError::NoSuchGame`] also if the table has no such invite.
    pub async fn revoke_invite(&self, caller: Bearer, game: GameId, invite: InviteId) -> Result<(), PlayError> {
        self.own_table(caller, game).await?;
        if self.store.revoke_invite(game, invite).await? { Ok(()) } else { Err(PlayError::NoSuchGame) }
    }

    /// The table that a code is for, as the caller may know it.
    ///
    /// # Errors
    /// [`PlayError`]; [`PlayError::NoSuchGame`] for a code that never was, [`PlayError::InviteGone`] for one that is no more,
    /// or, to who may not know the game without it, whose table has begun or was closed.
    pub async fn open_invite(&self, caller: Bearer, code: InviteCode) -> Result<GameAnswer, PlayError> {
        let invite = self.reads.invite_by_code(&code.hash()).await?;
        let game = invite.map_or(no_game(), |invite| invite.game);
        let (mut found, players) = self.reads.read_table(caller, game).await?;
        check_account(found.account)?;
        if invite.is_some_and(|invite| invite.gone || comes_too_late(&found, caller.account)) {
            return Err(PlayError::InviteGone);
        }
        let row = known_game(&mut found, caller.account, invite.is_some())?;
        Ok(game_answer(Table::load(&self.reads, row, found.seat).await?, players))
    }

    /// What the invite in a request is worth at the game as it was found.
    pub(super) async fn invite_of(&self, ask: &Ask, game: &Found) -> Result<Invited, PlayError> {
        let code = match &ask.action {
            Action::TakeSeat { invite: Some(code), .. } => code,
            Action::TakeSeat { invite: None, .. }
            | Action::LeaveSeat
            | Action::VacateSeat { .. }
            | Action::SeatBot { .. }
            | Action::GiveUp { .. }
            | Action::Close
            | Action::Start
            | Action::Move { .. } => return Ok(Invited::NotAsked),
        };
        let found = self.reads.invite_by_code(&code.hash()).await?;
        Ok(match found.filter(|invite| invite.game == ask.game) {
            Some(invite) if invite.gone || comes_too_late(game, ask.caller.account) => Invited::Gone,
            Some(_) => Invited::Good,
            None => Invited::Unknown,
        })
    }

    async fn own_table(&self, caller: Bearer, game: GameId) -> Result<Table, PlayError> {
        let table = self.table(caller, game).await?;
        if table.row.creator == caller.account { Ok(table) } else { Err(PlayError::NotCreator) }
    }
}

impl FromStr for InviteCode {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut code = [0; 16];
        match URL_SAFE_NO_PAD.decode_slice(text, &mut code) {
            Ok(16) if text.len() == 22 => Ok(Self(code)),
            Ok(_) | Err(_) => Err("an invite's code has 22 characters of base64url"),
        }
    }
}

impl TryFrom<String> for InviteCode {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<InviteCode> for String {
    fn from(code: InviteCode) -> Self {
        code.to_text()
    }
}

impl fmt::Debug for InviteCode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("InviteCode")
    }
}
