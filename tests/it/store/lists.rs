//! Lists: who sees what, the filters, and cursors that neither skip nor repeat.

use fereta::ids::AccountId;
use fereta::store::{AccountStatus, Change, GameFilter, GameStatus, NewGame, Outcome, Visibility};

use crate::support::Database;
use crate::support::rows::{change, create, events, new_game, take};

#[tokio::test(flavor = "multi_thread")]
async fn cursors_walk_through_all_games_once() {
    let database = Database::new().await;
    let account = database.account("ann").await;
    let store = database.store().await;
    let mut made = Vec::new();
    for _ in 0..7 {
        made.push(create(&store, &new_game(account)).await.unwrap());
    }
    let mut listed = Vec::new();
    let mut cursor = None;
    loop {
        let page = store.list_games(account, &GameFilter::default(), cursor, 3).await.unwrap();
        let Some(last) = page.games.last() else { break };
        assert!(page.games.len() <= 3);
        cursor = Some(last.id);
        listed.extend(page.games.iter().map(|game| game.id));
    }
    made.reverse();
    assert_eq!(listed, made);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_sees_which_game_and_by_which_filter() {
    let database = Database::new().await;
    let store = database.store().await;
    let (ann, bob, eve) = (
        database.account("ann").await,
        database.account("bob").await,
        database.account_of_status("eve", "banned").await,
    );
    let public = create(&store, &new_game(ann)).await.unwrap();
    let private = NewGame { visibility: Visibility::Private, ..new_game(ann) };
    let private = create(&store, &private).await.unwrap();
    let unlisted = NewGame { visibility: Visibility::Unlisted, ..new_game(ann) };
    let unlisted = create(&store, &unlisted).await.unwrap();
    let sat = events(&["taken"]);
    let sat =
        Change { seats: take(1, bob), status: GameStatus::Running, open_seats: 0, decider: Some(1), ..change(&sat) };
    assert_eq!(store.write(private, 1, &sat).await.unwrap(), Outcome::Written);

    let all = GameFilter::default();
    let mine = GameFilter { mine: true, ..all };
    let my_turn = GameFilter { my_turn: true, ..all };
    let both = GameFilter { mine: true, my_turn: true, ..all };
    let free = GameFilter { open_seats: true, ..all };
    let running = GameFilter { status: Some(GameStatus::Running), ..all };
    let none = GameFilter { status: Some(GameStatus::Ended), open_seats: true, ..both };
    for (caller, filter, expected) in [
        (ann, all, vec![unlisted, private, public]),
        (bob, all, vec![private, public]),
        (eve, all, vec![public]),
        (AccountId::fresh(), all, vec![public]),
        (ann, mine, vec![unlisted, private, public]),
        (bob, mine, vec![private]),
        (ann, my_turn, vec![]),
        (bob, my_turn, vec![private]),
        (bob, both, vec![private]),
        (bob, free, vec![public]),
        (bob, running, vec![private]),
        (eve, running, vec![]),
        (bob, none, vec![]),
    ] {
        let page = store.list_games(caller, &filter, None, 10).await.unwrap();
        assert_eq!(page.games.iter().map(|game| game.id).collect::<Vec<_>>(), expected, "{filter:?}");
    }
    let page = store.list_games(eve, &none, None, 10).await.unwrap();
    assert_eq!(page.account, Some(AccountStatus::Banned), "an empty page does not tell the account's status");
    assert_eq!(store.list_games(AccountId::fresh(), &all, None, 10).await.unwrap().account, None);
    let game = &store.list_games(bob, &mine, None, 10).await.unwrap().games[0];
    assert_eq!((game.my_seat, game.decider, game.creator, game.version), (Some(1), Some(1), ann, 2));

    let seated = store.seated(&[public, private]).await.unwrap();
    let seated: Vec<_> = seated.iter().map(|one| (one.game, one.seat, one.account, one.name.as_deref())).collect();
    assert_eq!(seated, [(private, 1, Some(bob), Some("bob"))]);
}
