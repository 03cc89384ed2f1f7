//! How well a world fits what the others did, if they are sensible: what they kept in the draft, and what they played.

use super::glance::Glance;
use super::greedy;
use super::numbers::softmax;
use super::search::Settings;
use crate::engine::{Move, Seat, World};

/// The weight of a world: 1 if nothing tells it from others.
pub(super) fn weight(world: &World, observer: Option<Seat>, settings: &Settings) -> f32 {
    if settings.belief <= 0.0 {
        return 1.0;
    }
    let others = (0..world.players()).filter_map(Seat::new).filter(|seat| Some(*seat) != observer);
    others.map(|seat| draft(world, seat, settings)).product()
}

/// How much likelier than by chance it is that the seat kept the card that it holds here.
fn draft(world: &World, seat: Seat, settings: &Settings) -> f32 {
    let glance = Glance::before_plays(world, seat);
    let Some(kept) = glance.own_card() else { return 1.0 };
    let moves: arrayvec::ArrayVec<Move, 7> = glance.passed().iter().map(|card| Move::TakeActionCard { card }).collect();
    let mut values = Vec::with_capacity(8);
    greedy::rate(glance, &settings.taste, &moves, &mut values);
    softmax(&mut values, settings.belief);
    let place = glance.passed().iter().position(|card| card == kept);
    place.and_then(|place| values.get(place)).map_or(1.0, |chance| chance * moves.len() as f32)
}
