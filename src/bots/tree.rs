//! What a search has found out: for each position that it has seen, how good the moves from there proved to be.

use super::outlook::Chances;
use crate::engine::{Move, Seat};

/// What every move gets besides its prior, so that none is overlooked.
const LEAST_PRIOR: f32 = 0.02;

/// Positions as the searcher sees them, and the moves between them.
pub(super) struct Tree {
    nodes: Vec<Node>,
    /// Of the legal moves, the numbers of their branches; kept to be used again.
    numbers: Vec<usize>,
}

/// A position of a tree.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct NodeId(usize);

/// A move that was chosen in the tree.
#[derive(Clone, Copy)]
pub(super) struct Chosen {
    /// Its number among the legal moves.
    pub(super) number: usize,
    node: NodeId,
    branch: usize,
}

#[derive(Default)]
struct Node {
    branches: Vec<Branch>,
}

/// A move from a position.
pub(super) struct Branch {
    pub(super) action: Move,
    pub(super) visits: f32,
    /// The weights of the worlds that came this way, summed up.
    weight: f32,
    /// The chances of each seat in them, weighted and summed up.
    chances: Chances,
    /// Where it leads, once somebody went there.
    next: Option<NodeId>,
}

impl Tree {
    /// Where the search begins.
    pub(super) const ROOT: NodeId = NodeId(0);

    pub(super) fn new() -> Self {
        Self { nodes: vec![Node::default()], numbers: Vec::new() }
    }

    /// What was found out about each move from the root.
    pub(super) fn at_the_root(&self) -> &[Branch] {
        &self.node(Self::ROOT).branches
    }

    /// The move of `seat` to be tried next: the one that could be best, by its values so far and, as long as there are few of them,
    /// by its prior (PUCT). Only what is legal in this world is compared.
    pub(super) fn choose(&mut self, at: NodeId, seat: Seat, legal: &[Move], priors: &[f32], curiosity: f32) -> Chosen {
        let mut numbers = std::mem::take(&mut self.numbers);
        numbers.clear();
        let node = self.node_mut(at);
        numbers.extend(legal.iter().map(|action| node.number_of(action)));
        let tried = numbers.iter().map(|number| node.branch(*number));
        let (mut visits, mut value, mut weight) = (0.0, 0.0, 0.0);
        for branch in tried.clone() {
            visits += branch.visits;
            value += branch.chances.at(seat);
            weight += branch.weight;
        }
        // What was not tried yet is taken to be as good as the rest.
        let mean = if weight > 0.0 { value / weight } else { 0.0 };
        let reach = curiosity * f32::sqrt(visits + 1.0);
        let (mut chosen, mut highest) = (Chosen { number: 0, node: at, branch: 0 }, f32::MIN);
        for (number, ((branch, tried), prior)) in numbers.iter().zip(tried).zip(priors).enumerate() {
            let bound = tried.value(seat).unwrap_or(mean) + reach * (prior + LEAST_PRIOR) / (1.0 + tried.visits);
            if bound > highest {
                (chosen, highest) = (Chosen { number, node: at, branch: *branch }, bound);
            }
        }
        self.numbers = numbers;
        chosen
    }

    /// The position behind a move.
    pub(super) fn behind(&mut self, chosen: Chosen) -> NodeId {
        let fresh = NodeId(self.nodes.len());
        let next = *self.node_mut(chosen.node).branch_mut(chosen.branch).next.get_or_insert(fresh);
        if next == fresh {
            self.nodes.push(Node::default());
        }
        next
    }

    /// Notes what the way through these moves came to.
    pub(super) fn learn(&mut self, path: &[Chosen], chances: &Chances, weight: f32) {
        for chosen in path {
            let branch = self.node_mut(chosen.node).branch_mut(chosen.branch);
            branch.visits += 1.0;
            branch.weight += weight;
            branch.chances.add(chances, weight);
        }
    }

    #[expect(clippy::indexing_slicing, reason = "an id comes from this tree, which only grows")]
    fn node(&self, NodeId(id): NodeId) -> &Node {
        &self.nodes[id]
    }

    #[expect(clippy::indexing_slicing, reason = "an id comes from this tree, which only grows")]
    fn node_mut(&mut self, NodeId(id): NodeId) -> &mut Node {
        &mut self.nodes[id]
    }
}

impl Node {
    /// The number of the branch of `action`, which there is from now on.
    fn number_of(&mut self, action: &Move) -> usize {
        let known = self.branches.iter().position(|branch| branch.action == *action);
        known.unwrap_or_else(|| {
            let action = action.clone();
            self.branches.push(Branch { action, visits: 0.0, weight: 0.0, chances: Chances::default(), next: None });
            self.branches.len() - 1
        })
    }

    #[expect(clippy::indexing_slicing, reason = "a number comes from this node, whose branches only grow")]
    fn branch(&self, number: usize) -> &Branch {
        &self.branches[number]
    }

    #[expect(clippy::indexing_slicing, reason = "a number comes from this node, whose branches only grow")]
    fn branch_mut(&mut self, number: usize) -> &mut Branch {
        &mut self.branches[number]
    }
}

impl Branch {
    /// The chance of `seat` behind the move; none before it was tried.
    pub(super) fn value(&self, seat: Seat) -> Option<f32> {
        (self.weight > 0.0).then(|| self.chances.at(seat) / self.weight)
    }
}
