//! Tokens: how an account shows who it is.

pub mod create;
pub mod delete;
pub mod refresh;

use actix_web::{HttpResponse, HttpResponseBuilder, http::header};
use serde::Serialize;
use utoipa::ToSchema;

use super::accounts::Account;
use crate::auth::{self, refresh::LIFE_DAYS, token::LIFE_S};

/// An account that is logged in, and its tokens.
#[derive(Serialize, ToSchema)]
pub struct Session {
    /// Who is logged in.
    pub account: Account,
    /// JWT for the header `Authorization: Bearer …`. Treat it as opaque.
    pub access_token: String,
    /// Always `Bearer`.
    #[schema(examples("Bearer"))]
    pub token_type: &'static str,
    /// For how long the access token is good, in seconds.
    #[schema(minimum = 1, examples(900))]
    pub expires_in_s: i64,
    /// Buys the next session, once, at `POST /v1/tokens/refresh`. Keep it secret and keep only the newest.
    #[schema(min_length = 43, max_length = 43)]
    pub refresh_token: String,
    /// For how long the refresh token is good if it is not used, in seconds.
    #[schema(minimum = 1, examples(15_552_000))]
    pub refresh_expires_in_s: i64,
}

impl Session {
    /// The answer with this session, which nobody may keep.
    pub fn answer(&self, mut response: HttpResponseBuilder) -> HttpResponse {
        response.insert_header((header::CACHE_CONTROL, "no-store")).json(self)
    }
}

impl From<auth::Session> for Session {
    fn from(session: auth::Session) -> Self {
        Self {
            account: session.account.into(),
            access_token: session.access_token,
            token_type: "Bearer",
            expires_in_s: LIFE_S,
            refresh_token: session.refresh_token.to_text(),
            refresh_expires_in_s: i64::from(LIFE_DAYS) * 86_400,
        }
    }
}
