//! The moves (R7): the guard of each, and the list of those that are legal. Both use the same guards.

use super::card::{ActionCard, Supplies};
use super::command::Move;
use super::decide::{Decision, DecisionKind, HAND_LIMIT};
use super::error::RuleError;
use super::event::{
    ActionCardKept, BaseBuilt, BaseFlipped, BattlefieldChosen, BuildPassed, EstatePlaced, Event, Secret,
    SecretActionCard, SuppliesDiscarded, SuppliesPlayed,
};
use super::land::{Face, Place};
use super::seat::Seat;
use super::state::{State, Status};

/// The most supply cards played in a round (R3.3).
const PLAY_LIMIT: usize = 5;

impl Move {
    /// The kind of decision that the move answers.
    pub const fn kind(&self) -> DecisionKind {
        match self {
            Self::PlaceEstate { .. } => DecisionKind::PlaceEstate,
            Self::ChooseBattlefield { .. } => DecisionKind::ChooseBattlefield,
            Self::TakeActionCard { .. } => DecisionKind::TakeActionCard,
            Self::PlaySupplies { .. } => DecisionKind::PlaySupplies,
            Self::Build { .. } | Self::FlipBase { .. } | Self::PassBuild => DecisionKind::Build,
            Self::DiscardSupplies { .. } => DecisionKind::DiscardSupplies,
        }
    }
}

impl State {
    /// The legal moves of `seat` now; none if the decision is not his.
    pub fn legal_moves(&self, seat: Seat) -> Vec<Move> {
        let mut moves = Vec::new();
        self.list_legal_moves(seat, &mut moves);
        moves
    }

    /// Adds the legal moves of `seat` to `moves`, which can be used again.
    pub fn list_legal_moves(&self, seat: Seat, moves: &mut Vec<Move>) {
        let Some(Decision { kind, seat: decider }) = self.decision() else { return };
        if decider != seat {
            return;
        }
        match kind {
            DecisionKind::PlaceEstate => {
                let free = self.places().filter(|(place, _)| self.can_place(*place).is_ok());
                moves.extend(free.map(|(land, _)| Move::PlaceEstate { land }));
            }
            DecisionKind::ChooseBattlefield => {
                let borders = self.places().filter_map(|(place, _)| self.border(place));
                let fought = borders.filter(|border| self.shows_two_houses(*border).is_ok());
                moves.extend(fought.map(|lands| Move::ChooseBattlefield { lands }));
            }
            DecisionKind::TakeActionCard => {
                let passed = ActionCard::ALL.into_iter().filter(|card| self.can_take(seat, *card).is_ok());
                moves.extend(passed.map(|card| Move::TakeActionCard { card }));
            }
            DecisionKind::PlaySupplies => {
                let hand = self.players[seat].hand;
                moves.extend(hand.choices(0, PLAY_LIMIT).map(|cards| Move::PlaySupplies { cards }));
            }
            DecisionKind::Build => self.list_builds(seat, moves),
            DecisionKind::DiscardSupplies => {
                let hand = self.players[seat].hand;
                let count = hand.len().saturating_sub(HAND_LIMIT);
                moves.extend(hand.choices(count, count).map(|cards| Move::DiscardSupplies { cards }));
            }
        }
    }

    fn list_builds(&self, seat: Seat, moves: &mut Vec<Move>) {
        for face in Face::BOTH {
            if self.can_show(seat, face).is_err() {
                continue;
            }
            let free = self.places().filter(|(place, _)| self.can_build_at(seat, *place).is_ok());
            moves.extend(free.map(|(land, _)| Move::Build { land, face }));
        }
        let own = self.places().filter(|(place, _)| self.can_flip(seat, *place).is_ok());
        moves.extend(own.map(|(land, _)| Move::FlipBase { land }));
        moves.push(Move::PassBuild);
    }

