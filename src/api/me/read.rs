//! GET /v1/me: who one is.

use actix_web::{HttpResponse, get, web::Data};

use crate::api::App;
use crate::api::accounts::Account;
use crate::api::extract::Caller;
use crate::api::openapi::problems;
use crate::api::problem::Problem;

problems!(Problems: Unauthorized, Banned, Internal, Unavailable);

/// Look at one's own account.
#[utoipa::path(
    tag = "me",
    security(("bearer" = [])),
    responses((status = 200, description = "The caller's account.", body = Account), Problems)
)]
#[get("/v1/me")]
pub(crate) async fn read_me(app: Data<App>, caller: Caller) -> Result<HttpResponse, Problem> {
    let account = app.auth.account(&app.store, caller.0).await?;
    Ok(HttpResponse::Ok().json(Account::from(account)))
}
