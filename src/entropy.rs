//! The operating system's randomness, read in one place; everywhere else it is a value that comes in.
//!
//! Must never: be asked by the engine, whose chance comes from the seeds of the game alone.

use rand::{TryRng as _, rngs::SysRng};

/// `N` bytes that nobody can foresee.
///
/// # Panics
/// On a system that has no randomness to give, where no secret could be made anyway.
#[must_use]
pub fn bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    #[expect(clippy::expect_used, reason = "without the system's randomness there are no secrets and no server")]
    SysRng.try_fill_bytes(&mut bytes).expect("the operating system gives randomness");
    bytes
}
