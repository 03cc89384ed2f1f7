//! GET /problems/{slug}: what one problem means.

use actix_web::{HttpResponse, get};

use super::page;
use crate::api::{
    extract::Path,
    openapi::problems,
    problem::{Problem, ProblemType},
};

problems!(Problems: NotFound);

/// What a problem means and what to do about it.
#[utoipa::path(
    tag = "server",
    params(("slug" = String, Path, description = "The last part of the problem's `type`.")),
    responses((status = 200, description = "A short page.", content_type = "text/html", body = String), Problems)
)]
#[get("/problems/{slug}")]
pub(crate) async fn read_problem(slug: Path<String>) -> Result<HttpResponse, Problem> {
    let kind = ProblemType::ALL.iter().find(|kind| kind.slug() == slug.0);
    let kind = kind.ok_or_else(|| Problem::new(ProblemType::NotFound))?;
    let (title, status, slug) = (kind.title(), kind.status(), kind.slug());
    let meaning = kind.meaning().replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    Ok(page(
        title,
        &format!("<h1>{title}</h1><p>{status} · {slug}</p><p>{meaning}</p><p><a href=\"/problems\">all</a></p>"),
    ))
}
