//! One game, from sitting down to its last event: who sits there, where it stands, and what was told.

use std::sync::Arc;

use serde_json::{Value, json};
use uuid::Uuid;

use super::guest::Guest;
use super::note::{Accepted, Note, Told, list, number};
use super::wire::{Abandoned, Answer, Ask, Wire};
use crate::engine::{FastDraws, Seat, Words as _};

pub(super) const GAMES: &str = "/v1/games";
pub(super) const GAME: &str = "/v1/games/{id}";
pub(super) const SEATS: &str = "/v1/games/{id}/seats";
pub(super) const MY_SEAT: &str = "/v1/games/{id}/seats/me";
pub(super) const START: &str = "/v1/games/{id}/start";
pub(super) const MOVES: &str = "/v1/games/{id}/moves";
pub(super) const HISTORY: &str = "/v1/games/{id}/history";

/// More decisions than any game has.
const MOST_TURNS: usize = 2_000;

/// What is to be played.
pub(super) struct Plan {
    /// The game's number in the swarm, from 0.
    pub(super) number: u32,
    pub(super) players: u8,
    pub(super) seed: u64,
    pub(super) rough: bool,
    /// What makes names unique.
    pub(super) run: Uuid,
}

/// A game as its players know it.
pub(super) struct Table {
    pub(super) wire: Arc<Wire>,
    pub(super) dice: FastDraws,
    pub(super) rough: bool,
    /// The game's id; empty before it is made.
    pub(super) id: String,
    /// Those who play, and after them one who does not sit.
    pub(super) guests: Vec<Guest>,
    /// Who made the table.
    pub(super) host: usize,
    pub(super) version: u64,
    pub(super) decider: Option<Seat>,
    pub(super) ended: bool,
    pub(super) notes: Vec<Note>,
    pub(super) accepted: Vec<Accepted>,
}

impl Table {
    /// Plays a whole game, and checks it.
    ///
    /// # Errors
    /// If it cannot be played on. What is wrong but does not stop the game goes to the tally.
    pub(super) async fn play(wire: Arc<Wire>, plan: &Plan) -> Result<(), Abandoned> {
        // SplitMix64 mixes well, but neighbouring seeds would share their streams.
        let mut seeds = FastDraws::new(plan.seed ^ u64::from(plan.number).wrapping_mul(0xd134_2543_de82_ef95));
        let dice = FastDraws::new((u64::from(seeds.word()) << 32) | u64::from(seeds.word()));
        let mut guests = Vec::new();
        for place in 0..=usize::from(plan.players) {
            guests.push(Guest::sign_up(&wire, plan.run, plan.number, place).await?);
        }
        let mut table = Self {
            wire,
            dice,
            rough: plan.rough,
            id: String::new(),
            guests,
            host: 0,
            version: 0,
            decider: None,
            ended: false,
            notes: Vec::new(),
            accepted: Vec::new(),
        };
        table.sit_down().await?;
        for _ in 0..MOST_TURNS {
            if table.ended {
                return table.finish().await;
            }
            table.turn().await?;
        }
        Err(Abandoned(format!("game {} does not end", table.id)))
    }

    /// Whether something happens that does so in so many of a hundred cases.
    pub(super) fn chance(&mut self, percent: u32) -> bool {
        self.dice.below(100) < percent
    }

    /// The one who watches.
    pub(super) fn stranger(&self) -> usize {
        self.guests.len() - 1
    }

    /// A guest by his place.
    #[expect(clippy::indexing_slicing, reason = "places are made from the list of guests, which does not change")]
    pub(super) fn guest(&mut self, place: usize) -> &mut Guest {
        &mut self.guests[place]
    }

    /// Whose decision it is.
    pub(super) fn deciding(&self) -> Result<usize, Abandoned> {
        let place = self.guests.iter().position(|guest| guest.seat.is_some() && guest.seat == self.decider);
        place.ok_or_else(|| Abandoned(format!("game {}: it is nobody's decision, and not the end", self.id)))
    }

