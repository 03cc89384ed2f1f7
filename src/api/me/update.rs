//! PATCH /v1/me: another name, another language.

use actix_web::{HttpResponse, patch, web::Data};
use serde::Deserialize;
use utoipa::ToSchema;

use super::if_given;
use crate::api::App;
use crate::api::accounts::Account;
use crate::api::extract::{Caller, Json};
use crate::api::openapi::problems;
use crate::api::problem::Problem;
use crate::auth::Profile;

/// What is to change; what is left out stays as it is.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UpdateMe {
    /// 1 to 40 code points, in NFC, trimmed, without control, bidi or zero-width characters. Unique whatever its case and
    /// form (NFKC and case folding).
    #[serde(default, deserialize_with = "if_given")]
    #[schema(min_length = 1, max_length = 40, nullable = false, examples("花子"))]
    name: Option<String>,
    /// Language tag (BCP 47).
    #[serde(default, deserialize_with = "if_given")]
    #[schema(min_length = 2, max_length = 35, nullable = false, examples("ja"))]
    locale: Option<String>,
}

problems!(
    Problems: Malformed, Unauthorized, Banned, NameTaken, BodyTooLarge, UnsupportedMediaType, Internal, Unavailable,
    OutcomeUnknown
);

/// Change one's own name or language.
///
/// The new name is shown at once at every table, those of games that have ended included. The old one is free for others.
#[utoipa::path(
    tag = "me",
    security(("bearer" = [])),
    request_body = UpdateMe,
    responses((status = 200, description = "The account as it is now.", body = Account), Problems)
)]
#[patch("/v1/me")]
pub(crate) async fn update_me(app: Data<App>, caller: Caller, body: Json<UpdateMe>) -> Result<HttpResponse, Problem> {
    let UpdateMe { name, locale } = &body.0;
    let profile = Profile { name: name.as_deref(), locale: locale.as_deref() };
    let account = app.auth.change_profile(&app.store, caller.0, profile).await?;
    Ok(HttpResponse::Ok().json(Account::from(account)))
}
