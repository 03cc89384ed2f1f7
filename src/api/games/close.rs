//! DELETE /v1/games/{id}: the creator closes the table before the start.

use actix_web::{HttpResponse, delete, web::Data};

use super::Accepted;
use crate::api::App;
use crate::api::extract::{Caller, IdempotencyKey, Path};
use crate::api::openapi::problems;
use crate::api::problem::Problem;
use crate::ids::GameId;
use crate::play::{Action, Ask};

problems!(
    Problems: IdempotencyKeyUnusable, Unauthorized, Forbidden, Banned, NotFound, AlreadyStarted, NotRunning,
    IdempotencyKeyReused, Internal, Unavailable, NewerData, OutcomeUnknown
);

/// Close a table before the start, for good; for its creator. Its history stays.
#[utoipa::path(
    tag = "games",
    security(("bearer" = [])),
    params(
        ("id" = GameId, Path, description = "The game."),
        ("Idempotency-Key" = String, Header, description = "1 to 64 characters.")
    ),
    responses((status = 200, description = "The table is closed.", body = Accepted), Problems)
)]
#[delete("/v1/games/{id}")]
pub(crate) async fn close_game(
    app: Data<App>,
    caller: Caller,
    key: IdempotencyKey,
    game: Path<GameId>,
) -> Result<HttpResponse, Problem> {
    let ask = Ask { caller: caller.with(key), game: game.0, action: Action::Close };
    Ok(HttpResponse::Ok().json(Accepted::from(app.play.change(ask).await?)))
}
