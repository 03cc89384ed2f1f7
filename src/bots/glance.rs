//! A world as the player in one seat sees it: what a player is modelled to know, be it oneself or another.

use crate::engine::{ActionCard, ActionCards, Face, House, Place, Plot, Seat, Supplies, World};

/// A world seen from one seat. Of what is hidden it shows what is that seat's own.
#[derive(Clone, Copy)]
pub(super) struct Glance<'a> {
    world: &'a World,
    /// Who looks.
    pub(super) seat: Seat,
    /// Whether it is looked at as it was before anybody played supply cards in this round.
    before_plays: bool,
}

impl<'a> Glance<'a> {
    pub(super) const fn new(world: &'a World, seat: Seat) -> Self {
        Self { world, seat, before_plays: false }
    }

    /// As it was before anybody played supply cards in this round.
    pub(super) const fn before_plays(world: &'a World, seat: Seat) -> Self {
        Self { world, seat, before_plays: true }
    }

    pub(super) fn seats(self) -> impl Iterator<Item = Seat> {
        (0..self.world.players()).filter_map(Seat::new)
    }

    pub(super) fn rounds_to_come(self) -> u8 {
        self.world.rounds_to_come()
    }

    pub(super) fn house(self, seat: Seat) -> House {
        self.world.house(seat)
    }

    pub(super) fn battlefield(self) -> Option<[Place; 2]> {
        self.world.battlefield()
    }

    pub(super) fn plot(self, place: Place) -> Option<Plot<'a>> {
        self.world.plot(place)
    }

    pub(super) fn plots(self) -> impl DoubleEndedIterator<Item = Plot<'a>> {
        self.world.plots()
    }

    pub(super) fn played(self, seat: Seat) -> Option<&'a Supplies> {
        self.world.played(seat).filter(|_| !self.before_plays)
    }

    pub(super) fn hand_size(self, seat: Seat) -> usize {
        self.world.hand(seat).len() + self.taken_back(seat).map_or(0, Supplies::len)
    }

    pub(super) fn bases(self, face: Face) -> usize {
        let own = |plot: &Plot<'_>| plot.base.is_some_and(|base| base.seat == self.seat && base.face == face);
        self.plots().filter(own).count()
    }

    pub(super) fn action_cards(self) -> ActionCards {
        self.world.action_cards()
    }

    /// The seat's own hand.
    pub(super) fn hand(self) -> Supplies {
        let mut hand = *self.world.hand(self.seat);
        self.taken_back(self.seat).into_iter().flat_map(Supplies::iter).for_each(|value| hand.add(value));
        hand
    }

    fn taken_back(self, seat: Seat) -> Option<&'a Supplies> {
        self.world.played(seat).filter(|_| self.before_plays)
    }

    /// The action card that the seat keeps.
    pub(super) fn own_card(self) -> Option<ActionCard> {
        self.world.kept(self.seat)
    }

    /// The action cards that were passed to the seat.
    pub(super) fn passed(self) -> ActionCards {
        self.world.passed(self.seat)
    }

    /// The mean value of the supply cards that the seat has not seen.
    pub(super) fn mean_unseen(self) -> f32 {
        self.world.mean_unseen(self.seat)
    }
}
