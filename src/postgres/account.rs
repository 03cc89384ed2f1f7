//! Under whom PostgreSQL runs: under ourselves, or, as it refuses to run as root, under an account that is there for it.

use std::fs::{self, Metadata};
use std::os::unix::fs::{MetadataExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use rustix::process::geteuid;

use super::PostgresError;

/// Who owns the cluster.
#[derive(Clone, Debug)]
pub(super) struct Account {
    pub(super) name: String,
    uid: u32,
    gid: u32,
    /// Whether it is another than the one this process runs under.
    other: bool,
}

impl Account {
    /// This process's own, or, as root, `postgres` or `nobody`.
    pub(super) fn for_postgres() -> Result<Self, PostgresError> {
        let own = geteuid();
        if !own.is_root() {
            let gid = rustix::process::getegid().as_raw();
            return Ok(Self { name: format!("with uid {}", own.as_raw()), uid: own.as_raw(), gid, other: false });
        }
        let passwd = fs::read_to_string("/etc/passwd")?;
        ["postgres", "nobody"].iter().find_map(|name| Self::parse(&passwd, name)).ok_or(PostgresError::NoAccount)
    }

    /// `name:password:uid:gid:…`
    fn parse(passwd: &str, name: &str) -> Option<Self> {
        let mut fields = passwd
            .lines()
            .map(|line| line.split(':'))
            .find_map(|mut fields| (fields.next() == Some(name)).then_some(fields))?;
        let uid = fields.nth(1)?.parse().ok()?;
        let gid = fields.next()?.parse().ok()?;
        Some(Self { name: name.to_owned(), uid, gid, other: true })
    }

    /// A command that runs as this account, from a directory that it can enter.
    pub(super) fn command(&self, program: &Path, directory: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir(directory);
        if self.other {
            // Supplementary groups are dropped by std when root gives up its uid.
            command.uid(self.uid).gid(self.gid);
        }
        command
    }

    /// Makes it the owner.
    pub(super) fn give(&self, path: &Path) -> Result<(), PostgresError> {
        if self.other {
            chown(path, Some(self.uid), Some(self.gid))?;
        }
        Ok(())
    }

    /// Whether it is the owner.
    pub(super) fn owns(&self, metadata: &Metadata) -> bool {
        metadata.uid() == self.uid
    }

    /// The first directory on the way to `path` that this account may not enter.
    pub(super) fn obstacle(&self, path: &Path) -> Option<PathBuf> {
        let mut way: Vec<_> = path.ancestors().skip(1).filter(|ancestor| ancestor.exists()).collect();
        way.reverse();
        way.into_iter().find(|directory| !self.may_enter(directory)).map(Path::to_owned)
    }

    fn may_enter(&self, directory: &Path) -> bool {
        let Ok(metadata) = fs::metadata(directory) else { return false };
        let bit = if metadata.uid() == self.uid {
            0o100
        } else if metadata.gid() == self.gid {
            0o010
        } else {
            0o001
        };
        metadata.mode() & bit != 0
    }
}

#[cfg(test)]
mod tests {
    use super::Account;

    #[test]
    fn an_account_is_found_in_passwd() {
        let passwd = "root:x:0:0:root:/root:/bin/bash\npostgres:x:101:104:PostgreSQL:/var/lib/postgresql:/bin/bash\n";
        let account = Account::parse(passwd, "postgres").unwrap();
        assert_eq!((account.uid, account.gid), (101, 104));
        assert!(Account::parse(passwd, "nobody").is_none());
    }
}
