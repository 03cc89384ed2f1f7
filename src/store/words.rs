//! The few words that are stored as text, as enums. A word that is not known is an error of the data, never a default.

use diesel::deserialize::{self, FromSql, FromSqlRow};
use diesel::expression::AsExpression;
use diesel::pg::{Pg, PgValue};
use diesel::serialize::{self, Output, ToSql};
use diesel::sql_types::Text;

macro_rules! words {
    ($(#[doc = $doc:literal])* $name:ident { $($(#[doc = $variant_doc:literal])* $variant:ident = $word:literal,)* }) => {
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, AsExpression, FromSqlRow)]
        #[diesel(sql_type = Text)]
        pub enum $name { $($(#[doc = $variant_doc])* $variant,)* }

        impl $name {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The word as it is stored.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }
        }

        impl ToSql<Text, Pg> for $name {
            fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
                <str as ToSql<Text, Pg>>::to_sql(self.word(), out)
            }
        }

        impl FromSql<Text, Pg> for $name {
            fn from_sql(value: PgValue<'_>) -> deserialize::Result<Self> {
                match std::str::from_utf8(value.as_bytes())? {
                    $($word => Ok(Self::$variant),)*
                    other => Err(format!(concat!("{:?} is no ", stringify!($name)), other).into()),
                }
            }
        }
    };
}

words! {
    /// Whether an account may act.
    AccountStatus {
        /// It may.
        Active = "active",
        /// Its owner ended it; the name is a tombstone.
        Deleted = "deleted",
        /// The operator shut it out.
        Banned = "banned",
    }
}

words! {
    /// Where a game stands.
    GameStatus {
        /// Seats are taken and left.
        Open = "open",
        /// It is played.
        Running = "running",
        /// It was played to its end.
        Ended = "ended",
        /// The table was closed before the start.
        Closed = "closed",
    }
}

words! {
    /// Who may know of a game.
    Visibility {
        /// It is listed, and every account may watch.
        Public = "public",
        /// It is not listed, but whoever has its id may look.
        Unlisted = "unlisted",
        /// Only those who sit there, the creator, and who was invited.
        Private = "private",
    }
}

words! {
    /// How strong a bot is.
    BotLevel {
        /// The weakest.
        Easy = "easy",
        /// Stronger.
        Normal = "normal",
        /// Stronger still.
        Hard = "hard",
        /// The strongest.
        Expert = "expert",
    }
}

words! {
    /// What starts a game.
    StartRule {
        /// The last seat is taken.
        Full = "full",
        /// The creator says so.
        Creator = "creator",
    }
}
