//! What the server signs, so that a player can hold it to its word (fairness F3): heads, and receipts for seats.
//!
//! Ed25519 under a key of its own, the proof key, which is never a token key. A signature is a pure function of the key and what
//! is signed, so the same request is given the same again.

use std::fmt;

use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::line::Head;
use crate::engine::{Bytes32, Seat};

/// Signs heads and receipts. Its `Debug` shows the public key only.
#[derive(Clone)]
pub struct ProofKey(SigningKey);

/// A head that the server has vouched for: whoever has it can tell whether the history that he is shown later is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SignedHead {
    /// The game.
    pub game_id: Uuid,
    /// Its newest event.
    pub head: Head,
    /// The public proof key that it is signed with.
    pub key: Bytes32,
    /// Ed25519 over `fereta/head/1`, the game id (16 bytes), the version (8 bytes, big-endian) and the hash (32 bytes).
    pub signature: Bytes64,
}

/// What a player is given for his seat. It covers everything that happened until he sat down, the commitment to the seed included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Receipt {
    /// The game.
    pub game_id: Uuid,
    /// The chain up to and with the event that he sat down.
    pub hash: Bytes32,
    /// The public proof key that it is signed with.
    pub key: Bytes32,
    /// The seat.
    pub seat: Seat,
    /// The number of the event that he sat down.
    #[schema(minimum = 2)]
    pub seq: u64,
    /// Ed25519 over `fereta/seat/1`, the game id (16 bytes), the seat (1 byte), the seq (8 bytes, big-endian) and the hash
    /// (32 bytes).
    pub signature: Bytes64,
}

/// A signature, as 128 lower-case hex digits in JSON.
#[derive(Clone, Copy, PartialEq, Eq, utoipa::ToSchema)]
#[schema(value_type = String, pattern = "^[0-9a-f]{128}$", min_length = 128, max_length = 128)]
pub struct Bytes64(pub [u8; 64]);

impl ProofKey {
    /// Signs with this key.
    #[must_use]
    pub const fn new(key: SigningKey) -> Self {
        Self(key)
    }

    /// The key of these 32 secret bytes.
    #[must_use]
    pub fn from_bytes(secret: &[u8; 32]) -> Self {
        Self(SigningKey::from_bytes(secret))
    }

    /// What signatures are checked with.
    #[must_use]
    pub fn public(&self) -> Bytes32 {
        Bytes32(self.0.verifying_key().to_bytes())
    }

    /// Vouches for a head.
    #[must_use]
    pub fn sign_head(&self, game_id: Uuid, head: Head) -> SignedHead {
        let signature = self.sign(&head_message(game_id, head));
        SignedHead { game_id, head, key: self.public(), signature }
    }

    /// A receipt for a seat that was taken by the event `seq`, up to which the chain is `hash`.
    #[must_use]
    pub fn receipt(&self, game_id: Uuid, seat: Seat, seq: u64, hash: Bytes32) -> Receipt {
        let signature = self.sign(&seat_message(game_id, seat, seq, hash));
        Receipt { game_id, hash, key: self.public(), seat, seq, signature }
    }

    fn sign(&self, message: &[u8]) -> Bytes64 {
        Bytes64(self.0.sign(message).to_bytes())
    }
}

impl SignedHead {
    /// Whether the signature is one of its key.
    #[must_use]
    pub fn holds(&self) -> bool {
        holds(self.key, &head_message(self.game_id, self.head), self.signature)
    }
}

impl Receipt {
    /// Whether the signature is one of its key.
    #[must_use]
    pub fn holds(&self) -> bool {
        holds(self.key, &seat_message(self.game_id, self.seat, self.seq, self.hash), self.signature)
    }
}

fn head_message(game_id: Uuid, head: Head) -> Vec<u8> {
    [b"fereta/head/1".as_slice(), game_id.as_bytes(), &head.version.to_be_bytes(), &head.hash.0].concat()
}

fn seat_message(game_id: Uuid, seat: Seat, seq: u64, hash: Bytes32) -> Vec<u8> {
    [b"fereta/seat/1".as_slice(), game_id.as_bytes(), &[seat.number()], &seq.to_be_bytes(), &hash.0].concat()
}

/// Strict: no key and no signature of small order, so that a signature vouches for one message alone.
fn holds(key: Bytes32, message: &[u8], signature: Bytes64) -> bool {
    let signature = Signature::from_bytes(&signature.0);
    VerifyingKey::from_bytes(&key.0).is_ok_and(|key| key.verify_strict(message, &signature).is_ok())
}

impl fmt::Debug for ProofKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ProofKey").field(&self.public()).finish()
    }
}

impl fmt::Display for Bytes64 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl fmt::Debug for Bytes64 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::str::FromStr for Bytes64 {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut bytes = [0; 64];
        let lower = text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
        match hex::decode_to_slice(text, &mut bytes) {
            Ok(()) if lower => Ok(Self(bytes)),
            Ok(()) | Err(_) => Err("a signature is 128 lower-case hex digits"),
        }
    }
}

impl Serialize for Bytes64 {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Bytes64 {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'_, str> as Deserialize>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_holds_for_one_message_alone() {
        let key = ProofKey::from_bytes(&[7; 32]);
        let (game_id, hash) = (Uuid::from_u128(1), Bytes32([3; 32]));
        let head = key.sign_head(game_id, Head { hash, version: 9 });
        assert!(head.holds());
        assert!(!SignedHead { game_id: Uuid::from_u128(2), ..head }.holds());
        assert!(!SignedHead { head: Head { hash, version: 10 }, ..head }.holds());
        assert!(!SignedHead { key: ProofKey::from_bytes(&[8; 32]).public(), ..head }.holds());
        let receipt = key.receipt(game_id, Seat::new(1).expect("a seat"), 3, hash);
        assert!(receipt.holds());
        assert!(!Receipt { seat: Seat::new(2).expect("a seat"), ..receipt }.holds());
        assert!(!Receipt { signature: head.signature, ..receipt }.holds());
    }

    /// A key of small order has signatures that hold for every message.
    #[test]
    fn a_weak_key_vouches_for_nothing() {
        let mut identity = [0; 32];
        identity[0] = 1;
        let mut signature = [0; 64];
        signature[0] = 1;
        let head = Head { hash: Bytes32([0; 32]), version: 1 };
        let (key, signature) = (Bytes32(identity), Bytes64(signature));
        assert!(!SignedHead { game_id: Uuid::nil(), head, key, signature }.holds());
    }
}
