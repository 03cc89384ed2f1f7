//! Nothing leaks over HTTP (R5.5): two servers on two databases play two games that differ only in what the viewer may not
//! know, and every answer that he gets is the same bytes, refusals included, but for what R5.5 excepts and the time of day.
//!
//! Nobody can choose a shuffle, so a pair of such games is looked for: many tables are set up on both sides, and as the test
//! can read the seeds, it knows beforehand how each would go.

mod hints;

use std::collections::BTreeSet;
use std::sync::Arc;

use fereta::api::moves::Move as WireMove;
use fereta::engine::{
    ActionCard, BotLevel, Bytes32, CardSet, Command, EntropySource, Event, Face, FairDraws, FastDraws, LandKind,
    LandLine, Move, NewTable, Place, Rounds, Seat, State, Status, Supplies, SupplyLine, Viewer, Words,
};
use fereta::ids::GameId;
use fereta::log::ProofKey;
use fereta::play::{BotSettings, Play};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::runtime::Handle;

use crate::support::Api;

const PLAYERS: u8 = 3;
/// How many tables are set up at once on each side.
const TABLES: usize = 300;
/// The header names that may differ: the body's length is compared with the body.
const TIMES: [&str; 2] = ["date", "x-request-id"];

/// Few different cards and lands, so that two games look alike to one player often enough.
fn card_set() -> CardSet {
    let land =
        |strength| LandLine { five_players_only: false, kind: LandKind::River, points: [4, 3, 2, 1, 1], strength };
    let supply = |value, count| SupplyLine { count, five_players_extra: 0, value };
    CardSet {
        lands: vec![land(4), land(4), land(4)],
        rounds: Rounds { five: 1, four: 1, three: 1 },
        supplies: vec![supply(2, 14), supply(7, 6)],
    }
}

/// Where a bot sits, if one does: then the test moves for it, through the door of the server.
const BOT: u8 = 2;

fn entropy(seat: u8) -> Bytes32 {
    Bytes32([seat + 1; 32])
}

fn seats() -> impl Iterator<Item = Seat> {
    (0..PLAYERS).filter_map(Seat::new)
}

/// A game as it would go: the table, and its draws.
struct Foreseen {
    id: GameId,
    state: State,
    draws: FairDraws,
    /// How it begins.
    events: Vec<Event>,
}

impl Foreseen {
    fn new(id: GameId, server_seed: [u8; 32], bot: bool) -> Self {
        let mut state = State::default();
        let is_bot = |seat: Seat| bot && seat.number() == BOT;
        let entropy = |seat: Seat| if is_bot(seat) { Bytes32::default() } else { entropy(seat.number()) };
        let mut draws = FairDraws::of_game(&server_seed, id.bytes(), seats().map(entropy));
        let table = NewTable { players: PLAYERS, card_set: Arc::new(card_set()), ..NewTable::default() };
        let sit = seats().map(|seat| Command::TakeSeat {
            seat: Some(seat),
            entropy: entropy(seat),
            entropy_from: if is_bot(seat) { EntropySource::Bot } else { EntropySource::Player },
        });
        let assign =
            Seat::new(BOT).filter(|_| bot).map(|seat| Command::AssignBot { seat, level: BotLevel::Hard, version: 1 });
        let mut events = Vec::new();
        for command in [Command::Create(table)].into_iter().chain(sit).chain(assign).chain([Command::Start]) {
            state.advance(&command, &mut draws, &mut events).unwrap();
        }
        Self { id, state, draws, events }
    }

    /// What everybody is told of the start: the first player and the lands.
    fn opening(&self) -> Vec<Value> {
        self.events.iter().map(|event| seen(event, Viewer::Spectator)).collect()
    }

    fn play(&mut self, seat: Seat, action: &Move, viewer: Viewer) -> Vec<Value> {
        let mut events = Vec::new();
        let command = Command::Act { seat, action: action.clone() };
        self.state.advance(&command, &mut self.draws, &mut events).unwrap();
        events.iter().map(|event| seen(event, viewer)).collect()
    }
}

fn seen(event: &Event, viewer: Viewer) -> Value {
    let seen = event.seen(viewer, Status::Running);
    json!([seen.fact, seen.secret])
}

