//! POST /v1/accounts/guest: an account without a password, to play at once.

use actix_web::{HttpResponse, post, web::Data};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::{
    api::{App, extract::Json, openapi::problems, problem::Problem, tokens::Session},
    auth::SignUp,
};

/// A new account without a password.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateGuestAccount {
    /// As for an account with a password, and unique among all.
    #[schema(min_length = 1, max_length = 40, examples("太郎"))]
    name: String,
    /// Language tag (BCP 47). Without it: `ja`.
    #[schema(max_length = 35, examples("ja"))]
    locale: Option<String>,
}

problems!(Problems: Malformed, NameTaken, BodyTooLarge, UnsupportedMediaType, Internal, Unavailable, OutcomeUnknown);

/// Make a guest's account.
///
/// A guest plays at once. Nothing but the refresh token leads back to the account until it has a password.
#[utoipa::path(
    tag = "accounts",
    request_body = CreateGuestAccount,
    responses((status = 201, description = "The account, logged in.", body = Session), Problems)
)]
#[post("/v1/accounts/guest")]
pub(crate) async fn create_guest_account(
    app: Data<App>,
    body: Json<CreateGuestAccount>,
) -> Result<HttpResponse, Problem> {
    let CreateGuestAccount { name, locale } = &body.0;
    let request = SignUp { name, password: None, locale: locale.as_deref() };
    let session = app.auth.sign_up(&app.store, request, app.fresh()).await?;
    Ok(Session::from(session).answer(HttpResponse::Created()))
}
