//! POST /v1/games: a new table.

use std::sync::Arc;

use actix_web::{HttpResponse, http::header, post, web::Data};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{Accepted, Visibility};
use crate::api::App;
use crate::api::extract::{Caller, IdempotencyKey, Json};
use crate::api::openapi::problems;
use crate::api::problem::Problem;
use crate::engine::{BotLevel, CardSet, OpeningHand, Options, Seat, StartMode};
use crate::play::NewGameAsk;

/// A new table.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateGame {
    /// The number of players, 3 to 5 (R1.1).
    #[schema(minimum = 3, maximum = 5)]
    players: u8,
    /// Who may know of it; without it everybody.
    #[serde(default)]
    visibility: Visibility,
    /// The options; without them dealt hands, no mercenary, the default card set.
    #[serde(default)]
    options: GameOptions,
    /// What starts the game; without it the last seat being taken.
    #[serde(default)]
    start: StartMode,
    /// Whether the creator takes seat 0 at once; without it he does. Entropy of one's own counts only for one who has seen
    /// `seed_commitment`: who wants to give some creates the table without sitting, then takes a seat.
    #[serde(default = "yes")]
    seat: bool,
    /// Bots that sit down at once. If they fill the table, and that is what starts it, the game begins by it; at a table that its
    /// creator does not sit at all can be bots, who play it to its end.
    #[serde(default)]
    #[schema(max_items = 5)]
    bots: Vec<WantedBot>,
    /// Whether the players may ask for hints; without it they may not. Everybody can see it.
    #[serde(default)]
    hints: bool,
}

/// A bot that is to sit down.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WantedBot {
    /// Where; without it at the lowest seat that is left for it.
    seat: Option<Seat>,
    /// How strong it is.
    level: BotLevel,
}

/// The options of a new table.
#[derive(Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct GameOptions {
    /// How the opening hands come about (R2.4).
    opening_hand: OpeningHand,
    /// Whether the mercenary is among the action cards (R9).
    mercenary: bool,
    /// The values and counts to play with (R1.6).
    card_set: Option<CardSet>,
}

problems!(
    Problems: Malformed, IdempotencyKeyUnusable, Unauthorized, Banned, TooManyTables, TooManyGamesOfBots, BodyTooLarge,
    UnsupportedMediaType, IdempotencyKeyReused, Internal, Unavailable, OutcomeUnknown
);

/// Set up a table.
#[utoipa::path(
    tag = "games",
    security(("bearer" = [])),
    params(("Idempotency-Key" = String, Header, description = "1 to 64 characters; a new one for every new table.")),
    request_body = CreateGame,
    responses((status = 201, description = "The table.", body = Accepted, headers(("Location" = String))), Problems)
)]
#[post("/v1/games")]
pub(crate) async fn create_game(
    app: Data<App>,
    caller: Caller,
    key: IdempotencyKey,
    body: Json<CreateGame>,
) -> Result<HttpResponse, Problem> {
    let CreateGame { players, visibility, options, start, seat, bots, hints } = body.0;
    if !(3..=5).contains(&players) {
        return Err(Problem::malformed("players", "a game has 3 to 5 players (R1.1)"));
    }
    let ask = NewGameAsk {
        players,
        visibility: visibility.into(),
        options: Options { mercenary: options.mercenary, opening_hand: options.opening_hand },
        card_set: Arc::new(options.card_set.unwrap_or_default()),
        start,
        sits: seat,
        bots: places(&bots, players, seat)?,
        hints,
    };
    let accepted = app.play.create(caller.with(key), ask).await?;
    let location = format!("/v1/games/{}", accepted.game);
    Ok(HttpResponse::Created().insert_header((header::LOCATION, location)).json(Accepted::from(accepted)))
}

/// Where each bot sits, by seat. The creator, if he sits, has seat 0.
fn places(wanted: &[WantedBot], players: u8, creator_sits: bool) -> Result<Vec<(Seat, BotLevel)>, Problem> {
    let mut free: Vec<Seat> = (u8::from(creator_sits)..players).filter_map(Seat::new).collect();
    if wanted.len() > free.len() {
        return Err(Problem::malformed("bots", format!("there are {} seats for bots", free.len())));
    }
    let mut placed = Vec::new();
    for (number, bot) in wanted.iter().enumerate() {
        let Some(seat) = bot.seat else { continue };
        let place = free.iter().position(|free| *free == seat).ok_or_else(|| {
            let detail = "each bot has a seat of its own at the table, and not the creator's, which is 0 if he sits";
            Problem::malformed(format!("bots[{number}].seat"), detail)
        })?;
        placed.push((free.remove(place), bot.level));
    }
    let anywhere = wanted.iter().filter(|bot| bot.seat.is_none());
    placed.extend(free.into_iter().zip(anywhere).map(|(seat, bot)| (seat, bot.level)));
    placed.sort_unstable();
    Ok(placed)
}

const fn yes() -> bool {
    true
}
