//! Files that say what is expected. `FERETA_BLESS=1 cargo test --test engine` writes them anew.

use std::path::Path;

use fereta::engine::*;
use serde_json::{Value, json};

/// Holds `actual` against the file at `path` under tests/data, line by line; or writes the file.
#[track_caller]
pub(crate) fn compare(path: &str, actual: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(path);
    if std::env::var_os("FERETA_BLESS").is_some() {
        std::fs::create_dir_all(file.parent().expect("a folder")).expect("a folder to write to");
        std::fs::write(&file, actual).expect("a file to write");
        return;
    }
    let expected = std::fs::read_to_string(&file).unwrap_or_default();
    for (number, (expected, actual)) in expected.lines().zip(actual.lines()).enumerate() {
        assert_eq!(actual, expected, "{path}, line {}; FERETA_BLESS=1 accepts it", number + 1);
    }
    assert_eq!(actual.lines().count(), expected.lines().count(), "lines of {path}; FERETA_BLESS=1 accepts it");
}

/// A game played to its end with the shuffles of a seed: its setup, and each command with what it led to.
pub(crate) struct Game {
    pub(crate) name: &'static str,
    pub(crate) server_seed: [u8; 32],
    pub(crate) table: NewTable,
    pub(crate) game_seed: [u8; 32],
    pub(crate) steps: Vec<(Command, Vec<Event>)>,
}

impl Game {
    /// Plays a game under version 1 of the rules, in which everything follows from its name. Its id is `number`, in all bytes.
    pub(crate) fn play_by_older_rules(
        name: &'static str,
        number: u8,
        players: u8,
        options: Options,
        card_set: CardSet,
    ) -> Self {
        Self::play_by(1, name, number, players, options, card_set, &[])
    }

    /// The same under today's rules: bots say what they are, and seats are given up, each after so many moves.
    pub(crate) fn play(
        name: &'static str,
        number: u8,
        players: u8,
        options: Options,
        card_set: CardSet,
        given_up: &[(usize, u8)],
    ) -> Self {
        Self::play_by(RULES_VERSION, name, number, players, options, card_set, given_up)
    }

    fn play_by(
        rules: u16,
        name: &'static str,
        number: u8,
        players: u8,
        options: Options,
        card_set: CardSet,
        given_up: &[(usize, u8)],
    ) -> Self {
        let server_seed: [u8; 32] = std::array::from_fn(|i| number.wrapping_mul(16).wrapping_add(i as u8));
        let game_id = uuid::Uuid::from_bytes([number; 16]);
        let seed_commitment = seed_commitment(&server_seed);
        let table = NewTable {
            game_id,
            seed_commitment,
            players,
            options,
            start: StartMode::Full,
            card_set: card_set.into(),
            rules,
        };
        let mut state = State::default();
        let mut commands = vec![Command::Create(table.clone())];
        for seat in (0..players).filter_map(Seat::new) {
            // One of each source, seat 0 being a player who sent nothing.
            let (entropy, entropy_from) = match seat.number() % 3 {
                0 => (default_entropy(&server_seed, seat), EntropySource::Server),
                1 => (Bytes32([0xa0 + seat.number(); 32]), EntropySource::Player),
                _ => (Bytes32::default(), EntropySource::Bot),
            };
            commands.push(Command::TakeSeat { seat: Some(seat), entropy, entropy_from });
            if entropy_from == EntropySource::Bot && rules > 1 {
                commands.push(Command::AssignBot { seat, level: level(number), version: 1 });
            }
        }
        let mut steps = Vec::new();
        for command in commands {
            let mut events = Vec::new();
            state.advance(&command, &mut FairDraws::new([0; 32]), &mut events).expect("a legal command");
            steps.push((command, events));
        }
        let game_seed = game_seed(&server_seed, game_id.as_bytes(), state.entropy());
        let mut draws = FairDraws::new(game_seed);
        let mut words = FastDraws::new(number.into());
        let mut next = Some(Command::Start);
        let mut moves_made = 0;
        let mut advance = |state: &mut State, command: Command| {
            let mut events = Vec::new();
            state.advance(&command, &mut draws, &mut events).expect("a legal command");
            steps.push((command, events));
        };
        while let Some(command) = next {
            advance(&mut state, command);
            for (_, seat) in given_up.iter().filter(|(after, _)| *after == moves_made) {
                let seat = Seat::new(*seat).expect("a seat");
                advance(&mut state, Command::AssignBot { seat, level: level(seat.number()), version: 1 });
            }
            moves_made += 1;
            next = state.decision().map(|Decision { seat, .. }| {
                // Not by the order in which moves are listed, which is nobody's business.
                let mut moves = state.legal_moves(seat);
                moves.sort_by_cached_key(|action| move_json(action).to_string());
                Command::Act { seat, action: moves.swap_remove(words.below(moves.len() as u32) as usize) }
            });
        }
        Self { name, server_seed, table, game_seed, steps }
    }
}

fn level(number: u8) -> BotLevel {
    BotLevel::ALL[usize::from(number) % BotLevel::ALL.len()]
}

pub(crate) fn command_json(command: &Command) -> Value {
    match command {
        Command::Create(table) => {
            let mut create = json!({
                "type": "create",
                "card_set": table.card_set,
                "game_id": table.game_id,
                "options": table.options,
                "players": table.players,
                "seed_commitment": table.seed_commitment,
                "start": table.start,
            });
            // The vectors of version 1 are frozen as they were written.
            if table.rules > 1 {
                create["rules"] = table.rules.into();
            }
            create
        }
        Command::TakeSeat { seat, entropy, entropy_from } => {
            json!({"type": "take_seat", "seat": seat, "entropy": entropy, "entropy_from": entropy_from})
        }
        Command::LeaveSeat { seat } => json!({"type": "leave_seat", "seat": seat}),
        Command::AssignBot { seat, level, version } => {
            json!({"type": "assign_bot", "seat": seat, "level": level, "version": version})
        }
        Command::Start => json!({"type": "start"}),
        Command::Close { reason } => json!({"type": "close", "reason": reason}),
        Command::Act { seat, action } => json!({"type": "act", "seat": seat, "move": move_json(action)}),
    }
}

/// A move as R7 spells it.
fn move_json(action: &Move) -> Value {
    match action {
        Move::PlaceEstate { land } => json!({"type": "place_estate", "land": land}),
        Move::ChooseBattlefield { lands } => json!({"type": "choose_battlefield", "lands": lands}),
        Move::TakeActionCard { card } => json!({"type": "take_action_card", "card": card}),
        Move::PlaySupplies { cards } => json!({"type": "play_supplies", "cards": cards}),
        Move::Build { land, face } => json!({"type": "build", "land": land, "face": face}),
        Move::FlipBase { land } => json!({"type": "flip_base", "land": land}),
        Move::PassBuild => json!({"type": "pass_build"}),
        Move::DiscardSupplies { cards } => json!({"type": "discard_supplies", "cards": cards}),
    }
}

/// A card set with few of everything: draws are lost, hands are cut, and lands soon show one house.
pub(crate) fn scarce() -> CardSet {
    let mut card_set = CardSet::default();
    card_set.lands.truncate(3);
    card_set.lands[2].points = [99, 7, 7, 0, 0];
    card_set.rounds = Rounds { three: 12, four: 12, five: 12 };
    card_set.supplies = vec![
        SupplyLine { value: 1, count: 5, five_players_extra: 2 },
        SupplyLine { value: 7, count: 6, five_players_extra: 2 },
        SupplyLine { value: 99, count: 1, five_players_extra: 0 },
    ];
    card_set
}
