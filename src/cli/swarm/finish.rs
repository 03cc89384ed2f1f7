//! After the last event: everybody reads the whole history, it is checked, and what was told is held against it.

use serde_json::{Value, json};

use super::chronicle::Chronicle;
use super::note::Told;
use super::table::Table;
use super::wire::{Abandoned, Ask};
use crate::engine::Words as _;

/// How many accepted requests are asked again when the game has ended.
const ASKED_AGAIN: u32 = 6;

impl Table {
    /// Reads and checks the game that has ended.
    pub(super) async fn finish(mut self) -> Result<(), Abandoned> {
        let mut first: Option<Vec<Value>> = None;
        for place in 0..self.guests.len() {
            if self.guest(place).is_stale() {
                let wire = self.wire.clone();
                self.guest(place).refresh(&wire, false).await?;
            }
            self.look(place).await?;
            let items = self.whole_history(place).await?;
            match &first {
                None => first = Some(items),
                Some(first) if *first != items => self.find("the ended game's history is not the same for everybody"),
                Some(_) => {}
            }
        }
        self.end_is_the_end().await?;
        if self.rough {
            self.ask_old_requests_again().await?;
        }
        let newest = |told: &Told| match told {
            Told::Head(head) => Some(head.clone()),
            Told::View(_) | Told::Events(_) | Told::Moves(_) => None,
        };
        let head = self.notes.iter().rev().find_map(|note| newest(&note.told)).unwrap_or_default();
        let chronicle = match Chronicle::read(first.unwrap_or_default(), &head) {
            Ok(chronicle) => chronicle,
            Err(fault) => {
                self.find(fault);
                return Ok(());
            }
        };
        let notes = std::mem::take(&mut self.notes);
        for contradiction in chronicle.contradictions(notes).into_iter().chain(chronicle.gaps(&self.accepted)) {
            self.find(contradiction);
        }
        Ok(())
    }

    /// All events, by pages of any size.
    async fn whole_history(&mut self, place: usize) -> Result<Vec<Value>, Abandoned> {
        let mut items = Vec::new();
        let mut after = Some(0);
        while let Some(from) = after {
            let limit = 40 + self.dice.below(61);
            let (page, next) = self.history_page(place, from, limit).await?;
            items.extend(page);
            after = next.filter(|next| *next > from);
        }
        Ok(items)
    }

    /// Nothing can be moved any more.
    async fn end_is_the_end(&mut self) -> Result<(), Abandoned> {
        if !self.legal_moves(0).await?.is_empty() {
            self.find("there are legal moves after the end");
        }
        let body = json!({"expected_version": self.version, "move": {"type": "pass_build"}});
        let ask = self.move_ask(0, &body);
        self.expect_refused(&ask, 409, &["not-running"]).await
    }

    /// Some requests that were accepted are sent again, under their keys: they are answered as they were then.
    async fn ask_old_requests_again(&mut self) -> Result<(), Abandoned> {
        for _ in 0..ASKED_AGAIN {
            let number = self.dice.below(self.accepted.len() as u32) as usize;
            let Some(old) = self.accepted.get(number).cloned() else { continue };
            // The token may be another by now.
            let ask: Ask = self.guest(old.guest).asks(old.ask);
            let answer = self.wire.insist(&ask).await?;
            self.wire.tally.replays.add(1);
            if (answer.status, &answer.text) != (old.status, &old.text) {
                self.find(format!("{}: after the end answered {}", ask.words(), answer.words()));
            }
        }
        Ok(())
    }
}
