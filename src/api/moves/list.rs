//! GET /v1/games/{id}/moves: what the caller can do now.

use actix_web::{HttpRequest, HttpResponse, get, web::Data};
use serde::Serialize;
use utoipa::ToSchema;

use super::submit::SubmitMove;
use crate::api::App;
use crate::api::conditional::{self, Conditional};
use crate::api::extract::{Caller, Path};
use crate::api::openapi::problems;
use crate::api::problem::Problem;
use crate::ids::GameId;

/// What the caller can do now.
#[derive(Serialize, ToSchema)]
pub struct MoveList {
    /// Each is a body that can be posted as it is; empty if the decision is not the caller's.
    #[schema(max_items = 256)]
    items: Vec<SubmitMove>,
    /// The version that they are for.
    #[schema(minimum = 1)]
    version: u64,
}

problems!(Problems: Unauthorized, Forbidden, Banned, NotFound, Internal, Unavailable, NewerData);

/// List the legal moves; for those who sit at the table.
#[utoipa::path(
    tag = "moves",
    security(("bearer" = [])),
    params(("id" = GameId, Path, description = "The game."), Conditional),
    responses((status = 200, description = "The legal moves.", body = MoveList, headers(("ETag" = String))), conditional::NotModified, Problems)
)]
#[get("/v1/games/{id}/moves")]
pub(crate) async fn list_moves(
    app: Data<App>,
    caller: Caller,
    game: Path<GameId>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let legal = app.play.legal_moves(caller.0, game.0).await?;
    let body = |action: crate::engine::Move| SubmitMove { expected_version: legal.version, action: action.into() };
    let items = legal.moves.into_iter().map(body).collect();
    conditional::answer(&request, caller, &MoveList { items, version: legal.version })
}
