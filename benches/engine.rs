//! How fast the rules are on one core: whole random games, views, and events as they are seen.
//!
//! `cargo bench --bench engine`. The element of `moves` is one move: listing the legal ones, choosing, and advancing.

#![expect(clippy::expect_used, reason = "a bench fails by panicking")]

use std::hint::black_box;

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use fereta::engine::*;

fn started(players: u8, seed: u64) -> State {
    let (mut draws, mut events) = (FastDraws::new(seed), Vec::new());
    let mut state = State::default();
    let entropy = Bytes32::default();
    let sit_down = Command::TakeSeat { seat: None, entropy, entropy_from: EntropySource::Bot };
    let mut commands = vec![Command::Create(NewTable { players, ..NewTable::default() })];
    commands.resize(1 + usize::from(players), sit_down);
    commands.push(Command::Start);
    for command in commands {
        state.advance(&command, &mut draws, &mut events).expect("a legal command");
    }
    state
}

/// Plays a game to its end, or for `most` moves; gives the number of moves.
fn play(state: &mut State, draws: &mut FastDraws, most: u64, moves: &mut Vec<Move>, events: &mut Vec<Event>) -> u64 {
    for made in 0..most {
        let Some(Decision { seat, .. }) = state.decision() else { return made };
        moves.clear();
        state.list_legal_moves(seat, moves);
        let action = moves.swap_remove(draws.below(moves.len() as u32) as usize);
        events.clear();
        state.advance(&Command::Act { seat, action }, draws, events).expect("a legal move");
    }
    most
}

/// Games of one bench; their moves are counted before.
const GAMES: u64 = 64;

fn moves(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("moves");
    let (mut moves, mut events) = (Vec::new(), Vec::new());
    for players in 3..=5 {
        let start = started(players, players.into());
        let mut games = |seed: u64| -> u64 {
            let mut draws = FastDraws::new(seed);
            (0..GAMES).map(|_| play(&mut start.clone(), &mut draws, u64::MAX, &mut moves, &mut events)).sum()
        };
        group.throughput(Throughput::Elements(games(1)));
        group.bench_function(BenchmarkId::from_parameter(players), |bencher| bencher.iter(|| games(1)));
    }
    group.finish();
}

fn looks(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("looks");
    group.throughput(Throughput::Elements(1));
    for players in 3..=5 {
        let mut state = started(players, 9);
        let mut log = Vec::new();
        let mut draws = FastDraws::new(9);
        for _ in 0..60 {
            let mut events = Vec::new();
            play(&mut state, &mut draws, 1, &mut Vec::new(), &mut events);
            log.extend(events);
        }
        let viewer = Viewer::Seat(Seat::default());
        group.bench_function(BenchmarkId::new("view", players), |bencher| {
            bencher.iter(|| black_box(state.view(viewer)))
        });
        let mut next = log.iter().cycle();
        group.bench_function(BenchmarkId::new("seen", players), |bencher| {
            bencher.iter_batched(
                || next.next().expect("an event"),
                |event| black_box(event.seen(viewer, Status::Running)),
                BatchSize::SmallInput,
            );
        });
    }
    group.finish();
}

criterion_group!(benches, moves, looks);
criterion_main!(benches);
