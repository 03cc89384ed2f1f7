//! POST /v1/tokens/refresh: a new session for a refresh token.

use actix_web::{HttpResponse, post, web::Data};
use serde::Deserialize;
use utoipa::ToSchema;

use super::Session;
use crate::{
    api::{App, extract::Json, openapi::problems, problem::Problem},
    clock,
};

/// A refresh token.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RefreshToken {
    /// The newest one that this device was given.
    #[schema(min_length = 43, max_length = 43)]
    refresh_token: String,
}

problems!(Problems: Malformed, RefreshTokenInvalid, Banned, BodyTooLarge, UnsupportedMediaType, Internal, Unavailable, OutcomeUnknown);

/// Spend a refresh token for new tokens.
///
/// It can be spent once. Whoever lost the answer asks again within 30 seconds and gets the very same new refresh token; a
/// later use of a spent one ends all tokens of the device, as somebody else may have it.
#[utoipa::path(
    tag = "tokens",
    request_body = RefreshToken,
    responses((status = 200, description = "Logged in for another while.", body = Session), Problems)
)]
#[post("/v1/tokens/refresh")]
pub(crate) async fn refresh_token(app: Data<App>, body: Json<RefreshToken>) -> Result<HttpResponse, Problem> {
    let session = app.auth.refresh(&app.store, &body.0.refresh_token, clock::now()).await?;
    Ok(Session::from(session).answer(HttpResponse::Ok()))
}
