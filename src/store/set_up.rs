//! The schema, the two roles, and the checks before a server may start.
//!
//! One role owns the tables and migrates; the server runs under another, which gets what it needs and nothing else. An owner
//! could give itself anything back, a superuser needs no permission: a server that runs as either proves nothing about its
//! log, so it does not start.

use diesel::migration::MigrationSource;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{Bool, Text};
use diesel_async::{AsyncConnection, AsyncMigrationHarness, AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};

use super::{Store, StoreError, finish};

const MIGRATIONS: EmbeddedMigrations = embed_migrations!("migrations");

/// Held while migrating, so that of any number of servers that start at once one does it and the others find it done.
const MIGRATION_LOCK: i64 = 0x6665_7265_7461;

/// Every table, and what the serving role may do with it.
const GRANTS: &[(&str, &str)] = &[
    ("accounts", "SELECT, INSERT, UPDATE"),
    ("token_families", "SELECT, INSERT, UPDATE, DELETE"),
    ("refresh_tokens", "SELECT, INSERT, UPDATE, DELETE"),
    ("games", "SELECT, INSERT, UPDATE"),
    ("seats", "SELECT, INSERT, UPDATE (account_id, bot), DELETE"),
    ("invites", "SELECT, INSERT, UPDATE"),
    ("proof_keys", "SELECT, INSERT"),
    ("game_events", "SELECT, INSERT"),
    ("requests", "SELECT, INSERT, DELETE"),
    ("reviews", "SELECT, INSERT, UPDATE"),
    ("__diesel_schema_migrations", "SELECT"),
];

/// Why the database is not ready to be served.
#[derive(Debug, thiserror::Error)]
pub enum SetUpError {
    /// The role that the grants are for is missing.
    #[error("the role {role:?} does not exist; create it (CREATE ROLE ... LOGIN), or name another with --serving-role")]
    NoSuchRole {
        /// Its name.
        role: String,
    },
    /// The role that the grants are for owns the tables.
    #[error("the role {role:?} owns the tables, so it cannot be the serving role; name another with --serving-role")]
    ServingIsOwner {
        /// Its name.
        role: String,
    },
    /// A migration failed.
    #[error("the migration failed, nothing of it was kept: {reason}")]
    Migration {
        /// Why.
        reason: String,
    },
    /// The server's role could rewrite the log.
    #[error(
        "the server must not run as {role:?}, which {why}: it could rewrite the games' log. \
         Connect as the serving role (by default fereta_server), which `fereta migrate` gives its permissions"
    )]
    TooPowerful {
        /// Its name.
        role: String,
        /// What makes it so.
        why: &'static str,
    },
    /// A migration of this program has not been run here.
    #[error("the database's schema is at {found}, this server needs {needed}: run fereta migrate")]
    Behind {
        /// The newest migration in the database.
        found: String,
        /// The newest one of this program.
        needed: String,
    },
    /// A migration has been run here that this program does not know.
    #[error("the database's schema is at {found}, this server knows it up to {known}: start a newer fereta")]
    Ahead {
        /// The migration in the database.
        found: String,
        /// The newest one of this program.
        known: String,
    },
    /// `fereta migrate` has not been run for this role.
    #[error("the role {role:?} has no permissions on the tables: run fereta migrate --serving-role {role}")]
    NotGranted {
        /// Its name.
        role: String,
    },
    /// The database could not be asked.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<diesel::result::Error> for SetUpError {
    fn from(error: diesel::result::Error) -> Self {
        Self::Store(error.into())
    }
}

/// Brings the schema up to date as its owner, and gives the serving role its permissions. Returns the migrations that were
/// run; may be repeated at will, also by several at once. Needs a runtime of several threads.
///
/// # Errors
/// [`SetUpError::NoSuchRole`] or [`SetUpError::ServingIsOwner`] before anything is changed; else what failed.
pub async fn migrate(owner_url: &str, serving_role: &str) -> Result<Vec<String>, SetUpError> {
    let mut connection = connect(owner_url).await?;
    connection.batch_execute(&format!("SELECT pg_advisory_lock({MIGRATION_LOCK})")).await?;
    check_serving_role(&mut connection, serving_role).await?;
    let mut harness = AsyncMigrationHarness::new(connection);
    let migrated = harness
        .run_pending_migrations(MIGRATIONS)
        .map(|versions| versions.iter().map(ToString::to_string).collect())
        .map_err(|error| SetUpError::Migration { reason: error.to_string() })?;
    let mut connection = harness.into_inner();
    let role = identifier(serving_role);
    let mut grants = String::new();
    for (table, privileges) in GRANTS {
        grants.push_str(&format!("REVOKE ALL ON {table} FROM {role}; GRANT {privileges} ON {table} TO {role};"));
    }
    // Several commands in one go are one transaction: no server sees the moment between.
    connection.batch_execute(&grants).await?;
    Ok(migrated)
}

/// Makes, as a superuser, what a new cluster lacks: an owner, a serving role, and a database of the owner's.
///
/// # Errors
/// Whatever the database refused.
pub async fn provision(superuser_url: &str, owner: &str, serving: &str, database: &str) -> Result<(), SetUpError> {
    let mut connection = connect(superuser_url).await?;
    for role in [owner, serving] {
        if !exists(&mut connection, "pg_roles WHERE rolname = ", role).await? {
            connection.batch_execute(&format!("CREATE ROLE {} LOGIN", identifier(role))).await?;
        }
    }
    if !exists(&mut connection, "pg_database WHERE datname = ", database).await? {
        let (database, owner) = (identifier(database), identifier(owner));
        connection.batch_execute(&format!("CREATE DATABASE {database} OWNER {owner}")).await?;
    }
    Ok(())
}

