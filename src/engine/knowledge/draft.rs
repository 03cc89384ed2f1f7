//! The drafts of action cards dealt anew (R3.2).
//!
//! What was passed to the viewer parts the cards of a round in two: those he saw can only be with him or after him, the
//! others only set aside or with those before him.

use arrayvec::ArrayVec;

use super::super::card::{ActionCard, ActionCards};
use super::super::draws::Words;
use super::super::event::{ActionCardOrder, EventView, Fact, Secret, SecretActionCard, SecretActionCards};
use super::super::seat::{BySeat, Seat};

/// The drafts of one possible world, round by round.
pub(super) struct Drafts {
    rounds: std::vec::IntoIter<Draft>,
    round: Draft,
}

/// The draft of one round: what is known of it, then all of it.
#[derive(Default)]
struct Draft {
    cards: ActionCards,
    /// Those who have kept a card, in turn order.
    keepers: ArrayVec<Seat, 5>,
    kept: BySeat<Option<ActionCard>>,
    /// What was passed to the viewer, and how many had kept a card before.
    passed: Option<(usize, ActionCards)>,
    order: ArrayVec<ActionCard, 7>,
    /// What is being passed on.
    draft: ActionCards,
}

impl Drafts {
    pub(super) fn resample(seen: &[EventView], rng: &mut impl Words) -> Self {
        let mut rounds: Vec<Draft> = Vec::new();
        let (mut cards, mut players) = (ActionCards::default(), 0);
        for EventView { fact, secret } in seen {
            match (fact, rounds.last_mut()) {
                (Fact::TableCreated(table), _) => {
                    cards = ActionCards::of_game(table.options.mercenary);
                    players = table.players;
                }
                (Fact::ActionCardsShuffled(_), _) => {
                    let kept = BySeat::new(players, |_| None);
                    rounds.push(Draft { cards, kept, ..Draft::default() });
                }
                (fact, Some(draft)) => draft.note(fact, secret.as_ref()),
                (_, None) => {}
            }
        }
        rounds.iter_mut().for_each(|draft| draft.fill_in(rng));
        Self { rounds: rounds.into_iter(), round: Draft::default() }
    }

    /// The secret of the next event of the draft; none if it is of another kind.
    pub(super) fn secret(&mut self, fact: &Fact) -> Option<Secret> {
        match fact {
            Fact::ActionCardsShuffled(_) => {
                self.round = self.rounds.next()?;
                let order = self.round.order.clone();
                self.round.draft = order.iter().skip(1).copied().collect();
                Some(Secret::ActionOrder(ActionCardOrder { order }))
            }
            Fact::ActionCardsPassed(_) | Fact::ActionCardsLeft(_) => {
                Some(Secret::ActionCards(SecretActionCards { cards: self.round.draft }))
            }
            Fact::ActionCardKept(kept) => {
                let card = self.round.kept.at(kept.seat).copied().flatten()?;
                self.round.draft = self.round.draft.without(card);
                Some(Secret::ActionCard(SecretActionCard { card }))
            }
            _ => None,
        }
    }
}

impl Draft {
    fn note(&mut self, fact: &Fact, secret: Option<&Secret>) {
        match (fact, secret) {
            (Fact::ActionCardsPassed(_), Some(Secret::ActionCards(passed))) => {
                self.passed = Some((self.keepers.len(), passed.cards));
            }
            (Fact::ActionCardKept(kept), secret) => {
                let _ = self.keepers.try_push(kept.seat);
                if let (Some(Secret::ActionCard(own)), Some(known)) = (secret, self.kept.at_mut(kept.seat)) {
                    *known = Some(own.card);
                }
            }
            (Fact::ActionCardsRevealed(revealed), _) => {
                for (known, card) in self.kept.values_mut().zip(revealed.cards.values()) {
                    *known = Some(*card);
                }
            }
            (_, _) => {}
        }
    }

    /// Gives every card that is not known a place that it could have.
    fn fill_in(&mut self, rng: &mut impl Words) {
        let known: ActionCards = self.kept.values().flatten().copied().collect();
        let (before, seen) = self.passed.unwrap_or((self.keepers.len(), ActionCards::default()));
        let mut unseen: ArrayVec<ActionCard, 7> = self.cards.except(seen).except(known).iter().collect();
        let mut later: ArrayVec<ActionCard, 7> = seen.except(known).iter().collect();
        rng.shuffle(&mut unseen);
        rng.shuffle(&mut later);
        for (turn, seat) in self.keepers.iter().enumerate() {
            let pool = if turn < before { &mut unseen } else { &mut later };
            if let Some(kept) = self.kept.at_mut(*seat).filter(|kept| kept.is_none()) {
                *kept = pool.pop();
            }
        }
        let set_aside = unseen.pop();
        let mut passed_on: ArrayVec<ActionCard, 7> =
            self.cards.iter().filter(|card| Some(*card) != set_aside).collect();
        rng.shuffle(&mut passed_on);
        self.order = set_aside.into_iter().chain(passed_on).collect();
    }
}
