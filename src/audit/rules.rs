//! The game played again: every move legal, every consequence what the rules say, every draw what the seeds lead to.

use super::causes::Causes;
use super::chain::{Chain, Told};
use super::{Fault, GameResult};
use crate::engine::{
    self, Command, EntropySource, Event, Fact, FairDraws, FastDraws, Knowledge, RULES_WITH_BOTS, Referee, StartMode,
    Status, Step, Viewer,
};
use crate::log::described;

/// How often a history that a player cannot tell from the true one is looked for, before it is said that there is none.
const ATTEMPTS: u32 = 200;

/// What the game came to.
pub(super) struct Played {
    pub(super) status: Status,
    /// Of a game that has ended.
    pub(super) result: Option<GameResult>,
}

/// Plays the events of the chain again.
///
/// # Errors
/// The first event that does not follow.
pub(super) fn check(chain: &Chain, server_seed: Option<[u8; 32]>, runs: bool) -> Result<Played, Fault> {
    let viewer = match (chain.exporter(), server_seed) {
        (Ok(exporter), None) => exporter.map_or(Viewer::Spectator, Viewer::Seat),
        (Ok(exporter), Some(_)) if runs => exporter.map_or(Viewer::Spectator, Viewer::Seat),
        (Err(told_too_early), None) if runs => return Err(told_too_early),
        (Ok(_) | Err(_), seed) => return replay(chain, &chain.events, seed.as_ref()),
    };
    public_only(chain)?;
    let mut knowledge = Knowledge::new(viewer);
    for event in &chain.events {
        knowledge.observe(event.seen(viewer, Status::Running));
    }
    // What the exporter cannot see is filled in so that it fits: any world does, as the rules hold in all of them or in none.
    match knowledge.try_resample_history(&mut FastDraws::new(0), ATTEMPTS) {
        Ok(history) => replay(chain, &history, None),
        Err(possible) => {
            let before = knowledge.until(possible).try_resample_history(&mut FastDraws::new(0), ATTEMPTS);
            let before = before.map_or(Ok(()), |history| replay(chain, &history, None).map(drop));
            let seq = possible as u64 + 1;
            before.or_else(|fault| if fault.seq.is_some_and(|earlier| earlier < seq) { Err(fault) } else { Ok(()) })?;
            let message = "the game has not ended, and no cards were found with which it could have gone like this";
            Err(Fault::new(seq, "R3", message, "what can happen", "what cannot"))
        }
    }
}

fn replay(chain: &Chain, events: &[Event], server_seed: Option<&[u8; 32]>) -> Result<Played, Fault> {
    let mut referee = Referee::new(events);
    let mut causes = Causes::default();
    let mut draws = None;
    loop {
        let started = referee.state().status() != Status::Open;
        sits_down_whole(&referee, events, &chain.publics)?;
        let first = referee.played();
        let step = match (server_seed, chain.game_id()) {
            (Some(seed), Some(game)) => {
                let fair = || FairDraws::of_game(seed, game.as_bytes(), referee.state().entropy());
                let mut now = draws.take().filter(|_| started).unwrap_or_else(fair);
                let step = referee.step_with(&mut now);
                draws = started.then_some(now);
                step
            }
            (Some(_) | None, _) => referee.step(),
        };
        match step {
            Ok(Some(step)) => causes.check(&step, &chain.publics)?,
            Ok(None) => break,
            Err(fault) => {
                // What followed up to there can have had another cause.
                if let Some(command) = events.get(first).and_then(Command::behind) {
                    let step = Step { command, first: first + 1, last: fault.seq().saturating_sub(1) };
                    causes.check(&step, &chain.publics)?;
                }
                return Err(broken(&fault));
            }
        }
    }
    let result = events.iter().rev().find_map(|event| match &event.fact {
        Fact::GameEnded(ended) => Some(GameResult {
            scores: ended.scores.iter().map(|(_, score)| *score).collect(),
            ranks: ended.ranks.iter().map(|(_, rank)| *rank).collect(),
        }),
        _ => None,
    });
    Ok(Played { status: referee.state().status(), result })
}

/// What somebody else's events must not make us trip over: the first event sets up a table that the rules know.
fn public_only(chain: &Chain) -> Result<(), Fault> {
    let Some(first) = chain.events.get(..1.min(chain.events.len())) else { return Ok(()) };
    engine::check_history(first).map(drop).map_err(|fault| broken(&fault))
}

/// What belongs to a seat's being taken comes with it: which bot it is that sits down, and, if it is the last seat that starts the
/// game, the start.
fn sits_down_whole(referee: &Referee<'_>, events: &[Event], publics: &[Told]) -> Result<(), Fault> {
    let (state, seq) = (referee.state(), referee.played());
    let fault = |message: &str, expected: String, next: Option<&Event>| {
        let found = next.map_or_else(|| "the end of the events".to_owned(), described);
        Err(Fault::new(seq as u64 + 1, "F3", message, expected, found))
    };
    let (last, next) = (seq.checked_sub(1).and_then(|last| events.get(last)), events.get(seq));
    if let Some(Fact::SeatTaken(taken)) = last.map(|last| &last.fact)
        && taken.entropy_from == EntropySource::Bot
        && state.rules() >= RULES_WITH_BOTS
    {
        let times = (publics.get(seq.saturating_sub(1)), publics.get(seq));
        let at_once = matches!(times, (Some(sat), Some(then)) if sat.at == then.at);
        return match next.map(|next| &next.fact) {
            Some(Fact::BotAssigned(bot)) if bot.seat == taken.seat && at_once => Ok(()),
            _ => fault(
                "a bot that sits down says at once what it is",
                format!("bot_assigned for seat {}", taken.seat.number()),
                next,
            ),
        };
    }
    let full = state.status() == Status::Open && state.players() > 0 && state.open_seats() == 0;
    if !full
        || state.start_mode() != StartMode::Full
        || next.is_some_and(|next| matches!(next.fact, Fact::GameStarted(_)))
    {
        return Ok(());
    }
    fault("the game starts when the last seat is taken", "the start of the game".to_owned(), next)
}

fn broken(fault: &engine::Fault) -> Fault {
    match fault {
        engine::Fault::Unasked { seq } => Fault::new(
            *seq as u64,
            "R3",
            "the event follows from nothing that happened before",
            "the beginning of a move, or the end of the file",
            "a consequence of a move",
        ),
        engine::Fault::Illegal { seq, error } => {
            Fault::new(*seq as u64, error.rule(), error.to_string(), "a move that the rules allow", error.code())
        }
        engine::Fault::Different { seq, expected, found } => {
            let (rule, message) = match &expected.fact {
                Fact::GameStarted(_) | Fact::LandsLaid(_) | Fact::DeckShuffled(_) | Fact::ActionCardsShuffled(_) => {
                    ("F2", "the draw is not the one that the seeds lead to")
                }
                _ => ("R3", "something else follows by the rules"),
            };
            let found = found.as_deref().map_or_else(|| "the end of the events".to_owned(), described);
            Fault::new(*seq as u64, rule, message, described(expected), found)
        }
    }
}
