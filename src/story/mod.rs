//! A game as people read it: what happened, sentence by sentence, the table drawn as text, and how it ended; in
//! English, Japanese and German.
//!
//! Everything is a function of what a viewer was given, [`EventView`]s and [`View`]s, never of a `State`: whatever a
//! reader may not know cannot be told him. Pure like the engine, and nothing else of ours is used.
//!
//! A language is one folder, an implementation of `Phrases`: its `sentences.rs` tells every fact in whole sentences, in
//! one exhaustive match, and not in words that are put together, as no two languages put them together alike; its
//! `mod.rs` has the words. So a new fact does not compile before it has its sentences in every language, and a
//! translator reads them from top to bottom. An i18n framework would look sentences up by name at run time, and find
//! out there that one is missing.
//!
//! ```
//! use fereta::engine::{Command, FastDraws, NewTable, State, Status, Viewer};
//! use fereta::story::{Language, Story};
//!
//! let (mut state, mut log) = (State::default(), Vec::new());
//! let table = NewTable { players: 4, ..NewTable::default() };
//! state.advance(&Command::Create(table), &mut FastDraws::new(1), &mut log)?;
//! let mut story = Story::new(Viewer::Spectator, Language::En);
//! assert_eq!(
//!     story.tell(&log[0].seen(Viewer::Spectator, Status::Open)),
//!     "A table for 4 players and 8 rounds was set up. The game begins when the last seat is taken."
//! );
//! # Ok::<(), fereta::engine::RuleError>(())
//! ```

mod de;
mod decisions;
mod en;
mod ja;
mod layout;
mod phrases;
mod scene;
mod table;

use std::fmt;
use std::str::FromStr;

use crate::engine::{EventView, Fact, Seat, View, Viewer};
use phrases::Phrases;
use scene::{Scene, Told, Verdict};

pub use decisions::{Decided, decisions};
pub use table::table;

/// A language that a game can be told in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Language {
    /// English.
    #[default]
    En,
    /// 日本語
    Ja,
    /// Deutsch
    De,
}

/// Tells a viewer what happened, event by event.
///
/// Seats and lands are called by the numbers that the log and the API give them, as the log holds no names.
#[derive(Clone, Debug)]
pub struct Story {
    language: Language,
    scene: Scene,
}

impl Language {
    /// Every language.
    pub const ALL: [Self; 3] = [Self::En, Self::Ja, Self::De];

    /// The language's code of ISO 639-1: en, ja or de.
    pub const fn code(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Ja => "ja",
            Self::De => "de",
        }
    }

    fn phrases(self) -> &'static dyn Phrases {
        match self {
            Self::En => &en::English,
            Self::Ja => &ja::Japanese,
            Self::De => &de::German,
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl FromStr for Language {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|language| language.code() == text).ok_or("a language is en, ja or de")
    }
}

impl Story {
    /// A story that begins with the first event of a game, as `viewer` sees it.
    pub fn new(viewer: Viewer, language: Language) -> Self {
        Self { language, scene: Scene::new(viewer) }
    }

    /// A story that goes on with the first event after `view`.
    pub fn from_view(view: &View, language: Language) -> Self {
        Self { language, scene: Scene::of(view) }
    }

    /// What happened, in a sentence or a few.
    ///
    /// Events are told in their order, without a gap: an event alone does not say what lies at a place of the circle. A
    /// land that was not told of is called by its place alone.
    pub fn tell(&mut self, event: &EventView) -> String {
        let sentence = self.language.phrases().sentence(&Told::new(event, &self.scene));
        self.scene.note(&event.fact);
        sentence
    }
}

impl Story {
    /// A turning point of a game: the move, what it decided, and how the chance of `whose` to win has changed by it, in
    /// percent before and after. The events are the move and all that followed by itself; they are told by this.
    pub fn turning_point(&mut self, round: u8, events: &[EventView], whose: Seat, [before, after]: [u8; 2]) -> String {
        let phrases = self.language.phrases();
        let mut sentences = vec![phrases.in_round(round)];
        for (number, event) in events.iter().enumerate() {
            let sentence = self.tell(event);
            let decides =
                matches!(event.fact, Fact::AllegianceChanged(_) | Fact::BattleFought(_) | Fact::LandTurned(_));
            if number == 0 || decides {
                sentences.push(sentence);
            }
        }
        sentences.push(phrases.chance(self.scene.who(whose), before, after));
        sentences.join(phrases.labels().between_sentences)
    }
}

/// How the game ended: who won, and everybody's rank and points (R4.3); none before the end.
pub fn verdict(view: &View, language: Language) -> Option<String> {
    let verdict = Verdict::of_view(view)?;
    Some(language.phrases().verdict(&verdict))
}

#[cfg(test)]
mod tests {
    use super::{Language, Story};
    use crate::engine::{
        BattleFought, BotAssigned, BotLevel, BySeat, CloseReason, DrawSource, EndReason, EventView, Fact, GameEnded,
        House, LandTurned, Place, Seat, SeatLeft, StrategyCardGiven, SuppliesDrawn, SuppliesPlayed, TableClosed,
        Viewer,
    };

    fn told(fact: impl Into<Fact>) -> [String; 3] {
        let event = EventView { fact: fact.into(), secret: None };
        Language::ALL.map(|language| Story::new(Viewer::Seat(Seat::default()), language).tell(&event))
    }

