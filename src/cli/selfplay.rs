//! `fereta selfplay`: random games on one core, with how fast they were and how they went.
//!
//! With `--export` the games are of every kind, with fair draws, and are written down as a server would export them: for trying
//! auditors.
//!
//! Every player makes any legal move as likely as any other, but for the bots in some of the games that are written down. The same seed
//! plays the same games.

pub mod record;

use std::fs::File;
use std::io::{BufWriter, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressDrawTarget};

use super::CliError;
use crate::engine::{
    BotLevel, Bytes32, Command, Decision, EndReason, EntropySource, Event, Fact, FastDraws, GameEnded, NewTable,
    OpeningHand, Options, RuleError, State, Viewer, Words,
};
use crate::entropy;
use crate::log::ProofKey;

#[derive(Debug, Args)]
pub(super) struct SelfplayArgs {
    /// How many games to play
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// The number of players of each
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u8).range(3..=5))]
    players: u8,
    /// What all chance follows from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Play with the mercenary
    #[arg(long)]
    mercenary: bool,
    /// How the opening hands come about
    #[arg(long, value_enum, default_value_t = Hand::Dealt)]
    opening_hand: Hand,
    /// Write the games to this file as a server would export them, signed with a key that is thrown away; of every number of players
    /// and with every option
    #[arg(long, value_name = "FILE", conflicts_with_all = ["players", "mercenary", "opening_hand"])]
    export: Option<PathBuf>,
    /// Which levels the bots are of that play a seat in every eighth game, some from the start on and some from a move on; the strong ones
    /// take their time
    #[arg(long, value_name = "LEVELS", value_delimiter = ',', default_value = "easy,normal,hard,expert", requires = "export", value_parser = level)]
    bots: Vec<BotLevel>,
}

fn level(word: &str) -> Result<BotLevel, &'static str> {
    serde_json::from_value(word.into()).map_err(|_| "a level is easy, normal, hard or expert")
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Hand {
    /// From the shuffled deck
    Dealt,
    /// A 3, a 4 and a 5 for everybody
    Fixed,
}

pub(super) fn selfplay(args: &SelfplayArgs) -> Result<ExitCode, CliError> {
    if let Some(file) = &args.export {
        return export(args, file);
    }
    let opening_hand = match args.opening_hand {
        Hand::Dealt => OpeningHand::Dealt,
        Hand::Fixed => OpeningHand::Fixed,
    };
    let options = Options { mercenary: args.mercenary, opening_hand };
    let table = NewTable { players: args.players, options, ..NewTable::default() };
    let mut draws = FastDraws::new(args.seed);
    let mut tally = Tally::default();
    let started_at = Instant::now();
    for _ in 0..args.games {
        play(&table, &mut draws, &mut tally)?;
    }
    tally.print(started_at.elapsed().as_secs_f64());
    Ok(ExitCode::SUCCESS)
}

fn export(args: &SelfplayArgs, file: &Path) -> Result<ExitCode, CliError> {
    let key = ProofKey::from_bytes(&entropy::bytes());
    let mut out = BufWriter::new(File::create(file)?);
    let target =
        if std::io::stderr().is_terminal() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(Some(args.games.into()), target);
    for number in 0..u64::from(args.games) {
        let game = record::record(args.seed.wrapping_mul(1 << 32).wrapping_add(number), &args.bots)?;
        out.write_all(game.export(&key, Viewer::Spectator, game.lines.len())?.as_bytes())?;
        bar.inc(1);
    }
    out.flush()?;
    bar.finish_and_clear();
    println!("{} games are in {}", args.games, file.display());
    Ok(ExitCode::SUCCESS)
}

/// What is counted over all games.
#[derive(Default)]
struct Tally {
    games: u64,
    moves: u64,
    events: u64,
    early_ends: u64,
    shared_victories: u64,
    battles: u64,
    drawn_battles: u64,
    scores: u64,
    score_sum: u64,
    lowest: Option<u16>,
    highest: Option<u16>,
}

fn play(table: &NewTable, draws: &mut FastDraws, tally: &mut Tally) -> Result<(), RuleError> {
    let (mut state, mut moves, mut events) = (State::default(), Vec::new(), Vec::new());
    let (entropy, entropy_from) = (Bytes32::default(), EntropySource::Bot);
    state.advance(&Command::Create(table.clone()), draws, &mut events)?;
    for _ in 0..table.players {
        state.advance(&Command::TakeSeat { seat: None, entropy, entropy_from }, draws, &mut events)?;
    }
    state.advance(&Command::Start, draws, &mut events)?;
    while let Some(Decision { seat, .. }) = state.decision() {
        tally.count(&events);
        events.clear();
        moves.clear();
        state.list_legal_moves(seat, &mut moves);
        let action = moves.swap_remove(draws.below(moves.len() as u32) as usize);
        state.advance(&Command::Act { seat, action }, draws, &mut events)?;
        tally.moves += 1;
    }
    tally.count(&events);
    Ok(())
}

impl Tally {
    fn count(&mut self, events: &[Event]) {
        self.events += events.len() as u64;
        for event in events {
            if let Fact::BattleFought(battle) = &event.fact {
                self.battles += 1;
                self.drawn_battles += u64::from(battle.winner.is_none());
            } else if let Fact::GameEnded(ended) = &event.fact {
                self.end(ended);
            }
        }
    }

    fn end(&mut self, ended: &GameEnded) {
        self.games += 1;
        self.early_ends += u64::from(ended.reason == EndReason::OneHouse);
        self.shared_victories += u64::from(ended.ranks.values().filter(|rank| **rank == 1).count() > 1);
        for score in ended.scores.values().copied() {
            self.scores += 1;
            self.score_sum += u64::from(score);
            self.lowest = Some(self.lowest.map_or(score, |lowest| lowest.min(score)));
            self.highest = Some(self.highest.map_or(score, |highest| highest.max(score)));
        }
    }

    fn print(&self, seconds: f64) {
        let share = |part: u64, whole: u64| part as f64 / whole.max(1) as f64;
        let percent = |part: u64, whole: u64| 100.0 * share(part, whole);
        println!("{} games, {} moves in {seconds:.2} s on one core", self.games, self.moves);
        println!("{:.0} games/s, {:.0} moves/s", self.games as f64 / seconds, self.moves as f64 / seconds);
        println!(
            "a game: {:.1} moves, {:.1} events; {:.2} % end early with one house",
            share(self.moves, self.games),
            share(self.events, self.games),
            percent(self.early_ends, self.games),
        );
        println!(
            "a score: {:.2}, from {} to {}; {:.2} % of the games have more than one winner",
            share(self.score_sum, self.scores),
            self.lowest.unwrap_or(0),
            self.highest.unwrap_or(0),
            percent(self.shared_victories, self.games),
        );
        println!("{:.2} % of the battles have no winner", percent(self.drawn_battles, self.battles));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_plays_the_same_games() {
        let tally = |seed| {
            let (mut draws, mut tally) = (FastDraws::new(seed), Tally::default());
            let table = NewTable { players: 3, ..NewTable::default() };
            (0..20).for_each(|_| play(&table, &mut draws, &mut tally).unwrap());
            (tally.games, tally.moves, tally.events, tally.score_sum)
        };
        assert_eq!(tally(1), tally(1));
        assert_ne!(tally(1), tally(2));
        assert_eq!(tally(1).0, 20);
    }
}
