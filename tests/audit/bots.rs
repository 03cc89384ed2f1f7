//! Histories in which something is wrong with a bot, forged by the server: all hashes and secrets hold.

use chrono::{DateTime, TimeDelta, Utc};
use fereta::bots::BOTS_VERSION;
use fereta::cli::selfplay::record::Recorded;
use fereta::engine::{BotAssigned, BotLevel, Command, EntropySource, Event, Fact, Seat, SeatTaken};
use fereta::log::{Cause, Head, Line, Sealer};

use crate::cases::{all, finds};
use crate::forged::file;
use crate::games::short_games;

/// A history that is no good.
pub(crate) struct Forgery {
    pub(crate) what: String,
    pub(crate) text: String,
    /// Where it shows.
    seq: u64,
}

/// An event, who made it happen, and when.
#[derive(Clone)]
pub(crate) struct Told {
    pub(crate) event: Event,
    pub(crate) cause: Cause,
    pub(crate) at: DateTime<Utc>,
}

pub(crate) fn told(game: &Recorded) -> Vec<Told> {
    let public = |line: &Line| line.public().unwrap();
    let lines = game.lines.iter().map(public).zip(&game.events);
    lines.map(|(public, event)| Told { event: event.clone(), cause: public.cause, at: public.at }).collect()
}

/// The file of this history, sealed with the seed of the game.
pub(crate) fn sealed(game: &Recorded, history: &[Told]) -> String {
    let mut sealer = Sealer::new(&game.server_seed, Head::EMPTY);
    let lines: Vec<_> = history.iter().map(|told| sealer.seal(&told.event, told.cause, told.at).unwrap()).collect();
    file(&lines, game.id, Some(&game.server_seed))
}

pub(crate) fn is_move(event: &Event) -> bool {
    matches!(Command::behind(event), Some(Command::Act { .. }))
}

fn assignment(seat: Seat) -> Event {
    let assigned = BotAssigned { level: BotLevel::Easy, seat, version: BOTS_VERSION };
    Event { fact: assigned.into(), secret: None }
}

/// The history with one more event, of the time of the one that stood there.
fn with(history: &[Told], place: usize, event: Event, cause: Cause) -> Vec<Told> {
    let at = history.get(place).or(history.last()).unwrap().at;
    [&history[..place], &[Told { event, cause, at }], &history[place..]].concat()
}

fn without(history: &[Told], place: usize) -> Vec<Told> {
    [&history[..place], &history[place + 1..]].concat()
}

/// The history in which somebody else is said to have done what is told at `place`, and what follows from it.
fn said_of(history: &[Told], place: usize, cause: Cause) -> Vec<Told> {
    let mut forged = history.to_vec();
    forged[place..end_of(history, place)].iter_mut().for_each(|told| told.cause = cause);
    forged
}

fn end_of(history: &[Told], place: usize) -> usize {
    let at = history[place].at;
    place + history[place..].iter().take_while(|told| told.at == at).count()
}

/// What is wrong, where it shows, counted from 0, and the history.
type Wrong = (&'static str, usize, Vec<Told>);

/// Everything that can be wrong with what `seat` or its bot did at `place`, in a game of version 2 of the rules.
fn wrong_at(history: &[Told], place: usize, seat: Seat) -> Vec<Wrong> {
    let [player, bot] = [Cause::Seat(seat), Cause::Bot(seat)];
    let told = &history[place];
    match &told.event.fact {
        Fact::SeatTaken(SeatTaken { entropy_from: EntropySource::Bot, .. }) => {
            let mut late = history.to_vec();
            late[place + 1..].iter_mut().for_each(|told| told.at += TimeDelta::milliseconds(1));
            vec![
                ("a bot that does not say which", place + 1, without(history, place + 1)),
                ("a bot that says so later", place + 1, late),
                ("a bot twice", place + 2, with(history, place + 2, assignment(seat), bot)),
            ]
        }
        Fact::SeatTaken(_) => {
            vec![("a bot where a player sat down", place + 1, with(history, place + 1, assignment(seat), bot))]
        }
        Fact::BotAssigned(_) if told.cause == player => {
            let other = Cause::Seat(Seat::new((seat.number() + 1) % 3).unwrap());
            let mut wrong = vec![
                ("a seat that a bot is said to give up", place, said_of(history, place, bot)),
                ("a seat that the table is said to give up", place, said_of(history, place, Cause::Table)),
                ("a seat that another is said to give up", place, said_of(history, place, other)),
                ("a seat given up twice", place + 1, with(history, place + 1, assignment(seat), player)),
            ];
            // Then its next move, if there is one, is a bot's in a seat without one.
            if let Some(next) = (place + 1..history.len()).find(|next| history[*next].cause == bot) {
                wrong.push(("a seat that was never given up", next - 1, without(history, place)));
            }
            wrong
        }
        _ if is_move(&told.event) && told.cause == bot => {
            vec![("a bot's move said to be a player's", place, said_of(history, place, player))]
        }
        _ if is_move(&told.event) => {
            let mut wrong = vec![("a player's move said to be a bot's", place, said_of(history, place, bot))];
            if end_of(history, place) > place + 1 {
                let forged = with(history, place + 1, assignment(seat), player);
                wrong.push(("a seat given up within a move", place + 1, forged));
            }
            wrong
        }
        _ => Vec::new(),
    }
}

/// Everything that can be wrong with a bot, in every game where it can be.
pub(crate) fn forgeries() -> Vec<Forgery> {
    let mut forgeries = Vec::new();
    for (name, kind, game) in short_games().iter().filter(|(_, kind, _)| kind.closed.is_none()) {
        let history = told(game);
        let (first, end) = (Seat::default(), history.len());
        let last = history.iter().rposition(|told| is_move(&told.event)).unwrap();
        let by_player = |place: usize| with(&history, place, assignment(first), Cause::Seat(first));
        let mut wrong = vec![("a bot after the end", end, by_player(end))];
        if kind.table.rules == 1 {
            wrong.push(("a bot in a game of version 1", last, by_player(last)));
        } else {
            let free = with(&history, 1, assignment(first), Cause::Bot(first));
            wrong.push(("a bot in a seat that nobody took", 1, free));
            for (place, told) in history.iter().enumerate() {
                if let Cause::Seat(seat) | Cause::Bot(seat) = told.cause {
                    wrong.extend(wrong_at(&history, place, seat));
                }
            }
        }
        forgeries.extend(wrong.into_iter().map(|(what, place, history)| {
            let text = sealed(game, &history);
            Forgery { what: format!("{name}: {what}"), text, seq: place as u64 + 1 }
        }));
    }
    forgeries
}

#[test]
fn what_is_wrong_with_a_bot_is_found_where_it_is() {
    let forgeries = forgeries();
    let mut kinds: Vec<&str> = forgeries.iter().map(|forgery| forgery.what.split_once(": ").unwrap().1).collect();
    kinds.sort_unstable();
    kinds.dedup();
    assert_eq!(kinds.len(), 15, "{kinds:?}");
    all("bots", &forgeries, |forgery| {
        finds(&forgery.text, &[Some(forgery.seq)]).map_err(|why| format!("{}: {why}", forgery.what))
    });
}
