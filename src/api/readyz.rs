//! GET /readyz: requests can be served now: the database answers, its schema is the right one, the server is not stopping.

use actix_web::{HttpResponse, get, web::Data};

use super::{App, openapi::problems, problem::Problem, problem::ProblemType};

problems!(Problems: Unavailable, Draining);

/// Whether requests can be served.
#[utoipa::path(tag = "server", responses((status = 204, description = "They can."), Problems))]
#[get("/readyz")]
pub(crate) async fn read_readyz(app: Data<App>) -> Result<HttpResponse, Problem> {
    if *app.draining().borrow() {
        return Err(Problem::new(ProblemType::Draining));
    }
    match app.store.check_set_up().await {
        Ok(()) => Ok(HttpResponse::NoContent().finish()),
        Err(error) => Err(Problem::new(ProblemType::Unavailable).cause(&error)),
    }
}
