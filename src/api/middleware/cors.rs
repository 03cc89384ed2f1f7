//! CORS: any origin may use the API, without credentials. A token is a header that a page adds itself, never a cookie.

use actix_web::{
    HttpResponse,
    dev::ServiceRequest,
    http::{
        Method,
        header::{self, HeaderMap, HeaderValue},
    },
};

const ALLOWED_HEADERS: &str =
    "Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID, X-Request-Id";
const ALLOWED_METHODS: &str = "GET, HEAD, POST, PUT, PATCH, DELETE";
const EXPOSED_HEADERS: &str = "ETag, Location, Retry-After, X-Request-Id, RateLimit, RateLimit-Policy";
/// For how long a browser may remember the answer, in seconds; none remembers it for longer than a day.
const MAX_AGE_S: &str = "86400";

/// Whether other origins may read what is at this path.
pub fn is_open(path: &str) -> bool {
    path == "/v1" || path.starts_with("/v1/") || path.starts_with("/.well-known/")
}

/// The answer to a preflight request; `None` if it is none.
pub fn preflight(request: &ServiceRequest) -> Option<HttpResponse> {
    let headers = request.headers();
    let asks = request.method() == Method::OPTIONS
        && headers.contains_key(header::ORIGIN)
        && headers.contains_key(header::ACCESS_CONTROL_REQUEST_METHOD);
    (asks && is_open(request.path())).then(|| {
        HttpResponse::NoContent()
            .insert_header((header::ACCESS_CONTROL_ALLOW_METHODS, ALLOWED_METHODS))
            .insert_header((header::ACCESS_CONTROL_ALLOW_HEADERS, ALLOWED_HEADERS))
            .insert_header((header::ACCESS_CONTROL_MAX_AGE, MAX_AGE_S))
            .finish()
    })
}

/// Lets any origin read the answer.
pub fn open(headers: &mut HeaderMap) {
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(EXPOSED_HEADERS));
}
