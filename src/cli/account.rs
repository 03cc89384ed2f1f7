//! `fereta account`: what an operator does about an account. It is felt at the account's next request, on every server.

use std::process::ExitCode;

use clap::{Args, Subcommand};

use super::CliError;
use crate::auth::name::name_key;
use crate::ids::AccountId;
use crate::store::{Store, StoreSettings};

/// Whose account, and what about it.
#[derive(Args)]
pub(super) struct AccountArgs {
    /// postgres://role@host/database of the serving role
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    database_url: String,
    #[command(subcommand)]
    what: What,
}

#[derive(Clone, Debug, Subcommand)]
enum What {
    /// Shut an account out, until it is let in again
    Ban(Whose),
    /// Let a banned account in again, its devices included
    Unban(Whose),
}

#[derive(Clone, Debug, Args)]
struct Whose {
    /// The account's id, or its name in any case and form
    account: String,
}

pub(super) async fn account(args: &AccountArgs) -> Result<ExitCode, CliError> {
    let store = Store::connect(&StoreSettings { pool_size: 1, ..StoreSettings::new(&args.database_url) }).await?;
    let (whose, ban) = match &args.what {
        What::Ban(whose) => (whose, true),
        What::Unban(whose) => (whose, false),
    };
    let nobody = || format!("there is no account {:?} that could be banned", whose.account);
    let id = find(&store, &whose.account).await?.ok_or_else(nobody)?;
    let account = store.set_banned(id, ban).await?.ok_or_else(nobody)?;
    println!("{} ({}) is {}.", account.name, account.id, if ban { "banned" } else { "not banned" });
    Ok(ExitCode::SUCCESS)
}

/// By name or by id; an account that is called like another's id is found by its own id only.
async fn find(store: &Store, account: &str) -> Result<Option<AccountId>, CliError> {
    if let Ok(id) = account.parse() {
        return Ok(Some(id));
    }
    let found = store.account_by_name_key(&name_key(account)).await?;
    Ok(found.map(|(account, _)| account.id))
}

impl std::fmt::Debug for AccountArgs {
    /// Without the URL, which may hold a password.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("AccountArgs").field("what", &self.what).finish_non_exhaustive()
    }
}
