//! 起きたことを日本語で。

use super::{Japanese, cards, face_name, house_name, land, level, list, name, of_house, source, title};
use crate::engine::{
    ActionCard, AwardReason, BattleView, CardSet, CloseReason, EndReason, EntropySource, Fact, House, OpeningHand,
    StartMode, TableCreated,
};
use crate::story::phrases::Phrases;
use crate::story::scene::{Told, Who};

/// One arm a fact, so that all sentences stand below one another.
pub(super) fn sentence(told: &Told<'_>) -> String {
    let who = |seat| name(told.who(seat));
    match told.fact {
        Fact::TableCreated(fact) => table_created(fact),
        Fact::SeatTaken(fact) => {
            let yours = if told.who(fact.seat) == Who::You { "(あなたの席)" } else { "" };
            let number = fact.seat.number();
            match fact.entropy_from {
                EntropySource::Bot => format!("席{number}{yours}にボットが着いた。"),
                EntropySource::Player | EntropySource::Server => format!("席{number}{yours}が埋まった。"),
            }
        }
        Fact::SeatLeft(fact) => format!("席{}が空いた。", fact.seat.number()),
        Fact::BotAssigned(fact) => {
            let yours = if told.who(fact.seat) == Who::You { "(あなたの席)" } else { "" };
            format!("これ以降は{}ボットが席{}{yours}を担当する。", level(fact.level), fact.seat.number())
        }
        Fact::TableClosed(fact) => match fact.reason {
            CloseReason::Creator => "作成者がテーブルを閉じた。".to_owned(),
            CloseReason::Expired => "長いあいだ対局が始まらなかったため、テーブルは閉じられた。".to_owned(),
        },
        Fact::GameStarted(fact) => {
            let [eagle, rose] = House::BOTH.map(|house| {
                let members = told.members(&fact.allegiances, house).into_iter().map(name);
                format!("{}は{}", house_name(house), list(members))
            });
            let (first, strategy) = (who(fact.first_player), who(fact.strategy_card));
            format!("対局が始まった。{eagle}、{rose}。初手番は{first}、戦略カードは{strategy}が持つ。")
        }
        Fact::LandsLaid(fact) => {
            let lands = told.scene.circle(&fact.lands).into_iter().map(of_house);
            format!("土地が環状に並べられた:{}。", list(lands))
        }
        Fact::EstatePlaced(fact) => format!("{}は{}に屋敷を置いた。", who(fact.seat), land(told.spot(fact.land))),
        Fact::DeckShuffled(fact) => {
            let order = told.deck().filter(|order| !order.is_empty());
            let order = order.map_or(String::new(), |order| format!("上から順に{}。", list(order)));
            match (fact.reshuffle, fact.count) {
                (0, 0) => "山札にする兵站カードはない。".to_owned(),
                (0, count) => format!("兵站カード{count}枚をシャッフルして山札にした。{order}"),
                (number, count) => {
                    format!("捨て札{count}枚をシャッフルして新しい山札にした({number}回目)。{order}")
                }
            }
        }
        Fact::SuppliesDealt(fact) => match told.supplies() {
            Some(hand) => format!("{}に兵站カード{}枚が配られた:{}。", who(fact.seat), fact.count, list(hand)),
            None => format!("{}に兵站カード{}枚が配られた。", who(fact.seat), fact.count),
        },
        Fact::RoundStarted(fact) => {
            let of = told.scene.rounds().map_or(String::new(), |rounds| format!("(全{rounds}ラウンド)"));
            format!("第{}ラウンド{of}が始まった。初手番は{}。", fact.round, who(fact.first_player))
        }
        Fact::BattlefieldChosen(fact) => {
            let [one, other] = fact.lands.map(|place| of_house(told.spot(place)));
            format!("{}は{one}と{other}を戦場に選んだ。", who(fact.seat))
        }
        Fact::ActionCardsShuffled(fact) => {
            let aside = told.set_aside().map_or(String::new(), |card| format!("脇に置かれたのは{}。", title(card)));
            format!("行動カード{}枚をシャッフルし、1枚を伏せたまま脇に置いた。{aside}", fact.count)
        }
        Fact::ActionCardsPassed(fact) => {
            let seen = told.action_cards().map_or(String::new(), |seen| format!(":{}", list(seen.iter().map(title))));
            format!("{}に行動カードが{}枚回ってきた{seen}。", who(fact.seat), fact.count)
        }
        Fact::ActionCardKept(fact) => match told.action_card() {
            Some(card) => format!("{}は{}を選んだ。", who(fact.seat), title(card)),
            None => format!("{}は1枚を選んで伏せた。", who(fact.seat)),
        },
        Fact::ActionCardsLeft(fact) => match (fact.count, told.action_cards()) {
            (0, _) => "行動カードは余らなかった。".to_owned(),
            (count, Some(left)) => {
                format!("行動カードが{count}枚余った:{}。", list(left.iter().map(title)))
            }
            (count, None) => format!("行動カードが{count}枚余った。中身を見たのは{}だけ。", who(fact.seat)),
        },
        Fact::SuppliesPlayed(fact) => match fact.cards.as_slice() {
            [] => format!("{}は兵站カードを出さなかった。", who(fact.seat)),
            [_] => format!("{}は{}出した。", who(fact.seat), cards(fact.cards.as_slice())),
            cards => format!("{}は{}出した(計{})。", who(fact.seat), super::cards(cards), fact.cards.sum()),
        },
        Fact::ActionCardsRevealed(fact) => {
            let cards = fact.cards.iter().map(|(seat, card)| format!("{}は{}", who(seat), title(*card)));
            format!("行動カードが公開された:{}。", list(cards))
        }
        Fact::AllegianceChanged(fact) => {
            let (who, card) = (who(fact.seat), title(fact.card));
            let [from, to] = [fact.house.other(), fact.house].map(house_name);
            match fact.card {
                ActionCard::Diplomat5 => {
                    format!("全員が同じ陣営になったため、{card}の{who}が{from}から{to}に移った。")
                }
                ActionCard::Traitor
                | ActionCard::Strategist
                | ActionCard::Diplomat2
                | ActionCard::Builder
                | ActionCard::Farmer
                | ActionCard::Mercenary => format!("{card}の{who}が{from}から{to}に寝返った。"),
            }
        }
        Fact::BattleFought(fact) => {
            Japanese.battle(&BattleView { eagle: fact.eagle, rose: fact.rose, winner: fact.winner })
        }
        Fact::LandTurned(fact) => {
            format!("{}は{}のものになった。", land(told.spot(fact.land)), house_name(fact.house))
        }
        Fact::PointsAwarded(fact) => {
            let reason = match fact.reason {
                AwardReason::Land => "戦いに勝って",
                AwardReason::Traitor => "反逆者を選んだので",
                AwardReason::Strategist => "戦略家を選んだので",
                AwardReason::Mercenary => "傭兵で勝って",
                AwardReason::TradingPosts => "商館によって",
            };
            format!("{}は{reason}{}点を得た。", who(fact.seat), fact.points)
        }
        Fact::BaseBuilt(fact) => {
            let (place, face) = (land(told.spot(fact.land)), face_name(fact.face));
            format!("建築家の{}は{place}に{face}を建てた。", who(fact.seat))
        }
        Fact::BaseFlipped(fact) => {
            let place = land(told.spot(fact.land));
            let [from, to] = [fact.face.other(), fact.face].map(face_name);
            format!("建築家の{}は{place}の{from}を裏返して{to}にした。", who(fact.seat))
        }
        Fact::BuildPassed(fact) => format!("建築家の{}は何も建てなかった。", who(fact.seat)),
        Fact::StrategyCardGiven(fact) if told.scene.holds_strategy_card(fact.seat) => {
            format!("戦略カードは引き続き、戦略家の{}が持つ。", who(fact.seat))
        }
        Fact::StrategyCardGiven(fact) => format!("戦略カードは戦略家の{}に渡った。", who(fact.seat)),
        Fact::PlayedSuppliesDiscarded(fact) => match &*fact.cards {
            [] => "出された兵站カードはなく、捨て札は増えなかった。".to_owned(),
            cards => format!("出されたカードが捨て札になった:{}。", list(cards)),
        },
        Fact::SuppliesDrawn(fact) => {
            let (who, source) = (who(fact.seat), source(fact.source));
            match told.supplies() {
                Some(drawn) => format!("{who}は{source}{}引いた。", cards(drawn)),
                None => format!("{who}は{source}{}枚引いた。", fact.count),
            }
        }
        Fact::DrawLost(fact) => {
            let source = source(fact.source);
            format!("山札も捨て札も尽きていたため、{}は{source}引くはずの1枚を引けなかった。", who(fact.seat))
        }
        Fact::SuppliesDiscarded(fact) => {
            format!("{}は{}捨て、手札を5枚にした。", who(fact.seat), cards(fact.cards.as_slice()))
        }
        Fact::GameEnded(fact) => {
            let reason = match fact.reason {
                EndReason::LastRound => "最終ラウンドが終わった。",
                EndReason::OneHouse => "すべての土地が同じ陣営のものになった。",
            };
            format!("{reason}{}", Japanese.verdict(&told.verdict(&fact.ranks, &fact.scores)))
        }
    }
}

fn table_created(fact: &TableCreated) -> String {
    let mut with = String::new();
    if fact.options.mercenary {
        with.push_str("傭兵を使う。");
    }
    match fact.options.opening_hand {
        OpeningHand::Dealt => {}
        OpeningHand::Fixed => with.push_str("最初の手札は全員3、4、5。"),
    }
    if *fact.card_set != CardSet::default() {
        with.push_str("独自のカードセットを使う。");
    }
    let start = match fact.start {
        StartMode::Full => "席がすべて埋まると対局が始まる。",
        StartMode::Creator => "席がすべて埋まったあと、作成者が対局を始める。",
    };
    let rounds = fact.card_set.rounds(fact.players);
    format!("{}人用、全{rounds}ラウンドのテーブルが作られた。{with}{start}", fact.players)
}
