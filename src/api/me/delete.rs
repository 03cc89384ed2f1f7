//! DELETE /v1/me: the end of an account.

use actix_web::{HttpResponse, delete, web::Data};
use serde::Deserialize;
use utoipa::ToSchema;

use super::if_given;
use crate::api::App;
use crate::api::extract::{Caller, Json};
use crate::api::openapi::problems;
use crate::api::problem::Problem;
use crate::auth::Proof;

/// What shows that it is the owner who asks: one of the two.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DeleteMe {
    /// The account's password.
    #[serde(default, deserialize_with = "if_given")]
    #[schema(min_length = 8, max_length = 128, format = Password, nullable = false)]
    password: Option<String>,
    /// Of a guest, who has no password: the newest refresh token of this device.
    #[serde(default, deserialize_with = "if_given")]
    #[schema(min_length = 43, max_length = 43, nullable = false)]
    refresh_token: Option<String>,
}

problems!(
    Problems: Malformed, Unauthorized, WrongPassword, Banned, SeatedInGame, BodyTooLarge, UnsupportedMediaType, Internal,
    Unavailable, NewerData, OutcomeUnknown
);

/// Delete one's own account, for good.
///
/// Its name becomes `(deleted)` at every table, and is free for others; its password and its language are forgotten; all its
/// devices are logged out at once. Its seats at tables that have not begun are given up, as if it had left them; while it sits
/// in a game that is being played it cannot be deleted. Games that it made stay, and so does what it did in games: their logs
/// know it by its id and hold no names. Whoever lost the answer and asks again is answered 401, which says that it is done.
#[utoipa::path(
    tag = "me",
    security(("bearer" = [])),
    request_body = DeleteMe,
    responses((status = 204, description = "The account has ended."), Problems)
)]
#[delete("/v1/me")]
pub(crate) async fn delete_me(app: Data<App>, caller: Caller, body: Json<DeleteMe>) -> Result<HttpResponse, Problem> {
    let proof = body.0.proof()?;
    let proven = app.auth.prove(&app.store, caller.0, proof).await?;
    app.play.give_up_seats(caller.0).await?;
    app.auth.end_account(&app.store, &proven).await?;
    Ok(HttpResponse::NoContent().finish())
}

impl DeleteMe {
    fn proof(&self) -> Result<Proof<'_>, Problem> {
        match (&self.password, &self.refresh_token) {
            (Some(password), None) => Ok(Proof::Password(password)),
            (None, Some(token)) => Ok(Proof::RefreshToken(token)),
            (None, None) | (Some(_), Some(_)) => {
                Err(Problem::malformed("", "one of password and refresh_token is needed, and not both"))
            }
        }
    }
}
