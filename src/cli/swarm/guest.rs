//! A player of the swarm: a guest's account, its tokens, its keys.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use uuid::Uuid;

use super::wire::{Abandoned, Answer, Ask, Wire};
use crate::engine::{Seat, Viewer};

/// How old an access token, good for fifteen minutes, may get.
const FRESH: Duration = Duration::from_secs(600);

/// A guest.
pub(super) struct Guest {
    access_token: String,
    refresh_token: String,
    since: Instant,
    keys: u32,
    /// Where he sits, as far as he was told.
    pub(super) seat: Option<Seat>,
}

impl Guest {
    /// Makes an account. The name is unique among all swarms by the run's id.
    ///
    /// # Errors
    /// If the server does not make it.
    pub(super) async fn sign_up(wire: &Wire, run: Uuid, game: u32, place: usize) -> Result<Self, Abandoned> {
        let run = run.simple().to_string();
        let run = run.get(10..28).unwrap_or_default();
        for attempt in 0..10 {
            let name = format!("s{run}-{game}-{place}-{attempt}");
            let body = json!({"name": name});
            let answer = wire.insist(&Ask::post("/v1/accounts/guest", "/v1/accounts/guest".into()).json(&body)).await?;
            match (answer.status, answer.problem()) {
                (201, _) => {
                    if answer.json.pointer("/account/name").and_then(Value::as_str) != Some(&name) {
                        wire.tally.find(format!("the guest {name} was given another name: {}", answer.words()));
                    }
                    return Self::from_session(&answer);
                }
                // The answer to an earlier try was lost: the account is there, but nothing leads to it.
                (409, "name-taken") => {}
                _ => return Err(Abandoned(format!("no guest: {}", answer.words()))),
            }
        }
        Err(Abandoned("ten names were taken".into()))
    }

    fn from_session(answer: &Answer) -> Result<Self, Abandoned> {
        let (access_token, refresh_token) = tokens(answer)?;
        Ok(Self { access_token, refresh_token, since: Instant::now(), keys: 0, seat: None })
    }

    /// A request of this guest.
    pub(super) fn asks(&self, ask: Ask) -> Ask {
        ask.token(&self.access_token)
    }

    /// A key that he has not used before.
    pub(super) fn fresh_key(&mut self) -> String {
        self.keys += 1;
        format!("k-{}", self.keys)
    }

    /// What he may know.
    pub(super) fn viewer(&self) -> Viewer {
        self.seat.map_or(Viewer::Spectator, Viewer::Seat)
    }

    /// Whether his access token will be too old soon.
    pub(super) fn is_stale(&self) -> bool {
        self.since.elapsed() > FRESH
    }

    /// New tokens for the refresh token; `twice` asks again, as somebody does who lost the answer, and must be given the
    /// same refresh token.
    ///
    /// # Errors
    /// If there are none.
    pub(super) async fn refresh(&mut self, wire: &Wire, twice: bool) -> Result<(), Abandoned> {
        let body = json!({"refresh_token": self.refresh_token});
        let ask = Ask::post("/v1/tokens/refresh", "/v1/tokens/refresh".into()).json(&body);
        let answer = wire.insist(&ask).await?;
        if answer.status != 200 {
            return Err(Abandoned(format!("no new tokens: {}", answer.words())));
        }
        let (access_token, refresh_token) = tokens(&answer)?;
        if twice {
            let again = wire.insist(&ask).await?;
            wire.tally.replays.add(1);
            if tokens(&again).ok().map(|(_, refresh)| refresh).as_ref() != Some(&refresh_token) {
                wire.tally.find("a spent refresh token, asked again at once, bought another successor".into());
            }
        }
        (self.access_token, self.refresh_token, self.since) = (access_token, refresh_token, Instant::now());
        Ok(())
    }
}

fn tokens(answer: &Answer) -> Result<(String, String), Abandoned> {
    let token = |name| answer.json.get(name).and_then(Value::as_str).map(str::to_owned);
    token("access_token")
        .zip(token("refresh_token"))
        .ok_or_else(|| Abandoned(format!("a session without tokens, status {}", answer.status)))
}
