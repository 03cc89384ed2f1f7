//! Where the programs `initdb` and `postgres` are.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use super::PostgresError;

/// The programs of one release.
#[derive(Debug)]
pub(super) struct Binaries {
    pub(super) initdb: PathBuf,
    pub(super) postgres: PathBuf,
}

impl Binaries {
    /// Those of the given major version, or the newest: Debian's and Ubuntu's place first, then the PATH.
    pub(super) fn find(version: Option<&str>) -> Result<Self, PostgresError> {
        let debian = debian_versions(Path::new("/usr/lib/postgresql"));
        let wanted = |found: &u32| version.is_none_or(|version| version == found.to_string());
        let debian = debian.into_iter().filter(|(found, _)| wanted(found)).map(|(_, directory)| directory);
        let path = env::var_os("PATH").unwrap_or_default();
        // Another version on the PATH refuses foreign data by itself, and says so in the log.
        debian
            .chain(env::split_paths(&path))
            .find_map(|directory| Self::inside(&directory))
            .ok_or_else(|| PostgresError::NoBinaries { version: version.map(str::to_owned) })
    }

    fn inside(directory: &Path) -> Option<Self> {
        let binaries = Self { initdb: directory.join("initdb"), postgres: directory.join("postgres") };
        (binaries.initdb.is_file() && binaries.postgres.is_file()).then_some(binaries)
    }
}

/// The newest first.
fn debian_versions(root: &Path) -> Vec<(u32, PathBuf)> {
    let entries = fs::read_dir(root).into_iter().flatten().flatten();
    let mut versions: Vec<_> = entries
        .filter_map(|entry| Some((entry.file_name().to_str()?.parse().ok()?, entry.path().join("bin"))))
        .collect();
    versions.sort();
    versions.reverse();
    versions
}
