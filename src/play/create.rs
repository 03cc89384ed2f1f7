//! New games: set up, with bots at them if they are wanted, and begun at once if nobody is missing.

use std::sync::Arc;

use super::change::{COLLISIONS, MOST_GAMES_OF_BOTS, Sealed, event_time};
use super::error::PlayError;
use super::plan::Plan;
use super::table::{check_account, no_game};
use super::{Accepted, Caller, Play, fingerprint};
use crate::engine::{BotLevel, CardSet, Command, NewTable, Options, Seat, StartMode, seed_commitment};
use crate::ids::GameId;
use crate::log::{Cause, Head};
use crate::store::{Constraint, NewGame, RequestRow, StartRule, StoreError, Visibility};

/// How many tables that have not begun an account may have made; the database counts them.
const MOST_OPEN_TABLES: u32 = 50;
/// The word of [`Play::create`] in the metrics.
const CREATE: &str = "create";

/// A request for a new game.
#[derive(Clone, Debug)]
pub struct NewGameAsk {
    /// The number of players, 3 to 5.
    pub players: u8,
    /// Who may know of it.
    pub visibility: Visibility,
    /// The options.
    pub options: Options,
    /// The card set (R1.6).
    pub card_set: Arc<CardSet>,
    /// What starts it.
    pub start: StartMode,
    /// Whether the creator sits down at once.
    pub sits: bool,
    /// Where bots sit down at once, by seat; none in the creator's, seat 0.
    pub bots: Vec<(Seat, BotLevel)>,
    /// Whether its players may ask for hints.
    pub hints: bool,
}

impl Play {
    /// Sets up a new game, at which the creator sits unless he does not want to.
    ///
    /// # Errors
    /// [`PlayError`], [`PlayError::TooManyTables`] if he has made enough that have not begun; nothing was changed but, perhaps, with `OutcomeUnknown`.
    pub async fn create(&self, caller: Caller, ask: NewGameAsk) -> Result<Accepted, PlayError> {
        let fingerprint = fingerprint::of_new_game(&ask);
        ask.card_set.check(ask.players, ask.options.opening_hand)?;
        for _ in 0..COLLISIONS {
            match self.create_once(&caller, &ask, fingerprint).await {
                // The next read says why the account does not stand.
                Err(PlayError::Store(
                    StoreError::Conflict { .. }
                    | StoreError::Constraint(Constraint::GameCreatorStands | Constraint::SeatAccountStands),
                )) => {}
                done => return done,
            }
        }
        self.create_once(&caller, &ask, fingerprint).await
    }

    async fn create_once(
        &self,
        caller: &Caller,
        ask: &NewGameAsk,
        fingerprint: [u8; 32],
    ) -> Result<Accepted, PlayError> {
        let found = self.reads.read(caller.bearer(), no_game(), Some(&caller.key)).await?;
        check_account(found.account)?;
        if let Some(request) = &found.request {
            return self.answer_creation_again(caller, request, fingerprint).await;
        }
        let server_seed = (self.fresh_seed)();
        let id = GameId::fresh();
        let plan = new_game(id, &server_seed, caller, ask)?;
        let game = NewGame {
            id,
            server_seed,
            visibility: ask.visibility,
            start: start_rule(ask.start),
            players: ask.players,
            creator: caller.account,
            hints: ask.hints,
            imported: None,
        };
        let sealed = Sealed::new(CREATE, &server_seed, Head::EMPTY, plan, event_time(found.now))?;
        match self.write(Some((caller, fingerprint)), id, None, Some(game), sealed).await {
            Ok(Some(accepted)) => Ok(accepted),
            Ok(None) => Err(PlayError::Crowded),
            // Too many there may be by now because the same request was faster.
            Err(StoreError::Constraint(
                constraint @ (Constraint::RequestKey
                | Constraint::GameOpenPerCreator
                | Constraint::GamesOfBotsPerCreator),
            )) => {
                let again = self.reads.read(caller.bearer(), no_game(), Some(&caller.key)).await?;
                match &again.request {
                    Some(request) => self.answer_creation_again(caller, request, fingerprint).await,
                    None if constraint == Constraint::RequestKey => Err(PlayError::Crowded),
                    None if constraint == Constraint::GameOpenPerCreator => {
                        Err(PlayError::TooManyTables { most: MOST_OPEN_TABLES })
                    }
                    None => Err(PlayError::TooManyGamesOfBots { most: MOST_GAMES_OF_BOTS }),
                }
            }
            Err(StoreError::Lost { .. }) => {
                let again = self.reads.read(caller.bearer(), no_game(), Some(&caller.key)).await;
                match again.map(|found| found.request) {
                    Ok(Some(request)) => self.answer_creation_again(caller, &request, fingerprint).await,
                    Ok(None) | Err(_) => Err(PlayError::OutcomeUnknown),
                }
            }
            Err(error) => Err(error.into()),
        }
    }

    async fn answer_creation_again(
        &self,
        caller: &Caller,
        request: &RequestRow,
        fingerprint: [u8; 32],
    ) -> Result<Accepted, PlayError> {
        let found = self.reads.read(caller.bearer(), request.game, None).await?;
        let row = found.game.ok_or(PlayError::NoSuchGame)?;
        let answer = self.answer_again(request, fingerprint, &row).await?;
        self.counts.replayed(CREATE);
        Ok(answer)
    }
}

/// The events of a new game.
fn new_game(id: GameId, server_seed: &[u8; 32], caller: &Caller, ask: &NewGameAsk) -> Result<Plan, PlayError> {
    let mut plan = Plan::new();
    let table = NewTable {
        game_id: id.uuid(),
        seed_commitment: seed_commitment(server_seed),
        players: ask.players,
        options: ask.options,
        start: ask.start,
        card_set: ask.card_set.clone(),
        ..NewTable::default()
    };
    plan.without_draws(Cause::Table, &Command::Create(table))?;
    let seat = ask.sits.then(|| plan.seat_wanted(None));
    if let Some(seat) = seat {
        plan.sit_down(Cause::Table, seat, caller.account, server_seed, None)?;
    }
    for (bot, level) in &ask.bots {
        plan.seat_bot(*bot, *level)?;
    }
    if let Some((last, _)) = ask.bots.last() {
        plan.start_if_full(Cause::Bot(*last), id, server_seed)?;
    }
    Ok(plan.answering(seat))
}

const fn start_rule(start: StartMode) -> StartRule {
    match start {
        StartMode::Full => StartRule::Full,
        StartMode::Creator => StartRule::Creator,
    }
}
