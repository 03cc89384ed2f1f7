//! `fereta bench bots`: how late bots move, what a move of theirs costs, and what players feel of it while many games of bots
//! are being played.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::sleep;

use super::cpu::Cpu;
use super::load::{Done, Load};
use super::tables::{Tables, text};
use super::{BotArgs, CliError, Site};

/// How long the games of bots run before anything is measured.
const WARM_UP: Duration = Duration::from_secs(3);
/// How many games of bots one account makes: half of what it may.
const PER_ACCOUNT: u32 = 25;
/// How many tables people play at on one connection in the time that is measured, more than they get through.
const TABLES_PER_CONNECTION: usize = 24;

pub(super) async fn measure(site: &Site<'_>, metrics: &str, args: &BotArgs) -> Result<(), CliError> {
    let time = Duration::from_secs(args.seconds);
    let address = &site.server.address;
    let load = Load { address, connections: args.connections, time };
    let tables = TABLES_PER_CONNECTION * args.connections;
    let mut alone = Tables::set_up(site.store, address, tables).await?;
    let mut beside = Tables::set_up(site.store, address, tables).await?;
    println!("seconds per figure: {}; durable PostgreSQL, server and clients on the same machine", args.seconds);
    let idle = load.run(alone.take_scripts()).await?;
    players("no bots", &idle);

    seat_bots(address, args).await?;
    sleep(WARM_UP).await;
    let cpu = Cpu::new(site.server.pid()?, &site.cluster.directory().join("data"))?;
    let (before, spent) = (Lateness::read(metrics).await?, cpu.read()?);
    sleep(time).await;
    let (after, spent) = (Lateness::read(metrics).await?, cpu.read()?.since(spent));
    let bots = after.since(&before);
    println!("{} games of bots ({}), nobody else: {bots}", args.games, args.levels.join(", "));
    let microseconds = |seconds: f64| seconds * 1e6 / bots.moves.max(1.0);
    println!(
        "CPU per bot's move: server {:.0} us, PostgreSQL {:.0} us",
        microseconds(spent.server_s),
        microseconds(spent.postgres_s)
    );

    let before = Lateness::read(metrics).await?;
    let busy = load.run(beside.take_scripts()).await?;
    let bots = Lateness::read(metrics).await?.since(&before);
    players("the same bots", &busy);
    println!("the bots meanwhile: {bots}");
    let ratio = |percent| busy.percentile_ms(percent) / idle.percentile_ms(percent);
    println!("ratios of people's moves beside bots to those alone: p50 {:.2}, p99 {:.2}", ratio(50), ratio(99));
    Ok(())
}

fn players(beside: &str, done: &Done) {
    println!(
        "people's moves beside {beside}: {:.0}/s (p50 {:.1} ms, p99 {:.1} ms)",
        done.per_second(),
        done.percentile_ms(50),
        done.percentile_ms(99)
    );
}

/// Sets up games of bots alone, of four each.
async fn seat_bots(address: &str, args: &BotArgs) -> Result<(), CliError> {
    let client = reqwest::Client::new();
    let mut token = String::new();
    for number in 0..args.games {
        if number % PER_ACCOUNT == 0 {
            let name = format!("watcher {}", uuid::Uuid::now_v7().simple());
            let url = format!("http://{address}/v1/accounts/guest");
            let session: Value = client.post(url).json(&json!({"name": name})).send().await?.json().await?;
            token = text(&session, "/access_token")?;
        }
        let bots: Vec<_> = args.levels.iter().cycle().take(4).map(|level| json!({"level": level})).collect();
        let body = json!({"players": 4, "seat": false, "bots": bots});
        let request = client.post(format!("http://{address}/v1/games")).bearer_auth(&token);
        let key = uuid::Uuid::now_v7().simple().to_string();
        request.header("idempotency-key", key).json(&body).send().await?.error_for_status()?;
    }
    Ok(())
}

/// How many moves bots made, by how late they came at most: the server's own histogram.
struct Lateness {
    moves: f64,
    /// Upper bounds in seconds, and how many moves were within each.
    buckets: Vec<(f64, f64)>,
}

impl Lateness {
    async fn read(metrics: &str) -> Result<Self, CliError> {
        let page = reqwest::get(format!("http://{metrics}/metrics")).await?.text().await?;
        let mut buckets = Vec::new();
        for line in page.lines() {
            let Some(rest) = line.strip_prefix("fereta_bot_lateness_seconds_bucket{le=\"") else { continue };
            let (bound, count) = rest.split_once("\"} ").ok_or("an unknown form of the metrics")?;
            buckets.push((bound.parse().unwrap_or(f64::INFINITY), count.parse()?));
        }
        Ok(Self { moves: buckets.last().map_or(0.0, |(_, count)| *count), buckets })
    }

    fn since(&self, before: &Self) -> Self {
        let counts = self.buckets.iter().zip(&before.buckets);
        let buckets = counts.map(|((bound, count), (_, before))| (*bound, count - before)).collect();
        Self { moves: self.moves - before.moves, buckets }
    }

    /// Within a bucket the moves are taken to be spread evenly.
    fn percentile_ms(&self, percent: f64) -> f64 {
        let wanted = self.moves * percent / 100.0;
        let (mut from, mut below) = (0.0, 0.0);
        for (bound, count) in &self.buckets {
            if *count >= wanted && *count > below {
                let bound = if bound.is_finite() { *bound } else { from };
                return 1e3 * (from + (bound - from) * (wanted - below) / (count - below));
            }
            (from, below) = (*bound, *count);
        }
        0.0
    }
}

impl std::fmt::Display for Lateness {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [p50, p95, p99] = [50.0, 95.0, 99.0].map(|percent| self.percentile_ms(percent));
        write!(formatter, "{:.0} moves, late by p50 {p50:.1} ms, p95 {p95:.1} ms, p99 {p99:.1} ms", self.moves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_lie_within_their_buckets() {
        let late =
            Lateness { moves: 100.0, buckets: vec![(0.001, 0.0), (0.01, 90.0), (0.1, 100.0), (f64::INFINITY, 100.0)] };
        assert_eq!(late.percentile_ms(90.0).round() as u32, 10);
        assert_eq!(late.percentile_ms(95.0).round() as u32, 55);
        assert_eq!(late.percentile_ms(0.0).round() as u32, 1);
        assert_eq!(Lateness { moves: 0.0, buckets: Vec::new() }.percentile_ms(99.0) as u32, 0);
    }
}
