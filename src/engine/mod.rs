//! The rules of フェレータ, pure: no IO, no clock, no randomness of its own, nothing else of this crate.
//!
//! A [`State`] is folded from [`Event`]s. [`State::decide`] checks a [`Command`] and gives the events it leads to;
//! [`State::apply`] records one. Chance comes in as [`Draws`]. What a [`Viewer`] may know is [`State::view`] and
//! [`Event::seen`].
//!
//! ```
//! use fereta::engine::{Bytes32, Command, EntropySource, FastDraws, NewTable, State, Status};
//!
//! let mut draws = FastDraws::new(1);
//! let (mut table, mut log) = (State::default(), Vec::new());
//! table.advance(&Command::Create(NewTable { players: 4, ..NewTable::default() }), &mut draws, &mut log)?;
//! let sit_down = Command::TakeSeat { seat: None, entropy: Bytes32::default(), entropy_from: EntropySource::Bot };
//! for _ in 0..4 {
//!     table.advance(&sit_down, &mut draws, &mut log)?;
//! }
//! table.advance(&Command::Start, &mut draws, &mut log)?;
//! while let Some(decision) = table.decision() {
//!     let action = table.legal_moves(decision.seat).remove(0);
//!     table.advance(&Command::Act { seat: decision.seat, action }, &mut draws, &mut log)?;
//! }
//! assert_eq!(table.status(), Status::Ended);
//! assert_eq!(State::fold(&log), table);
//! # Ok::<(), fereta::engine::RuleError>(())
//! ```

mod card;
mod card_set;
mod command;
mod consequence;
mod decide;
mod draws;
mod error;
mod event;
mod evolve;
mod knowledge;
mod land;
mod legal;
mod numbers;
mod referee;
mod score;
mod seat;
mod state;
mod view;
mod world;

pub use card::{ActionCard, ActionCards, Supplies, SupplyValue};
pub use card_set::{CardSet, CardSetError, LandLine, Rounds, SupplyLine};
pub use command::{BotLevel, Command, Move, NewTable, OpeningHand, Options};
pub use decide::{Decision, DecisionKind, FAIRNESS_VERSION, FORMAT_VERSION, RULES_VERSION, RULES_WITH_BOTS};
pub(crate) use draws::hmac_sha256;
pub use draws::{
    Draws, FairDraws, FastDraws, Label, Streams, Words, bot_seed, default_entropy, game_seed, seed_commitment,
};
pub use error::RuleError;
pub use event::*;
pub use knowledge::{Knowledge, Sampler};
pub use land::{Base, Face, House, LaidLand, LandKind, Place};
pub use numbers::{CardValue, LandPoints, Rank, Score};
pub use referee::{Fault, Referee, Step, check_history};
pub use seat::{BySeat, Seat};
pub use state::{State, Status};
pub use view::{BattleView, LandView, SeatView, View, Viewer};
pub use world::{Plot, World};
