//! DELETE /v1/games/{id}/invites/{invite}: an invite is to be good no more.

use actix_web::{HttpResponse, delete, web::Data};

use crate::api::App;
use crate::api::extract::{Caller, Paths};
use crate::api::openapi::problems;
use crate::api::problem::Problem;
use crate::ids::{GameId, InviteId};

problems!(
    Problems: Unauthorized, Forbidden, Banned, NotFound, Internal, Unavailable, NewerData, OutcomeUnknown
);

/// Revoke an invite; for the table's creator. Who sits there by it keeps the seat. Again is as good as once.
#[utoipa::path(
    tag = "invites",
    security(("bearer" = [])),
    params(
        ("id" = GameId, Path, description = "The game."),
        ("invite" = InviteId, Path, description = "The invite's id, not its code.")
    ),
    responses((status = 204, description = "The invite is good no more."), Problems)
)]
#[delete("/v1/games/{id}/invites/{invite}")]
pub(crate) async fn revoke_invite(
    app: Data<App>,
    caller: Caller,
    paths: Paths<GameId, InviteId>,
) -> Result<HttpResponse, Problem> {
    let Paths(game, invite) = paths;
    app.play.revoke_invite(caller.0, game, invite).await?;
    Ok(HttpResponse::NoContent().finish())
}
