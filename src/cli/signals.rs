//! SIGINT (Ctrl-C) and SIGTERM: both ask the program to end in good order.

use std::io;

use tokio::signal::unix::{Signal, SignalKind, signal};

/// From its making on, neither signal ends the process by itself.
pub(super) struct Signals {
    interrupt: Signal,
    terminate: Signal,
}

/// Which one came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// SIGINT, which a terminal sends to every process of the foreground.
    Interrupt,
    /// SIGTERM, which is sent to one process.
    Terminate,
}

impl Signals {
    pub(super) fn new() -> io::Result<Self> {
        Ok(Self { interrupt: signal(SignalKind::interrupt())?, terminate: signal(SignalKind::terminate())? })
    }

    /// The next one.
    pub(super) async fn next(&mut self) -> Asked {
        tokio::select! {
            _ = self.interrupt.recv() => Asked::Interrupt,
            _ = self.terminate.recv() => Asked::Terminate,
        }
    }
}
