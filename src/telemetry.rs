//! What the server tells its operator: lines on standard error, for people or as JSON.
//!
//! Must never hold a token, a password, a seed, a URL with a password, or what a game hides. Types that hold such things
//! hide them in their `Debug`.

use std::io::{self, IsTerminal};

use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::ParseError;

use crate::config::{LogConfig, LogFormat};

/// Starts logging. A second call changes nothing.
///
/// # Errors
/// A filter that cannot be read.
pub fn start(config: &LogConfig) -> Result<(), ParseError> {
    let filter = EnvFilter::try_new(&config.filter)?;
    let lines =
        tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr).with_ansi(io::stderr().is_terminal());
    // The one error there is: somebody has started it before.
    let _ = match config.format {
        LogFormat::Text => lines.with_target(false).try_init(),
        LogFormat::Json => lines.json().flatten_event(true).try_init(),
    };
    Ok(())
}
