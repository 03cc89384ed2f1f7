//! Bots at real tables: they play to the end, each move once and in its time, whatever happens to the servers; and they know no
//! more than a player in their seat.

use std::time::{Duration, Instant};

use chrono::{DateTime, TimeDelta, Utc};
use fereta::audit::{Notes, Verdict, audit_with_bots};
use fereta::bots::LEVELS;
use fereta::engine::{Bytes32, EventView, Knowledge, Seat, Viewer};
use fereta::entropy;
use fereta::log::{Line, ProofKey};
use fereta::play::Play;
use reqwest::Method;
use rustix::process::Signal;
use serde_json::{Value, json};
use tokio::runtime::Handle;
use tokio::time::sleep;

use crate::support::api::PASSWORD;
use crate::support::player::key;
use crate::support::table::short;
use crate::support::{Api, Database, Player, Server, Table};

/// How long all games of a test may take.
const PATIENCE: Duration = Duration::from_secs(90);

fn bots(levels: &[&str]) -> Value {
    levels.iter().map(|level| json!({"level": level})).collect()
}

/// A game of bots alone, of so many rounds.
fn of_bots(levels: &[&str], rounds: u8) -> Value {
    json!({"players": levels.len(), "seat": false, "bots": bots(levels), "options": {"card_set": short(rounds)}})
}

async fn until_all_have_ended(database: &Database) {
    let began = Instant::now();
    while database.count("games WHERE status <> 'ended'").await > 0 {
        assert!(began.elapsed() < PATIENCE, "{}", database.count("games WHERE status <> 'ended'").await);
        sleep(Duration::from_millis(20)).await;
    }
}

/// All that is stored of the game agrees, its file holds, and the bots would do the same again.
async fn check(database: &Database, player: &Player, game: &str) {
    database.audit(game).await;
    let file = player.get(&format!("/v1/games/{game}/export")).await;
    let report = audit_with_bots(&file.text, &Notes::default(), || ());
    assert_eq!(report.verdict, Verdict::Consistent, "{report:?}");
    assert!(report.bots.is_some_and(|bots| bots.replayed > 0 && bots.not_replayed.is_empty()));
}

/// Who ends his account gives his seats up.
async fn end_account(player: &Player) {
    let password = json!({"password": PASSWORD});
    player.ask(Method::PUT, "/v1/me/password", None, Some(&password)).await.ok(200);
    let ended = player.ask(Method::DELETE, "/v1/me", None, Some(&password)).await;
    assert_eq!(ended.status, 204, "{}", ended.text);
}

fn at(event: &Value) -> DateTime<Utc> {
    event["at"].as_str().unwrap().parse().unwrap()
}

async fn doors(api: &Api) -> Play {
    Play::new(api.database.store().await, entropy::bytes, Handle::current(), ProofKey::from_bytes(&[7; 32]))
}

