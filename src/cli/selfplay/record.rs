//! Random games of every kind with fair draws, written down as a server would export them.

use chrono::{DateTime, TimeDelta, Utc};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::bots::{self, BOTS_VERSION};
use crate::engine::{
    BotLevel, Bytes32, Command, Decision, EntropySource, Event, FairDraws, FastDraws, Knowledge, Move, NewTable,
    OpeningHand, Options, RULES_VERSION, RULES_WITH_BOTS, RuleError, Seat, StartMode, State, Status, Viewer, Words,
    bot_seed, default_entropy, seed_commitment,
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

/// Plays the game of a number, always the same: 3 to 5 players, every option, versions 1 and 2 of the rules, some who leave before the
/// start. In one of eight games a bot of one of these `levels` plays a seat, from the start on or from some move on; the others
/// make any legal move as likely as any other.
///
/// # Errors
/// [`RecordError`], which would be a fault of the engine or the log.
pub fn record(number: u64, levels: &[BotLevel]) -> Result<Recorded, RecordError> {
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
        rules: if number % 8 > 4 { RULES_VERSION } else { 1 },
        ..NewTable::default()
    };
    let (players, start) = (table.players, table.start);
    let mut pen = Pen {
        game: Recorded { id, server_seed, lines: Vec::new(), events: Vec::new(), state: State::default() },
        head: Head::EMPTY,
        at: DateTime::from_timestamp(1_790_000_000, 0).unwrap_or_default(),
        last_cause: Cause::Table,
        bot: Planned::of(number, levels, players),
    };
    pen.write(&Command::Create(table), Cause::Table)?;
    pen.sit_down(&mut dice, players)?;
    match start {
        StartMode::Full => pen.write_at_once(&Command::Start, pen.last_cause)?,
        StartMode::Creator => pen.write(&Command::Start, Cause::Table)?,
    }
    pen.play(&mut dice)?;
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
    last_cause: Cause,
    bot: Option<Planned>,
}

/// A bot that is to play a seat.
#[derive(Clone, Copy)]
struct Planned {
    seat: Seat,
    level: BotLevel,
    /// After so many moves a player gives the seat up; without, the bot sits down in it.
    after: Option<u64>,
}

impl Planned {
    /// The bot of the game of a number.
    fn of(number: u64, levels: &[BotLevel], players: u8) -> Option<Self> {
        let turn = number / 16;
        let place = usize::try_from(turn).unwrap_or_default().checked_rem(levels.len())?;
        let (seat, level) = (Seat::new((turn % u64::from(players)) as u8)?, *levels.get(place)?);
        match number % 16 {
            7 => Some(Self { seat, level, after: None }),
            15 => Some(Self { seat, level, after: Some(turn % 50) }),
            _ => None,
        }
    }

    fn assigned(self) -> Command {
        Command::AssignBot { seat: self.seat, level: self.level, version: BOTS_VERSION }
    }
}

impl Pen {
    /// Everybody sits down; some get up again. The last one may begin the game by it.
    fn sit_down(&mut self, dice: &mut FastDraws, players: u8) -> Result<(), RecordError> {
        for seat in (0..players).filter_map(Seat::new) {
            let bot = self.bot.filter(|bot| bot.seat == seat && bot.after.is_none());
            let older = self.game.state.rules() < RULES_WITH_BOTS;
            let (entropy, entropy_from) = match dice.below(3) {
                _ if bot.is_some() => (Bytes32::default(), EntropySource::Bot),
                0 => (Bytes32(Sha256::digest(dice.word().to_be_bytes()).into()), EntropySource::Player),
                2 if older => (Bytes32::default(), EntropySource::Bot),
                _ => (default_entropy(&self.game.server_seed, seat), EntropySource::Server),
            };
            let take = Command::TakeSeat { seat: Some(seat), entropy, entropy_from };
            self.sit(&take, seat, bot)?;
            if seat.number() + 1 < players && dice.below(6) == 0 {
                let by = if bot.is_some() { Cause::Table } else { Cause::Seat(seat) };
                self.write(&Command::LeaveSeat { seat }, by)?;
                self.sit(&take, seat, bot)?;
            }
        }
        Ok(())
    }

    fn sit(&mut self, take: &Command, seat: Seat, bot: Option<Planned>) -> Result<(), RecordError> {
        let is_bot = matches!(take, Command::TakeSeat { entropy_from: EntropySource::Bot, .. });
        let cause = if is_bot { Cause::Bot(seat) } else { Cause::Seat(seat) };
        self.write(take, cause)?;
        bot.map_or(Ok(()), |bot| self.write_at_once(&bot.assigned(), cause))
    }

    /// To the end of the game.
    fn play(&mut self, dice: &mut FastDraws) -> Result<(), RecordError> {
        let (mut moves, mut made) = (Vec::new(), 0);
        while let Some(Decision { seat, .. }) = self.game.state.decision() {
            if let Some(bot) = self.bot.filter(|bot| bot.after == Some(made)) {
                self.write(&bot.assigned(), Cause::Seat(bot.seat))?;
            }
            moves.clear();
            self.game.state.list_legal_moves(seat, &mut moves);
            let (action, cause) = match self.game.state.bot(seat).and_then(|level| self.think(seat, level, &moves)) {
                Some(chosen) => (chosen, Cause::Bot(seat)),
                None => (moves.swap_remove(dice.below(moves.len() as u32) as usize), Cause::Seat(seat)),
            };
            self.write(&Command::Act { seat, action }, cause)?;
            made += 1;
        }
        Ok(())
    }

    /// The move of a bot that has seen what its seat has.
    fn think(&self, seat: Seat, level: BotLevel, legal: &[Move]) -> Option<Move> {
        let viewer = Viewer::Seat(seat);
        let mut known = Knowledge::new(viewer);
        self.game.events.iter().for_each(|event| known.observe(event.seen(viewer, Status::Running)));
        bots::choose(level, &known, legal, bot_seed(&self.game.server_seed, seat, self.head.version + 1))
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
        (self.head, self.last_cause) = (sealer.head(), cause);
        Ok(())
    }
}
