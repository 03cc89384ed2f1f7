//! POST /v1/games/{id}/seats/{seat}/bot: the creator gives a free seat to a bot before the start.
//!
//! Below the seat, as DELETE …/seats/{seat} is what takes it away again, whoever sits there.

use actix_web::{HttpResponse, post, web::Data};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::api::App;
use crate::api::extract::{Caller, IdempotencyKey, Json, Paths};
use crate::api::games::Accepted;
use crate::api::openapi::problems;
use crate::api::problem::Problem;
use crate::engine::{BotLevel, Seat};
use crate::ids::GameId;
use crate::play::{Action, Ask};

/// A bot to sit down.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SeatBot {
    /// How strong it is.
    level: BotLevel,
}

problems!(
    Problems: Malformed, IdempotencyKeyUnusable, Unauthorized, Forbidden, Banned, NotFound, AlreadyStarted, NotRunning,
    SeatTaken, TableFull, TooManyGamesOfBots, BodyTooLarge, UnsupportedMediaType, RuleViolation, IdempotencyKeyReused,
    Internal, Unavailable, NewerData, OutcomeUnknown
);

/// Give a free seat to a bot, before the start; for the creator. If it is the last one the game may start by it.
#[utoipa::path(
    tag = "bots",
    security(("bearer" = [])),
    params(
        ("id" = GameId, Path, description = "The game."),
        ("seat" = Seat, Path, description = "The seat."),
        ("Idempotency-Key" = String, Header, description = "1 to 64 characters.")
    ),
    request_body = SeatBot,
    responses((status = 201, description = "The seat is the bot's.", body = Accepted), Problems)
)]
#[post("/v1/games/{id}/seats/{seat}/bot")]
pub(crate) async fn seat_bot(
    app: Data<App>,
    caller: Caller,
    key: IdempotencyKey,
    paths: Paths<GameId, Seat>,
    body: Json<SeatBot>,
) -> Result<HttpResponse, Problem> {
    let Paths(game, seat) = paths;
    let ask = Ask { caller: caller.with(key), game, action: Action::SeatBot { seat, level: body.0.level } };
    Ok(HttpResponse::Created().json(Accepted::from(app.play.change(ask).await?)))
}
