//! The story of a game as a player reads it, in every language: `tests/data/stories/*.txt`, to be read by somebody who
//! speaks it. And that it says no more than he may know.

use std::collections::BTreeSet;

use fereta::engine::*;
use fereta::story::{Language, Story, table, verdict};
use unicode_width::UnicodeWidthStr;

use crate::games::{Manner, kinds, play};
use crate::golden::{Game, compare};

fn viewers(players: u8) -> impl Iterator<Item = Viewer> {
    (0..players).filter_map(Seat::new).map(Viewer::Seat).chain([Viewer::Spectator])
}

/// What `viewer` read while the game ran, with the table wherever `shown` says so.
fn read(events: &[Event], viewer: Viewer, language: Language, mut shown: impl FnMut(&State) -> bool) -> String {
    let (mut state, mut story) = (State::default(), Story::new(viewer, language));
    let mut text = String::new();
    for event in events {
        state.apply(event);
        text.extend([&story.tell(&event.seen(viewer, Status::Running)), "\n"]);
        if shown(&state) {
            text.extend(["\n", &table(&state.view(viewer), language), "\n"]);
        }
    }
    text
}

fn history(game: &Game) -> Vec<Event> {
    game.steps.iter().flat_map(|(_, events)| events.clone()).collect()
}

#[test]
fn stories() {
    let mercenary = Options { mercenary: true, opening_hand: OpeningHand::Dealt };
    let game = Game::play("mercenary", 16, 5, mercenary, CardSet::default(), &[(40, 3)]);
    let seat = Seat::new(0).unwrap();
    for language in Language::ALL {
        // The table when he has to decide for the first time on something of its kind, and at the end.
        let mut kinds = Vec::new();
        let shown = |state: &State| match state.decision().filter(|decision| decision.seat == seat) {
            Some(decision) if kinds.contains(&decision.kind) => false,
            Some(decision) => {
                kinds.push(decision.kind);
                true
            }
            None => state.status() == Status::Ended,
        };
        let story = read(&history(&game), Viewer::Seat(seat), language, shown);
        compare(&format!("stories/{language}.txt"), &story);
    }
}

#[test]
fn a_table_fits_the_page_of_any_terminal() {
    for kind in kinds(2) {
        let mut step = 0;
        play(&kind, Manner::Saving, |_, _, _, state| {
            step += 1;
            if step % 7 != 0 && state.status() != Status::Ended {
                return;
            }
            for viewer in viewers(state.players()) {
                for language in Language::ALL {
                    let text = table(&state.view(viewer), language);
                    for line in text.lines() {
                        assert!(line.width() <= 80, "{} columns: {line}", line.width());
                        assert!(language != Language::Ja || line.width() == line.width_cjk(), "{line}");
                        assert_eq!(line, line.trim_end());
                    }
                }
            }
        });
    }
}

#[test]
fn a_story_tells_no_more_than_the_reader_knows() {
    let mut rng = FastDraws::new(11);
    let (mut worlds, mut different) = (0, 0);
    for kind in kinds(0) {
        let (mut history, mut step) = (Vec::new(), 0);
        play(&kind, Manner::Even, |_, _, events, state| {
            history.extend_from_slice(events);
            step += 1;
            if step % 40 != 0 || state.status() == Status::Ended {
                return;
            }
            for (viewer, language) in viewers(state.players()).zip(Language::ALL.into_iter().cycle()) {
                let mut knowledge = Knowledge::new(viewer);
                history.iter().for_each(|event| knowledge.observe(event.seen(viewer, Status::Running)));
                let world = knowledge.resample_history(&mut rng);
                let of = |events: &[Event]| {
                    let mut number = 0;
                    read(events, viewer, language, |_| {
                        number += 1;
                        number % 10 == 0 || number == events.len()
                    })
                };
                assert_eq!(of(&world), of(&history));
                worlds += 1;
                different += usize::from(world != history);
            }
        });
    }
    assert!(different * 10 > worlds * 9, "only {different} of {worlds} worlds differed");
}

#[test]
fn a_story_goes_on_from_a_view() {
    let game = Game::play("four", 14, 4, Options::default(), CardSet::default(), &[(9, 1)]);
    let events = history(&game);
    let viewer = Viewer::Spectator;
    let (mut state, mut story) = (State::default(), Story::new(viewer, Language::En));
    for (number, event) in events.iter().enumerate() {
        let seen = event.seen(viewer, Status::Running);
        let mut from_here = Story::from_view(&state.view(viewer), Language::En);
        let (whole, from_here) = (story.tell(&seen), from_here.tell(&seen));
        assert!(number == 0 || whole == from_here, "{whole} / {from_here}");
        state.apply(event);
    }
}

#[test]
fn the_end_is_told_alike_by_event_and_view() {
    for kind in kinds(1) {
        let mut history = Vec::new();
        play(&kind, Manner::Spending, |_, _, events, state| {
            history.extend_from_slice(events);
            for language in Language::ALL {
                for viewer in viewers(state.players()).filter(|_| state.status() != Status::Running) {
                    let told = verdict(&state.view(viewer), language);
                    assert_eq!(told.is_some(), state.status() == Status::Ended);
                    let Some(told) = told else { continue };
                    let last = read(&history, viewer, language, |_| false);
                    assert!(last.trim_end().ends_with(&told), "{told}");
                }
            }
        });
    }
}

#[test]
fn every_secret_is_told_once_the_game_has_ended() {
    for language in Language::ALL {
        for kind in kinds(0).take(4) {
            let mut history = Vec::new();
            play(&kind, Manner::Even, |_, _, events, _| history.extend_from_slice(events));
            let viewer = Viewer::Spectator;
            let (mut then, mut now) = (Story::new(viewer, language), Story::new(viewer, language));
            let mut silent = BTreeSet::new();
            for event in &history {
                let before = then.tell(&event.seen(viewer, Status::Running));
                let after = now.tell(&event.seen(viewer, Status::Ended));
                let nothing = matches!(&event.secret, Some(Secret::ActionCards(secret)) if secret.cards.is_empty());
                if event.secret.is_some() && !nothing && before == after {
                    silent.insert(before);
                }
            }
            assert!(silent.is_empty(), "{silent:?}");
        }
    }
}
