//! Victory points and ranks (R4.3).

use super::event::{AwardReason, EndReason, Event, GameEnded, PointsAwarded};
use super::land::Face;
use super::seat::{BySeat, Seat};
use super::state::State;

/// A trading post is worth as many points as cards in hand, up to this number (R4.2).
const BONUS_CARDS: usize = 3;

impl State {
    /// 1 + the number of players with more victory points (R4.3); none before the start.
    pub fn rank(&self, seat: Seat) -> Option<u8> {
        let score = self.players.at(seat)?.score;
        Some(1 + self.players.values().filter(|player| player.score > score).count() as u8)
    }

    /// R4.1: why the game ends after this round; none if it goes on.
    pub(super) fn end_reason(&self) -> Option<EndReason> {
        let last_round = self.round >= self.card_set().rounds(self.players());
        let one_house = self.circle.windows(2).all(|pair| matches!(pair, [a, b] if a.house == b.house));
        match (last_round, one_house) {
            (true, _) => Some(EndReason::LastRound),
            (false, true) => Some(EndReason::OneHouse),
            (false, false) => None,
        }
    }

    /// R4.2: the first bonus that is not 0, from `from` in turn order on.
    pub(super) fn next_bonus(&self, from: Seat) -> Option<PointsAwarded> {
        let cards = |seat: Seat| self.players[seat].hand.len().min(BONUS_CARDS) as u8;
        let bonus = |seat: Seat| self.bases(seat, Face::TradingPost) * cards(seat);
        self.turn_order_from(from)
            .map(|seat| PointsAwarded { points: bonus(seat), reason: AwardReason::TradingPosts, seat })
            .find(|payment| payment.points > 0)
    }

    /// R4.3: the end, with the final scores and ranks.
    pub(super) fn end(&self) -> Event {
        Event::open(GameEnded {
            ranks: BySeat::new(self.players(), |seat| self.rank(seat).unwrap_or(1)),
            reason: self.end_reason().unwrap_or(EndReason::LastRound),
            scores: BySeat::new(self.players(), |seat| self.players[seat].score),
        })
    }
}
