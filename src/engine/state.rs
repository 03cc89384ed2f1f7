//! The whole truth about a table, folded from its events.
//!
//! Never handed out: what leaves the engine is a [`View`](super::View), built for one viewer. The seed is not in it, so
//! whoever holds a state still cannot foresee a shuffle.

use std::fmt;
use std::sync::Arc;

use arrayvec::ArrayVec;
use borsh::{BorshDeserialize, BorshSerialize};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::card::{ActionCard, ActionCards, Supplies, SupplyValue};
use super::card_set::{CardSet, LandLine};
use super::command::{BotLevel, Options};
use super::event::{AwardReason, Bytes32, DrawSource, EntropySource, Event, StartMode};
use super::land::{Face, House, Land, MAX_LANDS, Place};
use super::seat::{BySeat, Seat, turn_order};

/// The whole truth about a table.
///
/// Every supply card of the card set is in exactly one of: the deck, the discard pile, a hand, or on the table before a
/// player; every action card in exactly one of: the draft, set aside, left over, or before a player; every base at a
/// land or in its owner's supply.
#[derive(Clone, PartialEq, Eq, Default, BorshSerialize, BorshDeserialize)]
pub struct State {
    pub(super) table: Option<Table>,
    pub(super) occupants: BySeat<Option<Occupant>>,
    pub(super) step: Step,
    pub(super) round: u8,
    pub(super) first_player: Seat,
    pub(super) strategy_card: Seat,
    pub(super) circle: ArrayVec<Land, MAX_LANDS>,
    pub(super) players: BySeat<Player>,
    /// The top card is the last.
    pub(super) deck: Vec<SupplyValue>,
    pub(super) discards: Vec<SupplyValue>,
    pub(super) reshuffles: u16,
    pub(super) this_round: Round,
}

/// What a table was set up with.
#[derive(Clone, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub(super) struct Table {
    pub(super) game_id: Uuid,
    pub(super) seed_commitment: Bytes32,
    pub(super) players: u8,
    pub(super) options: Options,
    pub(super) start: StartMode,
    pub(super) card_set: Arc<CardSet>,
    pub(super) rules: u16,
}

/// Who sits in a seat, as far as the game is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub(super) struct Occupant {
    pub(super) entropy: Bytes32,
    pub(super) entropy_from: EntropySource,
    /// The bot that was assigned to the seat.
    pub(super) bot: Option<BotLevel>,
}

/// What is before and behind one player's screen.
#[derive(Clone, PartialEq, Eq, Default, BorshSerialize, BorshDeserialize)]
pub(super) struct Player {
    pub(super) house: House,
    pub(super) score: u16,
    pub(super) bases_left: u8,
    pub(super) hand: Supplies,
    /// The supply cards played this round; none before the player's turn.
    pub(super) played: Option<Supplies>,
    /// The action cards passed to the player this round.
    pub(super) passed: ActionCards,
    /// The action card kept this round.
    pub(super) kept: Option<ActionCard>,
    /// How many cards the player drew, or should have, this round.
    pub(super) drawn: u8,
}

/// What lasts for one round.
#[derive(Clone, PartialEq, Eq, Default, BorshSerialize, BorshDeserialize)]
pub(super) struct Round {
    pub(super) battlefield: Option<[Place; 2]>,
    /// The action cards that are passed on.
    pub(super) draft: ActionCards,
    pub(super) set_aside: Option<ActionCard>,
    pub(super) left: ActionCards,
    pub(super) revealed: bool,
    pub(super) strengths: Option<[u16; 2]>,
    pub(super) winner: Option<House>,
    /// The land that turned.
    pub(super) turned: Option<Place>,
    /// Whether the supply cards played have gone to the discard pile.
    pub(super) cleared: bool,
    pub(super) refill: Option<Refill>,
}

/// The draw that was made last in a refill (R3.9.2), and how many cards of it were drawn or lost.
#[derive(Clone, Copy, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub(super) struct Refill {
    pub(super) seat: Seat,
    pub(super) source: DrawSource,
    pub(super) done: u8,
}

/// What happened last. What is due next is for the rules to say, not for the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, BorshSerialize, BorshDeserialize)]
pub(super) enum Step {
    #[default]
    Nothing,
    Open,
    Started,
    LandsLaid,
    EstatePlaced(Seat),
    DeckReady,
    Dealt(Seat),
    RoundStarted,
    BattlefieldChosen,
    ActionCardsShuffled,
    ActionCardsPassed(Seat),
    ActionCardKept(Seat),
    ActionCardsLeft,
    SuppliesPlayed(Seat),
    Revealed,
    AllegianceChanged(ActionCard),
    BattleFought,
    LandTurned,
    Paid(AwardReason, Seat),
    Built,
    StrategyCardGiven,
    Refilling,
    Discarded,
    Ended,
    Closed,
}

