//! Ids as types, so that a game's cannot be given where an account's is meant.
//!
//! All are UUIDs; those made here are of version 7, whose order is the order of their making. Making one reads the system's
//! clock and randomness, which is why only the layers above the engine may do it.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// Who asks: an account, and the device that it is logged in on, which may have been logged out since.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bearer {
    /// The account.
    pub account: AccountId,
    /// The device; `None` for what acts for an account without a token of ours (a clock, the command line).
    pub device: Option<DeviceId>,
}

impl From<AccountId> for Bearer {
    fn from(account: AccountId) -> Self {
        Self { account, device: None }
    }
}

macro_rules! id {
    ($(#[doc = $doc:literal])* $name:ident) => {
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
        #[serde(transparent)]
        #[schema(value_type = Uuid)]
        pub struct $name(Uuid);

        impl $name {
            /// A new id, later than all made before it on this machine.
            #[must_use]
            pub fn fresh() -> Self {
                Self(Uuid::now_v7())
            }

            /// The id as a plain UUID.
            #[must_use]
            pub const fn uuid(self) -> Uuid {
                self.0
            }

            /// The sixteen bytes in the order they are printed.
            #[must_use]
            pub const fn bytes(&self) -> &[u8; 16] {
                self.0.as_bytes()
            }
        }

        impl From<Uuid> for $name {
            fn from(uuid: Uuid) -> Self {
                Self(uuid)
            }
        }

        impl FromStr for $name {
            type Err = uuid::Error;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                text.parse().map(Self)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(formatter)
            }
        }
    };
}

id! {
    /// A game.
    GameId
}
id! {
    /// An account.
    AccountId
}
id! {
    /// An invite to a table, which is not its code.
    InviteId
}
id! {
    /// A device: one line of refresh tokens, from a log-in on.
    DeviceId
}
id! {
    /// One HTTP request, as it is named in the log and in problems.
    RequestId
}
