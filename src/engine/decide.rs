//! The flow of a game, as the rulebook tells it: whether a command is allowed, and what happens by itself afterwards.
//!
//! [`State::decide`] checks a command and turns it into an event. What is due next is looked up from what happened last,
//! and consequences are carried out, one small rule each, until somebody has to decide (R6).

use super::card::ActionCard;
use super::command::{BotLevel, Command, NewTable, OpeningHand};
use super::consequence::Consequence;
use super::draws::Draws;
use super::error::RuleError;
use super::event::{
    AwardReason, BotAssigned, EntropySource, Event, GameStarted, SeatLeft, SeatTaken, TableClosed, TableCreated,
};
use super::land::House;
use super::seat::{BySeat, Seat};
use super::state::{State, Status, Step};

/// The newest version of the rules; a game keeps the one that it began under. Version 2 differs from version 1 in that a bot
/// can be assigned to a seat.
pub const RULES_VERSION: u16 = 2;
/// The first version of the rules under which a bot can be assigned to a seat.
pub const RULES_WITH_BOTS: u16 = 2;
/// The version of the fairness rules.
pub const FAIRNESS_VERSION: u16 = 1;
/// The version of the event format.
pub const FORMAT_VERSION: u16 = 1;

/// The most cards a player keeps at the end of a round (R3.9.4).
pub(super) const HAND_LIMIT: usize = 5;

/// A decision that one player has to make (R6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize, utoipa::ToSchema)]
pub struct Decision {
    /// What about.
    pub kind: DecisionKind,
    /// Who decides.
    pub seat: Seat,
}

/// The kinds of decision (R6).
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    serde::Serialize,
    serde::Deserialize,
    utoipa::ToSchema,
    borsh::BorshSerialize,
    borsh::BorshDeserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum DecisionKind {
    /// Where the first base is placed (R2.3).
    PlaceEstate,
    /// Which border is fought over (R3.1).
    ChooseBattlefield,
    /// Which action card is kept (R3.2).
    TakeActionCard,
    /// Which supply cards are played (R3.3).
    PlaySupplies,
    /// What the Builder does (R3.7).
    Build,
    /// Which supply cards are discarded (R3.9.4).
    DiscardSupplies,
}

/// What comes next at a table.
pub(super) enum Due {
    /// Nothing before somebody sits down or starts, or nothing ever again.
    Nothing,
    /// Somebody has to decide.
    Decision(Decision),
    /// Something happens by itself.
    Consequence(Consequence),
}

impl State {
    /// What `command` leads to, up to the next decision; the table itself stays as it is.
    ///
    /// # Errors
    /// The rule that forbids the command, the first that applies (R7).
    pub fn decide(&self, command: &Command, draws: &mut impl Draws) -> Result<Vec<Event>, RuleError> {
        let mut events = Vec::new();
        let event = self.judge(command, draws)?;
        self.clone().follow(event, draws, &mut events);
        Ok(events)
    }

    /// [`decide`](Self::decide) and [`apply`](Self::apply) in one: adds what happens to `events` and records it.
    ///
    /// # Errors
    /// As for `decide`; then neither the table nor `events` has changed.
    pub fn advance(
        &mut self,
        command: &Command,
        draws: &mut impl Draws,
        events: &mut Vec<Event>,
    ) -> Result<(), RuleError> {
        let event = self.judge(command, draws)?;
        self.follow(event, draws, events);
        Ok(())
    }

    /// Records `event` and everything that happens by itself after it (R6).
    fn follow(&mut self, mut event: Event, draws: &mut impl Draws, events: &mut Vec<Event>) {
        loop {
            self.apply(&event);
            events.push(event);
            match self.due() {
                Due::Consequence(consequence) => event = self.carry_out(consequence, draws),
                Due::Nothing | Due::Decision(_) => return,
            }
        }
    }

    /// Whose decision it is, and what about (R6).
    pub fn decision(&self) -> Option<Decision> {
        match self.due() {
            Due::Decision(decision) => Some(decision),
            Due::Nothing | Due::Consequence(_) => None,
        }
    }

