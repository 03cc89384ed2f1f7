//! Bots that think of their moves again.

use chrono::TimeDelta;
use fereta::audit::{Notes, Verdict, audit_with_bots};
use fereta::bots::BOTS_VERSION;
use fereta::cli::selfplay::record::{Recorded, record};
use fereta::engine::{BotLevel, Bytes32, Command, Fact, FairDraws, Move, Seat, State, Status, Viewer};
use fereta::log::Cause;

use crate::bots::{Told, is_move, sealed, told};
use crate::cases::audited;
use crate::forged::whole;
use crate::games::server;

/// A game in which a bot sits from the start on, and one in which a seat is given up to one.
const WITH_BOTS: [u64; 4] = [7, 15, 23, 31];

fn recorded(number: u64) -> Recorded {
    record(number, &[BotLevel::Easy, BotLevel::Normal]).unwrap()
}

#[test]
fn bots_make_their_moves_again() {
    for number in WITH_BOTS {
        let game = recorded(number);
        let mut progress = 0;
        let report = audit_with_bots(&whole(&game), &Notes::default(), || progress += 1);
        let made =
            told(&game).iter().filter(|told| matches!(told.cause, Cause::Bot(_)) && is_move(&told.event)).count();
        let bots = report.bots.unwrap();
        assert_eq!((report.verdict, bots.replayed, bots.not_replayed.len()), (Verdict::Consistent, made as u64, 0));
        assert!(made > 3 && progress == made, "{made} moves, {progress} told of");
    }
    // Of a game that still runs nothing can be replayed, as its seed is not told.
    let game = recorded(7);
    let running = game.export(&server(), Viewer::Spectator, 40);
    assert_eq!(audit_with_bots(&running.unwrap(), &Notes::default(), || {}).bots, None);
}

#[test]
fn bots_of_another_version_are_not_replayed() {
    let game = recorded(15);
    let mut history = told(&game);
    for told in &mut history {
        if let Fact::BotAssigned(bot) = &mut told.event.fact {
            bot.version = BOTS_VERSION + 6;
        }
    }
    let report = audit_with_bots(&sealed(&game, &history), &Notes::default(), || {});
    let bots = report.bots.unwrap();
    assert_eq!((report.verdict, bots.replayed), (Verdict::Consistent, 0));
    assert_eq!(bots.not_replayed.keys().collect::<Vec<_>>(), [&(BOTS_VERSION + 6)]);
}

/// The server chooses for its bot: the move is legal and all holds, but the bot would not have made it.
#[test]
fn a_move_that_the_bot_would_not_have_made_is_found() {
    let game = recorded(7);
    let is_bots = |told: &&Told| matches!(told.cause, Cause::Bot(_)) && is_move(&told.event);
    let honest = told(&game);
    let mut found = 0;
    for place in (0..honest.len()).filter(|place| is_bots(&&honest[*place])) {
        let mut state = State::fold(honest[..place].iter().map(|told| &told.event));
        let Some(Command::Act { seat, action }) = Command::behind(&honest[place].event) else { panic!("a move") };
        let Some(other) = state.legal_moves(seat).into_iter().find(|other| *other != action) else { continue };
        let mut history = honest[..place].to_vec();
        play_on(&game, &mut state, &mut history, seat, other);
        let text = sealed(&game, &history);
        assert_eq!(audited(&text).unwrap().verdict, Verdict::Consistent);
        let report = audit_with_bots(&text, &Notes::default(), || {});
        let fault = report.fault.unwrap();
        assert_eq!((report.verdict, fault.seq), (Verdict::Faulty, Some(place as u64 + 1)), "{fault:?}");
        assert!(fault.expected != fault.found && fault.found.contains(r#""type":""#), "{fault:?}");
        found += 1;
        if found == 4 {
            return;
        }
    }
    panic!("only {found} moves could have been others");
}

/// Plays on with another move, and then the first legal one; a player's by the cause {"seat"}, the bot's by {"bot"}.
fn play_on(game: &Recorded, state: &mut State, history: &mut Vec<Told>, seat: Seat, action: Move) {
    let mut at = history.last().unwrap().at;
    let mut next = Some((seat, action));
    while let Some((seat, action)) = next {
        at += TimeDelta::milliseconds(1_234);
        let entropy: Vec<Bytes32> = state.entropy().collect();
        let mut draws = FairDraws::of_game(&game.server_seed, game.id.as_bytes(), entropy);
        let mut events = Vec::new();
        let cause = if state.bot(seat).is_some() { Cause::Bot(seat) } else { Cause::Seat(seat) };
        state.advance(&Command::Act { seat, action }, &mut draws, &mut events).unwrap();
        history.extend(events.into_iter().map(|event| Told { event, cause, at }));
        next = state.decision().map(|decision| (decision.seat, state.legal_moves(decision.seat).remove(0)));
    }
    assert_eq!(state.status(), Status::Ended);
}
