//! A table in a given situation, built from the events that could have led there.

use std::sync::Arc;

use fereta::engine::*;

pub(crate) use ActionCard::*;
pub(crate) use Face::{Estate, TradingPost};
pub(crate) use House::{Eagle, Rose};

pub(crate) fn seat(number: u8) -> Seat {
    Seat::new(number).expect("a seat")
}

pub(crate) fn place(number: u8) -> Place {
    Place::new(number).expect("a place")
}

pub(crate) fn supplies(values: &[u8]) -> Supplies {
    values.iter().copied().collect()
}

pub(crate) fn by_seat<T: Clone>(values: &[T]) -> BySeat<T> {
    BySeat::new(values.len() as u8, |seat| values[usize::from(seat.number())].clone())
}

pub(crate) fn open(fact: impl Into<Fact>) -> Event {
    Event { fact: fact.into(), secret: None }
}

pub(crate) fn sealed(fact: impl Into<Fact>, secret: Secret) -> Event {
    Event { fact: fact.into(), secret: Some(secret) }
}

pub(crate) fn facts(events: &[Event]) -> Vec<Fact> {
    events.iter().map(|event| event.fact.clone()).collect()
}

/// Lines of the default table of lands (R1.2).
pub(crate) mod line {
    pub(crate) const WILDERNESS: u8 = 0;
    pub(crate) const MEADOW: u8 = 1;
    pub(crate) const RIVER: u8 = 2;
    pub(crate) const FOREST: u8 = 3;
    pub(crate) const VILLAGE: u8 = 4;
    pub(crate) const CITY: u8 = 5;
}

/// A situation before the battlefield of a round is chosen. Seat 0 is the first player and seat 1 holds the strategy
/// card; all houses alternate.
#[derive(Clone)]
pub(crate) struct Situation {
    pub(crate) players: u8,
    pub(crate) options: Options,
    pub(crate) card_set: CardSet,
    pub(crate) allegiances: Vec<House>,
    pub(crate) lands: Vec<(House, u8)>,
    pub(crate) bases: Vec<(u8, u8, Face)>,
    pub(crate) hands: Vec<Vec<u8>>,
    /// From the top.
    pub(crate) deck: Vec<u8>,
    pub(crate) discards: Vec<u8>,
    pub(crate) round: u8,
    /// The version of the rules.
    pub(crate) rules: u16,
}

pub(crate) fn given(players: u8) -> Situation {
    let alternating = |count: u8| (0..count).map(|i| if i % 2 == 0 { Eagle } else { Rose });
    let lines = if players == 5 { 7 } else { 6 };
    Situation {
        players,
        options: Options::default(),
        card_set: CardSet::default(),
        allegiances: alternating(players).collect(),
        lands: alternating(2 * lines).zip((0..lines).flat_map(|line| [line, line])).collect(),
        bases: Vec::new(),
        hands: vec![Vec::new(); usize::from(players)],
        deck: vec![2; 20],
        discards: Vec::new(),
        round: 1,
        rules: RULES_VERSION,
    }
}

impl Situation {
    pub(crate) fn created(&self) -> Event {
        open(TableCreated {
            card_set: Arc::new(self.card_set.clone()),
            fairness: 1,
            format: 1,
            game_id: uuid::Uuid::nil(),
            options: self.options,
            players: self.players,
            rules: self.rules,
            seed_commitment: Bytes32::default(),
            start: StartMode::Full,
        })
    }

    /// The table up to the lands in their circle.
    pub(crate) fn laid(&self) -> Table {
        let taken =
            |number| SeatTaken { entropy: Bytes32::default(), entropy_from: EntropySource::Bot, seat: seat(number) };
        let mut events = vec![self.created()];
        events.extend((0..self.players).map(|number| open(taken(number))));
        events.push(open(GameStarted {
            allegiances: by_seat(&self.allegiances),
            first_player: seat(0),
            strategy_card: seat(1),
        }));
        let lands = self.lands.iter().map(|(house, line)| LaidLand { house: *house, line: *line }).collect();
        events.push(open(LandsLaid { lands }));
        let state = State::fold(&events);
        Table { state, events, chance: Stacked::default() }
    }

    /// The table before the battlefield is chosen.
    pub(crate) fn table(&self) -> Table {
        let mut table = self.laid();
        for (owner, land, face) in &self.bases {
            table.record(open(BaseBuilt { face: *face, land: place(*land), seat: seat(*owner) }));
        }
        for (number, hand) in self.hands.iter().enumerate() {
            let dealt = SuppliesDealt { count: hand.len() as u8, seat: seat(number as u8) };
            table.record(sealed(dealt, Secret::Supplies(SecretSupplies { cards: supplies(hand) })));
        }
        let order = self.deck.clone().into_boxed_slice();
        let shuffled = DeckShuffled { count: order.len() as u8, reshuffle: 0 };
        table.record(sealed(shuffled, Secret::Deck(DeckOrder { order })));
        table.record(open(PlayedSuppliesDiscarded { cards: self.discards.clone().into_boxed_slice() }));
        table.record(open(RoundStarted { first_player: seat(0), round: self.round }));
        table
    }
}

/// A table, with all that happened there, and the chance that will be.
#[derive(Clone)]
pub(crate) struct Table {
    pub(crate) state: State,
    pub(crate) events: Vec<Event>,
    pub(crate) chance: Stacked,
}

impl Table {
    pub(crate) fn record(&mut self, event: Event) {
        self.state.apply(&event);
        self.events.push(event);
    }

