//! Supply cards dealt anew: every card that the viewer has not seen may lie anywhere it could.
//!
//! Each shuffle of the deck is a row of cards whose contents are public and whose order is not. A draw takes the next
//! cards of the row, a card that is shown is one of those its owner drew before. So a world is an order for each row, and
//! a drawn card for each card shown. It is built up in the order of the events; where a shown card is not at hand, cards
//! that nobody has seen trade places in their row.

use super::super::card::{Supplies, SupplyValue};
use super::super::command::OpeningHand;
use super::super::consequence::FIXED_HAND;
use super::super::draws::Words;
use super::super::event::{Fact, TableCreated};
use super::super::seat::Seat;

/// How many steps are taken to put right what does not fit, before an attempt is given up.
const PATIENCE: usize = 1_000;
/// One in so many of these steps is any that can be taken, so that it never goes round in a circle.
const WHIM: u32 = 12;
/// How often the finished world is mixed.
const SETTLING: usize = 4;

/// The most cards that a deck can have (R1.6).
const LARGEST_DECK: usize = 200;

/// The supply cards of one possible world.
#[derive(Default)]
pub(super) struct Supply {
    /// How many cards may still be looked at; then the attempt is given up.
    pub(super) effort: u64,
    /// Whether the dead end that it came to is one for every attempt.
    pub(super) is_hopeless: bool,
    /// All cards ever shuffled, row after row, each row from the top.
    slots: Vec<Slot>,
    rows: Vec<Row>,
    /// Every card shown, as its place in `slots`, in the order of time.
    shows: Vec<Show>,
    discards: Vec<SupplyValue>,
    first_deck: Vec<SupplyValue>,
    fixed_hand: bool,
    /// How many rows were told by [`Self::next_order`].
    told: usize,
}

/// A card.
struct Slot {
    value: SupplyValue,
    row: usize,
    /// Who drew it, and when.
    drawn: Option<(Seat, usize)>,
    /// Whether the viewer knows for certain that it is this card.
    certain: bool,
    /// Whether it was shown.
    shown: bool,
}

/// What can be done for a card that was shown and does not fit.
#[derive(Clone, Copy)]
enum Step {
    /// It trades values with the card at another place of its row.
    Trade(usize),
    /// It was the card at another place, in exchange with what was shown there.
    Move(usize, Option<usize>),
}

/// A shuffle of the deck, or the fixed opening hands.
struct Row {
    /// The next card to be drawn.
    next: usize,
    is_deck: bool,
}

/// A card of somebody's hand that everybody sees.
#[derive(Clone, Copy)]
struct Show {
    seat: Seat,
    time: usize,
    value: SupplyValue,
    /// Which of his cards it was in this world.
    slot: usize,
}

impl Slot {
    /// Whether the card may be another one for all the viewer knows.
    const fn is_open(&self) -> bool {
        !self.certain && !self.shown
    }

    fn is_held_by(&self, seat: Seat) -> bool {
        !self.shown && self.drawn.is_some_and(|(owner, _)| owner == seat)
    }
}

impl Supply {
    pub(super) fn new(effort: u64) -> Self {
        Self { effort, ..Self::default() }
    }

    pub(super) fn set_up(&mut self, table: &TableCreated) {
        self.first_deck = table.card_set.supply_cards(table.players).collect();
        self.fixed_hand = table.options.opening_hand == OpeningHand::Fixed;
        if self.fixed_hand {
            for value in FIXED_HAND.into_iter().flat_map(|value| std::iter::repeat_n(value, table.players.into())) {
                if let Some(place) = self.first_deck.iter().position(|card| *card == value) {
                    self.first_deck.remove(place);
                }
            }
        }
    }

    pub(super) fn shuffle(&mut self, reshuffle: u16, rng: &mut impl Words) -> Option<()> {
        let cards = if reshuffle == 0 { &mut self.first_deck } else { &mut self.discards };
        let mut cards = std::mem::take(cards);
        if cards.len() > LARGEST_DECK {
            return self.hopeless();
        }
        rng.shuffle(&mut cards);
        self.add_row(cards, true);
        Some(())
    }

