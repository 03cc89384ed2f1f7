//! POST /v1/games/{id}/moves: make a move.

use actix_web::{HttpResponse, post, web::Data};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Move;
use crate::api::App;
use crate::api::extract::{Caller, IdempotencyKey, Json, Path};
use crate::api::games::Accepted;
use crate::api::openapi::problems;
use crate::api::problem::Problem;
use crate::ids::GameId;
use crate::play::{Action, Ask};

/// A move to make.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SubmitMove {
    /// The version of the game that the player has seen; the move is refused if the game has gone on.
    #[schema(minimum = 0)]
    pub expected_version: u64,
    /// The move.
    #[serde(rename = "move")]
    pub action: Move,
}

problems!(
    Problems: Malformed, IdempotencyKeyUnusable, Unauthorized, Forbidden, Banned, NotFound, NotRunning, StaleVersion,
    NotYourDecision, BodyTooLarge, UnsupportedMediaType, RuleViolation, IdempotencyKeyReused, Internal, Unavailable,
    NewerData, OutcomeUnknown
);

/// Make a move. With the same key the same request is carried out once and answered the same, however often it is sent.
#[utoipa::path(
    tag = "moves",
    security(("bearer" = [])),
    params(
        ("id" = GameId, Path, description = "The game."),
        ("Idempotency-Key" = String, Header, description = "1 to 64 characters; a new one for every move.")
    ),
    request_body = SubmitMove,
    responses((status = 200, description = "The move is made, and on disk.", body = Accepted), Problems)
)]
#[post("/v1/games/{id}/moves")]
pub(crate) async fn submit_move(
    app: Data<App>,
    caller: Caller,
    key: IdempotencyKey,
    game: Path<GameId>,
    body: Json<SubmitMove>,
) -> Result<HttpResponse, Problem> {
    let SubmitMove { expected_version, action } = body.0;
    let action = Action::Move { expected_version, action: action.into() };
    let ask = Ask { caller: caller.with(key), game: game.0, action };
    Ok(HttpResponse::Ok().json(Accepted::from(app.play.change(ask).await?)))
}
