//! Information-set Monte Carlo tree search: thinks each move through in many worlds that could be the true one.
//!
//! An iteration takes a world, plays in it along the tree, then on by itself to the end of a round, and notes how likely
//! each seat is to win from there. The tree is the searcher's view of the game: its nodes are told apart by the moves that he
//! can see, so he never learns in it what he could not know (SO-ISMCTS, after Cowling, Powley and Whitehouse 2012).
//! Everybody in a world is taken to know what his seat sees there, and to want to win.
//!
//! What others have done so far tells of what they hold: worlds in which a sensible player would hardly have done it count
//! less.

use std::time::{Duration, Instant};

use arrayvec::ArrayVec;

use super::glance::Glance;
use super::greedy::{self, TASTE, Taste, best, whim};
use super::numbers::softmax;
use super::outlook::{Chances, outlook};
use super::tree::{Chosen, NodeId, Tree};
use super::{Advice, Candidate, belief};
use crate::engine::{BySeat, Decision, DecisionKind, Event, FastDraws, Knowledge, Move, Sampler, Seat, World};

/// What a search is set to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// How long it thinks.
    pub budget: Budget,
    /// At the end of which round a world is judged: 1 for this one.
    pub horizon: u8,
    /// How many moves, from the first, are chosen by what was learned; 16 at most.
    pub depth: usize,
    /// How much is tried that has not shown itself good.
    pub curiosity: f32,
    /// How much worse a move must look, in victory points, to be tried e times less at first.
    pub prior: f32,
    /// How far players stray from what looks best, in victory points.
    pub whim: f32,
    /// How much worse a move must look to be e times less likely to have been made; 0 to draw no conclusions.
    pub belief: f32,
    /// What players are taken to want.
    pub taste: Taste,
}

/// How long a search thinks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// So many worlds are played in: the same seed finds the same. Fewer if the game is so large that a world takes far more
    /// work than in a usual one.
    Iterations(u32),
    /// As many worlds as there is time for.
    Milliseconds(u32),
}

/// The most work that a budget in iterations may come to, in cards looked at; a usual game stays below.
const MOST_WORK: u64 = 300_000_000;
/// How many worlds are played in at least.
const FEWEST: u64 = 20;

/// The budget and the settings of the strongest level.
pub const DEFAULT: Settings = Settings {
    budget: Budget::Iterations(4000),
    horizon: 1,
    depth: 8,
    curiosity: 0.3,
    prior: 0.5,
    whim: 0.3,
    belief: 1.0,
    taste: TASTE,
};

/// The longest way through the tree.
const DEEPEST: usize = 16;

/// The move that the search of a seat settles for: the one that it looked into most.
pub(super) fn choose(known: &Knowledge, legal: &[Move], settings: &Settings, rng: &mut FastDraws) -> Option<Move> {
    advise(known, legal, settings, rng).moves.into_iter().next().map(|candidate| candidate.action)
}

/// What the search of a seat finds out about its legal moves.
pub(super) fn advise(known: &Knowledge, legal: &[Move], settings: &Settings, rng: &mut FastDraws) -> Advice {
    let search = Search::run(known, settings, rng);
    let branches = search.tree.at_the_root();
    let all: f32 = branches.iter().map(|branch| branch.visits).sum();
    let candidate = |action: &Move| {
        let branch = branches.iter().find(|branch| branch.action == *action);
        let value = search.seat.zip(branch).and_then(|(seat, branch)| branch.value(seat)).unwrap_or(0.0);
        let visits = branch.map_or(0.0, |branch| branch.visits / all.max(1.0));
        Candidate { action: action.clone(), value, visits }
    };
    let mut moves: Vec<Candidate> = legal.iter().map(candidate).collect();
    moves.sort_by(|a, b| b.visits.total_cmp(&a.visits).then(b.value.total_cmp(&a.value)));
    Advice { moves, chances: search.chances() }
}

