//! A directory that PostgreSQL's account can enter, deleted with the value.

use std::fs;
use std::path::{Path, PathBuf};

/// A directory of its own; in memory where there is such a place, as a durable cluster waits for the disk.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        let memory = Path::new("/dev/shm");
        let place = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
        let path = place.join(format!("fereta-test-{}", uuid::Uuid::now_v7().simple()));
        fs::create_dir(&path).unwrap();
        Self(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
