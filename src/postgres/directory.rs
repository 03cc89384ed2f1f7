//! The directory of a cluster: whose it is, who runs it, and what an earlier run has left in it.

use std::fs::{self, DirBuilder, File, OpenOptions, Permissions, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Pid, Signal, kill_process, test_kill_process};

use super::account::Account;
use super::{POLL, PostgresError};

const MARK: &str = "fereta-cluster";
const THROWAWAY: &str = "fereta-throwaway-";
/// The longest path of a socket that every system takes, its name included.
const SOCKET_PATH_LIMIT: usize = 107;
const SOCKET_NAME: &str = "/.s.PGSQL.5432";
/// A log longer than this is begun anew at a start, in bytes.
const LOG_LIMIT: u64 = 10_000_000;
const LOG_TAIL: usize = 2_000;
/// How long a directory may still be held by somebody who is about to end.
const LOCK_PATIENCE: Duration = Duration::from_secs(2);

#[derive(Debug)]
pub(super) struct Directory {
    path: PathBuf,
    socket: PathBuf,
    /// Whether the socket is elsewhere, as the directory's path is too long.
    elsewhere: bool,
}

/// A name that no other process has.
pub(super) fn throwaway(place: &Path) -> PathBuf {
    place.join(format!("{THROWAWAY}{}-{}", std::process::id(), uuid::Uuid::now_v7().simple()))
}

/// Removes what killed runs have left behind: not what belongs to a process that lives, even if it has not locked it yet, nor
/// what belongs to another account, as everybody may put things into such a place.
pub(super) fn sweep(place: &Path, account: &Account) {
    let entries = fs::read_dir(place).into_iter().flatten().flatten();
    let left = entries.filter(|entry| entry.file_name().to_str().and_then(maker).is_some_and(|pid| !lives(pid)));
    for entry in left.filter(|entry| entry.metadata().is_ok_and(|found| found.is_dir() && account.owns(&found))) {
        let left = Directory { path: entry.path(), socket: entry.path(), elsewhere: false };
        if left.mark().is_file() && left.lock().is_ok_and(|_lock| left.end_orphan(Duration::from_secs(5)).is_ok()) {
            left.remove();
        }
    }
}

/// The process that made a throwaway of that name.
fn maker(name: &str) -> Option<i32> {
    name.strip_prefix(THROWAWAY)?.split('-').next()?.parse().ok()
}

fn lives(pid: i32) -> bool {
    // To be refused is to be told that it lives.
    Pid::from_raw(pid).is_some_and(|pid| test_kill_process(pid) != Err(Errno::SRCH))
}

