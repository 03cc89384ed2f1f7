//! Numbers that come in lists, with their bounds: only for schemas, as the lists themselves hold plain bytes.

use utoipa::ToSchema;

macro_rules! numbers {
    ($($(#[$meta:meta])* $name:ident($type:ty);)*) => {
        $(
            #[derive(Clone, Copy, Debug, ToSchema)]
            $(#[$meta])*
            pub struct $name(pub $type);
        )*
    };
}

numbers! {
    /// The value of a supply card (R1.3).
    #[schema(value_type = u8, minimum = 1, maximum = 99)]
    CardValue(u8);
    /// Victory points that a land is worth (R1.2).
    #[schema(value_type = u8, minimum = 0, maximum = 99)]
    LandPoints(u8);
    /// 1 + the number of players with more victory points (R4.3).
    #[schema(value_type = u8, minimum = 1, maximum = 5)]
    Rank(u8);
    /// The victory points of a player.
    #[schema(value_type = u16, minimum = 0, maximum = 65_535)]
    Score(u16);
}
