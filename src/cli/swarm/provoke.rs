//! What is asked for in vain, and how it must be refused: with the right status and type, and without any effect.

use serde_json::{Value, json};

use super::spelling;
use super::table::{GAME, HISTORY, MOVES, SEATS, Table};
use super::wire::{Abandoned, Answer, Ask};
use crate::engine::Words as _;

impl Table {
    /// Before the decision of a guest, who has these moves: sometimes something that is refused.
    pub(super) async fn provoke(&mut self, place: usize, moves: &[Value]) -> Result<(), Abandoned> {
        if !self.chance(25) {
            return Ok(());
        }
        match self.dice.below(9) {
            0 => self.move_at_another_version(place, moves).await,
            1 => self.move_out_of_turn(place, moves).await,
            2 => {
                let stranger = self.stranger();
                let ask = self.any_move(stranger, moves);
                self.expect_refused(&ask, 403, &["forbidden"]).await?;
                let ask = Ask::get(MOVES, self.path("/moves"));
                let ask = self.guest(stranger).asks(ask);
                self.expect_refused(&ask, 403, &["forbidden"]).await
            }
            3 | 4 => {
                let action = spelling::illegal(moves, &mut self.dice);
                let ask = self.move_ask(place, &json!({"expected_version": self.version, "move": action}));
                self.expect_refused(&ask, 422, &["rule-violation"]).await
            }
            5 => self.send_malformed(place).await,
            6 => self.send_without_a_key(place, moves).await,
            7 => self.show_no_token(place, moves).await,
            _ => self.ask_beside_the_point(place).await,
        }
    }

    async fn move_at_another_version(&mut self, place: usize, moves: &[Value]) -> Result<(), Abandoned> {
        let other = match self.dice.below(3) {
            0 => self.version - 1,
            1 => self.version + 1,
            _ => 0,
        };
        let mut body = moves.first().cloned().unwrap_or_default();
        if let Some(body) = body.as_object_mut() {
            body.insert("expected_version".into(), other.into());
        }
        let ask = self.move_ask(place, &body);
        let answer = self.refused(&ask, 409, &["stale-version"]).await?;
        self.must_name_the_version(&ask, &answer);
        Ok(())
    }

    async fn move_out_of_turn(&mut self, place: usize, moves: &[Value]) -> Result<(), Abandoned> {
        let other = (place + 1 + self.dice.below(self.stranger() as u32 - 1) as usize) % self.stranger();
        let ask = self.any_move(other, moves);
        self.expect_refused(&ask, 409, &["not-your-decision"]).await
    }

    async fn send_malformed(&mut self, place: usize) -> Result<(), Abandoned> {
        let bodies = spelling::malformed(self.version);
        let number = self.dice.below(bodies.len() as u32) as usize;
        for (body, path) in bodies.into_iter().skip(number).take(1) {
            let mut ask = self.move_ask(place, &Value::Null);
            ask.body = Some(body);
            let answer = self.refused(&ask, 400, &["malformed"]).await?;
            if answer.json.get("path").and_then(Value::as_str) != Some(path) {
                self.find(format!("{}: the path should be {path}: {}", ask.words(), answer.words()));
            }
        }
        let mut ask = self.move_ask(place, &Value::Null);
        ask.body = Some("{".into());
        self.expect_refused(&ask, 400, &["malformed"]).await
    }

    async fn send_without_a_key(&mut self, place: usize, moves: &[Value]) -> Result<(), Abandoned> {
        let mut ask = self.any_move(place, moves);
        ask.key = match self.dice.below(4) {
            0 => Some("a b".into()),
            1 => Some("k".repeat(65)),
            _ => None,
        };
        self.expect_refused(&ask, 400, &["idempotency-key-unusable"]).await
    }

    async fn show_no_token(&mut self, place: usize, moves: &[Value]) -> Result<(), Abandoned> {
        let mut ask = self.any_move(place, moves);
        ask.token = ask.token.filter(|_| self.dice.below(2) == 0).map(|token| format!("{token}x"));
        self.expect_refused(&ask, 401, &["unauthorized"]).await
    }

    /// A game that is not there, a seat when all sit, an unknown parameter.
    async fn ask_beside_the_point(&mut self, place: usize) -> Result<(), Abandoned> {
        let ask = Ask::get(GAME, "/v1/games/01900000-0000-7000-8000-000000000000".into());
        let ask = self.guest(place).asks(ask);
        self.expect_refused(&ask, 404, &["not-found"]).await?;
        let stranger = self.stranger();
        let (path, key) = (self.path("/seats"), self.guest(stranger).fresh_key());
        let ask = self.guest(stranger).asks(Ask::post(SEATS, path)).key(key).json(&json!({}));
        self.expect_refused(&ask, 409, &["already-started", "table-full"]).await?;
        let ask = Ask::get(HISTORY, self.path("/history?limit=101"));
        let ask = self.guest(place).asks(ask);
        self.expect_refused(&ask, 400, &["malformed"]).await?;
        let ask = Ask::get(HISTORY, self.path("/history?seat=0"));
        let ask = self.guest(place).asks(ask);
        self.expect_refused(&ask, 400, &["malformed"]).await
    }

    /// Asks for something that must be refused so.
    pub(super) async fn expect_refused(&self, ask: &Ask, status: u16, problems: &[&str]) -> Result<(), Abandoned> {
        self.refused(ask, status, problems).await.map(|_| ())
    }

    async fn refused(&self, ask: &Ask, status: u16, problems: &[&str]) -> Result<Answer, Abandoned> {
        let answer = self.wire.insist(ask).await?;
        self.must_be_refused(ask, &answer, status, problems);
        Ok(answer)
    }

    pub(super) fn must_be_refused(&self, ask: &Ask, answer: &Answer, status: u16, problems: &[&str]) {
        self.wire.tally.refusals.add(1);
        if answer.status != status || !problems.contains(&answer.problem()) {
            self.find(format!("{}: should be refused with {status} {problems:?}: {}", ask.words(), answer.words()));
        }
    }

    pub(super) fn must_name_the_version(&self, ask: &Ask, answer: &Answer) {
        if answer.json.get("version").and_then(Value::as_u64) != Some(self.version) {
            self.find(format!("{}: the version is {}: {}", ask.words(), self.version, answer.words()));
        }
    }
}
