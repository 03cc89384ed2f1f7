//! What the swarm counts, and what it has found.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How many findings are told one by one.
const TOLD: usize = 20;
/// Most findings whose words are kept.
const KEPT: usize = 200;
/// A 503 is forgiven if within this time some request was not answered at all: the server was going down or coming up.
const RESTART: Duration = Duration::from_secs(15);

/// A number that only grows.
#[derive(Default)]
pub(super) struct Counter(AtomicU64);

impl Counter {
    pub(super) fn add(&self, n: u64) {
        self.0.fetch_add(n, Ordering::Relaxed);
    }

    fn total(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// The whole swarm's figures.
#[derive(Default)]
pub(super) struct Tally {
    /// Games played and checked to the end.
    pub(super) games: Counter,
    /// Moves that were accepted.
    pub(super) moves: Counter,
    /// Requests sent again because the answer did not come, or was a 503 or 429.
    pub(super) retries: Counter,
    /// Accepted requests that were asked again and answered again.
    pub(super) replays: Counter,
    /// Refusals that were asked for.
    pub(super) refusals: Counter,
    /// Connections cut before the answer was read.
    pub(super) cuts: Counter,
    found: Mutex<(u64, Vec<String>)>,
    latencies: Mutex<Vec<Duration>>,
    outages: Mutex<Vec<Instant>>,
    unavailable: Mutex<Vec<(Instant, String)>>,
}

/// The figures at the end.
pub(super) struct Report {
    lines: String,
    findings: u64,
}

impl Tally {
    /// Something that a client may not rely on, though it was promised.
    pub(super) fn find(&self, what: String) {
        let mut found = lock(&self.found);
        found.0 += 1;
        if found.1.len() < KEPT {
            found.1.push(what);
        }
    }

    /// A few words for the progress bar.
    pub(super) fn found_so_far(&self) -> String {
        match lock(&self.found).0 {
            0 => String::new(),
            n => format!("({n} findings)"),
        }
    }

    /// How long an accepted move took.
    pub(super) fn took(&self, latency: Duration) {
        lock(&self.latencies).push(latency);
    }

    /// A request was not answered.
    pub(super) fn outage(&self) {
        lock(&self.outages).push(Instant::now());
    }

    /// A request was answered with 503.
    pub(super) fn unavailable(&self, what: String) {
        lock(&self.unavailable).push((Instant::now(), what));
    }

    /// The figures after `elapsed`; judges the 503s, so it is to be asked once, at the end.
    pub(super) fn report(&self, elapsed: Duration) -> Report {
        let outages = lock(&self.outages).clone();
        let restarting = |at: &Instant| {
            outages.iter().any(|outage| at.max(outage).saturating_duration_since(*at.min(outage)) < RESTART)
        };
        let unavailable = std::mem::take(&mut *lock(&self.unavailable));
        let forgiven = unavailable.iter().filter(|(at, _)| restarting(at)).count();
        for (_, what) in unavailable.into_iter().filter(|(at, _)| !restarting(at)) {
            self.find(format!("{what}: 503 though the server was up"));
        }
        let mut latencies = lock(&self.latencies).clone();
        latencies.sort_unstable();
        let percentile = |percent: usize| {
            let latency = latencies.get((latencies.len() * percent / 100).min(latencies.len().saturating_sub(1)));
            latency.map_or(0.0, |latency| latency.as_secs_f64() * 1000.0)
        };
        let (moves, seconds) = (self.moves.total(), elapsed.as_secs_f64());
        let (p50, p99) = (percentile(50), percentile(99));
        let (games, retries, replays) = (self.games.total(), self.retries.total(), self.replays.total());
        let (refusals, cuts) = (self.refusals.total(), self.cuts.total());
        let (findings, words) = &*lock(&self.found);
        let mut lines = format!(
            "games {games} in {seconds:.1} s\nmoves {moves} ({:.0}/s), p50 {p50:.1} ms, p99 {p99:.1} ms\n\
             retries {retries}, replays {replays}, cut connections {cuts}, refusals provoked {refusals}\n\
             unanswered {}, 503 in those times {forgiven}\nfindings {findings}",
            moves as f64 / seconds.max(0.001),
            outages.len(),
        );
        for finding in words.iter().take(TOLD) {
            lines.push_str("\n- ");
            lines.push_str(finding);
        }
        Report { lines, findings: *findings }
    }
}

impl Report {
    /// Whether nothing was found.
    pub(super) const fn is_clean(&self) -> bool {
        self.findings == 0
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.lines)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_503_is_forgiven_only_while_the_server_is_away() {
        let tally = Tally::default();
        tally.unavailable("GET /".into());
        assert!(!tally.report(Duration::from_secs(1)).is_clean());

        let tally = Tally::default();
        tally.unavailable("GET /".into());
        tally.outage();
        assert!(tally.report(Duration::from_secs(1)).is_clean());
    }

    #[test]
    fn percentiles_of_few_latencies() {
        let tally = Tally::default();
        assert!(tally.report(Duration::ZERO).to_string().contains("p99 0.0 ms"));
        tally.took(Duration::from_millis(7));
        assert!(tally.report(Duration::ZERO).to_string().contains("p50 7.0 ms, p99 7.0 ms"));
    }
}
