//! GET /v1/games/{id}/invites: a table's invites.

use actix_web::{HttpRequest, HttpResponse, get, web::Data};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::Invite;
use crate::api::App;
use crate::api::conditional::{self, Conditional};
use crate::api::extract::{Caller, Path, Query};
use crate::api::openapi::problems;
use crate::api::problem::Problem;
use crate::ids::{GameId, InviteId};

/// Which invites to list.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ListInvites {
    /// How many at most, 1 to 100; without it 20.
    #[param(minimum = 1, maximum = 100, default = 20)]
    limit: Option<u32>,
    /// `next` of the page before.
    cursor: Option<String>,
}

/// A page of invites, newest first, those that are good no more included.
#[derive(Serialize, ToSchema)]
pub struct InvitePage {
    /// The invites.
    #[schema(max_items = 100)]
    items: Vec<Invite>,
    /// The `cursor` of the next page; null on the last.
    next: Option<String>,
}

problems!(Problems: Malformed, Unauthorized, Forbidden, Banned, NotFound, Internal, Unavailable, NewerData);

/// List the invites of a table, without their codes; for its creator.
#[utoipa::path(
    tag = "invites",
    security(("bearer" = [])),
    params(("id" = GameId, Path, description = "The game."), ListInvites, Conditional),
    responses(
        (status = 200, description = "A page of invites.", body = InvitePage, headers(("ETag" = String))),
        conditional::NotModified, Problems
    )
)]
#[get("/v1/games/{id}/invites")]
pub(crate) async fn list_invites(
    app: Data<App>,
    caller: Caller,
    game: Path<GameId>,
    query: Query<ListInvites>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let before = query.0.cursor.as_deref().map(read_cursor).transpose()?;
    let page = app.play.invites(caller.0, game.0, before, crate::api::limit(query.0.limit, 20)?).await?;
    let next = page.next.map(|invite| URL_SAFE_NO_PAD.encode(invite.bytes()));
    let items = page.invites.into_iter().map(Invite::from).collect();
    conditional::answer(&request, caller, &InvitePage { items, next })
}

fn read_cursor(cursor: &str) -> Result<InviteId, Problem> {
    let bytes = URL_SAFE_NO_PAD.decode(cursor).ok();
    let id = bytes.and_then(|bytes| Uuid::from_slice(&bytes).ok());
    id.map(InviteId::from).ok_or_else(|| Problem::malformed("?cursor", "this is no cursor of this list"))
}
