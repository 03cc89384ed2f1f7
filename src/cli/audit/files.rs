//! Files of exported games, taken apart into games.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _, stdin};
use std::path::{Path, PathBuf};

use crate::log::{begins_a_game, is_head_line, is_reveal_line};

/// No game is as large, in bytes; a file that says so is not read into memory.
const LARGEST: u64 = 64 * 1024 * 1024;

/// The text of one game in a file.
pub(in crate::cli) struct Game {
    /// The file.
    pub(in crate::cli) file: PathBuf,
    /// What the file has of it; empty if there is nothing.
    pub(in crate::cli) text: String,
    /// Why nothing more could be read.
    pub(in crate::cli) unreadable: Option<String>,
}

/// The games of some files, in order. A file without any is told as one game that is empty.
pub(in crate::cli) struct Games {
    files: std::vec::IntoIter<PathBuf>,
    bytes: Option<u64>,
    open: Option<(PathBuf, Box<dyn BufRead + Send>)>,
    /// A line that was read, but belongs to the next game.
    ahead: Vec<u8>,
}

impl Games {
    pub(in crate::cli) fn of(files: &[PathBuf]) -> Self {
        let sizes =
            files.iter().map(|file| file.metadata().ok().filter(|found| found.is_file()).map(|found| found.len()));
        Self { bytes: sizes.sum(), files: Vec::from(files).into_iter(), open: None, ahead: Vec::new() }
    }

    /// How many bytes there are, if that is known.
    pub(in crate::cli) const fn bytes(&self) -> Option<u64> {
        self.bytes
    }
}

impl Iterator for Games {
    type Item = Game;

    fn next(&mut self) -> Option<Game> {
        let first = self.open.is_none();
        let (file, mut reader) = match self.open.take() {
            Some(open) => open,
            None => {
                let file = self.files.next()?;
                match open(&file) {
                    Ok(reader) => (file, reader),
                    Err(error) => return Some(Game { file, text: String::new(), unreadable: Some(error.to_string()) }),
                }
            }
        };
        let read = read_game(&mut reader, &mut self.ahead);
        match read {
            Ok(text) if text.is_empty() && !first => self.next(),
            Ok(text) => {
                let game = Game { file: file.clone(), text, unreadable: None };
                if !game.text.is_empty() {
                    self.open = Some((file, reader));
                }
                Some(game)
            }
            Err(error) => {
                self.ahead.clear();
                Some(Game { file, text: String::new(), unreadable: Some(error.to_string()) })
            }
        }
    }
}

fn open(file: &Path) -> io::Result<Box<dyn BufRead + Send>> {
    if file == Path::new("-") {
        return Ok(Box::new(BufReader::new(stdin())));
    }
    Ok(Box::new(BufReader::with_capacity(1 << 18, File::open(file)?)))
}

/// The lines up to a head and its reveal, or up to where another game begins; what is no UTF-8 is kept, as what no line may have.
fn read_game(reader: &mut dyn BufRead, ahead: &mut Vec<u8>) -> io::Result<String> {
    let mut game: Vec<u8> = Vec::new();
    let mut ended = false;
    loop {
        let mut line = std::mem::take(ahead);
        if line.is_empty() {
            let room = LARGEST.saturating_sub(game.len() as u64);
            (&mut *reader).take(room + 1).read_until(b'\n', &mut line)?;
            if line.len() as u64 > room {
                return Err(io::Error::other(format!("a game is larger than {LARGEST} bytes")));
            }
        }
        let text = std::str::from_utf8(&line).unwrap_or_default();
        let next = if ended { !is_reveal_line(text) } else { !game.is_empty() && begins_a_game(text) };
        if line.is_empty() || next {
            *ahead = line;
            return Ok(into_text(game));
        }
        let reveal = ended;
        ended = is_head_line(text);
        game.append(&mut line);
        if reveal {
            return Ok(into_text(game));
        }
    }
}

fn into_text(game: Vec<u8>) -> String {
    String::from_utf8(game).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Vec<String> {
        let (mut reader, mut ahead, mut parts) = (text.as_bytes(), Vec::new(), Vec::new());
        loop {
            match read_game(&mut reader, &mut ahead).unwrap() {
                part if part.is_empty() => return parts,
                part => parts.push(part),
            }
        }
    }

    #[test]
    fn a_file_is_taken_apart_where_a_game_ends_or_another_begins() {
        let (begin, head, reveal) = ("{\"seq\":1,\"type\":\"table_created\"}\n", "{\"head\":1}\n", "{\"reveal\":1}\n");
        let game = format!("{begin}{{}}\n{head}{reveal}");
        let running = format!("{begin}{{}}\n{head}");
        let cut = format!("{begin}{{}}\n");
        assert_eq!(parts(&format!("{game}{running}{cut}{game}")), [&*game, &running, &cut, &game]);
        assert_eq!(parts(&format!("{game}{reveal}")), [&*game, reveal]);
        assert_eq!(parts("rubbish"), ["rubbish"]);
        assert_eq!(parts(&format!("{head}{game}")), [head, &game]);
    }
}
