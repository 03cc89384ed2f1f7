//! A database that is slow, collides, or is cut off in the middle of a statement.

use std::time::{Duration, Instant};

use diesel_async::SimpleAsyncConnection;
use reqwest::Method;
use serde_json::json;

use super::Pair;
use crate::support::database::OWNER;
use crate::support::player::key;
use crate::support::proxy::{Cut, Proxy};
use crate::support::table::of_rounds;
use crate::support::{Api, Database, Player, Server, Table};

#[tokio::test(flavor = "multi_thread")]
async fn who_waits_too_long_for_the_row_is_refused_and_nothing_is_done() {
    let database = Database::new().await;
    let mut command = Server::command(&database);
    command.env("FERETA_STATEMENT_TIMEOUT_MS", "400");
    let server = Server::try_start(command).unwrap();
    let table = Table::begin(&[&server.base()], &of_rounds(3, 1)).await;
    let turn = table.turn().await.unwrap();
    let (key, log) = (key(), database.log(&table.game).await.len());
    let mut holder = database.connection(OWNER).await;
    holder.batch_execute("BEGIN; SELECT 1 FROM games FOR UPDATE").await.unwrap();
    let asked = Instant::now();
    let refused = turn.player.submit(&table.game, &key, turn.choice()).await;
    refused.refused(503, "unavailable");
    assert!(refused.headers.contains_key("retry-after"));
    assert!(asked.elapsed() < Duration::from_secs(3), "it took {:?}", asked.elapsed());
    // Looking waits for nobody.
    assert_eq!(turn.player.game(&table.game).await.ok(200)["version"], turn.version);
    holder.batch_execute("COMMIT").await.unwrap();
    assert_eq!(database.log(&table.game).await.len(), log);
    database.audit(&table.game).await;
    let made = turn.player.submit(&table.game, &key, turn.choice()).await.ok(200);
    assert_eq!(made["events"][0]["seq"], turn.version + 1);
    database.audit(&table.game).await;
}