    pub(super) fn discard(&mut self, cards: &[SupplyValue]) {
        self.discards.extend_from_slice(cards);
    }

    /// A draw that the viewer did not see.
    pub(super) fn draw(&mut self, time: usize, seat: Seat, count: u8) -> Option<()> {
        if self.fixed_hand && self.rows.iter().all(|row| !row.is_deck) {
            // Everybody knows a fixed opening hand (R2.4).
            let start = self.add_row(FIXED_HAND.to_vec(), false);
            self.slots.iter_mut().skip(start).for_each(|slot| {
                slot.drawn = Some((seat, time));
                slot.certain = true;
            });
        } else if let Some(row) = self.rows.last_mut() {
            let from = row.next;
            row.next += usize::from(count);
            if row.next > self.slots.len() {
                return self.hopeless();
            }
            self.slots.iter_mut().skip(from).take(count.into()).for_each(|slot| slot.drawn = Some((seat, time)));
        }
        Some(())
    }

    /// A draw of the viewer's own.
    pub(super) fn draw_known(
        &mut self,
        time: usize,
        fact: &Fact,
        cards: &Supplies,
        rng: &mut impl Words,
    ) -> Option<()> {
        let (Fact::SuppliesDealt(super::super::SuppliesDealt { seat, .. })
        | Fact::SuppliesDrawn(super::super::SuppliesDrawn { seat, .. })) = fact
        else {
            return Some(());
        };
        let from = self.rows.last().map_or(0, |row| row.next);
        let in_deck = self.rows.last().is_some_and(|row| row.is_deck);
        self.draw(time, *seat, cards.len() as u8)?;
        if !in_deck {
            return Some(());
        }
        let mut values: Vec<SupplyValue> = cards.iter().collect();
        rng.shuffle(&mut values);
        for (place, value) in (from..).zip(values) {
            let row = self.slot(place).row;
            let known = |slot: &Slot| slot.row == row && slot.value == value;
            let other = self.any(rng, |slot| known(slot) && slot.is_open());
            // Where none is open, somebody has to have shown another card.
            let other = other.or_else(|| self.any(rng, |slot| known(slot) && !slot.certain));
            let Some(other) = other else { return self.hopeless() };
            self.trade(place, other);
            self.slot_mut(place).certain = true;
            self.put_right(rng)?;
        }
        Some(())
    }

    /// Cards of a player's hand that everybody sees.
    pub(super) fn show(&mut self, time: usize, seat: Seat, cards: &Supplies, rng: &mut impl Words) -> Option<()> {
        for value in cards.iter() {
            // How many cards a seat has, and how many of a value are shown, is the same in every world.
            let holds = self.slots.iter().any(|slot| slot.is_held_by(seat));
            if !holds || self.slots.iter().all(|slot| slot.shown || slot.value != value) {
                return self.hopeless();
            }
            let held = self.any(rng, |slot| slot.is_held_by(seat) && slot.value == value);
            let slot = held.or_else(|| self.any(rng, |slot| slot.is_held_by(seat) && !slot.certain));
            let Some(slot) = slot else { return self.hopeless() };
            self.slot_mut(slot).shown = true;
            self.shows.push(Show { seat, time, value, slot });
            self.put_right(rng)?;
        }
        Some(())
    }

    /// Mixes the finished world, so that it hangs less on how it was built up.
    ///
    /// None if there is too much to be told of it, in so many events.
    pub(super) fn settle(&mut self, events: usize, rng: &mut impl Words) -> Option<()> {
        self.spend(events * self.slots.len())?;
        (0..SETTLING).for_each(|_| self.mix(rng));
        Some(())
    }

    const fn hopeless(&mut self) -> Option<()> {
        self.is_hopeless = true;
        None
    }

