use std::time::{Duration, Instant};

use diesel_async::SimpleAsyncConnection;
use serde_json::json;

use crate::support::api::problem;
use crate::support::{Api, database::OWNER};

#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_takes_too_long_promises_nothing() {
    let api = Api::start_with(|settings| settings.serve.request_timeout = Duration::from_millis(300)).await;
    let mut holder = api.database.connection(OWNER).await;
    holder.batch_execute("BEGIN; LOCK TABLE accounts IN ACCESS EXCLUSIVE MODE").await.unwrap();
    let since = Instant::now();
    problem(api.post("/v1/accounts/guest", &json!({"name": "Taro"})).await, "outcome-unknown").await;
    assert!(since.elapsed() < Duration::from_secs(2), "{:?}", since.elapsed());
    holder.batch_execute("ROLLBACK").await.unwrap();
    assert_eq!(api.post("/v1/accounts/guest", &json!({"name": "Jiro"})).await.status(), 201);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_free_connection_nothing_is_changed() {
    let api = Api::start_with(|settings| {
        settings.pool_size = 1;
        settings.wait = Duration::from_millis(200);
    })
    .await;
    let mut holder = api.database.connection(OWNER).await;
    holder.batch_execute("BEGIN; LOCK TABLE accounts IN ACCESS EXCLUSIVE MODE").await.unwrap();
    let (taro, jiro) = (json!({"name": "Taro"}), json!({"name": "Jiro"}));
    let waiting = api.post("/v1/accounts/guest", &taro);
    let refused = async {
        let waits = "pg_locks WHERE NOT granted AND relation = 'accounts'::regclass";
        while api.database.count(waits).await == 0 {}
        problem(api.post("/v1/accounts/guest", &jiro).await, "unavailable").await;
        problem(api.get("/readyz").await, "unavailable").await;
        assert_eq!(api.get("/healthz").await.status(), 204);
        holder.batch_execute("ROLLBACK").await.unwrap();
    };
    let (waited, ()) = tokio::join!(waiting, refused);
    assert_eq!(waited.status(), 201);
    assert_eq!(api.database.texts("SELECT name AS t FROM accounts WHERE name <> ''").await, ["Taro"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_does_not_come_changes_nothing() {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    let api = Api::start().await;
    let mut socket = tokio::net::TcpStream::connect(api.base.strip_prefix("http://").unwrap()).await.unwrap();
    let head = "POST /v1/accounts HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{";
    socket.write_all(head.as_bytes()).await.unwrap();
    let mut answer = vec![0; 4_096];
    let length = socket.read(&mut answer).await.unwrap();
    let answer = String::from_utf8_lossy(&answer[..length]).into_owned();
    assert!(answer.starts_with("HTTP/1.1 408 ") && answer.contains("/problems/body-too-slow"), "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_asks_and_does_not_read_is_dropped() {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    let api = Api::start_with(|settings| settings.serve.stall_timeout = Duration::from_secs(1)).await;
    let whole = api.get("/v1/openapi.json").await.bytes().await.unwrap().len();
    let address = api.base.strip_prefix("http://").unwrap().parse().unwrap();
    let connect = async || {
        let socket = tokio::net::TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(4_096).unwrap();
        let mut socket = socket.connect(address).await.unwrap();
        let request = "GET /v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n";
        socket.write_all(request.repeat(100).as_bytes()).await.unwrap();
        socket
    };
    let (mut stalled, mut idle) = (connect().await, tokio::net::TcpStream::connect(address).await.unwrap());
    idle.write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
    tokio::time::sleep(Duration::from_secs(4)).await;
    let mut read = Vec::new();
    let _ = tokio::time::timeout(Duration::from_secs(10), stalled.read_to_end(&mut read)).await.expect("an end");
    assert!(read.len() < 100 * whole, "{}", read.len());
    // Who has nothing to read is not meant.
    let mut answer = [0; 12];
    for _ in 0..2 {
        idle.read_exact(&mut answer).await.unwrap();
        assert_eq!(&answer, b"HTTP/1.1 204");
        while !answer.ends_with(b"\r\n\r\n") {
            answer.rotate_left(1);
            *answer.last_mut().unwrap() = idle.read_u8().await.unwrap();
        }
        idle.write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn there_are_only_so_many_connections() {
    let api = Api::start_with(|settings| {
        settings.serve.workers = Some(1);
        settings.serve.max_connections = 2;
    })
    .await;
    let address = api.base.strip_prefix("http://").unwrap();
    let mut held = Vec::new();
    for _ in 0..2 {
        held.push(tokio::net::TcpStream::connect(address).await.unwrap());
    }
    tokio::time::sleep(Duration::from_millis(300)).await;
    let waiting =
        tokio::time::timeout(Duration::from_millis(500), api.client.get(format!("{}/healthz", api.base)).send());
    assert!(waiting.await.is_err());
    drop(held);
    assert_eq!(api.get("/healthz").await.status(), 204);
}
