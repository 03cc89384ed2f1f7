//! What the server tells its operator: lines on standard error, for people or as JSON, and numbers ([`metrics`]).
//!
//! Must never hold a token, a password, a seed, a URL with a password, or what a game hides. Types that hold such things
//! hide them in their `Debug`; and of what is not ours (the database's driver logs what it sends) nothing below the level
//! `info` is logged, whatever the filter says.

pub mod metrics;

use std::io::{self, IsTerminal};

use tracing::{Level, Metadata};
use tracing_subscriber::filter::{ParseError, filter_fn};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{EnvFilter, Layer as _, fmt, registry};

use crate::config::{LogConfig, LogFormat};

/// Starts logging. A second call changes nothing.
///
/// # Errors
/// A filter that cannot be read.
pub fn start(config: &LogConfig) -> Result<(), ParseError> {
    let filter = EnvFilter::try_new(&config.filter)?;
    let lines = fmt::layer().with_writer(io::stderr).with_ansi(io::stderr().is_terminal());
    let lines = match config.format {
        LogFormat::Text => lines.with_target(false).boxed(),
        LogFormat::Json => lines.json().flatten_event(true).boxed(),
    };
    // The one error there is: somebody has started it before.
    let _ = registry().with(lines).with(filter).with(filter_fn(is_harmless)).try_init();
    Ok(())
}

/// Whether a line may be logged at all: ours, or one that does not go into detail.
fn is_harmless(metadata: &Metadata<'_>) -> bool {
    let target = metadata.target();
    *metadata.level() <= Level::INFO || target == "fereta" || target.starts_with("fereta::")
}
