//! What an audit says.

use std::collections::BTreeSet;
use std::time::Instant;

use indicatif::ProgressBar;
use serde::Serialize;
use uuid::Uuid;

use super::files::Game;
use crate::audit::{NotedHead, Notes, Replayed, Report, Verdict};

/// What was found so far.
pub(super) struct Tally {
    json: bool,
    quiet: bool,
    since: Instant,
    games: BTreeSet<Uuid>,
    count: [u64; 4],
    /// What came of the bots' moves, if they were thought of again.
    bots: Option<Replayed>,
    unreadable: u64,
}

#[derive(Serialize)]
struct Told<'a> {
    file: &'a str,
    #[serde(flatten)]
    report: &'a Report,
}

impl Tally {
    pub(super) fn new(json: bool, quiet: bool) -> Self {
        Self { json, quiet, since: Instant::now(), games: BTreeSet::new(), count: [0; 4], bots: None, unreadable: 0 }
    }

    pub(super) fn add(&mut self, game: &Game, report: Report, bar: &ProgressBar) {
        let file = game.file.display().to_string();
        if let Some(why) = &game.unreadable {
            self.unreadable += 1;
            bar.suspend(|| eprintln!("fereta: {file} cannot be read: {why}"));
            return;
        }
        self.games.extend(report.game_id);
        let [faulty, incomplete, consistent, anchored] = &mut self.count;
        *match report.verdict {
            Verdict::Faulty => faulty,
            Verdict::Incomplete => incomplete,
            Verdict::Consistent => consistent,
            Verdict::Anchored => anchored,
        } += 1;
        if let Some(found) = &report.bots {
            let sum = self.bots.get_or_insert_default();
            sum.replayed += found.replayed;
            found
                .not_replayed
                .iter()
                .for_each(|(version, count)| *sum.not_replayed.entry(*version).or_default() += count);
        }
        let faults = self.count.first().copied().unwrap_or(0);
        bar.set_message(format!("{} games, {faults} with a fault", self.all()));
        if self.quiet && report.fault.is_none() {
            return;
        }
        let text = if self.json {
            serde_json::to_string(&Told { file: &file, report: &report }).unwrap_or_default()
        } else {
            in_words(&file, &report)
        };
        bar.suspend(|| println!("{text}"));
    }

    fn all(&self) -> u64 {
        self.count.iter().sum()
    }

    /// The sum, if there was more than one game. Gives the exit code.
    pub(super) fn finish(self, notes: &Notes) -> u8 {
        let [faulty, incomplete, consistent, anchored] = self.count;
        if self.all() > 1 && !self.json {
            let seconds = self.since.elapsed().as_secs_f64();
            println!(
                "{} games in {seconds:.1} s ({:.0}/s): {anchored} anchored, {consistent} consistent, {incomplete} incomplete, \
                 {faulty} faulty",
                self.all(),
                self.all() as f64 / seconds,
            );
            if let Some(bots) = &self.bots {
                println!("{}", of_bots(bots));
            }
        }
        let mut missing = notes.games().filter(|noted| !self.games.contains(noted)).peekable();
        let absent = missing.peek().is_some();
        for noted in missing {
            eprintln!("fereta: there is a note of game {noted}, which is in none of the files");
        }
        // A head that names no game would be held against every one.
        let unnamed = notes.heads.iter().any(|head| matches!(head, NotedHead::Shown(_)));
        if unnamed && self.all() > 1 {
            eprintln!("fereta: --head V:HASH names no game: give one game with it, or the file of a signed head");
            return 2;
        }
        match (self.unreadable, faulty) {
            (0, 0) if !absent => 0,
            (0, _) => 1,
            (_, _) => 2,
        }
    }
}

fn in_words(file: &str, report: &Report) -> String {
    let verdict = match report.verdict {
        Verdict::Anchored => {
            "anchored: all holds, and as far as you noted it is the very history that you were shown while it ran"
        }
        Verdict::Consistent => {
            "consistent, not anchored: all holds, but there is nothing noted while it ran to hold it against"
        }
        Verdict::Incomplete => "incomplete: the game has not ended; what can be checked now holds",
        Verdict::Faulty => "FAULTY",
    };
    let mut lines = vec![format!("{file}: {verdict}")];
    if let Some(id) = report.game_id {
        lines.push(format!("  game {id}, {} events", report.version));
    }
    if let Some(result) = &report.result {
        let seats = result.scores.iter().zip(&result.ranks).enumerate();
        let seats: Vec<String> =
            seats.map(|(seat, (score, rank))| format!("seat {seat} {score} points (rank {rank})")).collect();
        lines.push(format!("  result: {}", seats.join(", ")));
    }
    if report.held > 0 {
        let note = if report.held == 1 { "note" } else { "notes" };
        lines.push(format!("  held against {} {note}, which cover the events up to {}", report.held, report.held_to));
    }
    if let Some(bots) = &report.bots {
        lines.push(format!("  {}", of_bots(bots)));
    }
    if let Some(fault) = &report.fault {
        let place = fault.seq.map_or_else(|| "after the events".to_owned(), |seq| format!("at event {seq}"));
        lines.push(format!("  first fault {place} ({}): {}", fault.rule, fault.message));
        lines.push(format!("    expected: {}", printable(&fault.expected)));
        lines.push(format!("    found:    {}", printable(&fault.found)));
    }
    lines.join("\n")
}

fn of_bots(bots: &Replayed) -> String {
    let others =
        bots.not_replayed.iter().map(|(version, count)| format!(", {count} by bots of version {version} not replayed"));
    format!("moves of bots: {} replayed and found the same{}", bots.replayed, others.collect::<String>())
}

/// What comes from the file goes to a terminal: as one line of ASCII, and not too long.
fn printable(text: &str) -> String {
    const MOST: usize = 600;
    let ascii = text.chars().map(|c| if c.is_ascii_graphic() || c == ' ' { c } else { '?' });
    let mut short: String = ascii.take(MOST + 1).collect();
    if short.len() > MOST {
        short.truncate(MOST);
        short.push_str(" ...");
    }
    short
}