    /// The path of something of this game.
    pub(super) fn path(&self, rest: &str) -> String {
        format!("{GAMES}/{}{rest}", self.id)
    }

    /// The move `body` of a guest, under a new key.
    pub(super) fn move_ask(&mut self, place: usize, body: &Value) -> Ask {
        let path = self.path("/moves");
        let key = self.guest(place).fresh_key();
        self.guest(place).asks(Ask::post(MOVES, path)).key(key).json(body)
    }

    /// Something that was promised and is not so.
    pub(super) fn find(&self, what: impl std::fmt::Display) {
        self.wire.tally.find(format!("game {} at version {}: {what}", self.id, self.version));
    }

    /// One decision, and sometimes a look at the table by somebody.
    async fn turn(&mut self) -> Result<(), Abandoned> {
        let place = self.deciding()?;
        let wire = self.wire.clone();
        let early = self.rough && self.chance(2);
        if early || self.guest(place).is_stale() {
            self.guest(place).refresh(&wire, early).await?;
        }
        if self.chance(10) {
            self.look_around().await?;
        }
        let moves = self.legal_moves(place).await?;
        if moves.is_empty() {
            return Err(Abandoned(format!("game {}: no legal move at version {}", self.id, self.version)));
        }
        if self.rough {
            self.provoke(place, &moves).await?;
            return self.move_roughly(place, &moves).await;
        }
        let ask = self.any_move(place, &moves);
        let answer = self.wire.insist(&ask).await?;
        self.expect_moved(place, &ask, &answer)
    }

    /// One of the moves, by chance.
    pub(super) fn any_move(&mut self, place: usize, moves: &[Value]) -> Ask {
        let number = self.dice.below(moves.len() as u32) as usize;
        let body = moves.get(number).cloned().unwrap_or_default();
        self.move_ask(place, &body)
    }

    /// What a guest can do now.
    pub(super) async fn legal_moves(&mut self, place: usize) -> Result<Vec<Value>, Abandoned> {
        let ask = Ask::get(MOVES, self.path("/moves"));
        let ask = self.guest(place).asks(ask);
        let answer = self.wire.insist(&ask).await?;
        if answer.status != 200 || number(&answer.json, "/version") != self.version {
            return Err(Abandoned(format!("{} at version {}: {}", ask.words(), self.version, answer.words())));
        }
        let moves = list(&answer.json, "items");
        self.note(place, self.version, Told::Moves(moves.clone()));
        Ok(moves)
    }

    /// Somebody looks at the table, reads a part of the history, or asks for his moves out of turn.
    async fn look_around(&mut self) -> Result<(), Abandoned> {
        let place = self.dice.below(self.guests.len() as u32) as usize;
        if self.guest(place).is_stale() {
            let wire = self.wire.clone();
            self.guest(place).refresh(&wire, false).await?;
        }
        match self.dice.below(3) {
            0 => self.look(place).await,
            1 => {
                let after = u64::from(self.dice.below(self.version as u32 + 1));
                let limit = 1 + self.dice.below(100);
                self.history_page(place, after, limit).await.map(|_| ())
            }
            _ if place != self.stranger() => self.legal_moves(place).await.map(|_| ()),
            _ => Ok(()),
        }
    }

    /// A guest looks at the table.
    pub(super) async fn look(&mut self, place: usize) -> Result<(), Abandoned> {
        let ask = Ask::get(GAME, self.path(""));
        let ask = self.guest(place).asks(ask);
        let answer = self.wire.insist(&ask).await?;
        let version = number(&answer.json, "/version");
        if answer.status != 200 || version != self.version {
            return Err(Abandoned(format!("{} at version {}: {}", ask.words(), self.version, answer.words())));
        }
        self.note(place, version, Told::Head(answer.json.get("head").cloned().unwrap_or_default()));
        self.note(place, version, Told::View(answer.json.get("view").cloned().unwrap_or_default()));
        Ok(())
    }