/// How far a game has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Seats can be taken and left.
    Open,
    /// The game is being played.
    Running,
    /// The game is over.
    Ended,
    /// The table was closed before the start. In everything said of secrets it counts as ended.
    Closed,
}

impl State {
    /// The table that these events led to.
    pub fn fold<'a>(events: impl IntoIterator<Item = &'a Event>) -> Self {
        let mut state = Self::default();
        events.into_iter().for_each(|event| state.apply(event));
        state
    }

    /// How far the game has come.
    pub const fn status(&self) -> Status {
        match self.step {
            Step::Nothing | Step::Open => Status::Open,
            Step::Ended => Status::Ended,
            Step::Closed => Status::Closed,
            Step::Started
            | Step::LandsLaid
            | Step::EstatePlaced(_)
            | Step::DeckReady
            | Step::Dealt(_)
            | Step::RoundStarted
            | Step::BattlefieldChosen
            | Step::ActionCardsShuffled
            | Step::ActionCardsPassed(_)
            | Step::ActionCardKept(_)
            | Step::ActionCardsLeft
            | Step::SuppliesPlayed(_)
            | Step::Revealed
            | Step::AllegianceChanged(_)
            | Step::BattleFought
            | Step::LandTurned
            | Step::Paid(..)
            | Step::Built
            | Step::StrategyCardGiven
            | Step::Refilling
            | Step::Discarded => Status::Running,
        }
    }

    /// The number of players of the table, 3 to 5; 0 before it is set up.
    pub fn players(&self) -> u8 {
        self.occupants.players()
    }

    /// What starts the game.
    pub fn start_mode(&self) -> StartMode {
        self.table.as_ref().map(|table| table.start).unwrap_or_default()
    }

    /// The number of seats that nobody sits in.
    pub fn open_seats(&self) -> u8 {
        self.occupants.values().filter(|occupant| occupant.is_none()).count() as u8
    }

    /// Whether somebody sits in `seat`.
    pub fn is_taken(&self, seat: Seat) -> bool {
        self.occupants.at(seat).is_some_and(Option::is_some)
    }

    /// The level of the bot that was assigned to `seat` and plays it.
    pub fn bot(&self, seat: Seat) -> Option<BotLevel> {
        self.occupants.at(seat).copied().flatten()?.bot
    }

    /// The number of seats that bots play.
    pub fn bots(&self) -> u8 {
        self.occupants.values().flatten().filter(|occupant| occupant.bot.is_some()).count() as u8
    }

    /// The version of the rules that the game began under; 0 before the table is set up.
    pub fn rules(&self) -> u16 {
        self.table.as_ref().map_or(0, |table| table.rules)
    }

    /// The entropy of those who sit, by seat (fairness F1).
    pub fn entropy(&self) -> impl Iterator<Item = Bytes32> {
        self.occupants.values().flatten().map(|occupant| occupant.entropy)
    }

    pub(super) fn turn_order(&self) -> impl Iterator<Item = Seat> + use<> {
        turn_order(self.first_player, self.players.players())
    }

    /// Those in turn order from `seat` on.
    pub(super) fn turn_order_from(&self, seat: Seat) -> impl Iterator<Item = Seat> + use<> {
        self.turn_order().skip_while(move |earlier| *earlier != seat)
    }

    #[expect(clippy::expect_used, reason = "nothing happens at a table before it is set up")]
    fn table(&self) -> &Table {
        self.table.as_ref().expect("a table that is set up")
    }

    pub(super) fn card_set(&self) -> &CardSet {
        &self.table().card_set
    }

    pub(super) fn options(&self) -> Options {
        self.table().options
    }

    pub(super) fn holder(&self, card: ActionCard) -> Option<Seat> {
        self.players.iter().find(|(_, player)| player.kept == Some(card)).map(|(seat, _)| seat)
    }

    pub(super) fn land(&self, place: Place) -> Option<&Land> {
        self.circle.get(usize::from(place.number()))
    }

    pub(super) fn places(&self) -> impl DoubleEndedIterator<Item = (Place, &Land)> {
        self.circle.iter().enumerate().filter_map(|(number, land)| Some((Place::new(number as u8)?, land)))
    }

    pub(super) fn line_of(&self, land: &Land) -> Option<&LandLine> {
        self.table.as_ref()?.card_set.lands.get(usize::from(land.line))
    }

    /// How many bases of `seat` on the table show `face`.
    pub(super) fn bases(&self, seat: Seat, face: Face) -> u8 {
        let shown = |land: &&Land| land.base.is_some_and(|base| base.seat == seat && base.face == face);
        self.circle.iter().filter(shown).count() as u8
    }

    pub(super) fn members(&self, house: House) -> usize {
        self.players.values().filter(|player| player.house == house).count()
    }
}

impl fmt::Debug for State {
    /// Shows what a spectator may know.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("State").field(&self.view(super::Viewer::Spectator)).finish()
    }
}