    /// What comes next: R2 to R4 in their order.
    pub(super) fn due(&self) -> Due {
        match self.step {
            Step::Nothing | Step::Open | Step::Ended | Step::Closed => Due::Nothing,
            // R2
            Step::Started => happens(Consequence::LayLands),
            Step::LandsLaid => decides(self.first_player, DecisionKind::PlaceEstate),
            Step::EstatePlaced(seat) => match self.next_in_turn(seat) {
                Some(next) => decides(next, DecisionKind::PlaceEstate),
                None if self.has_fixed_hands() => happens(Consequence::Deal(self.first_player)),
                None => happens(Consequence::ShuffleDeck),
            },
            Step::DeckReady if self.has_fixed_hands() => happens(Consequence::StartRound),
            Step::DeckReady => happens(Consequence::Deal(self.first_player)),
            Step::Dealt(seat) => match self.next_in_turn(seat) {
                Some(next) => happens(Consequence::Deal(next)),
                None if self.has_fixed_hands() => happens(Consequence::ShuffleDeck),
                None => happens(Consequence::StartRound),
            },
            // R3.1
            Step::RoundStarted => decides(self.strategy_card, DecisionKind::ChooseBattlefield),
            Step::BattlefieldChosen => happens(Consequence::ShuffleActionCards),
            // R3.2
            Step::ActionCardsShuffled => happens(Consequence::PassActionCards(self.first_player)),
            Step::ActionCardsPassed(seat) => decides(seat, DecisionKind::TakeActionCard),
            Step::ActionCardKept(seat) => match self.next_in_turn(seat) {
                Some(next) => happens(Consequence::PassActionCards(next)),
                None => happens(Consequence::LeaveActionCards(seat)),
            },
            // R3.3
            Step::ActionCardsLeft => decides(self.first_player, DecisionKind::PlaySupplies),
            Step::SuppliesPlayed(seat) => match self.next_in_turn(seat) {
                Some(next) => decides(next, DecisionKind::PlaySupplies),
                None => happens(Consequence::Reveal),
            },
            // R3.4
            Step::Revealed => match self.holder(ActionCard::Traitor) {
                Some(traitor) => happens(Consequence::ChangeAllegiance(traitor, ActionCard::Traitor)),
                None => self.stand_in(),
            },
            Step::AllegianceChanged(ActionCard::Traitor) => self.stand_in(),
            Step::AllegianceChanged(_) => happens(Consequence::Fight),
            // R3.5, R3.6
            Step::BattleFought => match self.this_round.winner {
                Some(winner) => happens(Consequence::TurnLand(winner)),
                None => self.pay(None),
            },
            Step::LandTurned => self.pay(None),
            Step::Paid(AwardReason::TradingPosts, seat) => self.pay_bonus(self.next_in_turn(seat)),
            Step::Paid(reason, seat) => self.pay(Some((reason, seat))),
            // R3.8
            Step::Built => match self.holder(ActionCard::Strategist) {
                Some(strategist) => happens(Consequence::GiveStrategyCard(strategist)),
                None => happens(Consequence::DiscardPlayed),
            },
            Step::StrategyCardGiven => happens(Consequence::DiscardPlayed),
            // R3.9, R3.10, R4
            Step::Refilling => match self.next_draw() {
                Some(consequence) => happens(consequence),
                None => self.adjust(),
            },
            Step::Discarded => self.adjust(),
        }
    }

    /// R3.4: Diplomat\[5\] changes allegiance if all players belong to one house.
    fn stand_in(&self) -> Due {
        let united = House::BOTH.into_iter().any(|house| self.members(house) == 0);
        match self.holder(ActionCard::Diplomat5) {
            Some(diplomat) if united => happens(Consequence::ChangeAllegiance(diplomat, ActionCard::Diplomat5)),
            Some(_) | None => happens(Consequence::Fight),
        }
    }

    /// R3.6: the payment after `last`; when all are made, the Builder's turn (R3.7).
    fn pay(&self, last: Option<(AwardReason, Seat)>) -> Due {
        match self.next_payment(last) {
            Some(payment) => happens(Consequence::Pay(payment)),
            None => match self.holder(ActionCard::Builder) {
                Some(builder) => decides(builder, DecisionKind::Build),
                None => match self.holder(ActionCard::Strategist) {
                    Some(strategist) => happens(Consequence::GiveStrategyCard(strategist)),
                    None => happens(Consequence::DiscardPlayed),
                },
            },
        }
    }

    /// R3.9.4: the first in turn order with more than five cards discards; then the round ends (R3.10, R4.1).
    fn adjust(&self) -> Due {
        let too_many = |seat: &Seat| self.players[*seat].hand.len() > HAND_LIMIT;
        match self.turn_order().find(too_many) {
            Some(seat) => decides(seat, DecisionKind::DiscardSupplies),
            None if self.end_reason().is_some() => self.pay_bonus(Some(self.first_player)),
            None => happens(Consequence::StartRound),
        }
    }

    /// R4.2: the bonus for trading posts, from `from` in turn order on; then the end.
    fn pay_bonus(&self, from: Option<Seat>) -> Due {
        match from.and_then(|from| self.next_bonus(from)) {
            Some(payment) => happens(Consequence::Pay(payment)),
            None => happens(Consequence::End),
        }
    }