    /// A guest reads a part of the history; gives the events and the `next` that was told.
    pub(super) async fn history_page(
        &mut self,
        place: usize,
        after: u64,
        limit: u32,
    ) -> Result<(Vec<Value>, Option<u64>), Abandoned> {
        let ask = Ask::get(HISTORY, self.path(&format!("/history?after={after}&limit={limit}")));
        let ask = self.guest(place).asks(ask);
        let answer = self.wire.insist(&ask).await?;
        let (version, items) = (number(&answer.json, "/version"), list(&answer.json, "items"));
        if answer.status != 200 || version != self.version {
            return Err(Abandoned(format!("{} at version {}: {}", ask.words(), self.version, answer.words())));
        }
        let expected = u64::from(limit).min(version.saturating_sub(after));
        let contiguous = (after + 1..).zip(&items).all(|(seq, item)| number(item, "/seq") == seq);
        if items.len() as u64 != expected || !contiguous {
            self.find(format!("{}: not the {expected} events asked for", ask.words()));
        }
        let next = answer.json.get("next").and_then(Value::as_str).and_then(|next| next.parse().ok());
        if next != (after + expected < version).then_some(after + expected) {
            self.find(format!("{}: next is {next:?}", ask.words()));
        }
        self.note(place, version, Told::Head(answer.json.get("head").cloned().unwrap_or_default()));
        self.note(place, version, Told::Events(items.clone()));
        Ok((items, next))
    }

    /// Remembers what a guest was told.
    pub(super) fn note(&mut self, place: usize, version: u64, told: Told) {
        let viewer = self.guest(place).viewer();
        self.notes.push(Note { viewer, version, told });
    }

    /// The answer to a move must be that it is made.
    pub(super) fn expect_moved(&mut self, place: usize, ask: &Ask, answer: &Answer) -> Result<(), Abandoned> {
        let seat = self.guest(place).seat;
        self.expect_accepted(place, ask, answer, 200, json!({"seat": seat}))?;
        self.wire.tally.moves.add(1);
        self.wire.tally.took(answer.took);
        Ok(())
    }

    /// The answer to a change must be that it is made; checks it, notes it, and goes on from there.
    pub(super) fn expect_accepted(
        &mut self,
        place: usize,
        ask: &Ask,
        answer: &Answer,
        status: u16,
        cause: Value,
    ) -> Result<(), Abandoned> {
        if answer.status != status {
            return Err(Abandoned(format!("{} was not accepted: {}", ask.words(), answer.words())));
        }
        let (version, events) = (number(&answer.json, "/version"), list(&answer.json, "events"));
        let first = self.version + 1;
        let numbered = (first..).zip(&events).all(|(seq, event)| number(event, "/seq") == seq);
        let last = self.version + events.len() as u64;
        if events.is_empty() || !numbered || version != last || number(&answer.json, "/head/version") != version {
            self.find(format!("{}: versions do not add up: {}", ask.words(), answer.words()));
        }
        if answer.json.get("game_id").and_then(Value::as_str) != Some(&self.id) {
            self.find(format!("{}: another game_id", ask.words()));
        }
        let viewer = self.guest(place).viewer();
        let view = answer.json.get("view").cloned().unwrap_or_default();
        self.version = version;
        self.decider = view.pointer("/decision/seat").and_then(Value::as_u64).and_then(seat);
        self.ended = view.get("status").and_then(Value::as_str) == Some("ended");
        let head = answer.json.get("head").cloned().unwrap_or_default();
        for told in [Told::Head(head), Told::Events(events), Told::View(view)] {
            self.notes.push(Note { viewer, version, told });
        }
        let (ask, text) = (ask.clone(), answer.text.clone());
        self.accepted.push(Accepted { first, last: version, cause, guest: place, ask, status, text });
        Ok(())
    }
}

/// A seat by the number in an answer.
pub(super) fn seat(number: u64) -> Option<Seat> {
    u8::try_from(number).ok().and_then(Seat::new)
}

/// The seat that the view in an answer is for.
pub(super) fn viewing_seat(answer: &Answer) -> Option<Seat> {
    answer.json.pointer("/view/seat").and_then(Value::as_u64).and_then(seat)
}
