//! The table drawn as text: at most 80 columns, for a terminal of any language.
//!
//! Only ASCII and letters: lines and symbols that are one column wide in Europe are two in many East Asian terminals,
//! and would break the columns there.

use super::Language;
use super::layout::{Align, Grid, pad, paragraph};
use super::phrases::Phrases;
use super::scene::{Verdict, Who};
use crate::engine::{ActionCards, House, LandView, Place, SeatView, Supplies, SupplyValue, View};

/// The table as a viewer sees it: how far the game has come, where bots play, whose decision it is, the lands with their bases, what
/// everybody has before him, the battle, and the cards that the viewer may know.
///
/// Who has only the events that he was given, such as an export, has no `State` to take a view of while secrets are
/// missing. [`Knowledge::resample`](crate::engine::Knowledge::resample) fills them in with what could be, and as the
/// viewer cannot tell that table from the true one, its view is the same.
pub fn table(view: &View, language: Language) -> String {
    let phrases = language.phrases();
    let parts = [heading(view, phrases), lands(view, phrases), seats(view, phrases), cards(view, phrases)];
    let mut text = String::new();
    for part in parts.iter().filter(|part| !part.is_empty()) {
        if !text.is_empty() {
            text.push('\n');
        }
        part.iter().for_each(|line| text.extend([line, "\n"]));
    }
    text
}

fn heading(view: &View, phrases: &dyn Phrases) -> Vec<String> {
    let who = |seat| Who::of(seat, view.seat);
    let progress = match Verdict::of_view(view) {
        Some(verdict) => phrases.winners(&verdict),
        None => phrases.progress(view),
    };
    let holders = view.first_player.zip(view.strategy_card);
    let holders = holders.map(|(first, strategy)| phrases.holders(who(first), who(strategy)));
    let decision = view.decision.map(|decision| phrases.decision(decision, who(decision.seat)));
    let battle = view.battle.as_ref().map(|battle| phrases.battle(battle));
    let bots: Vec<_> = view.seats.iter().filter_map(|seat| Some((who(seat.seat), seat.bot?))).collect();
    let bots = (!bots.is_empty()).then(|| phrases.bots(&bots));
    let lines = [Some(progress), bots, holders, battle, decision];
    lines.into_iter().flatten().flat_map(|line| paragraph("", &line)).collect()
}

/// A column for each house, so that a border to fight over meets the eye.
fn lands(view: &View, phrases: &dyn Phrases) -> Vec<String> {
    if view.lands.is_empty() {
        return Vec::new();
    }
    let labels = phrases.labels();
    let winners: Vec<u8> = (1..=view.players).collect();
    let house = |house| (Align::Left, format!("   {}", phrases.house(house)));
    let mut grid = Grid::new([
        (Align::Right, String::new()),
        house(House::Eagle),
        house(House::Rose),
        (Align::Right, format!("{} {}", labels.points, numbers(&winners))),
        (Align::Left, labels.base.to_owned()),
    ]);
    for land in &view.lands {
        let name = |house| match land.house == house {
            true => format!("{:2} {}", land.strength, phrases.land(land.kind)),
            false => String::new(),
        };
        let points = land.points.get(..winners.len()).unwrap_or_default();
        let base = land.base.map(|base| phrases.base(base.face, Who::of(base.seat, view.seat)));
        grid.push(vec![
            place(view, land),
            name(House::Eagle),
            name(House::Rose),
            numbers(points),
            base.unwrap_or_default(),
        ]);
    }
    [vec![labels.circle.to_owned()], grid.lines()].concat()
}

/// The land's place, with a mark if it is fought over.
fn place(view: &View, land: &LandView) -> String {
    let fought_over: [Option<Place>; 2] = view.battlefield.map_or([None; 2], |lands| lands.map(Some));
    let mark = if fought_over.contains(&Some(land.land)) { '>' } else { ' ' };
    format!("{mark} {:2}", land.land.number())
}

