//! A PostgreSQL of our own: for a server without a `DATABASE_URL` (durable), for tests and for benches.
//!
//! Must never: touch a data directory it did not make, or end a process that is not its own cluster's. Speaks no SQL.
//! The crates that do this were no way: one fails as root, and turns fsync off for everybody.
//!
//! A cluster's directory holds `fereta-cluster` (the mark that we made it), `lock` (held by the process that runs it), `data`,
//! `log`, and the socket. As root, PostgreSQL runs under the account `postgres` or `nobody`, which owns the directory.

mod account;
mod binaries;
mod directory;
mod error;

use std::fs::{self, File};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

pub use error::PostgresError;

use account::Account;
use binaries::Binaries;
use directory::Directory;

/// The superuser of a private cluster. It has no password: its socket can be reached by its owner alone.
pub const SUPERUSER: &str = "postgres";

const START_LIMIT: Duration = Duration::from_secs(60);
const STOP_LIMIT: Duration = Duration::from_secs(30);
const POLL: Duration = Duration::from_millis(10);

/// What is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// A committed transaction survives a power cut.
    Durable,
    /// For tests: nothing is flushed, and the directory is deleted at the end.
    Throwaway,
}

/// A running cluster. Stopped by [`Cluster::stop`], or when dropped.
#[derive(Debug)]
pub struct Cluster {
    child: Child,
    directory: Directory,
    durability: Durability,
    /// Locked as long as the cluster is ours.
    lock: File,
}

impl Cluster {
    /// Starts the cluster of that directory, making it if it is not there, and waits until it answers. Blocks.
    ///
    /// # Errors
    /// The [`PostgresError`] that says what is in the way, and what to do about it.
    pub fn start(directory: &Path, durability: Durability) -> Result<Self, PostgresError> {
        let account = Account::for_postgres()?;
        let directory = Directory::claim(directory, &account)?;
        let lock = directory.lock()?;
        let binaries = Binaries::find(directory.made_by_version()?.as_deref())?;
        if directory.made_by_version()?.is_none() {
            initialise(&directory, &account, &binaries, durability)?;
        }
        directory.end_orphan(STOP_LIMIT)?;
        let log = directory.open_log()?;
        let mut command = account.command(&binaries.postgres, directory.path());
        command.arg("-D").arg(directory.data()).arg("-k").arg(directory.socket()).args(settings(durability));
        // A group of its own, so that Ctrl-C reaches the server alone, which then stops the cluster when it is done with it.
        command.process_group(0).stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
        let child =
            command.spawn().map_err(|source| PostgresError::Run { program: binaries.postgres.clone(), source })?;
        let mut cluster = Self { child, directory, durability, lock };
        cluster.await_ready()?;
        Ok(cluster)
    }

    /// Starts a throwaway cluster in a directory of its own, in memory if the system has such a place.
    ///
    /// # Errors
    /// As [`Cluster::start`].
    pub fn start_throwaway() -> Result<Self, PostgresError> {
        let memory = Path::new("/dev/shm");
        let place = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
        directory::sweep(&place, &Account::for_postgres()?);
        Self::start(&directory::throwaway(&place), Durability::Throwaway)
    }

    /// `postgres://role@socket/database`, for programs on this machine.
    #[must_use]
    pub fn url(&self, role: &str, database: &str) -> String {
        format!("postgres://{role}@{}/{database}", percent_encoded(self.directory.socket()))
    }

    /// Where the cluster is.
    #[must_use]
    pub fn directory(&self) -> &Path {
        self.directory.path()
    }

    /// What PostgreSQL has to say.
    #[must_use]
    pub fn log(&self) -> PathBuf {
        self.directory.log()
    }

    /// The directory that its socket is in, as `PGHOST` wants it.
    #[must_use]
    pub fn socket_directory(&self) -> &Path {
        self.directory.socket()
    }

