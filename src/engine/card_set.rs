//! The card set: the values and counts that a game is played with, as data (R1.6).

use std::fmt;

use borsh::{BorshDeserialize, BorshSerialize};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::command::OpeningHand;
use super::land::LandKind;

/// The values and counts that a game is played with (R1.1 to R1.3, R1.6). The default is that of the rules' first page.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema, BorshSerialize, BorshDeserialize)]
#[serde(deny_unknown_fields)]
pub struct CardSet {
    /// The lands, each present once per house.
    #[schema(min_items = 3, max_items = 8)]
    pub lands: Vec<LandLine>,
    /// The number of rounds for each number of players.
    pub rounds: Rounds,
    /// The supply cards, by rising value.
    #[schema(min_items = 1, max_items = 99)]
    pub supplies: Vec<SupplyLine>,
}

/// The number of rounds for each number of players (R1.1), 1 to 20.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema, BorshSerialize, BorshDeserialize)]
#[serde(deny_unknown_fields)]
pub struct Rounds {
    /// With 5 players.
    #[schema(minimum = 1, maximum = 20)]
    pub five: u8,
    /// With 4 players.
    #[schema(minimum = 1, maximum = 20)]
    pub four: u8,
    /// With 3 players.
    #[schema(minimum = 1, maximum = 20)]
    pub three: u8,
}

/// A line of the table of lands (R1.2).
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema, BorshSerialize, BorshDeserialize)]
#[serde(deny_unknown_fields)]
pub struct LandLine {
    /// Whether the land is used with 5 players only.
    pub five_players_only: bool,
    /// The kind of land.
    pub kind: LandKind,
    /// The VP for each player of the winning house, by the number of its players from 1 to 5; never rising.
    #[schema(value_type = Vec<super::numbers::LandPoints>, min_items = 5, max_items = 5)]
    pub points: [u8; 5],
    /// What the land adds to its house's strength, 0 to 99.
    #[schema(minimum = 0, maximum = 99)]
    pub strength: u8,
}

/// The supply cards of one value (R1.3).
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema, BorshSerialize, BorshDeserialize)]
#[serde(deny_unknown_fields)]
pub struct SupplyLine {
    /// How many there are for any number of players.
    #[schema(minimum = 0, maximum = 200)]
    pub count: u8,
    /// How many more there are with 5 players.
    #[schema(minimum = 0, maximum = 200)]
    pub five_players_extra: u8,
    /// Their value.
    #[schema(minimum = 1, maximum = 99)]
    pub value: u8,
}

/// Why a card set cannot be played with, and where it says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardSetError {
    /// The path of the field in the card set, such as `lands[2].points[1]`.
    pub field: String,
    /// What is wrong with it.
    pub reason: &'static str,
}

impl fmt::Display for CardSetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.field, self.reason)
    }
}

impl std::error::Error for CardSetError {}

impl Default for CardSet {
    fn default() -> Self {
        let land = |kind, strength, points| LandLine { kind, strength, points, five_players_only: false };
        let supply = |value, count, five_players_extra| SupplyLine { value, count, five_players_extra };
        Self {
            lands: vec![
                land(LandKind::Wilderness, 0, [3, 2, 1, 1, 1]),
                land(LandKind::Meadow, 3, [5, 3, 2, 1, 1]),
                land(LandKind::River, 5, [6, 4, 3, 2, 1]),
                land(LandKind::Forest, 7, [8, 5, 4, 3, 2]),
                land(LandKind::Village, 10, [9, 6, 5, 4, 3]),
                land(LandKind::City, 15, [12, 8, 6, 5, 4]),
                LandLine { five_players_only: true, ..land(LandKind::Forest, 7, [8, 5, 4, 3, 2]) },
            ],
            rounds: Rounds { three: 9, four: 8, five: 10 },
            supplies: vec![
                supply(2, 5, 1),
                supply(3, 5, 1),
                supply(4, 5, 1),
                supply(5, 5, 1),
                supply(6, 2, 0),
                supply(8, 1, 0),
            ],
        }
    }
}

