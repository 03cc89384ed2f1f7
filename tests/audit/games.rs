//! Short games of every kind, and the files that a server would make of them.

use chrono::{DateTime, TimeDelta, Utc};
use fereta::bots::BOTS_VERSION;
use fereta::cli::selfplay::record::Recorded;
use fereta::engine::*;
use fereta::log::{Cause, Head, Line, ProofKey, Sealer};
use sha2::{Digest, Sha256};
use uuid::Uuid;

/// The server's proof key.
pub(crate) fn server() -> ProofKey {
    ProofKey::from_bytes(&[41; 32])
}

/// What a game is made from.
#[derive(Clone)]
pub(crate) struct Kind {
    pub(crate) id: Uuid,
    /// Of the shuffles.
    pub(crate) server_seed: [u8; 32],
    /// Of the moves, and of who sits down and how.
    pub(crate) moves: u64,
    pub(crate) table: NewTable,
    /// Whether the table is closed before the start, and why.
    pub(crate) closed: Option<CloseReason>,
}

/// A digest to take for a random number.
pub(crate) fn digest(of: &str) -> [u8; 32] {
    Sha256::digest(of).into()
}

/// The kind of a number: every number of players, option, manner of start and version of the rules in turn, with small card sets.
pub(crate) fn kind(number: u64) -> Kind {
    let mut dice = FastDraws::new(number ^ 0x5eed);
    let server_seed = digest(&format!("seed {number}"));
    let id = uuid::Builder::from_random_bytes(digest(&format!("id {number}"))[..16].try_into().unwrap()).into_uuid();
    let players = 3 + (number % 3) as u8;
    let opening_hand = if (number / 3).is_multiple_of(2) { OpeningHand::Dealt } else { OpeningHand::Fixed };
    let table = NewTable {
        game_id: id,
        seed_commitment: seed_commitment(&server_seed),
        players,
        options: Options { mercenary: (number / 6).is_multiple_of(2), opening_hand },
        start: if (number / 12).is_multiple_of(2) { StartMode::Full } else { StartMode::Creator },
        card_set: card_set(&mut dice, players).into(),
        rules: 1 + (number / 2 % 2) as u16,
    };
    Kind { id, server_seed, moves: number, table, closed: None }
}

/// The kind of a number with as many rounds as there can be, and many cards.
pub(crate) fn large(number: u64) -> Kind {
    let mut kind = kind(number);
    let supply = |value| SupplyLine { value, count: 20, five_players_extra: 2 };
    let rounds = Rounds { three: 20, four: 20, five: 20 };
    let mut card_set = CardSet { rounds, ..CardSet::default() };
    if number.is_multiple_of(2) {
        card_set.supplies = (1..=9).map(supply).collect();
    }
    kind.table.card_set = card_set.into();
    kind
}

/// Few lands, cards and rounds: so that decks are used up, hands fill, one house wins all, and the file is short.
fn card_set(dice: &mut FastDraws, players: u8) -> CardSet {
    let land = |kind, strength, points, five_players_only| LandLine { kind, strength, points, five_players_only };
    let mut lands = vec![
        land(LandKind::River, 2, [4, 3, 2, 1, 1], false),
        land(LandKind::City, 5, [9, 8, 6, 5, 3], false),
        land(LandKind::Meadow, 0, [3, 2, 0, 0, 0], true),
    ];
    if players < 5 && dice.below(2) == 0 {
        lands.push(land(LandKind::Forest, 7, [7, 6, 5, 4, 2], false));
    }
    let rounds = 1 + dice.below(2) as u8;
    let supply = |value, count| SupplyLine { value, count, five_players_extra: 1 };
    let supplies = vec![supply(3, players - 1 + 1), supply(4, players), supply(5, players), supply(9, 1)];
    CardSet { lands, rounds: Rounds { three: rounds, four: rounds, five: rounds }, supplies }
}

/// Plays a game of this kind, at random and always the same.
pub(crate) fn play(kind: &Kind) -> Recorded {
    play_turning(kind, usize::MAX)
}

