//! Deutsch, mit den Wörtern der Spielregel von 1998 und in ihrer Zeitform, der Gegenwart.

use std::cmp::Ordering;

use super::phrases::{Labels, Phrases, enumerate, spaced};
use super::scene::{Spot, Standing, Told, Verdict, Who};
use crate::engine::{
    ActionCard, BattleView, BotLevel, Decision, DecisionKind, DrawSource, Face, House, LandKind, Move, Status, View,
};

mod sentences;

pub(super) struct German;

impl Phrases for German {
    fn sentence(&self, told: &Told<'_>) -> String {
        sentences::sentence(told)
    }

    fn winners(&self, verdict: &Verdict) -> String {
        let best = with_points(verdict.best());
        match verdict.winners().as_slice() {
            [one] => format!("{} {best}.", does(*one, "gewinnst", "gewinnt")),
            several => {
                format!("Geteilter Sieg für {} {best}.", list(several.iter().copied().map(accusative)))
            }
        }
    }

    fn ranking(&self, verdict: &Verdict) -> String {
        let standing = |at: &Standing| format!("Rang {}: {} ({})", at.rank, nominative(at.who), at.score);
        format!("{}.", verdict.standings.iter().map(standing).collect::<Vec<_>>().join(", "))
    }

    fn battle(&self, battle: &BattleView) -> String {
        let result = match battle.winner {
            Some(house) => format!("Haus {} siegt", name(house)),
            None => "niemand siegt".to_owned(),
        };
        format!("Der Konflikt: Adler {}, Rose {}; {result}.", battle.eagle, battle.rose)
    }

    fn progress(&self, view: &View) -> String {
        match view.status {
            Status::Open => {
                let taken = view.seats.iter().filter(|seat| seat.taken).count();
                format!("Die Partie hat nicht begonnen: {taken} von {} Plätzen besetzt.", view.players)
            }
            Status::Closed => "Der Tisch wurde vor Beginn der Partie geschlossen.".to_owned(),
            Status::Running if view.round == 0 => format!("Aufbau, dann Runde 1 von {}.", view.rounds),
            Status::Running | Status::Ended => format!("Runde {} von {}.", view.round, view.rounds),
        }
    }

    fn decision(&self, decision: Decision, who: Who) -> String {
        let what = match decision.kind {
            DecisionKind::PlaceEstate => "den ersten Gutshof legen",
            DecisionKind::ChooseBattlefield => "den Ort des Konflikts wählen",
            DecisionKind::TakeActionCard => "eine Aktionskarte behalten",
            DecisionKind::PlaySupplies => "Versorgungskarten spielen",
            DecisionKind::Build => "als Baumeister bauen",
            DecisionKind::DiscardSupplies => "bis auf fünf Karten abwerfen",
        };
        format!("{} am Zug: {what}.", does(who, "bist", "ist"))
    }

    fn holders(&self, first_player: Who, strategy_card: Who) -> String {
        format!("Startspieler: {}. Strategiekarte: {}.", nominative(first_player), nominative(strategy_card))
    }

    fn bots(&self, bots: &[(Who, BotLevel)]) -> String {
        let bots = bots.iter().map(|(who, of)| format!("{} ({})", nominative(*who), level(*of)));
        format!("Bots: {}.", bots.collect::<Vec<_>>().join(", "))
    }

