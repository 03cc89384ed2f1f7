//! `fereta swarm`: plays many whole games against a server, and holds everything that it answers against its promises.
//!
//! It sees no more of the server than any client does. What was told while a game ran is noted, and when the game has
//! ended its history is checked by the rules and every note against it. With `--rough` it plays over a bad network, asks
//! for what is forbidden, and races against itself. Must never: look into the server's database, or share code with the
//! API that it judges; it uses the rules and the log's decoder alone.

mod chronicle;
mod cut;
mod finish;
mod guest;
mod lobby;
mod note;
mod promises;
mod provoke;
mod rough;
mod spelling;
mod table;
mod tally;
mod wire;

use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::{Args, value_parser};
use indicatif::{ProgressBar, ProgressStyle};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use uuid::Uuid;

use self::table::{Plan, Table};
use self::tally::Tally;
use self::wire::Wire;
use super::CliError;

/// `fereta swarm`.
#[derive(Debug, Args)]
pub(super) struct SwarmArgs {
    /// The server, such as http://127.0.0.1:8080; several of one database, with commas, are asked in turn
    #[arg(long, value_delimiter = ',', required = true)]
    url: Vec<String>,
    /// How many games to play
    #[arg(long, default_value_t = 50)]
    games: u32,
    /// Numbers of players, in turn
    #[arg(long, value_delimiter = ',', default_value = "3,4,5", value_parser = value_parser!(u8).range(3..=5))]
    players: Vec<u8>,
    /// Most games at once
    #[arg(long, default_value_t = 16, value_parser = value_parser!(u16).range(1..))]
    at_once: u16,
    /// Where all choices come from; without it another one every time
    #[arg(long)]
    seed: Option<u64>,
    /// Cut connections, repeat requests, race, and ask for what is forbidden
    #[arg(long)]
    rough: bool,
    /// How long to go on asking a server that does not answer, in seconds
    #[arg(long, default_value_t = 60)]
    patience: u64,
}

/// Plays the games; fails if anything was found.
pub(super) async fn swarm(args: &SwarmArgs) -> Result<ExitCode, CliError> {
    let tally = Arc::new(Tally::default());
    let wire = Arc::new(Wire::connect(&args.url, Duration::from_secs(args.patience), tally.clone()).await?);
    let run = Uuid::now_v7();
    let seed = args.seed.unwrap_or_else(|| run.as_u64_pair().1);
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} games, {elapsed} {msg}")?;
    let progress = ProgressBar::new(args.games.into()).with_style(style);
    let began = Instant::now();
    let places = Arc::new(Semaphore::new(args.at_once.into()));
    let mut games = JoinSet::new();
    for (number, players) in (0..args.games).zip(args.players.iter().copied().cycle()) {
        let place = places.clone().acquire_owned().await?;
        let plan = Plan { number, players, seed, rough: args.rough, run };
        let (wire, tally, progress) = (wire.clone(), tally.clone(), progress.clone());
        games.spawn(async move {
            match Table::play(wire, &plan).await {
                Ok(()) => tally.games.add(1),
                Err(abandoned) => tally.find(format!("game {number} was given up: {}", abandoned.0)),
            }
            progress.set_message(tally.found_so_far());
            progress.inc(1);
            drop(place);
        });
    }
    while let Some(played) = games.join_next().await {
        if let Err(error) = played {
            tally.find(format!("the swarm itself failed: {error}"));
        }
    }
    progress.finish_and_clear();
    let report = tally.report(began.elapsed());
    println!("seed {seed}\n{report}");
    Ok(if report.is_clean() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
