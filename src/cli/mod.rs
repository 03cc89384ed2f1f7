//! The commands of the program. Each reads its settings, puts the layers below together, and says what it did.

mod account;
mod arena;
mod audit;
mod bench;
mod export;
mod health;
mod http;
mod import;
mod keys;
mod migrate;
mod openapi;
mod review;
pub mod selfplay;
mod serve;
mod show;
mod signals;
mod swarm;
mod verify_store;
mod with_postgres;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::config::ServeConfig;

/// A server for フェレータ (Verräter), the card game
#[derive(Debug, Parser)]
#[command(name = "fereta", version, arg_required_else_help = true)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the game over HTTP
    ///
    /// Every setting is a flag and an environment variable; the flag counts if both are given. Secrets belong into the
    /// environment or into files.
    Serve(Box<ServeConfig>),
    /// Measure the server against PostgreSQL alone
    Bench(bench::BenchArgs),
    /// Bring a database's schema up to date, and give the serving role its permissions
    Migrate(migrate::MigrateArgs),
    /// Ban an account, or let it in again
    Account(account::AccountArgs),
    /// Make the keys that all servers of one database share
    Keys(keys::KeysArgs),
    /// Ask whether a server can serve requests
    Health(health::HealthArgs),
    /// Check exported games, offline: seeds, shuffles, chain, secrets, and every move by the rules
    Audit(audit::AuditArgs),
    /// Write finished games to files that can be audited
    Export(export::ExportArgs),
    /// Take in finished games from files
    Import(import::ImportArgs),
    /// Check that everything stored of the games fits together
    VerifyStore(verify_store::VerifyStoreArgs),
    /// Tell an exported game step by step, and draw its table, as one seat knew it
    Show(show::ShowArgs),
    /// Review an exported game that has ended: what each decision was worth, and what turned the game
    Review(review::ReviewArgs),
    /// Print the OpenAPI document
    Openapi,
    /// Play random games on one core, and tell how fast and how they went
    Selfplay(selfplay::SelfplayArgs),
    /// Let bots play against each other, and tell how strong they are
    Arena(arena::ArenaArgs),
    /// Play many games against a server, and hold its answers against its promises
    Swarm(swarm::SwarmArgs),
    /// Run a command with a PostgreSQL of its own
    WithPostgres(with_postgres::WithPostgresArgs),
}

/// An error of any layer, as it is told to whoever typed the command.
type CliError = Box<dyn std::error::Error + Send + Sync>;

impl Cli {
    /// Carries the command out. Needs a runtime of several threads.
    pub async fn run(self) -> ExitCode {
        let result = match self.command {
            Command::Serve(config) => serve::serve(&config).await,
            Command::Bench(args) => bench::bench(&args).await,
            Command::Migrate(args) => migrate::migrate(&args).await,
            Command::Account(args) => account::account(&args).await,
            Command::Keys(args) => keys::keys(&args),
            Command::Health(args) => health::health(&args).await,
            Command::Audit(args) => audit::audit(&args),
            Command::Export(args) => export::export(&args).await,
            Command::Import(args) => import::import(&args).await,
            Command::VerifyStore(args) => verify_store::verify_store(&args).await,
            Command::Show(args) => show::show(&args),
            Command::Review(args) => review::review(&args),
            Command::Openapi => openapi::openapi(),
            Command::Selfplay(args) => selfplay::selfplay(&args),
            Command::Arena(args) => arena::arena(&args),
            Command::Swarm(args) => swarm::swarm(&args).await,
            Command::WithPostgres(args) => with_postgres::with_postgres(&args).await,
        };
        result.unwrap_or_else(|error| {
            eprintln!("fereta: {error}");
            ExitCode::FAILURE
        })
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn every_setting_of_the_server_is_documented() {
        let mut cli = Cli::command();
        cli.build();
        let serve = cli.find_subcommand("serve").unwrap();
        let settings: Vec<_> = serve.get_arguments().filter(|arg| arg.get_id() != "help").collect();
        assert!(settings.len() > 15);
        for setting in settings {
            let name = setting.get_long().unwrap().replace('-', "_");
            let env =
                setting.get_env().unwrap_or_else(|| panic!("{name} has no environment variable")).to_str().unwrap();
            assert!(env.starts_with("FERETA_") || env == "DATABASE_URL", "{env}");
            let help = setting.get_help().unwrap_or_else(|| panic!("{name} has no help")).to_string();
            assert!(!name.ends_with("_ms") || help.contains("in milliseconds"), "{name}: {help}");
            let secret = ["key", "url"].iter().any(|word| name.ends_with(word));
            assert_eq!(setting.is_hide_env_values_set(), secret, "{name}: a secret's value is not for the help");
            // What happens if it is not given is told by clap or by us.
            let told = ["default", "without", "while", "needed", "The same database", "secret", "key"];
            let takes_value = setting.get_action().takes_values();
            let explained = !setting.get_default_values().is_empty() || told.iter().any(|word| help.contains(word));
            assert!(!takes_value || explained, "{name} does not say what holds without it: {help}");
        }
    }
}
