//! DELETE /v1/me: the end of an account.

use std::time::Duration;

use actix_web::{HttpResponse, delete, web::Data};
use serde::Deserialize;
use utoipa::ToSchema;

use super::if_given;
use crate::api::App;
use crate::api::extract::{Caller, Json};
use crate::api::openapi::problems;
use crate::api::problem::Problem;
use crate::auth::{AuthError, Proof};

/// How often it is tried anew when the account sat down or made a table meanwhile.
const ATTEMPTS: usize = 3;
/// How long seats and tables are given up in one request; within the time that a request may take. With the cap on open tables
/// it is more than enough, unless there were more before there was a cap.
const PATIENCE: Duration = Duration::from_secs(3);

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
/// devices are logged out at once. Tables that it made and that have not begun are closed; its seats at others that have not
/// begun are given up, as if it had left them; in games that are being played a bot of the level `hard` plays on in its place (but
/// for games that began before there were bots: while it sits in one it cannot be deleted). Games that have begun stay, and so
/// does what it did in them: their logs hold no names. Who is told that the outcome is
/// unknown asks again, as there may be more to give up than one request can; whoever lost the answer and asks again is answered
/// 401, which says that it is done.
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
    for _ in 0..ATTEMPTS {
        app.play.vacate(caller.0, PATIENCE).await?;
        match app.auth.end_account(&app.store, &proven).await {
            // He sat down, or made a table, meanwhile, or one of his has begun.
            Err(AuthError::Unsettled | AuthError::Seated) => {}
            ended => return ended.map(|()| HttpResponse::NoContent().finish()).map_err(Problem::from),
        }
    }
    Err(AuthError::Unsettled.into())
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