    /// Checks `command` and says what it does itself.
    fn judge(&self, command: &Command, draws: &mut impl Draws) -> Result<Event, RuleError> {
        match command {
            Command::Create(table) => self.judge_create(table),
            Command::TakeSeat { seat, entropy, entropy_from } => {
                let seat = self.free_seat(*seat)?;
                Ok(Event::open(SeatTaken { seat, entropy: *entropy, entropy_from: *entropy_from }))
            }
            Command::LeaveSeat { seat } => {
                self.before_the_start()?;
                match self.occupants.at(*seat) {
                    None => Err(RuleError::NoSuchSeat),
                    Some(None) => Err(RuleError::SeatEmpty),
                    Some(Some(_)) => Ok(Event::open(SeatLeft { seat: *seat })),
                }
            }
            Command::AssignBot { seat, level, version } => self.judge_bot(*seat, *level, *version),
            Command::Start => self.judge_start(draws),
            Command::Close { reason } => {
                self.before_the_start()?;
                Ok(Event::open(TableClosed { reason: *reason }))
            }
            Command::Act { seat, action } => self.judge_move(*seat, action),
        }
    }

    fn judge_create(&self, table: &NewTable) -> Result<Event, RuleError> {
        if self.step != Step::Nothing {
            return Err(RuleError::AlreadyCreated);
        }
        if !(1..=RULES_VERSION).contains(&table.rules) {
            return Err(RuleError::RulesVersion);
        }
        if !(3..=5).contains(&table.players) {
            return Err(RuleError::PlayerCount);
        }
        if table.card_set.check(table.players, table.options.opening_hand).is_err() {
            return Err(RuleError::CardSet);
        }
        Ok(Event::open(TableCreated {
            card_set: table.card_set.clone(),
            fairness: FAIRNESS_VERSION,
            format: FORMAT_VERSION,
            game_id: table.game_id,
            options: table.options,
            players: table.players,
            rules: table.rules,
            seed_commitment: table.seed_commitment,
            start: table.start,
        }))
    }

    fn free_seat(&self, wanted: Option<Seat>) -> Result<Seat, RuleError> {
        self.before_the_start()?;
        let lowest = self.occupants.iter().find(|(_, occupant)| occupant.is_none()).map(|(seat, _)| seat);
        match (wanted, lowest) {
            (_, None) => Err(RuleError::TableFull),
            (None, Some(lowest)) => Ok(lowest),
            (Some(wanted), Some(_)) => match self.occupants.at(wanted) {
                None => Err(RuleError::NoSuchSeat),
                Some(Some(_)) => Err(RuleError::SeatTaken),
                Some(None) => Ok(wanted),
            },
        }
    }

    /// A bot sits down where a bot took the seat; from the start on also where a player gives his up (R5.4).
    fn judge_bot(&self, seat: Seat, level: BotLevel, version: u16) -> Result<Event, RuleError> {
        let runs = match self.status() {
            Status::Open if self.step == Step::Nothing => return Err(RuleError::NotCreated),
            Status::Open => false,
            Status::Running => true,
            Status::Ended => return Err(RuleError::Ended),
            Status::Closed => return Err(RuleError::Closed),
        };
        if self.rules() < RULES_WITH_BOTS {
            return Err(RuleError::RulesWithoutBots);
        }
        match self.occupants.at(seat) {
            None => Err(RuleError::NoSuchSeat),
            Some(None) => Err(RuleError::SeatEmpty),
            Some(Some(occupant)) if occupant.bot.is_some() => Err(RuleError::BotPlays),
            Some(Some(occupant)) if runs || occupant.entropy_from == EntropySource::Bot => {
                Ok(Event::open(BotAssigned { level, seat, version }))
            }
            Some(Some(_)) => Err(RuleError::SeatTaken),
        }
    }

    /// R2.1, R2.5: the first player is drawn; the others follow from him.
    fn judge_start(&self, draws: &mut impl Draws) -> Result<Event, RuleError> {
        self.before_the_start()?;
        if self.open_seats() > 0 {
            return Err(RuleError::SeatsFree);
        }
        let players = self.players();
        let first_player = Seat::new(draws.first_player(players)).unwrap_or_default();
        let mut allegiances = BySeat::new(players, |_| House::Eagle);
        for (seat, house) in super::seat::turn_order(first_player, players).zip(House::BOTH.into_iter().cycle()) {
            allegiances[seat] = house;
        }
        Ok(Event::open(GameStarted { allegiances, first_player, strategy_card: first_player.left(players) }))
    }

    fn before_the_start(&self) -> Result<(), RuleError> {
        match self.status() {
            Status::Open if self.step == Step::Nothing => Err(RuleError::NotCreated),
            Status::Open => Ok(()),
            Status::Running => Err(RuleError::AlreadyStarted),
            Status::Ended => Err(RuleError::Ended),
            Status::Closed => Err(RuleError::Closed),
        }
    }

    fn has_fixed_hands(&self) -> bool {
        self.options().opening_hand == OpeningHand::Fixed
    }

    /// The next player in turn order; none after the last.
    pub(super) fn next_in_turn(&self, seat: Seat) -> Option<Seat> {
        let next = seat.left(self.players());
        (next != self.first_player).then_some(next)
    }
}

const fn happens(consequence: Consequence) -> Due {
    Due::Consequence(consequence)
}

const fn decides(seat: Seat, kind: DecisionKind) -> Due {
    Due::Decision(Decision { kind, seat })
}
