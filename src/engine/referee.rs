//! Checks a finished or running history against the rules: every move legal, every consequence what follows from it.
//!
//! Shuffles are taken as the history tells them; whether they are those of the seeds is for fairness F2 to check.

use super::card::{ActionCard, SupplyValue};
use super::command::{Command, Move, NewTable};
use super::draws::Draws;
use super::error::RuleError;
use super::event::{DeckShuffled, Event, Fact, Secret};
use super::land::LaidLand;
use super::state::State;

/// The first place where a history departs from the rules.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// An event that nobody could ask for stands where a command is due.
    #[error("event {seq} does not follow from anything")]
    Unasked {
        /// The event's number, counted from 1.
        seq: usize,
    },
    /// A move that the rules forbid.
    #[error("event {seq} is against {}: {error}", error.rule())]
    Illegal {
        /// The event's number, counted from 1.
        seq: usize,
        /// The rule that forbids it.
        error: RuleError,
    },
    /// Something else follows from the rules.
    #[error("event {seq} should be {expected:?}, but is {found:?}")]
    Different {
        /// The event's number, counted from 1.
        seq: usize,
        /// What follows from the rules.
        expected: Box<Event>,
        /// What stands there; none if the history ends before.
        found: Option<Box<Event>>,
    },
}

impl Fault {
    /// The event's number, counted from 1.
    pub const fn seq(&self) -> usize {
        match self {
            Self::Unasked { seq } | Self::Illegal { seq, .. } | Self::Different { seq, .. } => *seq,
        }
    }
}

/// Plays a history again by the rules; gives the table that it led to.
///
/// # Errors
/// The first event that the rules do not lead to.
pub fn check_history(events: &[Event]) -> Result<State, Fault> {
    let mut referee = Referee::new(events);
    while referee.step()?.is_some() {}
    Ok(referee.state)
}

/// Plays a history again, one command after the other.
pub struct Referee<'a> {
    events: &'a [Event],
    played: usize,
    state: State,
}

/// A command that was played again, and what followed from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The command.
    pub command: Command,
    /// The number of its first event, counted from 1.
    pub first: usize,
    /// The number of its last event.
    pub last: usize,
}

impl<'a> Referee<'a> {
    /// Before the first event.
    pub fn new(events: &'a [Event]) -> Self {
        Self { events, played: 0, state: State::default() }
    }

    /// The table so far.
    pub const fn state(&self) -> &State {
        &self.state
    }

    /// How many events were played again.
    pub const fn played(&self) -> usize {
        self.played
    }

    /// The next command, with the draws as the history tells them; none at the end.
    ///
    /// # Errors
    /// The first event that the rules do not lead to.
    pub fn step(&mut self) -> Result<Option<Step>, Fault> {
        let recorded = self.events.get(self.played..).unwrap_or_default();
        self.step_with(&mut Recorded(recorded))
    }

    /// The next command, with the draws as they ought to be; none at the end.
    ///
    /// # Errors
    /// The first event that the rules and the draws do not lead to.
    pub fn step_with(&mut self, draws: &mut impl Draws) -> Result<Option<Step>, Fault> {
        let Some(event) = self.events.get(self.played) else { return Ok(None) };
        let first = self.played + 1;
        let command = Command::behind(event).ok_or(Fault::Unasked { seq: first })?;
        let mut followed = Vec::new();
        self.state.advance(&command, draws, &mut followed).map_err(|error| Fault::Illegal { seq: first, error })?;
        for expected in followed {
            let found = self.events.get(self.played);
            self.played += 1;
            if found != Some(&expected) {
                let (expected, found) = (Box::new(expected), found.cloned().map(Box::new));
                return Err(Fault::Different { seq: self.played, expected, found });
            }
        }
        Ok(Some(Step { command, first, last: self.played }))
    }
}

