//! Who will win, judged at the end of a round: what the search looks ahead to.

use crate::engine::{BySeat, Face, Seat, World};

use super::numbers::softmax;

/// How many things are looked at.
pub(super) const FEATURES: usize = 15;

/// What is looked at of a seat; each counts once by itself and once for each round to come.
pub(super) fn features(world: &World, seat: Seat) -> [f32; FEATURES] {
    let house = world.house(seat);
    let rounds = f32::from(world.rounds_to_come());
    let hand = world.hand(seat);
    let (mut at_home, mut abroad, mut posts) = (0.0, 0.0, 0.0);
    let (mut own_lands, mut prizes) = (0.0, 0.0);
    let mut own_strength = 0.0;
    for plot in world.plots() {
        if plot.house == house {
            own_lands += 1.0;
            own_strength += f32::from(plot.line.strength);
        } else {
            prizes += f32::from(plot.line.points[1]);
        }
        match plot.base {
            Some(base) if base.seat == seat => match base.face {
                Face::Estate if plot.house == house => at_home += 1.0,
                Face::Estate => abroad += 1.0,
                Face::TradingPost => posts += 1.0,
            },
            _ => {}
        }
    }
    let friends = (0..world.players()).filter_map(Seat::new).filter(|other| world.house(*other) == house);
    let (mut members, mut friendly_pips) = (0.0, 0.0);
    for friend in friends {
        members += 1.0;
        friendly_pips += f32::from(world.hand(friend).sum());
    }
    let mut all_pips = 0.0;
    let mut position = 0.0;
    for (number, other) in world.turn_order().enumerate() {
        all_pips += f32::from(world.hand(other).sum());
        if other == seat {
            position = number as f32 / f32::from(world.players() - 1);
        }
    }
    let _ = rounds;
    [
        f32::from(hand.sum()),
        hand.len() as f32,
        hand.len().min(3) as f32 * posts,
        at_home,
        abroad,
        posts,
        if world.strategy_card() == seat { 1.0 } else { 0.0 },
        members,
        friendly_pips,
        own_strength,
        own_lands,
        prizes,
        all_pips - friendly_pips,
        position,
        if members == f32::from(world.players()) { 1.0 } else { 0.0 },
    ]
}

/// What a seat's place in the coming round and its situation promise, in victory points.
pub(super) fn promise(world: &World, seat: Seat) -> f32 {
    let rounds = f32::from(world.rounds_to_come());
    let f = features(world, seat);
    if rounds == 0.0 {
        return f[2];
    }
    0.25 * f[0] + 0.1 * f[1] + 0.3 * f[2] + rounds.min(6.0) * (0.5 * f[3] + 0.3 * f[4]) + f[5] + 0.8 * f[6]
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
    for (seat, chance) in seats().zip(&mut chances.0) {
        *chance = f32::from(world.score(seat)) + promise(world, seat);
    }
    let rounds = f32::from(world.rounds_to_come());
    let (players, _) = chances.0.split_at_mut(usize::from(world.players()));
    softmax(players, 1.5 + 2.0 * rounds.sqrt());
    chances
}