/// The next so many writes of a game collide with something.
async fn collide(database: &Database, times: u32, state: &str) {
    let sql = format!(
        "DROP TRIGGER IF EXISTS collide ON games; DROP SEQUENCE IF EXISTS collisions; CREATE SEQUENCE collisions; \
         CREATE OR REPLACE FUNCTION collide() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN \
         IF nextval('public.collisions') <= {times} THEN \
         RAISE EXCEPTION 'deadlock detected' USING ERRCODE = '{state}'; END IF; RETURN NEW; END $$; \
         CREATE TRIGGER collide BEFORE INSERT OR UPDATE ON games FOR EACH ROW EXECUTE FUNCTION collide()"
    );
    database.execute(&sql).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_that_collides_is_tried_three_times_more() {
    let api = Api::start().await;
    let table = Table::begin(&[&api.base], &of_rounds(3, 1)).await;
    for state in ["40001", "40P01"] {
        let turn = table.turn().await.unwrap();
        let key_1 = key();
        collide(&api.database, 4, state).await;
        turn.player.submit(&table.game, &key_1, turn.choice()).await.refused(503, "unavailable");
        collide(&api.database, 3, state).await;
        let made = turn.player.submit(&table.game, &key_1, turn.choice()).await.ok(200);
        assert_eq!(made["events"][0]["seq"], turn.version + 1);

        let (key_2, body) = (key(), json!({"players": 3}));
        let create = async || table.players[0].ask(Method::POST, "/v1/games", Some(&key_2), Some(&body)).await;
        collide(&api.database, 4, state).await;
        create().await.refused(503, "unavailable");
        collide(&api.database, 3, state).await;
        create().await.ok(201);
    }
    assert_eq!(api.database.count("games").await, 3);
    collide(&api.database, 0, "40001").await;
    api.database.audit(&table.game).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_the_database_could_not_deliver_is_found_by_the_key() {
    let database = Database::new().await;
    let proxy = Proxy::start(&database).await;
    let server = Server::try_start(Server::command_at(&proxy.url())).unwrap();
    let table = Table::begin(&[&server.base()], &of_rounds(3, 1)).await;
    for _ in 0..4 {
        let turn = table.turn().await.unwrap();
        let key = key();
        proxy.cut_the_next_write(Cut::Answer);
        let answer = turn.player.submit(&table.game, &key, turn.choice()).await;
        assert!(proxy.has_cut(), "nothing was cut");
        assert_eq!(answer.ok(200)["events"][0]["seq"], turn.version + 1);
        assert_eq!(turn.player.submit(&table.game, &key, turn.choice()).await.text, answer.text);
    }
    // The same for a seat and a new table.
    let player = Player::guest(&server.base()).await;
    let (key, body) = (key(), json!({"players": 3, "seat": false}));
    proxy.cut_the_next_write(Cut::Answer);
    let made = player.ask(Method::POST, "/v1/games", Some(&key), Some(&body)).await;
    assert!(proxy.has_cut() && made.headers.contains_key("location"), "{}", made.text);
    let game = made.ok(201)["game_id"].as_str().unwrap().to_owned();
    proxy.cut_the_next_write(Cut::Answer);
    player.sit(&game, &json!({})).await.ok(201);
    assert!(proxy.has_cut());
    for game in [&game, &table.game] {
        database.audit(game).await;
    }
    assert_eq!(database.count("games").await, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_database_never_got_is_of_unknown_outcome_until_asked_again() {
    let database = Database::new().await;
    let proxy = Proxy::start(&database).await;
    let server = Server::try_start(Server::command_at(&proxy.url())).unwrap();
    let table = Table::begin(&[&server.base()], &of_rounds(3, 1)).await;
    for _ in 0..4 {
        let turn = table.turn().await.unwrap();
        let key = key();
        proxy.cut_the_next_write(Cut::Request);
        turn.player.submit(&table.game, &key, turn.choice()).await.refused(503, "outcome-unknown");
        assert!(proxy.has_cut(), "nothing was cut");
        let made = turn.player.submit(&table.game, &key, turn.choice()).await.ok(200);
        assert_eq!(made["events"][0]["seq"], turn.version + 1);
    }
    let (key, body) = (key(), json!({"players": 3}));
    let create = async || table.players[0].ask(Method::POST, "/v1/games", Some(&key), Some(&body)).await;
    proxy.cut_the_next_write(Cut::Request);
    create().await.refused(503, "outcome-unknown");
    create().await.ok(201);
    assert_eq!(database.count("games").await, 2);
    database.audit(&table.game).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn looking_goes_on_when_connections_break() {
    let pair = Pair::start().await;
    let player = Player::guest(&pair.one.base()).await;
    let game = player.new_game(&json!({"players": 3})).await;
    for _ in 0..6 {
        pair.database.cut_connections().await;
        for path in [format!("/v1/games/{game}"), format!("/v1/games/{game}/history"), "/v1/games".to_owned()] {
            player.get(&path).await.ok(200);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_falls_silent_is_given_up_and_does_not_keep_the_server_from_its_end() {
    let database = Database::new().await;
    let proxy = Proxy::start(&database).await;
    let mut command = Server::command_at(&proxy.url());
    command.env("FERETA_STATEMENT_TIMEOUT_MS", "200").env("FERETA_POOL_SIZE", "2");
    let mut server = Server::try_start(command).unwrap();
    let table = Table::begin(&[&server.base()], &of_rounds(3, 1)).await;
    // More often than there are connections.
    for _ in 0..3 {
        let turn = table.turn().await.unwrap();
        let key = key();
        proxy.cut_the_next_write(Cut::Silence);
        let asked = Instant::now();
        turn.player.submit(&table.game, &key, turn.choice()).await.refused(503, "outcome-unknown");
        assert!(proxy.has_cut() && asked.elapsed() < Duration::from_secs(5), "it took {:?}", asked.elapsed());
        turn.player.submit(&table.game, &key, turn.choice()).await.ok(200);
    }
    let turn = table.turn().await.unwrap();
    proxy.cut_the_next_write(Cut::Silence);
    turn.player.submit(&table.game, &key(), turn.choice()).await.refused(503, "outcome-unknown");
    server.signal(rustix::process::Signal::TERM);
    assert!(server.wait().success(), "{}", server.log());
    database.audit(&table.game).await;
}
