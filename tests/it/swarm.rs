//! Whole games over HTTP by the swarm, rough ones too, with the server killed and started again in the middle.

use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use rustix::process::Signal;

use crate::support::process::program;
use crate::support::{Database, Server};

fn swarm(servers: &[&Server]) -> Command {
    let urls: Vec<String> = servers.iter().map(|server| server.url("")).collect();
    let mut command = program();
    command.args(["swarm", "--url", &urls.join(","), "--rough", "--seed", "1", "--games", "6"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Nothing was found, and all games were played to the end.
fn all_is_well(output: &Output, games: usize) {
    let (said, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{said}{errors}");
    assert!(said.contains(&format!("games {games} in")) && said.contains("findings 0"), "{said}{errors}");
}

#[tokio::test(flavor = "multi_thread")]
async fn rough_games_on_two_servers_keep_every_promise() {
    let database = Database::new().await;
    let (one, other) = (Server::start(&database), Server::start(&database));
    let output = swarm(&[&one, &other]).output().unwrap();
    all_is_well(&output, 6);
    let events = database.count("game_events").await;
    assert!(events > 6 * 100, "{events}");
    assert_eq!(database.count("games WHERE status = 'ended'").await, 6);
}

#[tokio::test(flavor = "multi_thread")]
async fn games_go_on_where_they_were_when_the_server_was_killed() {
    let database = Database::new().await;
    let mut server = Server::start(&database);
    let swarm = swarm(&[&server]).spawn().unwrap();
    let mut events = 0;
    for _ in 0..3 {
        // Killed when it is in the middle of things.
        while database.count("game_events").await < events + 60 {
            thread::sleep(Duration::from_millis(20));
        }
        server.signal(Signal::KILL);
        server.wait();
        events = database.count("game_events").await;
        server = server.start_again(&database);
    }
    let output = swarm.wait_with_output().unwrap();
    all_is_well(&output, 6);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(!said.contains("unanswered 0,"), "the swarm did not notice: {said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_swarm_that_finds_no_server_fails() {
    let output = program().args(["swarm", "--url", "http://127.0.0.1:1"]).output().unwrap();
    assert!(!output.status.success());
}
