//! `fereta audit`: whether exported histories hold, without a server and without a database.
//!
//! One thread reads, all cores check; verdicts come in the order of the files. A game is held in memory as a whole, never a file.

pub(super) mod files;
mod report;

use std::collections::BTreeMap;
use std::io::IsTerminal as _;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, Sender, channel, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::de::DeserializeOwned;
use serde_json::Value;

use self::files::{Game, Games};
use self::report::Tally;
use super::CliError;
use crate::audit::{self, NotedHead, Notes, Report};
use crate::engine::Bytes32;
use crate::log::{Head, Receipt};

/// How many games may wait to be checked, for each core.
const WAITING: usize = 8;

/// What to check, and what to hold it against.
#[derive(Debug, Args)]
pub(super) struct AuditArgs {
    /// Exported games, one or many to a file; `-` for standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// A head that you noted while the game ran: VERSION:HASH as it was shown, or the file of a signed one
    #[arg(long, value_name = "V:HASH|FILE")]
    head: Vec<String>,
    /// A receipt for a seat, as the answer to taking it had it, alone or in that answer
    #[arg(long, value_name = "FILE")]
    receipt: Vec<PathBuf>,
    /// A public proof key of the server that you noted (GET /v1/proof-keys); then no other key is believed
    #[arg(long, value_name = "HEX")]
    key: Vec<Bytes32>,
    /// Think of the moves of bots again in games that have ended: it takes as long as the bots took
    #[arg(long)]
    replay_bots: bool,
    /// One JSON object for each game
    #[arg(long)]
    json: bool,
    /// Tell faults and the sum only
    #[arg(long, short)]
    quiet: bool,
}

/// Ends with 0 if all hold, 1 for a fault, 2 for what cannot be read.
pub(super) fn audit(args: &AuditArgs) -> Result<ExitCode, CliError> {
    let notes = match notes(args) {
        Ok(notes) => notes,
        Err(error) => {
            eprintln!("fereta: {error}");
            return Ok(ExitCode::from(2));
        }
    };
    let games = Games::of(&args.files);
    let bar = progress(games.bytes(), args);
    let mut tally = Tally::new(args.json, args.quiet);
    let audit = |game: &Game| match args.replay_bots {
        true => audit::audit_with_bots(&game.text, &notes, || bar.tick()),
        false => audit::audit(&game.text, &notes),
    };
    check(games, audit, &bar, |game, report| tally.add(game, report, &bar));
    bar.finish_and_clear();
    Ok(ExitCode::from(tally.finish(&notes)))
}

fn notes(args: &AuditArgs) -> Result<Notes, String> {
    let mut notes = Notes { keys: args.key.clone(), ..Notes::default() };
    for head in &args.head {
        notes.heads.push(match head.split_once(':') {
            Some((version, hash)) if version.bytes().all(|byte| byte.is_ascii_digit()) && !version.is_empty() => {
                let version = version.parse().map_err(|_| format!("--head {head}: {version} is no version"))?;
                let hash = hash.parse().map_err(|error| format!("--head {head}: {error}"))?;
                NotedHead::Shown(Head { hash, version })
            }
            _ => NotedHead::Signed(noted(Path::new(head), "a signed head", None)?),
        });
    }
    for receipt in &args.receipt {
        notes.receipts.push(noted::<Receipt>(receipt, "a receipt", Some("receipt"))?);
    }
    Ok(notes)
}

/// A note from a file: the JSON itself, or the field `within` of an answer.
fn noted<T: DeserializeOwned>(path: &Path, what: &str, within: Option<&str>) -> Result<T, String> {
    let unreadable = |error: &dyn std::fmt::Display| format!("{} is not the file of {what}: {error}", path.display());
    let text = std::fs::read_to_string(path).map_err(|error| unreadable(&error))?;
    let value: Value = serde_json::from_str(&text).map_err(|error| unreadable(&error))?;
    let value = within.and_then(|field| value.get(field)).unwrap_or(&value).clone();
    serde_json::from_value(value).map_err(|error| unreadable(&error))
}

fn progress(bytes: Option<u64>, args: &AuditArgs) -> ProgressBar {
    let shown = std::io::stderr().is_terminal() && !(args.json && std::io::stdout().is_terminal());
    let target = if shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(bytes, target);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {percent} %  {msg}  {elapsed} (about {eta} to go)") {
        bar.set_style(style);
    }
    bar
}

/// Checks the games on all cores; tells each in the order in which it was read.
fn check(games: Games, audit: impl Fn(&Game) -> Report + Sync, bar: &ProgressBar, mut tell: impl FnMut(&Game, Report)) {
    let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let (send, wait) = sync_channel::<(usize, Game)>(WAITING * cores);
    let (done, results) = channel();
    let wait = Mutex::new(wait);
    thread::scope(|scope| {
        for _ in 0..cores {
            let done = done.clone();
            scope.spawn(|| work(&wait, &audit, done));
        }
        drop(done);
        scope.spawn(move || {
            for game in games.enumerate() {
                if send.send(game).is_err() {
                    break;
                }
            }
        });
        let (mut early, mut next) = (BTreeMap::new(), 0);
        for (place, game, report) in results {
            early.insert(place, (game, report));
            while let Some((game, report)) = early.remove(&next) {
                bar.inc(game.text.len() as u64);
                tell(&game, report);
                next += 1;
            }
        }
    });
}

fn work(wait: &Mutex<Receiver<(usize, Game)>>, audit: &impl Fn(&Game) -> Report, done: Sender<(usize, Game, Report)>) {
    loop {
        let next = wait.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok((place, game)) = next else { return };
        let report = audit(&game);
        if done.send((place, game, report)).is_err() {
            return;
        }
    }
}
