//! Every byte of lines of every kind changed.

use std::collections::BTreeSet;

use crate::cases::{all, audited, finds};
use crate::games::File;
use crate::lines::files;

/// One byte of a file changed.
struct Flip<'a> {
    file: &'a File,
    line: usize,
    /// Where in the file.
    place: usize,
    new: u8,
}

#[test]
fn a_byte_that_was_changed_is_found_in_its_line() {
    let mut files = files(1);
    files.sort_by_key(|file| file.text.len());
    let (mut types, mut proofs) = (BTreeSet::new(), BTreeSet::new());
    let mut flips = Vec::new();
    for file in &files {
        let mut begin = 0;
        for (number, line) in file.lines().into_iter().enumerate() {
            let kind = kind_of(line);
            let whole = if number < 2 * file.version { types.insert(kind) } else { proofs.insert((kind, file.ended)) };
            let stride = if whole { 1 } else { 2003 };
            for place in (begin..=begin + line.len()).filter(|place| whole || place % stride == 0) {
                let byte = file.text.as_bytes()[place];
                let bit = byte ^ (1 << (place % 8));
                flips.extend([bit, other(byte)].map(|new| Flip { file, line: number, place, new }));
            }
            begin += line.len() + 1;
        }
    }
    let events = types.iter().filter(|kind| !kind.starts_with("hash")).count();
    assert_eq!(events, 31, "every type of event occurs: {types:?}");
    all("bytes changed", &flips, |flip| {
        let mut bytes = flip.file.text.clone().into_bytes();
        bytes[flip.place] = flip.new;
        let text = String::from_utf8_lossy(&bytes);
        let (version, head) = (flip.file.version as u64, 2 * flip.file.version);
        let what = || {
            let (file, place, new) = (flip.file, flip.place, flip.new as char);
            let around = |from: usize, to: usize| String::from_utf8_lossy(&file.text.as_bytes()[from..to]).into_owned();
            let (before, after) =
                (around(place.saturating_sub(30), place), around(place, file.text.len().min(place + 30)));
            format!("{}: line {}: {new:?} at {before}>{after}", file.name, flip.line)
        };
        // While the game runs nothing seals a secret but its hash, whose salt nobody is told.
        if !flip.file.ended && flip.line < head && flip.line % 2 == 1 && in_secret(&flip.file.text, flip.place) {
            let fault = audited(&text).map_err(|why| format!("{}: {why}", what()))?.fault;
            let seq = flip.file.seq(flip.line);
            let before = fault.as_ref().is_some_and(|fault| fault.seq < seq);
            return if before { Err(format!("{}: {fault:?}", what())) } else { Ok(()) };
        }
        let may = match flip.line {
            line if line < head => vec![flip.file.seq(line)],
            line if line == head => vec![None, Some(version + 1)],
            _ => vec![None, Some(1)],
        };
        finds(&text, &may).map_err(|why| format!("{}: {why}", what()))
    });
}

/// The type of an event, or what else the line is.
fn kind_of(line: &str) -> String {
    match line.rsplit_once("\"type\":\"") {
        Some((_, kind)) => kind.trim_end_matches("\"}").to_owned(),
        None if line.contains("\"secret\"") => "hash and secret".to_owned(),
        None => line.split('"').nth(1).unwrap_or_default().to_owned(),
    }
}

fn in_secret(text: &str, place: usize) -> bool {
    let line = text[..place].rfind('\n').map_or(0, |end| end + 1);
    let end = text[place..].find('\n').map_or(text.len(), |end| place + end);
    let whole = &text[line..end];
    let (Some(begin), Some(after)) = (whole.find("\"secret\":\""), whole.rfind("\",\"seq\"")) else { return false };
    (line + begin + 10..line + after).contains(&place)
}

/// Another character that could stand there.
fn other(byte: u8) -> u8 {
    match byte {
        b'0'..=b'8' | b'a'..=b'e' | b'g'..=b'y' | b'A'..=b'Y' => byte + 1,
        b'9' => b'0',
        b'f' => b'a',
        b'z' => b'a',
        b'Z' => b'A',
        b'{' => b'[',
        b'}' => b']',
        b'[' => b'{',
        b']' => b'}',
        b',' => b':',
        b':' => b',',
        b'\n' => b' ',
        b'_' => b'-',
        _ => b'_',
    }
}
