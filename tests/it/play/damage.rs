//! Logs that are corrupt, and logs that are newer than the server.

use rustix::process::Signal;
use serde_json::json;

use crate::support::player::{Answer, key};
use crate::support::table::of_rounds;
use crate::support::{Api, Database, Player, Server, Table};
use fereta::engine::{FAIRNESS_VERSION, FORMAT_VERSION, RULES_VERSION};

/// What a stranger to the game, too, can ask of it: one of every kind.
async fn ask_everything(player: &Player, table: &Table, version: u64) -> Vec<(&'static str, Answer)> {
    let body = json!({"expected_version": version, "move": {"type": "place_estate", "land": 0}});
    let game = &table.game;
    vec![
        ("read", player.game(game).await),
        ("history", player.get(&table.path("/history")).await),
        ("history of the end", player.get(&table.path(&format!("/history?after={}", version - 1))).await),
        ("moves", player.get(&table.path("/moves")).await),
        ("submit", player.submit(game, &key(), &body).await),
        ("sit", player.sit(game, &json!({})).await),
        ("leave", player.leave(game).await),
        ("start", player.start(game).await),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn a_corrupt_line_is_an_error_that_tells_nothing_and_is_logged_once() {
    let database = Database::new().await;
    let mut server = Server::start(&database);
    let damages = [
        ("UPDATE game_events SET line = replace(line, '\"seat\"', '\"sxxt\"')", "line "),
        ("UPDATE game_events SET line = 'x'", "line "),
        ("UPDATE game_events SET line = replace(line, '\"type\":\"', '\"type\":\"un')", "line "),
        ("UPDATE game_events SET line = replace(line, '{\"seat\":', '{\"bot\":')", "line "),
        ("UPDATE game_events SET hash = decode(repeat('00', 32), 'hex')", "line "),
        ("DELETE FROM game_events", "lacks an event"),
    ];
    let mut expected = Vec::new();
    for (damage, cause) in damages {
        let table = Table::begin(&[&server.base()], &of_rounds(3, 1)).await;
        table.play(2).await;
        let log = database.log(&table.game).await;
        let damaged = log.iter().find(|line| line.text.contains("\"estate_placed\"")).unwrap().seq;
        let key = key();
        let turn = table.turn().await.unwrap();
        let made = turn.player.submit(&table.game, &key, turn.choice()).await.ok(200);
        database.tamper(&format!("{damage} WHERE game_id = '{}' AND seq = {damaged}", table.game)).await;

        // With a snapshot the table is known; its history is not. Pages that do not touch the line are.
        let player = &table.players[0];
        player.game(&table.game).await.ok(200);
        let mut wrong = vec![player.get(&table.path("/history")).await];
        wrong.push(player.get(&table.path(&format!("/history?after={}&limit=1", damaged - 1))).await);
        wrong.push(player.get(&table.path(&format!("/history?after={}&limit=2", damaged - 2))).await);
        player.get(&table.path(&format!("/history?limit={}", damaged - 1))).await.ok(200);

        // Without one nothing is known, and nothing is written.
        database.execute(&format!("UPDATE games SET snapshot = '' WHERE id = '{}'", table.game)).await.unwrap();
        let version = made["version"].as_u64().unwrap();
        wrong.extend(ask_everything(player, &table, version).await.into_iter().map(|(_, answer)| answer));
        wrong.push(turn.player.submit(&table.game, &key, turn.choice()).await);
        for answer in wrong {
            let body = answer.refused(500, "internal");
            assert_eq!(body.as_object().unwrap().len(), 4, "{body}");
            expected.push((body["instance"].as_str().unwrap()["urn:uuid:".len()..].to_owned(), cause));
        }
        let now = format!("games WHERE id = '{}' AND version = {version}", table.game);
        assert_eq!(database.count(&now).await, 1);
    }
    server.signal(Signal::TERM);
    assert!(server.wait().success());
    let log = server.log();
    for (id, cause) in expected {
        let lines: Vec<_> = log.lines().filter(|line| line.contains(&id) && line.contains("fault")).collect();
        assert_eq!(lines.len(), 1, "{lines:?}");
        assert!(lines[0].contains(cause), "{} lacks {cause}", lines[0]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_secret_that_cannot_be_read_is_an_error_and_is_not_told() {
    let database = Database::new().await;
    let mut server = Server::start(&database);
    let table = Table::begin(&[&server.base()], &of_rounds(3, 1)).await;
    assert!(table.play_until("choose_battlefield").await);
    database.tamper("UPDATE game_events SET secret = '{\"cxrds\":[7,7,7]}' WHERE secret IS NOT NULL").await;
    table.players[0].game(&table.game).await.ok(200);
    table.players[0].get(&table.path("/history")).await.refused(500, "internal");
    database.execute("UPDATE games SET snapshot = ''").await.unwrap();
    for (what, answer) in ask_everything(&table.players[0], &table, 3).await {
        assert_eq!((answer.status, answer.json().as_object().unwrap().len()), (500, 4), "{what}");
    }
    server.signal(Signal::TERM);
    server.wait();
    assert!(!server.log().contains("cxrds"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_of_a_newer_version_is_neither_told_nor_written() {
    let api = Api::start().await;
    for (name, newest) in [("rules", RULES_VERSION), ("format", FORMAT_VERSION), ("fairness", FAIRNESS_VERSION)] {
        for started in [true, false] {
            let players = Player::guests(&api.base, 3).await;
            let table = if started {
                Table::begin_with(&[&api.base], players, &of_rounds(3, 1)).await
            } else {
                Table { game: players[0].new_game(&of_rounds(3, 1)).await, players }
            };
            let stranger = Player::guest(&api.base).await;
            let version = table.players[0].game(&table.game).await.ok(200)["version"].as_u64().unwrap();
            // As a newer server would have written it, with a snapshot that is not ours.
            let newer = newest + 1;
            let (game, replaced) = (&table.game, format!("'\"{name}\":{newest}', '\"{name}\":{newer}'"));
            let line =
                format!("UPDATE game_events SET line = replace(line, {replaced}) WHERE game_id = '{game}' AND seq = 1");
            api.database.tamper(&line).await;
            let snapshot = "set_byte(snapshot, 0, 255)";
            api.database.execute(&format!("UPDATE games SET snapshot = {snapshot} WHERE id = '{game}'")).await.unwrap();
            for player in [&table.players[0], &stranger] {
                for (what, answer) in ask_everything(player, &table, version).await {
                    assert_eq!((answer.status, answer.slug().as_str()), (503, "newer-data"), "{what}");
                    assert!(answer.headers.contains_key("retry-after"));
                }
            }
            let now = format!("games WHERE id = '{game}' AND version = {version}");
            assert_eq!(api.database.count(&now).await, 1, "it was written");
            assert_eq!(api.database.log(game).await.len() as u64, version);
        }
    }
}
