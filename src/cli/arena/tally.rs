//! What many games come to.

use super::deal::Showing;

/// Half the width of the interval that holds 95 % of a normal distribution, in standard deviations.
const Z_95: f64 = 1.96;

/// All showings of each of the line-up.
pub(super) struct Tally(Vec<Vec<Showing>>);

impl Tally {
    pub(super) fn new(players: usize) -> Self {
        Self((0..players).map(|_| Vec::new()).collect())
    }

    pub(super) fn add(&mut self, game: Vec<Showing>) {
        self.0.iter_mut().zip(game).for_each(|(all, showing)| all.push(showing));
    }

    pub(super) fn print(&self, names: &[String]) {
        let par = 1.0 / names.len().max(1) as f64;
        println!("{:<8}  {:^17}  {:^15}  CPU ms a move", "", "share of wins", "points");
        println!("{:<8}  {:^17}  {:^15}  median   p95   most", "", format!("par {par:.3}"), "");
        for (name, showings) in names.iter().zip(&self.0) {
            let share = Mean::of(showings.iter().map(|showing| showing.share));
            let points = Mean::of(showings.iter().map(|showing| f64::from(showing.points)));
            let mut thought: Vec<f32> =
                showings.iter().flat_map(|showing| showing.thought_ms.iter().copied()).collect();
            thought.sort_unstable_by(f32::total_cmp);
            let at = |part: f64| thought.get(((thought.len() - 1) as f64 * part) as usize).copied().unwrap_or(0.0);
            println!(
                "{name:<8}  {:.3} \u{b1} {:.3}      {:6.2} \u{b1} {:.2}  {:6.2} {:6.2} {:6.2}",
                share.mean,
                share.half_width,
                points.mean,
                points.half_width,
                at(0.5),
                at(0.95),
                at(1.0)
            );
        }
    }
}

/// A mean, and half the width of its 95 % interval.
struct Mean {
    mean: f64,
    half_width: f64,
}

impl Mean {
    fn of(values: impl Iterator<Item = f64> + Clone) -> Self {
        let count = values.clone().count().max(1) as f64;
        let mean = values.clone().sum::<f64>() / count;
        let variance = values.map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
        Self { mean, half_width: Z_95 * (variance / count).sqrt() }
    }
}
