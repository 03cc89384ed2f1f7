//! What the server does of itself.

use fereta::entropy;
use fereta::log::ProofKey;
use fereta::play::Play;
use futures_util::future::join_all;
use serde_json::json;
use tokio::runtime::Handle;

use crate::support::player::key;
use crate::support::table::of_rounds;
use crate::support::{Api, Player, Server, Table};

const THIRTY_DAYS_S: u32 = 30 * 86_400;

async fn age(api: &Api, game: &str, days: u32) {
    let sql = format!("UPDATE games SET created_at = now() - interval '{days} days 1 minute' WHERE id = '{game}'");
    api.database.execute(&sql).await.unwrap();
}

/// Doors of several servers on the test's database.
async fn doors(api: &Api, count: usize) -> Vec<Play> {
    let door = async |_| {
        Play::new(api.database.store().await, entropy::bytes, Handle::current(), ProofKey::from_bytes(&[7; 32]))
    };
    join_all((0..count).map(door)).await
}

#[tokio::test(flavor = "multi_thread")]
async fn tables_that_nobody_started_are_closed_once_by_any_of_many() {
    let api = Api::start().await;
    let players = Player::guests(&api.base, 2).await;
    let mut old = Vec::new();
    for _ in 0..7 {
        let game = players[0].new_game(&json!({"players": 3, "visibility": "private"})).await;
        age(&api, &game, 30).await;
        old.push(game);
    }
    let young = players[0].new_game(&json!({"players": 3})).await;
    age(&api, &young, 29).await;
    let running = Table::begin(&[&api.base], &of_rounds(3, 1)).await;
    age(&api, &running.game, 99).await;

    let doors = doors(&api, 4).await;
    let closed = join_all(doors.iter().map(|door| door.close_expired_tables(THIRTY_DAYS_S))).await;
    assert_eq!(closed.into_iter().map(Result::unwrap).sum::<usize>(), old.len());
    assert_eq!(doors[0].close_expired_tables(THIRTY_DAYS_S).await.unwrap(), 0);
    for game in &old {
        let seen = players[0].game(game).await.ok(200);
        assert_eq!((&seen["view"]["status"], &seen["version"]), (&json!("closed"), &json!(3)));
        let last = players[0].history(game).await.pop().unwrap();
        assert_eq!((&last["type"], &last["cause"]), (&json!("table_closed"), &json!("clock")));
        assert_eq!(last["data"], json!({"reason": "expired"}));
        players[1].game(game).await.refused(404, "not-found");
        api.database.audit(game).await;
    }
    assert_eq!(players[0].game(&young).await.ok(200)["view"]["status"], "open");
    running.play_out().await;
    api.database.audit(&running.game).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_cannot_be_closed_does_not_hold_up_the_others() {
    let api = Api::start().await;
    let player = Player::guest(&api.base).await;
    let mut games = Vec::new();
    for _ in 0..3 {
        let game = player.new_game(&json!({"players": 3})).await;
        age(&api, &game, 40).await;
        games.push(game);
    }
    // The row says another head than the log, and the snapshot is gone: nobody may go on with it.
    let spoil =
        format!("UPDATE games SET head = decode(repeat('07', 32), 'hex'), snapshot = '' WHERE id = '{}'", games[0]);
    api.database.execute(&spoil).await.unwrap();
    let door = &doors(&api, 1).await[0];
    assert_eq!(door.close_expired_tables(THIRTY_DAYS_S).await.unwrap(), 2);
    assert_eq!(door.close_expired_tables(THIRTY_DAYS_S).await.unwrap(), 0);
    assert_eq!(api.database.texts("SELECT id::text AS t FROM games WHERE status = 'open'").await, [games[0].clone()]);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_sits_down_meanwhile_and_the_clock_make_one_history() {
    let api = Api::start().await;
    let players = Player::guests(&api.base, 8).await;
    let door = &doors(&api, 1).await[0];
    for _ in 0..5 {
        let game = players[0].new_game(&json!({"players": 5})).await;
        age(&api, &game, 31).await;
        let (key, body) = (key(), json!({}));
        let sitting = join_all(players[1..].iter().map(|player| player.sit_again(&game, &key, &body)));
        let (sat, closed) = tokio::join!(sitting, door.close_expired_tables(THIRTY_DAYS_S));
        let sat = sat.iter().filter(|answer| answer.status == 201).count();
        let status = players[0].game(&game).await.ok(200)["view"]["status"].clone();
        assert!(status == "closed" || sat == 4, "{status} {sat} {closed:?}");
        api.database.audit(&game).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_does_it_of_itself() {
    let api = Api::start().await;
    let player = Player::guest(&api.base).await;
    let game = player.new_game(&json!({"players": 3})).await;
    age(&api, &game, 2).await;
    let mut command = Server::command(&api.database);
    command.args(["--open-table-days", "2", "--jobs-every-ms", "20"]);
    let _server = Server::try_start(command).unwrap();
    for _ in 0..500 {
        if player.game(&game).await.ok(200)["view"]["status"] == "closed" {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    unreachable!("the table is still open");
}
