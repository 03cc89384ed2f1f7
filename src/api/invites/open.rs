//! POST /v1/invites/open: the table that a code is for.

use actix_web::{HttpResponse, post, web::Data};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::api::App;
use crate::api::extract::{Caller, Json};
use crate::api::games::Game;
use crate::api::openapi::problems;
use crate::api::problem::Problem;
use crate::play::InviteCode;

/// An invite to look at.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OpenInvite {
    /// Its code.
    code: InviteCode,
}

problems!(
    Problems: Malformed, Unauthorized, Banned, NotFound, InviteGone, BodyTooLarge, UnsupportedMediaType, Internal,
    Unavailable, NewerData
);

/// Look at the table that an invite is for, before sitting down at it. It changes nothing, and is a POST because a code is a
/// secret, which has no place in a URL. Whoever wants to give entropy of his own finds `seed_commitment` here. Once the table has
/// begun or was closed, an invite shows it to nobody who may not know the game without it.
#[utoipa::path(
    tag = "invites",
    security(("bearer" = [])),
    request_body = OpenInvite,
    responses((status = 200, description = "The table as the caller may see it.", body = Game), Problems)
)]
#[post("/v1/invites/open")]
pub(crate) async fn open_invite(
    app: Data<App>,
    caller: Caller,
    body: Json<OpenInvite>,
) -> Result<HttpResponse, Problem> {
    Ok(HttpResponse::Ok().json(Game::from(app.play.open_invite(caller.0, body.0.code).await?)))
}
