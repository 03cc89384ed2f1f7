//! `fereta import`: finished games from files, as another server exported them.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};

use super::CliError;
use super::audit::files::Games;
use super::export::door;
use crate::entropy;
use crate::log::ProofKey;
use crate::store::Visibility;

/// Which games, and into which database.
#[derive(Args)]
pub(super) struct ImportArgs {
    /// postgres://role@host/database of the serving role
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    database_url: String,
    /// Exported games that have ended, one or many to a file; `-` for standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Who may see them
    #[arg(long, value_enum, default_value_t = Seen::Unlisted)]
    visibility: Seen,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Seen {
    /// Everybody: they are listed
    Public,
    /// Everybody who has the game's id
    Unlisted,
}

/// Ends with 0 if all were taken in, 1 if one was not; those before and after it are.
pub(super) async fn import(args: &ImportArgs) -> Result<ExitCode, CliError> {
    let play = door(&args.database_url, ProofKey::from_bytes(&entropy::bytes())).await?;
    let visibility = match args.visibility {
        Seen::Public => Visibility::Public,
        Seen::Unlisted => Visibility::Unlisted,
    };
    let (mut taken, mut refused) = (0_u64, 0_u64);
    for game in Games::of(&args.files) {
        let file = game.file.display();
        let outcome = match game.unreadable {
            Some(why) => Err(why),
            None => play.import(&game.text, visibility).await.map_err(|error| error.to_string()),
        };
        match outcome {
            Ok(id) => {
                taken += 1;
                println!("{file}: game {id} is imported");
            }
            Err(why) => {
                refused += 1;
                eprintln!("fereta: {file}: {why}");
            }
        }
    }
    println!("{taken} games were imported, {refused} were not");
    Ok(if refused == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

impl std::fmt::Debug for ImportArgs {
    /// Without the URL, which may hold a password.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("ImportArgs").field("files", &self.files).finish_non_exhaustive()
    }
}
