//! English.

use std::cmp::Ordering;

use super::phrases::{Labels, Phrases, enumerate, spaced};
use super::scene::{Spot, Standing, Told, Verdict, Who};
use crate::engine::{
    ActionCard, BattleView, BotLevel, Decision, DecisionKind, DrawSource, Face, House, LandKind, Move, Status,
    SupplyValue, View,
};

mod sentences;

pub(super) struct English;

impl Phrases for English {
    fn sentence(&self, told: &Told<'_>) -> String {
        sentences::sentence(told)
    }

    fn winners(&self, verdict: &Verdict) -> String {
        match verdict.winners().as_slice() {
            [one] => format!("{} won with {}.", subject(*one), points(verdict.best())),
            several => {
                let names = list(several.iter().copied().map(object));
                format!("A shared win for {names} with {} each.", points(verdict.best()))
            }
        }
    }

    fn ranking(&self, verdict: &Verdict) -> String {
        let standing = |at: &Standing| format!("{}. {} ({})", at.rank, object(at.who), at.score);
        format!("Ranking: {}.", verdict.standings.iter().map(standing).collect::<Vec<_>>().join(", "))
    }

    fn battle(&self, battle: &BattleView) -> String {
        let result = match battle.winner {
            Some(house) => format!("{} won", name(house)),
            None => "nobody won".to_owned(),
        };
        format!("The battle: Eagle {}, Rose {}; {result}.", battle.eagle, battle.rose)
    }

    fn progress(&self, view: &View) -> String {
        match view.status {
            Status::Open => {
                let taken = view.seats.iter().filter(|seat| seat.taken).count();
                format!("The game has not begun: {taken} of {} seats are taken.", view.players)
            }
            Status::Closed => "The table was closed before the game began.".to_owned(),
            Status::Running if view.round == 0 => format!("Setup of a game of {} rounds.", view.rounds),
            Status::Running | Status::Ended => format!("Round {} of {}.", view.round, view.rounds),
        }
    }

    fn decision(&self, decision: Decision, who: Who) -> String {
        let what = match decision.kind {
            DecisionKind::PlaceEstate => "place the first estate",
            DecisionKind::ChooseBattlefield => "choose the battlefield",
            DecisionKind::TakeActionCard => "keep an action card",
            DecisionKind::PlaySupplies => "play supply cards",
            DecisionKind::Build => "build with the Builder",
            DecisionKind::DiscardSupplies => "discard down to five cards",
        };
        match who {
            Who::You => format!("It is your turn to {what}."),
            Who::Seat(seat) => format!("It is the turn of Seat {} to {what}.", seat.number()),
        }
    }

    fn holders(&self, first_player: Who, strategy_card: Who) -> String {
        format!("First player: {}. Strategy card: {}.", object(first_player), object(strategy_card))
    }

    fn bots(&self, bots: &[(Who, BotLevel)]) -> String {
        let bots = bots.iter().map(|(who, of)| format!("{} ({})", object(*who), level(*of)));
        format!("Bots: {}.", bots.collect::<Vec<_>>().join(", "))
    }

    fn house(&self, house: House) -> &'static str {
        name(house)
    }

    fn land(&self, kind: LandKind) -> &'static str {
        match kind {
            LandKind::Wilderness => "wilderness",
            LandKind::Meadow => "meadow",
            LandKind::River => "river",
            LandKind::Forest => "forest",
            LandKind::Village => "village",
            LandKind::City => "city",
        }
    }

    fn card(&self, card: ActionCard) -> &'static str {
        title(card)
    }

    fn row(&self, names: &[&str]) -> String {
        names.join(", ")
    }

    fn in_round(&self, round: u8) -> String {
        match round {
            0 => "Setup:".to_owned(),
            round => format!("Round {round}:"),
        }
    }

    fn chance(&self, who: Who, before: u8, after: u8) -> String {
        let whose = match who {
            Who::You => "Your chance".to_owned(),
            Who::Seat(seat) => format!("The chance of Seat {}", seat.number()),
        };
        match before.cmp(&after) {
            Ordering::Less => format!("{whose} to win rose from {before}% to {after}%."),
            Ordering::Equal => format!("{whose} to win stayed at {after}%."),
            Ordering::Greater => format!("{whose} to win fell from {before}% to {after}%."),
        }
    }

    fn action(&self, action: &Move) -> String {
        match action {
            Move::PlaceEstate { land } => format!("estate at {}", land.number()),
            Move::ChooseBattlefield { lands: [one, other] } => {
                format!("battle for {} and {}", one.number(), other.number())
            }
            Move::TakeActionCard { card } => title(*card).to_owned(),
            Move::PlaySupplies { cards } if cards.is_empty() => "play nothing".to_owned(),
            Move::PlaySupplies { cards } => format!("play {}", spaced(cards)),
            Move::Build { land, face } => format!("{} at {}", base(*face), land.number()),
            Move::FlipBase { land } => format!("turn over the base at {}", land.number()),
            Move::PassBuild => "build nothing".to_owned(),
            Move::DiscardSupplies { cards } => format!("discard {}", spaced(cards)),
        }
    }

    fn seat(&self, who: Who) -> String {
        object(who)
    }

    fn base(&self, face: Face, who: Who) -> String {
        format!("{}, {}", base(face), object(who))
    }

    fn hand_of(&self, who: Who) -> String {
        match who {
            Who::You => "Your hand".to_owned(),
            Who::Seat(seat) => format!("Hand of Seat {}", seat.number()),
        }
    }

    fn passed_to(&self, who: Who) -> String {
        format!("Passed to {}", object(who))
    }

    fn discards(&self, count: usize) -> String {
        format!("Discard pile ({count})")
    }

    fn deck(&self, count: u8) -> String {
        format!("Supply deck: {}", cards(count, "card"))
    }

    fn draft(&self, count: u8) -> String {
        format!("Still passed on: {}", cards(count, "action card"))
    }

    fn labels(&self) -> &'static Labels {
        &Labels {
            between_sentences: " ",
            circle: "The lands in their circle, the last one beside the first (> the battlefield):",
            points: "VP for",
            base: "base",
            house: "house",
            score: "VP",
            hand: "hand",
            played: "played",
            bases_left: "bases left",
            action_card: "action card",
            face_down: "face down",
            nothing: "nothing",
            free: "free",
            taken: "taken",
            round: "round",
            action: "move",
            chance: "chance to win",
            cost: "cost",
            best: "best move",
            deck_order: "Supply deck from the top",
            set_aside: "Set aside",
            left_over: "Left over",
        }
    }
}

