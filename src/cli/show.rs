//! `fereta show`: an exported game as people read it: what happened, step by step, and the table, as one seat knew it then.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use uuid::Uuid;

use super::CliError;
use super::audit::files::Games;
use crate::audit::{self, Notes, Verdict};
use crate::engine::{Audience, Event, EventView, Fact, FastDraws, Knowledge, Seat, State, Status, View, Viewer};
use crate::log::Export;
use crate::story::{self, Language, Story};

/// How often a table that fits what the exporter saw is looked for.
const ATTEMPTS: u32 = 1_000;

/// What to show.
#[derive(Debug, Args)]
pub(super) struct ShowArgs {
    /// An exported game; `-` for standard input
    file: PathBuf,
    /// The game's id, if the file has many
    #[arg(long)]
    game: Option<Uuid>,
    /// Show the table after this event, and what happened until then [default: the last event]
    #[arg(long, value_name = "SEQ")]
    at: Option<u64>,
    /// As the player in this seat knew it then [default: whose export it is; of a game that has ended, all that there was]
    #[arg(long, value_name = "N")]
    seat: Option<Seat>,
    /// In which language: en, ja or de
    #[arg(long, default_value = "en")]
    lang: Language,
}

pub(super) fn show(args: &ShowArgs) -> Result<ExitCode, CliError> {
    let text = audited(&args.file, args.game)?;
    let shown = Shown::of(&text, args)?;
    let mut page = shown.story();
    page.push('\n');
    page.push_str(&story::table(&shown.table()?, args.lang));
    // That nobody reads on is no fault.
    let _ = io::stdout().write_all(page.as_bytes());
    Ok(ExitCode::SUCCESS)
}

/// The text of a game in a file, if it holds.
pub(super) fn audited(file: &Path, game: Option<Uuid>) -> Result<String, CliError> {
    let mut games = Games::of(&[file.to_owned()]).map(|game| match game.unreadable {
        Some(why) => Err(format!("{} cannot be read: {why}", file.display())),
        None => Ok((audit::audit(&game.text, &Notes::default()), game.text)),
    });
    let wanted = |found: &Result<(audit::Report, String), String>| match (game, found) {
        (Some(wanted), Ok((report, _))) => report.game_id == Some(wanted),
        (None, _) | (_, Err(_)) => true,
    };
    let (report, text) = games.find(wanted).ok_or("the file has no such game")??;
    if game.is_none() && games.next().is_some() {
        return Err("the file has more than one game: say which with --game".into());
    }
    match (report.verdict, report.fault) {
        (Verdict::Faulty, Some(fault)) => Err(format!("the file does not hold: {fault}; see fereta audit").into()),
        (_, _) => Ok(text),
    }
}

/// A history up to an event, as somebody knew it then.
struct Shown {
    language: Language,
    viewer: Viewer,
    /// What he was told of each event, and at what time of the day it was.
    told: Vec<(String, EventView)>,
    /// All of it, of a game that has ended.
    whole: Option<Vec<Event>>,
}

impl Shown {
    fn of(text: &str, args: &ShowArgs) -> Result<Self, CliError> {
        let export = Export::read(text);
        let ended = export.end.is_ok_and(|end| end.server_seed.is_some());
        let last = export.lines.len() as u64;
        let at = args.at.unwrap_or(last);
        if at == 0 || at > last {
            return Err(format!("there is no event {at}: the game has {last}").into());
        }
        let (mut told, mut owner) = (Vec::new(), None);
        for line in export.lines {
            let public = line.public()?;
            let secret = line.open_secret(&public.fact)?;
            if let (Some(_), Some(Audience::Seat(seat))) = (&secret, public.fact.audience()) {
                owner = Some(seat);
            }
            told.push((public.at.format("%F %T").to_string(), Event { fact: public.fact, secret }));
        }
        if let Some(seat) = args.seat.filter(|seat| !ended && owner.is_some_and(|owner| owner != *seat)) {
            return Err(format!(
                "the game has not ended, and the file does not have what seat {} knows",
                seat.number()
            )
            .into());
        }
        let players = told.iter().find_map(|(_, event)| match &event.fact {
            Fact::TableCreated(created) => Some(created.players),
            _ => None,
        });
        if let Some(seat) = args.seat.filter(|seat| players.is_some_and(|players| seat.number() >= players)) {
            return Err(format!("there is no seat {} at this table", seat.number()).into());
        }
        told.truncate(usize::try_from(at).unwrap_or(usize::MAX));
        // Of a game that has ended everything is told, unless somebody asks what a seat knew before.
        let seat = args.seat.or(owner.filter(|_| !ended));
        let viewer = seat.map_or(Viewer::Spectator, Viewer::Seat);
        let status = if ended && (at == last || seat.is_none()) { Status::Ended } else { Status::Running };
        let whole = ended.then(|| told.iter().map(|(_, event)| event.clone()).collect());
        let told = told.into_iter().map(|(time, event)| (time, event.seen(viewer, status))).collect();
        Ok(Self { language: args.lang, viewer, told, whole })
    }

    fn story(&self) -> String {
        let mut story = Story::new(self.viewer, self.language);
        let steps =
            (1..).zip(&self.told).map(|(seq, (time, event))| format!("{seq:>4}  {time}  {}\n", story.tell(event)));
        steps.collect()
    }

    fn table(&self) -> Result<View, CliError> {
        if let Some(whole) = &self.whole {
            return Ok(State::fold(whole).view(self.viewer));
        }
        // What he does not know is filled in with what could be: he could not tell the difference, and it is not shown.
        let mut knowledge = Knowledge::new(self.viewer);
        self.told.iter().for_each(|(_, event)| knowledge.observe(event.clone()));
        let possible = knowledge.try_resample_history(&mut FastDraws::new(0), ATTEMPTS);
        let possible = possible.map_err(|_| "no table was found that fits what the file tells")?;
        Ok(State::fold(&possible).view(self.viewer))
    }
}
