//! The door to the games, as clients, rivals and accidents find it.

mod access;
mod damage;
mod keys;
mod lost;
mod outages;
mod races;
mod seat_races;
mod snapshots;

use crate::support::{Database, Server};

/// Two servers on one database, as processes of their own.
struct Pair {
    database: Database,
    one: Server,
    two: Server,
}

impl Pair {
    async fn start() -> Self {
        let database = Database::new().await;
        let (one, two) = (Server::start(&database), Server::start(&database));
        Self { database, one, two }
    }

    fn bases(&self) -> [String; 2] {
        [self.one.base(), self.two.base()]
    }
}