fn hands(state: &State) -> Vec<Supplies> {
    seats().map(|seat| state.view(Viewer::Seat(seat)).seats[usize::from(seat.number())].hand.unwrap()).collect()
}

/// Moves that can be made in both games and look the same to `viewer` up to the end, if they are found; and in how many of
/// the situations the players' hands differ.
fn common_script(
    mut one: Foreseen,
    mut other: Foreseen,
    viewer: Viewer,
    seed: u64,
) -> Option<(Vec<(Seat, Move)>, usize)> {
    let mut rng = FastDraws::new(seed);
    let (mut script, mut different) = (Vec::new(), 0);
    while let Some(decision) = one.state.decision() {
        let possible = other.state.legal_moves(decision.seat);
        let mut common = one.state.legal_moves(decision.seat);
        common.retain(|action| possible.contains(action));
        if common.is_empty() {
            return None;
        }
        let action = common.swap_remove(rng.below(common.len() as u32) as usize);
        different += usize::from(hands(&one.state) != hands(&other.state));
        let told = one.play(decision.seat, &action, viewer);
        let as_told = other.play(decision.seat, &action, viewer);
        script.push((decision.seat, action));
        let both = (one.state.status(), other.state.status());
        match both {
            (Status::Ended, Status::Ended) => return Some((script, different)),
            (Status::Running, Status::Running) if told == as_told => {}
            _ => return None,
        }
    }
    None
}

/// Bots that are due at once, and that nobody moves but the test.
const RESTING: BotSettings = BotSettings { pace_percent: 0, threads: 0 };

async fn api() -> Api {
    Api::start_with(|settings| settings.bots = Some(RESTING)).await
}

/// A table on each side, and the moves to make at both.
type Pair = (GameId, GameId, Vec<(Seat, Move)>);

/// Two servers, each with its tables.
struct Worlds {
    apis: [Api; 2],
    seeds: [Vec<(GameId, [u8; 32])>; 2],
    /// By server, the tokens of the players by seat, and the spectator's.
    tokens: [Vec<String>; 2],
    /// Whether a bot sits at the tables.
    bot: bool,
}

impl Worlds {
    async fn new(bot: bool) -> Self {
        let apis = [api().await, api().await];
        let mut tokens = [Vec::new(), Vec::new()];
        for (side, api) in apis.iter().enumerate() {
            for name in ["a", "b", "c", "spectator"] {
                let session: Value = api.post("/v1/accounts/guest", &json!({"name": name})).await.json().await.unwrap();
                tokens[side].push(session["access_token"].as_str().unwrap().to_owned());
            }
        }
        Self { apis, seeds: [Vec::new(), Vec::new()], tokens, bot }
    }

    async fn set_up_tables(&mut self) {
        let bots = if self.bot { json!([{"seat": BOT, "level": "hard"}]) } else { json!([]) };
        let body = json!({"players": PLAYERS, "seat": false, "bots": bots, "options": {"card_set": card_set()}});
        for (side, api) in self.apis.iter().enumerate() {
            // More than an account may have otherwise.
            for limit in ["games_open_per_creator", "games_of_bots_per_creator"] {
                api.database.execute(&format!("ALTER TABLE games DISABLE TRIGGER {limit}")).await.unwrap();
            }
            for _ in 0..TABLES {
                let answer = ask(api, &self.tokens[side][0], Method::POST, "/v1/games", Some(&body)).await;
                assert_eq!(answer.status, 201, "{}", answer.body);
            }
            let rows = api.database.texts("SELECT id::text || ' ' || encode(server_seed, 'hex') AS t FROM games").await;
            self.seeds[side] = rows.iter().map(|row| id_and_seed(row)).collect();
        }
    }

    fn foreseen(&self, side: usize, game: GameId) -> Foreseen {
        let (id, seed) = self.seeds[side].iter().find(|(id, _)| *id == game).unwrap();
        Foreseen::new(*id, *seed, self.bot)
    }

