//! The request's id: the caller's X-Request-Id if it is one UUID in its usual form, else a new one.

use actix_web::{
    HttpMessage as _,
    dev::ServiceRequest,
    http::header::{HeaderMap, HeaderName, HeaderValue},
};
use uuid::Uuid;

use super::log::Asked;
use crate::ids::RequestId;

const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Finds or makes the id, and leaves it with the request (`web::ReqData<RequestId>`). Returned with it: how the caller wrote
/// it, in whatever case.
pub fn assign(request: &ServiceRequest) -> (RequestId, Option<HeaderValue>) {
    let mut values = request.headers().get_all(X_REQUEST_ID);
    let sent = match (values.next(), values.next()) {
        (Some(value), None) => parse(value).map(|id| (id, Some(value.clone()))),
        _ => None,
    };
    let (id, sent) = sent.unwrap_or_else(|| (RequestId::fresh(), None));
    request.extensions_mut().insert(id);
    (id, sent)
}

/// Echoes it.
pub fn echo(headers: &mut HeaderMap, asked: &Asked) {
    if let Some(value) = asked.sent_id.clone().or_else(|| HeaderValue::from_str(&asked.id.to_string()).ok()) {
        headers.insert(X_REQUEST_ID, value);
    }
}

/// Of the forms that a UUID can have, the one with four hyphens and nothing else.
fn parse(value: &HeaderValue) -> Option<RequestId> {
    let text = value.to_str().ok().filter(|text| text.len() == 36)?;
    Uuid::try_parse(text).ok().filter(|id| !id.is_nil()).map(RequestId::from)
}
