//! `fereta export`: finished games as files, for whoever keeps or studies them. What is there already is not made again, so that
//! an export that was broken off goes on where it ended.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use chrono::{DateTime, NaiveDate, Utc};
use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget};
use tokio::runtime::Handle;

use super::CliError;
use crate::auth::keys::{load_proof_key, parse_proof_key};
use crate::entropy;
use crate::ids::GameId;
use crate::log::{Export, ProofKey, begins_a_game, is_head_line, is_reveal_line};
use crate::play::Play;
use crate::store::{Store, StoreSettings};

/// How many games are asked for at once.
const BATCH: u32 = 500;
/// What a file is called until it is whole.
const PART: &str = "part";

/// Which games, and where to.
#[derive(Args)]
pub(super) struct ExportArgs {
    /// postgres://role@host/database of the serving role
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    database_url: String,
    /// Directory of proof.pem, which signs the heads
    #[arg(long, env = "FERETA_KEYS_DIR", required_unless_present = "proof_key")]
    keys_dir: Option<PathBuf>,
    /// The proof key itself, PKCS#8 PEM; in the environment
    #[arg(long, env = "FERETA_PROOF_KEY", hide_env_values = true)]
    proof_key: Option<String>,
    /// The games; whatever stage they are at, what a spectator may see of them
    #[arg(required_unless_present = "all", conflicts_with = "all")]
    games: Vec<GameId>,
    /// Every finished game
    #[arg(long)]
    all: bool,
    /// Only games that were over then or later: a date (2026-11-30) or a time (2026-11-30T12:00:00Z)
    #[arg(long, requires = "all", value_parser = time)]
    since: Option<DateTime<Utc>>,
    /// A folder, which gets a file for each game, or a file, which gets them all and ends in .ndjson
    #[arg(long)]
    to: PathBuf,
}

pub(super) async fn export(args: &ExportArgs) -> Result<ExitCode, CliError> {
    let key = match (&args.proof_key, &args.keys_dir) {
        (Some(pem), _) => parse_proof_key(pem)?,
        (None, Some(directory)) => load_proof_key(directory)?,
        (None, None) => return Err("which key signs? give --keys-dir".into()),
    };
    let play = door(&args.database_url, ProofKey::new(key)).await?;
    play.publish_proof_key().await?;
    let named = |error: CliError| format!("{}: {error}", args.to.display());
    let mut target = Target::open(&args.to).map_err(named)?;
    let shown = io::stderr().is_terminal();
    let target_bar = if shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(None, target_bar);
    let (mut made, mut there, mut last) = (0_u64, 0_u64, GameId::from(uuid::Uuid::nil()));
    loop {
        let games = if args.all {
            play.finished_games(last, args.since.unwrap_or_default(), BATCH).await?
        } else {
            args.games.iter().copied().filter(|_| made + there == 0).collect()
        };
        let Some(newest) = games.last() else { break };
        last = *newest;
        bar.inc_length(games.len() as u64);
        for game in games {
            bar.inc(1);
            if target.has(game) {
                there += 1;
                continue;
            }
            let mut export = play.export_public(game).await.map_err(|error| format!("game {game}: {error}"))?;
            target.begin(game)?;
            while let Some(part) = export.next().await.map_err(|error| format!("game {game}: {error}"))? {
                target.write(&part)?;
            }
            target.end(game)?;
            made += 1;
        }
    }
    target.finish()?;
    bar.finish_and_clear();
    println!("{made} games were exported to {}, {there} were there already", args.to.display());
    Ok(ExitCode::SUCCESS)
}

/// The door to the games of a database.
pub(super) async fn door(database_url: &str, proof: ProofKey) -> Result<Play, CliError> {
    let store = Store::connect(&StoreSettings { pool_size: 2, ..StoreSettings::new(database_url) }).await?;
    store.check_set_up().await?;
    Ok(Play::new(store, entropy::bytes, Handle::current(), proof))
}

fn time(text: &str) -> Result<DateTime<Utc>, String> {
    if let Ok(day) = text.parse::<NaiveDate>() {
        return Ok(day.and_time(chrono::NaiveTime::MIN).and_utc());
    }
    let time = DateTime::parse_from_rfc3339(text);
    time.map(|time| time.with_timezone(&Utc)).map_err(|_| "neither a date nor a time of RFC 3339".into())
}

