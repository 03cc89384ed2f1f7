//! GET /v1/games/{id}: all that the caller may know of a game.

use actix_web::{HttpResponse, get, web::Data};

use super::Game;
use crate::api::App;
use crate::api::extract::{Caller, Path};
use crate::api::openapi::problems;
use crate::api::problem::Problem;
use crate::ids::GameId;

problems!(Problems: Unauthorized, Banned, NotFound, Internal, Unavailable, NewerData);

/// Look at a table: from one's own seat, else as a spectator.
#[utoipa::path(
    tag = "games",
    security(("bearer" = [])),
    params(("id" = GameId, Path, description = "The game.")),
    responses((status = 200, description = "The table as the caller may see it.", body = Game), Problems)
)]
#[get("/v1/games/{id}")]
pub(crate) async fn read_game(app: Data<App>, caller: Caller, game: Path<GameId>) -> Result<HttpResponse, Problem> {
    let game = app.play.game(caller.0, game.0).await?;
    Ok(HttpResponse::Ok().json(Game::from(game)))
}
