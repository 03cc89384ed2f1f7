//! The table as bytes beside its log: a cache, never the truth.

use sha2::{Digest, Sha256};

use crate::engine::{FAIRNESS_VERSION, FORMAT_VERSION, RULES_VERSION, State};

/// Raised whenever the bytes of a table change their meaning; older snapshots are then ignored.
const FORMAT: u8 = 4;

/// The newest versions that the program knows. One that knows others wrote a snapshot that is ignored here, so that the log is
/// read, and if the game is newer, that says [`LogError::Newer`](super::LogError::Newer).
const VERSIONS: [u16; 3] = [FORMAT_VERSION, RULES_VERSION, FAIRNESS_VERSION];

/// The table of a game at one version, as bytes.
pub struct Snapshot;

impl Snapshot {
    /// The snapshot as bytes: format, the program's versions, game, version, table, and a checksum over all of it.
    pub fn to_bytes(game_id: &[u8; 16], version: u64, state: &State) -> Vec<u8> {
        let mut bytes = header();
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
        let body = body.strip_prefix(header().as_slice())?;
        let (game, body) = body.split_first_chunk::<16>()?;
        let (of_version, body) = body.split_first_chunk::<8>()?;
        if game != game_id || u64::from_be_bytes(*of_version) != version {
            return None;
        }
        borsh::from_slice(body).ok()
    }
}

fn header() -> Vec<u8> {
    let versions = VERSIONS.iter().flat_map(|version| version.to_be_bytes());
    [FORMAT].into_iter().chain(versions).collect()
}
