//! One line in the log for every request, one more for the cause of a 500, and its count in the metrics.
//!
//! Must never: log a header, a body, a query string, or a path as it came (a template and an id tell enough; the rest of a
//! path may be an invite's code).

use std::sync::Arc;
use std::time::Instant;

use actix_web::http::{Method, StatusCode, header::HeaderValue};
use actix_web::web::Data;

use crate::api::App;
use crate::api::problem::{Problem, ProblemType};
use crate::ids::RequestId;

/// What the line says of the request.
pub struct Asked {
    /// Its id.
    pub id: RequestId,
    /// It as the caller wrote it, if it is his.
    pub sent_id: Option<HeaderValue>,
    /// Its method.
    pub method: Method,
    /// The template of its path; `None` if there is no such address.
    pub route: Option<String>,
    /// The id of the operation that it asks for.
    pub operation: Option<Arc<str>>,
    /// Where it is counted.
    pub app: Option<Data<App>>,
    /// When it came.
    pub since: Instant,
}

/// Counts an answered request, and writes its line.
pub fn answered(asked: &Asked, status: StatusCode, problem: Option<&Problem>) {
    let took = asked.since.elapsed();
    if let Some(app) = &asked.app {
        let operation = asked.operation.clone().unwrap_or_else(|| "none".into());
        app.metrics.answered(&operation, status.as_u16(), problem.map(|problem| problem.kind().slug()), took);
    }
    let duration_ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
    let (request_id, method) = (asked.id, &asked.method);
    let route = asked.route.as_deref().unwrap_or("-");
    let problem_type = problem.map_or("-", |problem| problem.kind().slug());
    tracing::info!(%request_id, %method, route, status = status.as_u16(), problem = problem_type, duration_ms, "request");
    let Some(problem) = problem else { return };
    let cause = problem.logged_cause().unwrap_or("not told");
    match problem.kind() {
        ProblemType::Internal => {
            tracing::error!(%request_id, route, cause, "a request failed by a fault of this server")
        }
        ProblemType::Unavailable | ProblemType::NewerData | ProblemType::OutcomeUnknown => {
            tracing::warn!(%request_id, route, cause, "a request could not be served");
        }
        _ => {}
    }
}
