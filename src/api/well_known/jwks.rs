//! GET /.well-known/jwks.json: the keys that access tokens can be checked with.

use actix_web::{HttpResponse, get, http::header, web::Data};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{api::App, auth::keys::Jwk};

/// A JWK set (RFC 7517).
#[derive(Serialize, ToSchema)]
pub struct JwkSet {
    /// One key, or two while they are being rotated.
    #[schema(min_items = 1, max_items = 2)]
    pub keys: Vec<Jwk>,
}

/// The public keys of the access tokens.
#[utoipa::path(tag = "server", responses((status = 200, description = "The keys, the one that signs first.", body = JwkSet)))]
#[get("/.well-known/jwks.json")]
pub(crate) async fn read_jwks(app: Data<App>) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((header::CACHE_CONTROL, "public, max-age=300"))
        .json(JwkSet { keys: app.auth.jwks() })
}
