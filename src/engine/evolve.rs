//! What an event does to the table. No rule is applied here: what an event says, happened.

use super::card::{ActionCards, Supplies};
use super::event::{
    ActionCardsRevealed, BattleFought, DeckShuffled, DrawSource, Event, Fact, GameStarted, RoundStarted, Secret,
    SuppliesDrawn, TableCreated,
};
use super::land::{Base, Face, House, Land, Place};
use super::seat::{BySeat, Seat};
use super::state::{Occupant, Player, Refill, Round, State, Step, Table};

impl State {
    /// Records `event`.
    pub fn apply(&mut self, event: &Event) {
        let secret = event.secret.as_ref();
        match &event.fact {
            Fact::TableCreated(fact) => *self = created(fact),
            Fact::SeatTaken(fact) => {
                let occupant = Occupant { entropy: fact.entropy, entropy_from: fact.entropy_from, bot: None };
                self.occupants[fact.seat] = Some(occupant);
            }
            Fact::SeatLeft(fact) => self.occupants[fact.seat] = None,
            Fact::BotAssigned(fact) => {
                if let Some(occupant) = &mut self.occupants[fact.seat] {
                    occupant.bot = Some(fact.level);
                }
            }
            Fact::TableClosed(_) => self.step = Step::Closed,
            Fact::GameStarted(fact) => self.start(fact),
            Fact::LandsLaid(fact) => {
                let laid = |land: &super::LaidLand| Land { line: land.line, house: land.house, base: None };
                self.circle = fact.lands.iter().map(laid).collect();
                self.step = Step::LandsLaid;
            }
            Fact::EstatePlaced(fact) => {
                self.place_base(fact.seat, fact.land, Face::Estate);
                self.step = Step::EstatePlaced(fact.seat);
            }
            Fact::DeckShuffled(fact) => self.shuffle_deck(fact, secret),
            Fact::SuppliesDealt(fact) => {
                self.draw(fact.seat, fact.count, supplies(secret));
                self.step = Step::Dealt(fact.seat);
            }
            Fact::RoundStarted(fact) => self.start_round(fact),
            Fact::BattlefieldChosen(fact) => {
                self.this_round.battlefield = Some(fact.lands);
                self.step = Step::BattlefieldChosen;
            }
            Fact::ActionCardsShuffled(_) => self.shuffle_action_cards(secret),
            Fact::ActionCardsPassed(fact) => {
                self.players[fact.seat].passed = action_cards(secret);
                self.step = Step::ActionCardsPassed(fact.seat);
            }
            Fact::ActionCardKept(fact) => self.keep_action_card(fact.seat, secret),
            Fact::ActionCardsLeft(_) => {
                self.this_round.left = action_cards(secret);
                self.this_round.draft = ActionCards::default();
                self.step = Step::ActionCardsLeft;
            }
            Fact::SuppliesPlayed(fact) => {
                let player = &mut self.players[fact.seat];
                player.hand.remove(&fact.cards);
                player.played = Some(fact.cards);
                self.step = Step::SuppliesPlayed(fact.seat);
            }
            Fact::ActionCardsRevealed(fact) => self.reveal(fact),
            Fact::AllegianceChanged(fact) => {
                self.players[fact.seat].house = fact.house;
                self.step = Step::AllegianceChanged(fact.card);
            }
            Fact::BattleFought(fact) => self.fight(fact),
            Fact::LandTurned(fact) => {
                self.with_land(fact.land, |land| land.house = fact.house);
                self.this_round.turned = Some(fact.land);
                self.step = Step::LandTurned;
            }
            Fact::PointsAwarded(fact) => {
                self.players[fact.seat].score += u16::from(fact.points);
                self.step = Step::Paid(fact.reason, fact.seat);
            }
            Fact::BaseBuilt(fact) => {
                self.place_base(fact.seat, fact.land, fact.face);
                self.step = Step::Built;
            }
            Fact::BaseFlipped(fact) => {
                self.with_land(fact.land, |land| land.base = Some(Base { seat: fact.seat, face: fact.face }));
                self.step = Step::Built;
            }
            Fact::BuildPassed(_) => self.step = Step::Built,
            Fact::StrategyCardGiven(fact) => {
                self.strategy_card = fact.seat;
                self.step = Step::StrategyCardGiven;
            }
            Fact::PlayedSuppliesDiscarded(fact) => {
                self.discards.extend_from_slice(&fact.cards);
                self.this_round.cleared = true;
                self.step = Step::Refilling;
            }
            Fact::SuppliesDrawn(SuppliesDrawn { seat, source, count }) => {
                self.draw(*seat, *count, supplies(secret));
                self.count_draw(*seat, *source, *count);
            }
            Fact::DrawLost(fact) => self.count_draw(fact.seat, fact.source, 1),
            Fact::SuppliesDiscarded(fact) => {
                self.players[fact.seat].hand.remove(&fact.cards);
                self.discards.extend(fact.cards.iter());
                self.step = Step::Discarded;
            }
            Fact::GameEnded(_) => self.step = Step::Ended,
        }
    }