/// Numbers below 100 in columns of their own.
fn numbers(numbers: &[u8]) -> String {
    numbers.iter().map(|number| format!("{number:3}")).collect()
}

fn seats(view: &View, phrases: &dyn Phrases) -> Vec<String> {
    let labels = phrases.labels();
    let name = |seat: &SeatView| {
        let decides = view.decision.is_some_and(|decision| decision.seat == seat.seat);
        format!("{} {}", if decides { '>' } else { ' ' }, phrases.seat(Who::of(seat.seat, view.seat)))
    };
    if view.seats.iter().all(|seat| seat.house.is_none()) {
        let longest = view.seats.iter().map(|seat| pad(&name(seat), 12, Align::Left));
        let taken = view.seats.iter().map(|seat| if seat.taken { labels.taken } else { labels.free });
        return longest.zip(taken).map(|(name, taken)| format!("{name}{taken}")).collect();
    }
    let head = |align, label: &str| (align, label.to_owned());
    let mut grid = Grid::new([
        head(Align::Left, ""),
        head(Align::Left, labels.house),
        head(Align::Right, labels.score),
        head(Align::Right, labels.hand),
        head(Align::Right, labels.bases_left),
        head(Align::Left, labels.played),
        head(Align::Left, labels.action_card),
    ]);
    for seat in &view.seats {
        let action_card = match seat.action_card {
            Some(card) => phrases.card(card),
            None if seat.has_kept => labels.face_down,
            None => "-",
        };
        grid.push(vec![
            name(seat),
            seat.house.map_or("", |house| phrases.house(house)).to_owned(),
            seat.score.to_string(),
            seat.hand_size.to_string(),
            seat.bases_left.to_string(),
            played(seat.played.as_ref(), labels.nothing),
            action_card.to_owned(),
        ]);
    }
    grid.lines()
}

fn played(played: Option<&Supplies>, nothing: &str) -> String {
    match played {
        None => "-".to_owned(),
        Some(cards) if cards.is_empty() => nothing.to_owned(),
        Some(cards) if cards.len() == 1 => cards.sum().to_string(),
        Some(cards) => format!("{} = {}", row(cards.as_slice(), " + "), cards.sum()),
    }
}

/// The cards that nobody has before him, and those that the viewer may know.
fn cards(view: &View, phrases: &dyn Phrases) -> Vec<String> {
    let labels = phrases.labels();
    let names = |cards: ActionCards| match cards.is_empty() {
        true => "-".to_owned(),
        false => phrases.row(&cards.iter().map(|card| phrases.card(card)).collect::<Vec<_>>()),
    };
    let mut lines = Vec::new();
    let mut add = |label: String, text: String| lines.extend(paragraph(&format!("{label}: "), &text));
    for seat in &view.seats {
        let who = Who::of(seat.seat, view.seat);
        if let Some(hand) = &seat.hand {
            add(phrases.hand_of(who), values(hand.as_slice()));
        }
        if let Some(passed) = seat.passed.filter(|passed| !passed.is_empty()) {
            add(phrases.passed_to(who), names(passed));
        }
    }
    if let Some(card) = view.set_aside {
        add(labels.set_aside.to_owned(), phrases.card(card).to_owned());
    }
    if let Some(left_over) = view.left_over.filter(|_| view.round > 0) {
        add(labels.left_over.to_owned(), names(left_over));
    }
    if view.first_player.is_none() {
        return lines;
    }
    add(phrases.discards(view.discards.len()), values(&view.discards));
    match &view.deck {
        Some(deck) => add(labels.deck_order.to_owned(), values(deck)),
        None => lines.push(phrases.deck(view.deck_size)),
    }
    if view.draft_size > 0 {
        lines.push(phrases.draft(view.draft_size));
    }
    lines
}

fn values(cards: &[SupplyValue]) -> String {
    if cards.is_empty() { "-".to_owned() } else { row(cards, " ") }
}

fn row(cards: &[SupplyValue], between: &str) -> String {
    cards.iter().map(ToString::to_string).collect::<Vec<_>>().join(between)
}
