//! Random games of every kind with fair draws, written down as a server would export them.

use chrono::{DateTime, TimeDelta, Utc};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::engine::{
    Bytes32, Command, EntropySource, Event, FairDraws, FastDraws, NewTable, OpeningHand, Options, RuleError, Seat,
    StartMode, State, Viewer, Words, default_entropy, seed_commitment,
};
use crate::log::{Cause, Head, Line, LogError, ProofKey, Sealer, exported_end, exported_line, told_secret};

/// A game that was played here, with the lines that a server would have stored.
pub struct Recorded {
    /// The game.
    pub id: Uuid,
    /// The seed behind its draws.
    pub server_seed: [u8; 32],
    /// Its log.
    pub lines: Vec<Line>,
    /// Its events.
    pub events: Vec<Event>,
    /// The table at the end.
    pub state: State,
}

/// Plays the game of a number, always the same: 3 to 5 players, every option, some who leave before the start.
///
/// # Errors
/// [`RecordError`], which would be a fault of the engine or the log.
pub fn record(number: u64) -> Result<Recorded, RecordError> {
    let mut dice = FastDraws::new(number);
    let seed = |what: &str| -> [u8; 32] { Sha256::digest(format!("{what}/{number}")).into() };
    let server_seed = seed("seed");
    let mut begin = [0; 16];
    begin.iter_mut().zip(seed("id")).for_each(|(byte, random)| *byte = random);
    let id = uuid::Builder::from_random_bytes(begin).into_uuid();
    let opening_hand = if dice.below(2) == 0 { OpeningHand::Dealt } else { OpeningHand::Fixed };
    let table = NewTable {
        game_id: id,
        seed_commitment: seed_commitment(&server_seed),
        players: 3 + dice.below(3) as u8,
        options: Options { mercenary: dice.below(2) == 0, opening_hand },
        start: if dice.below(2) == 0 { StartMode::Full } else { StartMode::Creator },
        ..NewTable::default()
    };
    let (players, start) = (table.players, table.start);
    let mut pen = Pen {
        game: Recorded { id, server_seed, lines: Vec::new(), events: Vec::new(), state: State::default() },
        head: Head::EMPTY,
        at: DateTime::from_timestamp(1_790_000_000, 0).unwrap_or_default(),
    };
    pen.write(&Command::Create(table), Cause::Table)?;
    pen.sit_down(&mut dice, players)?;
    match start {
        StartMode::Full => pen.write_at_once(&Command::Start, pen.last_seated(players))?,
        StartMode::Creator => pen.write(&Command::Start, Cause::Table)?,
    }
    let mut moves = Vec::new();
    while let Some(decision) = pen.game.state.decision() {
        moves.clear();
        pen.game.state.list_legal_moves(decision.seat, &mut moves);
        let action = moves.swap_remove(dice.below(moves.len() as u32) as usize);
        pen.write(&Command::Act { seat: decision.seat, action }, Cause::Seat(decision.seat))?;
    }
    Ok(pen.game)
}

impl Recorded {
    /// The file that a server with that proof key gives somebody who sees it as `viewer`, when the game has come as far as the event
    /// `version`; its whole length for a game that has ended.
    ///
    /// # Errors
    /// [`LogError`] if a line cannot be read.
    pub fn export(&self, key: &ProofKey, viewer: Viewer, version: usize) -> Result<String, LogError> {
        let events = self.events.get(..version).unwrap_or(&self.events);
        let status = State::fold(events).status();
        let ended = version >= self.lines.len();
        let mut text = String::new();
        let lines = self.lines.get(..version).unwrap_or(&self.lines);
        for line in lines {
            text.push_str(&exported_line(line, told_secret(line, viewer, status)?));
        }
        let head = lines.last().map_or(Head::EMPTY, |line| Head { hash: line.hash, version: line.seq });
        text.push_str(&exported_end(&key.sign_head(self.id, head), ended.then_some(&self.server_seed)));
        Ok(text)
    }
}

/// Why a game could not be written down.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The rules forbid it.
    #[error("{0}")]
    Rule(#[from] RuleError),
    /// The log could not be written.
    #[error("{0}")]
    Log(#[from] LogError),
}

/// Writes a log as the door does.
struct Pen {
    game: Recorded,
    head: Head,
    at: DateTime<Utc>,
}

impl Pen {
    /// Everybody sits down; some get up again. The last one may begin the game by it.
    fn sit_down(&mut self, dice: &mut FastDraws, players: u8) -> Result<(), RecordError> {
        for seat in (0..players).filter_map(Seat::new) {
            let (entropy, entropy_from) = match dice.below(3) {
                0 => (Bytes32(Sha256::digest(dice.word().to_be_bytes()).into()), EntropySource::Player),
                1 => (default_entropy(&self.game.server_seed, seat), EntropySource::Server),
                _ => (Bytes32::default(), EntropySource::Bot),
            };
            let take = Command::TakeSeat { seat: Some(seat), entropy, entropy_from };
            let cause = if entropy_from == EntropySource::Bot { Cause::Bot(seat) } else { Cause::Seat(seat) };
            self.write(&take, cause)?;
            if seat.number() + 1 < players && dice.below(6) == 0 {
                self.write(&Command::LeaveSeat { seat }, Cause::Seat(seat))?;
                self.write(&take, cause)?;
            }
        }
        Ok(())
    }

    fn last_seated(&self, players: u8) -> Cause {
        let bot = matches!(
            self.game.events.last().map(|event| &event.fact),
            Some(crate::engine::Fact::SeatTaken(taken)) if taken.entropy_from == EntropySource::Bot
        );
        let seat = Seat::new(players - 1).unwrap_or_default();
        if bot { Cause::Bot(seat) } else { Cause::Seat(seat) }
    }

    fn write(&mut self, command: &Command, cause: Cause) -> Result<(), RecordError> {
        self.at += TimeDelta::milliseconds(1_234);
        self.write_at_once(command, cause)
    }

    fn write_at_once(&mut self, command: &Command, cause: Cause) -> Result<(), RecordError> {
        let Recorded { id, server_seed, lines, events, state } = &mut self.game;
        let mut draws = FairDraws::of_game(server_seed, id.as_bytes(), state.entropy());
        let first = events.len();
        state.advance(command, &mut draws, events)?;
        let mut sealer = Sealer::new(server_seed, self.head);
        for event in events.iter().skip(first) {
            lines.push(sealer.seal(event, cause, self.at)?);
        }
        self.head = sealer.head();
        Ok(())
    }
}