    fn house(&self, house: House) -> &'static str {
        name(house)
    }

    fn land(&self, kind: LandKind) -> &'static str {
        match kind {
            LandKind::Wilderness => "Ödnis",
            LandKind::Meadow => "Weide",
            LandKind::River => "Fluss",
            LandKind::Forest => "Wald",
            LandKind::Village => "Dorf",
            LandKind::City => "Stadt",
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
            0 => "Aufbau:".to_owned(),
            round => format!("Runde {round}:"),
        }
    }

    fn chance(&self, who: Who, before: u8, after: u8) -> String {
        let whose = match who {
            Who::You => "Deine Siegchance".to_owned(),
            Who::Seat(seat) => format!("Die Siegchance von Platz {}", seat.number()),
        };
        match before.cmp(&after) {
            Ordering::Less => format!("{whose} steigt von {before} % auf {after} %."),
            Ordering::Equal => format!("{whose} bleibt bei {after} %."),
            Ordering::Greater => format!("{whose} sinkt von {before} % auf {after} %."),
        }
    }

    fn action(&self, action: &Move) -> String {
        match action {
            Move::PlaceEstate { land } => format!("Gutshof an {}", land.number()),
            Move::ChooseBattlefield { lands: [one, other] } => {
                format!("Konflikt um {} und {}", one.number(), other.number())
            }
            Move::TakeActionCard { card } => title(*card).to_owned(),
            Move::PlaySupplies { cards } if cards.is_empty() => "nichts spielen".to_owned(),
            Move::PlaySupplies { cards } => format!("{} spielen", spaced(cards)),
            Move::Build { land, face } => format!("{} an {}", base(*face), land.number()),
            Move::FlipBase { land } => format!("Gebäude an {} umdrehen", land.number()),
            Move::PassBuild => "nichts bauen".to_owned(),
            Move::DiscardSupplies { cards } => format!("{} abwerfen", spaced(cards)),
        }
    }

    fn seat(&self, who: Who) -> String {
        nominative(who)
    }

    fn base(&self, face: Face, who: Who) -> String {
        format!("{}, {}", base(face), nominative(who))
    }

    fn hand_of(&self, who: Who) -> String {
        match who {
            Who::You => "Deine Hand".to_owned(),
            Who::Seat(seat) => format!("Hand von Platz {}", seat.number()),
        }
    }

    fn passed_to(&self, who: Who) -> String {
        format!("Weitergegeben an {}", accusative(who))
    }

    fn discards(&self, count: usize) -> String {
        format!("Ablagestapel ({count})")
    }

    fn deck(&self, count: u8) -> String {
        format!("Nachziehstapel: {}", cards(count, "Karte"))
    }

    fn draft(&self, count: u8) -> String {
        format!("Noch zur Auswahl: {}", cards(count, "Aktionskarte"))
    }

    fn labels(&self) -> &'static Labels {
        &Labels {
            between_sentences: " ",
            circle: "Die Landschaften im Kreis, die letzte neben der ersten (> der Konflikt):",
            points: "SP für",
            base: "Gebäude",
            house: "Haus",
            score: "SP",
            hand: "Hand",
            played: "gespielt",
            bases_left: "Vorrat",
            action_card: "Aktionskarte",
            face_down: "verdeckt",
            nothing: "nichts",
            free: "frei",
            taken: "besetzt",
            round: "Runde",
            action: "Zug",
            chance: "Siegchance",
            cost: "Verlust",
            best: "bester Zug",
            deck_order: "Nachziehstapel von oben",
            set_aside: "Beiseitegelegt",
            left_over: "Übrig geblieben",
        }
    }
}

/// How a land stands in a sentence.
#[derive(Clone, Copy)]
enum Case {
    /// der Fluss
    Nominative,
    /// den Fluss
    Accusative,
    /// am Fluss
    At,
}

fn nominative(who: Who) -> String {
    match who {
        Who::You => "du".to_owned(),
        Who::Seat(seat) => format!("Platz {}", seat.number()),
    }
}

fn dative(who: Who) -> String {
    match who {
        Who::You => "dir".to_owned(),
        Who::Seat(seat) => format!("Platz {}", seat.number()),
    }
}

fn accusative(who: Who) -> String {
    match who {
        Who::You => "dich".to_owned(),
        Who::Seat(seat) => format!("Platz {}", seat.number()),
    }
}

