//! Makes any legal move as likely as any other.

use crate::engine::{Knowledge, Move, Words};

pub(super) fn choose(_known: &Knowledge, legal: &[Move], rng: &mut impl Words) -> Option<Move> {
    legal.get(rng.below(legal.len() as u32) as usize).cloned()
}
