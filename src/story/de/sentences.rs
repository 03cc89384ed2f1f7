//! Was geschah, auf Deutsch.

use super::{
    Case, German, a_base, accusative, capitalised, cards, dative, does, inflected, land, level, list, name, nominative,
    of_house, points, source, title,
};
use crate::engine::{
    ActionCard, AwardReason, BattleView, CardSet, CloseReason, EndReason, EntropySource, Face, Fact, House,
    OpeningHand, StartMode, TableCreated,
};
use crate::story::phrases::Phrases;
use crate::story::scene::{Told, Who};

/// One arm a fact, so that all sentences stand below one another.
pub(super) fn sentence(told: &Told<'_>) -> String {
    let dative = |seat| dative(told.who(seat));
    // Who does something: the verb has a form for the reader and another one for somebody else.
    let does = |seat, you, other| does(told.who(seat), you, other);
    match told.fact {
        Fact::TableCreated(fact) => table_created(fact),
        Fact::SeatTaken(fact) => {
            let yours = if told.who(fact.seat) == Who::You { " (deinen)" } else { "" };
            let by = match fact.entropy_from {
                EntropySource::Bot => "Ein Bot",
                EntropySource::Player | EntropySource::Server => "Jemand",
            };
            format!("{by} nimmt Platz {}{yours} ein.", fact.seat.number())
        }
        Fact::SeatLeft(fact) => format!("Platz {} ist wieder frei.", fact.seat.number()),
        Fact::BotAssigned(fact) => {
            let yours = if told.who(fact.seat) == Who::You { " (deinem)" } else { "" };
            format!("Ab jetzt spielt ein Bot ({}) auf Platz {}{yours}.", level(fact.level), fact.seat.number())
        }
        Fact::TableClosed(fact) => match fact.reason {
            CloseReason::Creator => "Der Gastgeber schließt den Tisch.".to_owned(),
            CloseReason::Expired => {
                "Der Tisch wird geschlossen, weil die Partie zu lange nicht begonnen hat.".to_owned()
            }
        },
        Fact::GameStarted(fact) => {
            let [eagle, rose] = House::BOTH.map(|house| {
                let members = told.members(&fact.allegiances, house).into_iter().map(nominative);
                format!("Haus {}: {}.", name(house), list(members))
            });
            let (first, strategy) = (accusative(told.who(fact.first_player)), accusative(told.who(fact.strategy_card)));
            format!(
                "Die Partie beginnt. {eagle} {rose} Die Startspielerkarte geht an {first}, die Strategiekarte an \
                 {strategy}."
            )
        }
        Fact::LandsLaid(fact) => {
            let lands = told.scene.circle(&fact.lands).into_iter().map(of_house);
            format!("Die Landschaften liegen im Kreis: {}.", list(lands))
        }
        Fact::EstatePlaced(fact) => {
            let place = land(told.spot(fact.land), Case::Accusative);
            format!("{} einen Gutshof an {place}.", does(fact.seat, "legst", "legt"))
        }
        Fact::DeckShuffled(fact) => {
            let count = cards(fact.count, "Karte");
            let order = told.deck().filter(|order| !order.is_empty());
            let order = order.map_or(String::new(), |order| format!(" Von oben: {}.", list(order)));
            match fact.reshuffle {
                0 => format!("Der Nachziehstapel wird gemischt: {count}.{order}"),
                number => format!(
                    "Der Ablagestapel wird gemischt und zum neuen Nachziehstapel: {count} ({number}. Mal).{order}"
                ),
            }
        }
        Fact::SuppliesDealt(fact) => {
            let hand = told.supplies().map_or_else(|| cards(fact.count, "Karte"), list);
            format!("{} als Starthand {hand}.", does(fact.seat, "erhältst", "erhält"))
        }
        Fact::RoundStarted(fact) => {
            let of = told.scene.rounds().map_or(String::new(), |rounds| format!(" von {rounds}"));
            let first = nominative(told.who(fact.first_player));
            format!("Runde {}{of} beginnt. Startspieler: {first}.", fact.round)
        }
        Fact::BattlefieldChosen(fact) => {
            let [one, other] = fact.lands.map(|place| of_house(told.spot(place)));
            format!("{} den Ort des Konflikts: {one} und {other}.", does(fact.seat, "wählst", "wählt"))
        }
        Fact::ActionCardsShuffled(fact) => {
            let aside = told.set_aside().map_or(String::new(), |card| format!(": {}", title(card)));
            format!("Die {} Aktionskarten werden gemischt; eine kommt verdeckt beiseite{aside}.", fact.count)
        }
        Fact::ActionCardsPassed(fact) => {
            let seen = told.action_cards().map_or(String::new(), |seen| format!(": {}", list(seen.iter().map(title))));
            format!("{} {}{seen}.", does(fact.seat, "bekommst", "bekommt"), cards(fact.count, "Aktionskarte"))
        }
        Fact::ActionCardKept(fact) => {
            let card = told.action_card().map_or("eine davon".to_owned(), |card| format!("den {}", inflected(card)));
            format!("{} {card}.", does(fact.seat, "behältst", "behält"))
        }
        Fact::ActionCardsLeft(fact) => {
            let left = match fact.count {
                0 => return "Keine Aktionskarte bleibt übrig.".to_owned(),
                1 => "1 Aktionskarte bleibt übrig".to_owned(),
                count => format!("{count} Aktionskarten bleiben übrig"),
            };
            match told.action_cards() {
                Some(cards) => format!("{left}: {}.", list(cards.iter().map(title))),
                None => format!("{left}, nur von {} gesehen.", dative(fact.seat)),
            }
        }
        Fact::SuppliesPlayed(fact) => {
            let plays = does(fact.seat, "spielst", "spielt");
            match fact.cards.as_slice() {
                [] => format!("{plays} keine Versorgungskarte."),
                [one] => format!("{plays} eine {one}."),
                cards => format!("{plays} {}, zusammen {}.", list(cards), fact.cards.sum()),
            }
        }
        Fact::ActionCardsRevealed(fact) => {
            let who = |seat| nominative(told.who(seat));
            let cards = fact.cards.iter().map(|(seat, card)| format!("{} – {}", who(seat), title(*card)));
            format!("Die Aktionskarten werden aufgedeckt: {}.", cards.collect::<Vec<_>>().join(", "))
        }
        Fact::AllegianceChanged(fact) => {
            let [from, to] = [fact.house.other(), fact.house].map(name);
            let (who, card) = (told.who(fact.seat), title(fact.card));
            match fact.card {
                ActionCard::Diplomat5 => {
                    let changes = if who == Who::You { "wechselst" } else { "wechselt" };
                    let who = nominative(who);
                    format!("Da alle zu einem Haus gehören, {changes} {who} als {card} von Haus {from} zu Haus {to}.")
                }
                ActionCard::Traitor
                | ActionCard::Strategist
                | ActionCard::Diplomat2
                | ActionCard::Builder
                | ActionCard::Farmer
                | ActionCard::Mercenary => {
                    let changes = does(fact.seat, "wechselst", "wechselt");
                    format!("{changes} als {card} von Haus {from} zu Haus {to}.")
                }
            }
        }
        Fact::BattleFought(fact) => {
            German.battle(&BattleView { eagle: fact.eagle, rose: fact.rose, winner: fact.winner })
        }
        Fact::LandTurned(fact) => {
            let place = capitalised(&land(told.spot(fact.land), Case::Nominative));
            format!("{place} fällt an Haus {}.", name(fact.house))
        }
        Fact::PointsAwarded(fact) => {
            let reason = match fact.reason {
                AwardReason::Land => "für den gewonnenen Konflikt",
                AwardReason::Traitor => "für die Wahl des Verräters",
                AwardReason::Strategist => "für die Wahl des Strategen",
                AwardReason::Mercenary => "für den Sieg mit dem Söldner",
                AwardReason::TradingPosts => "für Kontore",
            };
            format!("{} {} {reason}.", does(fact.seat, "erhältst", "erhält"), points(fact.points.into()))
        }
        Fact::BaseBuilt(fact) => {
            let (place, face) = (land(told.spot(fact.land), Case::Accusative), a_base(fact.face));
            format!("{} als Baumeister {face} an {place}.", does(fact.seat, "baust", "baut"))
        }
        Fact::BaseFlipped(fact) => {
            let (place, face) = (land(told.spot(fact.land), Case::At), a_base(fact.face));
            let from = match fact.face.other() {
                Face::Estate => "dem Gutshof",
                Face::TradingPost => "dem Kontor",
            };
            format!("{} als Baumeister aus {from} {place} {face}.", does(fact.seat, "machst", "macht"))
        }
        Fact::BuildPassed(fact) => format!("{} als Baumeister nichts.", does(fact.seat, "baust", "baut")),
        Fact::StrategyCardGiven(fact) if told.scene.holds_strategy_card(fact.seat) => {
            format!("{} als Stratege die Strategiekarte.", does(fact.seat, "behältst", "behält"))
        }
        Fact::StrategyCardGiven(fact) => {
            format!("{} als Stratege die Strategiekarte.", does(fact.seat, "erhältst", "erhält"))
        }
        Fact::PlayedSuppliesDiscarded(fact) => match &*fact.cards {
            [] => "Es sind keine gespielten Karten abzulegen.".to_owned(),
            [one] => format!("Die gespielte Karte kommt auf den Ablagestapel: {one}."),
            cards => format!("Die gespielten Karten kommen auf den Ablagestapel: {}.", list(cards)),
        },
        Fact::SuppliesDrawn(fact) => {
            let drawn = match told.supplies() {
                Some([one]) => format!("eine {one}"),
                Some(drawn) => list(drawn),
                None => cards(fact.count, "Karte"),
            };
            format!("{} {drawn} {}.", does(fact.seat, "ziehst", "zieht"), source(fact.source))
        }
        Fact::DrawLost(fact) => {
            let who = told.who(fact.seat);
            let must_do_without = if who == Who::You { "entgeht dir" } else { "entgeht" };
            let who = if who == Who::You { String::new() } else { format!(" {}", nominative(who)) };
            let source = source(fact.source);
            format!("Nachzieh- und Ablagestapel sind leer; {source} {must_do_without}{who} eine Karte.")
        }
        Fact::SuppliesDiscarded(fact) => {
            let discarded = match fact.cards.as_slice() {
                [one] => format!("eine {one}"),
                cards => list(cards),
            };
            let keeps = if told.who(fact.seat) == Who::You { "behältst" } else { "behält" };
            format!("{} {discarded} ab und {keeps} fünf Karten.", does(fact.seat, "wirfst", "wirft"))
        }
        Fact::GameEnded(fact) => {
            let reason = match fact.reason {
                EndReason::LastRound => "Die letzte Runde ist gespielt.",
                EndReason::OneHouse => "Alle Landschaften gehören zu einem Haus.",
            };
            format!("{reason} {}", German.verdict(&told.verdict(&fact.ranks, &fact.scores)))
        }
    }
}

fn table_created(fact: &TableCreated) -> String {
    let rounds = fact.card_set.rounds(fact.players);
    let rounds = if rounds == 1 { "1 Runde".to_owned() } else { format!("{rounds} Runden") };
    let mut with = String::new();
    if fact.options.mercenary {
        with.push_str(", mit Söldner");
    }
    match fact.options.opening_hand {
        OpeningHand::Dealt => {}
        OpeningHand::Fixed => with.push_str(", mit 3, 4 und 5 als Starthand für alle"),
    }
    if *fact.card_set != CardSet::default() {
        with.push_str(", mit eigenem Kartensatz");
    }
    let start = match fact.start {
        StartMode::Full => "Die Partie beginnt, sobald alle Plätze besetzt sind.",
        StartMode::Creator => "Die Partie beginnt, sobald der Gastgeber sie startet.",
    };
    format!("Ein Tisch für {} Spieler und {rounds} wird eröffnet{with}. {start}", fact.players)
}