impl Directory {
    /// Makes it, or takes it over if we made it before.
    pub(super) fn claim(path: &Path, account: &Account) -> Result<Self, PostgresError> {
        let path = std::path::absolute(path)?;
        if !path.join(MARK).is_file() {
            if fs::read_dir(&path).is_ok_and(|mut entries| entries.next().is_some()) {
                return Err(PostgresError::Foreign { directory: path });
            }
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent)?;
            }
        }
        if let Some(obstacle) = account.obstacle(&path) {
            return Err(PostgresError::Unreachable { account: account.name.clone(), obstacle, directory: path });
        }
        if !path.join(MARK).is_file() {
            make_private(&path)?;
            fs::write(path.join(MARK), "The data of a private PostgreSQL, made and run by fereta.\n")?;
        }
        account.give(&path)?;
        let path = path.canonicalize()?;
        let elsewhere = path.as_os_str().len() + SOCKET_NAME.len() > SOCKET_PATH_LIMIT;
        let socket = if elsewhere { short_directory(account)? } else { path.clone() };
        Ok(Self { path, socket, elsewhere })
    }

    /// Held until the file is closed, which the system does even for a process that is killed.
    pub(super) fn lock(&self) -> Result<File, PostgresError> {
        let file =
            OpenOptions::new().create(true).truncate(false).write(true).mode(0o600).open(self.path.join("lock"))?;
        // Whoever has just ended may hold it a moment longer.
        let asked = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(file),
                Err(TryLockError::WouldBlock) if asked.elapsed() < LOCK_PATIENCE => thread::sleep(POLL),
                Err(TryLockError::WouldBlock) => return Err(PostgresError::InUse { directory: self.path.clone() }),
                Err(TryLockError::Error(error)) => return Err(error.into()),
            }
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn data(&self) -> PathBuf {
        self.path.join("data")
    }

    /// The directory that the socket is in.
    pub(super) fn socket(&self) -> &Path {
        &self.socket
    }

    pub(super) fn log(&self) -> PathBuf {
        self.path.join("log")
    }

    fn mark(&self) -> PathBuf {
        self.path.join(MARK)
    }

    /// The major version of the PostgreSQL that made the data; none if there are none yet.
    pub(super) fn made_by_version(&self) -> Result<Option<String>, PostgresError> {
        match fs::read_to_string(self.data().join("PG_VERSION")) {
            Ok(version) => Ok(Some(version.trim().to_owned())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    pub(super) fn open_log(&self) -> Result<File, PostgresError> {
        let path = self.log();
        let long = fs::metadata(&path).is_ok_and(|metadata| metadata.len() > LOG_LIMIT);
        Ok(OpenOptions::new().create(true).append(!long).write(true).truncate(long).mode(0o600).open(path)?)
    }

    pub(super) fn log_tail(&self) -> String {
        let log = fs::read(self.log()).unwrap_or_default();
        String::from_utf8_lossy(log.get(log.len().saturating_sub(LOG_TAIL)..).unwrap_or_default()).into_owned()
    }

    pub(super) fn read_pid_file(&self) -> String {
        fs::read_to_string(self.data().join("postmaster.pid")).unwrap_or_default()
    }

    /// Ends the PostgreSQL that a killed run has left behind, and forgets the pid of one that is gone.
    ///
    /// We hold the lock, so nobody runs it. A pid alone says little, as another process may have it by now: only one whose
    /// working directory is this cluster's data is the cluster.
    pub(super) fn end_orphan(&self, limit: Duration) -> Result<(), PostgresError> {
        let Some(pid) = self.read_pid_file().lines().next().and_then(|line| line.trim().parse::<i32>().ok()) else {
            return Ok(());
        };
        let runs = || {
            fs::read_link(format!("/proc/{pid}/cwd")).is_ok_and(|cwd| cwd == self.data())
                && Pid::from_raw(pid).is_some_and(|pid| test_kill_process(pid).is_ok())
        };
        if runs() {
            if let Some(pid) = Pid::from_raw(pid) {
                let _ = kill_process(pid, Signal::INT);
            }
            let asked = Instant::now();
            while runs() {
                if asked.elapsed() > limit {
                    return Err(PostgresError::Orphan { pid, directory: self.path.clone() });
                }
                thread::sleep(POLL);
            }
        }
        match fs::remove_file(self.data().join("postmaster.pid")) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error.into()),
            _ => Ok(()),
        }
    }

    pub(super) fn remove_temporary_socket(&self) {
        if self.elsewhere {
            let _ = fs::remove_dir_all(&self.socket);
        }
    }

    pub(super) fn remove(&self) {
        self.remove_temporary_socket();
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// A new directory, or an empty one, that only its owner may enter.
fn make_private(path: &Path) -> Result<(), PostgresError> {
    match DirBuilder::new().mode(0o700).create(path) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            Ok(fs::set_permissions(path, Permissions::from_mode(0o700))?)
        }
        Err(error) => Err(error.into()),
    }
}

/// Somewhere short, and new: a directory that was there before could be anybody's.
fn short_directory(account: &Account) -> Result<PathBuf, PostgresError> {
    let place = Path::new("/tmp");
    let path = place.join(format!("fereta-{}", uuid::Uuid::now_v7().simple()));
    DirBuilder::new().mode(0o700).create(&path).map_err(|_| PostgresError::Socket { directory: place.to_owned() })?;
    account.give(&path)?;
    Ok(path)
}
