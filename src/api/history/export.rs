//! GET /v1/games/{id}/export: the whole history as a file that can be audited offline (fairness F4).

use actix_web::{HttpRequest, HttpResponse, get, http::header, web::Bytes, web::Data};
use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};

use crate::api::App;
use crate::api::conditional::{self, Conditional};
use crate::api::extract::{Caller, Path};
use crate::api::openapi::problems;
use crate::api::problem::Problem;
use crate::ids::GameId;

const MEDIA_TYPE: &str = "application/x-ndjson";

problems!(Problems: Malformed, Unauthorized, Banned, NotFound, Internal, Unavailable, NewerData);

/// Export the history as a file, one JSON text a line: every event as it was hashed, each with its hash and the secret that you
/// may know, the signed head, and the seed once the game has ended. `fereta audit` and `verify.mjs` check it.
#[utoipa::path(
    tag = "audit",
    security(("bearer" = [])),
    params(("id" = GameId, Path, description = "The game."), Conditional),
    responses(
        (
            status = 200, description = "The file. A whole one ends with the line of the head or of the reveal.",
            body = String, content_type = "application/x-ndjson", headers(("ETag" = String))
        ),
        conditional::NotModified, Problems
    )
)]
#[get("/v1/games/{id}/export")]
pub(crate) async fn export_game(
    app: Data<App>,
    caller: Caller,
    game: Path<GameId>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let mut export = app.play.export(caller.0, game.0).await?;
    let known = serde_json::to_vec(&export.head()).map_err(|error| Problem::internal(&error))?;
    let mut answer = match conditional::unless_known(&request, caller, &known)? {
        Err(not_modified) => return Ok(not_modified),
        Ok(answer) => answer,
    };
    // The first part before the answer begins: what is wrong there is a problem, and not half a file.
    let first = export.next().await?;
    let rest = stream::try_unfold(export, |mut export| async {
        match export.next().await {
            Ok(part) => Ok(part.map(|text| (text, export))),
            Err(error) => {
                tracing::error!(game = %export.game_id(), %error, "an export was broken off");
                Err(error)
            }
        }
    });
    let parts = stream::iter(first.map(Ok)).chain(rest).map_ok(Bytes::from);
    let name = format!("attachment; filename=\"fereta-{}.ndjson\"", game.0);
    Ok(answer.content_type(MEDIA_TYPE).insert_header((header::CONTENT_DISPOSITION, name)).streaming(parts))
}
