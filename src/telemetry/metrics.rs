//! What the server counts, for whoever operates it: OpenMetrics text.
//!
//! Everything is a sum over all games and all callers, and every label is one of few words that are known beforehand
//! (operations, statuses, problems). Must never: carry an id, a name, a path or anything else that came with a request, or
//! count what one game or one player did; sums over few games still tell something, so the page is for operators alone.

use std::sync::Arc;
use std::time::Duration;

use prometheus_client::encoding::{EncodeLabelSet, text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};

/// The media type of [`Metrics::text`].
pub const MEDIA_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Upper bounds of the histogram's buckets, in seconds.
const BUCKETS_S: [f64; 14] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0];

/// Everything that is counted. One for the whole server.
pub struct Metrics {
    registry: Registry,
    requests: Family<Request, Counter>,
    durations: Family<Operation, Histogram, fn() -> Histogram>,
    games: Family<Games, Gauge>,
    connections: Family<Connections, Gauge>,
    max_connections: Gauge,
    waiting: Gauge,
}

/// What is counted at the door to the games. Clones count together.
#[derive(Clone)]
pub struct PlayCounts {
    changes: Family<Change, Counter>,
    events: Counter,
    conflicts: Family<Conflict, Counter>,
    bot_moves: Family<Level, Counter>,
    bot_lateness: Histogram,
    bot_thinking: Family<Level, Histogram, fn() -> Histogram>,
}

/// Why a change had to be looked at again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clash {
    /// Somebody else changed the game between the read and the write.
    Overtaken,
    /// PostgreSQL broke the statement off for another's sake.
    Serialization,
    /// The connection broke after the statement was sent.
    ConnectionLost,
}

