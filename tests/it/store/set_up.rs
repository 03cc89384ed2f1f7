//! Migrating, granting, and what a server refuses to run on.

use std::fs;
use std::path::Path;

use diesel_async::SimpleAsyncConnection;
use fereta::store::{SetUpError, Store, StoreSettings, migrate};
use tokio::task::JoinSet;

use crate::support::Database;
use crate::support::database::{OWNER, SERVING};

async fn check(url: String) -> Result<(), SetUpError> {
    Store::connect(&StoreSettings::new(url)).await.unwrap().check_set_up().await
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_serving_role_may_serve() {
    let database = Database::new().await;
    check(database.url(SERVING)).await.unwrap();
    for url in [database.url(OWNER), database.superuser_url()] {
        let error = check(url).await.unwrap_err();
        assert!(matches!(error, SetUpError::TooPowerful { .. }), "{error}");
    }
    database.execute("GRANT UPDATE ON game_events TO fereta_server").await.unwrap();
    assert!(matches!(check(database.url(SERVING)).await.unwrap_err(), SetUpError::TooPowerful { .. }));
    // Migrating again takes away what was not meant to be given.
    migrate(&database.url(OWNER), SERVING).await.unwrap();
    check(database.url(SERVING)).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_schema_must_be_the_known_one() {
    let database = Database::empty().await;
    let error = check(database.url(SERVING)).await.unwrap_err();
    assert!(matches!(error, SetUpError::Behind { .. }) && error.to_string().contains("run fereta migrate"), "{error}");

    migrate(&database.url(OWNER), SERVING).await.unwrap();
    check(database.url(SERVING)).await.unwrap();
    database.execute("INSERT INTO __diesel_schema_migrations VALUES ('99990101000000')").await.unwrap();
    assert!(matches!(check(database.url(SERVING)).await.unwrap_err(), SetUpError::Ahead { .. }));
    database.execute("DELETE FROM __diesel_schema_migrations WHERE version > '20261129000001'").await.unwrap();
    assert!(matches!(check(database.url(SERVING)).await.unwrap_err(), SetUpError::Behind { .. }));
    database.execute("REVOKE ALL ON __diesel_schema_migrations FROM fereta_server").await.unwrap();
    assert!(matches!(check(database.url(SERVING)).await.unwrap_err(), SetUpError::NotGranted { .. }));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_serving_role_must_exist_and_not_own() {
    let database = Database::empty().await;
    let error = migrate(&database.url(OWNER), "no\"such role").await.unwrap_err();
    assert!(matches!(error, SetUpError::NoSuchRole { .. }), "{error}");
    let error = migrate(&database.url(OWNER), OWNER).await.unwrap_err();
    assert!(matches!(error, SetUpError::ServingIsOwner { .. }), "{error}");
    assert_eq!(database.count("pg_class WHERE relname = 'games'").await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn four_may_migrate_at_once_and_one_does() {
    let database = Database::empty().await;
    let mut migrations = JoinSet::new();
    for _ in 0..4 {
        let url = database.url(OWNER);
        migrations.spawn(async move { migrate(&url, SERVING).await.unwrap().len() });
    }
    let mut counts = migrations.join_all().await;
    counts.sort_unstable();
    let known = fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/migrations")).unwrap().count();
    assert_eq!(counts, [0, 0, 0, known]);
}

#[tokio::test(flavor = "multi_thread")]
async fn migrations_go_down_and_up_again() {
    let database = Database::new().await;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations");
    let mut folders: Vec<_> = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    let mut owner = database.connection(OWNER).await;
    for folder in folders.iter().rev() {
        owner.batch_execute(&fs::read_to_string(folder.join("down.sql")).unwrap()).await.unwrap();
    }
    let left = "SELECT relname::text AS t FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' \
                UNION SELECT proname::text FROM pg_proc WHERE pronamespace = 'public'::regnamespace \
                AND proname NOT LIKE 'diesel%'";
    assert_eq!(database.texts(left).await, ["__diesel_schema_migrations"]);
    for folder in &folders {
        owner.batch_execute(&fs::read_to_string(folder.join("up.sql")).unwrap()).await.unwrap();
    }
}

/// A table that is added without a grant would be found out by the first request to it, in production.
#[tokio::test(flavor = "multi_thread")]
async fn every_table_is_granted() {
    let database = Database::new().await;
    let bare = "SELECT relname::text AS t FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' \
                AND NOT has_table_privilege('fereta_server', oid, 'SELECT')";
    assert_eq!(database.texts(bare).await, Vec::<String>::new());
}
