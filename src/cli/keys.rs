//! `fereta keys`: makes the keys that all servers of one database share.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::CliError;
use crate::auth::keys::{Keys, NewKeys};
use crate::entropy;

/// Where.
#[derive(Debug, Args)]
pub(super) struct KeysArgs {
    /// Directory of token.pem, refresh.key and proof.pem; what is there is checked and kept, what is missing is made, for its owner alone
    #[arg(long, env = "FERETA_KEYS_DIR")]
    keys_dir: PathBuf,
}

/// Keys that nobody has yet.
pub(super) fn fresh() -> NewKeys {
    NewKeys { token: entropy::bytes(), refresh: entropy::bytes(), proof: entropy::bytes() }
}

pub(super) fn keys(args: &KeysArgs) -> Result<ExitCode, CliError> {
    Keys::load_or_create(&args.keys_dir, &fresh())?;
    println!("The keys are in {}.", args.keys_dir.display());
    Ok(ExitCode::SUCCESS)
}
