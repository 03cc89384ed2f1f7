//! What handlers get from a request: parsed once, at the edge, into types.
//!
//! Bodies and query strings are closed: what is not known is refused, by its path. `T` says so itself, with
//! `#[serde(deny_unknown_fields)]`; a query parameter that is in no operation's document never gets this far
//! (`middleware::frame`). Must never: decide who may do what; whether an account still stands is read with the request's
//! first statement.

use std::{future::Ready, pin::Pin, str::FromStr, time::Duration};

use actix_web::{FromRequest, HttpRequest, dev::Payload, error::PayloadError, http::header, web};
use serde::de::DeserializeOwned;

use super::{App, closed::Closed, problem::Problem, problem::ProblemType, union};
use crate::{clock, ids::Bearer};

/// The most bytes of a body.
pub const MAX_BODY: usize = 65_536;
/// How long a body may take to come; shorter than any time limit for the whole request.
const BODY_TIME: Duration = Duration::from_secs(5);

/// A JSON body.
///
/// # Errors
/// 415 for another content type, 413 for more than [`MAX_BODY`], 408 for one that does not come, 400 for everything else, with the path.
pub struct Json<T>(pub T);

/// The query string. Use `#[serde(deny_unknown_fields)]`.
///
/// # Errors
/// 400 with the parameter's name where it is known.
pub struct Query<T>(pub T);

/// The id (or other word) in the path, which has one variable part.
///
/// # Errors
/// 404 for what cannot be one: it names nothing.
pub struct Path<T>(pub T);

/// The two variable parts of the path.
///
/// # Errors
/// 404 for what cannot be one: it names nothing.
pub struct Paths<A, B>(pub A, pub B);

/// Who asks: the bearer of the access token in the header Authorization, and nowhere else. Name it first among a handler's
/// arguments, so that 401 comes before 400.
///
/// # Errors
/// 401.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caller(pub Bearer);

impl Caller {
    /// The caller, and the key that he gave.
    pub fn with(self, key: IdempotencyKey) -> crate::play::Caller {
        crate::play::Caller { account: self.0.account, device: self.0.device, key: key.0 }
    }
}

/// The header Idempotency-Key, without its quotes.
///
/// # Errors
/// 400 if it is missing or unusable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdempotencyKey(pub String);

impl<T: DeserializeOwned + 'static> FromRequest for Json<T> {
    type Error = Problem;
    type Future = Pin<Box<dyn Future<Output = Result<Self, Problem>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let acceptable = check_content(request);
        let body = web::Bytes::from_request(request, payload);
        Box::pin(async move {
            acceptable?;
            let body =
                tokio::time::timeout(BODY_TIME, body).await.map_err(|_| Problem::new(ProblemType::BodyTooSlow))?;
            let body = body.map_err(|error| match error.as_error::<PayloadError>() {
                Some(PayloadError::Overflow) => Problem::new(ProblemType::BodyTooLarge),
                Some(_) | None => Problem::malformed("", "the body broke off"),
            })?;
            parse_json(&body).map(Json)
        })
    }
}

impl<T: DeserializeOwned> FromRequest for Query<T> {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        std::future::ready(parse_query(request.query_string()).map(Self))
    }
}

impl<T: FromStr> FromRequest for Path<T> {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let part = request.match_info().iter().next().and_then(|(_, part)| part.parse().ok());
        std::future::ready(part.map(Self).ok_or_else(|| Problem::new(ProblemType::NotFound)))
    }
}

impl<A: FromStr, B: FromStr> FromRequest for Paths<A, B> {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let mut parts = request.match_info().iter().map(|(_, part)| part);
        let one = parts.next().and_then(|part| part.parse().ok());
        let other = parts.next().and_then(|part| part.parse().ok());
        let both = one.zip(other).map(|(one, other)| Self(one, other));
        std::future::ready(both.ok_or_else(|| Problem::new(ProblemType::NotFound)))
    }
}

impl FromRequest for Caller {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        std::future::ready(caller(request))
    }
}

impl FromRequest for IdempotencyKey {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let mut values = request.headers().get_all("idempotency-key");
        let key = match (values.next(), values.next()) {
            (None, _) => Err("the header Idempotency-Key is missing"),
            (Some(_), Some(_)) => Err("there is more than one header Idempotency-Key"),
            (Some(value), None) => {
                value.to_str().ok().and_then(parse_key).ok_or("an Idempotency-Key is 1 to 64 of A-Z, a-z, 0-9, _ and -")
            }
        };
        let unusable = |detail| Problem::new(ProblemType::IdempotencyKeyUnusable).detail(detail);
        std::future::ready(key.map(Self).map_err(unusable))
    }
}