    #[test]
    fn a_table_is_left_given_up_and_closed() {
        let sentences = ["Seat 0 is free again.", "席0が空いた。", "Platz 0 ist wieder frei."];
        assert_eq!(told(SeatLeft { seat: Seat::default() }), sentences);
        let bot = BotAssigned { level: BotLevel::Expert, seat: Seat::default(), version: 1 };
        let sentences = [
            "An expert bot plays Seat 0 (yours) from now on.",
            "これ以降は達人級ボットが席0(あなたの席)を担当する。",
            "Ab jetzt spielt ein Bot (Experte) auf Platz 0 (deinem).",
        ];
        assert_eq!(told(bot), sentences);
        let sentences =
            ["The table was closed by its creator.", "作成者がテーブルを閉じた。", "Der Gastgeber schließt den Tisch."];
        assert_eq!(told(TableClosed { reason: CloseReason::Creator }), sentences);
    }

    #[test]
    fn a_win_can_be_shared() {
        let scores: BySeat<u16> = BySeat::new(3, |seat| if seat.number() == 1 { 1 } else { 20 });
        let ranks = BySeat::new(3, |seat| if seat.number() == 1 { 3 } else { 1 });
        let sentences = [
            "The last round was played. A shared win for you and Seat 2 with 20 points each. \
             Ranking: 1. you (20), 1. Seat 2 (20), 3. Seat 1 (1).",
            "最終ラウンドが終わった。あなた、席2が同点(20点)で勝利を分け合った。\
             順位は1位:あなた(20点)、1位:席2(20点)、3位:席1(1点)。",
            "Die letzte Runde ist gespielt. Geteilter Sieg für dich und Platz 2 mit 20 Siegpunkten. \
             Rang 1: du (20), Rang 1: Platz 2 (20), Rang 3: Platz 1 (1).",
        ];
        assert_eq!(told(GameEnded { ranks, reason: EndReason::LastRound, scores }), sentences);
    }

    #[test]
    fn a_secret_that_is_not_known_is_a_number() {
        let sentences = [
            "You drew 1 card with the Farmer.",
            "あなたは農業家の効果で1枚引いた。",
            "Du ziehst 1 Karte mit dem Bauern.",
        ];
        assert_eq!(told(SuppliesDrawn { count: 1, seat: Seat::default(), source: DrawSource::Farmer }), sentences);
    }

    #[test]
    fn a_land_that_was_not_told_of_is_called_by_its_place() {
        let fact = LandTurned { house: House::Rose, land: Place::new(3).unwrap() };
        let sentences = [
            "The land (3) turned to Rose.",
            "土地(3)は薔薇の家のものになった。",
            "Die Landschaft (3) fällt an Haus Rose.",
        ];
        assert_eq!(told(fact), sentences);
    }

    #[test]
    fn a_turning_point_is_the_move_what_it_decided_and_a_chance() {
        let seat = Seat::new(2).unwrap();
        let played = SuppliesPlayed { cards: [8, 5].into_iter().collect(), seat };
        let turned = LandTurned { house: House::Rose, land: Place::new(3).unwrap() };
        let events = [
            EventView { fact: played.into(), secret: None },
            EventView { fact: BattleFought { eagle: 12, rose: 15, winner: Some(House::Rose) }.into(), secret: None },
            EventView { fact: turned.into(), secret: None },
            EventView { fact: StrategyCardGiven { seat }.into(), secret: None },
        ];
        let told = |chances| {
            Language::ALL
                .map(|language| Story::new(Viewer::Spectator, language).turning_point(5, &events, seat, chances))
        };
        let sentences = [
            "Round 5: Seat 2 played 5 and 8: 13 in all. The battle: Eagle 12, Rose 15; Rose won. \
             The land (3) turned to Rose. The chance of Seat 2 to win rose from 23% to 61%.",
            "第5ラウンド:席2は5、8の2枚を出した(計13)。戦いは鷹の家12、薔薇の家15で、薔薇の家の勝ち。\
             土地(3)は薔薇の家のものになった。席2の勝率は23%から61%に上がった。",
            "Runde 5: Platz 2 spielt 5 und 8, zusammen 13. Der Konflikt: Adler 12, Rose 15; Haus Rose siegt. \
             Die Landschaft (3) fällt an Haus Rose. Die Siegchance von Platz 2 steigt von 23 % auf 61 %.",
        ];
        assert_eq!(told([23, 61]), sentences);
        let [en, ja, de] = told([61, 23]);
        assert!(en.ends_with("fell from 61% to 23%."), "{en}");
        assert!(ja.ends_with("61%から23%に下がった。"), "{ja}");
        assert!(de.ends_with("sinkt von 61 % auf 23 %."), "{de}");
        let [en, ja, de] = told([50, 50]);
        assert!(en.ends_with("stayed at 50%."), "{en}");
        assert!(ja.ends_with("50%のまま変わらなかった。"), "{ja}");
        assert!(de.ends_with("bleibt bei 50 %."), "{de}");
    }

    #[test]
    fn a_language_is_found_by_its_code() {
        for language in Language::ALL {
            assert_eq!(language.to_string().parse(), Ok(language));
        }
        assert!("EN".parse::<Language>().is_err());
        assert!("fr".parse::<Language>().is_err());
    }
}
