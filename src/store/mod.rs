//! Everything that is kept, and the only place that knows diesel.
//!
//! The store moves bytes and text; what they mean is known to the layers above. It never decides who may do what, and it
//! never imports the engine.
//!
//! Statements on the hot path are diesel queries or structs that implement `QueryFragment`, so that they are prepared once
//! a connection; `diesel::sql_query` never is, and costs half the throughput.

pub mod accounts;
mod convert;
mod due;
mod error;
mod events;
mod games;
mod gauges;
mod invites;
mod lists;
mod proof_keys;
mod reviews;
pub(crate) mod schema;
mod set_up;
mod standing;
mod statement;
pub mod tokens;
mod words;
mod write;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use deadpool::managed::QueueMode;
use diesel::QueryResult;
use diesel::result::{DatabaseErrorKind, Error};
use diesel_async::pooled_connection::deadpool::{Object, Pool};
use diesel_async::pooled_connection::{AsyncDieselConnectionManager, ManagerConfig, RecyclingMethod};
use diesel_async::{AsyncConnection, AsyncPgConnection, SimpleAsyncConnection};
use tokio::runtime::Handle;

pub use due::DueGame;
pub use error::{Constraint, StoreError};
pub use events::EventRow;
pub use games::{Found, GameRow, RequestRow};
pub use gauges::Connections;
pub use invites::{FoundInvite, InviteRow, NewInvite};
pub use lists::{GameFilter, ListedGame, Listing, Seated};
pub use proof_keys::ProofKeyRow;
pub use reviews::ReviewRow;
pub use set_up::{SetUpError, migrate, provision};
pub use words::{AccountStatus, BotLevel, GameStatus, StartRule, Visibility};
pub use write::{Change, Import, NewEvent, NewGame, NewRequest, Outcome, SeatChange};

/// A connection on loan from the pool.
pub(crate) type Connection = Object<AsyncPgConnection>;

/// How to reach the database.
#[derive(Clone)]
pub struct StoreSettings {
    /// `postgres://role@host/database`, of the serving role.
    pub url: String,
    /// The most connections at once. At least 32 even on two cores: PostgreSQL commits in groups, and wants company.
    pub pool_size: usize,
    /// How long a request waits for a connection before it is refused.
    pub wait: Duration,
    /// How long PostgreSQL works on one statement before it gives up.
    pub statement_timeout: Duration,
}

impl StoreSettings {
    /// The defaults for a URL: 32 connections, a wait of 2 s, statements of at most 5 s.
    #[must_use]
    pub fn new(url: impl Into<String>) -> Self {
        Self { url: url.into(), pool_size: 32, wait: Duration::from_secs(2), statement_timeout: Duration::from_secs(5) }
    }
}

/// The database, as the layers above see it. Cheap to clone; clones share one pool.
#[derive(Clone)]
pub struct Store {
    pool: Pool<AsyncPgConnection>,
    settings: Arc<StoreSettings>,
    /// All pools that were made of one.
    pools: Arc<Mutex<Vec<Pool<AsyncPgConnection>>>>,
}

/// How much longer than PostgreSQL may work on a statement its answer is waited for.
const GRACE: Duration = Duration::from_secs(1);

impl Store {
    /// Makes the pool and opens one connection, to fail early.
    ///
    /// Connections are made and driven on the runtime that calls this (the main one), never on that of the caller who
    /// happens to need a new one: an actix worker's runtime has a single thread and ends before the pool does.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] if the database cannot be reached, [`StoreError::Database`] if the pool cannot be made.
    pub async fn connect(settings: &StoreSettings) -> Result<Self, StoreError> {
        let pool = pool(settings, settings.pool_size)?;
        let pools = Arc::new(Mutex::new(vec![pool.clone()]));
        let store = Self { pool, settings: Arc::new(settings.clone()), pools };
        drop(store.connection().await?);
        Ok(store)
    }

    /// The same database by a pool of its own, of `size` connections that are driven on the runtime that calls this: what is
    /// asked there is answered there, without a change of threads. It is of no use once that runtime has ended.
    ///
    /// # Errors
    /// [`StoreError::Database`] if the pool cannot be made.
    pub fn beside(&self, size: usize) -> Result<Self, StoreError> {
        let pool = pool(&self.settings, size)?;
        self.pools.lock().unwrap_or_else(PoisonError::into_inner).push(pool.clone());
        Ok(Self { pool, ..self.clone() })
    }

