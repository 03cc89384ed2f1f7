//! The guarded write and what one read finds of it.

use std::sync::Arc;

use fereta::ids::{AccountId, GameId};
use fereta::store::{AccountStatus, Change, Constraint, GameStatus, NewEvent, Outcome, SeatChange, Store, StoreError};
use tokio::task::JoinSet;

use crate::support::Database;
use crate::support::rows::{at, change, create, event, events, new_game, request, take};

async fn table() -> (Database, Store, AccountId, GameId) {
    let database = Database::new().await;
    let account = database.account("ann").await;
    let store = database.store().await;
    let game = create(&store, &new_game(account)).await.unwrap();
    (database, store, account, game)
}

fn is(error: &StoreError, constraint: Constraint) -> bool {
    matches!(error, StoreError::Constraint(broken) if *broken == constraint)
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_written_is_read() {
    let (_database, store, account, game) = table().await;
    let new = [event("two", Some("hidden")), event("three", None)];
    let written = Change {
        snapshot: b"after",
        status: GameStatus::Running,
        open_seats: 2,
        decider: Some(1),
        wake_at: Some(at(60)),
        at: at(5),
        request: Some(request(account, "key")),
        seats: take(1, account),
        ..change(&new)
    };
    assert_eq!(store.write(game, 1, &written).await.unwrap(), Outcome::Written);

    let found = store.read(account, game, Some("key")).await.unwrap();
    assert_eq!((found.account, found.seat), (Some(AccountStatus::Active), Some(1)));
    let row = found.game.unwrap();
    assert_eq!((row.id, row.version, row.head, row.server_seed), (game, 3, new[1].hash, [9; 32]));
    assert_eq!((row.snapshot.as_slice(), row.status, row.players), (b"after".as_slice(), GameStatus::Running, 3));
    assert_eq!((row.open_seats, row.decider, row.creator), (2, Some(1), account));
    assert_eq!((row.created_at, row.updated_at, row.wake_at), (at(0), at(5), Some(at(60))));
    let asked = found.request.unwrap();
    assert_eq!((asked.game, asked.fingerprint, asked.seat), (game, [7; 32], Some(0)));
    assert_eq!((asked.first_seq, asked.last_seq, asked.created_at), (2, 3, at(5)));

    let log = store.events(game, 0, 100).await.unwrap();
    let lines: Vec<_> = log.iter().map(|row| (row.seq, row.line.as_str(), row.secret.as_deref())).collect();
    assert_eq!(lines, [(1, "created", None), (2, "two", Some("hidden")), (3, "three", None)]);
    assert_eq!(store.events(game, 1, 1).await.unwrap(), log[1..2]);
    assert_eq!(store.events_between(game, 2, 3).await.unwrap(), log[1..]);
    assert!(matches!(store.events_between(game, 3, 4).await.unwrap_err(), StoreError::Corrupt { .. }));
    assert!(!format!("{log:?}{row:?}{new:?}").contains("hidden"), "a secret is in a Debug");

    let left = Change { seats: vec![SeatChange::Leave { seat: 1 }], ..change(&new) };
    assert_eq!(store.write(game, 3, &left).await.unwrap(), Outcome::Written);
    assert_eq!(store.read(account, game, None).await.unwrap().seat, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_missing_is_missing_for_itself() {
    let (database, store, account, game) = table().await;
    let found = store.read(AccountId::fresh(), game, Some("key")).await.unwrap();
    assert!(found.account.is_none() && found.game.is_some() && found.request.is_none() && found.seat.is_none());
    let found = store.read(account, GameId::fresh(), None).await.unwrap();
    assert!(found.account.is_some() && found.game.is_none());
    let banned = database.account_of_status("eve", "banned").await;
    assert_eq!(store.read(banned, game, None).await.unwrap().account, Some(AccountStatus::Banned));

    // A key that was used for one game is found when another is asked for.
    let new = events(&["two"]);
    let written = Change { request: Some(request(account, "key")), ..change(&new) };
    assert_eq!(store.write(game, 1, &written).await.unwrap(), Outcome::Written);
    let other = create(&store, &new_game(account)).await.unwrap();
    assert_eq!(store.read(account, other, Some("key")).await.unwrap().request.unwrap().game, game);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_twenty_rivals_one_is_written() {
    let (database, store, account, game) = table().await;
    let store = Arc::new(store);
    let mut rivals = JoinSet::new();
    for rival in 0..20 {
        let store = Arc::clone(&store);
        rivals.spawn(async move {
            let new = events(&["two", "three"]);
            let key = format!("key-{rival}");
            store.write(game, 1, &Change { request: Some(request(account, &key)), ..change(&new) }).await.unwrap()
        });
    }
    let outcomes = rivals.join_all().await;
    assert_eq!(outcomes.iter().filter(|outcome| **outcome == Outcome::Written).count(), 1);
    assert_eq!(database.count("game_events").await, 3);
    assert_eq!(database.count("requests").await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_twenty_with_the_same_key_one_is_written() {
    let (database, store, account, game) = table().await;
    let mut retries = JoinSet::new();
    for _ in 0..20 {
        let store = store.clone();
        retries.spawn(async move {
            let new = events(&["two"]);
            store.write(game, 1, &Change { request: Some(request(account, "key")), ..change(&new) }).await
        });
    }
    let outcomes = retries.join_all().await;
    assert_eq!(outcomes.iter().filter(|outcome| matches!(outcome, Ok(Outcome::Written))).count(), 1);
    assert!(outcomes.iter().all(|outcome| match outcome {
        Ok(_) => true,
        Err(error) => is(error, Constraint::RequestKey),
    }));
    assert_eq!(database.count("requests").await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_write_leaves_nothing() {
    let (database, store, account, game) = table().await;
    let one: Vec<NewEvent> = events(&["two"]);
    let plain = change(&one);
    assert_eq!(store.write(game, 2, &plain).await.unwrap(), Outcome::Stale);
    assert_eq!(store.write(GameId::fresh(), 1, &plain).await.unwrap(), Outcome::Stale);
    let keyed = Change { request: Some(request(account, "key")), ..plain.clone() };
    let seated = Change { seats: take(0, account), ..plain.clone() };
    assert_eq!(store.write(game, 1, &keyed).await.unwrap(), Outcome::Written);
    assert_eq!(store.write(game, 2, &seated).await.unwrap(), Outcome::Written);

    let before = store.read(account, game, None).await.unwrap().game;
    let rival = database.account("bob").await;
    let taken = Change { seats: take(0, rival), ..plain.clone() };
    let twice = Change { seats: take(1, account), ..plain.clone() };
    let nobody = Change { seats: take(1, AccountId::fresh()), ..plain.clone() };
    let wrong = Change { open_seats: 9, ..plain.clone() };
    for (change, constraint) in [
        (&keyed, Constraint::RequestKey),
        (&taken, Constraint::SeatTaken),
        (&twice, Constraint::SeatedTwice),
        (&nobody, Constraint::SeatAccount),
        (&wrong, Constraint::GameOpenSeats),
    ] {
        let error = store.write(game, 3, change).await.unwrap_err();
        assert!(is(&error, constraint), "{error:?}");
    }
    assert!(matches!(store.write(game, 3, &change(&[])).await.unwrap_err(), StoreError::Corrupt { .. }));
    assert_eq!(store.read(account, game, None).await.unwrap().game, before);
    assert_eq!(database.count("game_events").await, 3);
    assert_eq!(database.count("requests").await, 1);
    assert_eq!(database.count("seats").await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_log_that_is_ahead_of_its_game_is_corrupt() {
    let (database, store, _, game) = table().await;
    let sql = format!("INSERT INTO game_events VALUES ('{game}', 2, 'stray', NULL, decode(repeat('00', 32), 'hex'))");
    database.execute(&sql).await.unwrap();
    let new = events(&["two"]);
    assert!(matches!(store.write(game, 1, &change(&new)).await.unwrap_err(), StoreError::Corrupt { .. }));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_is_made_whole_or_not_at_all() {
    let (database, store, account, game) = table().await;
    let first = events(&["created", "taken"]);
    let whole = Change { request: Some(request(account, "key")), seats: take(2, account), ..change(&first) };
    let new = new_game(account);
    store.create(&new, &whole).await.unwrap();
    let found = store.read(account, new.id, Some("key")).await.unwrap();
    assert_eq!(found.seat, Some(2));
    assert_eq!(found.game.unwrap().version, 2);
    assert_eq!(found.request.map(|asked| (asked.game, asked.first_seq, asked.last_seq)), Some((new.id, 1, 2)));

    let (games, log) = (database.count("games").await, database.count("game_events").await);
    let again = store.create(&new_game(account), &whole).await.unwrap_err();
    assert!(is(&again, Constraint::RequestKey), "{again:?}");
    let mut same = new_game(account);
    same.id = game;
    let same = store.create(&same, &change(&first)).await.unwrap_err();
    assert!(is(&same, Constraint::GameId), "{same:?}");
    let nobody = create(&store, &new_game(AccountId::fresh())).await.unwrap_err();
    assert!(is(&nobody, Constraint::GameCreator), "{nobody:?}");
    assert_eq!((database.count("games").await, database.count("game_events").await), (games, log));
}
