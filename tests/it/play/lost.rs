//! Clients that hang up, servers that are killed, and what is there afterwards.

use std::collections::HashMap;
use std::io::Write;
use std::net::TcpStream;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures_util::future::join_all;
use rustix::process::Signal;
use serde_json::Value;

use super::Pair;
use crate::support::player::key;
use crate::support::table::{kinds, of_rounds};
use crate::support::{Api, Database, Player, Server, Table};

/// Sends a move and hangs up after so long, without a look at the answer.
async fn send_and_hang_up(player: &Player, game: &str, key: &str, body: &Value, after: Duration) {
    let (address, body) = (player.base.strip_prefix("http://").unwrap().to_owned(), body.to_string());
    let request = format!(
        "POST /v1/games/{game}/moves HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\nIdempotency-Key: {key}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        player.token,
        body.len()
    );
    let mut stream = tokio::task::spawn_blocking(move || {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        stream
    })
    .await
    .unwrap();
    tokio::time::sleep(after).await;
    let _ = stream.flush();
    drop(stream);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_hangs_up_can_ask_what_became_of_his_move() {
    let api = Api::start().await;
    let table = Table::begin(&[&api.base], &of_rounds(4, 3)).await;
    let (mut made, mut moves) = (0, 0);
    while let Some(turn) = table.turn().await {
        let (key, body) = (key(), turn.choice());
        let after = Duration::from_micros(700 * (moves % 6));
        send_and_hang_up(&turn.player, &table.game, &key, body, after).await;
        if moves % 2 == 0 {
            tokio::time::sleep(Duration::from_millis(15)).await;
        }
        let keys = api.database.count(&format!("requests WHERE key = '{key}'")).await;
        made += keys;
        let answer = turn.player.submit(&table.game, &key, body).await.ok(200);
        assert_eq!(answer["events"][0]["seq"], turn.version + 1);
        assert_eq!(answer["version"], table.players[0].game(&table.game).await.ok(200)["version"]);
        moves += 1;
    }
    assert!(made > 0, "no move was made whose sender had hung up");
    api.database.audit(&table.game).await;
}

/// Plays at several tables at once until `stop`; an accepted move is noted by its game, version and head. What is refused or
/// lost is asked again under the same key until the server is gone.
struct Load {
    tables: Vec<Table>,
    acknowledged: Mutex<Vec<(String, u64, String)>>,
    /// What was asked last at a table, and not answered.
    unanswered: Mutex<HashMap<String, (Player, String, Value)>>,
    refusals: Mutex<Vec<String>>,
    stop: AtomicBool,
}

impl Load {
    async fn new(bases: &[&str], tables: usize) -> Self {
        let kinds = kinds(2);
        let tables = join_all((0..tables).map(|i| Table::begin(bases, &kinds[i % kinds.len()]))).await;
        Self {
            tables,
            acknowledged: Mutex::default(),
            unanswered: Mutex::default(),
            refusals: Mutex::default(),
            stop: AtomicBool::new(false),
        }
    }

    async fn play(&self) {
        join_all(self.tables.iter().map(|table| self.play_at(table))).await;
    }

    async fn play_at(&self, table: &Table) {
        while !self.stop.load(Ordering::Relaxed) {
            let Some(seen) = self.get(&table.players[0], &table.path("")).await else { return };
            let Some(seat) = seen["view"]["decision"]["seat"].as_u64() else { return };
            let player = &table.players[seat as usize];
            let Some(legal) = self.get(player, &table.path("/moves")).await else { return };
            let legal = legal["items"].as_array().unwrap();
            let (key, body) = (key(), legal[legal.len() / 2].clone());
            loop {
                let waiting = (player.clone(), key.clone(), body.clone());
                self.unanswered.lock().unwrap().insert(table.game.clone(), waiting);
                let path = table.path("/moves");
                let Some(answer) = player.try_ask(reqwest::Method::POST, &path, Some(&key), Some(&body)).await else {
                    return;
                };
                if answer.status == 200 {
                    let answer = answer.json();
                    let hash = answer["head"]["hash"].as_str().unwrap().to_owned();
                    let version = answer["version"].as_u64().unwrap();
                    self.acknowledged.lock().unwrap().push((table.game.clone(), version, hash));
                    self.unanswered.lock().unwrap().remove(&table.game);
                    break;
                }
                self.refusals.lock().unwrap().push(format!("{} {}", answer.status, answer.slug()));
            }
        }
    }

    /// None if the server is gone.
    async fn get(&self, player: &Player, path: &str) -> Option<Value> {
        loop {
            let answer = player.try_ask(reqwest::Method::GET, path, None, None).await?;
            if answer.status == 200 {
                return Some(answer.json());
            }
            self.refusals.lock().unwrap().push(format!("{} {}", answer.status, answer.slug()));
        }
    }

    /// Everything that was acknowledged is there, and everything that is there is whole.
    async fn check(&self, database: &Database) {
        for table in &self.tables {
            database.audit(&table.game).await;
        }
        let acknowledged = self.acknowledged.lock().unwrap().clone();
        for (game, version, hash) in acknowledged {
            let from =
                format!("game_events WHERE game_id = '{game}' AND seq = {version} AND encode(hash, 'hex') = '{hash}'");
            assert_eq!(database.count(&from).await, 1, "an acknowledged move is gone");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_killed_loses_nothing_that_it_acknowledged() {
    let database = Database::new().await;
    for round in 0..2 {
        let mut server = Server::start(&database);
        let load = Load::new(&[&server.base()], 4).await;
        let killing = async {
            while load.acknowledged.lock().unwrap().len() < 20 + round {
                tokio::time::sleep(Duration::from_millis(3)).await;
            }
            server.signal(Signal::KILL);
            load.stop.store(true, Ordering::Relaxed);
        };
        tokio::join!(load.play(), killing);
        server.wait();
        assert_eq!(load.refusals.lock().unwrap().as_slice(), [""; 0]);
        load.check(&database).await;

        let server = Server::start(&database);
        let unanswered = std::mem::take(&mut *load.unanswered.lock().unwrap());
        for (game, (player, key, body)) in unanswered {
            let answer = player.at(&server.base()).submit(&game, &key, &body).await;
            answer.ok(200);
            assert_eq!(player.at(&server.base()).submit(&game, &key, &body).await.text, answer.text);
        }
        for table in &load.tables {
            let players = table.players.iter().map(|player| player.at(&server.base())).collect();
            Table { game: table.game.clone(), players }.play(3).await;
        }
        load.check(&database).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_that_are_cut_in_a_storm_of_moves_leave_no_doubt() {
    let pair = Pair::start().await;
    let [one, two] = pair.bases();
    let load = Load::new(&[&one, &two], 5).await;
    let cutting = async {
        for cuts in 0.. {
            tokio::time::sleep(Duration::from_millis(40)).await;
            pair.database.cut_connections().await;
            if cuts >= 15 && load.acknowledged.lock().unwrap().len() > 30 {
                break;
            }
        }
        load.stop.store(true, Ordering::Relaxed);
    };
    tokio::join!(load.play(), cutting);
    for refusal in load.refusals.lock().unwrap().iter() {
        assert!(["503 unavailable", "503 outcome-unknown"].contains(&refusal.as_str()), "{refusal}");
    }
    load.check(&pair.database).await;
}
