//! POST /v1/tokens: log in.

use actix_web::{HttpResponse, post, web::Data};
use serde::Deserialize;
use utoipa::ToSchema;

use super::Session;
use crate::api::{App, extract::Json, openapi::problems, problem::Problem};

/// A name and its password.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateToken {
    /// The account's name, in any case and form.
    #[schema(min_length = 1, examples("花子"))]
    name: String,
    /// The account's password.
    #[schema(min_length = 8, max_length = 128, format = Password)]
    password: String,
}

problems!(Problems: Malformed, WrongCredentials, Banned, BodyTooLarge, UnsupportedMediaType, Internal, Unavailable, OutcomeUnknown);

/// Log in.
///
/// Every log-in is a device of its own, with its own line of refresh tokens.
#[utoipa::path(
    tag = "tokens",
    request_body = CreateToken,
    responses((status = 200, description = "Logged in.", body = Session), Problems)
)]
#[post("/v1/tokens")]
pub(crate) async fn create_token(app: Data<App>, body: Json<CreateToken>) -> Result<HttpResponse, Problem> {
    let CreateToken { name, password } = &body.0;
    let session = app.auth.log_in(&app.store, name, password, app.fresh()).await?;
    Ok(Session::from(session).answer(HttpResponse::Ok()))
}