impl CardSet {
    /// The number of rounds of a game of `players` (R1.1).
    pub const fn rounds(&self, players: u8) -> u8 {
        match players {
            0..=3 => self.rounds.three,
            4 => self.rounds.four,
            5.. => self.rounds.five,
        }
    }

    /// The lines of the lands in a game of `players`, as their places in the list.
    pub fn land_lines(&self, players: u8) -> impl Iterator<Item = u8> {
        (0u8..).zip(&self.lands).filter(move |(_, land)| players == 5 || !land.five_players_only).map(|(line, _)| line)
    }

    /// All supply cards in a game of `players`, by rising value.
    pub fn supply_cards(&self, players: u8) -> impl Iterator<Item = u8> {
        self.supplies.iter().flat_map(move |line| {
            let extra = if players == 5 { line.five_players_extra } else { 0 };
            std::iter::repeat_n(line.value, usize::from(line.count) + usize::from(extra))
        })
    }

    /// Checks that a game of `players` with this opening hand can be played with it (R1.6).
    ///
    /// # Errors
    /// The first field that is out of its range, or that makes the game impossible.
    pub fn check(&self, players: u8, opening_hand: OpeningHand) -> Result<(), CardSetError> {
        self.check_rounds()?;
        self.check_lands(players)?;
        self.check_supplies(players, opening_hand)
    }

    fn check_rounds(&self) -> Result<(), CardSetError> {
        let Rounds { three, four, five } = self.rounds;
        for (name, rounds) in [("three", three), ("four", four), ("five", five)] {
            ensure((1..=20).contains(&rounds), || format!("rounds.{name}"), "the number of rounds is 1 to 20")?;
        }
        Ok(())
    }

    fn check_lands(&self, players: u8) -> Result<(), CardSetError> {
        ensure((3..=8).contains(&self.lands.len()), || "lands".into(), "a card set has 3 to 8 lands")?;
        for (i, land) in self.lands.iter().enumerate() {
            ensure(land.strength <= 99, || format!("lands[{i}].strength"), "a strength is 0 to 99")?;
            let mut most = 99;
            for (k, points) in land.points.into_iter().enumerate() {
                let field = || format!("lands[{i}].points[{k}]");
                ensure(points <= 99, field, "victory points are 0 to 99")?;
                ensure(points <= most, field, "victory points never rise with more winners")?;
                most = points;
            }
        }
        let circle = 2 * self.land_lines(players).count();
        ensure(circle >= usize::from(players), || "lands".into(), "the circle has fewer lands than players")
    }

    fn check_supplies(&self, players: u8, opening_hand: OpeningHand) -> Result<(), CardSetError> {
        ensure(self.supplies.len() <= 99, || "supplies".into(), "there are 99 values at most")?;
        let mut last = 0;
        for (i, line) in self.supplies.iter().enumerate() {
            let field = || format!("supplies[{i}].value");
            ensure((1..=99).contains(&line.value), field, "a supply card's value is 1 to 99")?;
            ensure(line.value > last, field, "values stand in rising order, each once")?;
            last = line.value;
            ensure(line.count <= 200, || format!("supplies[{i}].count"), "there are more than 200 supply cards")?;
            let field = || format!("supplies[{i}].five_players_extra");
            ensure(line.five_players_extra <= 200, field, "there are more than 200 supply cards")?;
        }
        let total = self.supply_cards(players).count();
        let few = total < 3 * usize::from(players);
        ensure(!few, || "supplies".into(), "there are fewer than three supply cards for each player")?;
        ensure(total <= 200, || "supplies".into(), "there are more than 200 supply cards")?;
        let enough = |value| self.supply_cards(players).filter(|card| *card == value).count() >= usize::from(players);
        let fits = match opening_hand {
            OpeningHand::Dealt => true,
            OpeningHand::Fixed => [3, 4, 5].into_iter().all(enough),
        };
        ensure(fits, || "supplies".into(), "the fixed opening hand needs a 3, a 4 and a 5 for each player")
    }
}

fn ensure(holds: bool, field: impl FnOnce() -> String, reason: &'static str) -> Result<(), CardSetError> {
    if holds { Ok(()) } else { Err(CardSetError { field: field(), reason }) }
}
