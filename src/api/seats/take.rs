//! POST /v1/games/{id}/seats: sit down.

use actix_web::{HttpResponse, post, web::Data};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::api::App;
use crate::api::extract::{Caller, IdempotencyKey, Json, Path};
use crate::api::games::Accepted;
use crate::api::openapi::problems;
use crate::api::problem::Problem;
use crate::engine::{Bytes32, Seat};
use crate::ids::GameId;
use crate::play::{Action, Ask, InviteCode};

/// A seat to take.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TakeSeat {
    /// The seat; without it the lowest that is free.
    seat: Option<Seat>,
    /// 32 random bytes of the player's own, which no shuffle can then be chosen without. Public from then on.
    entropy: Option<Bytes32>,
    /// The code of an invite: who has one may sit down at a private table.
    invite: Option<InviteCode>,
}

problems!(
    Problems: Malformed, IdempotencyKeyUnusable, Unauthorized, Banned, NotFound, AlreadySeated, AlreadyStarted,
    NotRunning, SeatTaken, TableFull, InviteGone, BodyTooLarge, UnsupportedMediaType, RuleViolation, IdempotencyKeyReused,
    Internal, Unavailable, NewerData, OutcomeUnknown
);

/// Sit down at a table; the last one to do so may start the game by it.
#[utoipa::path(
    tag = "seats",
    security(("bearer" = [])),
    params(
        ("id" = GameId, Path, description = "The game."),
        ("Idempotency-Key" = String, Header, description = "1 to 64 characters.")
    ),
    request_body = TakeSeat,
    responses((status = 201, description = "The seat is the caller's.", body = Accepted), Problems)
)]
#[post("/v1/games/{id}/seats")]
pub(crate) async fn take_seat(
    app: Data<App>,
    caller: Caller,
    key: IdempotencyKey,
    game: Path<GameId>,
    body: Json<TakeSeat>,
) -> Result<HttpResponse, Problem> {
    let TakeSeat { seat, entropy, invite } = body.0;
    let ask = Ask { caller: caller.with(key), game: game.0, action: Action::TakeSeat { seat, entropy, invite } };
    Ok(HttpResponse::Created().json(Accepted::from(app.play.change(ask).await?)))
}
