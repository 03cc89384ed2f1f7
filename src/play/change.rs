//! One change of a game: read, decide, write; and the answer, which can be given again under the same key.

use chrono::{DateTime, DurationRound, TimeDelta, Utc};

use super::error::PlayError;
use super::plan::Plan;
use super::submit::Action;
use super::table::{Table, known_game, lines, state_at, viewer};
use super::{Accepted, Caller, Play, fingerprint};
use crate::engine::{Fact, Seat, State, Status, View};
use crate::ids::GameId;
use crate::log::{Head, Line, ProofKey, Receipt, Sealer, Snapshot, told};
use crate::store::{
    Change, Constraint, Found, GameRow, GameStatus, NewEvent, NewGame, NewRequest, Outcome, RequestRow, SeatChange,
    StoreError,
};
use crate::telemetry::metrics::Clash;

/// How often a change is tried anew when others were faster.
pub(super) const ATTEMPTS: usize = 5;
/// How often a statement is tried again that collided with another.
pub(super) const COLLISIONS: usize = 3;

/// How many games with bots an account may have made that have not ended; the database counts them.
pub(super) const MOST_GAMES_OF_BOTS: u32 = 50;

/// What somebody asks of a game.
#[derive(Clone, Debug)]
pub struct Ask {
    /// Who.
    pub caller: Caller,
    /// Of which game.
    pub game: GameId,
    /// What.
    pub action: Action,
}

/// A plan as it goes to disk.
pub(super) struct Sealed {
    /// What it is, in a word for the metrics.
    action: &'static str,
    lines: Vec<Line>,
    head: Head,
    state: State,
    at: DateTime<Utc>,
    seat: Option<Seat>,
    seats: Vec<SeatChange>,
}

impl Play {
    /// Changes a game; the same request under the same key gets the same answer and changes nothing more.
    ///
    /// # Errors
    /// [`PlayError`]; nothing was changed but, perhaps, with `OutcomeUnknown`.
    pub async fn change(&self, ask: Ask) -> Result<Accepted, PlayError> {
        let fingerprint = fingerprint::of_action(ask.game, &ask.action);
        let mut collisions = 0;
        for _ in 0..ATTEMPTS + COLLISIONS {
            let mut found = self.reads.read(ask.caller.bearer(), ask.game, Some(&ask.caller.key)).await?;
            let invite = self.invite_of(&ask, &found).await?;
            let row = known_game(&mut found, ask.caller.account, invite.tells_of_the_game())?;
            if let Some(request) = &found.request {
                let answer = self.answer_again(request, fingerprint, &row).await?;
                self.counts.replayed(ask.action.word());
                return Ok(answer);
            }
            invite.check()?;
            let table = Table::load(&self.reads, row, found.seat).await?;
            let plan = ask.action.plan(&table, ask.caller.account)?;
            let at = event_time(found.now).max(table.row.updated_at);
            let sealed = Sealed::new(ask.action.word(), &table.row.server_seed, table.head(), plan, at)?;
            match self.write(Some((&ask.caller, fingerprint)), ask.game, Some(table.row.version), None, sealed).await {
                Ok(Some(accepted)) => return Ok(accepted),
                Ok(None) => {}
                Err(StoreError::Constraint(Constraint::GamesOfBotsPerCreator)) => {
                    return Err(PlayError::TooManyGamesOfBots { most: MOST_GAMES_OF_BOTS });
                }
                Err(StoreError::Constraint(
                    Constraint::RequestKey
                    | Constraint::SeatTaken
                    | Constraint::SeatedTwice
                    | Constraint::SeatAccountStands,
                )) => {}
                Err(StoreError::Conflict { .. }) if collisions < COLLISIONS => collisions += 1,
                Err(StoreError::Lost { .. }) => return self.after_a_lost_write(&ask, fingerprint).await,
                Err(error) => return Err(error.into()),
            }
        }
        Err(PlayError::Crowded)
    }

    /// Writes in a task of its own, so that a caller who hangs up stops nothing. None if the game has gone on.
    /// What a clock causes nobody has asked for.
    pub(super) async fn write(
        &self,
        asked: Option<(&Caller, [u8; 32])>,
        game: GameId,
        expected: Option<u64>,
        new_game: Option<NewGame>,
        sealed: Sealed,
    ) -> Result<Option<Accepted>, StoreError> {
        let (store, counts, proof) = (self.store.clone(), self.counts.clone(), self.proof.clone());
        let bots = self.bots.clone();
        let asked = asked.map(|(caller, fingerprint)| (caller.clone(), fingerprint));
        let writing = async move {
            let events: Vec<NewEvent> = sealed.lines.iter().map(new_event).collect();
            let snapshot = Snapshot::to_bytes(game.bytes(), sealed.head.version, &sealed.state);
            let change = Change {
                events: &events,
                snapshot: &snapshot,
                status: game_status(sealed.state.status()),
                open_seats: sealed.state.open_seats(),
                bots: sealed.state.bots(),
                decider: sealed.state.decision().map(|decision| decision.seat.number()),
                wake_at: bots.wake_at(&sealed.state, sealed.at),
                at: sealed.at,
                request: asked.as_ref().map(|(caller, fingerprint)| NewRequest {
                    account: caller.account,
                    key: &caller.key,
                    fingerprint: *fingerprint,
                    seat: sealed.seat.map(Seat::number),
                }),
                seats: sealed.seats.clone(),
            };
            let outcome = match (&new_game, expected) {
                (Some(new_game), _) => store.create(new_game, &change).await.map(|()| Outcome::Written)?,
                (None, expected) => store.write(game, expected.unwrap_or(0), &change).await?,
            };
            match outcome {
                Outcome::Written => {
                    counts.written(sealed.action, sealed.lines.len());
                    if change.wake_at.is_some() {
                        bots.turn_has_begun();
                    }
                    sealed.accepted(&proof, game).map(Some)
                }
                Outcome::Stale => Ok(None),
            }
        };
        let done = match self.writes.spawn_on(writing, &self.runtime).await {
            Ok(done) => done,
            Err(error) => Err(StoreError::Lost { reason: error.to_string() }),
        };
        match &done {
            // Of games that nobody played, only those are reviewed that somebody asks about.
            Ok(Some(accepted)) if accepted.view.status == Status::Ended && has_people(&accepted.view) => {
                self.want_review(game);
            }
            Ok(Some(_)) => {}
            Ok(None) | Err(StoreError::Constraint(_)) => self.counts.clashed(Clash::Overtaken),
            Err(StoreError::Conflict { .. }) => self.counts.clashed(Clash::Serialization),
            Err(StoreError::Lost { .. }) => self.counts.clashed(Clash::ConnectionLost),
            Err(_) => {}
        }
        done
    }

