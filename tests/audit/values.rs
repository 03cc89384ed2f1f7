//! Every value changed in turn: as a bungler does it, and as the server would.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use fereta::audit::Verdict;
use fereta::cli::selfplay::record::Recorded;
use fereta::engine::Fact;
use serde_json::Value;

use crate::cases::{all, audited, finds, told};
use crate::forged::{Forged, changed, file, id_of, lines, misshapen, public_of, secret_of};
use crate::games::{short_games, type_of};

/// A value that was changed: of which game, at which event, what, and the event as it is now.
pub(crate) struct Change<'a> {
    pub(crate) game: &'a Recorded,
    pub(crate) name: String,
    /// The event's type and the value's place; the same for values of the same kind.
    pub(crate) what: String,
    pub(crate) forged: Forged,
}

impl Change<'_> {
    pub(crate) fn text(&self, anew: bool) -> String {
        let lines = lines(self.game, &self.forged, anew);
        file(&lines, id_of(&lines), Some(&self.game.server_seed))
    }

    fn wrong(&self, why: &str) -> String {
        format!("{}, event {}: {} ({}): {why}", self.name, self.forged.seq, self.what, self.forged.public)
    }
}

/// Changes of all kinds: all of `whole` games, and of the others each kind of change `times`.
pub(crate) fn changes<'a>(
    games: &'a [(String, crate::games::Kind, Recorded)],
    whole: &[usize],
    times: usize,
    of: fn(&Value) -> Vec<(String, Value)>,
) -> Vec<Change<'a>> {
    let mut changes = Vec::new();
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for (number, (name, _, game)) in games.iter().enumerate() {
        for line in &game.lines {
            let kind = described(game, line);
            let (public, secret) = (public_of(line), secret_of(line));
            let of_public = of(&public).into_iter().map(|(place, public)| (place, public, secret.clone()));
            let of_secret = secret
                .iter()
                .flat_map(of)
                .map(|(place, secret)| (format!(" secret{place}"), public.clone(), Some(secret)));
            for (variant, (place, public_now, secret_now)) in of_public.chain(of_secret).enumerate() {
                if public_now == public && secret_now == secret {
                    continue;
                }
                let what = format!("{kind}{place}");
                let count = seen.entry(format!("{what} {}", variant % 4)).or_default();
                *count += 1;
                if *count <= times || whole.contains(&number) {
                    let forged = Forged { seq: line.seq, public: public_now, secret: secret_now };
                    changes.push(Change { game, name: name.clone(), what, forged });
                }
            }
        }
    }
    changes
}

/// The type of an event, and what makes a difference to what can be found.
fn described(game: &Recorded, line: &fereta::log::Line) -> String {
    let kind = type_of(line);
    let Some(event) = game.events.get(line.seq as usize - 1) else { return kind };
    let later = game.events.iter().skip(line.seq as usize);
    let closed = game.events.iter().any(|event| matches!(event.fact, Fact::TableClosed(_)));
    let left = match &event.fact {
        Fact::SeatTaken(taken) => {
            later.clone().any(|event| matches!(&event.fact, Fact::SeatLeft(left) if left.seat == taken.seat))
        }
        _ => false,
    };
    let given_up = matches!(event.fact, Fact::BotAssigned(_))
        && !later.clone().any(|event| matches!(event.fact, Fact::GameStarted(_) | Fact::TableClosed(_)));
    match (closed, left || given_up) {
        (true, _) => format!("{kind} of a closed table"),
        (_, true) if given_up => format!("{kind} of one who gave up"),
        (_, true) => format!("{kind} of one who left"),
        (false, false) => kind,
    }
}

#[test]
fn a_value_changed_with_the_chain_as_it_was_is_found_at_its_event() {
    let games = short_games();
    let changes = changes(&games, &[24], 1, changed);
    all("values changed", &changes, |change| {
        finds(&change.text(false), &[Some(change.forged.seq)]).map_err(|why| change.wrong(&why))
    });
}

/// What no line of any version looks like, though all hashes hold: the server wrote it like that.
#[test]
fn a_field_too_many_too_few_or_null_is_found_at_its_event() {
    let games = short_games();
    let changes = changes(&games, &[], 1, misshapen);
    all("fields changed", &changes, |change| {
        // An event that has no secret is sealed with none; one that lacks its secret is not what was sealed.
        if change.what.ends_with("winner is null") {
            return Ok(());
        }
        finds(&change.text(true), &[Some(change.forged.seq)]).map_err(|why| change.wrong(&why))
    });
}

const TIME: &str = "the time of a move is the server's word, as long as it does not go back";
const MOVE: &str = "another move that is allowed, and that nothing hangs on later";
const NOTHING_DRAWN: &str = "nothing is drawn or played at a table that was closed";
const GONE: &str = "who left before the start adds nothing to the seed";
const WHO: &str = "who set up the table, and from which seat he acts, the log does not say";
const BOT: &str = "which bot it is shows in its moves, to who thinks of them again";
const UNUSED: &str = "a value of the card set that this game never came to";

