//! From an empty table to the start: made in all the ways there are, and, roughly, with rivals for a seat.

use serde_json::{Value, json};

use super::rough::Way;
use super::table::{GAMES, MY_SEAT, SEATS, START, Table, viewing_seat};
use super::wire::{Abandoned, Answer, Ask};
use crate::engine::Words as _;

impl Table {
    /// Makes the table and seats everybody; then the game runs.
    pub(super) async fn sit_down(&mut self) -> Result<(), Abandoned> {
        let players = self.stranger();
        let by_creator = self.chance(40);
        let sits = self.chance(50);
        // Who sits down at once is the first player; a table can also be made by one who never sits.
        self.host = if !sits && self.chance(50) { self.stranger() } else { 0 };
        self.make(by_creator, sits).await?;
        if self.rough {
            self.provoke_before_the_start().await?;
        }
        if self.rough && self.chance(30) {
            self.race_for_a_seat(players - 2, players - 1).await?;
        }
        for place in 0..players {
            if self.guest(place).seat.is_none() {
                self.take_a_seat(place).await?;
            }
            let more_to_come = self.guests.iter().filter(|guest| guest.seat.is_none()).count() > 1;
            if more_to_come && self.chance(15) {
                self.leave(place).await?;
                self.take_a_seat(place).await?;
            }
        }
        if by_creator {
            self.start().await?;
        }
        Ok(())
    }

    async fn make(&mut self, by_creator: bool, sits: bool) -> Result<(), Abandoned> {
        let players = self.stranger();
        let hand = if self.chance(50) { "fixed" } else { "dealt" };
        let visibility = if self.chance(80) { "public" } else { "unlisted" };
        let body = json!({
            "players": players, "visibility": visibility, "seat": sits,
            "options": {"opening_hand": hand, "mercenary": self.chance(50)},
            "start": if by_creator { "creator" } else { "full" },
        });
        let host = self.host;
        let key = self.guest(host).fresh_key();
        let ask = self.guest(host).asks(Ask::post(GAMES, GAMES.into())).key(key).json(&body);
        let answer = self.send_somehow(&ask).await?;
        self.id = answer.json.get("game_id").and_then(Value::as_str).unwrap_or_default().to_owned();
        let location = answer.headers.get("location").and_then(|value| value.to_str().ok()).unwrap_or_default();
        if answer.status == 201 && location != self.path("") {
            self.find(format!("the Location of the new game is {location:?}"));
        }
        self.guest(host).seat = viewing_seat(&answer);
        if sits != self.guest(host).seat.is_some() {
            self.find("the creator sits though he does not want to, or the other way round");
        }
        self.expect_accepted(host, &ask, &answer, 201, json!("table"))
    }

    async fn take_a_seat(&mut self, place: usize) -> Result<(), Abandoned> {
        let seat = self.free_seat();
        let wanted = if self.chance(50) { seat } else { None };
        let ask = self.seat_ask(place, wanted);
        let answer = self.send_somehow(&ask).await?;
        self.seated(place, &ask, &answer, wanted)
    }

    fn seat_ask(&mut self, place: usize, wanted: Option<u64>) -> Ask {
        let mut body = json!({});
        if let (Some(wanted), Some(body)) = (wanted, body.as_object_mut()) {
            body.insert("seat".into(), wanted.into());
        }
        let gives = self.chance(50);
        if let (true, Some(body)) = (gives, body.as_object_mut()) {
            let entropy: String = (0..8).map(|_| format!("{:08x}", self.dice.word())).collect();
            body.insert("entropy".into(), entropy.into());
        }
        let path = self.path("/seats");
        let key = self.guest(place).fresh_key();
        self.guest(place).asks(Ask::post(SEATS, path)).key(key).json(&body)
    }

    fn seated(&mut self, place: usize, ask: &Ask, answer: &Answer, wanted: Option<u64>) -> Result<(), Abandoned> {
        let seat = viewing_seat(answer);
        self.guest(place).seat = seat;
        let number = seat.map(|seat| u64::from(seat.number()));
        if number.is_none() || (wanted.is_some() && wanted != number) {
            self.find(format!("{}: seated at {number:?}", ask.words()));
        }
        self.expect_accepted(place, ask, answer, 201, json!({"seat": number}))
    }

