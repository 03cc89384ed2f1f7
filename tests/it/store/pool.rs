//! When connections run out, break, or cannot be made.

use std::time::{Duration, Instant};

use diesel_async::{AsyncPgConnection, SimpleAsyncConnection};
use fereta::store::{Store, StoreError, StoreSettings};
use tokio::task::JoinSet;

use crate::support::database::{OWNER, SERVING};
use crate::support::rows::{change, create, events, new_game};
use crate::support::{Database, database};

/// Holds a game's row, so that whoever writes it has to wait.
async fn held(database: &Database) -> AsyncPgConnection {
    let mut holder = database.connection(OWNER).await;
    holder.batch_execute("BEGIN; SELECT 1 FROM games FOR UPDATE").await.unwrap();
    holder
}

#[tokio::test(flavor = "multi_thread")]
async fn an_exhausted_pool_refuses_within_the_wait() {
    let database = Database::new().await;
    let account = database.account("ann").await;
    let settings =
        StoreSettings { pool_size: 2, wait: Duration::from_millis(200), ..StoreSettings::new(database.url(SERVING)) };
    let store = Store::connect(&settings).await.unwrap();
    let game = create(&store, &new_game(account)).await.unwrap();
    let holder = held(&database).await;
    let mut writers = JoinSet::new();
    for _ in 0..2 {
        let store = store.clone();
        writers.spawn(async move { store.write(game, 1, &change(&events(&["two"]))).await.map(|_| ()) });
    }
    tokio::time::sleep(Duration::from_millis(100)).await;
    let started = Instant::now();
    let refused = store.read(account, game, None).await.unwrap_err();
    assert!(matches!(refused, StoreError::Unavailable { .. }), "{refused:?}");
    assert!(started.elapsed() < Duration::from_millis(1_500), "it took {:?}", started.elapsed());
    drop(holder);
    writers.join_all().await.into_iter().for_each(|written| written.unwrap());
    store.read(account, game, None).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_statement_that_takes_too_long_changed_nothing() {
    let database = Database::new().await;
    let account = database.account("ann").await;
    let settings =
        StoreSettings { statement_timeout: Duration::from_millis(200), ..StoreSettings::new(database.url(SERVING)) };
    let store = Store::connect(&settings).await.unwrap();
    let game = create(&store, &new_game(account)).await.unwrap();
    let holder = held(&database).await;
    let error = store.write(game, 1, &change(&events(&["two"]))).await.unwrap_err();
    assert!(matches!(error, StoreError::Unavailable { .. }), "{error:?}");
    drop(holder);
    assert_eq!(store.read(account, game, None).await.unwrap().game.unwrap().version, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_breaks_under_a_write_is_lost_and_replaced() {
    let database = Database::new().await;
    let account = database.account("ann").await;
    let store = database.store().await;
    let game = create(&store, &new_game(account)).await.unwrap();
    let holder = held(&database).await;
    let writer = tokio::spawn({
        let store = store.clone();
        async move { store.write(game, 1, &change(&events(&["two"]))).await }
    });
    tokio::time::sleep(Duration::from_millis(100)).await;
    database.cut_connections().await;
    let error = writer.await.unwrap().unwrap_err();
    assert!(matches!(error, StoreError::Lost { .. }), "{error:?}");
    drop(holder);
    assert_eq!(store.read(account, game, None).await.unwrap().game.unwrap().version, 1);
    // Idle ones that were cut off are not handed out again either.
    database.cut_connections().await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    store.read(account, game, None).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_is_not_there_is_unavailable() {
    for url in [database::url(SERVING, "no_such_database"), "postgres://nobody@127.0.0.1:1/none".to_owned()] {
        let error = Store::connect(&StoreSettings::new(url)).await.err().unwrap();
        assert!(matches!(error, StoreError::Unavailable { .. }), "{error:?}");
    }
}

/// Connections belong to the runtime that made the store, whoever asks for them.
#[tokio::test(flavor = "multi_thread")]
async fn a_connection_outlives_the_runtime_that_asked_for_it() {
    let database = Database::new().await;
    let account = database.account("ann").await;
    let settings = StoreSettings { pool_size: 1, ..StoreSettings::new(database.url(SERVING)) };
    let store = Store::connect(&settings).await.unwrap();
    let game = create(&store, &new_game(account)).await.unwrap();
    database.cut_connections().await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    let worker = std::thread::spawn({
        let store = store.clone();
        move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(store.read(account, game, None)).unwrap();
        }
    });
    worker.join().unwrap();
    store.read(account, game, None).await.unwrap();
}
