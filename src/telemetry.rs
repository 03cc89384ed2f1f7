//! What the server tells its operator: lines on standard error, for people or as JSON.
//!
//! Must never hold a token, a password, a seed, a URL with a password, or what a game hides. Types that hold such things
//! hide them in their `Debug`.

use std::io::{self, IsTerminal};

use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::{ParseError, filter_fn};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer};

use crate::config::{LogConfig, LogFormat};

/// Starts logging. A second call changes nothing.
///
/// # Errors
/// A filter that cannot be read.
pub fn start(config: &LogConfig) -> Result<(), ParseError> {
    let filter = EnvFilter::try_new(&config.filter)?;
    let lines = tracing_subscriber::fmt::layer().with_writer(io::stderr).with_ansi(io::stderr().is_terminal());
    let lines = match config.format {
        LogFormat::Text => lines.with_target(false).boxed(),
        LogFormat::Json => lines.json().flatten_event(true).boxed(),
    };
    // Whatever the filter says: in detail others tell what they are given. The driver of the database, for one, tells the
    // values of every statement, seeds and hands among them.
    let discreet = filter_fn(|metadata| {
        metadata.target().starts_with("fereta") || LevelFilter::INFO >= LevelFilter::from_level(*metadata.level())
    });
    // The one error there is: somebody has started it before.
    let _ = tracing_subscriber::registry().with(lines.with_filter(discreet)).with(filter).try_init();
    Ok(())
}
