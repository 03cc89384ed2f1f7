//! What a language has to say.

use super::scene::{Told, Verdict, Who};
use crate::engine::{ActionCard, BattleView, BotLevel, Decision, Face, House, LandKind, Move, Supplies, View};

/// All that is said in one language.
///
/// Sentences end with their full stop, labels have none. A label stands before a list of numbers or cards.
pub(super) trait Phrases {
    /// What happened.
    fn sentence(&self, told: &Told<'_>) -> String;

    /// Who won, and with how many points.
    fn winners(&self, verdict: &Verdict) -> String;

    /// Everybody's rank and points.
    fn ranking(&self, verdict: &Verdict) -> String;

    /// The sentences on how the game ended.
    fn verdict(&self, verdict: &Verdict) -> String {
        format!("{}{}{}", self.winners(verdict), self.labels().between_sentences, self.ranking(verdict))
    }

    /// How the battle ended.
    fn battle(&self, battle: &BattleView) -> String;

    /// How far the table has come: seats, setup, round.
    fn progress(&self, view: &View) -> String;

    /// What somebody has to do now.
    fn decision(&self, decision: Decision, who: Who) -> String;

    /// Who holds the first player card and the strategy card.
    fn holders(&self, first_player: Who, strategy_card: Who) -> String;

    /// Where bots play, and of which level they are.
    fn bots(&self, bots: &[(Who, BotLevel)]) -> String;

    /// The name of a house, as the head of a column.
    fn house(&self, house: House) -> &'static str;

    /// The name of a kind of land.
    fn land(&self, kind: LandKind) -> &'static str;

    /// The name of an action card.
    fn card(&self, card: ActionCard) -> &'static str;

    /// Several names in a row.
    fn row(&self, names: &[&str]) -> String;

    /// Before the sentences of a round; 0 is the setup.
    fn in_round(&self, round: u8) -> String;

    /// How somebody's chance to win has changed, in percent.
    fn chance(&self, who: Who, before: u8, after: u8) -> String;

    /// A move, as briefly as can be.
    fn action(&self, action: &Move) -> String;

    /// A seat, as the head of a line.
    fn seat(&self, who: Who) -> String;

    /// A base and whose it is, briefly.
    fn base(&self, face: Face, who: Who) -> String;

    /// Label: somebody's hand.
    fn hand_of(&self, who: Who) -> String;

    /// Label: the action cards that were passed to somebody.
    fn passed_to(&self, who: Who) -> String;

    /// Label: the discard pile.
    fn discards(&self, count: usize) -> String;

    /// How many cards are in the deck.
    fn deck(&self, count: u8) -> String;

    /// How many action cards are still passed on.
    fn draft(&self, count: u8) -> String;

    /// The fixed words of a table.
    fn labels(&self) -> &'static Labels;
}

/// The fixed words of a table.
pub(super) struct Labels {
    /// What stands between two sentences.
    pub(super) between_sentences: &'static str,
    /// Over the lands: that they lie in a circle, and that `>` marks the battlefield.
    pub(super) circle: &'static str,
    /// Before the numbers of winners, 1, 2, 3 …, over the points that a land is worth for each of them.
    pub(super) points: &'static str,
    /// Over the bases.
    pub(super) base: &'static str,
    /// Over the houses that players belong to.
    pub(super) house: &'static str,
    /// Over the victory points.
    pub(super) score: &'static str,
    /// Over the numbers of cards in hand.
    pub(super) hand: &'static str,
    /// Over the supply cards played.
    pub(super) played: &'static str,
    /// Over the numbers of bases that are not on the table.
    pub(super) bases_left: &'static str,
    /// Over the action cards.
    pub(super) action_card: &'static str,
    /// An action card that the reader does not see.
    pub(super) face_down: &'static str,
    /// No supply card was played.
    pub(super) nothing: &'static str,
    /// Nobody sits there.
    pub(super) free: &'static str,
    /// Somebody sits there.
    pub(super) taken: &'static str,
    /// Over the rounds.
    pub(super) round: &'static str,
    /// Over the moves that were made.
    pub(super) action: &'static str,
    /// Over the chances to win of who made them, before, after, and if he had made the best one.
    pub(super) chance: &'static str,
    /// Over what the moves cost.
    pub(super) cost: &'static str,
    /// Over the best moves.
    pub(super) best: &'static str,
    /// Label: the deck from the top.
    pub(super) deck_order: &'static str,
    /// Label: the action card that was set aside.
    pub(super) set_aside: &'static str,
    /// Label: the action cards that nobody kept.
    pub(super) left_over: &'static str,
}

/// Items in a row, with another word before the last one; `-` if there are none.
pub(super) fn enumerate(items: impl IntoIterator<Item = impl ToString>, between: &str, and: &str) -> String {
    let items: Vec<_> = items.into_iter().map(|item| item.to_string()).collect();
    match items.as_slice() {
        [] => "-".to_owned(),
        [one] => one.clone(),
        [first @ .., last] => format!("{}{and}{last}", first.join(between)),
    }
}

/// The values of some cards with a space between them, where there is no room for words.
pub(super) fn spaced(cards: &Supplies) -> String {
    enumerate(cards.iter(), " ", " ")
}
