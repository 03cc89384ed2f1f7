//! One database a test: a clone of the template, dropped with the value.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;
use std::thread;

use diesel::sql_types::{BigInt, Bool, Text};
use diesel::{QueryResult, QueryableByName};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use fereta::store::{Store, StoreSettings, migrate, provision};
use sha2::{Digest, Sha256};
use tokio::runtime;

pub(crate) const OWNER: &str = "fereta_owner";
pub(crate) const SERVING: &str = "fereta_server";

const TEMPLATE_LOCK: i64 = 0x6665_7274;

/// A migrated database of its own.
pub(crate) struct Database {
    name: String,
}

impl Database {
    /// A clone of the template.
    pub(crate) async fn new() -> Self {
        let template = template();
        let name = fresh_name();
        admin(&format!("CREATE DATABASE {name} TEMPLATE {template} OWNER {OWNER} STRATEGY file_copy")).await;
        Self { name }
    }

    /// A database with nothing in it.
    pub(crate) async fn empty() -> Self {
        template();
        let name = fresh_name();
        admin(&format!("CREATE DATABASE {name} OWNER {OWNER}")).await;
        Self { name }
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn url(&self, role: &str) -> String {
        url(role, &self.name)
    }

    pub(crate) fn superuser_url(&self) -> String {
        with_database(&superuser_url(), &self.name)
    }

    /// The store as the server has it.
    pub(crate) async fn store(&self) -> Store {
        Store::connect(&StoreSettings::new(self.url(SERVING))).await.unwrap()
    }

    pub(crate) async fn connection(&self, role: &str) -> AsyncPgConnection {
        AsyncPgConnection::establish(&self.url(role)).await.unwrap()
    }

    /// Runs SQL as the owner, who may do anything but change the log.
    pub(crate) async fn execute(&self, sql: &str) -> QueryResult<()> {
        self.connection(OWNER).await.batch_execute(sql).await
    }

    /// Ends every connection of the servers.
    pub(crate) async fn cut_connections(&self) {
        let mut superuser = AsyncPgConnection::establish(&superuser_url()).await.unwrap();
        let sql = format!(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{}' AND application_name = 'fereta'",
            self.name
        );
        superuser.batch_execute(&sql).await.unwrap();
    }

    /// Runs SQL as somebody who may do anything, with the log open to change.
    pub(crate) async fn tamper(&self, sql: &str) {
        let mut connection = AsyncPgConnection::establish(&self.superuser_url()).await.unwrap();
        let sql = format!(
            "ALTER TABLE game_events DISABLE TRIGGER game_events_append_only; {sql}; \
             ALTER TABLE game_events ENABLE ALWAYS TRIGGER game_events_append_only"
        );
        connection.batch_execute(&sql).await.unwrap();
    }

    pub(crate) async fn count(&self, from: &str) -> i64 {
        #[derive(QueryableByName)]
        struct Row {
            #[diesel(sql_type = BigInt)]
            n: i64,
        }
        let query = diesel::sql_query(format!("SELECT count(*) AS n FROM {from}"));
        let row: Row = query.get_result(&mut self.connection(OWNER).await).await.unwrap();
        row.n
    }

    pub(crate) async fn texts(&self, sql: &str) -> Vec<String> {
        #[derive(QueryableByName)]
        struct Row {
            #[diesel(sql_type = Text)]
            t: String,
        }
        let rows: Vec<Row> = diesel::sql_query(sql).load(&mut self.connection(OWNER).await).await.unwrap();
        rows.into_iter().map(|row| row.t).collect()
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        let sql = format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", self.name);
        // On a thread of its own, as a drop cannot wait for a future.
        let _ = thread::spawn(move || block_on(admin(&sql))).join();
    }
}

/// Where the tests' cluster is.
pub(crate) fn superuser_url() -> String {
    std::env::var("FERETA_TEST_DATABASE_URL")
        .expect("FERETA_TEST_DATABASE_URL is not set: these tests need a PostgreSQL, run ./test, which starts one")
}

/// The same cluster, another role and database.
pub(crate) fn url(role: &str, database: &str) -> String {
    let url = superuser_url();
    let (scheme, rest) = url.split_once("://").unwrap();
    let (_, rest) = rest.split_once('@').unwrap();
    with_database(&format!("{scheme}://{role}@{rest}"), database)
}

fn with_database(url: &str, database: &str) -> String {
    let (before, _) = url.rsplit_once('/').unwrap();
    format!("{before}/{database}")
}

fn fresh_name() -> String {
    format!("fereta_test_{}", uuid::Uuid::now_v7().simple())
}

/// The template's name, once it is there.
fn template() -> &'static str {
    static TEMPLATE: OnceLock<String> = OnceLock::new();
    TEMPLATE.get_or_init(|| thread::spawn(|| block_on(make_template())).join().unwrap())
}

/// Made once for all test processes: the name tells the migrations, a lock lets one of them do it, and only a template that
/// is whole is marked as one.
async fn make_template() -> String {
    let name = format!("fereta_template_{}", migrations_hash());
    let mut connection = AsyncPgConnection::establish(&superuser_url()).await.unwrap();
    connection.batch_execute(&format!("SELECT pg_advisory_lock({TEMPLATE_LOCK})")).await.unwrap();
    if !is_template(&mut connection, &name).await {
        connection.batch_execute(&format!("DROP DATABASE IF EXISTS {name}")).await.unwrap();
        provision(&superuser_url(), OWNER, SERVING, &name).await.unwrap();
        migrate(&url(OWNER, &name), SERVING).await.unwrap();
        connection.batch_execute(&format!("ALTER DATABASE {name} IS_TEMPLATE true")).await.unwrap();
    }
    name
}

async fn is_template(connection: &mut AsyncPgConnection, name: &str) -> bool {
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = Bool)]
        found: bool,
    }
    let query =
        diesel::sql_query("SELECT EXISTS (SELECT FROM pg_database WHERE datistemplate AND datname = $1) AS found");
    let row: Row = query.bind::<Text, _>(name).get_result(connection).await.unwrap();
    row.found
}

fn migrations_hash() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations");
    let mut folders: Vec<_> = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    let mut hash = Sha256::new();
    for folder in folders {
        hash.update(folder.file_name().unwrap().as_encoded_bytes());
        hash.update(fs::read(folder.join("up.sql")).unwrap());
    }
    // The grants are part of what is cloned.
    hash.update(include_bytes!("../../../src/store/set_up.rs"));
    hex::encode(hash.finalize().get(..8).unwrap())
}

async fn admin(sql: &str) {
    let mut connection = AsyncPgConnection::establish(&superuser_url()).await.unwrap();
    connection.batch_execute(sql).await.unwrap();
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap().block_on(future)
}
