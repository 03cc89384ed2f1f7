//! Makes any legal move as likely as any other.

use crate::engine::{Move, Words};

pub(super) fn choose(legal: &[Move], rng: &mut impl Words) -> Option<Move> {
    legal.get(rng.below(legal.len() as u32) as usize).cloned()
}
