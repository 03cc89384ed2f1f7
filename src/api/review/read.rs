//! GET /v1/games/{id}/review: what the bots think of a game that has ended.

use actix_web::{HttpRequest, HttpResponse, get, web::Data};

use super::Review;
use crate::api::App;
use crate::api::conditional::{self, Conditional};
use crate::api::extract::{Caller, Path};
use crate::api::openapi::problems;
use crate::api::problem::Problem;
use crate::ids::GameId;

problems!(Problems: Unauthorized, NoReviews, Banned, NotFound, NotEnded, Internal, Unavailable, NewerData);

/// Read the review of a game that has ended. It is made once, after the end or when somebody first asks, which takes a while:
/// until then `status` says how far it is.
#[utoipa::path(
    tag = "games",
    security(("bearer" = [])),
    params(("id" = GameId, Path, description = "The game."), Conditional),
    responses(
        (status = 200, description = "The review, or how far it is.", body = Review, headers(("ETag" = String))),
        conditional::NotModified, Problems
    )
)]
#[get("/v1/games/{id}/review")]
pub(crate) async fn read_review(
    app: Data<App>,
    caller: Caller,
    game: Path<GameId>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let answer = app.play.review(caller.0, game.0).await?;
    conditional::answer(&request, caller, &Review::of(game.0, answer))
}
