//! The frame around every request: its id, the limits it counts for, its time limit, its problems, its log line, and the headers of every answer.
//!
//! One function in one order, rather than a stack of wrappers whose order decides silently. It is the outermost, so that
//! also what the layers below refuse (a panic, an encoding, an unknown address) leaves as a problem with the request's id.

use std::time::{Duration, Instant, SystemTime};

use actix_web::{
    Error, HttpResponse,
    body::{BoxBody, MessageBody},
    dev::{ServiceRequest, ServiceResponse},
    error::InternalError,
    http::{
        ConnectionType, Method,
        header::{self, HeaderMap, HeaderValue, TryIntoHeaderValue as _},
    },
    middleware::Next,
    web::Data,
};

use super::{body::Held, caching, cors, limits::Counted, limits::Limits, log, log::Asked, panics, request_id};
use crate::api::{
    App,
    problem::{MEDIA_TYPE, Problem, ProblemType},
    surface::Surface,
};
use crate::clock;

/// How long a request may take until its answer begins.
#[derive(Clone, Copy, Debug)]
pub struct TimeLimit(pub Duration);

/// Serves one request from its first header to the last header of its answer.
///
/// # Errors
/// What was answered without actix's request (it is gone after a time-out or a panic), as an error that is that answer.
pub async fn frame(
    mut request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let held = Held::of(&mut request);
    match answer(request, next).await {
        Ok(response) => Ok(response.map_body(|_, body| held.until_sent(body))),
        Err((problem, answer)) => {
            let answer = answer.map_body(|_, body| held.until_sent(body));
            Err(InternalError::from_response(problem, answer).into())
        }
    }
}

/// The answer to a request, whose sending is for [`frame`] to look after.
///
/// # Errors
/// A problem and its answer, without actix's request.
async fn answer(
    mut request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, (Problem, HttpResponse)> {
    let path = request.path().to_owned();
    let (id, sent_id) = request_id::assign(&request);
    let asked = Asked {
        id,
        sent_id,
        method: request.method().clone(),
        route: surface(&request).and_then(|surface| surface.template(&path).map(str::to_owned)),
        operation: surface(&request).and_then(|surface| surface.operation(request.method(), &path)),
        app: request.app_data::<Data<App>>().cloned(),
        since: Instant::now(),
    };
    if let Some(answer) = cors::preflight(&request) {
        return Ok(finish(request.into_response(answer), &asked, &path, &Counted::default()));
    }
    if asked.method == Method::HEAD {
        // The answer of GET; that its body is not sent is seen to further out, where the method is remembered.
        request.head_mut().method = Method::GET;
    }
    let limits = request.app_data::<Data<Limits>>();
    let mut counted = limits.map(|limits| limits.count(&request, asked.route.as_deref())).unwrap_or_default();
    let refused = counted.refused.take().or_else(|| misread(&request)).or_else(|| unknown_parameter(&request, &path));
    if let Some(problem) = refused {
        return Ok(finish(request.error_response(problem), &asked, &path, &counted));
    }
    let closing = request.app_data::<Data<App>>().is_some_and(|app| *app.draining.borrow());
    let limit = request.app_data::<TimeLimit>().map_or(Duration::from_secs(10), |limit| limit.0);
    let outcome = match tokio::time::timeout(limit, panics::caught(next.call(request))).await {
        Ok(Ok(Ok(response))) => Ok(response.map_into_boxed_body()),
        Ok(Ok(Err(error))) => Err(problem_of(&error)),
        Ok(Err(panic)) => Err(Problem::new(ProblemType::Internal).cause(&Panic(panic))),
        Err(_) => Err(timed_out(&asked.method, limit)),
    };
    let mut response = match outcome {
        Ok(response) => finish(response, &asked, &path, &counted),
        Err(problem) => {
            let mut answer = problem.to_response(asked.id.uuid());
            complete(answer.headers_mut(), &asked, &path, &counted);
            log::answered(&asked, answer.status(), Some(&problem));
            return Err((problem, answer));
        }
    };
    if closing {
        response.response_mut().head_mut().set_connection_type(ConnectionType::Close);
    }
    Ok(response)
}

/// What is at no address: 404, or 405 with Allow where there is one for another method.
pub async fn nothing_here(request: actix_web::HttpRequest) -> Result<HttpResponse, Problem> {
    let allowed = request.app_data::<Data<Surface>>().and_then(|surface| surface.allowed(request.path()));
    match allowed {
        None => Err(Problem::new(ProblemType::NotFound)),
        Some(allowed) if request.method() == Method::OPTIONS => {
            Ok(HttpResponse::NoContent().insert_header((header::ALLOW, allowed)).finish())
        }
        Some(allowed) => Err(Problem::method_not_allowed(&allowed)),
    }
}

fn finish(
    response: ServiceResponse<BoxBody>,
    asked: &Asked,
    path: &str,
    counted: &Counted,
) -> ServiceResponse<BoxBody> {
    let status = response.status();
    if !status.is_client_error() && !status.is_server_error() {
        let mut response = response;
        complete(response.headers_mut(), asked, path, counted);
        log::answered(asked, status, None);
        return response;
    }
    let (request, refused) = response.into_parts();
    let foreign;
    let told = refused.error().and_then(|error| error.as_error::<Problem>());
    let problem = match told {
        Some(problem) => problem,
        None => {
            foreign = refused.error().map_or_else(|| Problem::from_status(status), problem_of);
            &foreign
        }
    };
    let mut answer = problem.to_response(asked.id.uuid());
    complete(answer.headers_mut(), asked, path, counted);
    log::answered(asked, answer.status(), Some(problem));
    ServiceResponse::new(request, answer)
}

/// The headers of every answer.
fn complete(headers: &mut HeaderMap, asked: &Asked, path: &str, counted: &Counted) {
    counted.tell(headers);
    request_id::echo(headers, asked);
    // The HTTP library's own is up to a second old, and each worker's another.
    if let Ok(now) = header::HttpDate::from(SystemTime::from(clock::now())).try_into_value() {
        headers.insert(header::DATE, now);
    }
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if cors::is_open(path) {
        cors::open(headers);
    }
    if path.starts_with("/v1/") {
        caching::default_to_private(headers);
    } else if headers.get(header::CONTENT_TYPE).is_some_and(|media| media == MEDIA_TYPE) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    }
}

