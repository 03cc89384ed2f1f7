//! What a viewer may know of a table and of its events (R5).
//!
//! Built up field by field from what the viewer may know, never the whole with parts blanked out. Everything that leaves
//! the engine for a person or a bot passes here.

use std::sync::Arc;

use serde::Serialize;
use utoipa::ToSchema;

use super::card::{ActionCard, ActionCards, Supplies, SupplyValue};
use super::card_set::CardSet;
use super::command::{BotLevel, Options};
use super::decide::Decision;
use super::event::{Audience, Bytes32, EntropySource, Event, EventView, StartMode};
use super::land::{Base, Face, House, LandKind, Place};
use super::numbers::{CardValue, LandPoints};
use super::seat::Seat;
use super::state::{State, Status};

/// Who looks at a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Viewer {
    /// The player in a seat.
    Seat(Seat),
    /// Somebody without a seat.
    Spectator,
}

/// A table as one viewer may see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct View {
    /// The seat whose view it is; null for a spectator's.
    pub seat: Option<Seat>,
    /// How far the game has come.
    pub status: Status,
    /// The number of players, 3 to 5 (R1.1).
    #[schema(minimum = 3, maximum = 5)]
    pub players: u8,
    /// The options.
    pub options: Options,
    /// What starts the game.
    pub start: StartMode,
    /// The values and counts the game is played with (R1.6).
    #[schema(value_type = CardSet)]
    pub card_set: Arc<CardSet>,
    /// SHA-256 of the server's seed (fairness F1).
    pub seed_commitment: Bytes32,
    /// Each seat.
    #[schema(min_items = 3, max_items = 5)]
    pub seats: Vec<SeatView>,
    /// Whose decision it is, and what about (R6).
    pub decision: Option<Decision>,
    /// The round, counted from 1; 0 before the first.
    #[schema(minimum = 0, maximum = 20)]
    pub round: u8,
    /// The number of rounds of the game (R1.1).
    #[schema(minimum = 1, maximum = 20)]
    pub rounds: u8,
    /// The first player of the round; null before the start.
    pub first_player: Option<Seat>,
    /// Who holds the strategy card and the battle card; null before the start.
    pub strategy_card: Option<Seat>,
    /// The lands by place; empty before the start.
    #[schema(max_items = 16)]
    pub lands: Vec<LandView>,
    /// The two lands that are fought over this round.
    #[schema(min_items = 2, max_items = 2)]
    pub battlefield: Option<[Place; 2]>,
    /// How the battle of this round ended.
    pub battle: Option<BattleView>,
    /// How many action cards are still passed on in the draft (R3.2).
    #[schema(minimum = 0, maximum = 6)]
    pub draft_size: u8,
    /// How many supply cards are in the deck.
    #[schema(minimum = 0, maximum = 200)]
    pub deck_size: u8,
    /// The discard pile, by rising value.
    #[schema(value_type = Vec<CardValue>, max_items = 200)]
    pub discards: Vec<SupplyValue>,
    /// The deck from the top; after the end of the game only.
    #[schema(value_type = Option<Vec<CardValue>>, max_items = 200)]
    pub deck: Option<Vec<SupplyValue>>,
    /// The action card that was set aside this round; after the end of the game only.
    pub set_aside: Option<ActionCard>,
    /// The action cards that nobody kept this round; after the end of the game only.
    pub left_over: Option<ActionCards>,
}

/// A seat as one viewer may see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct SeatView {
    /// The seat.
    pub seat: Seat,
    /// Whether somebody sits there.
    pub taken: bool,
    /// The level of the bot that was assigned to the seat and plays it; null for a player.
    pub bot: Option<BotLevel>,
    /// What the player added to the randomness of the game (fairness F1).
    pub entropy: Option<Bytes32>,
    /// Who chose that entropy.
    pub entropy_from: Option<EntropySource>,
    /// The player's allegiance; null before the start.
    pub house: Option<House>,
    /// The player's victory points.
    #[schema(minimum = 0, maximum = 65_535)]
    pub score: u16,
    /// 1 + the number of players with more victory points (R4.3); after the end only.
    #[schema(minimum = 1, maximum = 5)]
    pub rank: Option<u8>,
    /// How many supply cards he holds.
    #[schema(minimum = 0, maximum = 8)]
    pub hand_size: u8,
    /// His supply cards, by rising value, if the viewer may know them.
    pub hand: Option<Supplies>,
    /// How many of his bases are not on the table.
    #[schema(minimum = 0, maximum = 3)]
    pub bases_left: u8,
    /// The supply cards he played this round; null before his turn.
    pub played: Option<Supplies>,
    /// The action cards that were passed to him this round, if the viewer may know them.
    pub passed: Option<ActionCards>,
    /// Whether he has kept an action card this round.
    pub has_kept: bool,
    /// The action card that he kept this round, if the viewer may know it.
    pub action_card: Option<ActionCard>,
}

/// A land in the circle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct LandView {
    /// Its place.
    pub land: Place,
    /// Its kind.
    pub kind: LandKind,
    /// The house it shows.
    pub house: House,
    /// What it adds to its house's strength.
    #[schema(minimum = 0, maximum = 99)]
    pub strength: u8,
    /// The VP for each player of the winning house, by the number of its players.
    #[schema(value_type = Vec<LandPoints>, min_items = 5, max_items = 5)]
    pub points: [u8; 5],
    /// The base that lies at it.
    pub base: Option<Base>,
}

