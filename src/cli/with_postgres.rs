//! `fereta with-postgres`: for tests and benches, and to look into the server's own database with `psql`.

use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{ExitCode, ExitStatus};

use clap::Args;
use rustix::process::{Pid, Signal, kill_process};
use tokio::process::{Child, Command};
use tokio::task::spawn_blocking;

use super::CliError;
use super::signals::{Asked, Signals};
use crate::config::DEFAULT_DATA_DIR;
use crate::postgres::{Cluster, Durability, SUPERUSER};

/// Which PostgreSQL, and for what.
#[derive(Debug, Args)]
pub(super) struct WithPostgresArgs {
    /// A new, empty one that is deleted at the end and flushes nothing; else the durable one of the data directory
    #[arg(long)]
    throwaway: bool,
    /// The data directory, whose PostgreSQL no server may be running
    #[arg(long, env = "FERETA_DATA_DIR", default_value = DEFAULT_DATA_DIR, conflicts_with = "throwaway")]
    data_dir: PathBuf,
    /// The command; it is given FERETA_TEST_DATABASE_URL (of the superuser), PGHOST and PGUSER
    #[arg(required = true, last = true)]
    command: Vec<OsString>,
}

/// Runs the command, and ends with its exit code (128 and the signal's number if one ended it).
pub(super) async fn with_postgres(args: &WithPostgresArgs) -> Result<ExitCode, CliError> {
    let Some((program, arguments)) = args.command.split_first() else {
        return Err("a command is missing".into());
    };
    let mut signals = Signals::new()?;
    let directory = if args.throwaway { None } else { Some(args.data_dir.join("postgres")) };
    let cluster = spawn_blocking(move || match directory {
        None => Cluster::start_throwaway(),
        Some(directory) => Cluster::start(&directory, Durability::Durable),
    })
    .await??;
    let child = Command::new(program)
        .args(arguments)
        .env("FERETA_TEST_DATABASE_URL", cluster.url(SUPERUSER, "postgres"))
        .env("PGHOST", cluster.socket_directory())
        .env("PGUSER", SUPERUSER)
        .spawn();
    let status = match child {
        Ok(child) => wait(child, &mut signals).await.map_err(CliError::from),
        Err(error) => Err(format!("{}: {error}", program.display()).into()),
    };
    spawn_blocking(move || cluster.stop()).await??;
    status.map(exit_code)
}

/// Ctrl-C has reached the command too, which decides what to do; SIGTERM is passed on.
async fn wait(mut child: Child, signals: &mut Signals) -> std::io::Result<ExitStatus> {
    loop {
        tokio::select! {
            status = child.wait() => return status,
            asked = signals.next() => match asked {
                Asked::Interrupt => {}
                Asked::Terminate => {
                    let pid = child.id().and_then(|pid| i32::try_from(pid).ok()).and_then(Pid::from_raw);
                    if let Some(pid) = pid {
                        kill_process(pid, Signal::TERM)?;
                    }
                }
            },
        }
    }
}

fn exit_code(status: ExitStatus) -> ExitCode {
    let code = status.code().or_else(|| status.signal().map(|signal| signal.saturating_add(128))).unwrap_or(1);
    ExitCode::from(u8::try_from(code).unwrap_or(1))
}
