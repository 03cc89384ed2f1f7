//! What was noted while a game ran: heads that were shown, receipts for seats. Only they tell one history from another that
//! is as consistent in itself.

use uuid::Uuid;

use super::Fault;
use super::chain::Told;
use crate::engine::Bytes32;
use crate::log::{End, Head, Receipt, SignedHead};

/// All that was noted.
#[derive(Clone, Debug, Default)]
pub struct Notes {
    /// Heads.
    pub heads: Vec<NotedHead>,
    /// Receipts.
    pub receipts: Vec<Receipt>,
    /// The proof keys that the server has published; none if they were not noted.
    pub keys: Vec<Bytes32>,
}

/// A head that was noted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotedHead {
    /// As it was shown, of the one game that is looked at.
    Shown(Head),
    /// With the server's signature.
    Signed(SignedHead),
}

impl Notes {
    /// The games that something was noted of.
    pub fn games(&self) -> impl Iterator<Item = Uuid> {
        let heads = self.heads.iter().filter_map(|head| match head {
            NotedHead::Shown(_) => None,
            NotedHead::Signed(signed) => Some(signed.game_id),
        });
        heads.chain(self.receipts.iter().map(|receipt| receipt.game_id))
    }

    /// Holds a history against what was noted of its game; gives up to which event each note covers it.
    ///
    /// # Errors
    /// The first note that it is not the history of.
    pub(super) fn hold(
        &self,
        game_id: Option<Uuid>,
        hashes: &[Bytes32],
        publics: &[Told],
        end: Option<End>,
    ) -> Result<Vec<u64>, Fault> {
        let mut held = Vec::new();
        if let Some(end) = end.filter(|end| !self.keys.is_empty() && !self.keys.contains(&end.key)) {
            let expected = self.keys.iter().map(Bytes32::to_string).collect::<Vec<_>>().join(" or ");
            return Err(Fault::new(None, "F3", "the head is signed with a key that was not noted", expected, end.key));
        }
        for noted in &self.heads {
            let head = match noted {
                NotedHead::Shown(head) => *head,
                NotedHead::Signed(signed) if Some(signed.game_id) != game_id => continue,
                NotedHead::Signed(signed) => {
                    self.check_key(signed.head.version, signed.key)?;
                    if !signed.holds() {
                        let expected = format!("a signature by the key {}", signed.key);
                        let message = "the signature of the noted head does not hold";
                        return Err(Fault::new(signed.head.version, "F3", message, expected, signed.signature));
                    }
                    signed.head
                }
            };
            same(head.version, head.hash, hashes, "head")?;
            held.push(head.version);
        }
        for receipt in self.receipts.iter().filter(|receipt| Some(receipt.game_id) == game_id) {
            self.check_key(receipt.seq, receipt.key)?;
            if !receipt.holds() {
                let expected = format!("a signature by the key {}", receipt.key);
                return Err(Fault::new(
                    receipt.seq,
                    "F3",
                    "the receipt's signature does not hold",
                    expected,
                    receipt.signature,
                ));
            }
            same(receipt.seq, receipt.hash, hashes, "receipt")?;
            let taken = usize::try_from(receipt.seq - 1).ok().and_then(|place| publics.get(place)?.taken);
            if taken != Some(receipt.seat) {
                let expected = format!("seat {} is taken", receipt.seat.number());
                let found =
                    taken.map_or_else(|| "another event".into(), |seat| format!("seat {} is taken", seat.number()));
                return Err(Fault::new(receipt.seq, "F3", "this is not the event of the receipt", expected, found));
            }
            held.push(receipt.seq);
        }
        Ok(held)
    }

    fn check_key(&self, seq: u64, key: Bytes32) -> Result<(), Fault> {
        if self.keys.is_empty() || self.keys.contains(&key) {
            return Ok(());
        }
        let expected = self.keys.iter().map(Bytes32::to_string).collect::<Vec<_>>().join(" or ");
        Err(Fault::new(seq, "F3", "a note is signed with a key that was not noted", expected, key))
    }
}

fn same(seq: u64, noted: Bytes32, hashes: &[Bytes32], what: &str) -> Result<(), Fault> {
    let hash = seq.checked_sub(1).and_then(|place| hashes.get(usize::try_from(place).ok()?));
    match hash {
        Some(hash) if *hash == noted => Ok(()),
        Some(hash) => {
            let message = format!("this is not the history of the noted {what}: it was another until here");
            Err(Fault::new(seq, "F3", message, noted, hash))
        }
        None => {
            let message = format!("the noted {what} is of version {seq}, which this history does not have");
            Err(Fault::new(None, "F3", message, format!("at least {seq} events"), hashes.len()))
        }
    }
}