/// What is true at the moment, read when the page is asked for.
#[derive(Clone, Debug, Default)]
pub struct Readings {
    /// The number of games by where they stand; empty if the database did not tell.
    pub games: Vec<(&'static str, u64)>,
    /// The most connections to the database that there can be.
    pub max_connections: usize,
    /// Connections to the database that serve a request.
    pub connections_in_use: usize,
    /// Connections to the database that are free.
    pub connections_idle: usize,
    /// Requests that wait for a connection.
    pub waiting: usize,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Request {
    operation: Arc<str>,
    status: u16,
    problem: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Operation {
    operation: Arc<str>,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Change {
    action: &'static str,
    outcome: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Conflict {
    cause: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Level {
    level: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Games {
    status: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Connections {
    state: &'static str,
}

impl Metrics {
    /// Of a server whose door counts there, and whose pool has at most that many connections.
    #[must_use]
    pub fn new(play: &PlayCounts) -> Self {
        let mut registry = Registry::with_prefix("fereta");
        let new = Self {
            registry: Registry::default(),
            requests: Family::default(),
            durations: Family::new_with_constructor(|| Histogram::new(BUCKETS_S)),
            games: Family::default(),
            connections: Family::default(),
            max_connections: Gauge::default(),
            waiting: Gauge::default(),
        };
        registry.register("build", "The program that runs", Info::new([("version", env!("CARGO_PKG_VERSION"))]));
        let about = "Requests that were answered, by operation, status and problem";
        registry.register("requests", about, new.requests.clone());
        let about = "Time until an answer began; long polls and streams wait on purpose";
        registry.register_with_unit("request_duration", about, Unit::Seconds, new.durations.clone());
        let about = "Changes of games that were written, or answered again under a key that was used before";
        registry.register("changes", about, play.changes.clone());
        registry.register("events", "Events written to the games' logs", play.events.clone());
        let about = "Writes that had to be looked at again, as others were faster or the connection broke";
        registry.register("conflicts", about, play.conflicts.clone());
        registry.register("bot_moves", "Moves that this server made for bots, by level", play.bot_moves.clone());
        let about = "Time from when a bot's move was to be made until it was on disk";
        registry.register_with_unit("bot_lateness", about, Unit::Seconds, play.bot_lateness.clone());
        let about = "Time that a bot's move was thought about, by level";
        registry.register_with_unit("bot_thinking", about, Unit::Seconds, play.bot_thinking.clone());
        let about = "Games in the whole database; each status is counted up to 1,000,000, at most twice a minute";
        registry.register("games", about, new.games.clone());
        registry.register("pool_connections", "Connections to the database", new.connections.clone());
        let about = "Most connections to the database at once";
        registry.register("pool_max_connections", about, new.max_connections.clone());
        registry.register("pool_waiting", "Requests that wait for a connection", new.waiting.clone());
        Self { registry, ..new }
    }

    /// Counts an answer. `operation` is the operation's id, `none` where there is no operation; `problem` is the problem's word.
    pub fn answered(&self, operation: &Arc<str>, status: u16, problem: Option<&'static str>, took: Duration) {
        let problem = problem.unwrap_or_default();
        self.requests.get_or_create(&Request { operation: operation.clone(), status, problem }).inc();
        self.durations.get_or_create(&Operation { operation: operation.clone() }).observe(took.as_secs_f64());
    }

    /// The page.
    #[must_use]
    pub fn text(&self, readings: &Readings) -> String {
        self.games.clear();
        for (status, games) in &readings.games {
            self.games.get_or_create(&Games { status }).set(i64::try_from(*games).unwrap_or(i64::MAX));
        }
        let connections = [("in_use", readings.connections_in_use), ("idle", readings.connections_idle)];
        for (state, count) in connections {
            self.connections.get_or_create(&Connections { state }).set(number(count));
        }
        self.max_connections.set(number(readings.max_connections));
        self.waiting.set(number(readings.waiting));
        let mut page = String::new();
        // A String takes everything.
        let _ = text::encode(&mut page, &self.registry);
        page
    }
}

impl Default for PlayCounts {
    fn default() -> Self {
        Self {
            changes: Family::default(),
            events: Counter::default(),
            conflicts: Family::default(),
            bot_moves: Family::default(),
            bot_lateness: Histogram::new(BUCKETS_S),
            bot_thinking: Family::new_with_constructor(|| Histogram::new(BUCKETS_S)),
        }
    }
}

impl PlayCounts {
    /// A bot of that level moved, so long after its time.
    pub fn bot_moved(&self, level: &'static str, late: Duration) {
        self.bot_moves.get_or_create(&Level { level }).inc();
        self.bot_lateness.observe(late.as_secs_f64());
    }

    /// A bot of that level thought about a move.
    pub fn bot_thought(&self, level: &'static str, took: Duration) {
        self.bot_thinking.get_or_create(&Level { level }).observe(took.as_secs_f64());
    }

    /// A change was written, with that many events.
    pub fn written(&self, action: &'static str, events: usize) {
        self.changes.get_or_create(&Change { action, outcome: "accepted" }).inc();
        self.events.inc_by(u64::try_from(events).unwrap_or(u64::MAX));
    }

    /// A change that was made before was answered again.
    pub fn replayed(&self, action: &'static str) {
        self.changes.get_or_create(&Change { action, outcome: "replayed" }).inc();
    }

    /// A write did not come through.
    pub fn clashed(&self, clash: Clash) {
        let cause = match clash {
            Clash::Overtaken => "overtaken",
            Clash::Serialization => "serialization",
            Clash::ConnectionLost => "connection_lost",
        };
        self.conflicts.get_or_create(&Conflict { cause }).inc();
    }
}

fn number(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page() {
        let play = PlayCounts::default();
        let metrics = Metrics::new(&play);
        metrics.answered(&"submit_move".into(), 200, None, Duration::from_millis(3));
        metrics.answered(&"submit_move".into(), 409, Some("stale-version"), Duration::from_millis(1));
        play.written("move", 3);
        play.replayed("move");
        play.clashed(Clash::Overtaken);
        let games = vec![("open", 2)];
        let readings = Readings { games, max_connections: 32, connections_idle: 5, ..Readings::default() };
        let page = metrics.text(&readings);
        for line in [
            r#"fereta_requests_total{operation="submit_move",status="200",problem=""} 1"#,
            r#"fereta_requests_total{operation="submit_move",status="409",problem="stale-version"} 1"#,
            r#"fereta_request_duration_seconds_bucket{le="0.005",operation="submit_move"} 2"#,
            r#"fereta_changes_total{action="move",outcome="replayed"} 1"#,
            "fereta_events_total 3",
            r#"fereta_conflicts_total{cause="overtaken"} 1"#,
            r#"fereta_games{status="open"} 2"#,
            r#"fereta_pool_connections{state="idle"} 5"#,
            "fereta_pool_max_connections 32",
        ] {
            assert!(page.lines().any(|found| found == line), "{line} is missing in\n{page}");
        }
        assert!(page.ends_with("# EOF\n"));
        assert!(!metrics.text(&Readings::default()).contains("fereta_games{"), "old numbers are not told again");
    }
}
