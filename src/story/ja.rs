//! 日本語。常体で、用語は日本語版のルールに合わせる。
//!
//! Only characters that are two columns wide in every terminal, or one in every terminal: no … and no ×.

use super::phrases::{Labels, Phrases, enumerate};
use super::scene::{Spot, Standing, Told, Verdict, Who};
use crate::engine::{
    ActionCard, AwardReason, BattleView, CardSet, CloseReason, Decision, DecisionKind, DrawSource, EndReason,
    EntropySource, Face, Fact, House, LandKind, OpeningHand, StartMode, Status, SupplyValue, TableCreated, View,
};

pub(super) struct Japanese;

impl Phrases for Japanese {
    fn sentence(&self, told: &Told<'_>) -> String {
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
                    (0, count) => format!("兵站カード{count}枚がシャッフルされ、山札になった。{order}"),
                    (number, count) => {
                        format!("捨て札{count}枚がシャッフルされ、新しい山札になった({number}回目)。{order}")
                    }
                }
            }
            Fact::SuppliesDealt(fact) => match told.supplies() {
                Some(hand) => format!("{}に兵站カードが配られた:{}。", who(fact.seat), list(hand)),
                None => format!("{}に兵站カードが{}枚配られた。", who(fact.seat), fact.count),
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
                let aside = told.set_aside().map_or(String::new(), |card| format!("除かれたのは{}。", title(card)));
                format!("行動カード{}枚がシャッフルされ、1枚が伏せたまま除かれた。{aside}", fact.count)
            }
            Fact::ActionCardsPassed(fact) => {
                let seen =
                    told.action_cards().map_or(String::new(), |seen| format!(":{}", list(seen.iter().map(title))));
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
                [_] => format!("{}は{}を出した。", who(fact.seat), cards(fact.cards.as_slice())),
                cards => format!("{}は{}を出した(計{})。", who(fact.seat), self::cards(cards), fact.cards.sum()),
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
                self.battle(&BattleView { eagle: fact.eagle, rose: fact.rose, winner: fact.winner })
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
                cards => format!("出された{}が捨て札になった。", self::cards(cards)),
            },
            Fact::SuppliesDrawn(fact) => {
                let (who, source) = (who(fact.seat), source(fact.source));
                match told.supplies() {
                    Some(drawn) => format!("{who}は{source}により{}を引いた。", cards(drawn)),
                    None => format!("{who}は{source}により{}枚引いた。", fact.count),
                }
            }
            Fact::DrawLost(fact) => {
                let source = source(fact.source);
                format!("山札も捨て札もないため、{}は{source}による1枚を引けなかった。", who(fact.seat))
            }
            Fact::SuppliesDiscarded(fact) => {
                format!("{}は{}を捨て、手札を5枚にした。", who(fact.seat), cards(fact.cards.as_slice()))
            }
            Fact::GameEnded(fact) => {
                let reason = match fact.reason {
                    EndReason::LastRound => "最終ラウンドが終わった。",
                    EndReason::OneHouse => "すべての土地が同じ陣営のものになった。",
                };
                format!("{reason}{}", self.verdict(&told.verdict(&fact.ranks, &fact.scores)))
            }
        }
    }

    fn verdict(&self, verdict: &Verdict) -> String {
        let won = match verdict.winners().as_slice() {
            [one] => format!("{}の勝利", name(*one)),
            several => format!("{}が同点で勝利を分け合った", list(several.iter().copied().map(name))),
        };
        let standing = |at: &Standing| format!("{}位{}{}点", at.rank, name(at.who), at.score);
        format!("{won}({})。", list(verdict.standings.iter().map(standing)))
    }

    fn battle(&self, battle: &BattleView) -> String {
        let result = match battle.winner {
            Some(house) => format!("{}の勝ち", house_name(house)),
            None => "引き分け".to_owned(),
        };
        format!("戦いは鷹の家{}対薔薇の家{}で{result}。", battle.eagle, battle.rose)
    }

    fn progress(&self, view: &View) -> String {
        match view.status {
            Status::Open => {
                let taken = view.seats.iter().filter(|seat| seat.taken).count();
                format!("対局はまだ始まっていない({}席のうち{taken}席が埋まっている)。", view.players)
            }
            Status::Closed => "対局が始まる前にテーブルは閉じられた。".to_owned(),
            Status::Running if view.round == 0 => format!("準備中(全{}ラウンド)。", view.rounds),
            Status::Running | Status::Ended => format!("第{}ラウンド(全{}ラウンド)。", view.round, view.rounds),
        }
    }

    fn decision(&self, decision: Decision, who: Who) -> String {
        let what = match decision.kind {
            DecisionKind::PlaceEstate => "最初の屋敷を置く",
            DecisionKind::ChooseBattlefield => "戦場を選ぶ",
            DecisionKind::TakeActionCard => "行動カードを1枚選ぶ",
            DecisionKind::PlaySupplies => "兵站カードを出す",
            DecisionKind::Build => "建築家の行動をする",
            DecisionKind::DiscardSupplies => "手札が5枚になるまで捨てる",
        };
        format!("{}の番:{what}。", name(who))
    }

    fn holders(&self, first_player: Who, strategy_card: Who) -> String {
        format!("初手番:{}。戦略カード:{}。", name(first_player), name(strategy_card))
    }

    fn house(&self, house: House) -> &'static str {
        house_name(house)
    }

    fn land(&self, kind: LandKind) -> &'static str {
        match kind {
            LandKind::Wilderness => "荒地",
            LandKind::Meadow => "牧草地",
            LandKind::River => "川",
            LandKind::Forest => "森",
            LandKind::Village => "村",
            LandKind::City => "都市",
        }
    }

    fn card(&self, card: ActionCard) -> &'static str {
        title(card)
    }

    fn row(&self, names: &[&str]) -> String {
        names.join("、")
    }

    fn seat(&self, who: Who) -> String {
        name(who)
    }

    fn base(&self, face: Face, who: Who) -> String {
        format!("{}の{}", name(who), face_name(face))
    }

    fn hand_of(&self, who: Who) -> String {
        format!("{}の手札", name(who))
    }

    fn passed_to(&self, who: Who) -> String {
        format!("{}に回ってきた行動カード", name(who))
    }

    fn discards(&self, count: usize) -> String {
        format!("捨て札({count}枚)")
    }

    fn deck(&self, count: u8) -> String {
        format!("山札: {count}枚")
    }

    fn draft(&self, count: u8) -> String {
        format!("回っている行動カード: {count}枚")
    }

    fn labels(&self) -> &'static Labels {
        &Labels {
            circle: "土地は環状に並び、最後の土地は0番の隣にある(>は戦場):",
            points: "勝者数と点",
            base: "拠点",
            house: "所属",
            score: "勝利点",
            hand: "手札",
            played: "出したカード",
            bases_left: "残り拠点",
            action_card: "行動カード",
            face_down: "伏せ札",
            nothing: "なし",
            free: "空席",
            taken: "着席",
            deck_order: "山札(上から)",
            set_aside: "除かれた行動カード",
            left_over: "余った行動カード",
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

fn name(who: Who) -> String {
    match who {
        Who::You => "あなた".to_owned(),
        Who::Seat(seat) => format!("席{}", seat.number()),
    }
}

const fn house_name(house: House) -> &'static str {
    match house {
        House::Eagle => "鷹の家",
        House::Rose => "薔薇の家",
    }
}

