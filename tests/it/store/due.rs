//! Leases of the games that wait for a bot.

use std::collections::BTreeSet;
use std::time::Duration;

use chrono::TimeDelta;
use fereta::clock;
use fereta::ids::{AccountId, GameId};
use fereta::store::{Change, Outcome, Store};
use futures_util::future::join_all;

use crate::support::Database;
use crate::support::rows::{change, create, events, new_game};

/// A game that waits for a bot, so many seconds from now.
async fn waiting(store: &Store, creator: AccountId, seconds: i64) -> GameId {
    let game = create(store, &new_game(creator)).await.unwrap();
    let due = Some(clock::now() + TimeDelta::seconds(seconds));
    let new = events(&["turn"]);
    assert_eq!(store.write(game, 1, &Change { wake_at: due, ..change(&new) }).await.unwrap(), Outcome::Written);
    game
}

#[tokio::test(flavor = "multi_thread")]
async fn the_one_that_is_due_the_earliest_is_leased_once() {
    let database = Database::new().await;
    let (account, store) = (database.account("ann").await, database.store().await);
    create(&store, &new_game(account)).await.unwrap();
    let (later, soon, first) =
        (waiting(&store, account, 60).await, waiting(&store, account, 2).await, waiting(&store, account, -5).await);
    let lease = async |ahead_ms, but: &[GameId]| store.lease_due_game(15, ahead_ms, but).await.unwrap();
    let due = lease(3_000, &[]).await.unwrap();
    assert_eq!((due.id, due.version), (first, 2));
    assert!(due.wake_at < due.now);
    assert_eq!(lease(0, &[]).await, None);
    assert_eq!(lease(3_000, &[soon]).await, None);
    assert_eq!(lease(3_000, &[]).await.unwrap().id, soon);
    assert_eq!(lease(3_000, &[]).await, None);

    // Given up, written, run out.
    store.give_up_lease(first, 1).await.unwrap();
    assert_eq!(lease(3_000, &[]).await, None, "of another version it is not ours to give up");
    store.give_up_lease(first, 2).await.unwrap();
    assert_eq!(lease(3_000, &[]).await.unwrap().id, first);
    let new = events(&["moved"]);
    let next = Change { wake_at: Some(clock::now()), ..change(&new) };
    assert_eq!(store.write(first, 2, &next).await.unwrap(), Outcome::Written);
    assert_eq!(lease(3_000, &[]).await.map(|due| (due.id, due.version)), Some((first, 3)));
    let sql = format!("UPDATE games SET leased_until = now() WHERE id IN ('{soon}', '{later}')");
    database.execute(&sql).await.unwrap();
    assert_eq!(lease(3_000, &[]).await.unwrap().id, soon);
    assert_eq!(lease(3_000, &[]).await, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_servers_each_gets_another() {
    let database = Database::new().await;
    let (account, store) = (database.account("ann").await, database.store().await);
    let mut games = BTreeSet::new();
    for _ in 0..12 {
        games.insert(waiting(&store, account, 0).await);
    }
    let leased = join_all((0..30).map(|_| store.lease_due_game(15, 3_000, &[]))).await;
    let leased: Vec<GameId> = leased.into_iter().filter_map(|due| Some(due.unwrap()?.id)).collect();
    assert!(leased.iter().collect::<BTreeSet<_>>().len() == leased.len(), "one was leased twice");
    let mut left = games.iter().filter(|game| !leased.contains(game)).count();
    while store.lease_due_game(15, 3_000, &[]).await.unwrap().is_some() {
        left -= 1;
    }
    assert_eq!(left, 0);
}

/// As wake_at stays null, the index on it costs them nothing.
#[tokio::test(flavor = "multi_thread")]
async fn moves_without_bots_are_heap_only_updates() {
    let database = Database::new().await;
    let (account, store) = (database.account("ann").await, database.store().await);
    let game = create(&store, &new_game(account)).await.unwrap();
    for version in 1..=20 {
        let new = events(&["moved"]);
        assert_eq!(store.write(game, version, &change(&new)).await.unwrap(), Outcome::Written);
    }
    let counted = "SELECT n_tup_upd || ' ' || n_tup_hot_upd AS t FROM pg_stat_user_tables WHERE relname = 'games'";
    for _ in 0..100 {
        if database.texts(counted).await == ["20 20"] {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    unreachable!("{:?}", database.texts(counted).await);
}
