//! Events: complete facts in the past tense, from which a table is folded without a rule or a random number.
//!
//! An event is a public [`Fact`] and at most one [`Secret`], whose audience is fixed for ever by the fact (fairness F3).
//! The types, their order and their number follow from public facts alone.

mod secret;
mod words;

use std::fmt;
use std::sync::Arc;

use borsh::{BorshDeserialize, BorshSerialize};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::ToSchema;
use uuid::Uuid;

use super::card::{ActionCard, Supplies, SupplyValue};
use super::card_set::CardSet;
use super::command::{BotLevel, Options};
use super::land::{Face, House, LaidLand, Place};
use super::numbers::{CardValue, Rank, Score};
use super::seat::{BySeat, Seat};

pub use secret::{ActionCardOrder, DeckOrder, Secret, SecretActionCard, SecretActionCards, SecretSupplies};
pub use words::{AwardReason, CloseReason, DrawSource, EndReason, EntropySource, StartMode};

/// 32 bytes, as 64 lower-case hex digits in JSON: a hash or a player's entropy.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, BorshSerialize, BorshDeserialize, ToSchema)]
#[schema(value_type = String, pattern = "^[0-9a-f]{64}$", min_length = 64, max_length = 64)]
pub struct Bytes32(pub [u8; 32]);

impl fmt::Display for Bytes32 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut digits = [0; 64];
        hex::encode_to_slice(self.0, &mut digits).map_err(|_| fmt::Error)?;
        f.write_str(std::str::from_utf8(&digits).map_err(|_| fmt::Error)?)
    }
}

impl fmt::Debug for Bytes32 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::str::FromStr for Bytes32 {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut bytes = [0; 32];
        let (pairs, rest) = text.as_bytes().as_chunks();
        let all = pairs.len() == bytes.len() && rest.is_empty();
        let decoded = bytes.iter_mut().zip(pairs).all(|(byte, [high, low])| {
            let both = lower_hex(*high).zip(lower_hex(*low));
            *byte = both.map_or(0, |(high, low)| high << 4 | low);
            both.is_some()
        });
        if all && decoded { Ok(Self(bytes)) } else { Err("32 bytes are 64 lower-case hex digits") }
    }
}

/// The value of a lower-case hex digit. An audit reads hundreds for every event, and the crate's way is slow.
const fn lower_hex(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}

impl Serialize for Bytes32 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Bytes32 {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <std::borrow::Cow<'_, str> as Deserialize>::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// Something that happened at a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// What everybody may know.
    pub fact: Fact,
    /// What only [`Fact::audience`] may know until the end.
    pub secret: Option<Secret>,
}

/// An event as one viewer is told of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventView {
    /// What everybody may know.
    pub fact: Fact,
    /// The secret part, if the viewer may know it.
    pub secret: Option<Secret>,
}

/// Who may know the secret part of an event while the game runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// One seat.
    Seat(Seat),
    /// Nobody.
    Nobody,
}

