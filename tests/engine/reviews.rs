//! What a review says of a game, and that whoever makes it comes to the same.

use fereta::engine::*;
use fereta::review::{NotReviewable, Review, Reviewed, Reviewer, Share};

use crate::games::{Kind, Manner, kinds, play};

/// Looks ahead: enough to see that they are made.
const FEW: u32 = 20;

/// A game of two rounds for that many, with the mercenary.
fn kind(players: u8) -> Kind {
    let mut kind = kinds(0).find(|kind| kind.table.players == players && kind.table.options.mercenary).unwrap();
    let rounds = Rounds { three: 2, four: 2, five: 2 };
    kind.table.card_set = CardSet { rounds, ..CardSet::default() }.into();
    kind
}

fn history(kind: &Kind) -> Vec<Event> {
    let mut history = Vec::new();
    play(kind, Manner::Even, |_, _, events, _| history.extend_from_slice(events));
    history
}

fn reviewer(events: &[Event]) -> Reviewer {
    Reviewer::new(events.to_vec(), FEW).unwrap()
}

fn review(events: &[Event]) -> Review {
    let reviewer = reviewer(events);
    reviewer.finish((0..reviewer.decisions()).map(|number| reviewer.look_at(number).unwrap()).collect())
}

#[test]
fn the_same_history_has_the_same_review() {
    let history = history(&kind(4));
    let made = review(&history);
    assert_eq!(review(&history), made);
    // In whatever order the decisions are looked at.
    let reviewer = reviewer(&history);
    let mut backwards: Vec<Reviewed> =
        (0..reviewer.decisions()).rev().map(|number| reviewer.look_at(number).unwrap()).collect();
    backwards.reverse();
    assert_eq!(reviewer.finish(backwards), made);
    assert_eq!(Review::read(&made.to_bytes()), Some(made));
    assert_eq!(Review::read(b"no review"), None);
}

#[test]
fn every_decision_is_reviewed_and_judged_if_there_was_a_choice() {
    for players in 3..=5 {
        let kind = kind(players);
        let mut history: Vec<Event> = Vec::new();
        let mut made = Vec::new();
        play(&kind, Manner::Even, |before, command, events, _| {
            if let (Command::Act { seat, action }, Some(decision)) = (command, before.decision()) {
                let choice = before.legal_moves(*seat).len() > 1;
                let round = before.view(Viewer::Spectator).round;
                made.push((history.len() as u64 + 1, round, *seat, decision.kind, action.clone(), choice));
            }
            history.extend_from_slice(events);
        });
        let review = review(&history);
        let told = review
            .decisions
            .iter()
            .map(|one| (one.seq, one.round, one.seat, one.kind, one.action.clone(), one.judgement.is_some()));
        assert_eq!(told.collect::<Vec<_>>(), made);
        for one in &review.decisions {
            let Some(judgement) = &one.judgement else { continue };
            for shares in [&judgement.before, &judgement.after] {
                let sum: u16 = shares.values().map(|share| share.thousandths()).sum();
                assert!(shares.players() == players && (990..=1010).contains(&sum), "{one:?}");
            }
            assert!(judgement.best_value >= judgement.value, "{one:?}");
            assert_eq!(judgement.cost() == Share::default(), judgement.best_value == judgement.value);
            assert!(judgement.best != one.action || judgement.best_value == judgement.value, "{one:?}");
        }
        let ranks = State::fold(&history).view(Viewer::Spectator).seats.into_iter().map(|seat| seat.rank == Some(1));
        let last = review.decisions.iter().rev().find(|one| one.seq as usize + 60 > history.len()).unwrap();
        let after = last.judgement.as_ref().map(|judgement| judgement.after.clone());
        if let Some(after) = after.filter(|_| history.len() > last.seq as usize) {
            let wins: Vec<bool> = after.values().map(|share| *share > Share::default()).collect();
            assert_eq!(wins, ranks.collect::<Vec<_>>(), "the true shares of the victory");
        }
        assert_eq!(review.swings.len(), 3);
        let sizes: Vec<Share> = review.swings.iter().map(|swing| swing.before.distance(swing.after)).collect();
        assert!(sizes.is_sorted_by(|a, b| a >= b), "{sizes:?}");
        for swing in &review.swings {
            let seat = swing.seat.number();
            assert!(swing.texts.en.contains(&format!("The chance of Seat {seat} to win")), "{}", swing.texts.en);
            assert!(swing.texts.ja.contains(&format!("席{seat}の勝率は")), "{}", swing.texts.ja);
            assert!(swing.texts.de.contains(&format!("Siegchance von Platz {seat}")), "{}", swing.texts.de);
        }
    }
}

#[test]
fn what_is_said_of_a_decision_comes_from_what_its_seat_knew() {
    let kind = kind(3);
    let history = history(&kind);
    let reviewed = reviewer(&history);
    let (mut rng, mut different) = (FastDraws::new(5), 0);
    for number in (0..reviewed.decisions()).step_by(3) {
        let decision = reviewed.look_at(number).unwrap();
        let Some(judgement) = decision.judgement else { continue };
        // Another world that looked the same to him, in which he does the same, and which goes on as it likes.
        let until = decision.seq as usize - 1;
        let known = Knowledge::of(Viewer::Seat(decision.seat), &history[..until], Status::Running);
        let mut other = known.resample_history(&mut rng);
        different += usize::from(other != history[..until]);
        let mut state = State::fold(&other);
        let mut command = Command::Act { seat: decision.seat, action: decision.action.clone() };
        loop {
            state.advance(&command, &mut rng, &mut other).unwrap();
            let Some(due) = state.decision() else { break };
            let mut moves = state.legal_moves(due.seat);
            let action = moves.swap_remove(rng.below(moves.len() as u32) as usize);
            command = Command::Act { seat: due.seat, action };
        }
        let there = reviewer(&other).look_at(number).unwrap().judgement.unwrap();
        let thought = |judgement: &fereta::review::Judgement| {
            (judgement.value, judgement.best.clone(), judgement.best_value, judgement.before.clone())
        };
        assert_eq!(thought(&there), thought(&judgement));
    }
    assert!(different > 3, "only {different} worlds differed");
}

#[test]
fn there_is_no_review_before_the_end_nor_of_what_cannot_be() {
    let history = history(&kind(3));
    for events in [0, 1, 5, history.len() / 2] {
        let shown = Reviewer::new(history[..events].to_vec(), FEW).map(|_| ());
        assert!(shown.is_err(), "{events} events");
    }
    // Up to a decision, so that everything that stands there holds.
    let first = reviewer(&history).look_at(4).unwrap().seq as usize;
    assert_eq!(Reviewer::new(history[..first - 1].to_vec(), FEW).map(|_| ()), Err(NotReviewable::NotEnded));
    let mut spoilt = history;
    let last = spoilt.len() - 1;
    spoilt.swap(last - 1, last);
    assert!(matches!(Reviewer::new(spoilt, FEW).map(|_| ()), Err(NotReviewable::Fault(_))));
}
