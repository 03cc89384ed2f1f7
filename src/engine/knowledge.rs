//! What a viewer has lawfully seen, and worlds that he cannot tell from the true one.
//!
//! [`Knowledge`] holds the events as the viewer saw them, nothing else. [`Knowledge::resample_history`] fills the gaps
//! in: a whole history that the rules allow and that looks the same to him, event by event. Bots and hints get no more
//! than this, and the tests use it to show that nothing leaks.

use super::draws::Words;
use super::event::{DeckOrder, Event, EventView, Fact, Secret, SecretSupplies};
use super::state::{State, Status};
use super::view::Viewer;

mod draft;
mod sampler;
mod supply;

use draft::Drafts;
pub use sampler::Sampler;
use supply::Supply;

/// How often all cards are mixed anew, at most, before it is said that what somebody claims to have seen cannot be.
const MOST_MIXES: u64 = 10_000;
/// How many cards are looked at for it, at most: no game is so large that it takes more.
const MOST_EFFORT: u64 = 1_000_000_000;

/// What a viewer has lawfully seen of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Knowledge {
    viewer: Viewer,
    seen: Vec<EventView>,
}

impl Knowledge {
    /// A viewer who has seen nothing yet.
    pub const fn new(viewer: Viewer) -> Self {
        Self { viewer, seen: Vec::new() }
    }

    /// What `viewer` has seen of events that have led the game as far as `status`.
    pub fn of<'a>(viewer: Viewer, events: impl IntoIterator<Item = &'a Event>, status: Status) -> Self {
        Self { viewer, seen: events.into_iter().map(|event| event.seen(viewer, status)).collect() }
    }

    /// Whose knowledge it is.
    pub const fn viewer(&self) -> Viewer {
        self.viewer
    }

    /// Takes note of the next event, as the viewer sees it.
    pub fn observe(&mut self, event: EventView) {
        self.seen.push(event);
    }

    /// A table that the viewer cannot tell from the true one.
    pub fn resample(&self, rng: &mut impl Words) -> State {
        State::fold(&self.resample_history(rng))
    }

    /// A history that the viewer cannot tell from the true one: every event looks the same to him, and the rules allow
    /// every move in it. What he may not know takes every value that it could.
    pub fn resample_history(&self, rng: &mut impl Words) -> Vec<Event> {
        loop {
            if let Ok((history, _)) = self.attempt(rng, &mut { u64::MAX }) {
                return history;
            }
        }
    }

    /// As [`Knowledge::resample_history`], for what somebody else says that he has seen, which may be anything.
    ///
    /// # Errors
    /// How many events there is such a history of, if none of them all was found in `attempts`.
    pub fn try_resample_history(&self, rng: &mut impl Words, attempts: u32) -> Result<Vec<Event>, usize> {
        let (mut furthest, mut effort) = (0, self.effort());
        for _ in 0..attempts {
            match self.attempt(rng, &mut effort) {
                Ok((history, _)) => return Ok(history),
                Err(end) => {
                    furthest = furthest.max(end.time);
                    if end.is_certain || effort == 0 {
                        break;
                    }
                }
            }
        }
        Err(furthest)
    }

    /// How many cards may be looked at for a history of this size.
    fn effort(&self) -> u64 {
        let (mut shown, mut shuffled) = (1, 1);
        for EventView { fact, .. } in &self.seen {
            match fact {
                Fact::SuppliesPlayed(played) => shown += played.cards.len() as u64,
                Fact::SuppliesDiscarded(discarded) => shown += discarded.cards.len() as u64,
                Fact::DeckShuffled(deck) => shuffled += u64::from(deck.count),
                _ => {}
            }
        }
        (MOST_MIXES * 2).saturating_mul(shown).saturating_mul(shuffled).min(MOST_EFFORT)
    }

    /// What was seen of the first `events`.
    #[must_use]
    pub fn until(mut self, events: usize) -> Self {
        self.seen.truncate(events);
        self
    }

    fn attempt(&self, rng: &mut impl Words, effort: &mut u64) -> Result<(Vec<Event>, Supply), DeadEnd> {
        let mut supply = Supply::new(*effort);
        let dealt = self.resample_supply(&mut supply, rng);
        *effort = supply.effort;
        dealt.map_err(|time| DeadEnd { time, is_certain: supply.is_hopeless })?;
        let mut drafts = Drafts::resample(&self.seen, rng);
        let fill = |(time, event): (usize, &EventView)| {
            let possible = match &event.fact {
                Fact::DeckShuffled(_) => Some(Secret::Deck(DeckOrder { order: supply.next_order() })),
                Fact::SuppliesDealt(_) | Fact::SuppliesDrawn(_) => {
                    Some(Secret::Supplies(SecretSupplies { cards: supply.drawn_at(time) }))
                }
                fact => drafts.secret(fact),
            };
            let secret = event.secret.clone().or(possible);
            Event { fact: event.fact.clone(), secret }
        };
        Ok((self.seen.iter().enumerate().map(fill).collect(), supply))
    }

    /// Deals the supply cards anew.
    ///
    /// # Errors
    /// The time of the event at which this attempt came to a dead end.
    fn resample_supply(&self, supply: &mut Supply, rng: &mut impl Words) -> Result<(), usize> {
        for (time, EventView { fact, secret }) in self.seen.iter().enumerate() {
            let possible = match (fact, secret) {
                (Fact::TableCreated(table), _) => {
                    supply.set_up(table);
                    Some(())
                }
                (Fact::DeckShuffled(shuffled), _) => supply.shuffle(shuffled.reshuffle, rng),
                (Fact::SuppliesDealt(_) | Fact::SuppliesDrawn(_), Some(Secret::Supplies(seen))) => {
                    supply.draw_known(time, fact, &seen.cards, rng)
                }
                (Fact::SuppliesDealt(dealt), _) => supply.draw(time, dealt.seat, dealt.count),
                (Fact::SuppliesDrawn(drawn), _) => supply.draw(time, drawn.seat, drawn.count),
                (Fact::SuppliesPlayed(played), _) => supply.show(time, played.seat, &played.cards, rng),
                (Fact::SuppliesDiscarded(discarded), _) => {
                    supply.discard(discarded.cards.as_slice());
                    supply.show(time, discarded.seat, &discarded.cards, rng)
                }
                (Fact::PlayedSuppliesDiscarded(discarded), _) => {
                    supply.discard(&discarded.cards);
                    Some(())
                }
                (_, _) => Some(()),
            };
            possible.ok_or(time)?;
        }
        supply.settle(self.seen.len(), rng).ok_or(self.seen.len())
    }
}

/// Where an attempt to fill in what was not seen had to be given up.
struct DeadEnd {
    /// The event that could not be.
    time: usize,
    /// Whether it can be in no attempt.
    is_certain: bool,
}
