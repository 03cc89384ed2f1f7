//! The decisions of a game as text: what was done, what would have been best, and what it cost.

use super::Language;
use super::layout::{Align, Grid};
use super::scene::Who;
use crate::engine::{Move, Seat};

/// A decision of a game that has ended; chances are the decider's own to win, in thousandths.
#[derive(Clone, Copy, Debug)]
pub struct Decided<'a> {
    /// The number of the move's event.
    pub seq: u64,
    /// The round, 0 for the setup.
    pub round: u8,
    /// Who decided.
    pub seat: Seat,
    /// What he did.
    pub action: &'a Move,
    /// What would have been best; none if there was no choice.
    pub best: Option<&'a Move>,
    /// His chance before, and after what followed.
    pub chances: Option<[u16; 2]>,
    /// How much of it the move cost.
    pub cost: u16,
}

/// The decisions, one a line; the best moves only where others were made.
pub fn decisions(decided: &[Decided<'_>], language: Language) -> String {
    let (phrases, labels) = (language.phrases(), language.phrases().labels());
    let head = |align, label: &str| (align, label.to_owned());
    let mut grid = Grid::new([
        head(Align::Right, "#"),
        head(Align::Right, labels.round),
        head(Align::Left, ""),
        head(Align::Left, labels.action),
        head(Align::Left, labels.chance),
        head(Align::Right, labels.cost),
        head(Align::Left, labels.best),
    ]);
    for one in decided {
        let chances = one.chances.map(|chances| chances.map(percent));
        let better = one.best.filter(|best| *best != one.action);
        grid.push(vec![
            one.seq.to_string(),
            one.round.to_string(),
            phrases.seat(Who::Seat(one.seat)),
            phrases.action(one.action),
            chances.map_or_else(String::new, |[before, after]| format!("{before} > {after}")),
            better.map_or_else(String::new, |_| percent(one.cost).trim_start().to_owned()),
            better.map_or_else(String::new, |best| phrases.action(best)),
        ]);
    }
    grid.lines().iter().flat_map(|line| [line, "\n"]).collect()
}

/// With one decimal, in a column of its own.
fn percent(thousandths: u16) -> String {
    format!("{:>3}.{}%", thousandths / 10, thousandths % 10)
}
