//! What a sentence needs besides its event: who is meant by a seat, and what lies at a place.

use std::sync::Arc;

use crate::engine::{
    ActionCard, ActionCards, BySeat, CardSet, EventView, Fact, House, LaidLand, LandKind, Place, Seat, Secret,
    Supplies, SupplyValue, View, Viewer,
};

/// A seat, as the reader knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Who {
    /// The reader himself.
    You,
    /// Somebody else.
    Seat(Seat),
}

/// A land as a sentence names it; what it is may be unknown, its place is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spot {
    pub(super) place: Place,
    pub(super) kind: Option<LandKind>,
    pub(super) house: Option<House>,
}

/// The public facts that later sentences refer to.
#[derive(Clone, Debug)]
pub(super) struct Scene {
    viewer: Viewer,
    players: u8,
    card_set: Arc<CardSet>,
    lands: Vec<(LandKind, House)>,
    strategy_card: Option<Seat>,
}

/// An event and the scene just before it.
pub(super) struct Told<'a> {
    pub(super) fact: &'a Fact,
    secret: Option<&'a Secret>,
    pub(super) scene: &'a Scene,
}

/// How a game ended (R4.3).
pub(super) struct Verdict {
    /// By rank, then by seat.
    pub(super) standings: Vec<Standing>,
}

/// A player at the end.
pub(super) struct Standing {
    pub(super) who: Who,
    pub(super) rank: u8,
    pub(super) score: u16,
}

impl Who {
    pub(super) fn of(seat: Seat, viewer: Option<Seat>) -> Self {
        if viewer == Some(seat) { Self::You } else { Self::Seat(seat) }
    }
}

impl Scene {
    pub(super) fn new(viewer: Viewer) -> Self {
        Self { viewer, players: 0, card_set: Arc::default(), lands: Vec::new(), strategy_card: None }
    }

    pub(super) fn of(view: &View) -> Self {
        Self {
            viewer: view.seat.map_or(Viewer::Spectator, Viewer::Seat),
            players: view.players,
            card_set: view.card_set.clone(),
            lands: view.lands.iter().map(|land| (land.kind, land.house)).collect(),
            strategy_card: view.strategy_card,
        }
    }

    pub(super) fn who(&self, seat: Seat) -> Who {
        Who::of(seat, self.viewer.seat())
    }

    /// The number of rounds; none before the table is known.
    pub(super) fn rounds(&self) -> Option<u8> {
        (self.players > 0).then(|| self.card_set.rounds(self.players))
    }

    pub(super) fn spot(&self, place: Place) -> Spot {
        let land = self.lands.get(usize::from(place.number()));
        Spot { place, kind: land.map(|(kind, _)| *kind), house: land.map(|(_, house)| *house) }
    }

    /// The lands as they are laid.
    pub(super) fn circle(&self, lands: &[LaidLand]) -> Vec<Spot> {
        let places = (0..).map_while(Place::new);
        let spot = |(place, land): (Place, &LaidLand)| Spot {
            place,
            kind: self.laid(land).map(|(kind, _)| kind),
            house: Some(land.house),
        };
        places.zip(lands).map(spot).collect()
    }

    /// Whether `seat` holds the strategy card already.
    pub(super) fn holds_strategy_card(&self, seat: Seat) -> bool {
        self.strategy_card == Some(seat)
    }

    fn laid(&self, land: &LaidLand) -> Option<(LandKind, House)> {
        Some((self.card_set.lands.get(usize::from(land.line))?.kind, land.house))
    }

    /// Takes note of what happened.
    pub(super) fn note(&mut self, fact: &Fact) {
        match fact {
            Fact::TableCreated(fact) => {
                self.players = fact.players;
                self.card_set = fact.card_set.clone();
            }
            Fact::GameStarted(fact) => self.strategy_card = Some(fact.strategy_card),
            Fact::LandsLaid(fact) => self.lands = fact.lands.iter().filter_map(|land| self.laid(land)).collect(),
            Fact::LandTurned(fact) => {
                if let Some((_, house)) = self.lands.get_mut(usize::from(fact.land.number())) {
                    *house = fact.house;
                }
            }
            Fact::StrategyCardGiven(fact) => self.strategy_card = Some(fact.seat),
            Fact::SeatTaken(_)
            | Fact::SeatLeft(_)
            | Fact::BotAssigned(_)
            | Fact::TableClosed(_)
            | Fact::EstatePlaced(_)
            | Fact::DeckShuffled(_)
            | Fact::SuppliesDealt(_)
            | Fact::RoundStarted(_)
            | Fact::BattlefieldChosen(_)
            | Fact::ActionCardsShuffled(_)
            | Fact::ActionCardsPassed(_)
            | Fact::ActionCardKept(_)
            | Fact::ActionCardsLeft(_)
            | Fact::SuppliesPlayed(_)
            | Fact::ActionCardsRevealed(_)
            | Fact::AllegianceChanged(_)
            | Fact::BattleFought(_)
            | Fact::PointsAwarded(_)
            | Fact::BaseBuilt(_)
            | Fact::BaseFlipped(_)
            | Fact::BuildPassed(_)
            | Fact::PlayedSuppliesDiscarded(_)
            | Fact::SuppliesDrawn(_)
            | Fact::DrawLost(_)
            | Fact::SuppliesDiscarded(_)
            | Fact::GameEnded(_) => {}
        }
    }
}