    /// A pair of tables that have not been used, and moves for both; none if no two games look the same to the viewer.
    fn pair(&self, viewer: Viewer, used: &BTreeSet<GameId>) -> Option<Pair> {
        let openings = |side: usize| {
            let free = self.seeds[side].iter().filter(|(id, _)| !used.contains(id));
            free.map(|(id, seed)| Foreseen::new(*id, *seed, self.bot))
                .map(|game| (game.id, game.opening()))
                .collect::<Vec<_>>()
        };
        let others = openings(1);
        for (a, opening) in openings(0) {
            for (b, _) in others.iter().filter(|(_, other)| *other == opening) {
                for seed in 0..4 {
                    if let Some((script, different)) =
                        common_script(self.foreseen(0, a), self.foreseen(1, *b), viewer, seed)
                        && different > 3
                    {
                        return Some((a, *b, script));
                    }
                }
            }
        }
        None
    }
}

fn id_and_seed(row: &str) -> (GameId, [u8; 32]) {
    let (id, seed) = row.split_once(' ').unwrap();
    let mut bytes = [0; 32];
    hex::decode_to_slice(seed, &mut bytes).unwrap();
    (id.parse().unwrap(), bytes)
}

struct Answer {
    status: u16,
    headers: String,
    body: String,
}

async fn ask(api: &Api, token: &str, method: Method, path: &str, body: Option<&Value>) -> Answer {
    let mut request = api.request(method.clone(), path).bearer_auth(token);
    if method != Method::GET {
        request = request.header("idempotency-key", uuid::Uuid::now_v7().simple().to_string());
    }
    if let Some(body) = body {
        request = request.json(body);
    }
    let answer = request.send().await.unwrap();
    let headers = answer.headers().iter().filter(|(name, _)| !TIMES.contains(&name.as_str()));
    let headers: BTreeSet<String> =
        headers.map(|(name, value)| format!("{name}: {}\n", value.to_str().unwrap())).collect();
    let headers = without_what_is_random(&headers.into_iter().collect::<String>());
    Answer { status: answer.status().as_u16(), headers, body: answer.text().await.unwrap() }
}

/// A tag cannot be told from random bytes, and how often somebody may still ask hangs on the time of day: their length and
/// their form are compared.
fn without_what_is_random(headers: &str) -> String {
    let plain = |line: &str| match line.split_once(": ") {
        Some(("etag", tag)) => {
            assert!(tag.starts_with("W/\"") && tag.ends_with('"'), "{tag}");
            format!("etag: {} characters\n", tag.len())
        }
        Some(("ratelimit", left)) => {
            let form = left.split(['=', ';']).filter(|part| part.parse::<u64>().is_err());
            format!("ratelimit: {}\n", form.collect::<Vec<_>>().join(";"))
        }
        Some(_) | None => format!("{line}\n"),
    };
    headers.lines().map(plain).collect()
}

/// The answer with stars in place of what R5.5 excepts, and of times.
fn comparable(answer: &Answer) -> String {
    let mut text = without_length(&answer.headers) + &answer.body;
    let mut excepted = BTreeSet::new();
    // An export is a JSON text a line.
    for part in answer.body.lines() {
        collect(&serde_json::from_str(part).unwrap(), &mut excepted);
    }
    for value in excepted {
        text = text.replace(&value, "*");
    }
    format!("{}\n{text}", answer.status)
}

/// A body's length hangs on how many digits the time has; the bodies themselves are compared.
fn without_length(headers: &str) -> String {
    headers.lines().filter(|line| !line.starts_with("content-length")).map(|line| format!("{line}\n")).collect()
}

