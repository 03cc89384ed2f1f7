//! The program `fereta`: see `fereta help`.

use std::process::ExitCode;

use clap::Parser;
use fereta::cli::Cli;

#[tokio::main]
async fn main() -> ExitCode {
    Cli::parse().run().await
}
