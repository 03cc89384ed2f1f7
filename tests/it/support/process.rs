//! The real program, as a process of its own.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use super::Database;
use super::Folder;
use super::database::{OWNER, SERVING};

/// The key that servers with a database of the tests' share. Made with openssl, as an operator does.
pub(crate) const TOKEN_KEY: &str = "-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIFCRp6Drw6qTZxBAWIi8VOwuqEqaUEAbLkFEuiPi3sww
-----END PRIVATE KEY-----
";
/// The proof key of servers on one database.
pub(crate) const PROOF_KEY: &str = "-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIPgeE+V2qDW7DJ19QONn3lN3Is5oazQUaTPiBYdX0cRW
-----END PRIVATE KEY-----
";
pub(crate) const REFRESH_KEY: &str = "5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a";

/// `fereta`, without any setting of whoever runs the tests.
pub(crate) fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fereta"));
    command.env_remove("DATABASE_URL").stdin(Stdio::null());
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("FERETA_") {
            command.env_remove(name);
        }
    }
    command
}

pub(crate) fn kill(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).unwrap();
}

/// A server on a free port. Killed when dropped.
pub(crate) struct Server {
    child: Child,
    address: String,
    errors: Option<JoinHandle<String>>,
}

impl Server {
    /// On that database, as the serving role; two may run on one database.
    pub(crate) fn start(database: &Database) -> Self {
        Self::try_start(Self::command(database)).unwrap()
    }

    pub(crate) fn command(database: &Database) -> Command {
        Self::command_at(&database.url(SERVING))
    }

    /// As [`Server::command`], with a database that is reached otherwise.
    pub(crate) fn command_at(url: &str) -> Command {
        let mut command = program();
        command.args(["serve", "--database-url", url]);
        command.env("FERETA_TOKEN_KEY", TOKEN_KEY).env("FERETA_REFRESH_KEY", REFRESH_KEY);
        command.env("FERETA_PROOF_KEY", PROOF_KEY);
        // They would keep the cores busy that other tests need.
        command.env("FERETA_REVIEWS", "off");
        command
    }

    /// As [`Server::command`], migrating first.
    pub(crate) fn migrating_command(database: &Database) -> Command {
        let mut command = Self::command(database);
        command.args(["--owner-database-url", &database.url(OWNER)]);
        command
    }

    /// With a PostgreSQL of its own.
    pub(crate) fn private_command(folder: &Folder) -> Command {
        let mut command = program();
        command.args(["serve", "--data-dir"]).arg(folder.path());
        command
    }

    /// Until it says that it is ready; if it ends first, what it said.
    pub(crate) fn try_start(command: Command) -> Result<Self, String> {
        Self::try_start_at(command, "127.0.0.1:0")
    }

    /// Another one on that database, at the address of this one, which has ended.
    pub(crate) fn start_again(self, database: &Database) -> Self {
        Self::try_start_at(Self::command(database), &self.address).unwrap()
    }

    fn try_start_at(mut command: Command, address: &str) -> Result<Self, String> {
        let mut child =
            command.args(["--listen", address]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stderr = child.stderr.take().unwrap();
        let errors = thread::spawn(move || {
            let mut text = String::new();
            let _ = stderr.read_to_string(&mut text);
            text
        });
        let mut first = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
        match first.trim().split_once("http://") {
            Some((_, address)) => Ok(Self { child, address: address.to_owned(), errors: Some(errors) }),
            None => {
                child.wait().unwrap();
                Err(errors.join().unwrap())
            }
        }
    }

    /// Its address as a client's base.
    pub(crate) fn base(&self) -> String {
        self.url("")
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill(&self.child, signal);
    }

    /// How it ended, within ten seconds.
    pub(crate) fn wait(&mut self) -> ExitStatus {
        let started = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(started.elapsed() < Duration::from_secs(10), "the server does not end");
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// All that it logged, once it has ended.
    pub(crate) fn log(&mut self) -> String {
        self.errors.take().unwrap().join().unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
