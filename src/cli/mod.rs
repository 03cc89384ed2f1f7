//! The commands of the program. Each reads its settings, puts the layers below together, and says what it did.

mod account;
mod bench;
mod http;
mod migrate;
mod openapi;
mod selfplay;
mod serve;
mod signals;
mod swarm;
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
    Serve(Box<ServeConfig>),
    /// Measure the server against PostgreSQL alone
    Bench(bench::BenchArgs),
    /// Bring a database's schema up to date, and give the serving role its permissions
    Migrate(migrate::MigrateArgs),
    /// Ban an account, or let it in again
    Account(account::AccountArgs),
    /// Print the OpenAPI document
    Openapi,
    /// Play random games on one core, and tell how fast and how they went
    Selfplay(selfplay::SelfplayArgs),
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
            Command::Openapi => openapi::openapi(),
            Command::Selfplay(args) => selfplay::selfplay(&args),
            Command::Swarm(args) => swarm::swarm(&args).await,
            Command::WithPostgres(args) => with_postgres::with_postgres(&args).await,
        };
        result.unwrap_or_else(|error| {
            eprintln!("fereta: {error}");
            ExitCode::FAILURE
        })
    }
}
