//! `fereta verify-store`: whether everything that is stored of the games fits together, game by game, while the server goes on.

use std::io::IsTerminal as _;
use std::process::ExitCode;

use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget};

use super::CliError;
use super::export::door;
use crate::entropy;
use crate::ids::GameId;
use crate::log::ProofKey;

/// How many games are asked for at once.
const BATCH: u32 = 500;

/// Which database.
#[derive(Args)]
pub(super) struct VerifyStoreArgs {
    /// postgres://role@host/database of the serving role
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    database_url: String,
}

/// Ends with 0 if all fits, 1 if something does not.
pub(super) async fn verify_store(args: &VerifyStoreArgs) -> Result<ExitCode, CliError> {
    // Nothing is signed here.
    let play = door(&args.database_url, ProofKey::from_bytes(&entropy::bytes())).await?;
    let shown = std::io::stderr().is_terminal();
    let target = if shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(None, target);
    let (mut games, mut faulty, mut last) = (0_u64, 0_u64, GameId::from(uuid::Uuid::nil()));
    loop {
        let batch = play.games_after(last, BATCH).await?;
        let Some(newest) = batch.last() else { break };
        last = *newest;
        bar.inc_length(batch.len() as u64);
        for game in batch {
            let found = play.verify(game).await?;
            faulty += u64::from(!found.is_empty());
            bar.suspend(|| found.iter().for_each(|what| println!("game {game}: {what}")));
            games += 1;
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    println!("{games} games, {faulty} with a fault");
    Ok(if faulty == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

impl std::fmt::Debug for VerifyStoreArgs {
    /// Without the URL, which may hold a password.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("VerifyStoreArgs").finish_non_exhaustive()
    }
}
