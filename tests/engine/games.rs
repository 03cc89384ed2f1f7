//! Random games of every kind.

use fereta::engine::*;

/// What a table is set up with, and the seed of all that happens there.
#[derive(Clone)]
pub(crate) struct Kind {
    pub(crate) table: NewTable,
    pub(crate) seed: u64,
}

/// Every number of players, opening hand and mercenary, with the default card set and with `custom` others each.
pub(crate) fn kinds(custom: u64) -> impl Iterator<Item = Kind> {
    let options = [OpeningHand::Dealt, OpeningHand::Fixed]
        .into_iter()
        .flat_map(|opening_hand| [false, true].map(|mercenary| Options { mercenary, opening_hand }));
    let tables = options.flat_map(|options| (3..=5).map(move |players| (players, options)));
    tables.enumerate().flat_map(move |(number, (players, options))| {
        (0..=custom).map(move |set| {
            let seed = number as u64 * 1000 + set;
            let card_set = if set == 0 { CardSet::default() } else { card_set(seed, players, options.opening_hand) };
            let table = NewTable { players, options, card_set: card_set.into(), ..NewTable::default() };
            Kind { table, seed }
        })
    })
}

/// A card set that can be played with, at the borders of what is allowed as often as not.
pub(crate) fn card_set(seed: u64, players: u8, opening_hand: OpeningHand) -> CardSet {
    let mut words = FastDraws::new(seed);
    loop {
        let mut among = |choices: &[u8]| choices[words.below(choices.len() as u32) as usize];
        let kinds = [LandKind::Wilderness, LandKind::River, LandKind::City];
        let lands = (0..among(&[3, 3, 4, 6, 8])).map(|_| {
            let mut points = [0; 5].map(|_: u8| among(&[0, 0, 1, 2, 5, 9, 99]));
            points.sort_unstable_by(|a, b| b.cmp(a));
            LandLine {
                five_players_only: among(&[0, 0, 0, 1]) == 1,
                kind: kinds[usize::from(among(&[0, 1, 2]))],
                points,
                strength: among(&[0, 0, 1, 2, 3, 5, 15, 99]),
            }
        });
        let lands = lands.collect();
        let mut value = 0;
        let mut supplies = Vec::new();
        for _ in 0..among(&[1, 2, 5, 8]) {
            value += among(&[1, 1, 1, 2, 11]);
            let count = among(&[0, 2, 3, 4, 5, 20]);
            supplies.push(SupplyLine { value, count, five_players_extra: among(&[0, 1, 3]) });
        }
        let rounds = Rounds { three: among(&[1, 2, 9, 20]), four: among(&[1, 2, 9, 20]), five: among(&[1, 2, 9, 20]) };
        let card_set = CardSet { lands, rounds, supplies };
        if card_set.check(players, opening_hand).is_ok() {
            return card_set;
        }
    }
}

/// The commands that bring a table to the first decision; some who sit down are bots that say which they are.
pub(crate) fn opening(kind: &Kind) -> Vec<Command> {
    let sit_down = Command::TakeSeat { seat: None, entropy: Bytes32::default(), entropy_from: EntropySource::Bot };
    let mut commands = vec![Command::Create(kind.table.clone())];
    for seat in (0..kind.table.players).filter_map(Seat::new) {
        commands.push(sit_down.clone());
        commands.extend((kind.seed + u64::from(seat.number())).is_multiple_of(3).then(|| assign(seat)));
    }
    commands.push(Command::Start);
    commands
}

fn assign(seat: Seat) -> Command {
    let level = BotLevel::ALL[usize::from(seat.number()) % BotLevel::ALL.len()];
    Command::AssignBot { seat, level, version: 1 }
}

/// How players choose at random.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Manner {
    /// Every legal move is as likely as every other.
    Even,
    /// Cards are kept back, so that hands fill and draws are lost.
    Saving,
    /// As many cards as can be are played, so that the deck is shuffled often.
    Spending,
}

pub(crate) fn choose(moves: &[Move], manner: Manner, words: &mut FastDraws) -> Move {
    let size = |action: &Move| match action {
        Move::PlaySupplies { cards } => cards.len(),
        _ => 0,
    };
    let any = moves[words.below(moves.len() as u32) as usize].clone();
    match manner {
        Manner::Even => any,
        _ if !matches!(any, Move::PlaySupplies { .. }) || words.below(8) == 0 => any,
        Manner::Saving => moves.iter().min_by_key(|action| size(action)).unwrap().clone(),
        Manner::Spending => moves.iter().max_by_key(|action| size(action)).unwrap().clone(),
    }
}

/// Plays a whole game, in which some give their seats up; `each` sees every command with the table before it and what it led to.
pub(crate) fn play(kind: &Kind, manner: Manner, mut each: impl FnMut(&State, &Command, &[Event], &State)) {
    let mut draws = FastDraws::new(kind.seed);
    let mut words = FastDraws::new(!kind.seed);
    let mut state = State::default();
    let mut opening = opening(kind).into_iter();
    let (mut moves, mut events, mut moves_made) = (Vec::new(), Vec::new(), 0);
    loop {
        let no_bot = (0..state.players()).filter_map(Seat::new).find(|seat| state.bot(*seat).is_none());
        let command = match (opening.next(), state.decision()) {
            (Some(command), _) => command,
            (None, Some(_)) if moves_made % 17 == 11 && no_bot.is_some() => {
                moves_made += 1;
                assign(no_bot.unwrap())
            }
            (None, Some(decision)) => {
                moves_made += 1;
                moves.clear();
                state.list_legal_moves(decision.seat, &mut moves);
                Command::Act { seat: decision.seat, action: choose(&moves, manner, &mut words) }
            }
            (None, None) => return,
        };
        events.clear();
        let before = state.clone();
        state.advance(&command, &mut draws, &mut events).expect("a legal command");
        each(&before, &command, &events, &state);
    }
}