fn collect(value: &Value, excepted: &mut BTreeSet<String>) {
    const EXCEPTED: [&str; 13] = [
        "seed_commitment",
        "secret_hash",
        "hash",
        "signature",
        "id",
        "game_id",
        "account_id",
        "creator",
        "instance",
        "at",
        "created_at",
        "updated_at",
        "expires_at",
    ];
    match value {
        Value::Array(items) => items.iter().for_each(|item| collect(item, excepted)),
        Value::Object(fields) => {
            for (name, field) in fields {
                match field {
                    Value::String(text) if EXCEPTED.contains(&name.as_str()) => {
                        excepted.insert(text.clone());
                    }
                    field => collect(field, excepted),
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Requests that a viewer may make at any time, all of them without effect.
fn probes(version: u64, state: &State, viewer: Viewer) -> Vec<(Method, &'static str, Option<Value>)> {
    let mut probes = vec![
        (Method::GET, "", None),
        (Method::GET, "/moves", None),
        (Method::GET, "/hint", None),
        (Method::GET, "/review", None),
        (Method::GET, "/history?limit=100", None),
        (Method::GET, "/history?after=100", None),
        (Method::GET, "/export", None),
        (Method::GET, "/signed-head", None),
        (Method::GET, "?at=1", None),
        (Method::GET, "?at=12", None),
        (Method::GET, "?at=999999", None),
        (Method::GET, "/invites", None),
        (Method::POST, "/invites", Some(json!({}))),
        (Method::POST, "/seats", Some(json!({"invite": "AAAAAAAAAAAAAAAAAAAAAA"}))),
        (Method::DELETE, "", None),
        (Method::DELETE, "/seats/0", None),
        (Method::DELETE, "/invites/00000000-0000-7000-8000-000000000000", None),
        (Method::POST, "/start", None),
        (Method::POST, "/seats/2/bot", Some(json!({"level": "easy"}))),
        (Method::POST, "/seats", Some(json!({}))),
        (Method::DELETE, "/seats/me", None),
    ];
    let place = |number| Place::new(number).unwrap();
    let supplies = |values: &[u8]| values.iter().copied().collect::<Supplies>();
    let mut moves = vec![
        Move::PassBuild,
        Move::PlaceEstate { land: place(0) },
        Move::PlaceEstate { land: place(15) },
        Move::ChooseBattlefield { lands: [place(0), place(1)] },
        Move::ChooseBattlefield { lands: [place(0), place(3)] },
        Move::Build { land: place(2), face: Face::TradingPost },
        Move::FlipBase { land: place(2) },
        Move::PlaySupplies { cards: supplies(&[2, 2, 2]) },
        Move::PlaySupplies { cards: supplies(&[7, 7, 7]) },
        Move::PlaySupplies { cards: supplies(&[3]) },
        Move::PlaySupplies { cards: supplies(&[2, 2, 2, 2, 2, 7]) },
        Move::DiscardSupplies { cards: supplies(&[7]) },
        Move::DiscardSupplies { cards: supplies(&[2, 2]) },
    ];
    moves.extend(ActionCard::ALL.map(|card| Move::TakeActionCard { card }));
    let refused = |action: &Move| match viewer {
        Viewer::Spectator => true,
        Viewer::Seat(seat) => {
            let command = Command::Act { seat, action: action.clone() };
            state.decide(&command, &mut FastDraws::new(0)).is_err()
        }
    };
    let body = |version: u64, action: Move| json!({"expected_version": version, "move": WireMove::from(action)});
    for action in moves.into_iter().filter(refused) {
        probes.push((Method::POST, "/moves", Some(body(version, action))));
    }
    probes.push((Method::POST, "/moves", Some(body(version + 1, Move::PassBuild))));
    probes
}

async fn play_both(worlds: &Worlds, viewer: Viewer, a: GameId, b: GameId, script: &[(Seat, Move)]) -> usize {
    let (games, mut foreseen) = ([a, b], worlds.foreseen(0, a));
    for (side, game) in games.iter().enumerate() {
        let path = format!("/v1/games/{game}/invites");
        let invited = ask(&worlds.apis[side], &worlds.tokens[side][0], Method::POST, &path, Some(&json!({}))).await;
        assert_eq!(invited.status, 201, "{}", invited.body);
    }
    let as_viewer = viewer.seat().map_or(usize::from(PLAYERS), |seat| usize::from(seat.number()));
    let people = if worlds.bot { BOT } else { PLAYERS };
    for seat in 0..people {
        for (side, game) in games.iter().enumerate() {
            let body = json!({"seat": seat, "entropy": entropy(seat)});
            let token = &worlds.tokens[side][usize::from(seat)];
            let path = format!("/v1/games/{game}/seats");
            assert_eq!(ask(&worlds.apis[side], token, Method::POST, &path, Some(&body)).await.status, 201);
        }
    }
    let mut version: u64 = foreseen_version(&worlds.apis[0], &worlds.tokens[0][0], a).await;
    let mut compared = 0;
    for (seat, action) in script {
        for (method, path, body) in probes(version, &foreseen.state, viewer) {
            let mut answers = Vec::new();
            for (side, game) in games.iter().enumerate() {
                let token = &worlds.tokens[side][as_viewer];
                let path = format!("/v1/games/{game}{path}");
                answers.push(ask(&worlds.apis[side], token, method.clone(), &path, body.as_ref()).await);
            }
            assert!(method == Method::GET || answers[0].status >= 400, "{path} {body:?}: {}", answers[0].body);
            assert_eq!(comparable(&answers[0]), comparable(&answers[1]), "{method} {path} {body:?}");
            compared += 1;
        }
        if seat.number() >= people {
            for api in &worlds.apis {
                move_for_the_bot(api, action).await;
            }
            foreseen.play(*seat, action, viewer);
            version = foreseen_version(&worlds.apis[0], &worlds.tokens[0][0], a).await;
            continue;
        }
        let body = json!({"expected_version": version, "move": WireMove::from(action.clone())});
        let mut answers = Vec::new();
        for (side, game) in games.iter().enumerate() {
            let token = &worlds.tokens[side][usize::from(seat.number())];
            let path = format!("/v1/games/{game}/moves");
            let answer = ask(&worlds.apis[side], token, Method::POST, &path, Some(&body)).await;
            assert_eq!(answer.status, 200, "{}", answer.body);
            answers.push(answer);
        }
        foreseen.play(*seat, action, viewer);
        if viewer == Viewer::Seat(*seat) && foreseen.state.status() == Status::Running {
            assert_eq!(comparable(&answers[0]), comparable(&answers[1]), "{action:?}");
            compared += 1;
        }
        version = serde_json::from_str::<Value>(&answers[0].body).unwrap()["version"].as_u64().unwrap();
    }
    // Now all is public, and the difference shows.
    let mut ends = Vec::new();
    for (side, game) in games.iter().enumerate() {
        let path = format!("/v1/games/{game}");
        ends.push(ask(&worlds.apis[side], &worlds.tokens[side][as_viewer], Method::GET, &path, None).await);
    }
    assert_ne!(comparable(&ends[0]), comparable(&ends[1]), "the games should differ");
    compared
}

async fn foreseen_version(api: &Api, token: &str, game: GameId) -> u64 {
    let answer = ask(api, token, Method::GET, &format!("/v1/games/{game}"), None).await;
    serde_json::from_str::<Value>(&answer.body).unwrap()["version"].as_u64().unwrap()
}

/// Makes the move that the bot is to make, at the one table that waits for it.
async fn move_for_the_bot(api: &Api, action: &Move) {
    let store = api.database.store().await;
    let door = Play::new(store, fereta::entropy::bytes, Handle::current(), ProofKey::from_bytes(&[7; 32]));
    let door = door.with_bots(&RESTING);
    let due = door.lease_bot_turn(&[]).await.unwrap().expect("a table that waits for a bot");
    let turn = door.bot_turn(&due).await.unwrap().expect("the bot's turn");
    assert!(door.make_bot_move(&turn, action.clone()).await.unwrap());
}

#[tokio::test(flavor = "multi_thread")]
async fn every_answer_is_the_same_where_only_hidden_cards_differ() {
    compare(false).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nor_does_it_show_what_a_bot_holds() {
    compare(true).await;
}

async fn compare(bot: bool) {
    let mut worlds = Worlds::new(bot).await;
    let mut used = BTreeSet::new();
    let viewers = seats().filter(|seat| !bot || seat.number() != BOT).map(Viewer::Seat);
    for viewer in viewers.chain([Viewer::Spectator]) {
        let (a, b, script) = loop {
            match worlds.pair(viewer, &used) {
                Some(pair) => break pair,
                None => worlds.set_up_tables().await,
            }
        };
        used.extend([a, b]);
        let compared = play_both(&worlds, viewer, a, b, &script).await;
        assert!(compared > 200, "only {compared} answers were compared");
    }
}