/// What a server can change without anybody's being able to tell, if nobody noted anything: because it is as good a history as the
/// other one. Each with the reason.
const NOT_TO_BE_FOUND: &[(&str, &str)] = &[
    ("base_flipped.data.land", MOVE),
    ("bot_assigned of one who gave up.at", TIME),
    ("bot_assigned of one who gave up.data.level", BOT),
    ("bot_assigned of one who gave up.data.version", BOT),
    ("bot_assigned.data.level", BOT),
    ("bot_assigned.data.version", BOT),
    ("estate_placed.at", TIME),
    ("estate_placed.data.land", MOVE),
    ("seat_left of a closed table.at", TIME),
    ("seat_left of a closed table.cause", WHO),
    ("seat_left.at", TIME),
    ("seat_left.cause", WHO),
    ("seat_left.cause.seat", WHO),
    ("seat_taken of a closed table.at", TIME),
    ("seat_taken of a closed table.data.entropy", NOTHING_DRAWN),
    ("seat_taken of one who left.at", TIME),
    ("seat_taken of one who left.data.entropy", GONE),
    ("seat_taken.at", TIME),
    ("seat_taken.cause", WHO),
    ("supplies_played.at", TIME),
    ("table_closed of a closed table.at", TIME),
    ("table_closed of a closed table.cause", WHO),
    ("table_created of a closed table.at", TIME),
    ("table_created of a closed table.data.card_set.lands.longer", NOTHING_DRAWN),
    ("table_created of a closed table.data.card_set.lands.n.five_players_only", NOTHING_DRAWN),
    ("table_created of a closed table.data.card_set.lands.n.kind", NOTHING_DRAWN),
    ("table_created of a closed table.data.card_set.lands.n.points.n", NOTHING_DRAWN),
    ("table_created of a closed table.data.card_set.lands.n.strength", NOTHING_DRAWN),
    ("table_created of a closed table.data.card_set.lands.turned", NOTHING_DRAWN),
    ("table_created of a closed table.data.card_set.rounds.five", NOTHING_DRAWN),
    ("table_created of a closed table.data.card_set.rounds.four", NOTHING_DRAWN),
    ("table_created of a closed table.data.card_set.rounds.three", NOTHING_DRAWN),
    ("table_created of a closed table.data.card_set.supplies.n.count", NOTHING_DRAWN),
    ("table_created of a closed table.data.card_set.supplies.n.five_players_extra", NOTHING_DRAWN),
    ("table_created of a closed table.data.card_set.supplies.n.value", NOTHING_DRAWN),
    ("table_created of a closed table.data.game_id", NOTHING_DRAWN),
    ("table_created of a closed table.data.options.mercenary", NOTHING_DRAWN),
    ("table_created of a closed table.data.options.opening_hand", NOTHING_DRAWN),
    ("table_created of a closed table.data.players", NOTHING_DRAWN),
    ("table_created of a closed table.data.start", NOTHING_DRAWN),
    ("table_created.at", TIME),
    ("table_created.data.card_set.lands.n.kind", UNUSED),
    ("table_created.data.card_set.lands.n.points.n", UNUSED),
    ("table_created.data.card_set.lands.n.strength", UNUSED),
    ("table_created.data.card_set.rounds.five", UNUSED),
    ("table_created.data.card_set.rounds.four", UNUSED),
    ("table_created.data.card_set.rounds.three", UNUSED),
    ("table_created.data.card_set.supplies.n.five_players_extra", UNUSED),
    ("table_created.data.start", WHO),
];

#[test]
fn a_value_changed_by_the_server_itself_is_found_unless_it_is_as_good_as_the_other() {
    let games = short_games();
    let changes = changes(&games, &[9, 24, 25], 2, changed);
    let missed = Mutex::new(BTreeMap::<String, usize>::new());
    all("values changed by the server", &changes, |change| {
        let report = audited(&change.text(true)).map_err(|why| change.wrong(&why))?;
        let seq = report.fault.as_ref().and_then(|fault| fault.seq);
        match report.verdict {
            Verdict::Faulty if seq.is_some_and(|seq| seq >= change.forged.seq) => Ok(()),
            Verdict::Faulty => Err(change.wrong(&told(&report))),
            _ => {
                *missed.lock().unwrap().entry(change.what.clone()).or_default() += 1;
                Ok(())
            }
        }
    });
    let missed: BTreeSet<String> = missed.into_inner().unwrap().into_keys().collect();
    let known: BTreeSet<String> = NOT_TO_BE_FOUND.iter().map(|(what, _)| (*what).to_owned()).collect();
    assert_eq!(missed, known, "what was not found, and what need not be");
}
