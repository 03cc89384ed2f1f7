//! Me: what an account does about itself.

pub mod delete;
pub mod read;
pub mod set_password;
pub mod update;

use serde::{Deserialize, Deserializer};

/// A field that may be left out, but is no null when it is there: null would be a value to some clients and nothing to others.
fn if_given<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}
