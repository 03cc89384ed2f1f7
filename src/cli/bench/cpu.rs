//! How much CPU time the server and PostgreSQL have used, from /proc.

use std::fs;
use std::path::{Path, PathBuf};

use super::CliError;

/// Ticks in a second, which Linux fixes at 100 for what it tells in /proc.
const TICKS_PER_SECOND: f64 = 100.0;

/// Whose time is read.
pub(super) struct Cpu {
    server: u32,
    postmaster: u32,
}

/// CPU time in seconds.
#[derive(Clone, Copy)]
pub(super) struct Spent {
    pub(super) server_s: f64,
    pub(super) postgres_s: f64,
}

impl Cpu {
    pub(super) fn new(server: u32, data: &Path) -> Result<Self, CliError> {
        let text = fs::read_to_string(data.join("postmaster.pid"))?;
        let postmaster = text.lines().next().ok_or("postmaster.pid is empty")?.trim().parse()?;
        Ok(Self { server, postmaster })
    }

    /// All time used so far.
    pub(super) fn read(&self) -> Result<Spent, CliError> {
        let mut postgres_s = stat(self.postmaster)?.all_s;
        for process in fs::read_dir("/proc")? {
            let pid = process?.file_name().to_str().and_then(|name| name.parse().ok());
            // A process that ends meanwhile is counted with its parent the next time.
            if let Some(child) = pid.and_then(|pid| stat(pid).ok()).filter(|stat| stat.parent == self.postmaster) {
                postgres_s += child.all_s;
            }
        }
        Ok(Spent { server_s: stat(self.server)?.all_s, postgres_s })
    }
}

impl Spent {
    pub(super) fn since(self, before: Self) -> Self {
        Self { server_s: self.server_s - before.server_s, postgres_s: self.postgres_s - before.postgres_s }
    }
}

struct Stat {
    parent: u32,
    /// Its own time and that of its children that have ended, in seconds.
    all_s: f64,
}

fn stat(pid: u32) -> Result<Stat, CliError> {
    let text = fs::read_to_string(PathBuf::from("/proc").join(pid.to_string()).join("stat"))?;
    // The name, in parentheses, may hold anything; what follows is numbers.
    let (_, rest) = text.rsplit_once(") ").ok_or("an unknown form of /proc/…/stat")?;
    let fields: Vec<&str> = rest.split(' ').collect();
    let number = |place: usize| fields.get(place).and_then(|field| field.parse::<u64>().ok()).unwrap_or(0);
    let ticks: u64 = (11..15).map(number).sum();
    Ok(Stat { parent: u32::try_from(number(1))?, all_s: ticks as f64 / TICKS_PER_SECOND })
}
