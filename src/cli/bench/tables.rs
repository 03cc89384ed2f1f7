//! Games to play in a bench. As the bench owns the database it can read the seeds, and knows beforehand how each game will go:
//! so nothing but moves is sent while moves are measured.

use std::sync::Arc;

use serde_json::{Value, json};

use super::CliError;
use super::load::Request;
use crate::api::moves::Move as WireMove;
use crate::engine::{Command, FairDraws, FastDraws, Move, Seat, State, Words};
use crate::ids::{AccountId, GameId};
use crate::log::Snapshot;
use crate::store::{GameRow, Store};

const PLAYERS: usize = 4;

/// Running games, and the accounts that sit there.
pub(super) struct Tables {
    address: String,
    tokens: Vec<String>,
    accounts: Vec<AccountId>,
    games: Vec<GameId>,
    scripts: Vec<Vec<Request>>,
}

impl Tables {
    /// Sets up `count` games of four players over HTTP, and foresees them.
    pub(super) async fn set_up(store: &Store, address: &str, count: usize) -> Result<Self, CliError> {
        let client = reqwest::Client::new();
        let mut tables = Self {
            address: address.to_owned(),
            tokens: Vec::new(),
            accounts: Vec::new(),
            games: Vec::new(),
            scripts: Vec::new(),
        };
        for _ in 0..PLAYERS {
            let name = format!("bench {}", uuid::Uuid::now_v7().simple());
            let url = format!("http://{address}/v1/accounts/guest");
            let session: Value = client.post(url).json(&json!({"name": name})).send().await?.json().await?;
            tables.tokens.push(text(&session, "/access_token")?);
            tables.accounts.push(text(&session, "/account/id")?.parse()?);
        }
        for _ in 0..count {
            let body = json!({"players": PLAYERS, "seat": false});
            let game = text(&tables.post(&client, 0, "/v1/games", &body).await?, "/game_id")?;
            for seat in 0..PLAYERS {
                tables.post(&client, seat, &format!("/v1/games/{game}/seats"), &json!({"seat": seat})).await?;
            }
            let id: GameId = game.parse()?;
            let row = tables.row(store, id).await?;
            tables.games.push(id);
            let script = tables.foresee(&row)?;
            tables.scripts.push(script);
        }
        Ok(tables)
    }

    /// The moves of all games, each as one script. They can be taken once.
    pub(super) fn take_scripts(&mut self) -> Vec<Vec<Request>> {
        std::mem::take(&mut self.scripts)
    }

    /// Requests for views, again and again.
    pub(super) fn views(&self) -> Vec<Request> {
        let path = |game: &GameId| format!("/v1/games/{game}");
        let views = self.games.iter().flat_map(|game| self.tokens.iter().map(|token| self.get(token, &path(game))));
        views.cycle().take(200_000).collect()
    }

    /// A game in the midst, as the store has it.
    pub(super) async fn sample(&self, store: &Store) -> Result<GameRow, CliError> {
        let game = self.games.first().ok_or("there is no game")?;
        self.row(store, *game).await
    }

    /// The account in seat 0 of every game.
    pub(super) fn first_account(&self) -> Result<AccountId, CliError> {
        self.accounts.first().copied().ok_or_else(|| "there is no account".into())
    }

    async fn row(&self, store: &Store, game: GameId) -> Result<GameRow, CliError> {
        let found = store.read(self.first_account()?, game, None).await?;
        found.game.ok_or_else(|| "the game is not there".into())
    }

    fn foresee(&self, row: &GameRow) -> Result<Vec<Request>, CliError> {
        let mut state = Snapshot::read(&row.snapshot, row.id.bytes(), row.version).ok_or("an unknown snapshot")?;
        let mut draws = FairDraws::of_game(&row.server_seed, row.id.bytes(), state.entropy());
        let mut choice = FastDraws::new(row.version ^ u64::from(row.server_seed[0]));
        let (mut version, mut requests) = (row.version, Vec::new());
        while let Some(decision) = state.decision() {
            let mut moves = state.legal_moves(decision.seat);
            let action = moves.swap_remove(choice.below(moves.len() as u32) as usize);
            requests.push(self.request(row.id, version, decision.seat, &action)?);
            version += play(&mut state, &mut draws, decision.seat, action)?;
        }
        Ok(requests)
    }

    fn request(&self, game: GameId, version: u64, seat: Seat, action: &Move) -> Result<Request, CliError> {
        let token = self.tokens.get(usize::from(seat.number())).ok_or("no such player")?;
        let body = json!({"expected_version": version, "move": WireMove::from(action.clone())}).to_string();
        let text = format!(
            "POST /v1/games/{game}/moves HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {token}\r\n\
             content-type: application/json\r\nidempotency-key: {}-{version}\r\ncontent-length: {}\r\n\r\n{body}",
            self.address,
            game.uuid().simple(),
            body.len(),
        );
        Ok(Arc::from(text.into_bytes()))
    }

    fn get(&self, token: &str, path: &str) -> Request {
        let text = format!("GET {path} HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {token}\r\n\r\n", self.address);
        Arc::from(text.into_bytes())
    }

    async fn post(&self, client: &reqwest::Client, seat: usize, path: &str, body: &Value) -> Result<Value, CliError> {
        let token = self.tokens.get(seat).ok_or("no such player")?;
        let request = client
            .post(format!("http://{}{path}", self.address))
            .bearer_auth(token)
            .header("idempotency-key", uuid::Uuid::now_v7().simple().to_string())
            .json(body);
        Ok(request.send().await?.error_for_status()?.json().await?)
    }
}

/// Makes a move in a foreseen game; gives the number of events that come of it.
pub(super) fn play(state: &mut State, draws: &mut FairDraws, seat: Seat, action: Move) -> Result<u64, CliError> {
    let mut events = Vec::new();
    state.advance(&Command::Act { seat, action }, draws, &mut events)?;
    Ok(events.len() as u64)
}

pub(super) fn text(value: &Value, pointer: &str) -> Result<String, CliError> {
    let found = value.pointer(pointer).and_then(Value::as_str);
    found.map(str::to_owned).ok_or_else(|| format!("the answer has no {pointer}: {value}").into())
}