    /// A connection from the pool, which gets it back when it is dropped.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] if none is free, or could be made, within the wait.
    pub(crate) async fn connection(&self) -> Result<Connection, StoreError> {
        match tokio::time::timeout(self.settings.wait, self.pool.get()).await {
            Ok(Ok(connection)) => Ok(connection),
            Ok(Err(error)) => Err(StoreError::Unavailable { reason: error.to_string() }),
            Err(_) => Err(StoreError::Unavailable {
                reason: format!("no connection was free within {} ms", self.settings.wait.as_millis()),
            }),
        }
    }

    /// What a statement comes to. PostgreSQL gives up by itself before our patience ends: if it says nothing, the connection
    /// is dead, and counts as broken.
    pub(crate) async fn patiently<T>(&self, statement: impl Future<Output = QueryResult<T>>) -> QueryResult<T> {
        let patience = self.settings.statement_timeout + GRACE;
        tokio::time::timeout(patience, statement).await.unwrap_or_else(|_| {
            let message = format!("no answer within {} ms", patience.as_millis());
            Err(Error::DatabaseError(DatabaseErrorKind::ClosedConnection, Box::new(message)))
        })
    }
}

/// A pool whose connections are made and driven on the runtime that calls this.
fn pool(settings: &StoreSettings, size: usize) -> Result<Pool<AsyncPgConnection>, StoreError> {
    let runtime = Handle::current();
    // All statements are simple look-ups by keys: to plan them anew costs PostgreSQL more than to run them.
    let set_up = format!(
        "SET statement_timeout = {}; SET application_name = 'fereta'; SET plan_cache_mode = force_generic_plan",
        settings.statement_timeout.as_millis()
    );
    let mut manager = ManagerConfig::default();
    manager.recycling_method = RecyclingMethod::Fast;
    manager.custom_setup = Box::new(move |url| {
        let opening = runtime.spawn(open(url.to_owned(), set_up.clone()));
        Box::pin(async move {
            opening.await.unwrap_or_else(|error| Err(diesel::ConnectionError::BadConnection(error.to_string())))
        })
    });
    let manager = AsyncDieselConnectionManager::new_with_config(&settings.url, manager);
    let pool = Pool::builder(manager)
        .max_size(size)
        // The one used last: a few busy backends rather than all of them in turn.
        .queue_mode(QueueMode::Lifo);
    pool.build().map_err(|error| StoreError::Database { message: error.to_string() })
}

/// Makes a read again, once, if its connection broke under it: it changed nothing, so nobody needs to know. If the next one
/// breaks too, the database is not available.
pub(crate) async fn once_more<T, F>(look: impl Fn() -> F) -> Result<T, StoreError>
where
    F: Future<Output = Result<T, StoreError>>,
{
    match look().await {
        Err(StoreError::Lost { .. }) => match look().await {
            Err(StoreError::Lost { reason }) => Err(StoreError::Unavailable { reason }),
            looked => looked,
        },
        looked => looked,
    }
}

/// How often a change is made again that collided with another one.
const COLLISIONS: usize = 3;

/// Makes a change again if it collided with another one (a deadlock, mostly): it was undone whole.
pub(crate) async fn undeterred<T, F>(change: impl Fn() -> F) -> Result<T, StoreError>
where
    F: Future<Output = Result<T, StoreError>>,
{
    for _ in 0..COLLISIONS {
        match change().await {
            Err(StoreError::Conflict { .. }) => {}
            changed => return changed,
        }
    }
    change().await
}

async fn open(url: String, set_up: String) -> diesel::ConnectionResult<AsyncPgConnection> {
    let mut connection = AsyncPgConnection::establish(&url).await?;
    connection.batch_execute(&set_up).await.map_err(diesel::ConnectionError::CouldntSetupConfiguration)?;
    Ok(connection)
}

/// Turns a statement's result into ours, and takes a connection that broke out of the pool.
pub(crate) fn finish<T>(connection: Connection, result: diesel::QueryResult<T>) -> Result<T, StoreError> {
    result.map_err(|error| {
        let error = StoreError::from(error);
        if matches!(error, StoreError::Lost { .. }) {
            drop(Connection::take(connection));
        }
        error
    })
}

/// A sequence number for PostgreSQL, which has no unsigned ones. What is beyond its range is beyond every log.
fn bigint(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