/// The same game, but other moves from `turn` on.
pub(crate) fn play_turning(kind: &Kind, turn: usize) -> Recorded {
    let mut dice = FastDraws::new(kind.moves);
    let game = Recorded {
        id: kind.id,
        server_seed: kind.server_seed,
        lines: Vec::new(),
        events: Vec::new(),
        state: State::default(),
    };
    let at = DateTime::from_timestamp(1_790_000_000, 0).unwrap();
    let mut pen = Pen { game, head: Head::EMPTY, at };
    pen.write(&Command::Create(kind.table.clone()), Cause::Table);
    let sits = dice.below(2) == 0;
    if sits {
        pen.write_at_once(&pen.sit_down(Seat::default(), EntropySource::Server, &mut dice), Cause::Table);
    }
    let mut bots = Vec::new();
    for seat in (u8::from(sits)..kind.table.players).filter_map(Seat::new) {
        let last = seat.number() + 1 == kind.table.players;
        if last && let Some(reason) = kind.closed {
            let by = if sits { Cause::Seat(Seat::default()) } else { Cause::Table };
            pen.write(&Command::Close { reason }, if reason == CloseReason::Expired { Cause::Clock } else { by });
            return pen.game;
        }
        let from = [EntropySource::Player, EntropySource::Server, EntropySource::Bot][dice.below(3) as usize];
        let cause = if from == EntropySource::Bot { Cause::Bot(seat) } else { Cause::Seat(seat) };
        let take = pen.sit_down(seat, from, &mut dice);
        pen.write(&take, cause);
        pen.say_which_bot(seat, from);
        // Some get up again, or are made to.
        if !last && dice.below(3) == 0 {
            let by = if sits { Cause::Seat(Seat::default()) } else { Cause::Table };
            let by = if from != EntropySource::Bot && dice.below(2) == 0 { cause } else { by };
            pen.write(&Command::LeaveSeat { seat }, by);
            let take = pen.sit_down(seat, from, &mut dice);
            pen.write(&take, cause);
            pen.say_which_bot(seat, from);
        }
        bots.extend(Some(seat).filter(|_| from == EntropySource::Bot));
        if last && kind.table.start == StartMode::Full {
            pen.write_at_once(&Command::Start, cause);
        }
    }
    if kind.table.start == StartMode::Creator {
        pen.write(&Command::Start, if sits { Cause::Seat(Seat::default()) } else { Cause::Table });
    }
    let mut moves_made = 0;
    while let Some(Decision { seat, .. }) = pen.game.state.decision() {
        if moves_made == turn {
            dice = FastDraws::new(!kind.moves);
        }
        // Seats are given up: of who has to decide, and of others.
        let given_up = Seat::new((kind.moves % 3) as u8).unwrap();
        if moves_made as u64 == 2 + kind.moves && pen.knows_of_bots() && pen.game.state.bot(given_up).is_none() {
            pen.write(&assigned(given_up), Cause::Seat(given_up));
            bots.push(given_up);
        }
        moves_made += 1;
        let mut moves = pen.game.state.legal_moves(seat);
        let action = moves.swap_remove(dice.below(moves.len() as u32) as usize);
        let cause = if bots.contains(&seat) { Cause::Bot(seat) } else { Cause::Seat(seat) };
        pen.write(&Command::Act { seat, action }, cause);
    }
    pen.game
}

/// Writes a log as the server does.
struct Pen {
    game: Recorded,
    head: Head,
    at: DateTime<Utc>,
}

/// A bot that is to play the seat.
fn assigned(seat: Seat) -> Command {
    let level = BotLevel::ALL[usize::from(seat.number()) % BotLevel::ALL.len()];
    Command::AssignBot { seat, level, version: BOTS_VERSION }
}

impl Pen {
    fn knows_of_bots(&self) -> bool {
        self.game.state.rules() >= RULES_WITH_BOTS
    }

    fn say_which_bot(&mut self, seat: Seat, from: EntropySource) {
        if from == EntropySource::Bot && self.knows_of_bots() {
            self.write_at_once(&assigned(seat), Cause::Bot(seat));
        }
    }

