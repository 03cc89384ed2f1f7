//! POST /v1/games/{id}/start: the creator starts the game.

use actix_web::{HttpResponse, post, web::Data};

use super::Accepted;
use crate::api::App;
use crate::api::extract::{Caller, IdempotencyKey, Path};
use crate::api::openapi::problems;
use crate::api::problem::Problem;
use crate::ids::GameId;
use crate::play::{Action, Ask};

problems!(
    Problems: IdempotencyKeyUnusable, Unauthorized, Forbidden, Banned, NotFound, AlreadyStarted, TableNotFull,
    NotRunning, IdempotencyKeyReused, Internal, Unavailable, NewerData, OutcomeUnknown
);

/// Start a game whose seats are all taken; for its creator.
#[utoipa::path(
    tag = "games",
    security(("bearer" = [])),
    params(
        ("id" = GameId, Path, description = "The game."),
        ("Idempotency-Key" = String, Header, description = "1 to 64 characters.")
    ),
    responses((status = 200, description = "The game has begun.", body = Accepted), Problems)
)]
#[post("/v1/games/{id}/start")]
pub(crate) async fn start_game(
    app: Data<App>,
    caller: Caller,
    key: IdempotencyKey,
    game: Path<GameId>,
) -> Result<HttpResponse, Problem> {
    let ask = Ask { caller: caller.with(key), game: game.0, action: Action::Start };
    Ok(HttpResponse::Ok().json(Accepted::from(app.play.change(ask).await?)))
}