#[tokio::test(flavor = "multi_thread")]
async fn one_person_plays_two_bots_in_any_seat() {
    let api = Api::with_bots(0).await;
    let player = Player::guest(&api.base).await;
    for own in 0..3 {
        let levels = (0..3).filter(|seat| *seat != own).map(|seat| json!({"seat": seat, "level": "normal"}));
        let body = json!({
            "players": 3, "seat": own == 0, "bots": levels.collect::<Vec<_>>(), "options": {"card_set": short(2)},
        });
        let game = player.new_game(&body).await;
        if own != 0 {
            player.sit(&game, &json!({"seat": own})).await.ok(201);
        }
        let mut seen = player.game(&game).await.ok(200);
        while seen["view"]["status"] == "running" {
            if seen["view"]["decision"]["seat"] == own {
                // The list is empty if a bot has moved since; nobody else can.
                let moves = player.moves(&game).await;
                player.submit(&game, &key(), &moves[0]).await.ok(200);
            }
            sleep(Duration::from_millis(5)).await;
            seen = player.game(&game).await.ok(200);
        }
        assert_eq!(seen["view"]["status"], "ended");
        for event in player.history(&game).await {
            let Some(seat) = event["data"]["seat"].as_u64() else { continue };
            let expected = if seat == own { json!({"seat": own}) } else { json!({"bot": seat}) };
            let asked = ["estate_placed", "action_card_kept", "supplies_played", "battlefield_chosen", "base_built"];
            if asked.contains(&event["type"].as_str().unwrap()) {
                assert_eq!(event["cause"], expected, "{event}");
            }
        }
        check(&api.database, &player, &game).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_plays_a_seat_that_was_given_up_to_the_end() {
    let api = Api::with_bots(0).await;
    let table = Table::begin(&[&api.base], &json!({"players": 3, "options": {"card_set": short(2)}})).await;
    table.play(9).await;
    let gone = table.turn().await.unwrap();
    end_account(&gone.player).await;
    let watching = &table.players[(gone.seat + 1) % 3];
    let mut seen = watching.game(&table.game).await.ok(200);
    while seen["view"]["status"] == "running" {
        let seat = seen["view"]["decision"]["seat"].as_u64().unwrap() as usize;
        if seat == gone.seat {
            sleep(Duration::from_millis(5)).await;
        } else {
            let moves = table.players[seat].moves(&table.game).await;
            table.players[seat].submit(&table.game, &key(), &moves[0]).await.ok(200);
        }
        seen = watching.game(&table.game).await.ok(200);
    }
    check(&api.database, watching, &table.game).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bots_alone_play_to_the_end_while_their_creator_watches() {
    let api = Api::with_bots(0).await;
    let creator = Player::guest(&api.base).await;
    let game = creator.new_game(&of_bots(&["easy", "normal", "hard", "expert", "easy"], 2)).await;
    let mut versions = vec![0];
    while api.database.count("games WHERE status = 'running'").await > 0 {
        let seen = creator.game(&game).await.ok(200);
        versions.push(seen["version"].as_u64().unwrap());
        assert_eq!(seen["view"]["seat"], Value::Null);
        creator.get(&format!("/v1/games/{game}/moves")).await.refused(403, "forbidden");
    }
    assert!(versions.is_sorted());
    check(&api.database, &creator, &game).await;
    assert_eq!(api.database.count("games WHERE wake_at IS NOT NULL OR leased_until IS NOT NULL").await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn bots_keep_their_pace_also_with_one_legal_move_only() {
    const PERCENT: i64 = 8;
    let api = Api::with_bots(PERCENT as u16).await;
    let creator = Player::guest(&api.base).await;
    let game = creator.new_game(&of_bots(&["easy", "hard", "expert"], 1)).await;
    until_all_have_ended(&api.database).await;
    let history = creator.history(&game).await;
    let mut moves = 0;
    for two in history.windows(2) {
        let Some(seat) = two[1]["cause"]["bot"].as_u64().filter(|_| two[0]["type"] != "table_created") else {
            continue;
        };
        // What follows from a move has its time; the next move comes after its pace, to the millisecond or later.
        let took = at(&two[1]) - at(&two[0]);
        let level = [0, 2, 3][seat as usize];
        let pace = TimeDelta::milliseconds(i64::from(LEVELS[level].pace_ms) * PERCENT / 100);
        assert!(took.is_zero() || took >= pace, "{took}: {two:?}");
        moves += i32::from(!took.is_zero());
    }
    assert!(moves >= 10, "{moves}");
}

#[tokio::test(flavor = "multi_thread")]
async fn two_servers_share_twenty_games() {
    let database = Database::new().await;
    let server = || {
        let mut command = Server::command(&database);
        command.args(["--bot-pace", "0", "--bot-threads", "2", "--no-rate-limits"]);
        Server::try_start(command).unwrap()
    };
    let servers = [server(), server()];
    let creator = Player::guest(&servers[0].base()).await;
    let mut games = Vec::new();
    for number in 0..20 {
        let levels = ["easy", "normal", "easy", "normal", "easy"];
        let body = of_bots(&levels[..3 + number % 3], 1);
        games.push(creator.at(&servers[number % 2].base()).new_game(&body).await);
    }
    until_all_have_ended(&database).await;
    for game in &games {
        check(&database, &creator, game).await;
    }
    for mut server in servers {
        server.signal(Signal::TERM);
        assert!(server.wait().success());
        let log = server.log();
        assert!(!log.contains("ERROR") && !log.contains("a bot's move"), "{log}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_killed_server_had_begun_others_take_up() {
    let database = Database::new().await;
    let server = || {
        let mut command = Server::command(&database);
        command.args(["--bot-pace", "10", "--bot-threads", "1"]);
        Server::try_start(command).unwrap()
    };
    let mut first = server();
    let creator = Player::guest(&first.base()).await;
    let mut games = Vec::new();
    for _ in 0..6 {
        games.push(creator.new_game(&of_bots(&["easy", "normal", "easy"], 1)).await);
    }
    let events = database.count("game_events").await;
    while database.count("game_events").await < events + 30 {
        sleep(Duration::from_millis(5)).await;
    }
    first.signal(Signal::KILL);
    first.wait();
    assert!(database.count("games WHERE leased_until > now()").await > 0, "it had begun something");
    let other = server();
    until_all_have_ended(&database).await;
    for game in &games {
        check(&database, &creator.at(&other.base()), game).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_stops_leaves_its_games_to_others_at_once() {
    let database = Database::new().await;
    let mut server = Server::start(&database);
    let creator = Player::guest(&server.base()).await;
    creator.new_game(&of_bots(&["expert", "expert", "expert"], 1)).await;
    while database.count("games WHERE leased_until > now()").await == 0 {
        sleep(Duration::from_millis(5)).await;
    }
    let asked = Instant::now();
    server.signal(Signal::TERM);
    assert!(server.wait().success());
    assert!(asked.elapsed() < Duration::from_secs(2), "{:?}", asked.elapsed());
    assert_eq!(database.count("games WHERE leased_until > now()").await, 0);
    assert_eq!(database.count("games WHERE wake_at IS NOT NULL").await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_that_cannot_be_played_holds_up_no_other_and_is_told_once_in_a_while() {
    let database = Database::new().await;
    let mut command = Server::command(&database);
    command.args(["--bot-threads", "0"]);
    let resting = Server::try_start(command).unwrap();
    let creator = Player::guest(&resting.base()).await;
    let spoiled = creator.new_game(&of_bots(&["easy", "easy", "easy"], 1)).await;
    let sql = format!("UPDATE games SET head = decode(repeat('07', 32), 'hex') WHERE id = '{spoiled}'");
    database.execute(&sql).await.unwrap();
    let whole = creator.new_game(&of_bots(&["easy", "easy", "easy"], 1)).await;
    let mut command = Server::command(&database);
    command.args(["--bot-pace", "0"]);
    let mut server = Server::try_start(command).unwrap();
    let began = Instant::now();
    while creator.game(&whole).await.ok(200)["view"]["status"] != "ended" {
        assert!(began.elapsed() < PATIENCE);
        sleep(Duration::from_millis(20)).await;
    }
    sleep(Duration::from_millis(300)).await;
    assert_eq!(database.count("games WHERE leased_until > now()").await, 0, "others may be able to play it");
    server.signal(Signal::TERM);
    assert!(server.wait().success());
    let log = server.log();
    assert_eq!(log.matches("a bot's move cannot be made").count(), 1, "{log}");
    check(&database, &creator, &whole).await;
}

/// What a bot is handed over is what a player in its seat has been told, event by event.
#[tokio::test(flavor = "multi_thread")]
async fn a_bot_knows_what_a_player_in_its_seat_was_told() {
    let api = Api::start().await;
    let door = doors(&api).await;
    let table = Table::begin(&[&api.base], &json!({"players": 3, "options": {"card_set": short(2)}})).await;
    table.play(14).await;
    let seen = table.players[0].game(&table.game).await.ok(200);
    let turn = table.turn_after(&seen).await.unwrap();
    let told = turn.player.history(&table.game).await;
    end_account(&turn.player).await;
    let other = &table.players[(turn.seat + 1) % 3];
    let assigned = other.history(&table.game).await.pop().unwrap();
    assert_eq!((&assigned["type"], &assigned["cause"]), (&json!("bot_assigned"), &json!({"seat": turn.seat})));

    let due = door.lease_bot_turn(&[]).await.unwrap().unwrap();
    assert_eq!(door.lease_bot_turn(&[]).await.unwrap(), None, "it is leased");
    let bot = door.bot_turn(&due).await.unwrap().unwrap();
    let viewer = Viewer::Seat(Seat::new(turn.seat as u8).unwrap());
    let mut known = Knowledge::new(viewer);
    let mut secrets = 0;
    for event in told.iter().chain([&assigned]) {
        let view = event_view(event);
        secrets += usize::from(view.secret.is_some());
        known.observe(view);
    }
    assert!(secrets > 3, "{secrets}");
    assert_eq!(bot.known, known);
    let legal: Vec<_> = turn.moves.iter().map(|one| one["move"].clone()).collect();
    let of_the_bot: Vec<_> = bot.legal.iter().map(|one| json!(fereta::api::moves::Move::from(one.clone()))).collect();
    assert_eq!(of_the_bot, legal);
    assert!(!format!("{bot:?}").contains("cards"), "{bot:?}");

    // Of two servers that thought about the same move one makes it.
    assert!(door.make_bot_move(&bot, bot.legal[0].clone()).await.unwrap());
    assert!(!door.make_bot_move(&bot, bot.legal[0].clone()).await.unwrap());
    assert!(door.bot_turn(&due).await.unwrap().is_none(), "the game has gone on");
    api.database.audit(&table.game).await;
}

/// An entry of a history as the engine has it.
fn event_view(entry: &Value) -> EventView {
    let mut public = entry.clone();
    let secret = public.as_object_mut().unwrap().remove("secret").map(|secret| secret.to_string());
    let line = Line { seq: entry["seq"].as_u64().unwrap(), text: public.to_string(), secret, hash: Bytes32::default() };
    let fact = line.fact().unwrap();
    EventView { secret: line.open_secret(&fact).unwrap(), fact }
}