impl<'a> Told<'a> {
    pub(super) fn new(event: &'a EventView, scene: &'a Scene) -> Self {
        Self { fact: &event.fact, secret: event.secret.as_ref(), scene }
    }

    pub(super) fn who(&self, seat: Seat) -> Who {
        self.scene.who(seat)
    }

    pub(super) fn spot(&self, place: Place) -> Spot {
        self.scene.spot(place)
    }

    /// The supply cards of the event, if the reader may know them.
    pub(super) fn supplies(&self) -> Option<&'a [SupplyValue]> {
        match self.secret? {
            Secret::Supplies(secret) => Some(Supplies::as_slice(&secret.cards)),
            Secret::Deck(_) | Secret::ActionOrder(_) | Secret::ActionCards(_) | Secret::ActionCard(_) => None,
        }
    }

    /// The deck from the top, if the reader may know it.
    pub(super) fn deck(&self) -> Option<&'a [SupplyValue]> {
        match self.secret? {
            Secret::Deck(secret) => Some(&secret.order),
            Secret::Supplies(_) | Secret::ActionOrder(_) | Secret::ActionCards(_) | Secret::ActionCard(_) => None,
        }
    }

    /// The action card that was set aside, if the reader may know it.
    pub(super) fn set_aside(&self) -> Option<ActionCard> {
        match self.secret? {
            Secret::ActionOrder(secret) => secret.order.first().copied(),
            Secret::Deck(_) | Secret::Supplies(_) | Secret::ActionCards(_) | Secret::ActionCard(_) => None,
        }
    }

    /// The action cards of the event, if the reader may know them.
    pub(super) fn action_cards(&self) -> Option<ActionCards> {
        match self.secret? {
            Secret::ActionCards(secret) => Some(secret.cards),
            Secret::Deck(_) | Secret::Supplies(_) | Secret::ActionOrder(_) | Secret::ActionCard(_) => None,
        }
    }

    /// The action card of the event, if the reader may know it.
    pub(super) fn action_card(&self) -> Option<ActionCard> {
        match self.secret? {
            Secret::ActionCard(secret) => Some(secret.card),
            Secret::Deck(_) | Secret::Supplies(_) | Secret::ActionOrder(_) | Secret::ActionCards(_) => None,
        }
    }

    /// Who belongs to `house`.
    pub(super) fn members(&self, allegiances: &BySeat<House>, house: House) -> Vec<Who> {
        allegiances.iter().filter(|(_, of)| **of == house).map(|(seat, _)| self.who(seat)).collect()
    }

    pub(super) fn verdict(&self, ranks: &BySeat<u8>, scores: &BySeat<u16>) -> Verdict {
        let seats = ranks.iter().zip(scores.values());
        Verdict::new(seats.map(|((seat, rank), score)| Standing { who: self.who(seat), rank: *rank, score: *score }))
    }
}

impl Verdict {
    fn new(standings: impl Iterator<Item = Standing>) -> Self {
        let mut standings: Vec<_> = standings.collect();
        standings.sort_by_key(|standing| standing.rank);
        Self { standings }
    }

    pub(super) fn of_view(view: &View) -> Option<Self> {
        let standing = |seat: &crate::engine::SeatView| {
            Some(Standing { who: Who::of(seat.seat, view.seat), rank: seat.rank?, score: seat.score })
        };
        let standings = view.seats.iter().map(standing).collect::<Option<Vec<_>>>()?;
        Some(Self::new(standings.into_iter()))
    }

    pub(super) fn winners(&self) -> Vec<Who> {
        self.standings.iter().filter(|standing| standing.rank == 1).map(|standing| standing.who).collect()
    }

    /// The points of the winners.
    pub(super) fn best(&self) -> u16 {
        self.standings.first().map_or(0, |standing| standing.score)
    }
}