    /// Two ask for one seat at the same time; the other one then takes whatever is free.
    async fn race_for_a_seat(&mut self, one: usize, other: usize) -> Result<(), Abandoned> {
        let wanted = self.free_seat();
        let asks = [self.seat_ask(one, wanted), self.seat_ask(other, wanted)];
        let answers = self.wire.race(&asks).await?;
        let mut winners = 0;
        for ((place, ask), answer) in [one, other].into_iter().zip(&asks).zip(&answers) {
            if answer.status == 201 {
                winners += 1;
                self.seated(place, ask, answer, wanted)?;
            } else {
                self.must_be_refused(ask, answer, 409, &["seat-taken"]);
            }
        }
        if winners != 1 {
            self.find(format!("{winners} took the same seat"));
        }
        Ok(())
    }

    async fn leave(&mut self, place: usize) -> Result<(), Abandoned> {
        let path = self.path("/seats/me");
        let key = self.guest(place).fresh_key();
        let ask = self.guest(place).asks(Ask::delete(MY_SEAT, path)).key(key);
        let answer = self.send_somehow(&ask).await?;
        let seat = self.guest(place).seat.take();
        self.expect_accepted(place, &ask, &answer, 200, json!({"seat": seat}))
    }

    async fn start(&mut self) -> Result<(), Abandoned> {
        let (host, path) = (self.host, self.path("/start"));
        let key = self.guest(host).fresh_key();
        let ask = self.guest(host).asks(Ask::post(START, path)).key(key);
        let answer = self.send_somehow(&ask).await?;
        let cause = self.guest(host).seat.map_or(json!("table"), |seat| json!({"seat": seat}));
        self.expect_accepted(host, &ask, &answer, 200, cause)
    }

    /// What is asked for in vain before the game runs.
    async fn provoke_before_the_start(&mut self) -> Result<(), Abandoned> {
        let (host, other) = (self.host, if self.host == 1 { 2 } else { 1 });
        let path = self.path("/start");
        let key = self.guest(host).fresh_key();
        let too_early = self.guest(host).asks(Ask::post(START, path.clone())).key(key);
        self.expect_refused(&too_early, 409, &["table-not-full"]).await?;
        let key = self.guest(other).fresh_key();
        let not_his = self.guest(other).asks(Ask::post(START, path)).key(key);
        self.expect_refused(&not_his, 403, &["forbidden"]).await?;
        let path = self.path("/seats/me");
        let key = self.guest(other).fresh_key();
        let no_seat = self.guest(other).asks(Ask::delete(MY_SEAT, path)).key(key);
        self.expect_refused(&no_seat, 403, &["forbidden"]).await?;
        let body = json!({"expected_version": self.version, "move": {"type": "pass_build"}});
        let ask = self.move_ask(host, &body);
        if self.guest(host).seat.is_some() {
            self.expect_refused(&ask, 409, &["not-running"]).await?;
            let again = self.seat_ask(host, None);
            self.expect_refused(&again, 409, &["already-seated"]).await?;
        } else {
            self.expect_refused(&ask, 403, &["forbidden"]).await?;
        }
        Ok(())
    }

    /// Sends a change that nobody else competes for: straight, or, roughly, cut off or twice.
    async fn send_somehow(&mut self, ask: &Ask) -> Result<Answer, Abandoned> {
        let way = if self.rough { Way::any(&mut self.dice) } else { Way::Straight };
        self.send(ask, way).await
    }

    /// The lowest seat that none of the guests sits in.
    fn free_seat(&self) -> Option<u64> {
        let taken = |number: &u64| {
            self.guests.iter().any(|guest| guest.seat.is_some_and(|seat| u64::from(seat.number()) == *number))
        };
        (0..self.stranger() as u64).find(|number| !taken(number))
    }
}
