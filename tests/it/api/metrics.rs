//! The metrics: on an address of their own, in numbers only, and silent about who played what.

use fereta::entropy;
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::support::table::{of_rounds, short};
use crate::support::{Database, Player, Server, Table};

/// An address that nobody listens on.
fn free_address() -> String {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string()
}

async fn page(address: &str) -> String {
    let answer = reqwest::get(format!("http://{address}/metrics")).await.unwrap();
    assert_eq!(answer.status(), 200);
    assert_eq!(answer.headers()["content-type"], "application/openmetrics-text; version=1.0.0; charset=utf-8");
    answer.text().await.unwrap()
}

/// The sum of the samples whose name and labels begin so.
fn sum(page: &str, start: &str) -> f64 {
    let samples = page.lines().filter(|line| line.starts_with(start));
    samples.map(|line| line.rsplit(' ').next().unwrap().parse::<f64>().unwrap()).sum()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_played_game_shows_in_numbers_and_in_nothing_else() {
    let database = Database::new().await;
    let address = free_address();
    let mut command = Server::command(&database);
    command.args(["--metrics-listen", &address]);
    let mut server = Server::try_start(command).unwrap();
    let table = Table::begin(&[&server.base()], &of_rounds(3, 2)).await;
    let key = entropy::bytes::<8>().iter().map(|byte| format!("k{byte}")).collect::<String>();
    let turn = table.turn().await.unwrap();
    let stale = json!({"expected_version": 1, "move": turn.choice()["move"]});
    turn.player.submit(&table.game, &key, &stale).await.refused(409, "stale-version");
    for _ in 0..2 {
        turn.player.submit(&table.game, &key, turn.choice()).await.ok(200);
    }
    table.play_out().await;
    let spectator = Player::guest(&server.base()).await;
    let path = format!("/v1/games/{}?nothing={key}", table.game);
    assert_eq!(spectator.get(&path).await.status, 400);
    assert_eq!(spectator.get(&format!("/v1/nothing/{key}")).await.status, 404);

    let page = page(&address).await;
    let events = database.count("game_events").await as f64;
    assert_eq!(sum(&page, "fereta_events_total "), events);
    let moves = sum(&page, r#"fereta_changes_total{action="move",outcome="accepted"}"#);
    assert_eq!(moves + 1.0, sum(&page, r#"fereta_requests_total{operation="submit_move",status="200""#), "{page}");
    assert_eq!(sum(&page, r#"fereta_changes_total{action="move",outcome="replayed"}"#), 1.0);
    assert_eq!(sum(&page, r#"fereta_changes_total{action="take_seat""#), 2.0);
    let stale = r#"fereta_requests_total{operation="submit_move",status="409",problem="stale-version"}"#;
    assert_eq!(sum(&page, stale), 1.0);
    assert_eq!(sum(&page, r#"fereta_requests_total{operation="none",status="404",problem="not-found"}"#), 1.0);
    assert_eq!(sum(&page, r#"fereta_games{status="ended"}"#), 1.0);
    assert_eq!(sum(&page, r#"fereta_games{status="open"}"#), 0.0);
    assert!(sum(&page, r#"fereta_pool_connections{state="idle"}"#) >= 1.0);
    assert!(sum(&page, r#"fereta_request_duration_seconds_count{operation="submit_move"}"#) > moves);

    let mut secrets = vec![table.game.clone(), key];
    for player in table.players.iter().chain([&spectator]) {
        secrets.extend([player.account.clone(), player.token.clone()]);
    }
    for secret in &secrets {
        assert!(!page.contains(secret), "{secret} in {page}");
    }
    only_known_labels(&page);
    // Players cannot reach it.
    assert_eq!(reqwest::get(server.url("/metrics")).await.unwrap().status(), 404);
    server.signal(Signal::TERM);
    assert!(server.wait().success(), "{}", server.log());
}

/// Every label is an operation of the document, a status, a problem's word, or one of a few words.
fn only_known_labels(page: &str) {
    let document: Value = serde_json::from_str(&fereta::api::openapi::document()).unwrap();
    let paths = document["paths"].as_object().unwrap().values();
    let operations: Vec<&str> = paths
        .flat_map(|path| path.as_object().unwrap().values())
        .filter_map(|operation| operation["operationId"].as_str())
        .chain(["none"])
        .collect();
    let few = [
        "create",
        "bot_move",
        "take_seat",
        "leave_seat",
        "start",
        "move",
        "accepted",
        "replayed",
        "in_use",
        "idle",
        "expire",
    ];
    let states = ["open", "running", "ended", "closed", "overtaken", "serialization", "connection_lost"];
    for line in page.lines().filter(|line| !line.starts_with('#')) {
        let Some((_, labels)) = line.split_once('{') else { continue };
        for label in labels.rsplit_once('}').unwrap().0.split(',') {
            let (name, value) = label.split_once('=').unwrap();
            let value = value.trim_matches('"');
            let known = match name {
                "operation" => operations.contains(&value),
                "status" => value.parse::<u16>().is_ok() || states.contains(&value),
                "level" => ["easy", "normal", "hard", "expert"].contains(&value),
                "problem" => value.chars().all(|c| c.is_ascii_lowercase() || c == '-'),
                "le" => value == "+Inf" || value.parse::<f64>().is_ok(),
                "version" => value == env!("CARGO_PKG_VERSION"),
                "action" | "outcome" | "state" => few.contains(&value),
                "cause" => states.contains(&value),
                _ => false,
            };
            assert!(known, "{line}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn bots_show_by_their_level_and_in_nothing_else() {
    let database = Database::new().await;
    let address = free_address();
    let mut command = Server::command(&database);
    command.args(["--metrics-listen", &address, "--bot-pace", "0"]);
    let server = Server::try_start(command).unwrap();
    let creator = Player::guest(&server.base()).await;
    let bots = json!([{"level": "easy"}, {"level": "normal"}, {"level": "easy"}]);
    let body = json!({"players": 3, "seat": false, "bots": bots, "options": {"card_set": short(1)}});
    let game = creator.new_game(&body).await;
    while creator.game(&game).await.ok(200)["view"]["status"] == "running" {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    let page = page(&address).await;
    let moves = sum(&page, r#"fereta_changes_total{action="bot_move",outcome="accepted"}"#);
    assert!(moves >= 10.0, "{page}");
    assert!(sum(&page, r#"fereta_bot_moves_total{level="normal"}"#) >= 3.0, "{page}");
    for counted in
        ["fereta_bot_moves_total{", "fereta_bot_lateness_seconds_count ", "fereta_bot_thinking_seconds_count{"]
    {
        assert_eq!(sum(&page, counted), moves, "{counted}");
    }
    assert!(!page.contains(&game));
    only_known_labels(&page);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_that_is_taken_is_told() {
    let database = Database::new().await;
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let mut command = Server::command(&database);
    command.args(["--metrics-listen", &taken.local_addr().unwrap().to_string()]);
    let said = Server::try_start(command).err().unwrap();
    assert!(said.contains("--metrics-listen"), "{said}");
}
