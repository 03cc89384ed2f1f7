//! What a server does by itself, beside answering. Every server does it, and they do not get in each other's way.
//!
//! Must never: hold up a request, or do what cannot be done again.

mod sweep;

use tokio::task::JoinHandle;

use crate::store::Store;

/// Begins them all. They end when the handle is aborted.
pub fn start(store: Store) -> JoinHandle<()> {
    tokio::spawn(sweep::for_ever(store))
}
