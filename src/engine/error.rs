//! Why a command is refused.

/// A refusal: what the rules do not allow. It changed nothing, and its words depend on nothing hidden (R5.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum RuleError {
    /// The number of players is not 3 to 5.
    #[error("a game has 3 to 5 players")]
    PlayerCount,
    /// The card set cannot be played with; [`CardSet::check`](super::CardSet::check) names the field.
    #[error("the card set cannot be played with")]
    CardSet,
    /// There is no such version of the rules.
    #[error("there is no such version of the rules")]
    RulesVersion,
    /// The game began under rules that do not let a bot be assigned to a seat.
    #[error("the game began under older rules, which know of no bots")]
    RulesWithoutBots,
    /// The table is not set up.
    #[error("the table is not set up")]
    NotCreated,
    /// The table is set up already.
    #[error("the table is set up already")]
    AlreadyCreated,
    /// The game has begun, so seats are fixed.
    #[error("the game has begun")]
    AlreadyStarted,
    /// The game has not begun.
    #[error("the game has not begun")]
    NotStarted,
    /// The game is over.
    #[error("the game has ended")]
    Ended,
    /// The table was closed before the start.
    #[error("the table was closed")]
    Closed,
    /// The table has no such seat.
    #[error("the table has no such seat")]
    NoSuchSeat,
    /// Somebody sits there.
    #[error("that seat is taken")]
    SeatTaken,
    /// Nobody sits there.
    #[error("nobody sits in that seat")]
    SeatEmpty,
    /// A bot plays that seat already.
    #[error("a bot plays that seat already")]
    BotPlays,
    /// Every seat is taken.
    #[error("every seat is taken")]
    TableFull,
    /// A seat is still free.
    #[error("a seat is still free")]
    SeatsFree,
    /// Somebody else decides now.
    #[error("the decision is another player's")]
    NotYourDecision,
    /// Another kind of decision is due.
    #[error("another kind of decision is due")]
    OtherDecisionDue,
    /// There is no such land where the first base is placed.
    #[error("there is no such land")]
    PlaceNoSuchLand,
    /// A base lies where the first base is to be placed.
    #[error("a base lies at that land already")]
    PlaceLandHasBase,
    /// There is no such land to fight over.
    #[error("there is no such land")]
    BattlefieldNoSuchLand,
    /// The two lands do not lie side by side.
    #[error("the two lands are not neighbours")]
    NotNeighbours,
    /// The two lands show one house.
    #[error("both lands show the same house")]
    SameHouse,
    /// The action card was not passed to the player.
    #[error("that action card was not passed to you")]
    NotPassedToYou,
    /// More than five cards are played.
    #[error("at most five supply cards are played")]
    TooManyPlayed,
    /// A card that is played is not in the hand.
    #[error("you do not hold those supply cards")]
    PlayedNotInHand,
    /// The player has no base left to place.
    #[error("you have no base left")]
    NoBaseLeft,
    /// There is no such land to build at.
    #[error("there is no such land")]
    BuildNoSuchLand,
    /// A base lies at the land to build at.
    #[error("a base lies at that land already")]
    BuildLandHasBase,
    /// The player has no base at that land.
    #[error("you have no base at that land")]
    NoBaseOfYours,
    /// The player would have more bases of that face than are allowed.
    #[error("you would have more bases showing that face than are allowed")]
    FaceLimit,
    /// A card that is discarded is not in the hand.
    #[error("you do not hold those supply cards")]
    DiscardedNotInHand,
    /// The hand would not be exactly five cards.
    #[error("exactly five supply cards are kept")]
    DiscardCount,
}

impl RuleError {
    /// The number of the rule that forbids it, such as `R3.1`.
    pub const fn rule(self) -> &'static str {
        match self {
            Self::PlayerCount => "R1.1",
            Self::CardSet => "R1.6",
            Self::RulesVersion => "F3",
            Self::NotCreated
            | Self::AlreadyCreated
            | Self::AlreadyStarted
            | Self::NotStarted
            | Self::Closed
            | Self::NoSuchSeat
            | Self::SeatTaken
            | Self::SeatEmpty
            | Self::RulesWithoutBots
            | Self::BotPlays
            | Self::TableFull
            | Self::SeatsFree => "R2",
            Self::Ended => "R4.1",
            Self::NotYourDecision | Self::OtherDecisionDue => "R6",
            Self::PlaceNoSuchLand | Self::PlaceLandHasBase => "R2.3",
            Self::BattlefieldNoSuchLand | Self::NotNeighbours | Self::SameHouse => "R3.1",
            Self::NotPassedToYou => "R3.2",
            Self::TooManyPlayed | Self::PlayedNotInHand => "R3.3",
            Self::NoBaseLeft | Self::BuildNoSuchLand | Self::BuildLandHasBase | Self::NoBaseOfYours => "R3.7",
            Self::FaceLimit => "R1.5",
            Self::DiscardedNotInHand | Self::DiscardCount => "R3.9.4",
        }
    }

    /// A stable name of the refusal for programs.
    pub const fn code(self) -> &'static str {
        match self {
            Self::PlayerCount => "player_count",
            Self::CardSet => "card_set",
            Self::RulesVersion => "rules_version",
            Self::RulesWithoutBots => "rules_without_bots",
            Self::NotCreated => "not_created",
            Self::AlreadyCreated => "already_created",
            Self::AlreadyStarted => "already_started",
            Self::NotStarted => "not_started",
            Self::Ended => "ended",
            Self::Closed => "closed",
            Self::NoSuchSeat => "no_such_seat",
            Self::SeatTaken => "seat_taken",
            Self::SeatEmpty => "seat_empty",
            Self::BotPlays => "bot_plays",
            Self::TableFull => "table_full",
            Self::SeatsFree => "seats_free",
            Self::NotYourDecision => "not_your_decision",
            Self::OtherDecisionDue => "other_decision_due",
            Self::PlaceNoSuchLand | Self::BattlefieldNoSuchLand | Self::BuildNoSuchLand => "no_such_land",
            Self::PlaceLandHasBase | Self::BuildLandHasBase => "land_has_base",
            Self::NotNeighbours => "not_neighbours",
            Self::SameHouse => "same_house",
            Self::NotPassedToYou => "not_passed_to_you",
            Self::TooManyPlayed => "too_many_cards",
            Self::PlayedNotInHand | Self::DiscardedNotInHand => "not_in_hand",
            Self::NoBaseLeft => "no_base_left",
            Self::NoBaseOfYours => "no_base_of_yours",
            Self::FaceLimit => "face_limit",
            Self::DiscardCount => "wrong_count",
        }
    }
}