    /// The connection broke after the write was sent: what does another one say?
    async fn after_a_lost_write(&self, ask: &Ask, fingerprint: [u8; 32]) -> Result<Accepted, PlayError> {
        let found = self.reads.read(ask.caller.bearer(), ask.game, Some(&ask.caller.key)).await;
        let Ok(Found { game: Some(row), request: Some(request), .. }) = found else {
            return Err(PlayError::OutcomeUnknown);
        };
        self.answer_again(&request, fingerprint, &row).await
    }

    /// The answer to an accepted request, made anew from the log.
    pub(super) async fn answer_again(
        &self,
        request: &RequestRow,
        fingerprint: [u8; 32],
        row: &GameRow,
    ) -> Result<Accepted, PlayError> {
        if request.fingerprint != fingerprint || request.game != row.id {
            return Err(PlayError::KeyReused);
        }
        let lines = lines(&self.reads, row, request.first_seq, request.last_seq).await?;
        let hash = lines.last().map(|line| line.hash).unwrap_or_default();
        let state = state_at(&self.reads, row, request.last_seq).await?;
        let head = Head { hash, version: request.last_seq };
        Ok(answer(&self.proof, row.id, head, &lines, &state, request.seat.and_then(Seat::new))?)
    }
}

impl Sealed {
    pub(super) fn new(
        action: &'static str,
        server_seed: &[u8; 32],
        head: Head,
        plan: Plan,
        at: DateTime<Utc>,
    ) -> Result<Self, PlayError> {
        let Plan { steps, state, seat, seats } = plan;
        let mut sealer = Sealer::new(server_seed, head);
        let events = steps.iter().flat_map(|(cause, events)| events.iter().map(|event| (*cause, event)));
        let lines: Result<_, _> = events.map(|(cause, event)| sealer.seal(event, cause, at)).collect();
        Ok(Self { action, lines: lines?, head: sealer.head(), state, at, seat, seats })
    }

    fn accepted(&self, proof: &ProofKey, game: GameId) -> Result<Accepted, StoreError> {
        answer(proof, game, self.head, &self.lines, &self.state, self.seat)
            .map_err(|error| StoreError::Corrupt { what: error.to_string() })
    }
}

fn answer(
    proof: &ProofKey,
    game: GameId,
    head: Head,
    lines: &[Line],
    state: &State,
    seat: Option<Seat>,
) -> Result<Accepted, crate::log::LogError> {
    let viewer = viewer(seat);
    let events: Result<_, _> = lines.iter().map(|line| told(line, viewer, state.status())).collect();
    let receipt = match seat {
        Some(seat) => receipt(proof, game, lines, seat)?,
        None => None,
    };
    Ok(Accepted { game, head, events: events?, view: state.view(viewer), receipt })
}

/// For him who sat down by these lines: a seat is taken by the first event, or by the second of a new table.
fn receipt(
    proof: &ProofKey,
    game: GameId,
    lines: &[Line],
    seat: Seat,
) -> Result<Option<Receipt>, crate::log::LogError> {
    for line in lines.iter().take(2) {
        match line.fact()? {
            Fact::SeatTaken(taken) if taken.seat == seat => {
                return Ok(Some(proof.receipt(game.uuid(), seat, line.seq, line.hash)));
            }
            Fact::TableCreated(_) => {}
            _ => break,
        }
    }
    Ok(None)
}

fn has_people(view: &View) -> bool {
    view.seats.iter().any(|seat| seat.taken && seat.bot.is_none())
}

/// Times in the log have three decimals.
pub(super) fn event_time(now: DateTime<Utc>) -> DateTime<Utc> {
    now.duration_trunc(TimeDelta::milliseconds(1)).unwrap_or(now)
}

fn new_event(line: &Line) -> NewEvent {
    NewEvent { line: line.text.clone(), secret: line.secret.clone(), hash: line.hash.0 }
}

const fn game_status(status: Status) -> GameStatus {
    match status {
        Status::Open => GameStatus::Open,
        Status::Running => GameStatus::Running,
        Status::Ended => GameStatus::Ended,
        Status::Closed => GameStatus::Closed,
    }
}