/// Each seat's chance as it looks to the viewer.
pub(super) fn chances(known: &Knowledge, settings: &Settings, rng: &mut FastDraws) -> BySeat<f32> {
    Search::run(known, settings, rng).chances()
}

/// A search at work.
struct Search<'a> {
    settings: &'a Settings,
    /// Who thinks; a spectator thinks for nobody.
    seat: Option<Seat>,
    players: u8,
    tree: Tree,
    /// What the worlds came to, weighted and summed up, and the sum of the weights.
    found: Chances,
    weight: f32,
    // Kept to be used again.
    moves: Vec<Move>,
    values: Vec<f32>,
    events: Vec<Event>,
}

impl<'a> Search<'a> {
    fn run(known: &Knowledge, settings: &'a Settings, rng: &mut FastDraws) -> Self {
        let mut sampler = known.sampler(rng);
        let mut search = Self {
            settings,
            seat: known.viewer().seat(),
            players: sampler.players(),
            tree: Tree::new(),
            found: Chances::default(),
            weight: 0.0,
            moves: Vec::new(),
            values: Vec::new(),
            events: Vec::new(),
        };
        match settings.budget {
            Budget::Iterations(iterations) => {
                let affordable = (MOST_WORK / sampler.work().max(1)).max(FEWEST);
                (0..affordable.min(iterations.into())).for_each(|_| search.iterate(&mut sampler, rng));
            }
            Budget::Milliseconds(limit) => {
                let (started_at, limit) = (Instant::now(), Duration::from_millis(limit.into()));
                while started_at.elapsed() < limit {
                    search.iterate(&mut sampler, rng);
                }
            }
        }
        search
    }

    fn chances(&self) -> BySeat<f32> {
        self.found.mean(self.players, self.weight)
    }

    /// Plays in one more world.
    fn iterate(&mut self, sampler: &mut Sampler, rng: &mut FastDraws) {
        let mut world = sampler.world(rng);
        let weight = belief::weight(&world, self.seat, self.settings);
        let last_round = world.round().saturating_add(self.settings.horizon.saturating_sub(1));
        let (mut path, mut node) = (ArrayVec::new(), Some(Tree::ROOT));
        while let Some(decision) = world.decision().filter(|_| world.round() <= last_round) {
            self.moves.clear();
            world.list_legal_moves(decision.seat, &mut self.moves);
            let choice = self.choose(&world, decision, &mut node, &mut path, rng);
            let action = self.moves.swap_remove(choice);
            self.events.clear();
            if world.play(decision.seat, action, rng, &mut self.events).is_err() {
                break;
            }
        }
        let chances = outlook(&world);
        self.tree.learn(&path, &chances, weight);
        self.found.add(&chances, weight);
        self.weight += weight;
    }

    /// The number of the move that is made next: along the tree as long as there is a `node`, then as it seems best.
    fn choose(
        &mut self,
        world: &World,
        Decision { kind, seat }: Decision,
        node: &mut Option<NodeId>,
        path: &mut ArrayVec<Chosen, DEEPEST>,
        rng: &mut FastDraws,
    ) -> usize {
        if self.moves.len() <= 1 {
            return 0;
        }
        self.values.clear();
        greedy::rate(Glance::new(world, seat), &self.settings.taste, &self.moves, &mut self.values);
        let is_seen = Some(seat) == self.seat || kind != DecisionKind::TakeActionCard;
        match node.filter(|_| is_seen) {
            Some(at) => {
                softmax(&mut self.values, self.settings.prior);
                let chosen = self.tree.choose(at, seat, &self.moves, &self.values, self.settings.curiosity);
                path.push(chosen);
                let is_deepest = path.len() >= self.settings.depth.min(DEEPEST);
                *node = if is_deepest { None } else { Some(self.tree.behind(chosen)) };
                chosen.number
            }
            None => {
                self.values.iter_mut().for_each(|value| *value += whim(self.settings.whim, rng));
                best(&self.values)
            }
        }
    }
}