fn land(spot: Spot) -> String {
    format!("{}({})", spot.kind.map_or("土地", |kind| Japanese.land(kind)), spot.place.number())
}

fn of_house(spot: Spot) -> String {
    match spot.house {
        Some(house) => format!("{}の{}", house_name(house), land(spot)),
        None => land(spot),
    }
}

const fn title(card: ActionCard) -> &'static str {
    match card {
        ActionCard::Traitor => "反逆者",
        ActionCard::Strategist => "戦略家",
        ActionCard::Diplomat5 => "外交家5",
        ActionCard::Diplomat2 => "外交家2",
        ActionCard::Builder => "建築家",
        ActionCard::Farmer => "農業家",
        ActionCard::Mercenary => "傭兵",
    }
}

const fn face_name(face: Face) -> &'static str {
    match face {
        Face::Estate => "屋敷",
        Face::TradingPost => "商館",
    }
}

const fn source(source: DrawSource) -> &'static str {
    match source {
        DrawSource::Farmer => "農業家",
        DrawSource::Estates => "屋敷",
        DrawSource::Diplomat2 => "外交家2",
    }
}

/// Values with their count, as 3 alone could be three cards.
fn cards(values: &[SupplyValue]) -> String {
    match values {
        [one] => format!("{one}のカード1枚"),
        several => format!("{}の{}枚", list(several), several.len()),
    }
}

fn list(items: impl IntoIterator<Item = impl ToString>) -> String {
    enumerate(items, "、", "、")
}
