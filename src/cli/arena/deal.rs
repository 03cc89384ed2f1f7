//! One game of the arena.

use rustix::time::{ClockId, clock_gettime};

use super::CliError;
use crate::bots::Player;
use crate::engine::{
    Bytes32, Command, Decision, EntropySource, FairDraws, FastDraws, Knowledge, NewTable, Seat, State, Viewer, Words,
};

/// Which cards are dealt, and who sits where.
pub(super) struct Deal {
    pub(super) seed: u64,
    pub(super) number: u64,
    /// By how many seats the line-up is turned.
    pub(super) rotation: usize,
}

/// How a game went for one of the line-up.
#[derive(Default)]
pub(super) struct Showing {
    /// His share of the victory.
    pub(super) share: f64,
    pub(super) points: u16,
    /// The CPU time that he took for each move where he had a choice, in milliseconds.
    pub(super) thought_ms: Vec<f32>,
}

impl Deal {
    /// Plays it; how it went for each of the line-up.
    pub(super) fn play(&self, table: &NewTable, line_up: &[Player]) -> Result<Vec<Showing>, CliError> {
        let mut seeds = FastDraws::new(self.seed ^ self.number.wrapping_mul(0x2545_f491_4f6c_dd1d));
        // Streams by label: the shuffles are the same, whatever is played in between.
        let mut draws = FairDraws::new(std::array::from_fn(|_| seeds.below(256) as u8));
        let mut chance = FastDraws::new(u64::from(seeds.word()) << 32 | self.rotation as u64);
        let (mut state, mut events) = (State::default(), Vec::new());
        let (entropy, entropy_from) = (Bytes32::default(), EntropySource::Bot);
        state.advance(&Command::Create(table.clone()), &mut draws, &mut events)?;
        for _ in 0..table.players {
            state.advance(&Command::TakeSeat { seat: None, entropy, entropy_from }, &mut draws, &mut events)?;
        }
        state.advance(&Command::Start, &mut draws, &mut events)?;
        let seats = || (0..table.players).filter_map(Seat::new);
        let mut known: Vec<Knowledge> = seats().map(|seat| Knowledge::new(Viewer::Seat(seat))).collect();
        let mut showings: Vec<Showing> = line_up.iter().map(|_| Showing::default()).collect();
        while let Some(Decision { seat, .. }) = state.decision() {
            for known in &mut known {
                let viewer = known.viewer();
                events.iter().for_each(|event| known.observe(event.seen(viewer, state.status())));
            }
            events.clear();
            let legal = state.legal_moves(seat);
            let who = self.who(seat, line_up.len());
            let (Some(player), Some(known), Some(showing)) =
                (line_up.get(who), known.get(usize::from(seat.number())), showings.get_mut(who))
            else {
                return Err("a seat without a player".into());
            };
            let before = thought_ms();
            let action = player.choose(known, &legal, &mut chance).ok_or("a decision without a legal move")?;
            if legal.len() > 1 {
                showing.thought_ms.push((thought_ms() - before) as f32);
            }
            state.advance(&Command::Act { seat, action }, &mut draws, &mut events)?;
        }
        let winners = seats().filter(|seat| state.rank(*seat) == Some(1)).count() as f64;
        for seat in state.view(Viewer::Spectator).seats {
            if let Some(showing) = showings.get_mut(self.who(seat.seat, line_up.len())) {
                showing.points = seat.score;
                showing.share = if seat.rank == Some(1) { 1.0 / winners } else { 0.0 };
            }
        }
        Ok(showings)
    }

    /// Which of the line-up sits in `seat`.
    fn who(&self, seat: Seat, players: usize) -> usize {
        (usize::from(seat.number()) + self.rotation) % players
    }
}

/// The CPU time of this thread, in milliseconds.
fn thought_ms() -> f64 {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    now.tv_sec as f64 * 1e3 + now.tv_nsec as f64 / 1e6
}