fn surface(request: &ServiceRequest) -> Option<&Surface> {
    request.app_data::<Data<Surface>>().map(|surface| surface.get_ref())
}

/// 404 for a path that the router does not read as it came. It decodes what is percent-encoded, while all that is decided
/// here goes by the path as it came; and no address of ours needs an encoded character.
fn misread(request: &ServiceRequest) -> Option<Problem> {
    (request.match_info().as_str() != request.path()).then(|| Problem::new(ProblemType::NotFound))
}

fn unknown_parameter(request: &ServiceRequest, path: &str) -> Option<Problem> {
    let query = request.query_string();
    if query.is_empty() || !path.starts_with("/v1/") {
        return None;
    }
    let name = surface(request)?.unknown_parameter(request.method(), path, query)?;
    Some(Problem::malformed(format!("?{name}"), format!("unknown query parameter `{name}`")))
}

/// Nothing is promised of a change that was cut short; a look at something changed nothing.
fn timed_out(method: &Method, limit: Duration) -> Problem {
    let safe = matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS);
    let kind = if safe { ProblemType::Unavailable } else { ProblemType::OutcomeUnknown };
    Problem::new(kind).cause(&Overdue(limit))
}

fn problem_of(error: &Error) -> Problem {
    let status = error.as_response_error().status_code();
    let problem = Problem::from_status(status);
    if status.is_server_error() { problem.cause(&Foreign(error.to_string())) } else { problem }
}

#[derive(Debug, thiserror::Error)]
#[error("a handler panicked: {0}")]
struct Panic(String);

#[derive(Debug, thiserror::Error)]
#[error("no answer after {} ms", .0.as_millis())]
struct Overdue(Duration);

#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Foreign(String);
