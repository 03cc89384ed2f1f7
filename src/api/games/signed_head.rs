//! GET /v1/games/{id}/signed-head: the newest event, signed.

use actix_web::{HttpRequest, HttpResponse, get, web::Data};

use crate::api::App;
use crate::api::conditional::{self, Conditional};
use crate::api::extract::{Caller, Path};
use crate::api::openapi::problems;
use crate::api::problem::Problem;
use crate::ids::GameId;
use crate::log::SignedHead;

problems!(Problems: Malformed, Unauthorized, Banned, NotFound, Internal, Unavailable, NewerData);

/// The head of a game, signed: note it while the game runs, and no other history can be shown to you later without proof of it.
#[utoipa::path(
    tag = "audit",
    security(("bearer" = [])),
    params(("id" = GameId, Path, description = "The game."), Conditional),
    responses(
        (status = 200, description = "The newest event and the server's word for it.", body = SignedHead, headers(("ETag" = String))),
        conditional::NotModified, Problems
    )
)]
#[get("/v1/games/{id}/signed-head")]
pub(crate) async fn read_signed_head(
    app: Data<App>,
    caller: Caller,
    game: Path<GameId>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    conditional::answer(&request, caller, &app.play.head(caller.0, game.0).await?)
}
