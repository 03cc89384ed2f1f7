//! The text of the one writing statement, and its values in PostgreSQL's types.
//!
//! Its text depends on whether the game is new, whether there is a request, and which seats change; it has no static
//! query id, so diesel keeps each of the few texts as a prepared statement of its own. The events come in arrays, so that one
//! plan does for any number of them.

use chrono::{DateTime, Utc};
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::sql_types::{Array, BigInt, Binary, Bool, Nullable, SmallInt, Text, Timestamptz, Uuid};

use super::write::{Change, NewGame, NewRequest, SeatChange};
use super::{BotLevel, StoreError, bigint};
use crate::ids::GameId;

/// Pushes SQL and bound values in the order they are written down.
macro_rules! push {
    ($out:expr; $($sql:literal $(, $type:ty = $value:expr)?;)*) => {{
        $($out.push_sql($sql); $($out.push_bind_param::<$type, _>($value)?;)?)*
    }};
}

pub(super) struct Statement<'a> {
    game: uuid::Uuid,
    expected: i64,
    version: i64,
    first: i64,
    head: &'a [u8; 32],
    lines: Vec<&'a str>,
    secrets: Vec<Option<&'a str>>,
    hashes: Vec<&'a [u8; 32]>,
    open_seats: i16,
    bots: i16,
    decider: Option<i16>,
    change: &'a Change<'a>,
    new: Option<Creation<'a>>,
    request: Option<Request<'a>>,
    seats: Vec<Seat>,
}

struct Creation<'a> {
    game: &'a NewGame,
    players: i16,
    creator: uuid::Uuid,
    created_at: &'a DateTime<Utc>,
    imported: Option<&'a [u8]>,
}

struct Request<'a> {
    request: &'a NewRequest<'a>,
    account: uuid::Uuid,
    seat: Option<i16>,
}

struct Seat {
    seat: i16,
    change: Occupation,
}

enum Occupation {
    Take(uuid::Uuid),
    Place(BotLevel),
    HandOver(BotLevel),
    Leave,
}

impl<'a> Statement<'a> {
    /// Of a game at the `expected` version, or of a `new` one.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] if there is no event.
    pub(super) fn new(
        game: GameId,
        expected: u64,
        new: Option<&'a NewGame>,
        change: &'a Change<'a>,
    ) -> Result<Self, StoreError> {
        let Some(last) = change.events.last() else {
            return Err(StoreError::Corrupt { what: format!("a change of game {game} without an event") });
        };
        let expected = bigint(expected);
        let count = i64::try_from(change.events.len()).unwrap_or(i64::MAX);
        Ok(Self {
            game: game.uuid(),
            expected,
            version: expected.saturating_add(count),
            first: expected.saturating_add(1),
            head: &last.hash,
            lines: change.events.iter().map(|event| event.line.as_str()).collect(),
            secrets: change.events.iter().map(|event| event.secret.as_deref()).collect(),
            hashes: change.events.iter().map(|event| &event.hash).collect(),
            open_seats: i16::from(change.open_seats),
            bots: i16::from(change.bots),
            decider: change.decider.map(i16::from),
            change,
            new: new.map(|game| Creation {
                game,
                players: i16::from(game.players),
                creator: game.creator.uuid(),
                created_at: game.imported.as_ref().map_or(&change.at, |import| &import.created_at),
                imported: game.imported.as_ref().map(|import| import.proof.as_slice()),
            }),
            request: change.request.as_ref().map(|request| Request {
                request,
                account: request.account.uuid(),
                seat: request.seat.map(i16::from),
            }),
            seats: change.seats.iter().map(Seat::new).collect(),
        })
    }

