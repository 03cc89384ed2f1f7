//! Accounts, games and events that mean nothing, for tests of the store, which knows no meaning either.

use chrono::{DateTime, TimeZone, Utc};
use fereta::ids::{AccountId, GameId};
use fereta::store::{
    Change, GameStatus, NewEvent, NewGame, NewRequest, SeatChange, StartRule, Store, StoreError, Visibility,
};

use super::Database;

/// A round moment, so that it survives PostgreSQL's microseconds.
pub(crate) fn at(seconds: i64) -> DateTime<Utc> {
    Utc.timestamp_opt(1_800_000_000 + seconds, 0).unwrap()
}

pub(crate) fn events(texts: &[&str]) -> Vec<NewEvent> {
    texts.iter().map(|text| event(text, None)).collect()
}

pub(crate) fn event(line: &str, secret: Option<&str>) -> NewEvent {
    let byte = line.len().try_into().unwrap();
    NewEvent { line: line.to_owned(), secret: secret.map(str::to_owned), hash: [byte; 32] }
}

pub(crate) fn change(events: &[NewEvent]) -> Change<'_> {
    Change {
        events,
        snapshot: b"state",
        status: GameStatus::Open,
        open_seats: 3,
        decider: None,
        bots: 0,
        wake_at: None,
        at: at(0),
        request: None,
        seats: Vec::new(),
    }
}

pub(crate) fn request(account: AccountId, key: &str) -> NewRequest<'_> {
    NewRequest { account, key, fingerprint: [7; 32], seat: Some(0) }
}

pub(crate) fn take(seat: u8, account: AccountId) -> Vec<SeatChange> {
    vec![SeatChange::Take { seat, account }]
}

pub(crate) fn new_game(creator: AccountId) -> NewGame {
    NewGame {
        id: GameId::fresh(),
        server_seed: [9; 32],
        visibility: Visibility::Public,
        start: StartRule::Full,
        players: 3,
        creator,
        hints: false,
        imported: None,
    }
}

/// A game at version 1, without anybody at it.
pub(crate) async fn create(store: &Store, game: &NewGame) -> Result<GameId, StoreError> {
    store.create(game, &change(&events(&["created"]))).await.map(|()| game.id)
}

impl Database {
    /// An account that may act.
    pub(crate) async fn account(&self, name: &str) -> AccountId {
        self.account_of_status(name, "active").await
    }

    pub(crate) async fn account_of_status(&self, name: &str, status: &str) -> AccountId {
        let id = AccountId::fresh();
        let sql = format!(
            "INSERT INTO accounts (id, name, name_key, locale, status, created_at) \
             VALUES ('{id}', '{name}', '{name}', 'en', '{status}', now())"
        );
        self.execute(&sql).await.unwrap();
        id
    }
}