/// Subject and verb at the beginning of a sentence.
fn does(who: Who, you: &str, other: &str) -> String {
    match who {
        Who::You => format!("Du {you}"),
        Who::Seat(seat) => format!("Platz {} {other}", seat.number()),
    }
}

const fn level(level: BotLevel) -> &'static str {
    match level {
        BotLevel::Easy => "leicht",
        BotLevel::Normal => "normal",
        BotLevel::Hard => "schwer",
        BotLevel::Expert => "Experte",
    }
}

const fn name(house: House) -> &'static str {
    match house {
        House::Eagle => "Adler",
        House::Rose => "Rose",
    }
}

/// A land with its article, and with its preposition where the two become one.
fn land(spot: Spot, case: Case) -> String {
    let article = match (spot.kind, case) {
        (Some(LandKind::River | LandKind::Forest), Case::Nominative) => "der",
        (Some(LandKind::River | LandKind::Forest), Case::Accusative) => "den",
        (Some(LandKind::Village), Case::Nominative | Case::Accusative) => "das",
        (Some(LandKind::River | LandKind::Forest | LandKind::Village), Case::At) => "am",
        (Some(LandKind::Wilderness | LandKind::Meadow | LandKind::City) | None, Case::At) => "an der",
        (
            Some(LandKind::Wilderness | LandKind::Meadow | LandKind::City) | None,
            Case::Nominative | Case::Accusative,
        ) => "die",
    };
    format!("{article} {}", bare(spot))
}

fn bare(spot: Spot) -> String {
    format!("{} ({})", spot.kind.map_or("Landschaft", |kind| German.land(kind)), spot.place.number())
}

fn of_house(spot: Spot) -> String {
    match spot.house {
        Some(House::Eagle) => format!("Adler-{}", bare(spot)),
        Some(House::Rose) => format!("Rosen-{}", bare(spot)),
        None => bare(spot),
    }
}

const fn title(card: ActionCard) -> &'static str {
    match card {
        ActionCard::Traitor => "Verräter",
        ActionCard::Strategist => "Stratege",
        ActionCard::Diplomat5 => "Diplomat +5",
        ActionCard::Diplomat2 => "Diplomat +2",
        ActionCard::Builder => "Baumeister",
        ActionCard::Farmer => "Bauer",
        ActionCard::Mercenary => "Söldner",
    }
}

/// The card in any case but the nominative.
const fn inflected(card: ActionCard) -> &'static str {
    match card {
        ActionCard::Strategist => "Strategen",
        ActionCard::Diplomat5 => "Diplomaten +5",
        ActionCard::Diplomat2 => "Diplomaten +2",
        ActionCard::Farmer => "Bauern",
        ActionCard::Traitor | ActionCard::Builder | ActionCard::Mercenary => title(card),
    }
}

const fn base(face: Face) -> &'static str {
    match face {
        Face::Estate => "Gutshof",
        Face::TradingPost => "Kontor",
    }
}

const fn a_base(face: Face) -> &'static str {
    match face {
        Face::Estate => "einen Gutshof",
        Face::TradingPost => "ein Kontor",
    }
}

const fn source(source: DrawSource) -> &'static str {
    match source {
        DrawSource::Farmer => "mit dem Bauern",
        DrawSource::Estates => "für Gutshöfe",
        DrawSource::Diplomat2 => "mit dem Diplomaten +2",
    }
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

fn cards(count: u8, of: &str) -> String {
    if count == 1 { format!("1 {of}") } else { format!("{count} {of}n") }
}

fn points(points: u16) -> String {
    if points == 1 { "1 Siegpunkt".to_owned() } else { format!("{points} Siegpunkte") }
}

fn with_points(points: u16) -> String {
    if points == 1 { "mit 1 Siegpunkt".to_owned() } else { format!("mit {points} Siegpunkten") }
}

fn list(items: impl IntoIterator<Item = impl ToString>) -> String {
    enumerate(items, ", ", " und ")
}