impl Store {
    /// Checks that this role may serve this database: not too powerful, the schema the one that is known, permissions given.
    ///
    /// # Errors
    /// The [`SetUpError`] that says what to do about it.
    pub async fn check_set_up(&self) -> Result<(), SetUpError> {
        let mut connection = self.connection().await?;
        let role: Result<RoleRow, _> = diesel::sql_query(ROLE).get_result(&mut connection).await;
        let role = finish(connection, role)?;
        if let Some(why) = role.too_powerful() {
            return Err(SetUpError::TooPowerful { role: role.role, why });
        }
        let known = known_versions()?;
        let newest = known.last().cloned().unwrap_or_default();
        if !role.migrated {
            return Err(SetUpError::Behind { found: "nothing".to_owned(), needed: newest });
        }
        if !role.granted {
            return Err(SetUpError::NotGranted { role: role.role });
        }
        let mut connection = self.connection().await?;
        let applied: Result<Vec<VersionRow>, _> =
            diesel::sql_query("SELECT version::text FROM __diesel_schema_migrations ORDER BY version")
                .load(&mut connection)
                .await;
        let applied: Vec<String> = finish(connection, applied)?.into_iter().map(|row| row.version).collect();
        if let Some(unknown) = applied.iter().find(|version| !known.contains(version)) {
            return Err(SetUpError::Ahead { found: unknown.clone(), known: newest });
        }
        if known.iter().any(|version| !applied.contains(version)) {
            let found = applied.last().cloned().unwrap_or_else(|| "nothing".to_owned());
            return Err(SetUpError::Behind { found, needed: newest });
        }
        Ok(())
    }
}

/// CREATEROLE counts as powerful: up to PostgreSQL 15 it can make itself a member of the owner.
const ROLE: &str = "SELECT current_user::text AS role, r.rolsuper AS superuser, r.rolcreaterole AS makes_roles, \
    EXISTS (SELECT FROM pg_class AS c WHERE c.relkind = 'r' AND c.relnamespace = to_regnamespace('public') \
            AND pg_has_role(current_user, c.relowner, 'MEMBER')) AS owns, \
    COALESCE(has_table_privilege(to_regclass('public.game_events'), 'UPDATE, DELETE, TRUNCATE'), false) AS rewrites, \
    to_regclass('public.__diesel_schema_migrations') IS NOT NULL AS migrated, \
    COALESCE(has_table_privilege(to_regclass('public.__diesel_schema_migrations'), 'SELECT'), false) AS granted \
    FROM pg_roles AS r WHERE r.rolname = current_user";

#[derive(QueryableByName)]
struct RoleRow {
    #[diesel(sql_type = Text)]
    role: String,
    #[diesel(sql_type = Bool)]
    superuser: bool,
    #[diesel(sql_type = Bool)]
    makes_roles: bool,
    #[diesel(sql_type = Bool)]
    owns: bool,
    #[diesel(sql_type = Bool)]
    rewrites: bool,
    #[diesel(sql_type = Bool)]
    migrated: bool,
    #[diesel(sql_type = Bool)]
    granted: bool,
}

impl RoleRow {
    fn too_powerful(&self) -> Option<&'static str> {
        if self.superuser {
            Some("is a superuser")
        } else if self.owns {
            Some("owns the tables, or is a member of the role that does")
        } else if self.makes_roles {
            Some("may create roles, and so make itself a member of the owner")
        } else if self.rewrites {
            Some("may change or delete rows of game_events")
        } else {
            None
        }
    }
}

#[derive(QueryableByName)]
struct VersionRow {
    #[diesel(sql_type = Text)]
    version: String,
}

#[derive(QueryableByName)]
struct ExistsRow {
    #[diesel(sql_type = Bool)]
    found: bool,
}

async fn connect(url: &str) -> Result<AsyncPgConnection, StoreError> {
    AsyncPgConnection::establish(url).await.map_err(|error| StoreError::Unavailable { reason: error.to_string() })
}

async fn exists(connection: &mut AsyncPgConnection, place: &str, name: &str) -> Result<bool, StoreError> {
    let query = diesel::sql_query(format!("SELECT EXISTS (SELECT FROM {place} $1) AS found")).bind::<Text, _>(name);
    let row: ExistsRow = query.get_result(connection).await?;
    Ok(row.found)
}

async fn check_serving_role(connection: &mut AsyncPgConnection, role: &str) -> Result<(), SetUpError> {
    if !exists(connection, "pg_roles WHERE rolname = ", role).await? {
        return Err(SetUpError::NoSuchRole { role: role.to_owned() });
    }
    if exists(connection, "pg_roles WHERE rolname = current_user AND rolname = ", role).await? {
        return Err(SetUpError::ServingIsOwner { role: role.to_owned() });
    }
    Ok(())
}

fn known_versions() -> Result<Vec<String>, SetUpError> {
    let migrations = MigrationSource::<Pg>::migrations(&MIGRATIONS)
        .map_err(|error| SetUpError::Migration { reason: error.to_string() })?;
    let mut versions: Vec<String> = migrations.iter().map(|migration| migration.name().version().to_string()).collect();
    versions.sort();
    Ok(versions)
}

fn identifier(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