    fn start(&mut self, fact: &GameStarted) {
        self.first_player = fact.first_player;
        self.strategy_card = fact.strategy_card;
        let house = |seat| fact.allegiances.at(seat).copied().unwrap_or(House::Eagle);
        self.players = BySeat::new(fact.allegiances.players(), |seat| Player {
            house: house(seat),
            bases_left: 3,
            ..Player::default()
        });
        self.step = Step::Started;
    }

    fn start_round(&mut self, fact: &RoundStarted) {
        self.round = fact.round;
        self.first_player = fact.first_player;
        self.this_round = Round::default();
        for player in self.players.values_mut() {
            player.played = None;
            player.passed = ActionCards::default();
            player.kept = None;
            player.drawn = 0;
        }
        self.step = Step::RoundStarted;
    }

    fn shuffle_deck(&mut self, fact: &DeckShuffled, secret: Option<&Secret>) {
        if let Some(Secret::Deck(deck)) = secret {
            self.deck.clear();
            self.deck.extend(deck.order.iter().rev());
        }
        self.reshuffles = fact.reshuffle;
        if fact.reshuffle == 0 {
            self.step = Step::DeckReady;
        } else {
            self.discards.clear();
        }
    }

    fn draw(&mut self, seat: Seat, count: u8, cards: Supplies) {
        // Fixed opening hands (R2.4) are handed out while there is no deck yet.
        self.deck.truncate(self.deck.len().saturating_sub(usize::from(count)));
        let hand = &mut self.players[seat].hand;
        cards.iter().for_each(|value| hand.add(value));
    }

    fn count_draw(&mut self, seat: Seat, source: DrawSource, count: u8) {
        self.players[seat].drawn += count;
        let done = match self.this_round.refill {
            Some(last) if last.seat == seat && last.source == source => last.done + count,
            Some(_) | None => count,
        };
        self.this_round.refill = Some(Refill { seat, source, done });
        self.step = Step::Refilling;
    }

    fn shuffle_action_cards(&mut self, secret: Option<&Secret>) {
        if let Some(Secret::ActionOrder(shuffled)) = secret {
            self.this_round.set_aside = shuffled.order.first().copied();
            self.this_round.draft = shuffled.order.iter().skip(1).copied().collect();
        }
        self.step = Step::ActionCardsShuffled;
    }

    fn keep_action_card(&mut self, seat: Seat, secret: Option<&Secret>) {
        if let Some(Secret::ActionCard(kept)) = secret {
            self.players[seat].kept = Some(kept.card);
            self.this_round.draft = self.this_round.draft.without(kept.card);
        }
        self.step = Step::ActionCardKept(seat);
    }

    fn reveal(&mut self, fact: &ActionCardsRevealed) {
        for (player, card) in self.players.values_mut().zip(fact.cards.values()) {
            player.kept = Some(*card);
        }
        self.this_round.revealed = true;
        self.step = Step::Revealed;
    }

    fn fight(&mut self, fact: &BattleFought) {
        self.this_round.strengths = Some([fact.eagle, fact.rose]);
        self.this_round.winner = fact.winner;
        self.step = Step::BattleFought;
    }

    fn place_base(&mut self, seat: Seat, place: Place, face: Face) {
        self.with_land(place, |land| land.base = Some(Base { seat, face }));
        let left = &mut self.players[seat].bases_left;
        *left = left.saturating_sub(1);
    }

    fn with_land(&mut self, place: Place, change: impl FnOnce(&mut Land)) {
        if let Some(land) = self.circle.get_mut(usize::from(place.number())) {
            change(land);
        }
    }
}

fn created(fact: &TableCreated) -> State {
    State {
        table: Some(Table {
            game_id: fact.game_id,
            seed_commitment: fact.seed_commitment,
            players: fact.players,
            options: fact.options,
            start: fact.start,
            card_set: fact.card_set.clone(),
            rules: fact.rules,
        }),
        occupants: BySeat::new(fact.players, |_| None),
        step: Step::Open,
        ..State::default()
    }
}

fn supplies(secret: Option<&Secret>) -> Supplies {
    match secret {
        Some(Secret::Supplies(secret)) => secret.cards,
        Some(Secret::Deck(_) | Secret::ActionOrder(_) | Secret::ActionCards(_) | Secret::ActionCard(_)) | None => {
            Supplies::default()
        }
    }
}

fn action_cards(secret: Option<&Secret>) -> ActionCards {
    match secret {
        Some(Secret::ActionCards(secret)) => secret.cards,
        Some(Secret::Deck(_) | Secret::ActionOrder(_) | Secret::Supplies(_) | Secret::ActionCard(_)) | None => {
            ActionCards::default()
        }
    }
}
