//! The real program: its keys, its log, its end.

use std::fs;
use std::io::{Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;
use std::time::Duration;

use diesel_async::SimpleAsyncConnection;
use reqwest::{Client, Response};
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::support::api::{PASSWORD, problem};
use crate::support::database::{OWNER, SERVING};
use crate::support::process::program;
use crate::support::{Database, Folder, Server};

async fn post(server: &Server, path: &str, body: &Value) -> Response {
    Client::new().post(server.url(path)).json(body).send().await.unwrap()
}

async fn json_of(answer: Response) -> Value {
    assert!(answer.status().is_success(), "{answer:?}");
    answer.json().await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shared_database_needs_shared_keys() {
    let database = Database::new().await;
    let mut command = program();
    command.args(["serve", "--database-url", &database.url(SERVING)]);
    let said = Server::try_start(command).err().unwrap();
    assert!(said.contains("--keys-dir") && said.contains("fereta keys"), "{said}");
    let folder = Folder::new();
    let mut command = program();
    command.args(["serve", "--database-url", &database.url(SERVING), "--keys-dir"]).arg(folder.path());
    let said = Server::try_start(command).err().unwrap();
    assert!(said.contains("token.pem"), "{said}");
    assert!(!folder.path().join("token.pem").exists(), "none are made up");
}

#[tokio::test(flavor = "multi_thread")]
async fn two_servers_are_one_to_their_clients() {
    let database = Database::new().await;
    let (one, two) = (Server::start(&database), Server::start(&database));
    let made = json_of(post(&one, "/v1/accounts", &json!({"name": "Taro", "password": PASSWORD})).await).await;
    let spend = json!({"refresh_token": made["refresh_token"]});
    let first = json_of(post(&one, "/v1/tokens/refresh", &spend).await).await;
    let again = json_of(post(&two, "/v1/tokens/refresh", &spend).await).await;
    assert_eq!(first["refresh_token"], again["refresh_token"]);
    let jwks = async |server: &Server| json_of(reqwest::get(server.url("/.well-known/jwks.json")).await.unwrap()).await;
    let keys = jwks(&one).await;
    assert_eq!(keys, jwks(&two).await);
    assert_eq!((&keys["keys"][0]["kty"], &keys["keys"][0]["crv"]), (&json!("OKP"), &json!("Ed25519")));
    assert!(keys["keys"][0].get("d").is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_of_its_own_makes_keys_once() {
    let folder = Folder::new();
    let mut server = Server::try_start(Server::private_command(&folder)).unwrap();
    let made = json_of(post(&server, "/v1/accounts/guest", &json!({"name": "Taro"})).await).await;
    for file in ["token.pem", "refresh.key", "proof.pem"] {
        let mode = fs::metadata(folder.path().join("keys").join(file)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{file}");
    }
    let spend = json!({"refresh_token": made["refresh_token"]});
    let first = json_of(post(&server, "/v1/tokens/refresh", &spend).await).await;
    server.signal(Signal::TERM);
    assert!(server.wait().success(), "{}", server.log());
    let again = Server::try_start(Server::private_command(&folder)).unwrap();
    let second = json_of(post(&again, "/v1/tokens/refresh", &spend).await).await;
    assert_eq!(first["refresh_token"], second["refresh_token"], "the keys and the account are still there");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_has_begun_is_answered_before_the_end() {
    let database = Database::new().await;
    let mut command = Server::command(&database);
    command.args(["--drain-ms", "600"]);
    let mut server = Server::try_start(command).unwrap();
    // An idle connection does not keep the server up.
    let idle = Client::new();
    assert_eq!(idle.get(server.url("/readyz")).send().await.unwrap().status(), 204);
    let mut holder = database.connection(OWNER).await;
    holder.batch_execute("BEGIN; LOCK TABLE accounts IN ACCESS EXCLUSIVE MODE").await.unwrap();
    let guest = json!({"name": "Taro"});
    let begun = post(&server, "/v1/accounts/guest", &guest);
    let ending = async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        server.signal(Signal::TERM);
        tokio::time::sleep(Duration::from_millis(200)).await;
        let unready = reqwest::get(server.url("/readyz")).await.unwrap();
        assert_eq!(unready.headers()["connection"], "close");
        problem(unready, "draining").await;
        tokio::time::sleep(Duration::from_millis(700)).await;
        assert!(reqwest::get(server.url("/healthz")).await.is_err(), "no new connections");
        holder.batch_execute("ROLLBACK").await.unwrap();
    };
    let (answered, ()) = tokio::join!(begun, ending);
    assert_eq!(answered.status(), 201);
    assert!(server.wait().success(), "{}", server.log());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_log_has_a_line_a_request_and_no_secret() {
    let database = Database::new().await;
    let mut command = Server::command(&database);
    command.args(["--log", "debug", "--log-format", "json"]);
    let mut server = Server::try_start(command).unwrap();
    let made = json_of(post(&server, "/v1/accounts", &json!({"name": "Taro", "password": PASSWORD})).await).await;
    let spend = json!({"refresh_token": made["refresh_token"]});
    let spent = json_of(post(&server, "/v1/tokens/refresh", &spend).await).await;
    let client = Client::new().get(server.url("/v1/openapi.json?access_token=SECRET-A"));
    let _ = client.bearer_auth(made["access_token"].as_str().unwrap()).send().await.unwrap();
    let _ = reqwest::get(server.url("/v1/SECRET-B")).await.unwrap();
    database.execute("ALTER TABLE accounts RENAME COLUMN locale TO place").await.unwrap();
    let failed = post(&server, "/v1/accounts/guest", &json!({"name": "Jiro"})).await;
    let id = failed.headers()["x-request-id"].to_str().unwrap().to_owned();
    problem(failed, "internal").await;
    server.signal(Signal::TERM);
    assert!(server.wait().success());
    let log = server.log();
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let requests: Vec<_> = lines.iter().filter(|line| line["message"] == "request").collect();
    assert_eq!(requests.len(), 5, "{log}");
    assert!(requests[0]["status"] == 201 && requests[0]["route"] == "/v1/accounts" && requests[0]["method"] == "POST");
    let causes: Vec<_> = lines.iter().filter(|line| line["level"] == "ERROR").collect();
    assert_eq!(causes.len(), 1, "{log}");
    assert_eq!(causes[0]["request_id"], id);
    assert!(causes[0]["cause"].as_str().unwrap().contains("locale"), "{log}");
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let secrets = [&made["access_token"], &made["refresh_token"], &spent["access_token"], &spent["refresh_token"]];
    for secret in secrets.map(text).iter().map(String::as_str).chain([PASSWORD, "$argon2", "SECRET", "5a5a5a"]) {
        assert!(!log.contains(secret), "{secret} is in the log: {log}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_request_leaves_nothing_in_the_log() {
    let database = Database::new().await;
    let mut command = Server::command(&database);
    command.args(["--log", "debug"]);
    let mut server = Server::try_start(command).unwrap();
    let address = server.base().replace("http://", "");
    for rubbish in ["\0\r\n\r\n", "GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n", "GET /\u{1} HTTP/9\r\n\r\n"] {
        let mut socket = std::net::TcpStream::connect(&address).unwrap();
        socket.write_all(rubbish.as_bytes()).unwrap();
        let mut answer = Vec::new();
        socket.read_to_end(&mut answer).unwrap();
        assert!(answer.starts_with(b"HTTP/1.1 400 "), "{rubbish:?}");
    }
    server.signal(Signal::TERM);
    assert!(server.wait().success());
    let log = server.log();
    assert!(!log.contains("ERROR") && !log.contains("WARN"), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn it_may_have_as_many_descriptors_as_its_connections_need() {
    let database = Database::new().await;
    let plain = Server::command(&database);
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -Sn 300; exec \"$0\" \"$@\""]).arg(plain.get_program()).args(plain.get_args());
    command.args(["--max-connections", "400"]);
    command.envs(plain.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let server = Server::try_start(command).unwrap();
    let address = server.base().replace("http://", "");
    let mut held = Vec::new();
    for _ in 0..350 {
        held.push(std::net::TcpStream::connect(&address).unwrap());
    }
    assert_eq!(reqwest::get(server.url("/healthz")).await.unwrap().status(), 204);
    let mut socket = held.pop().unwrap();
    socket.write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
    let mut status = [0; 12];
    socket.read_exact(&mut status).unwrap();
    assert_eq!(&status, b"HTTP/1.1 204");
}
