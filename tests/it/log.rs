//! What the server logs: a line for every request, and at no level anything that somebody must not know.

use reqwest::Client;
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::support::player::key;
use crate::support::process::{PROOF_KEY, REFRESH_KEY, TOKEN_KEY};
use crate::support::table::of_rounds;
use crate::support::{Database, Player, Server, Table};

#[tokio::test(flavor = "multi_thread")]
async fn it_holds_no_secret_at_any_level() {
    let database = Database::new().await;
    let mut command = Server::command(&database);
    // Everything, also of what is not ours: the database's driver would log what it sends.
    command.args(["--log", "trace", "--log-format", "json"]);
    let mut server = Server::try_start(command).unwrap();
    let mut secrets = database.texts("SELECT current_user::text AS t WHERE false").await;
    secrets.extend([TOKEN_KEY, PROOF_KEY].map(|key| key.lines().nth(1).unwrap().to_owned()));
    secrets.push(REFRESH_KEY.to_owned());
    secrets.extend(sign_up_and_in(&server).await);

    let players = Player::guests(&server.base(), 3).await;
    let (entropy, used) = ("c0ffee".repeat(10) + "0001", key());
    let game = players[0].new_game(&of_rounds(3, 1)).await;
    players[1].sit_again(&game, &used, &json!({"entropy": entropy})).await.ok(201);
    players[2].sit(&game, &json!({})).await.ok(201);
    let table = Table { game, players };
    table.play_out().await;
    let path = table.path(&format!("/moves?secret={entropy}"));
    assert_eq!(table.players[0].get(&path).await.status, 400);
    secrets.extend([entropy, used]);
    secrets.extend(table.players.iter().map(|player| player.token.clone()));
    secrets.extend(database.texts("SELECT name AS t FROM accounts").await);
    secrets.extend(database.texts("SELECT password_hash AS t FROM accounts WHERE password_hash IS NOT NULL").await);
    secrets.extend(database.texts("SELECT encode(server_seed, 'hex') AS t FROM games").await);
    secrets.extend(database.texts("SELECT encode(hash, 'hex') AS t FROM refresh_tokens").await);
    secrets.extend(database.texts("SELECT secret AS t FROM game_events WHERE secret IS NOT NULL").await);
    secrets.extend(database.texts("SELECT line AS t FROM game_events").await);
    assert!(secrets.len() > 50, "{}", secrets.len());

    server.signal(Signal::TERM);
    assert!(server.wait().success());
    let log = server.log();
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    let requests = lines.iter().filter(|line| line["message"] == "request");
    assert!(requests.clone().count() > 30, "{log}");
    assert!(requests.clone().all(|line| line["request_id"].is_string() && line["status"].is_u64()), "{log}");
    // A token is one secret in each of its parts, and bytes may be written in other forms.
    let parts =
        secrets.iter().flat_map(|secret| secret.split('.').chain([secret.as_str()])).filter(|part| part.len() > 7);
    let escaped = log.replace("\\\"", "\"");
    for part in parts.filter(|part| !part.starts_with("eyJ")) {
        assert!(!log.contains(part) && !escaped.contains(part), "{part} is in the log");
    }
}

/// Everything that the server was told, and told, in confidence.
async fn sign_up_and_in(server: &Server) -> Vec<String> {
    let (client, name, password) = (Client::new(), "ひみつの花子さんです", "a password like no other");
    let send = async |path: &str, body: Value| -> Value {
        client.post(server.url(path)).json(&body).send().await.unwrap().json().await.unwrap()
    };
    let made = send("/v1/accounts", json!({"name": name, "password": password})).await;
    let session = send("/v1/tokens", json!({"name": name, "password": password})).await;
    let wrong = send("/v1/tokens", json!({"name": name, "password": "this is not the one"})).await;
    assert_eq!(wrong["status"], 401);
    let refreshed = send("/v1/tokens/refresh", json!({"refresh_token": session["refresh_token"]})).await;
    let malformed = send("/v1/accounts", json!({"name": name, "passwort": "misspelt password"})).await;
    assert_eq!(malformed["status"], 400);
    let mut secrets: Vec<String> =
        [name, password, "this is not the one", "misspelt password"].map(String::from).into();
    for answer in [made, session, refreshed] {
        for token in ["access_token", "refresh_token"] {
            secrets.push(answer[token].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned());
        }
    }
    secrets
}
