//! Reads that are answered with 304 if the caller has the very same answer already.
//!
//! The tag is made from the caller, the address with its query, and the answer itself, under a key that only servers have. So
//! it changes exactly if a byte of the answer does, names of players included; the same in every encoding; and it tells
//! nothing to anybody, not even whether two callers see the same. It costs that the answer is made before it is known that
//! it need not be sent; in return the right to see it has been checked, and no list of what it depends on can be incomplete.
//! Must never: be used for what changes something.

use std::collections::BTreeMap;

use actix_web::{
    HttpRequest, HttpResponse, HttpResponseBuilder,
    http::header::{self, HeaderMap},
};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde::Serialize;
use sha2::Sha256;
use utoipa::openapi::{RefOr, Response, ResponseBuilder};
use utoipa::{IntoParams, IntoResponses};

use super::extract::Caller;
use super::{App, problem::Problem};

/// The header of a conditional read, for the document.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "the header is read by `answer`, whatever the operation")]
pub(crate) struct Conditional {
    /// The `ETag` of an earlier answer to the same request: 304 is answered if it still holds.
    #[param(rename = "If-None-Match", required = false)]
    if_none_match: Option<String>,
}

/// 304, for the document.
pub(crate) struct NotModified;

impl IntoResponses for NotModified {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        let response =
            ResponseBuilder::new().description("Nothing has changed since the answer with that ETag.").build();
        [("304".to_owned(), RefOr::T(response))].into()
    }
}

/// 200 with the body and its tag, or 304 with the tag alone.
///
/// # Errors
/// A 500 for a body that cannot be written as JSON.
pub(crate) fn answer(request: &HttpRequest, caller: Caller, body: &impl Serialize) -> Result<HttpResponse, Problem> {
    let body = serde_json::to_vec(body).map_err(|error| Problem::internal(&error))?;
    Ok(match unless_known(request, caller, &body)? {
        Ok(mut answer) => answer.content_type("application/json").body(body),
        Err(not_modified) => not_modified,
    })
}

/// The beginning of a 200 with the tag of an answer that follows from `content`; or, as `Err`, the 304.
///
/// # Errors
/// A 500, if the server was put together without its [`App`].
pub(crate) fn unless_known(
    request: &HttpRequest,
    caller: Caller,
    content: &[u8],
) -> Result<Result<HttpResponseBuilder, HttpResponse>, Problem> {
    let tag = tag(&App::of(request)?.tag_key, caller, request, content);
    let weak = (header::ETAG, format!("W/{tag}"));
    if matches(request.headers(), &tag) {
        return Ok(Err(HttpResponse::NotModified().insert_header(weak).finish()));
    }
    let mut answer = HttpResponse::Ok();
    answer.insert_header(weak);
    Ok(Ok(answer))
}

/// The tag with its quotes: always of the same length.
fn tag(key: &[u8; 32], caller: Caller, request: &HttpRequest, body: &[u8]) -> String {
    #[expect(clippy::expect_used, reason = "HMAC takes a key of any length")]
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes a key of any length");
    mac.update(caller.0.account.bytes());
    for part in [request.path().as_bytes(), request.query_string().as_bytes()] {
        mac.update(&(part.len() as u64).to_be_bytes());
        mac.update(part);
    }
    mac.update(body);
    let hash: [u8; 32] = mac.finalize().into_bytes().into();
    let short: Vec<u8> = hash.into_iter().take(16).collect();
    format!("\"{}\"", URL_SAFE_NO_PAD.encode(short))
}

/// Weak comparison (RFC 9110, 8.8.3.2) with each tag that the caller has.
fn matches(headers: &HeaderMap, tag: &str) -> bool {
    let values = headers.get_all(header::IF_NONE_MATCH).filter_map(|value| value.to_str().ok());
    // No tag of ours has a comma in it, so that nothing of ours is torn apart.
    let mut known = values.flat_map(|value| value.split(',')).map(str::trim);
    known.any(|known| known == "*" || known.strip_prefix("W/").unwrap_or(known) == tag)
}