macro_rules! facts {
    ($($(#[$doc:meta])* $name:ident { $($(#[$field_meta:meta])* $field:ident: $type:ty,)* })*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
            #[serde(deny_unknown_fields)]
            pub struct $name { $($(#[$field_meta])* pub $field: $type,)* }

            impl From<$name> for Fact {
                fn from(fact: $name) -> Self {
                    Self::$name(fact.into())
                }
            }
        )*
    };
}

/// The public part of an event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", content = "data", rename_all = "snake_case")]
#[expect(missing_docs, reason = "each variant is documented at the struct of its name")]
pub enum Fact {
    TableCreated(Box<TableCreated>),
    SeatTaken(SeatTaken),
    SeatLeft(SeatLeft),
    BotAssigned(BotAssigned),
    TableClosed(TableClosed),
    GameStarted(GameStarted),
    LandsLaid(LandsLaid),
    EstatePlaced(EstatePlaced),
    DeckShuffled(DeckShuffled),
    SuppliesDealt(SuppliesDealt),
    RoundStarted(RoundStarted),
    BattlefieldChosen(BattlefieldChosen),
    ActionCardsShuffled(ActionCardsShuffled),
    ActionCardsPassed(ActionCardsPassed),
    ActionCardKept(ActionCardKept),
    ActionCardsLeft(ActionCardsLeft),
    SuppliesPlayed(SuppliesPlayed),
    ActionCardsRevealed(ActionCardsRevealed),
    AllegianceChanged(AllegianceChanged),
    BattleFought(BattleFought),
    LandTurned(LandTurned),
    PointsAwarded(PointsAwarded),
    BaseBuilt(BaseBuilt),
    BaseFlipped(BaseFlipped),
    BuildPassed(BuildPassed),
    StrategyCardGiven(StrategyCardGiven),
    PlayedSuppliesDiscarded(PlayedSuppliesDiscarded),
    SuppliesDrawn(SuppliesDrawn),
    DrawLost(DrawLost),
    SuppliesDiscarded(SuppliesDiscarded),
    GameEnded(GameEnded),
}

facts! {
    /// The table was set up: all that a replay hangs on (fairness F3).
    TableCreated {
        /// The values and counts the game is played with (R1.6).
        card_set: Arc<CardSet>,
        /// The version of the fairness rules.
        #[schema(minimum = 1, maximum = 65_535)]
        fairness: u16,
        /// The version of the event format.
        #[schema(minimum = 1, maximum = 65_535)]
        format: u16,
        /// The game's id.
        game_id: Uuid,
        /// The options.
        options: Options,
        /// The number of players, 3 to 5 (R1.1).
        #[schema(minimum = 3, maximum = 5)]
        players: u8,
        /// The version of the rules.
        #[schema(minimum = 1, maximum = 65_535)]
        rules: u16,
        /// SHA-256 of the server's seed (fairness F1).
        seed_commitment: Bytes32,
        /// What starts the game.
        start: StartMode,
    }
    /// A player sat down, before the start.
    SeatTaken {
        /// What he adds to the randomness of the game (fairness F1).
        entropy: Bytes32,
        /// Who chose the entropy.
        entropy_from: EntropySource,
        /// The seat.
        seat: Seat,
    }
    /// A player left his seat, before the start.
    SeatLeft {
        /// The seat.
        seat: Seat,
    }
    /// A bot plays the seat from now on, in a game that began under version 2 of the rules or a newer one: it sat down there
    /// just before, or a player gave his seat up while the game ran.
    BotAssigned {
        /// How strong the bot is.
        level: BotLevel,
        /// The seat.
        seat: Seat,
        /// The version of the bots' play.
        #[schema(minimum = 0, maximum = 65_535)]
        version: u16,
    }
    /// The table was closed before the start; nothing happens at it any more.
    TableClosed {
        /// Why.
        reason: CloseReason,
    }
    /// The game began: allegiances and the holder of the strategy card follow from the first player (R2.1, R2.5).
    GameStarted {
        /// The house of each seat.
        #[schema(value_type = Vec<House>, min_items = 3, max_items = 5)]
        allegiances: BySeat<House>,
        /// The first player of round 1.
        first_player: Seat,
        /// Who holds the strategy card and the battle card.
        strategy_card: Seat,
    }
    /// The lands were shuffled and laid in a circle (R2.2).
    LandsLaid {
        /// The lands by place.
        #[schema(value_type = Vec<LaidLand>, min_items = 3, max_items = 16)]
        lands: Box<[LaidLand]>,
    }
    /// A player placed his first base (R2.3).
    EstatePlaced {
        /// At this land.
        land: Place,
        /// Whose it is.
        seat: Seat,
    }
    /// The supply deck was shuffled, at the setup (R2.4) or from the discard pile (R3.9.3). Its order is known to nobody.
    DeckShuffled {
        /// How many cards it has, 0 to 200.
        #[schema(minimum = 0, maximum = 200)]
        count: u8,
        /// 0 at the setup; then which reshuffle of the game it is.
        #[schema(minimum = 0, maximum = 65_535)]
        reshuffle: u16,
    }
    /// A player got his opening hand (R2.4); the cards are known to him.
    SuppliesDealt {
        /// How many cards.
        #[schema(minimum = 3, maximum = 3)]
        count: u8,
        /// Who got them.
        seat: Seat,
    }
    /// A round began (R3.10).
    RoundStarted {
        /// The first player.
        first_player: Seat,
        /// The round, counted from 1.
        #[schema(minimum = 1, maximum = 20)]
        round: u8,
    }
    /// The holder of the strategy card chose the battlefield (R3.1).
    BattlefieldChosen {
        /// The two lands, `[i, i+1]`, or `[m-1, 0]` where the circle of m lands closes.
        #[schema(min_items = 2, max_items = 2)]
        lands: [Place; 2],
        /// Who chose.
        seat: Seat,
    }
    /// The action cards were shuffled and the top one set aside (R3.2). Their order is known to nobody.
    ActionCardsShuffled {
        /// How many cards there are.
        #[schema(minimum = 6, maximum = 7)]
        count: u8,
    }
    /// The action cards in the draft reached a player (R3.2); they are known to him.
    ActionCardsPassed {
        /// How many cards.
        #[schema(minimum = 1, maximum = 6)]
        count: u8,
        /// Who looks at them.
        seat: Seat,
    }
    /// A player kept one of the action cards (R3.2); which one is known to him.
    ActionCardKept {
        /// Who kept it.
        seat: Seat,
    }
    /// What nobody kept went back face down (R3.2), also if it is nothing; the last player has seen it.
    ActionCardsLeft {
        /// How many cards.
        #[schema(minimum = 0, maximum = 3)]
        count: u8,
        /// The last player of the draft.
        seat: Seat,
    }
    /// A player played supply cards, or none (R3.3).
    SuppliesPlayed {
        /// The values, rising.
        cards: Supplies,
        /// Who played them.
        seat: Seat,
    }
    /// All action cards of the players were turned up (R3.4).
    ActionCardsRevealed {
        /// The card of each seat.
        #[schema(value_type = Vec<ActionCard>, min_items = 3, max_items = 5)]
        cards: BySeat<ActionCard>,
    }
    /// A player changed allegiance (R3.4).
    AllegianceChanged {
        /// The card that made him: the Traitor, or Diplomat\[5\] standing in.
        card: ActionCard,
        /// The house he belongs to now.
        house: House,
        /// Who changed.
        seat: Seat,
    }
    /// The battle was decided (R3.5).
    BattleFought {
        /// The strength of the Eagle house.
        #[schema(minimum = 0, maximum = 65_535)]
        eagle: u16,
        /// The strength of the Rose house.
        #[schema(minimum = 0, maximum = 65_535)]
        rose: u16,
        /// Which house won; none if the strengths are equal.
        winner: Option<House>,
    }
    /// The losing land turned to the winning house (R3.6).
    LandTurned {
        /// The house it shows now.
        house: House,
        /// The land.
        land: Place,
    }
    /// A player got victory points (R3.6, R4.2).
    PointsAwarded {
        /// How many, never 0.
        #[schema(minimum = 1, maximum = 99)]
        points: u8,
        /// What for.
        reason: AwardReason,
        /// Who got them.
        seat: Seat,
    }
    /// The Builder placed a base (R3.7).
    BaseBuilt {
        /// The face that is up.
        face: Face,
        /// At this land.
        land: Place,
        /// Whose it is.
        seat: Seat,
    }
    /// The Builder turned over a base of his (R3.7).
    BaseFlipped {
        /// The face that is up now.
        face: Face,
        /// At this land.
        land: Place,
        /// Whose it is.
        seat: Seat,
    }
    /// The Builder built nothing (R3.7).
    BuildPassed {
        /// Who passed.
        seat: Seat,
    }
    /// The strategy card and the battle card went to the player who chose the Strategist (R3.8).
    StrategyCardGiven {
        /// Who holds them now.
        seat: Seat,
    }
    /// The supply cards played this round went to the discard pile (R3.9.1), also if there are none.
    PlayedSuppliesDiscarded {
        /// The values, rising.
        #[schema(value_type = Vec<CardValue>, max_items = 25)]
        cards: Box<[SupplyValue]>,
    }
    /// A player drew supply cards (R3.9.2); they are known to him.
    SuppliesDrawn {
        /// How many cards, at least one.
        #[schema(minimum = 1, maximum = 3)]
        count: u8,
        /// Who drew them.
        seat: Seat,
        /// What let him draw.
        source: DrawSource,
    }
    /// A card that should be drawn was not there (R3.9.3).
    DrawLost {
        /// Who should have drawn it.
        seat: Seat,
        /// What let him draw.
        source: DrawSource,
    }
    /// A player discarded down to five cards (R3.9.4).
    SuppliesDiscarded {
        /// The values, rising.
        cards: Supplies,
        /// Who discarded them.
        seat: Seat,
    }
    /// The game ended (R4).
    GameEnded {
        /// The rank of each seat: 1 + the number of players with more victory points (R4.3).
        #[schema(value_type = Vec<Rank>, min_items = 3, max_items = 5)]
        ranks: BySeat<u8>,
        /// Why it ended.
        reason: EndReason,
        /// The victory points of each seat.
        #[schema(value_type = Vec<Score>, min_items = 3, max_items = 5)]
        scores: BySeat<u16>,
    }
}

impl Fact {
    /// Who may know the secret part; none if there is no secret part.
    pub const fn audience(&self) -> Option<Audience> {
        match self {
            Self::DeckShuffled(_) | Self::ActionCardsShuffled(_) => Some(Audience::Nobody),
            Self::SuppliesDealt(SuppliesDealt { seat, .. })
            | Self::ActionCardsPassed(ActionCardsPassed { seat, .. })
            | Self::ActionCardKept(ActionCardKept { seat })
            | Self::ActionCardsLeft(ActionCardsLeft { seat, .. })
            | Self::SuppliesDrawn(SuppliesDrawn { seat, .. }) => Some(Audience::Seat(*seat)),
            Self::TableCreated(_)
            | Self::SeatTaken(_)
            | Self::SeatLeft(_)
            | Self::BotAssigned(_)
            | Self::TableClosed(_)
            | Self::GameStarted(_)
            | Self::LandsLaid(_)
            | Self::EstatePlaced(_)
            | Self::RoundStarted(_)
            | Self::BattlefieldChosen(_)
            | Self::SuppliesPlayed(_)
            | Self::ActionCardsRevealed(_)
            | Self::AllegianceChanged(_)
            | Self::BattleFought(_)
            | Self::LandTurned(_)
            | Self::PointsAwarded(_)
            | Self::BaseBuilt(_)
            | Self::BaseFlipped(_)
            | Self::BuildPassed(_)
            | Self::StrategyCardGiven(_)
            | Self::PlayedSuppliesDiscarded(_)
            | Self::DrawLost(_)
            | Self::SuppliesDiscarded(_)
            | Self::GameEnded(_) => None,
        }
    }
}

impl Event {
    /// An event without a secret.
    pub(super) fn open(fact: impl Into<Fact>) -> Self {
        Self { fact: fact.into(), secret: None }
    }

    /// An event with a secret.
    pub(super) fn sealed(fact: impl Into<Fact>, secret: Secret) -> Self {
        Self { fact: fact.into(), secret: Some(secret) }
    }
}
