//! English.

use super::phrases::{Labels, Phrases, enumerate};
use super::scene::{Spot, Told, Verdict, Who};
use crate::engine::{
    ActionCard, AwardReason, BattleView, CloseReason, Decision, DecisionKind, DrawSource, EndReason, EntropySource,
    Face, Fact, House, LandKind, OpeningHand, StartMode, Status, SupplyValue, TableCreated, View,
};

pub(super) struct English;

impl Phrases for English {
    fn sentence(&self, told: &Told<'_>) -> String {
        let who = |seat| subject(told.who(seat));
        let object = |seat| object(told.who(seat));
        match told.fact {
            Fact::TableCreated(fact) => table_created(fact),
            Fact::SeatTaken(fact) => {
                let yours = if told.who(fact.seat) == Who::You { " (yours)" } else { "" };
                let by = match fact.entropy_from {
                    EntropySource::Bot => " by a bot",
                    EntropySource::Player | EntropySource::Server => "",
                };
                format!("Seat {}{yours} was taken{by}.", fact.seat.number())
            }
            Fact::SeatLeft(fact) => format!("Seat {} is free again.", fact.seat.number()),
            Fact::TableClosed(fact) => match fact.reason {
                CloseReason::Creator => "The table was closed by its creator.".to_owned(),
                CloseReason::Expired => "The table was closed, as the game was not started for too long.".to_owned(),
            },
            Fact::GameStarted(fact) => {
                let [eagle, rose] = House::BOTH.map(|house| {
                    let members = told.members(&fact.allegiances, house).into_iter().map(self::object);
                    format!("{}: {}.", name(house), list(members))
                });
                let (first, strategy) = (object(fact.first_player), object(fact.strategy_card));
                format!(
                    "The game began. {eagle} {rose} The first player card went to {first}, the strategy card to {strategy}."
                )
            }
            Fact::LandsLaid(fact) => {
                let lands = told.scene.circle(&fact.lands).into_iter().map(of_house);
                format!("The lands were laid in a circle: {}.", list(lands))
            }
            Fact::EstatePlaced(fact) => {
                format!("{} placed an estate at the {}.", who(fact.seat), land(told.spot(fact.land)))
            }
            Fact::DeckShuffled(fact) => {
                let count = cards(fact.count, "card");
                let order = told.deck().filter(|order| !order.is_empty());
                let order = order.map_or(String::new(), |order| format!(" From the top: {}.", list(order)));
                match fact.reshuffle {
                    0 => format!("The supply deck was shuffled: {count}.{order}"),
                    number => {
                        format!("The discard pile was shuffled into a new deck: {count} (reshuffle {number}).{order}")
                    }
                }
            }
            Fact::SuppliesDealt(fact) => match told.supplies() {
                Some(hand) => format!("{} got an opening hand of {}.", who(fact.seat), list(hand)),
                None => format!("{} got an opening hand of {}.", who(fact.seat), cards(fact.count, "card")),
            },
            Fact::RoundStarted(fact) => {
                let of = told.scene.rounds().map_or(String::new(), |rounds| format!(" of {rounds}"));
                format!("Round {}{of} began. First player: {}.", fact.round, object(fact.first_player))
            }
            Fact::BattlefieldChosen(fact) => {
                let [one, other] = fact.lands.map(|place| of_house(told.spot(place)));
                format!("{} chose the battlefield: the {one} and the {other}.", who(fact.seat))
            }
            Fact::ActionCardsShuffled(fact) => {
                let aside = told.set_aside().map_or(String::new(), |card| format!(": {}", with_article(card)));
                format!("The {} action cards were shuffled, and one was set aside face down{aside}.", fact.count)
            }
            Fact::ActionCardsPassed(fact) => {
                let seen =
                    told.action_cards().map_or(String::new(), |seen| format!(": {}", list(seen.iter().map(title))));
                format!("{} looked at {}{seen}.", who(fact.seat), cards(fact.count, "action card"))
            }
            Fact::ActionCardKept(fact) => match told.action_card() {
                Some(card) => format!("{} kept {}.", who(fact.seat), with_article(card)),
                None => format!("{} kept one of them.", who(fact.seat)),
            },
            Fact::ActionCardsLeft(fact) => match (fact.count, told.action_cards()) {
                (0, _) => "No action card was left over.".to_owned(),
                (count, Some(left)) => {
                    let left = list(left.iter().map(title));
                    format!("{} left over: {left}.", cards_were(count))
                }
                (count, None) => format!("{} left over, seen by {} only.", cards_were(count), object(fact.seat)),
            },
            Fact::SuppliesPlayed(fact) => match fact.cards.as_slice() {
                [] => format!("{} played no supply cards.", who(fact.seat)),
                [one] => format!("{} played {}.", who(fact.seat), a_card(*one)),
                cards => format!("{} played {}: {} in all.", who(fact.seat), list(cards), fact.cards.sum()),
            },
            Fact::ActionCardsRevealed(fact) => {
                let cards = fact.cards.iter().map(|(seat, card)| format!("{} – {}", object(seat), title(*card)));
                format!("The action cards were turned up: {}.", cards.collect::<Vec<_>>().join(", "))
            }
            Fact::AllegianceChanged(fact) => {
                let [from, to] = [fact.house.other(), fact.house].map(name);
                match fact.card {
                    ActionCard::Diplomat5 => format!(
                        "All were of one house, so {} changed sides from {from} to {to} with Diplomat[5].",
                        object(fact.seat)
                    ),
                    card @ (ActionCard::Traitor
                    | ActionCard::Strategist
                    | ActionCard::Diplomat2
                    | ActionCard::Builder
                    | ActionCard::Farmer
                    | ActionCard::Mercenary) => {
                        format!("{} changed sides from {from} to {to} with {}.", who(fact.seat), with_article(card))
                    }
                }
            }
            Fact::BattleFought(fact) => {
                self.battle(&BattleView { eagle: fact.eagle, rose: fact.rose, winner: fact.winner })
            }
            Fact::LandTurned(fact) => format!("The {} turned to {}.", land(told.spot(fact.land)), name(fact.house)),
            Fact::PointsAwarded(fact) => {
                let reason = match fact.reason {
                    AwardReason::Land => "winning the battle",
                    AwardReason::Traitor => "choosing the Traitor",
                    AwardReason::Strategist => "choosing the Strategist",
                    AwardReason::Mercenary => "winning with the Mercenary",
                    AwardReason::TradingPosts => "trading posts",
                };
                format!("{} got {} for {reason}.", who(fact.seat), points(fact.points.into()))
            }
            Fact::BaseBuilt(fact) => {
                let (place, face) = (land(told.spot(fact.land)), a_base(fact.face));
                format!("{} built {face} at the {place} with the Builder.", who(fact.seat))
            }
            Fact::BaseFlipped(fact) => {
                let place = land(told.spot(fact.land));
                let [from, to] = [fact.face.other(), fact.face].map(a_base);
                format!("{} turned {from} at the {place} into {to} with the Builder.", who(fact.seat))
            }
            Fact::BuildPassed(fact) => format!("{} built nothing with the Builder.", who(fact.seat)),
            Fact::StrategyCardGiven(fact) if told.scene.holds_strategy_card(fact.seat) => {
                format!("{} kept the strategy card, as the Strategist.", who(fact.seat))
            }
            Fact::StrategyCardGiven(fact) => {
                format!("The strategy card went to {}, as the Strategist.", object(fact.seat))
            }
            Fact::PlayedSuppliesDiscarded(fact) => match &*fact.cards {
                [] => "There were no played cards to discard.".to_owned(),
                cards => format!("What was played went to the discard pile: {}.", list(cards)),
            },
            Fact::SuppliesDrawn(fact) => {
                let (who, with) = (who(fact.seat), source(fact.source));
                match told.supplies() {
                    Some([one]) => format!("{who} drew {} {with}.", a_card(*one)),
                    Some(drawn) => format!("{who} drew {} {with}.", list(drawn)),
                    None => format!("{who} drew {} {with}.", cards(fact.count, "card")),
                }
            }
            Fact::DrawLost(fact) => format!(
                "{} should have drawn a card {}, but deck and discard pile were empty.",
                who(fact.seat),
                source(fact.source)
            ),
            Fact::SuppliesDiscarded(fact) => match fact.cards.as_slice() {
                [one] => format!("{} discarded {}, down to five cards.", who(fact.seat), a_card(*one)),
                cards => format!("{} discarded {}, down to five cards.", who(fact.seat), list(cards)),
            },
            Fact::GameEnded(fact) => {
                let reason = match fact.reason {
                    EndReason::LastRound => "The last round was played.",
                    EndReason::OneHouse => "All lands showed one house.",
                };
                format!("{reason} {}", self.verdict(&told.verdict(&fact.ranks, &fact.scores)))
            }
        }
    }

