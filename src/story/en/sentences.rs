//! What happened, in English.

use super::{
    English, a_base, a_bot, a_card, cards, cards_were, land, list, name, object, of_house, points, source, subject,
    title, with_article,
};
use crate::engine::{
    ActionCard, AwardReason, BattleView, CardSet, CloseReason, EndReason, EntropySource, Fact, House, OpeningHand,
    StartMode, TableCreated,
};
use crate::story::phrases::Phrases;
use crate::story::scene::{Told, Who};

/// One arm a fact, so that all sentences stand below one another.
pub(super) fn sentence(told: &Told<'_>) -> String {
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
        Fact::BotAssigned(fact) => {
            let yours = if told.who(fact.seat) == Who::You { " (yours)" } else { "" };
            format!("{} plays Seat {}{yours} from now on.", a_bot(fact.level), fact.seat.number())
        }
        Fact::TableClosed(fact) => match fact.reason {
            CloseReason::Creator => "The table was closed by its creator.".to_owned(),
            CloseReason::Expired => "The table was closed, as the game was not started for too long.".to_owned(),
        },
        Fact::GameStarted(fact) => {
            let [eagle, rose] = House::BOTH.map(|house| {
                let members = told.members(&fact.allegiances, house).into_iter().map(super::object);
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
            let seen = told.action_cards().map_or(String::new(), |seen| format!(": {}", list(seen.iter().map(title))));
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
            English.battle(&BattleView { eagle: fact.eagle, rose: fact.rose, winner: fact.winner })
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
            format!("{reason} {}", English.verdict(&told.verdict(&fact.ranks, &fact.scores)))
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
    if *fact.card_set != CardSet::default() {
        with.push_str(", with a card set of its own");
    }
    let start = match fact.start {
        StartMode::Full => "The game begins when the last seat is taken.",
        StartMode::Creator => "The game begins when its creator starts it.",
    };
    format!("A table for {} players and {rounds} was set up{with}. {start}", fact.players)
}
