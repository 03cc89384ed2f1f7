//! Why a private PostgreSQL does not run, and what to do about it.

use std::io;
use std::path::PathBuf;

/// Why a private PostgreSQL does not run.
#[derive(Debug, thiserror::Error)]
pub enum PostgresError {
    /// There is no PostgreSQL on this machine.
    #[error(
        "no PostgreSQL{} was found under /usr/lib/postgresql or on the PATH; install it (Debian, Ubuntu: apt-get install \
         postgresql), or give a DATABASE_URL",
        version.as_ref().map(|version| format!(" {version}")).unwrap_or_default()
    )]
    NoBinaries {
        /// The version that the data need.
        version: Option<String>,
    },
    /// There is no account to run it under.
    #[error("PostgreSQL does not run as root, and this system has neither an account postgres nor nobody")]
    NoAccount,
    /// The account that PostgreSQL runs under cannot get there.
    #[error("the account {account} cannot enter {}, so PostgreSQL cannot keep its data in {}", obstacle.display(), directory.display())]
    Unreachable {
        /// The account.
        account: String,
        /// The directory on the way that it may not enter.
        obstacle: PathBuf,
        /// Where the data should be.
        directory: PathBuf,
    },
    /// The directory holds something, but not a cluster of ours.
    #[error("{} was not made by fereta and is left alone; name another --data-dir, or move it away", directory.display())]
    Foreign {
        /// The directory.
        directory: PathBuf,
    },
    /// Another process runs this cluster.
    #[error("another fereta is running on {}; stop it, or give this one a --data-dir of its own", directory.display())]
    InUse {
        /// The directory.
        directory: PathBuf,
    },
    /// A PostgreSQL that was left behind does not end.
    #[error("a PostgreSQL (process {pid}) that an earlier run left behind on {} does not end; stop it first", directory.display())]
    Orphan {
        /// Its process id.
        pid: i32,
        /// The directory.
        directory: PathBuf,
    },
    /// The path of the socket would be too long for the system.
    #[error("no directory for the socket could be made in {}", directory.display())]
    Socket {
        /// Where it was tried.
        directory: PathBuf,
    },
    /// A program could not be started.
    #[error("{} could not be started: {source}", program.display())]
    Run {
        /// The program.
        program: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The cluster could not be made.
    #[error("initdb failed: {message}")]
    Initdb {
        /// What it said.
        message: String,
    },
    /// It ended while it was starting.
    #[error("PostgreSQL ended at once; the end of {}:\n{tail}", log.display())]
    Ended {
        /// Its log.
        log: PathBuf,
        /// The end of it.
        tail: String,
    },
    /// It runs but does not become ready.
    #[error("PostgreSQL did not become ready within a minute; the end of {}:\n{tail}", log.display())]
    NotReady {
        /// Its log.
        log: PathBuf,
        /// The end of it.
        tail: String,
    },
    /// The file system refused something.
    #[error("a file of the private PostgreSQL: {0}")]
    Io(#[from] io::Error),
}
