//! The table as bytes beside its log: a cache, never the truth.

use sha2::{Digest, Sha256};

use crate::engine::State;

/// Raised whenever the bytes of a table change their meaning; older snapshots are then ignored.
const FORMAT: u8 = 1;

/// The table of a game at one version.
#[derive(Clone)]
pub struct Snapshot {
    /// The game, in the sixteen bytes of its id.
    pub game_id: [u8; 16],
    /// The number of events behind it.
    pub version: u64,
    /// The table.
    pub state: State,
}

impl Snapshot {
    /// The snapshot as bytes: format, game, version, table, and a checksum over all of it.
    pub fn to_bytes(game_id: &[u8; 16], version: u64, state: &State) -> Vec<u8> {
        let mut bytes = vec![FORMAT];
        bytes.extend_from_slice(game_id);
        bytes.extend_from_slice(&version.to_be_bytes());
        #[expect(clippy::expect_used, reason = "writing to memory does not fail, and no list is longer than 2^32")]
        borsh::to_writer(&mut bytes, state).expect("a table as bytes");
        let checksum = Sha256::digest(&bytes);
        bytes.extend_from_slice(&checksum);
        bytes
    }

    /// Reads a snapshot; one that is spoiled, foreign, of another version or format is ignored whole.
    pub fn read(bytes: &[u8], game_id: &[u8; 16], version: u64) -> Option<State> {
        let (body, checksum) = bytes.split_last_chunk::<32>()?;
        if Sha256::digest(body).as_slice() != checksum {
            return None;
        }
        let (format, body) = body.split_first()?;
        let (game, body) = body.split_first_chunk::<16>()?;
        let (of_version, body) = body.split_first_chunk::<8>()?;
        if *format != FORMAT || game != game_id || u64::from_be_bytes(*of_version) != version {
            return None;
        }
        borsh::from_slice(body).ok()
    }
}
