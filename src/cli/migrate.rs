//! `fereta migrate`: as the owner of the database, before a server of a new release is started.

use std::process::ExitCode;

use clap::Args;

use super::CliError;
use crate::store;

/// What to migrate, and for whom.
#[derive(Args)]
pub(super) struct MigrateArgs {
    /// postgres://role@host/database of the role that owns the tables, or is to own them
    #[arg(long, env = "FERETA_OWNER_DATABASE_URL", hide_env_values = true)]
    database_url: String,
    /// The role that the server runs as; it must exist, and be another one
    #[arg(long, env = "FERETA_SERVING_ROLE", default_value = "fereta_server")]
    serving_role: String,
}

pub(super) async fn migrate(args: &MigrateArgs) -> Result<ExitCode, CliError> {
    let migrated = store::migrate(&args.database_url, &args.serving_role).await?;
    match migrated.as_slice() {
        [] => println!("The schema is up to date."),
        versions => println!("Migrated: {}.", versions.join(", ")),
    }
    println!("The role {} has the permissions that the server needs.", args.serving_role);
    Ok(ExitCode::SUCCESS)
}

impl std::fmt::Debug for MigrateArgs {
    /// Without the URL, which may hold a password.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("MigrateArgs").field("serving_role", &self.serving_role).finish_non_exhaustive()
    }
}