    /// Checks a move, in the order of R7, and says what it does itself.
    pub(super) fn judge_move(&self, seat: Seat, action: &Move) -> Result<Event, RuleError> {
        match self.status() {
            Status::Open => return Err(RuleError::NotStarted),
            Status::Ended => return Err(RuleError::Ended),
            Status::Closed => return Err(RuleError::Closed),
            Status::Running => {}
        }
        match self.decision() {
            Some(decision) if decision.seat != seat => return Err(RuleError::NotYourDecision),
            Some(decision) if decision.kind != action.kind() => return Err(RuleError::OtherDecisionDue),
            Some(_) => {}
            None => return Err(RuleError::NotYourDecision),
        }
        Ok(match action {
            Move::PlaceEstate { land } => {
                self.can_place(*land)?;
                Event::open(EstatePlaced { land: *land, seat })
            }
            Move::ChooseBattlefield { lands } => {
                Event::open(BattlefieldChosen { lands: self.can_fight_over(*lands)?, seat })
            }
            Move::TakeActionCard { card } => {
                self.can_take(seat, *card)?;
                let secret = Secret::ActionCard(SecretActionCard { card: *card });
                Event::sealed(ActionCardKept { seat }, secret)
            }
            Move::PlaySupplies { cards } => {
                self.can_play(seat, cards)?;
                Event::open(SuppliesPlayed { cards: *cards, seat })
            }
            Move::Build { land, face } => {
                self.can_build(seat, *land, *face)?;
                Event::open(BaseBuilt { face: *face, land: *land, seat })
            }
            Move::FlipBase { land } => {
                let face = self.can_flip(seat, *land)?;
                Event::open(BaseFlipped { face, land: *land, seat })
            }
            Move::PassBuild => Event::open(BuildPassed { seat }),
            Move::DiscardSupplies { cards } => {
                self.can_discard(seat, cards)?;
                Event::open(SuppliesDiscarded { cards: *cards, seat })
            }
        })
    }

    /// R2.3
    fn can_place(&self, place: Place) -> Result<(), RuleError> {
        let land = self.land(place).ok_or(RuleError::PlaceNoSuchLand)?;
        refuse_if(land.base.is_some(), RuleError::PlaceLandHasBase)
    }

    /// R3.1; gives the two lands as the log says them.
    fn can_fight_over(&self, [a, b]: [Place; 2]) -> Result<[Place; 2], RuleError> {
        refuse_if(self.land(a).is_none() || self.land(b).is_none(), RuleError::BattlefieldNoSuchLand)?;
        let borders = [a, b].map(|place| self.border(place));
        let border = borders.into_iter().flatten().find(|border| *border == [a, b] || *border == [b, a]);
        let border = border.ok_or(RuleError::NotNeighbours)?;
        self.shows_two_houses(border)?;
        Ok(border)
    }

    fn shows_two_houses(&self, border: [Place; 2]) -> Result<(), RuleError> {
        let [one, other] = border.map(|place| self.land(place).map(|land| land.house));
        refuse_if(one == other, RuleError::SameHouse)
    }

    /// The border of the land at `place` with the one on its left: `[i, i+1]`, or `[m-1, 0]` where the circle closes.
    fn border(&self, place: Place) -> Option<[Place; 2]> {
        let next = usize::from(place.number()) + 1;
        let left = if next < self.circle.len() { next } else { 0 };
        Some([place, Place::new(left as u8)?])
    }

    /// R3.2
    fn can_take(&self, seat: Seat, card: ActionCard) -> Result<(), RuleError> {
        refuse_if(!self.players[seat].passed.contains(card), RuleError::NotPassedToYou)
    }

    /// R3.3
    fn can_play(&self, seat: Seat, cards: &Supplies) -> Result<(), RuleError> {
        refuse_if(cards.len() > PLAY_LIMIT, RuleError::TooManyPlayed)?;
        refuse_if(!self.players[seat].hand.contains(cards), RuleError::PlayedNotInHand)
    }

    /// R3.7, then R1.5
    fn can_build(&self, seat: Seat, place: Place, face: Face) -> Result<(), RuleError> {
        self.can_build_at(seat, place)?;
        self.can_show(seat, face)
    }

    fn can_build_at(&self, seat: Seat, place: Place) -> Result<(), RuleError> {
        refuse_if(self.players[seat].bases_left == 0, RuleError::NoBaseLeft)?;
        let land = self.land(place).ok_or(RuleError::BuildNoSuchLand)?;
        refuse_if(land.base.is_some(), RuleError::BuildLandHasBase)
    }

    /// R3.7, then R1.5; gives the face that will be up.
    fn can_flip(&self, seat: Seat, place: Place) -> Result<Face, RuleError> {
        let land = self.land(place).ok_or(RuleError::BuildNoSuchLand)?;
        let base = land.base.filter(|base| base.seat == seat).ok_or(RuleError::NoBaseOfYours)?;
        let face = base.face.other();
        self.can_show(seat, face)?;
        Ok(face)
    }

    /// R1.5
    fn can_show(&self, seat: Seat, face: Face) -> Result<(), RuleError> {
        refuse_if(self.bases(seat, face) >= face.limit(), RuleError::FaceLimit)
    }

    /// R3.9.4
    fn can_discard(&self, seat: Seat, cards: &Supplies) -> Result<(), RuleError> {
        let hand = &self.players[seat].hand;
        refuse_if(!hand.contains(cards), RuleError::DiscardedNotInHand)?;
        refuse_if(hand.len() - cards.len() != HAND_LIMIT, RuleError::DiscardCount)
    }
}

const fn refuse_if(forbidden: bool, error: RuleError) -> Result<(), RuleError> {
    if forbidden { Err(error) } else { Ok(()) }
}
