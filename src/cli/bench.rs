//! `fereta bench http`: what the server does in a second, as a ratio to what PostgreSQL does when pgbench sends it the very
//! statements that the server sends: the same cluster, the same run, the same rows, keys and events.
//!
//! `fereta bench bots` measures the bots of a server, and what its players feel of them.
//!
//! One figure alone says little on a machine that others use too; a ratio in one run does.

mod bots;
mod cpu;
mod load;
mod tables;
mod yardstick;

use std::path::{Path, PathBuf};
use std::process::{ExitCode, Stdio};
use std::time::Duration;

use clap::{Args, Subcommand};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::task::spawn_blocking;

use self::cpu::Cpu;
use self::load::{Load, Request};
use self::tables::Tables;
use self::yardstick::Yardstick;
use super::CliError;
use crate::auth::keys::Keys;
use crate::postgres::{Cluster, Durability, SUPERUSER};
use crate::store::{self, Store, StoreSettings};

const OWNER: &str = "fereta_owner";
const SERVING: &str = "fereta_server";
const DATABASE: &str = "fereta";

/// What to measure.
#[derive(Debug, Args)]
pub(super) struct BenchArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Moves and views over HTTP, against pgbench on the same PostgreSQL
    Http(HttpArgs),
    /// How late bots move, and what people feel of them
    Bots(BotArgs),
}

#[derive(Debug, Args)]
struct HttpArgs {
    /// How long each figure is measured, in seconds
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u64).range(1..=600))]
    seconds: u64,
    /// How many connections at once, one after the other
    #[arg(long, value_delimiter = ',', default_value = "8,32")]
    connections: Vec<usize>,
}

#[derive(Debug, Args)]
struct BotArgs {
    /// How many games of four bots each are played at once
    #[arg(long, default_value_t = 50)]
    games: u32,
    /// The bots' levels, in turn
    #[arg(long, value_delimiter = ',', default_value = "hard")]
    levels: Vec<String>,
    /// How long each figure is measured, in seconds
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=600))]
    seconds: u64,
    /// How many connections people move on, one after the other on each
    #[arg(long, default_value_t = 2)]
    connections: usize,
}

/// A server of this program and its database.
struct Site<'a> {
    store: &'a Store,
    cluster: &'a Cluster,
    server: &'a Server,
}

pub(super) async fn bench(args: &BenchArgs) -> Result<ExitCode, CliError> {
    match &args.what {
        What::Http(args) => at_a_site(&[], async |site| measure(&site, args).await).await,
        What::Bots(args) => {
            let metrics = std::net::TcpListener::bind("127.0.0.1:0")?.local_addr()?.to_string();
            let settings = ["--metrics-listen", &metrics];
            at_a_site(&settings, async |site| bots::measure(&site, &metrics, args).await).await
        }
    }
}

async fn at_a_site(
    settings: &[&str],
    measure: impl AsyncFnOnce(Site<'_>) -> Result<(), CliError>,
) -> Result<ExitCode, CliError> {
    let place = std::env::temp_dir().join(format!("fereta-bench-{}", std::process::id()));
    let cluster = {
        let place = place.join("postgres");
        spawn_blocking(move || Cluster::start(&place, Durability::Durable)).await??
    };
    let measured = measure_on(&cluster, &place, settings, measure).await;
    spawn_blocking(move || cluster.stop()).await??;
    std::fs::remove_dir_all(&place)?;
    measured?;
    Ok(ExitCode::SUCCESS)
}

async fn measure_on(
    cluster: &Cluster,
    place: &Path,
    settings: &[&str],
    measure: impl AsyncFnOnce(Site<'_>) -> Result<(), CliError>,
) -> Result<(), CliError> {
    store::provision(&cluster.url(SUPERUSER, "postgres"), OWNER, SERVING, DATABASE).await?;
    store::migrate(&cluster.url(OWNER, DATABASE), SERVING).await?;
    let store = Store::connect(&StoreSettings::new(cluster.url(SERVING, DATABASE))).await?;
    let mut server = Server::start(cluster, place, settings).await?;
    let measured = measure(Site { store: &store, cluster, server: &server }).await;
    server.stop().await?;
    measured
}

async fn measure(site: &Site<'_>, args: &HttpArgs) -> Result<(), CliError> {
    let Site { store, cluster, server } = *site;
    let time = Duration::from_secs(args.seconds);
    let cpu = Cpu::new(server.pid()?, &cluster.directory().join("data"))?;
    println!("seconds per figure: {}; durable PostgreSQL, server and clients on the same machine", args.seconds);
    for (round, connections) in args.connections.iter().enumerate() {
        let mut tables = Tables::set_up(store, &server.address, 12 * connections).await?;
        let yardstick = Yardstick::set_up(store, cluster, &tables, *connections, round).await?;
        let moves = Load { address: &server.address, connections: *connections, time };
        let before = cpu.read()?;
        let http = moves.run(tables.take_scripts()).await?;
        let spent = cpu.read()?.since(before);
        let pgbench = yardstick.moves(*connections, time).await?;
        report("moves", *connections, &http, spent, pgbench, (0.5, 0.7));
        let before = cpu.read()?;
        let http = moves.run(views(&tables, *connections)).await?;
        let spent = cpu.read()?.since(before);
        let pgbench = yardstick.views(*connections, time).await?;
        report("views", *connections, &http, spent, pgbench, (0.3, 0.4));
    }
    Ok(())
}

/// More requests for views than can be answered in the time: they are asked over and over.
fn views(tables: &Tables, connections: usize) -> Vec<Vec<Request>> {
    let views = tables.views();
    (0..connections).map(|connection| views.iter().skip(connection % views.len().max(1)).cloned().collect()).collect()
}

fn report(what: &str, connections: usize, http: &load::Done, spent: cpu::Spent, pgbench: f64, (mark, aim): (f64, f64)) {
    let per_second = http.per_second();
    let microseconds = |seconds: f64| seconds * 1e6 / http.answered.max(1) as f64;
    println!(
        "{what}, {connections} connections: {per_second:.0}/s (p50 {:.1} ms, p99 {:.1} ms), pgbench {pgbench:.0}/s, \
         ratio {:.2} (mark {mark}, aim {aim}); CPU per answer: server {:.0} us, PostgreSQL {:.0} us",
        http.percentile_ms(50),
        http.percentile_ms(99),
        per_second / pgbench,
        microseconds(spent.server_s),
        microseconds(spent.postgres_s),
    );
}

/// The server under test: this program as a process of its own.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    async fn start(cluster: &Cluster, place: &Path, settings: &[&str]) -> Result<Self, CliError> {
        let keys: PathBuf = place.join("keys");
        std::fs::create_dir_all(&keys)?;
        Keys::load_or_create(&keys, &super::keys::fresh())?;
        let mut child = Command::new(std::env::current_exe()?)
            .args(["serve", "--listen", "127.0.0.1:0", "--log", "warn", "--no-rate-limits", "--keys-dir"])
            .arg(&keys)
            .args(settings)
            .env("DATABASE_URL", cluster.url(SERVING, DATABASE))
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let output = child.stdout.take().ok_or("the server has no output")?;
        let line = BufReader::new(output).lines().next_line().await?.ok_or("the server ended before it was ready")?;
        let address = line.rsplit_once("http://").ok_or("the server did not say where it is")?.1.to_owned();
        Ok(Self { child, address })
    }

    fn pid(&self) -> Result<u32, CliError> {
        Ok(self.child.id().ok_or("the server has ended")?)
    }

    async fn stop(&mut self) -> Result<(), CliError> {
        Ok(self.child.kill().await?)
    }
}
