//! The private PostgreSQL: made, stopped, taken up again, and what stands in its way.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use diesel_async::{AsyncConnection, AsyncPgConnection, SimpleAsyncConnection};
use fereta::postgres::{Cluster, Durability, PostgresError, SUPERUSER};

use crate::support::Folder;
use crate::support::process::{kill, program};

fn start(folder: &Folder) -> Result<Cluster, PostgresError> {
    Cluster::start(&folder.path().join("postgres"), Durability::Durable)
}

fn execute(cluster: &Cluster, sql: &str) -> diesel::QueryResult<()> {
    let url = cluster.url(SUPERUSER, "postgres");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async { AsyncPgConnection::establish(&url).await.unwrap().batch_execute(sql).await })
}

/// The process id of the PostgreSQL that runs on that directory.
fn postmaster(directory: &Path) -> Option<i32> {
    let file = fs::read_to_string(directory.join("data/postmaster.pid")).ok()?;
    file.lines().next()?.trim().parse().ok()
}

#[test]
fn a_cluster_is_made_stopped_and_taken_up_again() {
    let folder = Folder::new();
    let cluster = start(&folder).unwrap();
    execute(&cluster, "CREATE TABLE kept (); SELECT 1").unwrap();
    cluster.stop().unwrap();
    assert_eq!(postmaster(&folder.path().join("postgres")), None);
    let again = start(&folder).unwrap();
    execute(&again, "SELECT * FROM kept").unwrap();
    execute(
        &again,
        "DO $$ BEGIN ASSERT current_setting('fsync') = 'on'; ASSERT current_setting('listen_addresses') = ''; END $$",
    )
    .unwrap();
}

#[test]
fn a_second_one_on_the_same_directory_is_told_so() {
    let folder = Folder::new();
    let cluster = start(&folder).unwrap();
    let error = start(&folder).unwrap_err();
    assert!(matches!(error, PostgresError::InUse { .. }), "{error}");
    execute(&cluster, "SELECT 1").unwrap();
}

#[test]
fn a_directory_that_it_did_not_make_is_left_alone() {
    let folder = Folder::new();
    let foreign = folder.path().join("postgres");
    fs::create_dir(&foreign).unwrap();
    fs::write(foreign.join("letter"), "mine").unwrap();
    let error = start(&folder).unwrap_err();
    assert!(matches!(error, PostgresError::Foreign { .. }), "{error}");
    let left: Vec<_> = fs::read_dir(&foreign).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["letter"]);
}

#[test]
fn an_initdb_that_was_broken_off_is_begun_anew() {
    let folder = Folder::new();
    let directory = folder.path().join("postgres");
    start(&folder).unwrap().stop().unwrap();
    fs::rename(directory.join("data"), directory.join("data-unfinished")).unwrap();
    fs::remove_file(directory.join("data-unfinished/PG_VERSION")).unwrap();
    execute(&start(&folder).unwrap(), "SELECT 1").unwrap();
}

#[test]
fn a_long_path_has_its_socket_elsewhere() {
    let folder = Folder::new();
    let long = folder.path().join("a".repeat(120));
    let cluster = Cluster::start(&long, Durability::Durable).unwrap();
    execute(&cluster, "SELECT 1").unwrap();
    let socket = cluster.socket_directory().to_owned();
    assert!(!socket.starts_with(&long));
    cluster.stop().unwrap();
    assert!(!socket.exists());
}

#[test]
fn a_throwaway_leaves_nothing() {
    let cluster = Cluster::start_throwaway().unwrap();
    let directory = cluster.directory().to_owned();
    execute(&cluster, "DO $$ BEGIN ASSERT current_setting('fsync') = 'off'; END $$").unwrap();
    drop(cluster);
    assert!(!directory.exists());
}

/// Runs `fereta with-postgres -- sleep` on that directory until its PostgreSQL is ready.
fn with_sleep(directory: &Path) -> std::process::Child {
    let child = program()
        .args(["with-postgres", "--data-dir"])
        .arg(directory)
        .args(["--", "sh", "-c", "echo up; exec sleep 20"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    wait_until(|| {
        postmaster(&directory.join("postgres")).is_some_and(|pid| Path::new(&format!("/proc/{pid}")).exists())
    });
    child
}

fn wait_until(done: impl Fn() -> bool) {
    let started = Instant::now();
    while !done() {
        assert!(started.elapsed() < Duration::from_secs(60), "waited too long");
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn what_a_killed_run_left_behind_is_taken_over() {
    let folder = Folder::new();
    let directory: PathBuf = folder.path().join("postgres");
    start(&folder).unwrap().stop().unwrap();
    let mut killed = with_sleep(folder.path());
    let orphan = postmaster(&directory).unwrap();
    kill(&killed, rustix::process::Signal::KILL);
    killed.wait().unwrap();
    assert!(Path::new(&format!("/proc/{orphan}")).exists(), "PostgreSQL ended with its parent, so this tests nothing");
    let cluster = start(&folder).unwrap();
    assert_ne!(postmaster(&directory), Some(orphan));
    execute(&cluster, "SELECT 1").unwrap();

    // Killed itself, PostgreSQL leaves its pid behind; another process may have that pid by now.
    drop(cluster);
    let mut other = Command::new("sleep").arg("100").spawn().unwrap();
    fs::write(directory.join("data/postmaster.pid"), format!("{}\n/nowhere\n0\n5432\n/nowhere\n\n\n", other.id()))
        .unwrap();
    execute(&start(&folder).unwrap(), "SELECT 1").unwrap();
    assert!(other.try_wait().unwrap().is_none(), "a process that had nothing to do with it was ended");
    other.kill().unwrap();
    other.wait().unwrap();
}

#[test]
fn the_next_throwaway_clears_away_what_a_killed_one_left() {
    let mut killed = program()
        .args(["with-postgres", "--throwaway", "--", "sh", "-c", "echo $PGHOST; exec sleep 20"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut directory = String::new();
    BufReader::new(killed.stdout.take().unwrap()).read_line(&mut directory).unwrap();
    let directory = PathBuf::from(directory.trim());
    kill(&killed, rustix::process::Signal::KILL);
    killed.wait().unwrap();
    assert!(directory.exists());
    let next = Cluster::start_throwaway().unwrap();
    assert!(!directory.exists());
    execute(&next, "SELECT 1").unwrap();
}

#[test]
fn the_exit_code_of_the_command_is_passed_on() {
    let code = |script: &str| {
        let status = program().args(["with-postgres", "--throwaway", "--", "sh", "-c", script]).status().unwrap();
        status.code()
    };
    assert_eq!(code("test -n \"$FERETA_TEST_DATABASE_URL\" && psql -Atqc 'SELECT 1' && exit 7"), Some(7));
    assert_eq!(code("kill -9 $$"), Some(137));
}