impl Command {
    /// The command that an event is the first consequence of; none if it happens by itself.
    pub fn behind(event: &Event) -> Option<Self> {
        let act = |seat, action| Some(Self::Act { seat, action });
        match &event.fact {
            Fact::TableCreated(fact) => Some(Self::Create(NewTable {
                game_id: fact.game_id,
                seed_commitment: fact.seed_commitment,
                players: fact.players,
                options: fact.options,
                start: fact.start,
                card_set: fact.card_set.clone(),
                rules: fact.rules,
            })),
            Fact::SeatTaken(fact) => {
                let (entropy, entropy_from) = (fact.entropy, fact.entropy_from);
                Some(Self::TakeSeat { seat: Some(fact.seat), entropy, entropy_from })
            }
            Fact::SeatLeft(fact) => Some(Self::LeaveSeat { seat: fact.seat }),
            Fact::BotAssigned(fact) => {
                Some(Self::AssignBot { seat: fact.seat, level: fact.level, version: fact.version })
            }
            Fact::TableClosed(fact) => Some(Self::Close { reason: fact.reason }),
            Fact::GameStarted(_) => Some(Self::Start),
            Fact::EstatePlaced(fact) => act(fact.seat, Move::PlaceEstate { land: fact.land }),
            Fact::BattlefieldChosen(fact) => act(fact.seat, Move::ChooseBattlefield { lands: fact.lands }),
            Fact::ActionCardKept(fact) => match &event.secret {
                Some(Secret::ActionCard(kept)) => act(fact.seat, Move::TakeActionCard { card: kept.card }),
                Some(_) | None => None,
            },
            Fact::SuppliesPlayed(fact) => act(fact.seat, Move::PlaySupplies { cards: fact.cards }),
            Fact::BaseBuilt(fact) => act(fact.seat, Move::Build { land: fact.land, face: fact.face }),
            Fact::BaseFlipped(fact) => act(fact.seat, Move::FlipBase { land: fact.land }),
            Fact::BuildPassed(fact) => act(fact.seat, Move::PassBuild),
            Fact::SuppliesDiscarded(fact) => act(fact.seat, Move::DiscardSupplies { cards: fact.cards }),
            Fact::LandsLaid(_)
            | Fact::DeckShuffled(_)
            | Fact::SuppliesDealt(_)
            | Fact::RoundStarted(_)
            | Fact::ActionCardsShuffled(_)
            | Fact::ActionCardsPassed(_)
            | Fact::ActionCardsLeft(_)
            | Fact::ActionCardsRevealed(_)
            | Fact::AllegianceChanged(_)
            | Fact::BattleFought(_)
            | Fact::LandTurned(_)
            | Fact::PointsAwarded(_)
            | Fact::StrategyCardGiven(_)
            | Fact::PlayedSuppliesDiscarded(_)
            | Fact::SuppliesDrawn(_)
            | Fact::DrawLost(_)
            | Fact::GameEnded(_) => None,
        }
    }
}

/// The draws as a history tells them. What is no shuffle of the cards in question is left as it was, so that it differs
/// from the history.
struct Recorded<'a>(&'a [Event]);

impl Draws for Recorded<'_> {
    fn first_player(&mut self, players: u8) -> u8 {
        let started = |event: &Event| match &event.fact {
            Fact::GameStarted(fact) => Some(fact.first_player.number()),
            _ => None,
        };
        self.0.iter().find_map(started).filter(|seat| *seat < players).unwrap_or(0)
    }

    fn lands(&mut self, lands: &mut [LaidLand]) {
        let laid = self.0.iter().find_map(|event| match &event.fact {
            Fact::LandsLaid(fact) => Some(&*fact.lands),
            _ => None,
        });
        rearrange(lands, laid, |land| (land.house == super::House::Rose, land.line));
    }

    fn deck(&mut self, reshuffle: u16, cards: &mut [SupplyValue]) {
        let order = self.0.iter().find_map(|event| match (&event.fact, &event.secret) {
            (Fact::DeckShuffled(DeckShuffled { reshuffle: k, .. }), Some(Secret::Deck(deck))) if *k == reshuffle => {
                Some(&*deck.order)
            }
            _ => None,
        });
        rearrange(cards, order, |value| *value);
    }

    fn action_cards(&mut self, _round: u8, cards: &mut [ActionCard]) {
        let order = self.0.iter().find_map(|event| match &event.secret {
            Some(Secret::ActionOrder(shuffled)) => Some(&*shuffled.order),
            _ => None,
        });
        rearrange(cards, order, |card| *card);
    }
}

fn rearrange<T: Copy, K: Ord>(cards: &mut [T], order: Option<&[T]>, key: impl Fn(&T) -> K) {
    let sorted = |cards: &[T]| {
        let mut keys: Vec<K> = cards.iter().map(&key).collect();
        keys.sort_unstable();
        keys
    };
    if let Some(order) = order.filter(|order| sorted(order) == sorted(cards)) {
        cards.copy_from_slice(order);
    }
}
