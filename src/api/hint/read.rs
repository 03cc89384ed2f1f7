//! GET /v1/games/{id}/hint: what the bots think of the caller's decision.

use actix_web::{HttpRequest, HttpResponse, get, web::Data};
use serde::Serialize;
use utoipa::ToSchema;

use crate::api::App;
use crate::api::conditional::{self, Conditional};
use crate::api::extract::{Caller, Path};
use crate::api::moves::submit::SubmitMove;
use crate::api::openapi::problems;
use crate::api::problem::Problem;
use crate::engine::Seat;
use crate::ids::GameId;
use crate::review::{Hint, Hinted, Share};

/// What the bots' search thinks of a decision, from what its seat knows.
#[derive(Serialize, ToSchema)]
pub struct HintAnswer {
    /// The seat whose decision it is: the caller's.
    seat: Seat,
    /// The version that the hint is for.
    #[schema(minimum = 1)]
    version: u64,
    /// The legal moves; first the one that the bots would make, which is the one that the search looked into most.
    #[schema(max_items = 256)]
    items: Vec<HintedMove>,
    /// Each seat's chance to win, by seat.
    #[schema(min_items = 3, max_items = 5)]
    chances: Vec<Share>,
}

/// A legal move, and what the search thinks of it.
#[derive(Serialize, ToSchema)]
pub struct HintedMove {
    /// The move as a body that can be posted as it is.
    submit: SubmitMove,
    /// The caller's chance to win by it; shared victories count as shares.
    value: Share,
    /// The share of the search that went into it: what was hardly looked into is judged with caution.
    visits: Share,
}

problems!(
    Problems: Unauthorized, Forbidden, NoHints, Banned, NotFound, NotYourDecision, NotRunning, Internal, Unavailable,
    NewerData
);

/// Ask the bots for advice, at a table that allows hints, while the decision is the caller's. They know no more than he does.
#[utoipa::path(
    tag = "moves",
    security(("bearer" = [])),
    params(("id" = GameId, Path, description = "The game."), Conditional),
    responses((status = 200, description = "The hint.", body = HintAnswer, headers(("ETag" = String))), conditional::NotModified, Problems)
)]
#[get("/v1/games/{id}/hint")]
pub(crate) async fn read_hint(
    app: Data<App>,
    caller: Caller,
    game: Path<GameId>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let ask = app.play.hint_ask(caller.0, game.0).await?;
    // What the hint follows from is known before it is thought of.
    let mut answer = match conditional::unless_known(&request, caller, ask.tag().as_bytes())? {
        Ok(answer) => answer,
        Err(not_modified) => return Ok(not_modified),
    };
    let (seat, version) = (ask.seat(), ask.version());
    let Hint { moves, chances } = app.play.hint(ask).await?;
    let item = |hinted: Hinted| HintedMove {
        submit: SubmitMove { expected_version: version, action: hinted.action.into() },
        value: hinted.value,
        visits: hinted.visits,
    };
    let items = moves.into_iter().map(item).collect();
    Ok(answer.json(HintAnswer { seat, version, items, chances: chances.values().copied().collect() }))
}
