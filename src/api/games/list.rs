//! GET /v1/games: the games that the caller may list.

use actix_web::{HttpRequest, HttpResponse, get, web::Data};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::GameSummary;
use crate::api::App;
use crate::api::conditional::{self, Conditional};
use crate::api::extract::{Caller, Query};
use crate::api::openapi::problems;
use crate::api::problem::Problem;
use crate::engine::Status;
use crate::ids::GameId;
use crate::store::{GameFilter, GameStatus};

/// Which games to list.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ListGames {
    /// Only games that have come this far.
    status: Option<Status>,
    /// Only games where the caller sits, or which he made.
    #[serde(default)]
    mine: bool,
    /// Only games that wait for the caller's decision.
    #[serde(default)]
    my_turn: bool,
    /// Only games with a free seat.
    #[serde(default)]
    open_seats: bool,
    /// How many at most, 1 to 100; without it 20.
    #[param(minimum = 1, maximum = 100, default = 20)]
    limit: Option<u32>,
    /// `next` of the page before.
    cursor: Option<String>,
}

/// A page of games, newest first.
#[derive(Serialize, ToSchema)]
pub struct GamePage {
    /// The games.
    #[schema(max_items = 100)]
    items: Vec<GameSummary>,
    /// The `cursor` of the next page; null on the last.
    next: Option<String>,
}

problems!(Problems: Malformed, Unauthorized, Banned, Internal, Unavailable);

/// List games, newest first: public ones, and those of one's own.
#[utoipa::path(
    tag = "games",
    security(("bearer" = [])),
    params(ListGames, Conditional),
    responses((status = 200, description = "A page of games.", body = GamePage, headers(("ETag" = String))), conditional::NotModified, Problems)
)]
#[get("/v1/games")]
pub(crate) async fn list_games(
    app: Data<App>,
    caller: Caller,
    query: Query<ListGames>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let ListGames { status, mine, my_turn, open_seats, limit, cursor } = query.0;
    let filter = GameFilter { status: status.map(stored), mine, my_turn, open_seats };
    let before = cursor.as_deref().map(read_cursor).transpose()?;
    let page = app.play.list(caller.0, &filter, before, crate::api::limit(limit, 20)?).await?;
    let next = page.next.map(|game| URL_SAFE_NO_PAD.encode(game.bytes()));
    let items = page.games.into_iter().map(GameSummary::from).collect();
    conditional::answer(&request, caller, &GamePage { items, next })
}

fn read_cursor(cursor: &str) -> Result<GameId, Problem> {
    let bytes = URL_SAFE_NO_PAD.decode(cursor).ok();
    let id = bytes.and_then(|bytes| Uuid::from_slice(&bytes).ok());
    id.map(GameId::from).ok_or_else(|| Problem::malformed("?cursor", "this is no cursor of this list"))
}

const fn stored(status: Status) -> GameStatus {
    match status {
        Status::Open => GameStatus::Open,
        Status::Running => GameStatus::Running,
        Status::Ended => GameStatus::Ended,
        Status::Closed => GameStatus::Closed,
    }
}
