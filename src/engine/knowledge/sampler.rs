//! One world after the other of the same knowledge, faster than each from the start.

use super::super::card::Supplies;
use super::super::draws::Words;
use super::super::event::{Event, EventView, Fact};
use super::super::state::State;
use super::super::world::World;
use super::Knowledge;
use super::draft::Drafts;
use super::supply::Supply;

/// A source of worlds that a viewer cannot tell from the true one, and of nothing else.
pub struct Sampler {
    /// A possible table; what is hidden in it is dealt anew for each world.
    table: State,
    supply: Supply,
    /// The draft of this round as it was seen, after the event that sets up the table; nothing if all is revealed.
    draft: Vec<EventView>,
}

impl Knowledge {
    /// A source of worlds that the viewer cannot tell from the true one.
    pub fn sampler(&self, rng: &mut impl Words) -> Sampler {
        let (history, supply) = loop {
            if let Ok(found) = self.attempt(rng, &mut { u64::MAX }) {
                break found;
            }
        };
        Sampler { table: State::fold(&history), supply, draft: self.hidden_draft() }
    }

    fn hidden_draft(&self) -> Vec<EventView> {
        let shuffled = |event: &EventView| matches!(event.fact, Fact::ActionCardsShuffled(_));
        let Some(start) = self.seen.iter().rposition(shuffled) else { return Vec::new() };
        let round = self.seen.get(start..).unwrap_or_default();
        if round.iter().any(|event| matches!(event.fact, Fact::ActionCardsRevealed(_))) {
            return Vec::new();
        }
        let draft = round.iter().filter(|event| {
            matches!(
                event.fact,
                Fact::ActionCardsShuffled(_)
                    | Fact::ActionCardsPassed(_)
                    | Fact::ActionCardKept(_)
                    | Fact::ActionCardsLeft(_)
            )
        });
        self.seen.first().into_iter().chain(draft).cloned().collect()
    }
}

impl Sampler {
    /// The number of players, 3 to 5.
    pub fn players(&self) -> u8 {
        self.table.players()
    }

    /// About how many cards are looked at for one world.
    pub fn work(&self) -> u64 {
        self.supply.mixing_work()
    }

    /// The next world.
    pub fn world(&mut self, rng: &mut impl Words) -> World {
        self.supply.mix(rng);
        let mut table = self.table.clone();
        self.supply.deal_into(&mut table.deck);
        let hands = table.players.iter().map(|(seat, _)| seat).collect::<arrayvec::ArrayVec<_, 5>>();
        for seat in hands {
            table.players[seat].hand = self.supply.hand(seat).collect::<Supplies>();
        }
        let (step, mut drafts) = (table.step, Drafts::resample(&self.draft, rng));
        for EventView { fact, secret } in self.draft.iter().skip(1) {
            let possible = drafts.secret(fact);
            table.apply(&Event { fact: fact.clone(), secret: secret.clone().or(possible) });
        }
        table.step = step;
        World(table)
    }
}
