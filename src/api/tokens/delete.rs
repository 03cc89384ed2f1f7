//! DELETE /v1/tokens: log out.

use actix_web::{HttpResponse, delete, web::Data};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::api::App;
use crate::api::extract::{Caller, Query};
use crate::api::openapi::problems;
use crate::api::problem::Problem;

/// Which devices.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct DeleteToken {
    /// Whether all devices of the account are logged out, or only the one that the access token belongs to.
    #[serde(default)]
    #[param(default = false)]
    all: bool,
}

problems!(Problems: Malformed, Unauthorized, Banned, Internal, Unavailable, OutcomeUnknown);

/// Log out: this device, or everywhere.
///
/// The device's refresh token is worthless from then on, and its access tokens are refused at the next request, on every
/// server, though they have not expired. Whoever lost the answer and asks again is answered 401, which says the same. A guest
/// who logs out of the last device has no way back to the account.
#[utoipa::path(
    tag = "tokens",
    security(("bearer" = [])),
    params(DeleteToken),
    responses((status = 204, description = "Logged out."), Problems)
)]
#[delete("/v1/tokens")]
pub(crate) async fn delete_token(
    app: Data<App>,
    caller: Caller,
    query: Query<DeleteToken>,
) -> Result<HttpResponse, Problem> {
    app.auth.log_out(&app.store, caller.0, query.0.all).await?;
    Ok(HttpResponse::NoContent().finish())
}