    fn push_update<'b>(&'b self, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        push!(out;
            "UPDATE games SET version = ", BigInt = &self.version;
            ", head = ", Binary = self.head;
            ", snapshot = ", Binary = self.change.snapshot;
            ", status = ", Text = &self.change.status;
            ", open_seats = ", SmallInt = &self.open_seats;
            ", bots = ", SmallInt = &self.bots;
            ", decider = ", Nullable<SmallInt> = &self.decider;
            ", wake_at = ", Nullable<Timestamptz> = &self.change.wake_at;
            ", leased_until = NULL, updated_at = ", Timestamptz = &self.change.at;
            " WHERE id = ", Uuid = &self.game;
            " AND version = ", BigInt = &self.expected;
            " RETURNING id";
        );
        Ok(())
    }

    fn push_creation<'b>(&'b self, new: &'b Creation<'_>, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        push!(out;
            "INSERT INTO games (id, version, head, server_seed, snapshot, status, visibility, start, players, open_seats, \
             bots, decider, creator, created_at, updated_at, wake_at, hints, imported) VALUES (", Uuid = &self.game;
            ", ", BigInt = &self.version;
            ", ", Binary = self.head;
            ", ", Binary = &new.game.server_seed;
            ", ", Binary = self.change.snapshot;
            ", ", Text = &self.change.status;
            ", ", Text = &new.game.visibility;
            ", ", Text = &new.game.start;
            ", ", SmallInt = &new.players;
            ", ", SmallInt = &self.open_seats;
            ", ", SmallInt = &self.bots;
            ", ", Nullable<SmallInt> = &self.decider;
            ", ", Uuid = &new.creator;
            ", ", Timestamptz = new.created_at;
            ", ", Timestamptz = &self.change.at;
            ", ", Nullable<Timestamptz> = &self.change.wake_at;
            ", ", Bool = &new.game.hints;
            ", ", Nullable<Binary> = &new.imported;
            ") RETURNING id";
        );
        Ok(())
    }

    fn push_events<'b>(&'b self, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        push!(out;
            ", e AS (INSERT INTO game_events (game_id, seq, line, secret, hash) \
             SELECT g.id, ", BigInt = &self.expected;
            " + u.place, u.line, u.secret, u.hash FROM g CROSS JOIN unnest(", Array<Text> = &self.lines;
            ", ", Array<Nullable<Text>> = &self.secrets;
            ", ", Array<Binary> = &self.hashes;
            ") WITH ORDINALITY AS u (line, secret, hash, place))";
        );
        Ok(())
    }

    fn push_request<'b>(&'b self, request: &'b Request<'_>, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        push!(out;
            ", r AS (INSERT INTO requests (account_id, key, fingerprint, game_id, seat, first_seq, last_seq, created_at) \
             SELECT ", Uuid = &request.account;
            ", ", Text = request.request.key;
            ", ", Binary = &request.request.fingerprint;
            ", g.id, ", Nullable<SmallInt> = &request.seat;
            ", ", BigInt = &self.first;
            ", ", BigInt = &self.version;
            ", ", Timestamptz = &self.change.at;
            " FROM g)";
        );
        Ok(())
    }
}

impl Seat {
    fn new(change: &SeatChange) -> Self {
        let (seat, change) = match *change {
            SeatChange::Take { seat, account } => (seat, Occupation::Take(account.uuid())),
            SeatChange::Place { seat, bot } => (seat, Occupation::Place(bot)),
            SeatChange::HandOver { seat, bot } => (seat, Occupation::HandOver(bot)),
            SeatChange::Leave { seat } => (seat, Occupation::Leave),
        };
        Self { seat: i16::from(seat), change }
    }

    fn push<'b>(&'b self, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        match &self.change {
            Occupation::Take(account) => push!(out;
                "INSERT INTO seats (game_id, seat, account_id) SELECT g.id, ", SmallInt = &self.seat;
                ", ", Uuid = account;
                " FROM g";
            ),
            Occupation::Place(bot) => push!(out;
                "INSERT INTO seats (game_id, seat, bot) SELECT g.id, ", SmallInt = &self.seat;
                ", ", Text = bot;
                " FROM g";
            ),
            Occupation::HandOver(bot) => push!(out;
                "UPDATE seats SET account_id = NULL, bot = ", Text = bot;
                " FROM g WHERE seats.game_id = g.id AND seats.seat = ", SmallInt = &self.seat;
            ),
            Occupation::Leave => push!(out;
                "DELETE FROM seats USING g WHERE seats.game_id = g.id AND seats.seat = ", SmallInt = &self.seat;
            ),
        }
        Ok(())
    }
}

impl Query for Statement<'_> {
    /// How many games were written: one or none.
    type SqlType = BigInt;
}

impl QueryId for Statement<'_> {
    type QueryId = ();

    const HAS_STATIC_QUERY_ID: bool = false;
}

impl QueryFragment<Pg> for Statement<'_> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql("WITH g AS (");
        match &self.new {
            Some(new) => self.push_creation(new, &mut out)?,
            None => self.push_update(&mut out)?,
        }
        out.push_sql(")");
        self.push_events(&mut out)?;
        if let Some(request) = &self.request {
            self.push_request(request, &mut out)?;
        }
        for (number, seat) in self.seats.iter().enumerate() {
            // Each has a name of its own.
            out.push_sql(&format!(", s{number} AS ("));
            seat.push(&mut out)?;
            out.push_sql(")");
        }
        out.push_sql(" SELECT count(*) FROM g");
        Ok(())
    }
}
