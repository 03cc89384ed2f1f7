//! The request's id: the caller's X-Request-Id if it is one UUID, else a new one.

use actix_web::{
    HttpMessage as _,
    dev::ServiceRequest,
    http::header::{HeaderMap, HeaderName, HeaderValue},
};
use uuid::Uuid;

use crate::ids::RequestId;

const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Finds or makes the id, and leaves it with the request (`web::ReqData<RequestId>`).
pub fn assign(request: &ServiceRequest) -> RequestId {
    let mut values = request.headers().get_all(X_REQUEST_ID);
    let id = match (values.next().and_then(|value| value.to_str().ok()), values.next()) {
        (Some(text), None) => Uuid::try_parse(text.trim()).ok().filter(|id| !id.is_nil()),
        _ => None,
    };
    let id = id.map_or_else(RequestId::fresh, RequestId::from);
    request.extensions_mut().insert(id);
    id
}

/// Echoes it.
pub fn echo(headers: &mut HeaderMap, id: RequestId) {
    if let Ok(value) = HeaderValue::from_str(&id.to_string()) {
        headers.insert(X_REQUEST_ID, value);
    }
}