    /// None if it would be too much.
    const fn spend(&mut self, cards: usize) -> Option<()> {
        self.effort = self.effort.saturating_sub(cards as u64);
        if self.effort == 0 { None } else { Some(()) }
    }

    /// The order of the next deck, from the top.
    pub(super) fn next_order(&mut self) -> Box<[SupplyValue]> {
        let decks = self.rows.iter().enumerate().filter(|(_, row)| row.is_deck);
        let row = decks.map(|(number, _)| number).nth(self.told);
        self.told += 1;
        self.slots.iter().filter(|slot| Some(slot.row) == row).map(|slot| slot.value).collect()
    }

    /// The cards of the draw that was made then.
    pub(super) fn drawn_at(&self, time: usize) -> Supplies {
        let drawn = |slot: &&Slot| slot.drawn.is_some_and(|(_, then)| then == time);
        self.slots.iter().filter(drawn).map(|slot| slot.value).collect()
    }

    /// Puts what is left of the last row into `deck`, the top card last.
    pub(super) fn deal_into(&self, deck: &mut Vec<SupplyValue>) {
        deck.clear();
        if let Some(row) = self.rows.last().filter(|row| row.is_deck) {
            deck.extend(self.slots.iter().skip(row.next).rev().map(|slot| slot.value));
        }
    }

    /// The cards in the hand of `seat`.
    pub(super) fn hand(&self, seat: Seat) -> impl Iterator<Item = SupplyValue> {
        self.slots.iter().filter(move |slot| slot.is_held_by(seat)).map(|slot| slot.value)
    }

    fn add_row(&mut self, cards: Vec<SupplyValue>, is_deck: bool) -> usize {
        let (start, row) = (self.slots.len(), self.rows.len());
        let slot = |value| Slot { value, row, drawn: None, certain: false, shown: false };
        self.slots.extend(cards.into_iter().map(slot));
        self.rows.push(Row { next: start, is_deck });
        start
    }

    /// Trades and moves cards until every card that was shown is one of those that its owner held: towards fewer that do not fit,
    /// and now and then anywhere.
    fn put_right(&mut self, rng: &mut impl Words) -> Option<()> {
        for _ in 0..PATIENCE {
            let unfit = |show: &Show| self.slot(show.slot).value != show.value;
            let count = self.shows.iter().filter(|show| unfit(show)).count();
            let nth = rng.below(count.max(1) as u32) as usize;
            let Some((number, _)) = self.shows.iter().enumerate().filter(|(_, show)| unfit(show)).nth(nth) else {
                return Some(());
            };
            self.spend(self.slots.len() + self.shows.len())?;
            self.take_a_step(number, rng);
        }
        None
    }

    /// Another place or another value for a card that was shown and does not fit.
    fn take_a_step(&mut self, number: usize, rng: &mut impl Words) {
        let Some(show) = self.shows.get(number).copied() else { return };
        let mut shown_at = vec![None; self.slots.len()];
        for (number, show) in self.shows.iter().enumerate() {
            if let Some(at) = shown_at.get_mut(show.slot) {
                *at = Some((number, *show));
            }
        }
        let here = self.slot(show.slot);
        let held_here =
            |other: &Show| other.seat == show.seat && here.drawn.is_some_and(|(_, drawn)| drawn < other.time);
        let unfit = |value: SupplyValue, wanted: SupplyValue| usize::from(value != wanted);
        let (any, mut best) = (rng.below(WHIM) == 0, (usize::MAX, 0, Step::Trade(show.slot)));
        for ((place, slot), at) in self.slots.iter().enumerate().zip(&shown_at) {
            let is_his = slot.drawn.is_some_and(|(owner, drawn)| owner == show.seat && drawn < show.time);
            let trade = slot.row == here.row && slot.value == show.value && !slot.certain && !here.certain;
            let move_to = is_his && place != show.slot && at.is_none_or(|(_, other)| held_here(&other));
            let left = match at {
                _ if trade => at.map_or(0, |(_, other)| unfit(here.value, other.value)),
                Some((_, other)) => unfit(slot.value, show.value) + unfit(here.value, other.value),
                None => unfit(slot.value, show.value),
            };
            if !trade && !move_to {
                continue;
            }
            let step = if trade { Step::Trade(place) } else { Step::Move(place, at.map(|(other, _)| other)) };
            let cost = if any { 0 } else { left };
            let tie_break = rng.below(u32::MAX);
            if (cost, tie_break) < (best.0, best.1) {
                best = (cost, tie_break, step);
            }
        }
        match best.2 {
            Step::Trade(place) => self.trade(show.slot, place),
            Step::Move(place, other) => self.move_show(number, place, other),
        }
    }