    /// Whether PostgreSQL has ended by itself.
    pub fn has_ended(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    /// Stops it: no new connections, open transactions are rolled back. Blocks.
    ///
    /// # Errors
    /// [`PostgresError::Io`] if its end could not be awaited.
    pub fn stop(mut self) -> Result<(), PostgresError> {
        self.end()
    }

    fn end(&mut self) -> Result<(), PostgresError> {
        if self.child.try_wait()?.is_none() {
            self.signal(Signal::INT);
            let asked = Instant::now();
            while self.child.try_wait()?.is_none() {
                if asked.elapsed() > STOP_LIMIT {
                    self.signal(Signal::QUIT);
                    self.child.wait()?;
                    break;
                }
                thread::sleep(POLL);
            }
        }
        match self.durability {
            Durability::Durable => self.directory.remove_temporary_socket(),
            Durability::Throwaway => self.directory.remove(),
        }
        // Closing the file is not enough while a program that another thread has just started still shares it.
        let _ = self.lock.unlock();
        Ok(())
    }

    fn signal(&self, signal: Signal) {
        // It may have ended in between; then there is nothing left to say.
        let _ = kill_process(Pid::from_child(&self.child), signal);
    }

    /// Line 8 of `postmaster.pid` says `ready`, line 1 whose file it is.
    fn await_ready(&mut self) -> Result<(), PostgresError> {
        let started = Instant::now();
        let mine = self.child.id().to_string();
        loop {
            let file = self.directory.read_pid_file();
            let mut lines = file.lines().map(str::trim);
            if lines.next() == Some(&mine) && lines.nth(6) == Some("ready") {
                return Ok(());
            }
            if self.has_ended() {
                return Err(PostgresError::Ended { log: self.directory.log(), tail: self.directory.log_tail() });
            }
            if started.elapsed() > START_LIMIT {
                return Err(PostgresError::NotReady { log: self.directory.log(), tail: self.directory.log_tail() });
            }
            thread::sleep(POLL);
        }
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let _ = self.end();
    }
}

/// Into a directory of another name, so that one that was broken off is never taken for whole.
fn initialise(
    directory: &Directory,
    account: &Account,
    binaries: &Binaries,
    durability: Durability,
) -> Result<(), PostgresError> {
    let unfinished = directory.path().join("data-unfinished");
    if unfinished.exists() {
        fs::remove_dir_all(&unfinished)?;
    }
    let mut command = account.command(&binaries.initdb, directory.path());
    command.arg("-D").arg(&unfinished).args(["-U", SUPERUSER, "-A", "trust", "--no-locale", "-E", "UTF8"]);
    match durability {
        Durability::Durable => {}
        Durability::Throwaway => {
            command.arg("--no-sync");
        }
    }
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|source| PostgresError::Run { program: binaries.initdb.clone(), source })?;
    if !output.status.success() {
        return Err(PostgresError::Initdb { message: String::from_utf8_lossy(&output.stderr).trim().to_owned() });
    }
    fs::rename(&unfinished, directory.data()).map_err(PostgresError::from)
}

/// Terse errors: the detail of a refused row shows the row, and a row may hold a secret.
fn settings(durability: Durability) -> Vec<&'static str> {
    let mut settings = vec![
        "-c",
        "listen_addresses=",
        "-c",
        "unix_socket_permissions=0700",
        "-c",
        "max_connections=200",
        "-c",
        "log_error_verbosity=terse",
        "-c",
        "log_checkpoints=off",
    ];
    match durability {
        Durability::Durable => settings.extend(["-c", "fsync=on", "-c", "synchronous_commit=on"]),
        Durability::Throwaway => {
            settings.extend(["-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off"]);
        }
    }
    settings
}

/// A path as the host part of a URL.
fn percent_encoded(path: &Path) -> String {
    path.as_os_str()
        .as_encoded_bytes()
        .iter()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => char::from(*byte).to_string(),
            other => format!("%{other:02X}"),
        })
        .collect()
}
