//! Nobody changes the log: the serving role may not, and the owner is stopped by a trigger.

use diesel_async::{AsyncConnection, AsyncPgConnection, SimpleAsyncConnection};
use fereta::store::{Constraint, StoreError};

use crate::support::database::{OWNER, SERVING};
use crate::support::{Database, rows};

async fn database_with_a_game() -> Database {
    let database = Database::new().await;
    let creator = database.account("ann").await;
    rows::create(&database.store().await, &rows::new_game(creator)).await.unwrap();
    database
}

#[tokio::test(flavor = "multi_thread")]
async fn the_serving_role_may_only_read_and_add() {
    let database = database_with_a_game().await;
    let mut connection = database.connection(SERVING).await;
    for sql in [
        "UPDATE game_events SET line = 'other'",
        "DELETE FROM game_events",
        "TRUNCATE game_events",
        "DROP TABLE game_events",
        "DROP TRIGGER game_events_append_only ON game_events",
        "ALTER TABLE game_events DISABLE TRIGGER game_events_append_only",
        "SET session_replication_role = replica",
        "SET ROLE fereta_owner",
        "GRANT fereta_owner TO fereta_server",
        "DELETE FROM games",
        "TRUNCATE games",
        "DELETE FROM accounts",
        "UPDATE requests SET key = 'other'",
        "UPDATE seats SET seat = 1",
        "DELETE FROM __diesel_schema_migrations",
        "CREATE TABLE game_events2 ()",
    ] {
        assert!(connection.batch_execute(sql).await.is_err(), "{sql} was not refused");
    }
    // This one is no error in PostgreSQL, only a warning; what counts is that it does nothing.
    let _ = connection.batch_execute("GRANT UPDATE ON game_events TO fereta_server").await;
    assert!(connection.batch_execute("UPDATE game_events SET line = 'other'").await.is_err());
    assert_eq!(database.texts("SELECT line AS t FROM game_events").await, ["created"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_trigger_stops_the_owner_and_the_superuser() {
    let database = database_with_a_game().await;
    for url in [database.url(OWNER), database.superuser_url()] {
        let mut connection = AsyncPgConnection::establish(&url).await.unwrap();
        for sql in [
            "UPDATE game_events SET line = 'other'",
            "UPDATE game_events SET line = 'other' WHERE false",
            "DELETE FROM game_events",
            "TRUNCATE game_events",
            "TRUNCATE game_events, games CASCADE",
        ] {
            let error = StoreError::from(connection.batch_execute(sql).await.unwrap_err());
            assert!(matches!(error, StoreError::Constraint(Constraint::LogAppendOnly)), "{sql}: {error}");
        }
    }
    let mut superuser = AsyncPgConnection::establish(&database.superuser_url()).await.unwrap();
    superuser.batch_execute("SET session_replication_role = replica").await.unwrap();
    assert!(
        superuser.batch_execute("DELETE FROM game_events").await.is_err(),
        "as a replica the trigger was not fired"
    );
}
