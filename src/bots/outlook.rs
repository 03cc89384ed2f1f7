//! Who will win, judged at the end of a round: what the search looks ahead to.
//!
//! A seat's victory points and what its situation promises make its chance, against those of the others. The weights were
//! fitted to some thousands of games that searching bots played against each other, for each number of players.

use super::numbers::softmax;
use crate::engine::{BySeat, Face, Seat, World};

/// How many things are looked at.
const FEATURES: usize = 13;

/// What things are worth, in victory points.
struct Weights {
    /// How far apart victory points are that make e times the chance: before the last round, and more of it with the root of the
    /// number of rounds that are to come after.
    spread: [f32; 2],
    /// Of each feature: what it is worth by itself, and more of it for four rounds that are to be played.
    of: [[f32; 2]; FEATURES],
}

/// The rounds beyond which it makes no difference how many there are.
const FAR: f32 = 8.0;

/// For 3, 4 and 5 players.
const WEIGHTS: [Weights; 3] = [
    Weights {
        spread: [1.28, 1.08],
        of: [
            [0.107, 0.092],   // pips
            [-0.065, -0.006], // cards
            [0.216, -0.319],  // bonus
            [0.090, 0.286],   // estates_at_home
            [-0.521, 0.859],  // estates_abroad
            [1.596, 1.342],   // trading_posts
            [0.467, -0.335],  // strategy_card
            [0.679, -0.335],  // house_members
            [-0.019, 0.023],  // house_pips
            [-0.010, 0.040],  // house_strength
            [-0.041, 0.134],  // prizes
            [0.019, -0.023],  // foes_pips
            [-0.830, 0.723],  // position
        ],
    },
    Weights {
        spread: [1.20, 1.02],
        of: [
            [0.058, 0.105],   // pips
            [-0.213, 0.261],  // cards
            [0.693, -1.139],  // bonus
            [-0.041, -0.200], // estates_at_home
            [-0.226, -0.102], // estates_abroad
            [0.458, 2.826],   // trading_posts
            [-0.001, 0.067],  // strategy_card
            [0.540, -0.577],  // house_members
            [-0.017, 0.022],  // house_pips
            [-0.009, -0.018], // house_strength
            [-0.016, -0.025], // prizes
            [0.017, -0.022],  // foes_pips
            [-2.239, 1.776],  // position
        ],
    },
    Weights {
        spread: [1.12, 0.89],
        of: [
            [0.066, 0.095],   // pips
            [-0.574, 0.343],  // cards
            [0.536, -0.006],  // bonus
            [-0.407, -0.227], // estates_at_home
            [-0.654, -0.127], // estates_abroad
            [1.093, -1.505],  // trading_posts
            [0.309, -0.506],  // strategy_card
            [-0.552, 0.441],  // house_members
            [0.005, -0.004],  // house_pips
            [0.031, -0.059],  // house_strength
            [0.038, -0.072],  // prizes
            [-0.005, 0.004],  // foes_pips
            [-2.673, 1.539],  // position
        ],
    },
];

/// What is looked at of a seat, in the order of the weights.
fn features(world: &World, seat: Seat) -> [f32; FEATURES] {
    let (house, hand) = (world.house(seat), world.hand(seat));
    let (mut at_home, mut abroad, mut posts, mut prizes, mut strength) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for plot in world.plots() {
        if plot.house == house {
            strength += f32::from(plot.line.strength);
        } else {
            prizes += plot.line.points.get(1).copied().map_or(0.0, f32::from);
        }
        match plot.base.filter(|base| base.seat == seat).map(|base| base.face) {
            Some(Face::Estate) if plot.house == house => at_home += 1.0,
            Some(Face::Estate) => abroad += 1.0,
            Some(Face::TradingPost) => posts += 1.0,
            None => {}
        }
    }
    let (mut members, mut house_pips, mut foes_pips, mut position) = (0.0, 0.0, 0.0, 0.0);
    for (turn, other) in world.turn_order().enumerate() {
        let pips = f32::from(world.hand(other).sum());
        if world.house(other) == house {
            members += 1.0;
            house_pips += pips;
        } else {
            foes_pips += pips;
        }
        if other == seat {
            position = turn as f32 / f32::from(world.players().saturating_sub(1).max(1));
        }
    }
    [
        f32::from(hand.sum()),
        hand.len() as f32,
        hand.len().min(3) as f32 * posts,
        at_home,
        abroad,
        posts,
        f32::from(u8::from(world.strategy_card() == seat)),
        members,
        house_pips,
        strength,
        prizes,
        foes_pips,
        position,
    ]
}

/// The chance of each seat to win, together 1; shared victories count as shares.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Chances([f32; 5]);

impl Chances {
    pub(super) fn at(&self, seat: Seat) -> f32 {
        self.0.get(usize::from(seat.number())).copied().unwrap_or(0.0)
    }

    /// Adds others, with a weight.
    pub(super) fn add(&mut self, others: &Self, weight: f32) {
        self.0.iter_mut().zip(others.0).for_each(|(sum, chance)| *sum += weight * chance);
    }

    /// What they are for each seat of a table, when so much weight has been added.
    pub(super) fn mean(&self, players: u8, weight: f32) -> BySeat<f32> {
        BySeat::new(players, |seat| if weight > 0.0 { self.at(seat) / weight } else { 1.0 / f32::from(players) })
    }
}

/// Who will win, as far as the world tells at the end of a round.
pub(super) fn outlook(world: &World) -> Chances {
    let seats = || (0..world.players()).filter_map(Seat::new);
    let mut chances = Chances::default();
    if world.decision().is_none() {
        let best = seats().map(|seat| world.score(seat)).max().unwrap_or(0);
        let winners = seats().filter(|seat| world.score(*seat) == best).count() as f32;
        for (seat, chance) in seats().zip(&mut chances.0) {
            *chance = if world.score(seat) == best { 1.0 / winners } else { 0.0 };
        }
        return chances;
    }
    let [three, four, five] = &WEIGHTS;
    let weights = match world.players() {
        0..=3 => three,
        4 => four,
        5.. => five,
    };
    let rounds_after = f32::from(world.rounds_to_come());
    let rounds = (rounds_after + 1.0).min(FAR) / 4.0;
    for (seat, chance) in seats().zip(&mut chances.0) {
        let worth = |(feature, [fixed, by_rounds]): (f32, &[f32; 2])| feature * (fixed + by_rounds * rounds);
        let promise: f32 = features(world, seat).into_iter().zip(&weights.of).map(worth).sum();
        *chance = f32::from(world.score(seat)) + promise;
    }
    let (players, _) = chances.0.split_at_mut(usize::from(world.players()));
    let [fixed, by_root] = weights.spread;
    softmax(players, fixed + by_root * rounds_after.sqrt());
    chances
}
