//! Connections that clients would keep for ever, without a token.

use std::time::{Duration, Instant};

use diesel_async::SimpleAsyncConnection as _;
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::support::Api;
use crate::support::database::OWNER;

const PATIENCE: Duration = Duration::from_secs(4);

/// Keeps a connection for a second, and gives a head another.
async fn impatient() -> Api {
    Api::start_with(|settings| {
        settings.serve.keep_alive = Duration::from_secs(1);
        settings.serve.client_timeout = Duration::from_secs(1);
    })
    .await
}

async fn connect(api: &Api, sent: &str) -> TcpStream {
    let mut socket = TcpStream::connect(api.base.strip_prefix("http://").unwrap()).await.unwrap();
    socket.write_all(sent.as_bytes()).await.unwrap();
    socket
}

/// What comes until the other side hangs up, which it does in time.
async fn until_the_end(mut socket: TcpStream, patience: Duration) -> String {
    let mut told = Vec::new();
    let end = tokio::time::timeout(patience, socket.read_to_end(&mut told)).await;
    let told = String::from_utf8_lossy(&told).into_owned();
    assert!(end.is_ok(), "it is kept: {told}");
    told
}

fn says_that_it_closes(told: &str, status: u16) {
    assert!(told.starts_with(&format!("HTTP/1.1 {status} ")), "{told}");
    assert!(told.to_ascii_lowercase().contains("connection: close\r\n"), "{told}");
}

const CHUNKED: &str = "Host: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_nobody_reads_ends_the_connection() {
    let api = Api::start().await;
    for (request, status) in [("GET /healthz", 204), ("POST /v1/games", 401), ("POST /v1/nothing", 404)] {
        for chunk in ["", "5\r\nab", "fffffff\r\nab"] {
            let socket = connect(&api, &format!("{request} HTTP/1.1\r\n{CHUNKED}{chunk}")).await;
            says_that_it_closes(&until_the_end(socket, PATIENCE).await, status);
        }
    }
    // What came whole, and was read, does not.
    let mut socket =
        connect(&api, &format!("POST /v1/accounts/guest HTTP/1.1\r\n{CHUNKED}2\r\n{{}}\r\n0\r\n\r\n")).await;
    let mut told = vec![0; 4_096];
    let length = socket.read(&mut told).await.unwrap();
    let told = String::from_utf8_lossy(&told[..length]).to_ascii_lowercase();
    assert!(told.starts_with("http/1.1 400 ") && !told.contains("connection: close"), "{told}");
    socket.write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
    let mut status = [0; 12];
    socket.read_exact(&mut status).await.unwrap();
    assert_eq!(&status, b"HTTP/1.1 204");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_does_not_come_ends_the_connection() {
    let api = Api::start().await;
    let socket = connect(&api, &format!("POST /v1/accounts/guest HTTP/1.1\r\n{CHUNKED}fffffff\r\n{{")).await;
    says_that_it_closes(&until_the_end(socket, Duration::from_secs(9)).await, 408);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_endless_body_of_a_refused_request_is_not_listened_to() {
    let api = Api::start().await;
    let socket = connect(&api, &format!("POST /v1/games HTTP/1.1\r\n{CHUNKED}")).await;
    let (mut reading, mut writing) = socket.into_split();
    let told = tokio::spawn(async move {
        let mut told = Vec::new();
        let _ = reading.read_to_end(&mut told).await;
        String::from_utf8_lossy(&told).into_owned()
    });
    let since = Instant::now();
    let chunk = format!("10000\r\n{}\r\n", "x".repeat(65_536));
    while writing.write_all(chunk.as_bytes()).await.is_ok() {
        assert!(since.elapsed() < PATIENCE, "it is read without an end");
    }
    says_that_it_closes(&told.await.unwrap(), 401);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_later_head_that_drips_ends_the_connection() {
    let api = impatient().await;
    let mut socket = connect(&api, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n").await;
    let mut status = [0; 12];
    socket.read_exact(&mut status).await.unwrap();
    assert_eq!(&status, b"HTTP/1.1 204");
    let (mut reading, mut writing) = socket.into_split();
    let since = Instant::now();
    let dripping = async {
        for byte in b"GET /healthz HTTP/1.1\r\nX: ".iter().chain([b'x'; 200].iter()) {
            if writing.write_all(&[*byte]).await.is_err() {
                break;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    let mut rest = Vec::new();
    tokio::select! {
        () = dripping => {}
        _ = reading.read_to_end(&mut rest) => {}
    }
    assert!(since.elapsed() < Duration::from_secs(6), "{:?}", since.elapsed());
    assert!(since.elapsed() > Duration::from_secs(1), "{:?}", since.elapsed());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_takes_long_is_not_cut() {
    let api = impatient().await;
    let mut holder = api.database.connection(OWNER).await;
    holder.batch_execute("BEGIN; LOCK TABLE accounts IN ACCESS EXCLUSIVE MODE").await.unwrap();
    let guest = json!({"name": "Taro"});
    let ending = async {
        tokio::time::sleep(Duration::from_secs(4)).await;
        holder.batch_execute("ROLLBACK").await.unwrap();
    };
    let (answer, ()) = tokio::join!(api.post("/v1/accounts/guest", &guest), ending);
    assert_eq!(answer.status(), 201);
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_holds_as_many_as_there_may_be_holds_them_not_for_long() {
    let api = Api::start_with(|settings| {
        settings.serve.workers = Some(1);
        settings.serve.max_connections = 4;
        settings.serve.keep_alive = Duration::from_secs(1);
        settings.serve.client_timeout = Duration::from_secs(1);
    })
    .await;
    let mut held = Vec::new();
    for _ in 0..4 {
        held.push(connect(&api, &format!("GET /healthz HTTP/1.1\r\n{CHUNKED}fffffff\r\nab")).await);
    }
    let answer = tokio::time::timeout(Duration::from_secs(8), api.get("/healthz")).await;
    assert_eq!(answer.expect("an answer").status(), 204);
}
