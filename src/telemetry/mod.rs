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

/// Where the HTTP parser's lines come from.
const PARSER: &str = "actix_http";

/// Starts logging. A second call changes nothing.
///
/// # Errors
/// A filter that cannot be read.
pub fn start(config: &LogConfig) -> Result<(), ParseError> {
    let filter = EnvFilter::try_new(with_quiet_parser(&config.filter))?;
    let lines = fmt::layer().with_writer(io::stderr).with_ansi(io::stderr().is_terminal());
    let lines = match config.format {
        LogFormat::Text => lines.with_target(false).boxed(),
        LogFormat::Json => lines.json().flatten_event(true).boxed(),
    };
    // The one error there is: somebody has started it before.
    let _ = registry().with(lines).with(filter).with(filter_fn(is_harmless)).try_init();
    Ok(())
}

/// The filter, which has the HTTP parser say nothing unless it names it: what the parser calls an error is a request that
/// cannot be read, and whoever can connect could have it write as many as he likes.
fn with_quiet_parser(filter: &str) -> String {
    let named = filter.split(',').any(|part| part.trim_start_matches([' ', '"']).starts_with(PARSER));
    if named || filter.trim().is_empty() { filter.to_owned() } else { format!("{filter},{PARSER}=off") }
}

/// Whether a line may be logged at all: ours, or one that does not go into detail.
fn is_harmless(metadata: &Metadata<'_>) -> bool {
    let target = metadata.target();
    *metadata.level() <= Level::INFO || target == "fereta" || target.starts_with("fereta::")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parser_says_nothing_unless_it_is_named() {
        for (filter, expected) in [
            ("debug", "debug,actix_http=off"),
            ("info,hyper=debug", "info,hyper=debug,actix_http=off"),
            ("info,actix_http=debug", "info,actix_http=debug"),
            ("actix_http::h1=warn", "actix_http::h1=warn"),
        ] {
            assert_eq!(with_quiet_parser(filter), expected);
            assert!(EnvFilter::try_new(expected).is_ok(), "{expected}");
        }
    }
}
