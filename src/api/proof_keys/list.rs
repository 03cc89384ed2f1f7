//! GET /v1/proof-keys: all public keys that heads and receipts were ever signed with.

use actix_web::{HttpResponse, get, http::header, web::Data};
use chrono::{DateTime, Utc};
use serde::Serialize;
use utoipa::ToSchema;

use crate::api::App;
use crate::api::openapi::problems;
use crate::api::problem::Problem;
use crate::engine::Bytes32;

/// The proof keys.
#[derive(Serialize, ToSchema)]
pub struct ProofKeys {
    /// Oldest first. None is ever taken away.
    #[schema(max_items = 10_000)]
    items: Vec<PublicProofKey>,
}

/// A key that heads and receipts were signed with.
#[derive(Serialize, ToSchema)]
pub struct PublicProofKey {
    /// The Ed25519 public key.
    key: Bytes32,
    /// Since when it is published.
    since_at: DateTime<Utc>,
}

problems!(Problems: Internal, Unavailable);

/// The public keys of signed heads and receipts, all that there ever were: note them before you need them.
#[utoipa::path(tag = "audit", responses((status = 200, description = "The keys.", body = ProofKeys), Problems))]
#[get("/v1/proof-keys")]
pub(crate) async fn list_proof_keys(app: Data<App>) -> Result<HttpResponse, Problem> {
    let keys = app.play.proof_keys().await?;
    let items = keys.into_iter().map(|row| PublicProofKey { key: Bytes32(row.key), since_at: row.since_at }).collect();
    Ok(HttpResponse::Ok().insert_header((header::CACHE_CONTROL, "public, max-age=300")).json(ProofKeys { items }))
}