/// Reads a whole JSON text as a `T`. Paths lead into unions too.
///
/// # Errors
/// 400, with the path of what is wrong.
pub fn parse_json<T: DeserializeOwned>(text: &[u8]) -> Result<T, Problem> {
    let mut json = serde_json::Deserializer::from_slice(text);
    let value = serde_path_to_error::deserialize(Closed(&mut json)).map_err(|error| {
        let outer = error.path().to_string();
        let (inner, message) = union::split(&error.into_inner().to_string());
        Problem::malformed(union::join(&outer, &inner), message)
    })?;
    json.end().map_err(|error| Problem::malformed("", error.to_string()))?;
    Ok(value)
}

fn parse_query<T: DeserializeOwned>(text: &str) -> Result<T, Problem> {
    let query = serde_urlencoded::Deserializer::new(form_urlencoded::parse(text.as_bytes()));
    serde_path_to_error::deserialize(query).map_err(|error| {
        let name = union::join(&error.path().to_string(), "");
        let detail = error.into_inner().to_string();
        // A parameter that comes twice is named in the message alone.
        let name = if name.is_empty() { quoted(&detail).unwrap_or_default().to_owned() } else { name };
        let path = if name.is_empty() { name } else { format!("?{name}") };
        Problem::malformed(path, detail)
    })
}

fn check_content(request: &HttpRequest) -> Result<(), Problem> {
    let headers = request.headers();
    // Of two that contradict each other, what is between us and the client may go by the other one.
    if [header::CONTENT_TYPE, header::CONTENT_ENCODING].iter().any(|name| headers.get_all(name).nth(1).is_some()) {
        return Err(Problem::new(ProblemType::UnsupportedMediaType));
    }
    let text = |name| headers.get(name).and_then(|value: &header::HeaderValue| value.to_str().ok());
    let content_type = text(header::CONTENT_TYPE).unwrap_or_default();
    let (essence, parameters) = content_type.split_once(';').unwrap_or((content_type, ""));
    let utf8 = parameters.trim().is_empty()
        || parameters.trim().split_once('=').is_some_and(|(name, value)| {
            name.eq_ignore_ascii_case("charset") && value.trim_matches('"').eq_ignore_ascii_case("utf-8")
        });
    let plain = headers.get(header::CONTENT_ENCODING).is_none_or(|value| value == "identity");
    if !essence.trim().eq_ignore_ascii_case("application/json") || !utf8 || !plain {
        return Err(Problem::new(ProblemType::UnsupportedMediaType));
    }
    let length = text(header::CONTENT_LENGTH).and_then(|length| length.parse::<u64>().ok());
    if length.is_some_and(|length| length > MAX_BODY as u64) {
        return Err(Problem::new(ProblemType::BodyTooLarge));
    }
    Ok(())
}

pub(super) fn caller(request: &HttpRequest) -> Result<Caller, Problem> {
    use crate::auth::token::TokenError;
    let mut values = request.headers().get_all(header::AUTHORIZATION);
    let (Some(value), more) = (values.next(), values.next()) else {
        return Err(Problem::new(ProblemType::Unauthorized));
    };
    let token = value
        .to_str()
        .ok()
        .filter(|_| more.is_none())
        .and_then(|text| text.split_once(' '))
        .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"))
        .map(|(_, token)| token.trim())
        .ok_or(TokenError::Invalid)?;
    let app = App::of(request)?;
    Ok(Caller(app.auth.recognise(token, clock::now())?.bearer))
}

fn parse_key(text: &str) -> Option<String> {
    let text = text.trim();
    let bare = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text);
    let usable =
        (1..=64).contains(&bare.len()) && bare.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
    usable.then(|| bare.to_owned())
}

/// The first name that a message of serde has between backticks.
fn quoted(message: &str) -> Option<&str> {
    message.split('`').nth(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_named() {
        #[derive(Debug, serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Page {
            limit: Option<u32>,
            mine: Option<bool>,
            status: Option<crate::engine::Status>,
        }
        let page: Page = parse_query("limit=3&mine=true&status=open").expect("a page");
        assert_eq!((page.limit, page.mine, page.status), (Some(3), Some(true), Some(crate::engine::Status::Open)));
        for (text, path) in [
            ("limit=three", "?limit"),
            ("limit=-1", "?limit"),
            ("limit=", "?limit"),
            ("mine=yes", "?mine"),
            ("mine=true&status=asleep", "?status"),
            ("limit=1&limit=2", "?limit"),
            ("page=1", "?page"),
        ] {
            let problem = parse_query::<Page>(text).expect_err(text);
            assert_eq!(problem.path_told(), Some(path), "{text}");
        }
    }

    #[test]
    fn keys_are_bare_or_quoted() {
        let longest = "k".repeat(64);
        for (text, key) in [("a_B-9", "a_B-9"), ("\"a\"", "a"), (" a ", "a"), (longest.as_str(), longest.as_str())] {
            assert_eq!(parse_key(text).as_deref(), Some(key));
        }
        for bad in ["", "\"\"", "\"", "a b", "a\"", "é", "a.b", &"k".repeat(65)] {
            assert_eq!(parse_key(bad), None, "{bad}");
        }
    }
}
