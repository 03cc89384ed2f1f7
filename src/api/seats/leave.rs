//! DELETE /v1/games/{id}/seats/me: get up before the start.

use actix_web::{HttpResponse, delete, web::Data};

use crate::api::App;
use crate::api::extract::{Caller, IdempotencyKey, Path};
use crate::api::games::Accepted;
use crate::api::openapi::problems;
use crate::api::problem::Problem;
use crate::ids::GameId;
use crate::play::{Action, Ask};

problems!(
    Problems: IdempotencyKeyUnusable, Unauthorized, Forbidden, Banned, NotFound, AlreadyStarted, NotRunning,
    IdempotencyKeyReused, Internal, Unavailable, NewerData, OutcomeUnknown
);

/// Give up one's seat, before the start.
#[utoipa::path(
    tag = "seats",
    security(("bearer" = [])),
    params(
        ("id" = GameId, Path, description = "The game."),
        ("Idempotency-Key" = String, Header, description = "1 to 64 characters.")
    ),
    responses((status = 200, description = "The seat is free.", body = Accepted), Problems)
)]
#[delete("/v1/games/{id}/seats/me")]
pub(crate) async fn leave_seat(
    app: Data<App>,
    caller: Caller,
    key: IdempotencyKey,
    game: Path<GameId>,
) -> Result<HttpResponse, Problem> {
    let ask = Ask { caller: caller.with(key), game: game.0, action: Action::LeaveSeat };
    Ok(HttpResponse::Ok().json(Accepted::from(app.play.change(ask).await?)))
}
