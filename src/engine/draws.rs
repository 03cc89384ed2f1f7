//! Random draws as values (fairness F2): whoever holds a [`State`](super::State) cannot foresee a shuffle.

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

use super::card::{ActionCard, SupplyValue};
use super::event::Bytes32;
use super::land::LaidLand;
use super::seat::Seat;

/// The chance in a game: every draw and shuffle that the rules ask for.
pub trait Draws {
    /// Draws the first player of round 1, a number below `players` (R2.1).
    fn first_player(&mut self, players: u8) -> u8;
    /// Shuffles the lands (R2.2).
    fn lands(&mut self, lands: &mut [LaidLand]);
    /// Shuffles the deck: at the setup (0, R2.4), or as the `reshuffle`-th reshuffle (R3.9.3).
    fn deck(&mut self, reshuffle: u16, cards: &mut [SupplyValue]);
    /// Shuffles the action cards of a round (R3.2).
    fn action_cards(&mut self, round: u8, cards: &mut [ActionCard]);
}

/// What a stream of random words is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label {
    /// The first player.
    FirstPlayer,
    /// The lands.
    Lands,
    /// The first deck.
    Deck,
    /// The k-th reshuffle, counted from 1.
    Reshuffle(u16),
    /// The action cards of a round, counted from 1.
    ActionCards(u8),
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FirstPlayer => f.write_str("first_player"),
            Self::Lands => f.write_str("lands"),
            Self::Deck => f.write_str("deck"),
            Self::Reshuffle(k) => write!(f, "reshuffle/{k}"),
            Self::ActionCards(round) => write!(f, "action_cards/{round}"),
        }
    }
}

/// An endless stream of random words.
pub trait Words {
    /// The next word.
    fn word(&mut self) -> u32;

    /// A number below `n`; 0 for n = 0.
    fn below(&mut self, n: u32) -> u32 {
        if n == 0 {
            return 0;
        }
        let limit = (1_u64 << 32) / u64::from(n) * u64::from(n);
        loop {
            let word = self.word();
            if u64::from(word) < limit {
                return word % n;
            }
        }
    }

    /// Shuffles in place; place 0 is the top.
    fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i as u32 + 1) as usize);
        }
    }
}

/// A source that opens a stream for each label.
pub trait Streams {
    /// The kind of stream.
    type Stream: Words;

    /// Opens the stream of `label`, from its beginning.
    fn open(&mut self, label: Label) -> Self::Stream;
}

impl<S: Streams> Draws for S {
    fn first_player(&mut self, players: u8) -> u8 {
        self.open(Label::FirstPlayer).below(players.into()) as u8
    }

    fn lands(&mut self, lands: &mut [LaidLand]) {
        self.open(Label::Lands).shuffle(lands);
    }

    fn deck(&mut self, reshuffle: u16, cards: &mut [SupplyValue]) {
        let label = if reshuffle == 0 { Label::Deck } else { Label::Reshuffle(reshuffle) };
        self.open(label).shuffle(cards);
    }

    fn action_cards(&mut self, round: u8, cards: &mut [ActionCard]) {
        self.open(Label::ActionCards(round)).shuffle(cards);
    }
}

/// The streams of a game's seed (fairness F2).
pub struct FairDraws {
    game_seed: [u8; 32],
}

impl FairDraws {
    /// The draws under a game seed.
    pub const fn new(game_seed: [u8; 32]) -> Self {
        Self { game_seed }
    }

    /// The draws of a game: its seed is made of the server's seed, the game's id, and the entropy of those who sit there
    /// when it starts, by seat (fairness F1).
    pub fn of_game(server_seed: &[u8; 32], game_id: &[u8; 16], entropy: impl IntoIterator<Item = Bytes32>) -> Self {
        Self { game_seed: game_seed(server_seed, game_id, entropy) }
    }
}

/// What a table publishes about its server seed before anybody sits down: the seed's SHA-256 (fairness F1).
pub fn seed_commitment(server_seed: &[u8; 32]) -> Bytes32 {
    Bytes32(Sha256::digest(server_seed).into())
}

/// The entropy of a player who sends none of his own, so that the server has no choice (fairness F1).
pub fn default_entropy(server_seed: &[u8; 32], seat: Seat) -> Bytes32 {
    Bytes32(hmac_sha256(server_seed, format!("fereta/entropy/1/{}", seat.number()).as_bytes()))
}

/// What the bot in `seat` takes its chance from for the move that is the event `seq`. It follows from the server's seed, so that
/// nobody can think along while the game runs and everybody can afterwards, and is no stream of the game's seed (fairness F2).
pub fn bot_seed(server_seed: &[u8; 32], seat: Seat, seq: u64) -> [u8; 32] {
    hmac_sha256(server_seed, format!("fereta/bot/1/{}/{seq}", seat.number()).as_bytes())
}

/// The seed of a game (fairness F1).
pub fn game_seed(server_seed: &[u8; 32], game_id: &[u8; 16], entropy: impl IntoIterator<Item = Bytes32>) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(b"fereta/seed/1");
    hash.update(server_seed);
    hash.update(game_id);
    entropy.into_iter().for_each(|entropy| hash.update(entropy.0));
    hash.finalize().into()
}

/// HMAC-SHA-256.
pub(crate) fn hmac_sha256(key: &[u8; 32], message: &[u8]) -> [u8; 32] {
    #[expect(clippy::expect_used, reason = "HMAC takes a key of any length")]
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("a key of any length");
    mac.update(message);
    mac.finalize().into_bytes().into()
}

impl Streams for FairDraws {
    type Stream = FairWords;

    fn open(&mut self, label: Label) -> FairWords {
        FairWords { game_seed: self.game_seed, label, block: 0, words: [0; 8], used: 8 }
    }
}

/// A stream of a game's seed: blocks of eight big-endian words.
pub struct FairWords {
    game_seed: [u8; 32],
    label: Label,
    block: u32,
    words: [u32; 8],
    used: usize,
}

impl Words for FairWords {
    fn word(&mut self) -> u32 {
        if self.used == self.words.len() {
            let message = format!("fereta/draw/1/{}/{}", self.label, self.block);
            let block = hmac_sha256(&self.game_seed, message.as_bytes());
            let (chunks, _) = block.as_chunks::<4>();
            for (word, bytes) in self.words.iter_mut().zip(chunks) {
                *word = u32::from_be_bytes(*bytes);
            }
            self.block += 1;
            self.used = 0;
        }
        let word = self.words.get(self.used).copied().unwrap_or_default();
        self.used += 1;
        word
    }
}

/// A fast source for playouts and tests: SplitMix64, not for games that people play.
#[derive(Clone, Debug)]
pub struct FastDraws(u64);

impl FastDraws {
    /// A source that always gives the same draws for the same seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }
}

impl Words for FastDraws {
    fn word(&mut self) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 32) as u32
    }

    fn below(&mut self, n: u32) -> u32 {
        // Multiplication in place of division; its bias, at most n in 2^32, is of no account in a playout.
        ((u64::from(self.word()) * u64::from(n)) >> 32) as u32
    }
}

impl Streams for FastDraws {
    type Stream = Self;

    fn open(&mut self, _label: Label) -> Self {
        Self((u64::from(self.word()) << 32) | u64::from(self.word()))
    }
}
