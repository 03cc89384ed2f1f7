//! The server as a process: it starts, refuses to, and stops.

use std::fs;
use std::thread;

use fereta::store::migrate;
use rustix::process::Signal;

use crate::support::database::{OWNER, SERVING};
use crate::support::process::program;
use crate::support::{Database, Folder, Server};

async fn is_alive(server: &Server) -> bool {
    reqwest::get(server.url("/healthz")).await.is_ok_and(|answer| answer.status().is_success())
}

#[tokio::test(flavor = "multi_thread")]
async fn two_serve_one_database_and_stop_when_asked() {
    let database = Database::new().await;
    let (mut one, mut two) = (Server::start(&database), Server::start(&database));
    assert!(is_alive(&one).await && is_alive(&two).await);
    one.signal(Signal::TERM);
    assert!(one.wait().success(), "{}", one.log());
    assert!(!is_alive(&one).await && is_alive(&two).await);
    two.signal(Signal::INT);
    assert!(two.wait().success(), "{}", two.log());
}

#[tokio::test(flavor = "multi_thread")]
async fn four_that_start_at_once_on_an_empty_database_all_come_up() {
    let database = Database::empty().await;
    let starting: Vec<_> = (0..4)
        .map(|_| {
            let command = Server::migrating_command(&database);
            thread::spawn(move || Server::try_start(command))
        })
        .collect();
    for server in starting {
        let server = server.join().unwrap().unwrap();
        assert!(is_alive(&server).await);
    }
    let known = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/migrations")).unwrap().count();
    assert_eq!(database.count("__diesel_schema_migrations").await, i64::try_from(known).unwrap());
}

#[tokio::test(flavor = "multi_thread")]
async fn it_does_not_start_with_more_power_than_it_needs() {
    let database = Database::new().await;
    for url in [database.superuser_url(), database.url(OWNER)] {
        let mut command = program();
        command.args(["serve", "--database-url", &url]);
        let said = Server::try_start(command).err().unwrap();
        assert!(said.contains("must not run as"), "{said}");
        assert!(!said.contains(&url), "{said}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn it_does_not_start_on_a_schema_that_it_does_not_know() {
    let database = Database::empty().await;
    let said = Server::try_start(Server::command(&database)).err().unwrap();
    assert!(said.contains("run fereta migrate"), "{said}");

    let run = |role: &str| {
        let url = database.url(OWNER);
        program().args(["migrate", "--database-url", &url, "--serving-role", role]).output().unwrap()
    };
    let output = run("nobody_of_that_name");
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("nobody_of_that_name"), "{output:?}");
    for _ in 0..2 {
        let output = run(SERVING);
        assert!(output.status.success(), "{output:?}");
    }
    assert!(is_alive(&Server::start(&database)).await);
    migrate(&database.url(OWNER), SERVING).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_database_it_brings_its_own() {
    let folder = Folder::new();
    let mut server = Server::try_start(Server::private_command(&folder)).unwrap();
    assert!(is_alive(&server).await);
    let said = Server::try_start(Server::private_command(&folder)).err().unwrap();
    assert!(said.contains("another fereta is running"), "{said}");
    server.signal(Signal::TERM);
    assert!(server.wait().success(), "{}", server.log());
    assert!(!folder.path().join("postgres/data/postmaster.pid").exists(), "PostgreSQL was not stopped");

    let killed = Server::try_start(Server::private_command(&folder)).unwrap();
    killed.signal(Signal::KILL);
    drop(killed);
    let mut again = Server::try_start(Server::private_command(&folder)).unwrap();
    assert!(is_alive(&again).await);
    again.signal(Signal::INT);
    assert!(again.wait().success(), "{}", again.log());
    let log = fs::read_to_string(folder.path().join("postgres/log")).unwrap();
    assert!(!log.contains("PANIC"), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn it_ends_when_its_own_database_does() {
    let folder = Folder::new();
    let mut server = Server::try_start(Server::private_command(&folder)).unwrap();
    let pid = fs::read_to_string(folder.path().join("postgres/data/postmaster.pid")).unwrap();
    let pid = pid.lines().next().unwrap().parse().unwrap();
    rustix::process::kill_process(rustix::process::Pid::from_raw(pid).unwrap(), Signal::INT).unwrap();
    assert!(!server.wait().success());
    assert!(server.log().contains("PostgreSQL has ended by itself"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_port_that_is_taken_is_told_before_anything_is_started() {
    let folder = Folder::new();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let output = Server::private_command(&folder).args(["--listen", &address]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && said.contains(&address) && said.contains("--listen"), "{said}");
    assert!(!folder.path().join("postgres").exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn its_health_is_an_exit_code() {
    let database = Database::new().await;
    let mut server = Server::start(&database);
    let address = server.base().replace("http://", "");
    let healthy = || program().args(["health"]).env("FERETA_LISTEN", &address).output().unwrap();
    let output = healthy();
    assert!(output.status.success(), "{output:?}");
    server.signal(Signal::TERM);
    server.wait();
    let output = healthy();
    assert!(!output.status.success(), "{output:?}");
}