    /// Lets the card that was shown be the one at `place`; what was shown there before takes its old place.
    fn move_show(&mut self, number: usize, place: usize, other: Option<usize>) {
        let Some(old) = self.shows.get(number).map(|show| show.slot) else { return };
        if let Some(show) = self.shows.get_mut(number) {
            show.slot = place;
        }
        self.slot_mut(place).shown = true;
        self.slot_mut(old).shown = other.is_some();
        if let Some(show) = other.and_then(|other| self.shows.get_mut(other)) {
            show.slot = old;
        }
    }

    /// How many cards are looked at in a [`Self::mix`].
    pub(super) fn mixing_work(&self) -> u64 {
        (4 * self.shows.len() as u64 + self.rows.len() as u64 + 1) * self.slots.len() as u64
    }

    /// Takes another card for each card shown, where it could have been another, and shuffles what nobody has seen.
    pub(super) fn mix(&mut self, rng: &mut impl Words) {
        for number in 0..self.shows.len() {
            let Some(Show { seat, time, value, slot }) = self.shows.get(number).copied() else { continue };
            self.slot_mut(slot).shown = false;
            let held = |card: &Slot| card.is_held_by(seat) && card.drawn.is_some_and(|(_, drawn)| drawn < time);
            let twin = self.any(rng, |card| card.value == value && held(card)).unwrap_or(slot);
            // Of the same shuffle, two cards that he held may as well lie the other way round.
            let row = self.slot(twin).row;
            let other = match self.slot(twin).certain {
                true => twin,
                false => self.any(rng, |card| card.row == row && card.is_open() && held(card)).unwrap_or(twin),
            };
            self.trade(twin, other);
            self.slot_mut(other).shown = true;
            if let Some(show) = self.shows.get_mut(number) {
                show.slot = other;
            }
        }
        for row in 0..self.rows.len() {
            let open = self.slots.iter().enumerate().filter(|(_, slot)| slot.row == row && slot.is_open());
            let places: Vec<usize> = open.map(|(place, _)| place).collect();
            for i in (1..places.len()).rev() {
                let j = rng.below(i as u32 + 1) as usize;
                if let (Some(a), Some(b)) = (places.get(i), places.get(j)) {
                    self.trade(*a, *b);
                }
            }
        }
    }

    /// One of the cards for which `wanted` holds, each as likely.
    fn any(&self, rng: &mut impl Words, wanted: impl Fn(&Slot) -> bool) -> Option<usize> {
        let count = self.slots.iter().filter(|slot| wanted(slot)).count();
        let nth = rng.below(count.max(1) as u32) as usize;
        self.slots.iter().enumerate().filter(|(_, slot)| wanted(slot)).map(|(place, _)| place).nth(nth)
    }

    fn trade(&mut self, a: usize, b: usize) {
        let value = self.slot(a).value;
        self.slot_mut(a).value = self.slot(b).value;
        self.slot_mut(b).value = value;
    }

    #[expect(clippy::indexing_slicing, reason = "places come from `slots`, which only grows")]
    fn slot(&self, place: usize) -> &Slot {
        &self.slots[place]
    }

    #[expect(clippy::indexing_slicing, reason = "places come from `slots`, which only grows")]
    fn slot_mut(&mut self, place: usize) -> &mut Slot {
        &mut self.slots[place]
    }
}
