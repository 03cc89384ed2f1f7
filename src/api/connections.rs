//! The end of connections on which nothing happens.
//!
//! actix ends a connection whose first request does not come, and one that is idle between two requests; not one on which a
//! later request comes drop by drop, or the rest of a body that nobody reads. Here it counts only whether something is answered:
//! a connection on which nothing was, for longer than one is kept, is shut down. What is being answered takes as long as it
//! takes.

use std::any::Any;
use std::os::fd::{AsFd as _, OwnedFd};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use actix_web::dev::Extensions;
use actix_web::rt::net::TcpStream;
use rustix::net::{Shutdown, shutdown};

/// How often they are looked through, if they are kept for long.
const OFTEN: Duration = Duration::from_secs(1);

/// The connections of a server. Cheap to clone; clones are one.
#[derive(Clone, Default)]
pub(super) struct Connections(Arc<Mutex<Vec<Weak<Connection>>>>);

/// A connection that is looked after, as its requests know it.
pub struct Watched(Arc<Connection>);

/// While it lives something is answered.
pub struct Answering(Arc<Connection>);

struct Connection {
    /// A second descriptor of the socket, closed with the first: when actix forgets the connection.
    socket: OwnedFd,
    state: Mutex<State>,
}

struct State {
    /// How many requests are being answered.
    answers: usize,
    /// When the last answer was done, or when it began.
    quiet_since: Instant,
    /// How far it has been shut down.
    closing: Closing,
}

enum Closing {
    Open,
    /// No more is read; what is left of an answer can still go out.
    Reading,
    Shut,
}

impl Connections {
    /// Looks after a connection from now on; its requests find a [`Watched`] in `data`.
    pub(super) fn add(&self, connection: &dyn Any, data: &mut Extensions) {
        let Some(stream) = connection.downcast_ref::<TcpStream>() else { return };
        let Ok(socket) = stream.as_fd().try_clone_to_owned() else {
            // No descriptor is left for it: nor is there one to answer with.
            let _ = shutdown(stream, Shutdown::Both);
            return;
        };
        let state = State { answers: 0, quiet_since: Instant::now(), closing: Closing::Open };
        let connection = Arc::new(Connection { socket, state: Mutex::new(state) });
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::downgrade(&connection));
        data.insert(Watched(connection));
    }

    /// Shuts down what is quiet for longer than that, as long as this runs.
    pub(super) async fn end_quiet_ones(self, patience: Duration) {
        loop {
            tokio::time::sleep(OFTEN.min(patience / 4)).await;
            self.0.lock().unwrap_or_else(PoisonError::into_inner).retain(|connection| match connection.upgrade() {
                Some(connection) => {
                    connection.end_if_quiet(patience);
                    true
                }
                None => false,
            });
        }
    }
}

impl Watched {
    /// Says that something is being answered, until it is dropped.
    pub fn answering(&self) -> Answering {
        self.0.change(|state| state.answers += 1);
        Answering(Arc::clone(&self.0))
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        self.0.change(|state| {
            state.answers -= 1;
            state.quiet_since = Instant::now();
        });
    }
}

impl Connection {
    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// In two steps: whoever still takes the end of an answer gets it.
    fn end_if_quiet(&self, patience: Duration) {
        self.change(|state| {
            if state.answers > 0 || state.quiet_since.elapsed() <= patience {
                return;
            }
            let (how, closing) = match state.closing {
                Closing::Open => (Shutdown::Read, Closing::Reading),
                Closing::Reading => (Shutdown::Both, Closing::Shut),
                Closing::Shut => return,
            };
            // The other side may have hung up already.
            let _ = shutdown(&self.socket, how);
            (state.closing, state.quiet_since) = (closing, Instant::now());
        });
    }
}
