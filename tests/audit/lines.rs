//! Lines dropped, repeated, swapped, put in, cut off, added.

use fereta::audit::Verdict;
use fereta::cli::selfplay::record::record;
use fereta::engine::{BotLevel, Seat, Viewer};

use crate::cases::{all, audited, finds};
use crate::games::{File, file, large, play, short_games, version_at, versions};

/// The levels of bots that do not think for long.
const BOTS: &[BotLevel] = &[BotLevel::Easy, BotLevel::Normal];

/// Of so many cases one is tried.
const STRIDE: usize = 11;

/// The files that lines are moved about in: whole games, and what a seat and a spectator have of one that runs.
pub(crate) fn files(every: usize) -> Vec<File> {
    let games = short_games();
    let mut files = Vec::new();
    for (number, (name, _, game)) in games.iter().enumerate().filter(|(number, _)| number % every == 0 || *number > 23)
    {
        files.push(file(name, game, Viewer::Spectator, usize::MAX));
        if number < 24 {
            let seat = Viewer::Seat(Seat::new(number as u8 % 3).unwrap());
            files.push(file(name, game, seat, version_at(game, 0.9)));
            files.push(file(name, game, Viewer::Spectator, version_at(game, 0.6)));
        }
    }
    files
}

#[test]
fn nothing_is_found_in_what_nobody_touched() {
    let mut cases = Vec::new();
    for (number, (name, _, game)) in short_games().iter().enumerate() {
        cases.push(file(name, game, Viewer::Spectator, usize::MAX));
        for version in versions(game).into_iter().skip(number % 3).step_by(3) {
            for viewer in [None, Some(0), Some(2)] {
                let viewer = viewer.and_then(Seat::new).map_or(Viewer::Spectator, Viewer::Seat);
                cases.push(file(name, game, viewer, version));
            }
        }
    }
    // In some of these games cards are shown that lie in the fixed opening hand of somebody else, for all that a spectator can tell.
    for number in (0..24).chain([89, 116, 129, 131]) {
        let (name, game) = (format!("long game {number}"), record(number, BOTS).unwrap());
        cases.push(file(&name, &game, Viewer::Spectator, usize::MAX));
        for (viewer, part) in [(None, 0.66), (None, 0.999), (Some(1), 0.999)] {
            let viewer = viewer.and_then(Seat::new).map_or(Viewer::Spectator, Viewer::Seat);
            cases.push(file(&name, &game, viewer, version_at(&game, part)));
        }
    }
    for number in [0, 1, 11] {
        let game = play(&large(number));
        cases.push(file(&format!("large game {number}"), &game, Viewer::Spectator, version_at(&game, 0.999)));
    }
    all("untouched", &cases, |case| {
        let report = audited(&case.text)?;
        let expected = if case.ended { Verdict::Consistent } else { Verdict::Incomplete };
        let right = (report.verdict, report.held, report.held_to) == (expected, 0, 0);
        if right { Ok(()) } else { Err(format!("{}: {:?} {:?}", case.name, report.verdict, report.fault)) }
    });
}

