//! GET /healthz: the process is up. Says nothing of what it needs.

use actix_web::{HttpResponse, get};

/// Whether the process is up.
#[utoipa::path(tag = "server", responses((status = 204, description = "It is.")))]
#[get("/healthz")]
pub(crate) async fn read_healthz() -> HttpResponse {
    HttpResponse::NoContent().finish()
}
