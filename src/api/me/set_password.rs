//! PUT /v1/me/password: another password, or a guest's first.

use actix_web::{HttpResponse, put, web::Data};
use serde::Deserialize;
use utoipa::ToSchema;

use super::if_given;
use crate::api::App;
use crate::api::accounts::Account;
use crate::api::extract::{Caller, Json};
use crate::api::openapi::problems;
use crate::api::problem::Problem;

/// A new password.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SetPassword {
    /// The new one: 8 to 128 characters.
    #[schema(min_length = 8, max_length = 128, format = Password)]
    password: String,
    /// The one up to now. A guest has none, and leaves it out. Of whatever length, it is right or wrong.
    #[serde(default, deserialize_with = "if_given")]
    #[schema(format = Password, nullable = false)]
    old_password: Option<String>,
}

problems!(
    Problems: Malformed, Unauthorized, WrongPassword, Banned, BodyTooLarge, UnsupportedMediaType, Internal, Unavailable,
    OutcomeUnknown
);

/// Change one's password; as a guest, claim the account with a first one.
///
/// From then on the account can be logged in to with its name and this password. This device stays logged in, all others are
/// logged out. It may be asked again after a lost answer: a password that is the new one already is accepted as it is the
/// old one.
#[utoipa::path(
    tag = "me",
    security(("bearer" = [])),
    request_body = SetPassword,
    responses((status = 200, description = "The account, which is no guest's any more.", body = Account), Problems)
)]
#[put("/v1/me/password")]
pub(crate) async fn set_password(
    app: Data<App>,
    caller: Caller,
    body: Json<SetPassword>,
) -> Result<HttpResponse, Problem> {
    let SetPassword { password, old_password } = &body.0;
    let salt = app.fresh().salt;
    let account = app.auth.set_password(&app.store, caller.0, password, old_password.as_deref(), salt).await?;
    Ok(HttpResponse::Ok().json(Account::from(account)))
}
