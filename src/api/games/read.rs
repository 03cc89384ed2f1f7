//! GET /v1/games/{id}: all that the caller may know of a game.

use actix_web::{HttpRequest, HttpResponse, get, web::Data};
use serde::Deserialize;
use utoipa::IntoParams;

use super::Game;
use crate::api::App;
use crate::api::conditional::{self, Conditional};
use crate::api::extract::{Caller, Path, Query};
use crate::api::openapi::problems;
use crate::api::problem::Problem;
use crate::ids::GameId;

/// How the game is to be shown.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ReadGame {
    /// The table as the caller knew it at this version; without it as it is now.
    #[param(minimum = 1)]
    at: Option<u64>,
}

problems!(Problems: Malformed, Unauthorized, Banned, NotFound, Internal, Unavailable, NewerData);

/// Look at a table: from one's own seat, else as a spectator; as it is, or as one knew it at an earlier version.
#[utoipa::path(
    tag = "games",
    security(("bearer" = [])),
    params(("id" = GameId, Path, description = "The game."), ReadGame, Conditional),
    responses(
        (status = 200, description = "The table as the caller may see it.", body = Game, headers(("ETag" = String))),
        conditional::NotModified, Problems
    )
)]
#[get("/v1/games/{id}")]
pub(crate) async fn read_game(
    app: Data<App>,
    caller: Caller,
    game: Path<GameId>,
    query: Query<ReadGame>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let answer = match query.0.at {
        None => app.play.game(caller.0, game.0).await?,
        Some(at) => app.play.game_at(caller.0, game.0, at).await?,
    };
    conditional::answer(&request, caller, &Game::from(answer))
}
