//! DELETE /v1/games/{id}/seats/{seat}: the creator makes a seat free before the start.

use actix_web::{HttpResponse, delete, web::Data};

use crate::api::App;
use crate::api::extract::{Caller, IdempotencyKey, Paths};
use crate::api::games::Accepted;
use crate::api::openapi::problems;
use crate::api::problem::Problem;
use crate::engine::Seat;
use crate::ids::GameId;
use crate::play::{Action, Ask};

problems!(
    Problems: IdempotencyKeyUnusable, Unauthorized, Forbidden, Banned, NotFound, AlreadyStarted, NotRunning,
    RuleViolation, IdempotencyKeyReused, Internal, Unavailable, NewerData, OutcomeUnknown
);

/// Make somebody get up, before the start; for the creator. Who came by an invite can come back by it: revoke it first.
#[utoipa::path(
    tag = "seats",
    security(("bearer" = [])),
    params(
        ("id" = GameId, Path, description = "The game."),
        ("seat" = Seat, Path, description = "The seat."),
        ("Idempotency-Key" = String, Header, description = "1 to 64 characters.")
    ),
    responses((status = 200, description = "The seat is free.", body = Accepted), Problems)
)]
#[delete("/v1/games/{id}/seats/{seat}")]
pub(crate) async fn vacate_seat(
    app: Data<App>,
    caller: Caller,
    key: IdempotencyKey,
    paths: Paths<GameId, Seat>,
) -> Result<HttpResponse, Problem> {
    let Paths(game, seat) = paths;
    let ask = Ask { caller: caller.with(key), game, action: Action::VacateSeat { seat } };
    Ok(HttpResponse::Ok().json(Accepted::from(app.play.change(ask).await?)))
}
