//! POST /v1/games/{id}/invites: a new invite.

use std::ops::RangeInclusive;

use actix_web::{HttpResponse, post, web::Data};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Invite;
use crate::api::App;
use crate::api::extract::{Caller, Json, Path};
use crate::api::openapi::problems;
use crate::api::problem::Problem;
use crate::ids::GameId;
use crate::play::InviteCode;

/// A minute to thirty days.
const LIFE_S: RangeInclusive<u32> = 60..=2_592_000;
const SEVEN_DAYS_S: u32 = 604_800;

/// A new invite.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateInvite {
    /// For how long it is good, in seconds; without it seven days.
    #[serde(default = "seven_days")]
    #[schema(minimum = 60, maximum = 2592000, default = 604800)]
    expires_in_s: u32,
}

/// An invite that was just made.
#[derive(Serialize, ToSchema)]
pub struct MadeInvite {
    /// The invite.
    invite: Invite,
    /// Its code, told this once: whoever has it may look at the table and sit down.
    code: InviteCode,
}

problems!(
    Problems: Malformed, Unauthorized, Forbidden, Banned, NotFound, AlreadyStarted, NotRunning, TooManyInvites,
    BodyTooLarge, UnsupportedMediaType, Internal, Unavailable, NewerData, OutcomeUnknown
);

/// Make an invite to a table that has not begun; for its creator. If the answer is lost, revoke what the list shows and make
/// another.
#[utoipa::path(
    tag = "invites",
    security(("bearer" = [])),
    params(("id" = GameId, Path, description = "The game.")),
    request_body = CreateInvite,
    responses((status = 201, description = "The invite, and its code.", body = MadeInvite), Problems)
)]
#[post("/v1/games/{id}/invites")]
pub(crate) async fn create_invite(
    app: Data<App>,
    caller: Caller,
    game: Path<GameId>,
    body: Json<CreateInvite>,
) -> Result<HttpResponse, Problem> {
    let life_s = body.0.expires_in_s;
    if !LIFE_S.contains(&life_s) {
        return Err(Problem::malformed("expires_in_s", "an invite is good for 60 to 2592000 seconds"));
    }
    let made = app.play.invite(caller.0, game.0, life_s).await?;
    Ok(HttpResponse::Created().json(MadeInvite { invite: made.invite.into(), code: made.code }))
}

const fn seven_days() -> u32 {
    SEVEN_DAYS_S
}
