//! `fereta review`: what the bots think of an exported game that has ended, decision by decision, and what turned it.

use std::io::{self, IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use uuid::Uuid;

use super::CliError;
use super::show::audited;
use crate::engine::Event;
use crate::log::{Export, Line};
use crate::review::{REVIEW_ITERATIONS, Review, Reviewed, Reviewer, Share};
use crate::story::{self, Decided, Language};

/// What to review.
#[derive(Debug, Args)]
pub(super) struct ReviewArgs {
    /// An exported game; `-` for standard input
    file: PathBuf,
    /// The game's id, if the file has many
    #[arg(long)]
    game: Option<Uuid>,
    /// In which language: en, ja or de
    #[arg(long, default_value = "en")]
    lang: Language,
    /// How many looks ahead to take before each decision, and after it
    #[arg(long, default_value_t = REVIEW_ITERATIONS, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    iterations: u32,
}

pub(super) fn review(args: &ReviewArgs) -> Result<ExitCode, CliError> {
    let text = audited(&args.file, args.game)?;
    let events: Vec<Event> = Export::read(&text).lines.iter().map(Line::open).collect::<Result<_, _>>()?;
    let reviewer = Reviewer::new(events, args.iterations)?;
    let bar = progress_bar(reviewer.decisions());
    let decisions = (0..reviewer.decisions()).filter_map(|number| {
        bar.inc(1);
        reviewer.look_at(number)
    });
    let review = reviewer.finish(decisions.collect());
    bar.finish_and_clear();
    // That nobody reads on is no fault.
    let _ = io::stdout().write_all(page(&review, args.lang).as_bytes());
    Ok(ExitCode::SUCCESS)
}

/// The decisions in a table, and the turning points below it.
fn page(review: &Review, language: Language) -> String {
    let decided: Vec<Decided<'_>> = review.decisions.iter().map(decided).collect();
    let mut page = story::decisions(&decided, language);
    for swing in &review.swings {
        let text = match language {
            Language::En => &swing.texts.en,
            Language::Ja => &swing.texts.ja,
            Language::De => &swing.texts.de,
        };
        page.push_str(&format!("\n{:>4}  {text}\n", swing.seq));
    }
    page
}

fn decided(decision: &Reviewed) -> Decided<'_> {
    let judgement = decision.judgement.as_ref();
    let chance =
        |shares: &crate::engine::BySeat<Share>| shares.at(decision.seat).map_or(0, |share| share.thousandths());
    Decided {
        seq: decision.seq,
        round: decision.round,
        seat: decision.seat,
        action: &decision.action,
        best: judgement.map(|judgement| &judgement.best),
        chances: judgement.map(|judgement| [chance(&judgement.before), chance(&judgement.after)]),
        cost: judgement.map_or(0, |judgement| judgement.cost().thousandths()),
    }
}

fn progress_bar(decisions: usize) -> ProgressBar {
    let target = if io::stderr().is_terminal() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let style = ProgressStyle::with_template("{wide_bar} {pos} of {len} decisions, {eta} to go");
    ProgressBar::with_draw_target(Some(decisions as u64), target)
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
