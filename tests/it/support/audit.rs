//! A game's log read straight from the database, and held against everything else that is stored of the game.

use diesel::QueryableByName;
use diesel::sql_types::{BigInt, Bool, Bytea, Nullable, SmallInt, Text};
use diesel_async::RunQueryDsl;
use fereta::engine::{Bytes32, Event, Seat, State, Status, check_history};
use fereta::log::{Head, Line, Snapshot};

use super::Database;
use super::database::OWNER;

#[derive(QueryableByName)]
struct LineRow {
    #[diesel(sql_type = BigInt)]
    seq: i64,
    #[diesel(sql_type = Text)]
    line: String,
    #[diesel(sql_type = Nullable<Text>)]
    secret: Option<String>,
    #[diesel(sql_type = Bytea)]
    hash: Vec<u8>,
}

#[derive(QueryableByName)]
struct GameRow {
    #[diesel(sql_type = BigInt)]
    version: i64,
    #[diesel(sql_type = Bytea)]
    head: Vec<u8>,
    #[diesel(sql_type = Bytea)]
    snapshot: Vec<u8>,
    #[diesel(sql_type = Text)]
    status: String,
    #[diesel(sql_type = SmallInt)]
    open_seats: i16,
    #[diesel(sql_type = Nullable<SmallInt>)]
    decider: Option<i16>,
    #[diesel(sql_type = Bool)]
    wakes: bool,
}

#[derive(QueryableByName)]
struct SeatRow {
    #[diesel(sql_type = SmallInt)]
    seat: i16,
    #[diesel(sql_type = Nullable<Text>)]
    bot: Option<String>,
}

#[derive(QueryableByName)]
struct RequestRow {
    #[diesel(sql_type = BigInt)]
    first_seq: i64,
    #[diesel(sql_type = BigInt)]
    last_seq: i64,
}

impl Database {
    /// The lines of a game's log.
    pub(crate) async fn log(&self, game: &str) -> Vec<Line> {
        let sql = format!("SELECT seq, line, secret, hash FROM game_events WHERE game_id = '{game}' ORDER BY seq");
        let rows: Vec<LineRow> = diesel::sql_query(sql).load(&mut self.connection(OWNER).await).await.unwrap();
        let line = |row: LineRow| Line {
            seq: row.seq.try_into().unwrap(),
            text: row.line,
            secret: row.secret,
            hash: Bytes32(row.hash.try_into().unwrap()),
        };
        rows.into_iter().map(line).collect()
    }

    /// Everything that is stored of a game is whole and agrees: the log has no gap and its chain holds, every event follows by
    /// the rules and none is missing at the end, row, snapshot, seats and requests say what the log says.
    pub(crate) async fn audit(&self, game: &str) -> State {
        let lines = self.log(game).await;
        let mut before = Head::EMPTY.hash;
        for (place, line) in (1..).zip(&lines) {
            assert_eq!(line.seq, place, "{game}: a gap in the log");
            assert!(line.follows(before), "{game}: the chain breaks at {place}");
            before = line.hash;
        }
        let events: Vec<Event> = lines.iter().map(|line| line.open().unwrap()).collect();
        let state = check_history(&events).unwrap_or_else(|fault| panic!("{game}: {fault}"));
        assert_eq!(state, State::fold(&events));

        let connection = &mut self.connection(OWNER).await;
        let row: GameRow =
            diesel::sql_query(format!("SELECT *, wake_at IS NOT NULL AS wakes FROM games WHERE id = '{game}'"))
                .get_result(connection)
                .await
                .unwrap();
        assert_eq!(row.version, lines.len() as i64, "{game}: the row is not at the end of the log");
        assert_eq!(row.head, before.0, "{game}: the row names another head");
        let snapshot =
            Snapshot::read(&row.snapshot, uuid::Uuid::parse_str(game).unwrap().as_bytes(), lines.len() as u64);
        assert!(snapshot.as_ref() == Some(&state), "{game}: the snapshot is another table");
        let status = match state.status() {
            Status::Open => "open",
            Status::Running => "running",
            Status::Ended => "ended",
            Status::Closed => "closed",
        };
        assert_eq!((row.status.as_str(), row.open_seats), (status, i16::from(state.open_seats())));
        assert_eq!(row.decider, state.decision().map(|decision| decision.seat.number().into()));

        let seats: Vec<SeatRow> =
            diesel::sql_query(format!("SELECT seat, bot FROM seats WHERE game_id = '{game}' ORDER BY seat"))
                .load(connection)
                .await
                .unwrap();
        let taken: Vec<(i16, Option<String>)> = (0..state.players())
            .filter_map(Seat::new)
            .filter(|seat| state.is_taken(*seat))
            .map(|seat| (seat.number().into(), state.bot(seat).map(|level| level.word().to_owned())))
            .collect();
        let seats: Vec<_> = seats.into_iter().map(|row| (row.seat, row.bot)).collect();
        assert_eq!(seats, taken, "{game}: others sit there");
        let waits_for_a_bot = state.decision().is_some_and(|decision| state.bot(decision.seat).is_some());
        assert_eq!(row.wakes, waits_for_a_bot, "{game}: it waits for a bot, or does not");
        let sql = format!("SELECT first_seq, last_seq FROM requests WHERE game_id = '{game}' ORDER BY first_seq");
        let requests: Vec<RequestRow> = diesel::sql_query(sql).load(connection).await.unwrap();
        let mut next = 1;
        // What the clock or a bot did of itself.
        let of_itself = |seq: i64| {
            let line = seq.try_into().ok().and_then(|seq: usize| lines.get(seq.checked_sub(1)?));
            line.is_some_and(|line| {
                [r#""cause":"clock""#, r#""cause":{"bot""#].iter().any(|cause| line.text.contains(cause))
            })
        };
        for request in requests {
            while next < request.first_seq && of_itself(next) {
                next += 1;
            }
            assert_eq!(request.first_seq, next, "{game}: something was done twice, or by nobody");
            next = request.last_seq + 1;
        }
        while of_itself(next) {
            next += 1;
        }
        assert_eq!(next, row.version + 1, "{game}: events that nobody asked for");
        state
    }
}
