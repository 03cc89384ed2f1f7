//! The yardstick: pgbench sends PostgreSQL the statements that the server sends for a move, and for a view the bare read of a game's
//! row, on rows like those of the games.
//!
//! Every client of pgbench has a game and an account of its own, whose ids are made of its number.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use chrono::SecondsFormat;
use tokio::process::Command;

use super::tables::Tables;
use super::{CliError, DATABASE, OWNER, SERVING};
use crate::engine::{Bytes32, Command as EngineCommand, Decision, FairDraws};
use crate::ids::{AccountId, GameId};
use crate::log::{Cause, Head, Sealer, Snapshot};
use crate::postgres::Cluster;
use crate::store::{Change, GameRow, GameStatus, NewEvent, NewRequest, Store};

/// How many clients of pgbench there can be in one set-up.
const MOST_CLIENTS: usize = 1_000;

/// The columns of a game's row that a view is made from.
const ROW: &str = "id, version, head, server_seed, snapshot, status, visibility, start, players, open_seats, decider, creator, \
    created_at, updated_at, wake_at";

/// pgbench with what it sends.
pub(super) struct Yardstick {
    store: Store,
    host: PathBuf,
    directory: PathBuf,
    /// The number of the first client's game and account.
    first: usize,
}

impl Yardstick {
    /// Gives each of `clients` a game that looks like one of `tables`, and writes the scripts. `round` tells set-ups of one
    /// database apart.
    pub(super) async fn set_up(
        store: &Store,
        cluster: &Cluster,
        tables: &Tables,
        clients: usize,
        round: usize,
    ) -> Result<Self, CliError> {
        let sample = tables.sample(store).await?;
        let directory = std::env::temp_dir().join(format!("fereta-pgbench-{}", std::process::id()));
        std::fs::create_dir_all(&directory)?;
        let host = cluster.socket_directory().to_owned();
        let yardstick = Self { store: store.clone(), host, directory, first: round * MOST_CLIENTS };
        yardstick.make_rows(&sample, clients.min(MOST_CLIENTS)).await?;
        let id = sql_id(&format!("(:client_id::int + {})", yardstick.first));
        std::fs::write(yardstick.directory.join("moves.sql"), moves(store, tables, &sample, &id)?)?;
        let views = format!("SELECT {ROW} FROM games WHERE id = {id};\n");
        std::fs::write(yardstick.directory.join("views.sql"), views)?;
        Ok(yardstick)
    }

    /// Moves per second: the read and the write of each.
    pub(super) async fn moves(&self, clients: usize, time: Duration) -> Result<f64, CliError> {
        let tps = self.run("moves.sql", clients, time).await?;
        let game: GameId = format!("01900000-0000-7000-8000-{:012}", self.first).parse()?;
        let found = self.store.read(AccountId::from(uuid::Uuid::nil()), game, None).await?;
        match found.game {
            Some(game) if game.version > 100 => Ok(tps),
            Some(_) | None => Err("pgbench's moves changed nothing".into()),
        }
    }

    /// Bare reads of a game's row per second.
    pub(super) async fn views(&self, clients: usize, time: Duration) -> Result<f64, CliError> {
        self.run("views.sql", clients, time).await
    }

    async fn run(&self, script: &str, clients: usize, time: Duration) -> Result<f64, CliError> {
        let output = Command::new(program("pgbench")?)
            .args(["-n", "-M", "prepared", "-j", "2", "-c", &clients.to_string()])
            .args(["-T", &time.as_secs().to_string(), "-D", "v=1", "-f"])
            .arg(self.directory.join(script))
            .args(["-U", SERVING, "-h"])
            .arg(&self.host)
            .arg(DATABASE)
            .output()
            .await?;
        let text = String::from_utf8(output.stdout)?;
        let tps = text.lines().find_map(|line| line.strip_prefix("tps = ")?.split(' ').next()?.parse().ok());
        tps.ok_or_else(|| format!("pgbench: {text}{}", String::from_utf8_lossy(&output.stderr)).into())
    }

    async fn make_rows(&self, sample: &GameRow, clients: usize) -> Result<(), CliError> {
        let (id, sample) = (sql_id("i"), sample.id);
        let clients = format!("generate_series({}, {}) AS i", self.first, self.first + clients.saturating_sub(1));
        let sql = format!(
            "BEGIN;
             INSERT INTO accounts (id, name, name_key, locale, status, created_at)
               SELECT {id}, 'pgbench ' || i, 'pgbench ' || i, 'ja', 'active', now() FROM {clients};
             INSERT INTO token_families (id, account_id, created_at) SELECT {id}, {id}, now() FROM {clients};
             INSERT INTO games (id, version, head, server_seed, snapshot, status, visibility, start, players, open_seats,
                                decider, creator, created_at, updated_at)
               SELECT {id}, 1, head, server_seed, snapshot, status, visibility, start, players, open_seats, decider, creator,
                      created_at, updated_at
               FROM games, {clients} WHERE id = '{sample}';
             INSERT INTO seats (game_id, seat, account_id) SELECT {id}, 0, {id} FROM {clients};
             COMMIT;
             VACUUM ANALYZE accounts, games, seats, game_events, requests;"
        );
        let script = self.directory.join("rows.sql");
        std::fs::write(&script, sql)?;
        let status = Command::new(program("psql")?)
            .args(["-q", "-v", "ON_ERROR_STOP=1", "-U", OWNER, "-h"])
            .arg(&self.host)
            .arg("-f")
            .arg(script)
            .arg(DATABASE)
            .stdout(Stdio::null())
            .status()
            .await?;
        if status.success() { Ok(()) } else { Err("the rows for pgbench could not be made".into()) }
    }
}

