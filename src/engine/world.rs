//! A possible world: a table that a viewer cannot tell from the true one, to think ahead in.
//!
//! The only way to one is [`Knowledge`](super::Knowledge), so whoever holds worlds holds no secret: that is what makes a
//! bot fair by type. It can be played on, with draws of its own, and looked at from the seat of any player in it.

use super::card::{ActionCard, ActionCards, Supplies};
use super::card_set::LandLine;
use super::command::{Command, Move};
use super::decide::Decision;
use super::draws::Draws;
use super::error::RuleError;
use super::event::Event;
use super::land::{Base, House, Place};
use super::seat::Seat;
use super::state::State;
use super::view::{View, Viewer};

/// A table that a viewer cannot tell from the true one.
#[derive(Clone)]
pub struct World(pub(super) State);

/// A land of a world.
#[derive(Clone, Copy)]
pub struct Plot<'a> {
    /// Where it lies.
    pub place: Place,
    /// The house that it shows.
    pub house: House,
    /// Its line of the card set (R1.2).
    pub line: &'a LandLine,
    /// The base at it.
    pub base: Option<Base>,
}

impl World {
    /// Whose decision it is, and what about (R6); none before the start and after the end.
    pub fn decision(&self) -> Option<Decision> {
        self.0.decision()
    }

    /// Adds the legal moves of `seat` to `moves`, which can be used again.
    pub fn list_legal_moves(&self, seat: Seat, moves: &mut Vec<Move>) {
        self.0.list_legal_moves(seat, moves);
    }

    /// Plays a move of `seat` and all that follows from it; what happens is added to `events`.
    ///
    /// # Errors
    /// The rule that forbids the move; then neither the world nor `events` has changed.
    pub fn play(
        &mut self,
        seat: Seat,
        action: Move,
        draws: &mut impl Draws,
        events: &mut Vec<Event>,
    ) -> Result<(), RuleError> {
        self.0.advance(&Command::Act { seat, action }, draws, events)
    }

    /// The world as `viewer` sees it.
    pub fn view(&self, viewer: Viewer) -> View {
        self.0.view(viewer)
    }

    /// The number of players, 3 to 5.
    pub fn players(&self) -> u8 {
        self.0.players()
    }

    /// The seats in the turn order of this round.
    pub fn turn_order(&self) -> impl Iterator<Item = Seat> + use<> {
        self.0.turn_order()
    }

    /// The round, counted from 1; 0 before the first.
    pub const fn round(&self) -> u8 {
        self.0.round
    }

    /// How many rounds are to come after this one.
    pub fn rounds_to_come(&self) -> u8 {
        self.0.card_set().rounds(self.players()).saturating_sub(self.0.round)
    }

    /// Who holds the strategy card.
    pub const fn strategy_card(&self) -> Seat {
        self.0.strategy_card
    }

    /// The lands by place.
    pub fn plots(&self) -> impl DoubleEndedIterator<Item = Plot<'_>> {
        self.0.places().filter_map(|(place, land)| {
            Some(Plot { place, house: land.house, line: self.0.line_of(land)?, base: land.base })
        })
    }

    /// The land at `place`.
    pub fn plot(&self, place: Place) -> Option<Plot<'_>> {
        let land = self.0.land(place)?;
        Some(Plot { place, house: land.house, line: self.0.line_of(land)?, base: land.base })
    }

    /// The lands that are fought over.
    pub const fn battlefield(&self) -> Option<[Place; 2]> {
        self.0.this_round.battlefield
    }

    /// The house of `seat`.
    pub fn house(&self, seat: Seat) -> House {
        self.0.players[seat].house
    }

    /// The victory points of `seat`.
    pub fn score(&self, seat: Seat) -> u16 {
        self.0.players[seat].score
    }

    /// The bases of `seat` that are not on the table.
    pub fn bases_left(&self, seat: Seat) -> u8 {
        self.0.players[seat].bases_left
    }

    /// The supply cards that `seat` has played this round; none before its turn.
    pub fn played(&self, seat: Seat) -> Option<&Supplies> {
        self.0.players[seat].played.as_ref()
    }

    /// Whether `seat` has kept an action card this round.
    pub fn has_kept(&self, seat: Seat) -> bool {
        self.0.players[seat].kept.is_some()
    }

    /// The action cards of the game.
    pub fn action_cards(&self) -> ActionCards {
        ActionCards::of_game(self.0.options().mercenary)
    }

    /// The supply cards in the hand of `seat`.
    pub fn hand(&self, seat: Seat) -> &Supplies {
        &self.0.players[seat].hand
    }

    /// The action card that `seat` keeps.
    pub fn kept(&self, seat: Seat) -> Option<ActionCard> {
        self.0.players[seat].kept
    }

    /// The action cards that were passed to `seat` this round.
    pub fn passed(&self, seat: Seat) -> ActionCards {
        self.0.players[seat].passed
    }

    /// The mean value of a supply card that `seat` has not seen; what was played and discarded is seen.
    pub fn mean_unseen(&self, seat: Seat) -> f32 {
        let others = self.0.players.iter().filter(|(other, _)| *other != seat);
        let (mut sum, mut count) = (0_u32, 0_u32);
        for value in self.0.deck.iter().copied().chain(others.flat_map(|(_, player)| player.hand.iter())) {
            sum += u32::from(value);
            count += 1;
        }
        if count == 0 { 0.0 } else { sum as f32 / count as f32 }
    }
}