/// Where the games go.
enum Target {
    Folder { path: PathBuf, open: Option<(PathBuf, File)> },
    File { file: File, there: BTreeSet<GameId> },
}

impl Target {
    fn open(path: &Path) -> Result<Self, CliError> {
        if path.extension().is_some_and(|kind| kind == "ndjson") {
            let mut file = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(path)?;
            let (there, whole) = games_in(&file)?;
            // What was broken off is made anew.
            file.set_len(whole)?;
            io::Seek::seek(&mut file, io::SeekFrom::End(0))?;
            return Ok(Self::File { file, there });
        }
        fs::create_dir_all(path)?;
        Ok(Self::Folder { path: path.to_owned(), open: None })
    }

    fn has(&self, game: GameId) -> bool {
        match self {
            Self::Folder { path, .. } => file_of(path, game).exists(),
            Self::File { there, .. } => there.contains(&game),
        }
    }

    fn begin(&mut self, game: GameId) -> io::Result<()> {
        if let Self::Folder { path, open } = self {
            let part = file_of(path, game).with_extension(PART);
            *open = Some((part.clone(), File::create(part)?));
        }
        Ok(())
    }

    fn write(&mut self, text: &str) -> io::Result<()> {
        match self {
            Self::Folder { open: Some((_, file)), .. } | Self::File { file, .. } => file.write_all(text.as_bytes()),
            Self::Folder { open: None, .. } => Ok(()),
        }
    }

    fn end(&mut self, game: GameId) -> io::Result<()> {
        match self {
            Self::Folder { path, open } => {
                let Some((part, file)) = open.take() else { return Ok(()) };
                file.sync_all()?;
                fs::rename(part, file_of(path, game))
            }
            Self::File { there, .. } => {
                there.insert(game);
                Ok(())
            }
        }
    }

    fn finish(self) -> io::Result<()> {
        match self {
            Self::Folder { path, .. } => File::open(path)?.sync_all(),
            Self::File { file, .. } => file.sync_all(),
        }
    }
}

fn file_of(folder: &Path, game: GameId) -> PathBuf {
    folder.join(format!("{game}.ndjson"))
}

/// The games that a file has whole, and how many bytes they are. What follows them is an export that was broken off.
///
/// # Errors
/// If anything else is in the file: it would be lost.
fn games_in(file: &File) -> Result<(BTreeSet<GameId>, u64), CliError> {
    let (mut games, mut whole, mut read) = (BTreeSet::new(), 0, 0);
    let mut reader = BufReader::new(file);
    let (mut line, mut game, mut over) = (String::new(), None, false);
    while reader.read_line(&mut line)? > 0 {
        read += line.len() as u64;
        let cut = !line.ends_with('\n') && line.starts_with("{\"at\":");
        if begins_a_game(&line) {
            (game, over) = (first_game(&line), false);
        } else if (game.is_none() && !cut) || (is_head_line(&line) && !over) {
            return Err(
                "it has something else in it than finished games that were exported, and is left as it is".into()
            );
        } else if is_reveal_line(&line) && line.ends_with('\n') {
            games.extend(game.take());
            whole = read;
        }
        let ends = ["\"type\":\"game_ended\"}", "\"type\":\"table_closed\"}"];
        over |= ends.iter().any(|end| line.trim_end().ends_with(end));
        line.clear();
    }
    Ok((games, whole))
}

/// The game that a first public line is of.
fn first_game(line: &str) -> Option<GameId> {
    let export = Export::read(&format!("{line}{{\"hash\":\"{}\",\"seq\":1}}\n", "0".repeat(64)));
    match export.lines.first()?.fact().ok()? {
        crate::engine::Fact::TableCreated(created) => Some(GameId::from(created.game_id)),
        _ => None,
    }
}

impl std::fmt::Debug for ExportArgs {
    /// Without the URL and the key.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("ExportArgs").field("games", &self.games).field("to", &self.to).finish_non_exhaustive()
    }
}