impl Drop for Yardstick {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}

/// pgbench's script of one move: what the server would send for the first move of the sample game. The version starts where
/// the last run of the script ended.
fn moves(store: &Store, tables: &Tables, sample: &GameRow, id: &str) -> Result<String, CliError> {
    let state = Snapshot::read(&sample.snapshot, sample.id.bytes(), sample.version).ok_or("an unknown snapshot")?;
    let Decision { seat, .. } = state.decision().ok_or("the game has ended")?;
    let mut draws = FairDraws::of_game(&sample.server_seed, sample.id.bytes(), state.entropy());
    let action = state.legal_moves(seat).pop().ok_or("there is no move")?;
    let mut events = state.decide(&EngineCommand::Act { seat, action }, &mut draws)?;
    // A game has 3.4 events a move: three of its beginning stand for them.
    let first = events.first().cloned().ok_or("a move without an event")?;
    events.resize(3, first);
    let head = Head { hash: Bytes32(sample.head), version: sample.version };
    let mut sealer = Sealer::new(&sample.server_seed, head);
    let sealed: Result<Vec<_>, _> =
        events.iter().map(|event| sealer.seal(event, Cause::Seat(seat), sample.updated_at)).collect();
    let lines: Vec<NewEvent> =
        sealed?.into_iter().map(|line| NewEvent { line: line.text, secret: line.secret, hash: line.hash.0 }).collect();
    let request =
        NewRequest { account: tables.first_account()?, key: "key", fingerprint: [7; 32], seat: Some(seat.number()) };
    let change = Change {
        events: &lines,
        snapshot: &sample.snapshot,
        status: GameStatus::Running,
        open_seats: 0,
        decider: Some(0),
        bots: 0,
        wake_at: None,
        at: sample.updated_at,
        request: Some(request),
        seats: Vec::new(),
    };
    let key = "('k' || :client_id::text || '-' || :v::text)";
    let read = filled(&store.read_sql(), &[id, id, id, id, id, id, key]);
    let write = filled(&store.write_sql(sample.id, &change)?, &literals(&change, id, key));
    Ok(format!("{read};\n{write};\n\\set v :v + {}\n", lines.len()))
}

/// The values of the writing statement, in its order, as SQL.
fn literals(change: &Change<'_>, id: &str, key: &str) -> Vec<String> {
    let bytes = |bytes: &[u8]| format!("'\\x{}'::bytea", hex::encode(bytes));
    let quoted = |text: &str| format!("'{}'", text.replace('\'', "''"));
    let array = |items: Vec<String>, kind: &str| format!("ARRAY[{}]::{kind}[]", items.join(", "));
    let at = format!("'{}'::timestamptz", change.at.to_rfc3339_opts(SecondsFormat::Millis, true));
    let last = change.events.last().map(|event| event.hash).unwrap_or_default();
    let count = change.events.len();
    let secret = |event: &NewEvent| event.secret.as_deref().map_or("NULL".to_owned(), quoted);
    vec![
        format!("(:v::bigint + {count})"),
        bytes(&last),
        bytes(change.snapshot),
        "'running'::text".into(),
        "0::smallint".into(),
        "0::smallint".into(),
        "NULL::timestamptz".into(),
        at.clone(),
        id.into(),
        ":v::bigint".into(),
        ":v::bigint".into(),
        array(change.events.iter().map(|event| quoted(&event.line)).collect(), "text"),
        array(change.events.iter().map(secret).collect(), "text"),
        array(change.events.iter().map(|event| bytes(&event.hash)).collect(), "bytea"),
        id.into(),
        key.into(),
        bytes(&[7; 32]),
        "0::smallint".into(),
        "(:v::bigint + 1)".into(),
        format!("(:v::bigint + {count})"),
        at,
    ]
}

/// The id of the game and the account of a number, as SQL.
fn sql_id(number: &str) -> String {
    format!("('01900000-0000-7000-8000-' || lpad({number}::text, 12, '0'))::uuid")
}

/// A statement with its numbered parameters replaced, on one line.
fn filled(sql: &str, values: &[impl AsRef<str>]) -> String {
    let mut filled = sql.replace('\n', " ");
    for (place, value) in values.iter().enumerate().rev() {
        filled = filled.replace(&format!("${}", place + 1), value.as_ref());
    }
    filled
}

/// A program of PostgreSQL: the one in the path, else that of the newest version that is installed.
fn program(name: &str) -> Result<PathBuf, CliError> {
    let in_path = std::env::var_os("PATH")
        .into_iter()
        .flat_map(|path| std::env::split_paths(&path).map(|directory| directory.join(name)).collect::<Vec<_>>());
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut installed: Vec<PathBuf> = versions.map(|version| version.path().join("bin").join(name)).collect();
    installed.sort();
    in_path
        .chain(installed.into_iter().rev())
        .find(|path| Path::is_file(path))
        .ok_or_else(|| format!("{name} is not installed").into())
}
