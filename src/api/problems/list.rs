//! GET /problems: all problems there are.

use actix_web::{HttpResponse, get};

use super::page;
use crate::api::problem::ProblemType;

/// All problems that the API answers with.
#[utoipa::path(tag = "server", responses((status = 200, description = "A page that lists them.", content_type = "text/html", body = String)))]
#[get("/problems")]
pub(crate) async fn list_problems() -> HttpResponse {
    let items: String = ProblemType::ALL
        .iter()
        .map(|kind| {
            let (slug, status, title) = (kind.slug(), kind.status(), kind.title());
            format!("<li>{status} <a href=\"/problems/{slug}\">{slug}</a>: {title}</li>")
        })
        .collect();
    page("Problems", &format!("<h1>Problems</h1><ul>{items}</ul>"))
}