    fn verdict(&self, verdict: &Verdict) -> String {
        let won = match verdict.winners().as_slice() {
            [one] => format!("{} won with {}", subject(*one), points(verdict.best())),
            several => {
                let names = list(several.iter().copied().map(object));
                format!("A shared win for {names} with {} each", points(verdict.best()))
            }
        };
        let standing = |at: &super::scene::Standing| format!("{}. {} {}", at.rank, object(at.who), at.score);
        format!("{won} ({}).", verdict.standings.iter().map(standing).collect::<Vec<_>>().join(", "))
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
            deck_order: "Supply deck from the top",
            set_aside: "Set aside",
            left_over: "Left over",
        }
    }
}

fn table_created(fact: &TableCreated) -> String {
    let rounds = fact.card_set.rounds(fact.players);
    let rounds = if rounds == 1 { "1 round".to_owned() } else { format!("{rounds} rounds") };
    let mut with = String::new();
    if fact.options.mercenary {
        with.push_str(", with the Mercenary");
    }
    match fact.options.opening_hand {
        OpeningHand::Dealt => {}
        OpeningHand::Fixed => with.push_str(", with 3, 4 and 5 as everybody's opening hand"),
    }
    if *fact.card_set != crate::engine::CardSet::default() {
        with.push_str(", with a card set of its own");
    }
    let start = match fact.start {
        StartMode::Full => "The game begins when the last seat is taken.",
        StartMode::Creator => "The game begins when its creator starts it.",
    };
    format!("A table for {} players and {rounds} was set up{with}. {start}", fact.players)
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