/// At the beginning of a sentence.
fn subject(who: Who) -> String {
    match who {
        Who::You => "You".to_owned(),
        Who::Seat(seat) => format!("Seat {}", seat.number()),
    }
}

/// Within a sentence.
fn object(who: Who) -> String {
    match who {
        Who::You => "you".to_owned(),
        Who::Seat(seat) => format!("Seat {}", seat.number()),
    }
}

const fn level(level: BotLevel) -> &'static str {
    match level {
        BotLevel::Easy => "easy",
        BotLevel::Normal => "normal",
        BotLevel::Hard => "hard",
        BotLevel::Expert => "expert",
    }
}

/// At the beginning of a sentence.
fn a_bot(of: BotLevel) -> String {
    match of {
        BotLevel::Easy | BotLevel::Expert => format!("An {} bot", level(of)),
        BotLevel::Normal | BotLevel::Hard => format!("A {} bot", level(of)),
    }
}

const fn name(house: House) -> &'static str {
    match house {
        House::Eagle => "Eagle",
        House::Rose => "Rose",
    }
}

fn land(spot: Spot) -> String {
    format!("{} ({})", spot.kind.map_or("land", |kind| English.land(kind)), spot.place.number())
}

fn of_house(spot: Spot) -> String {
    match spot.house {
        Some(house) => format!("{} {}", name(house), land(spot)),
        None => land(spot),
    }
}

const fn title(card: ActionCard) -> &'static str {
    match card {
        ActionCard::Traitor => "Traitor",
        ActionCard::Strategist => "Strategist",
        ActionCard::Diplomat5 => "Diplomat[5]",
        ActionCard::Diplomat2 => "Diplomat[2]",
        ActionCard::Builder => "Builder",
        ActionCard::Farmer => "Farmer",
        ActionCard::Mercenary => "Mercenary",
    }
}

/// There are two diplomats, told apart by their numbers, which stand in for an article.
fn with_article(card: ActionCard) -> String {
    match card {
        ActionCard::Diplomat5 | ActionCard::Diplomat2 => title(card).to_owned(),
        ActionCard::Traitor
        | ActionCard::Strategist
        | ActionCard::Builder
        | ActionCard::Farmer
        | ActionCard::Mercenary => format!("the {}", title(card)),
    }
}

const fn base(face: Face) -> &'static str {
    match face {
        Face::Estate => "estate",
        Face::TradingPost => "trading post",
    }
}

fn a_base(face: Face) -> String {
    match face {
        Face::Estate => format!("an {}", base(face)),
        Face::TradingPost => format!("a {}", base(face)),
    }
}

const fn source(source: DrawSource) -> &'static str {
    match source {
        DrawSource::Farmer => "with the Farmer",
        DrawSource::Estates => "for estates",
        DrawSource::Diplomat2 => "with Diplomat[2]",
    }
}

/// A card by its value, 1 to 99, as it is read aloud.
fn a_card(value: SupplyValue) -> String {
    match value {
        8 | 11 | 18 | 80..=89 => format!("an {value}"),
        _ => format!("a {value}"),
    }
}

fn cards(count: u8, of: &str) -> String {
    if count == 1 { format!("1 {of}") } else { format!("{count} {of}s") }
}

fn cards_were(count: u8) -> String {
    format!("{} {}", cards(count, "action card"), if count == 1 { "was" } else { "were" })
}

fn points(points: u16) -> String {
    if points == 1 { "1 point".to_owned() } else { format!("{points} points") }
}

fn list(items: impl IntoIterator<Item = impl ToString>) -> String {
    enumerate(items, ", ", " and ")
}
