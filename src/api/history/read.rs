//! GET /v1/games/{id}/history: the events of a game, as the caller may know them.

use actix_web::{HttpRequest, HttpResponse, get, web::Data};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::api::App;
use crate::api::conditional::{self, Conditional};
use crate::api::events::{Event, EventEntry};
use crate::api::extract::{Caller, Path, Query};
use crate::api::openapi::problems;
use crate::api::problem::Problem;
use crate::ids::GameId;
use crate::log::Head;

/// Which events.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ReadHistory {
    /// Only events with a greater `seq`; without it all.
    after: Option<u64>,
    /// How many at most, 1 to 100; without it 100.
    #[param(minimum = 1, maximum = 100, default = 100)]
    limit: Option<u32>,
    /// `next` of the part before; then without `after`.
    #[param(pattern = "^[0-9]{1,19}$")]
    cursor: Option<String>,
}

/// A part of a game's history.
#[derive(Serialize, ToSchema)]
pub struct HistoryPage {
    /// The events, in order.
    #[schema(value_type = Vec<Event>, max_items = 100)]
    items: Vec<EventEntry>,
    /// The `cursor` of the next part; null if this was the last when it was read.
    next: Option<String>,
    /// The number of the game's events when this was read.
    #[schema(minimum = 1)]
    version: u64,
    /// The newest event when this was read.
    head: Head,
}

problems!(Problems: Malformed, Unauthorized, Banned, NotFound, Internal, Unavailable, NewerData);

/// Read the history: the public line of every event, and the secrets that the caller may know.
#[utoipa::path(
    tag = "games",
    security(("bearer" = [])),
    params(("id" = GameId, Path, description = "The game."), ReadHistory, Conditional),
    responses((status = 200, description = "The events.", body = HistoryPage, headers(("ETag" = String))), conditional::NotModified, Problems)
)]
#[get("/v1/games/{id}/history")]
pub(crate) async fn read_history(
    app: Data<App>,
    caller: Caller,
    game: Path<GameId>,
    query: Query<ReadHistory>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let ReadHistory { after, limit, cursor } = query.0;
    let after = match (after, cursor) {
        (Some(_), Some(_)) => return Err(Problem::malformed("?cursor", "either `after` or `cursor`")),
        (after, None) => after.unwrap_or(0),
        (None, Some(cursor)) => {
            cursor.parse().map_err(|_| Problem::malformed("?cursor", "not a cursor of this list"))?
        }
    };
    let history = app.play.history(caller.0, game.0, after, crate::api::limit(limit, 100)?).await?;
    let page = HistoryPage {
        items: history.events,
        next: history.next.map(|seq| seq.to_string()),
        version: history.head.version,
        head: history.head,
    };
    conditional::answer(&request, caller, &page)
}