/// How a battle ended (R3.5).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct BattleView {
    /// The strength of the Eagle house.
    #[schema(minimum = 0, maximum = 65_535)]
    pub eagle: u16,
    /// The strength of the Rose house.
    #[schema(minimum = 0, maximum = 65_535)]
    pub rose: u16,
    /// Which house won; null if the strengths are equal.
    pub winner: Option<House>,
}

impl Viewer {
    /// Whether the viewer may know the secrets of `audience`; after the end everything is public (R5.3), and a table that
    /// was closed before it counts as ended.
    pub fn may_know(self, audience: Audience, status: Status) -> bool {
        match status {
            Status::Ended | Status::Closed => true,
            Status::Open | Status::Running => match (self, audience) {
                (Self::Seat(viewer), Audience::Seat(seat)) => viewer == seat,
                (Self::Spectator, Audience::Seat(_)) | (_, Audience::Nobody) => false,
            },
        }
    }

    /// The viewer's seat, if he has one.
    pub const fn seat(self) -> Option<Seat> {
        match self {
            Self::Seat(seat) => Some(seat),
            Self::Spectator => None,
        }
    }
}

impl Event {
    /// The event as `viewer` may know it when the game has come as far as `status`.
    pub fn seen(&self, viewer: Viewer, status: Status) -> EventView {
        let known = self.fact.audience().is_some_and(|audience| viewer.may_know(audience, status));
        EventView { fact: self.fact.clone(), secret: if known { self.secret.clone() } else { None } }
    }
}

impl State {
    /// The table as `viewer` may see it.
    pub fn view(&self, viewer: Viewer) -> View {
        let status = self.status();
        let started = match status {
            Status::Running | Status::Ended => true,
            Status::Open | Status::Closed => false,
        };
        let all_is_public = viewer.may_know(Audience::Nobody, status);
        View {
            seat: viewer.seat(),
            status,
            players: self.players(),
            options: self.table.as_ref().map(|table| table.options).unwrap_or_default(),
            start: self.start_mode(),
            card_set: self.table.as_ref().map(|table| table.card_set.clone()).unwrap_or_default(),
            seed_commitment: self.table.as_ref().map(|table| table.seed_commitment).unwrap_or_default(),
            seats: self.occupants.iter().map(|(seat, _)| self.seat_view(seat, viewer)).collect(),
            decision: self.decision(),
            round: self.round,
            rounds: self.table.as_ref().map_or(0, |table| table.card_set.rounds(table.players)),
            first_player: started.then_some(self.first_player),
            strategy_card: started.then_some(self.strategy_card),
            lands: self.land_views(),
            battlefield: self.this_round.battlefield,
            battle: self.this_round.strengths.map(|[eagle, rose]| BattleView {
                eagle,
                rose,
                winner: self.this_round.winner,
            }),
            draft_size: self.this_round.draft.len(),
            deck_size: self.deck.len() as u8,
            discards: self.sorted_discards(),
            deck: all_is_public.then(|| self.deck.iter().rev().copied().collect()),
            set_aside: if all_is_public { self.this_round.set_aside } else { None },
            left_over: all_is_public.then_some(self.this_round.left),
        }
    }

    fn seat_view(&self, seat: Seat, viewer: Viewer) -> SeatView {
        let status = self.status();
        let knows = viewer.may_know(Audience::Seat(seat), status);
        let occupant = self.occupants.at(seat).copied().flatten();
        let player = self.players.at(seat);
        let action_card = player.and_then(|player| player.kept).filter(|_| knows || self.this_round.revealed);
        SeatView {
            seat,
            taken: occupant.is_some(),
            bot: self.bot(seat),
            entropy: occupant.map(|occupant| occupant.entropy),
            entropy_from: occupant.map(|occupant| occupant.entropy_from),
            house: player.map(|player| player.house),
            score: player.map_or(0, |player| player.score),
            rank: if status == Status::Ended { self.rank(seat) } else { None },
            hand_size: player.map_or(0, |player| player.hand.len() as u8),
            hand: player.filter(|_| knows).map(|player| player.hand),
            bases_left: player.map_or(0, |player| player.bases_left),
            played: player.and_then(|player| player.played),
            passed: player.filter(|_| knows).map(|player| player.passed),
            has_kept: player.is_some_and(|player| player.kept.is_some()),
            action_card,
        }
    }

    fn land_views(&self) -> Vec<LandView> {
        let view = |(place, land): (Place, &super::land::Land)| {
            let line = self.line_of(land)?;
            Some(LandView {
                land: place,
                kind: line.kind,
                house: land.house,
                strength: line.strength,
                points: line.points,
                base: land.base,
            })
        };
        self.places().filter_map(view).collect()
    }

    fn sorted_discards(&self) -> Vec<SupplyValue> {
        let mut discards = self.discards.clone();
        discards.sort_unstable();
        discards
    }
}

impl View {
    /// How many bases of `seat` on the table show `face`.
    pub fn bases(&self, seat: Seat, face: Face) -> usize {
        self.lands.iter().filter(|land| land.base == Some(Base { seat, face })).count()
    }
}
