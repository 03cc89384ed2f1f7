//! POST /v1/accounts: an account with a password.

use actix_web::{HttpResponse, post, web::Data};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::{
    api::{App, extract::Json, openapi::problems, problem::Problem, tokens::Session},
    auth::SignUp,
};

/// A new account with a password.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateAccount {
    /// 1 to 40 code points, in NFC, trimmed, without control, bidi, invisible, private or unassigned characters and
    /// without a combining mark on its own. Unique whatever its case, form and white space (NFKC and case folding).
    #[schema(min_length = 1, max_length = 40, examples("花子"))]
    name: String,
    /// 8 to 128 characters.
    #[schema(min_length = 8, max_length = 128, format = Password)]
    password: String,
    /// Language tag (BCP 47). Without it: `ja`.
    #[schema(max_length = 35, examples("ja"))]
    locale: Option<String>,
}

problems!(Problems: Malformed, NameTaken, BodyTooLarge, UnsupportedMediaType, Internal, Unavailable, OutcomeUnknown);

/// Make an account with a password.
///
/// It is logged in at once: the answer holds its first tokens. After `outcome-unknown`, try to log in.
#[utoipa::path(
    tag = "accounts",
    request_body = CreateAccount,
    responses((status = 201, description = "The account, logged in.", body = Session), Problems)
)]
#[post("/v1/accounts")]
pub(crate) async fn create_account(app: Data<App>, body: Json<CreateAccount>) -> Result<HttpResponse, Problem> {
    let CreateAccount { name, password, locale } = &body.0;
    let request = SignUp { name, password: Some(password), locale: locale.as_deref() };
    let session = app.auth.sign_up(&app.store, request, app.fresh()).await?;
    Ok(Session::from(session).answer(HttpResponse::Created()))
}