    /// Makes a move that has to be legal; gives what happened.
    #[track_caller]
    pub(crate) fn act(&mut self, number: u8, action: Move) -> Vec<Event> {
        let before = self.events.len();
        let command = Command::Act { seat: seat(number), action };
        let chance = &mut self.chance;
        self.state.advance(&command, chance, &mut self.events).expect("a legal move");
        self.events[before..].to_vec()
    }

    /// Asks for a move that has to be refused; gives the reason.
    #[track_caller]
    pub(crate) fn refuses(&self, number: u8, action: Move) -> RuleError {
        let command = Command::Act { seat: seat(number), action };
        self.state.decide(&command, &mut self.chance.clone()).expect_err("a refusal")
    }

    #[track_caller]
    pub(crate) fn decider(&self) -> (u8, DecisionKind) {
        let decision = self.state.decision().expect("a decision");
        (decision.seat.number(), decision.kind)
    }

    pub(crate) fn moves(&self) -> Vec<Move> {
        self.state.legal_moves(self.state.decision().expect("a decision").seat)
    }

    /// The battlefield is chosen and each seat, from seat 0 on, keeps the card given.
    #[track_caller]
    pub(crate) fn draft(&mut self, battlefield: [u8; 2], cards: &[ActionCard]) -> Vec<Event> {
        self.chance.aside = ActionCard::ALL.into_iter().find(|card| !cards.contains(card));
        let strategist = self.decider().0;
        let mut events = self.act(strategist, Move::ChooseBattlefield { lands: battlefield.map(place) });
        for card in cards {
            events.extend(self.act(self.decider().0, Move::TakeActionCard { card: *card }));
        }
        events
    }

    /// Each seat, from seat 0 on, plays the cards given; gives what follows the last play.
    #[track_caller]
    pub(crate) fn play(&mut self, plays: &[&[u8]]) -> Vec<Fact> {
        let mut events = Vec::new();
        for cards in plays {
            events = self.act(self.decider().0, Move::PlaySupplies { cards: supplies(cards) });
        }
        facts(&events)[1..].to_vec()
    }

    /// The draft and the plays of a battle, from seat 0 on; gives what follows the last play.
    #[track_caller]
    pub(crate) fn battle(&mut self, battlefield: [u8; 2], cards: &[ActionCard], plays: &[&[u8]]) -> Vec<Fact> {
        self.draft(battlefield, cards);
        self.play(plays)
    }

    pub(crate) fn scores(&self) -> Vec<u16> {
        self.state.view(Viewer::Spectator).seats.iter().map(|seat| seat.score).collect()
    }

    pub(crate) fn houses(&self) -> Vec<House> {
        self.state.view(Viewer::Spectator).seats.iter().map(|seat| seat.house.expect("a house")).collect()
    }

    pub(crate) fn hand(&self, number: u8) -> Vec<u8> {
        let view = self.state.view(Viewer::Seat(seat(number)));
        view.seats[usize::from(number)].hand.as_ref().expect("the own hand").iter().collect()
    }
}

/// Chance that was arranged: nothing is shuffled, but the action card to be set aside lies on top.
#[derive(Clone, Default)]
pub(crate) struct Stacked {
    pub(crate) first_player: u8,
    pub(crate) aside: Option<ActionCard>,
}

impl Draws for Stacked {
    fn first_player(&mut self, _players: u8) -> u8 {
        self.first_player
    }

    fn lands(&mut self, _lands: &mut [LaidLand]) {}

    fn deck(&mut self, _reshuffle: u16, _cards: &mut [SupplyValue]) {}

    fn action_cards(&mut self, _round: u8, cards: &mut [ActionCard]) {
        if let Some(at) = cards.iter().position(|card| Some(*card) == self.aside) {
            cards.swap(0, at);
        }
    }
}

/// The points paid among `facts`, as seat, points and reason.
pub(crate) fn payments(facts: &[Fact]) -> Vec<(u8, u8, AwardReason)> {
    facts
        .iter()
        .filter_map(|fact| match fact {
            Fact::PointsAwarded(paid) => Some((paid.seat.number(), paid.points, paid.reason)),
            _ => None,
        })
        .collect()
}

/// The draws and lost draws among `facts`, as seat, source and count; 0 for a lost one.
pub(crate) fn draws(facts: &[Fact]) -> Vec<(u8, DrawSource, u8)> {
    facts
        .iter()
        .filter_map(|fact| match fact {
            Fact::SuppliesDrawn(drawn) => Some((drawn.seat.number(), drawn.source, drawn.count)),
            Fact::DrawLost(lost) => Some((lost.seat.number(), lost.source, 0)),
            _ => None,
        })
        .collect()
}

/// The strengths of the battle among `facts`.
#[track_caller]
pub(crate) fn strengths(facts: &[Fact]) -> (u16, u16, Option<House>) {
    let fought = facts.iter().find_map(|fact| match fact {
        Fact::BattleFought(fought) => Some((fought.eagle, fought.rose, fought.winner)),
        _ => None,
    });
    fought.expect("a battle")
}

/// The changes of allegiance among `facts`, as seat, card and house.
pub(crate) fn changes(facts: &[Fact]) -> Vec<(u8, ActionCard, House)> {
    facts
        .iter()
        .filter_map(|fact| match fact {
            Fact::AllegianceChanged(changed) => Some((changed.seat.number(), changed.card, changed.house)),
            _ => None,
        })
        .collect()
}