/// Each with what was done to it, and where the fault is.
pub(crate) fn moved(files: &[File]) -> Vec<(String, String, Option<u64>)> {
    let mut cases = Vec::new();
    for (which, file) in files.iter().enumerate() {
        let other = &files[(which + 3) % files.len()];
        let (lines, others) = (file.lines(), other.lines());
        let (head, end) = (2 * file.version, lines.len());
        let after_events = Some(file.version as u64 + 1);
        let mut add = |what: String, lines: Vec<&str>, seq: Option<u64>| {
            let text: String = lines.iter().flat_map(|line| [*line, "\n"]).collect();
            cases.push((format!("{}: {what}", file.name), text, seq));
        };
        // Where something else stands than what should.
        let at = |line: usize| if line == head { after_events } else { file.seq(line) };
        let insert = |line: usize, new: &[&'static str]| [&lines[..line], new, &lines[line..]].concat();
        for line in 0..end {
            add(format!("line {line} dropped"), [&lines[..line], &lines[line + 1..]].concat(), at(line));
            add(format!("cut before line {line}"), lines[..line].to_vec(), at(line));
            let repeated = [&lines[..=line], &lines[line..]].concat();
            // A second hash stands where the next event should, a second event where its hash should.
            let next = if line % 2 == 1 && line < head { Some(line as u64 / 2 + 2) } else { file.seq(line) };
            add(format!("line {line} repeated"), repeated, next);
            if line + 1 < end {
                let mut swapped = lines.clone();
                swapped.swap(line, line + 1);
                add(format!("line {line} swapped with the next"), swapped, at(line));
            }
            for new in ["", "{}", "[]", "null", "{\"seq\":1}", "{\"hash\":\"\",\"seq\":1}"] {
                add(format!("{new:?} before line {line}"), insert(line, &[new]), at(line));
            }
            let foreign = others[line.min(others.len() - 1)];
            // A head ends the events wherever one could stand.
            let ends = foreign.starts_with("{\"head\"") && line % 2 == 0;
            if line < head && foreign != lines[line] && !ends {
                add(
                    format!("a line of {} before line {line}", other.name),
                    [&lines[..line], &[foreign], &lines[line..]].concat(),
                    at(line),
                );
                add(
                    format!("a line of {} for line {line}", other.name),
                    [&lines[..line], &[foreign], &lines[line + 1..]].concat(),
                    at(line),
                );
            }

            for new in [foreign, lines[line]] {
                add(format!("line {line} of itself or another at the end"), [&lines[..], &[new]].concat(), None);
            }
        }
        for event in 0..file.version {
            let (begin, next) = (2 * event, 2 * event + 2);
            let seq = Some(event as u64 + 1);
            if next < head {
                add(format!("event {seq:?} dropped"), [&lines[..begin], &lines[next..]].concat(), seq);
                let swapped =
                    [&lines[..begin], &lines[next..next + 2], &lines[begin..next], &lines[next + 2..]].concat();
                add(format!("event {seq:?} swapped with the next"), swapped, seq);
            }
            add(format!("event {seq:?} repeated"), [&lines[..next], &lines[begin..]].concat(), seq.map(|seq| seq + 1));
            if event > 0 && next < 2 * other.version {
                let put_in = [&lines[..begin], &others[begin..next], &lines[begin..]].concat();
                add(format!("event {seq:?} of {} put in", other.name), put_in, seq);
                let rest = [&lines[..begin], &others[begin..2 * other.version], &lines[head..]].concat();
                add(format!("the rest of {} from event {seq:?} on", other.name), rest, seq);
            }
        }
        if !file.ended {
            let reveal =
                "{\"reveal\":{\"server_seed\":\"0000000000000000000000000000000000000000000000000000000000000000\"}}";
            add("a reveal added".into(), [&lines[..], &[reveal]].concat(), None);
        }
    }
    cases
}

#[test]
fn a_line_that_is_missing_doubled_or_moved_is_found_where_it_is() {
    let cases: Vec<_> = moved(&files(8)).into_iter().step_by(STRIDE).collect();
    all("lines moved", &cases, |(what, text, seq)| finds(text, &[*seq]).map_err(|why| format!("{what}: {why}")));
}

#[test]
fn a_file_that_ends_within_a_line_is_found_there() {
    let files = files(12);
    let cases: Vec<(&File, usize)> = files
        .iter()
        .flat_map(|file| {
            (0..file.text.len()).step_by(97).chain([file.text.len() - 1]).map(move |length| (file, length))
        })
        .collect();
    all("cut within a line", &cases, |(file, length)| {
        let text = &file.text[..*length];
        let line = text.matches('\n').count();
        let head = 2 * file.version;
        let whole_head = "{\"head\":";
        let begun = text.rsplit('\n').next().unwrap_or_default();
        let after = Some(file.version as u64 + 1);
        let at = match line.cmp(&head) {
            std::cmp::Ordering::Equal if !begun.starts_with(whole_head) => after,
            _ => file.seq(line),
        };
        finds(text, &[at]).map_err(|why| format!("{} cut after {length} bytes: {why}", file.name))
    });
}