    fn sit_down(&self, seat: Seat, entropy_from: EntropySource, dice: &mut FastDraws) -> Command {
        let entropy = match entropy_from {
            EntropySource::Player => Bytes32(digest(&dice.word().to_string())),
            EntropySource::Server => default_entropy(&self.game.server_seed, seat),
            EntropySource::Bot => Bytes32::default(),
        };
        Command::TakeSeat { seat: Some(seat), entropy, entropy_from }
    }

    fn write(&mut self, command: &Command, cause: Cause) {
        self.at += TimeDelta::milliseconds(1_234);
        self.write_at_once(command, cause);
    }

    fn write_at_once(&mut self, command: &Command, cause: Cause) {
        let Recorded { id, server_seed, lines, events, state } = &mut self.game;
        let mut draws = FairDraws::of_game(server_seed, id.as_bytes(), state.entropy());
        let first = events.len();
        state.advance(command, &mut draws, events).unwrap();
        let mut sealer = Sealer::new(server_seed, self.head);
        lines.extend(events[first..].iter().map(|event| sealer.seal(event, cause, self.at).unwrap()));
        self.head = sealer.head();
    }
}

/// The type of an event.
pub(crate) fn type_of(line: &Line) -> String {
    let value: serde_json::Value = serde_json::from_str(&line.text).unwrap();
    value["type"].as_str().unwrap().to_owned()
}

/// A file, and what it is of.
#[derive(Clone)]
pub(crate) struct File {
    pub(crate) name: String,
    pub(crate) text: String,
    /// How many events it has.
    pub(crate) version: usize,
    pub(crate) ended: bool,
}

impl File {
    pub(crate) fn lines(&self) -> Vec<&str> {
        self.text.lines().collect()
    }

    /// The event that a line belongs to; none for those after the events.
    pub(crate) fn seq(&self, line: usize) -> Option<u64> {
        (line < 2 * self.version).then_some(line as u64 / 2 + 1)
    }
}

/// The versions that somebody can have been shown while the game ran: what follows from a move is there together with it.
pub(crate) fn versions(game: &Recorded) -> Vec<usize> {
    let full = game.state.start_mode() == StartMode::Full;
    let started = game.events.iter().position(|event| matches!(event.fact, Fact::GameStarted(_)));
    let begins = |version: usize| match game.events[version].fact {
        Fact::GameStarted(_) => !full,
        // A bot that sits down says which it is together with it.
        Fact::BotAssigned(_) => started.is_some_and(|started| started < version),
        _ => Command::behind(&game.events[version]).is_some(),
    };
    (1..game.events.len()).filter(|version| begins(*version)).collect()
}

/// The version that `part` of all that were shown come before.
pub(crate) fn version_at(game: &Recorded, part: f64) -> usize {
    let versions = versions(game);
    versions[(versions.len() as f64 * part) as usize]
}

/// The file of a game as `viewer` is given it at `version`.
pub(crate) fn file(name: &str, game: &Recorded, viewer: Viewer, version: usize) -> File {
    let ended = version >= game.lines.len();
    let version = version.min(game.lines.len());
    let name = format!("{name}, as {viewer:?} has it at {version} of {}", game.lines.len());
    File { name, text: game.export(&server(), viewer, version).unwrap(), version, ended }
}

/// Short games of all kinds, which have every type of event between them; the last two are closed tables.
pub(crate) fn short_games() -> Vec<(String, Kind, Recorded)> {
    let mut kinds: Vec<Kind> = (0..24).map(kind).collect();
    kinds.push(Kind { closed: Some(CloseReason::Creator), ..kind(24) });
    kinds.push(Kind { closed: Some(CloseReason::Expired), ..kind(37) });
    let named = |kind: Kind| {
        let closed = kind.closed.map_or_else(String::new, |reason| format!(", closed ({reason:?})"));
        (format!("game {}{closed}", kind.moves), kind.clone(), play(&kind))
    };
    kinds.into_iter().map(named).collect()
}
