//! Ways to send a request over a bad network, and races: whatever happens on the way, it is carried out once.

use std::time::Duration;

use serde_json::{Value, json};

use super::cut::{Cut, send_and_hang_up};
use super::spelling;
use super::table::Table;
use super::wire::{Abandoned, Answer, Ask};
use crate::engine::Words;

/// How a request is sent.
#[derive(Clone, Copy, Debug)]
pub(super) enum Way {
    /// Once.
    Straight,
    /// The connection is cut, then it is asked again under the same key.
    Cut,
    /// It is sent and answered, and sent again.
    Twice,
    /// Several copies at the same time, all under one key.
    AtOnce,
}

impl Way {
    /// One of them by chance.
    pub(super) fn any(dice: &mut impl Words) -> Self {
        match dice.below(10) {
            0..5 => Self::Straight,
            5..8 => Self::Cut,
            8 => Self::Twice,
            _ => Self::AtOnce,
        }
    }
}

impl Table {
    /// Sends a request; however often it is answered, the answers are the same.
    pub(super) async fn send(&mut self, ask: &Ask, way: Way) -> Result<Answer, Abandoned> {
        match way {
            Way::Straight => self.wire.insist(ask).await,
            Way::Cut => {
                self.cut(ask).await;
                let answer = self.wire.insist(ask).await?;
                self.again(ask, &answer, 1).await
            }
            Way::Twice => {
                let answer = self.wire.insist(ask).await?;
                self.again(ask, &answer, 2).await
            }
            Way::AtOnce => {
                let copies = vec![ask.clone(); 2 + self.dice.below(4) as usize];
                let answers = self.wire.race(&copies).await?;
                let first = answers.first().cloned().ok_or_else(|| Abandoned("no answer".into()))?;
                for answer in answers.iter().skip(1) {
                    self.must_be_the_same(ask, &first, answer);
                }
                Ok(first)
            }
        }
    }

    /// The decision of a guest, sent in one of many ways.
    pub(super) async fn move_roughly(&mut self, place: usize, moves: &[Value]) -> Result<(), Abandoned> {
        let ask = self.any_move(place, moves);
        match self.dice.below(100) {
            0..10 => self.race_of_copies(place, &ask).await,
            10..20 if moves.len() > 1 => self.race_of_moves(place, moves).await,
            20..28 => self.move_in_another_spelling(place, &ask).await,
            28..36 => self.move_then_use_the_key_again(place, &ask, moves).await,
            _ => {
                let way = Way::any(&mut self.dice);
                let answer = self.send(&ask, way).await?;
                self.expect_moved(place, &ask, &answer)
            }
        }
    }

    /// The same move under several keys at once.
    async fn race_of_copies(&mut self, place: usize, ask: &Ask) -> Result<(), Abandoned> {
        let mut rivals = vec![ask.clone()];
        for _ in 0..=self.dice.below(4) {
            let key = self.guest(place).fresh_key();
            rivals.push(ask.clone().key(key));
        }
        self.race_of(place, &rivals).await
    }

    /// Different moves for one decision at once.
    async fn race_of_moves(&mut self, place: usize, moves: &[Value]) -> Result<(), Abandoned> {
        let from = self.dice.below(moves.len() as u32) as usize;
        let bodies: Vec<Value> = moves.iter().cycle().skip(from).take(moves.len().min(5)).cloned().collect();
        let rivals: Vec<Ask> = bodies.iter().map(|body| self.move_ask(place, body)).collect();
        self.race_of(place, &rivals).await
    }

    /// Exactly one wins; that the others lost is no accident of theirs, so they are told how things stand.
    async fn race_of(&mut self, place: usize, rivals: &[Ask]) -> Result<(), Abandoned> {
        let answers = self.wire.race(rivals).await?;
        let mut winners = rivals.iter().zip(&answers).filter(|(_, answer)| answer.status == 200);
        let winner = winners.next().ok_or_else(|| Abandoned(format!("game {}: none of the rivals won", self.id)))?;
        let more = winners.count();
        if more > 0 {
            self.find(format!("{} rivals won one decision", more + 1));
        }
        self.expect_moved(place, winner.0, winner.1)?;
        for (ask, answer) in rivals.iter().zip(&answers).filter(|(_, answer)| answer.status != 200) {
            let expected: &[&str] = if self.ended { &["not-running", "stale-version"] } else { &["stale-version"] };
            self.must_be_refused(ask, answer, 409, expected);
            if answer.problem() == "stale-version" {
                self.must_name_the_version(ask, answer);
            }
        }
        Ok(())
    }

    /// The move, and once more with its lists the other way round and the key in quotes.
    async fn move_in_another_spelling(&mut self, place: usize, ask: &Ask) -> Result<(), Abandoned> {
        let answer = self.wire.insist(ask).await?;
        self.expect_moved(place, ask, &answer)?;
        let body = ask.body.as_deref().and_then(|body| serde_json::from_str(body).ok()).unwrap_or(Value::Null);
        let quoted = ask.key.as_deref().map(|key| format!("\"{key}\"")).unwrap_or_default();
        let other = ask.clone().json(&spelling::other_way_round(&body)).key(quoted);
        let again = self.wire.insist(&other).await?;
        self.wire.tally.replays.add(1);
        self.must_be_the_same(&other, &answer, &again);
        Ok(())
    }

    /// The move, and then its key for something else.
    async fn move_then_use_the_key_again(&mut self, place: usize, ask: &Ask, moves: &[Value]) -> Result<(), Abandoned> {
        let answer = self.wire.insist(ask).await?;
        self.expect_moved(place, ask, &answer)?;
        let other = moves.iter().find(|body| Some(body.to_string()) != ask.body).cloned();
        let other = other.unwrap_or_else(|| json!({"expected_version": self.version, "move": {"type": "pass_build"}}));
        self.expect_refused(&ask.clone().json(&other), 422, &["idempotency-key-reused"]).await
    }

    async fn cut(&mut self, ask: &Ask) {
        let cut = match self.dice.below(4) {
            0 => Cut::Midway,
            1 => Cut::AfterSending(Duration::ZERO),
            n => Cut::AfterSending(Duration::from_millis(u64::from(n))),
        };
        if let Some(authority) = self.wire.authority() {
            send_and_hang_up(authority, ask, cut).await;
            self.wire.tally.cuts.add(1);
        }
    }

    /// Asks again so often; the answer must be the same.
    async fn again(&self, ask: &Ask, answer: &Answer, times: usize) -> Result<Answer, Abandoned> {
        for _ in 0..times {
            let again = self.wire.insist(ask).await?;
            self.wire.tally.replays.add(1);
            self.must_be_the_same(ask, answer, &again);
        }
        Ok(answer.clone())
    }

    pub(super) fn must_be_the_same(&self, ask: &Ask, first: &Answer, again: &Answer) {
        if (first.status, &first.text) != (again.status, &again.text) {
            let (first, again) = (first.words(), again.words());
            self.find(format!("{}: answered {first}, and asked again {again}", ask.words()));
        }
    }
}
