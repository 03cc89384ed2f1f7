//! 日本語。常体で、用語は日本語版のルールに合わせる。
//!
//! Only characters that are two columns wide in every terminal, or one in every terminal: no … and no ×.

use std::cmp::Ordering;

use super::phrases::{Labels, Phrases, enumerate, spaced};
use super::scene::{Spot, Standing, Told, Verdict, Who};
use crate::engine::{
    ActionCard, BattleView, BotLevel, Decision, DecisionKind, DrawSource, Face, House, LandKind, Move, Status,
    SupplyValue, View,
};

mod sentences;

pub(super) struct Japanese;

impl Phrases for Japanese {
    fn sentence(&self, told: &Told<'_>) -> String {
        sentences::sentence(told)
    }

    fn winners(&self, verdict: &Verdict) -> String {
        match verdict.winners().as_slice() {
            [one] => format!("{}が{}点で勝利。", name(*one), verdict.best()),
            several => {
                format!("{}が同点({}点)で勝利を分け合った。", list(several.iter().copied().map(name)), verdict.best())
            }
        }
    }

    fn ranking(&self, verdict: &Verdict) -> String {
        let standing = |at: &Standing| format!("{}位:{}({}点)", at.rank, name(at.who), at.score);
        format!("順位は{}。", list(verdict.standings.iter().map(standing)))
    }

    fn battle(&self, battle: &BattleView) -> String {
        let result = match battle.winner {
            Some(house) => format!("{}の勝ち", house_name(house)),
            None => "引き分け".to_owned(),
        };
        format!("戦いは鷹の家{}、薔薇の家{}で、{result}。", battle.eagle, battle.rose)
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

    fn bots(&self, bots: &[(Who, BotLevel)]) -> String {
        let bots = bots.iter().map(|(who, of)| format!("{}({})", name(*who), level(*of)));
        format!("ボット:{}。", list(bots))
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

    fn in_round(&self, round: u8) -> String {
        match round {
            0 => "準備:".to_owned(),
            round => format!("第{round}ラウンド:"),
        }
    }

    fn chance(&self, who: Who, before: u8, after: u8) -> String {
        let whose = name(who);
        match before.cmp(&after) {
            Ordering::Less => format!("{whose}の勝率は{before}%から{after}%に上がった。"),
            Ordering::Equal => format!("{whose}の勝率は{after}%のまま変わらなかった。"),
            Ordering::Greater => format!("{whose}の勝率は{before}%から{after}%に下がった。"),
        }
    }

    fn action(&self, action: &Move) -> String {
        match action {
            Move::PlaceEstate { land } => format!("{}番に屋敷", land.number()),
            Move::ChooseBattlefield { lands: [one, other] } => {
                format!("戦場は{}番と{}番", one.number(), other.number())
            }
            Move::TakeActionCard { card } => title(*card).to_owned(),
            Move::PlaySupplies { cards } if cards.is_empty() => "何も出さない".to_owned(),
            Move::PlaySupplies { cards } => format!("{}を出す", spaced(cards)),
            Move::Build { land, face } => format!("{}番に{}", land.number(), face_name(*face)),
            Move::FlipBase { land } => format!("{}番の拠点を裏返す", land.number()),
            Move::PassBuild => "何も建てない".to_owned(),
            Move::DiscardSupplies { cards } => format!("{}を捨てる", spaced(cards)),
        }
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
            between_sentences: "",
            circle: "環状に並んだ土地。最後の土地は0番と隣り合う(>は戦場):",
            points: "勝利点(人数別)",
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
            round: "ラウンド",
            action: "手",
            chance: "勝率",
            cost: "損失",
            best: "最善手",
            deck_order: "山札(上から)",
            set_aside: "脇に置かれた行動カード",
            left_over: "余った行動カード",
        }
    }
}

fn name(who: Who) -> String {
    match who {
        Who::You => "あなた".to_owned(),
        Who::Seat(seat) => format!("席{}", seat.number()),
    }
}

const fn level(level: BotLevel) -> &'static str {
    match level {
        BotLevel::Easy => "初級",
        BotLevel::Normal => "中級",
        BotLevel::Hard => "上級",
        BotLevel::Expert => "達人級",
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
        DrawSource::Farmer => "農業家の効果で",
        DrawSource::Estates => "屋敷の効果で",
        DrawSource::Diplomat2 => "外交家2の効果で",
    }
}

/// Values with their count, before a verb: 3 alone could be three cards.
fn cards(values: &[SupplyValue]) -> String {
    match values {
        [one] => format!("{one}を1枚"),
        several => format!("{}の{}枚を", list(several), several.len()),
    }
}

fn list(items: impl IntoIterator<Item = impl ToString>) -> String {
    enumerate(items, "、", "、")
}
