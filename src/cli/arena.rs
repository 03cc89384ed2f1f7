//! `fereta arena`: bots against bots, to find out how strong they are.
//!
//! Every deal is played once for each rotation of the line-up, so that nobody is lucky with his seat, and other line-ups get the
//! same deals. Whoever plays gets only what his seat may know.

mod deal;
mod tally;

use std::io::IsTerminal as _;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::CliError;
use crate::bots::{Budget, DEFAULT, Player, Settings, TASTE, player};
use crate::engine::{BotLevel, NewTable, OpeningHand, Options};
use deal::Deal;
use tally::Tally;

#[derive(Debug, Args)]
pub(super) struct ArenaArgs {
    /// The number of players of each game
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u8).range(3..=5))]
    players: u8,
    /// How many games to play; rounded up to whole rotations of the line-up
    #[arg(long, default_value_t = 500, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Who plays, one name for each player, with colons between them
    #[arg(long, value_enum, value_delimiter = ':', required = true)]
    seats: Vec<Contestant>,
    /// How many worlds `search` looks into for a move; without it its default
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    iterations: Option<u32>,
    /// How long `search` thinks about a move instead, in milliseconds; then the same seed plays other games
    #[arg(long, value_name = "MS", conflicts_with = "iterations", value_parser = clap::value_parser!(u32).range(1..=600_000))]
    think_ms: Option<u32>,
    /// What all chance follows from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Play with the mercenary
    #[arg(long)]
    mercenary: bool,
    /// Give everybody a 3, a 4 and a 5 to begin with
    #[arg(long)]
    fixed_hand: bool,
    /// On how many cores; without it on all
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
}

/// Who can play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Contestant {
    /// Any legal move
    Random,
    /// What is worth most now
    Greedy,
    /// Looking ahead
    Search,
    /// The level for beginners
    Easy,
    /// The level for those who know the rules
    Normal,
    /// The level for those who want to be beaten
    Hard,
    /// The strongest level
    Expert,
}

impl Contestant {
    const fn player(self, budget: Budget) -> Player {
        match self {
            Self::Random => Player::Random,
            Self::Greedy => Player::Greedy { taste: TASTE, whim: 0.0 },
            Self::Search => Player::Search(Settings { budget, ..DEFAULT }),
            Self::Easy => player(BotLevel::Easy),
            Self::Normal => player(BotLevel::Normal),
            Self::Hard => player(BotLevel::Hard),
            Self::Expert => player(BotLevel::Expert),
        }
    }

    fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }
}

pub(super) fn arena(args: &ArenaArgs) -> Result<ExitCode, CliError> {
    let players = usize::from(args.players);
    if args.seats.len() != players {
        return Err(format!("--seats names {} players, but {players} play", args.seats.len()).into());
    }
    let opening_hand = if args.fixed_hand { OpeningHand::Fixed } else { OpeningHand::Dealt };
    let options = Options { mercenary: args.mercenary, opening_hand };
    let table = NewTable { players: args.players, options, ..NewTable::default() };
    let budget = match (args.iterations, args.think_ms) {
        (Some(iterations), _) => Budget::Iterations(iterations),
        (None, Some(limit)) => Budget::Milliseconds(limit),
        (None, None) => DEFAULT.budget,
    };
    let line_up: Vec<Player> = args.seats.iter().map(|seat| seat.player(budget)).collect();
    let games = args.games.div_ceil(players as u64) * players as u64;
    let threads = match args.threads {
        Some(threads) => usize::from(threads),
        None => std::thread::available_parallelism().map_or(1, usize::from),
    };
    let (next, tally, failure) = (AtomicU64::new(0), Mutex::new(Tally::new(players)), Mutex::new(None));
    let (bar, started_at) = (progress_bar(games), Instant::now());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(game) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|game| *game < games) {
                    let deal =
                        Deal { seed: args.seed, number: game / players as u64, rotation: game as usize % players };
                    match deal.play(&table, &line_up) {
                        Ok(result) => tally.lock().unwrap_or_else(std::sync::PoisonError::into_inner).add(result),
                        Err(error) => {
                            next.store(games, Ordering::Relaxed);
                            *failure.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(error);
                        }
                    }
                    bar.inc(1);
                }
            });
        }
    });
    bar.finish_and_clear();
    if let Some(error) = failure.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
        return Err(error);
    }
    println!("{games} games of {players}, {threads} at a time, in {:.1} s", started_at.elapsed().as_secs_f64());
    let names: Vec<String> = args.seats.iter().map(|seat| seat.name()).collect();
    tally.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner).print(&names);
    Ok(ExitCode::SUCCESS)
}

fn progress_bar(games: u64) -> ProgressBar {
    let target =
        if std::io::stderr().is_terminal() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let style = ProgressStyle::with_template("{wide_bar} {pos} of {len} games, {eta} to go");
    ProgressBar::with_draw_target(Some(games), target)
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
