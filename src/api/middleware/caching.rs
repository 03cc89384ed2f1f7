//! Who may keep an answer: by default nobody but the caller, and not without asking again.

use actix_web::http::header::{self, HeaderMap, HeaderValue};

/// Marks what an operation of the API did not mark itself as the caller's own.
pub fn default_to_private(headers: &mut HeaderMap) {
    if !headers.contains_key(header::CACHE_CONTROL) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
        headers.append(header::VARY, HeaderValue::from_static("Authorization"));
        // Compression says so only of what it has compressed, and so not of a 304.
        let told = headers.get_all(header::VARY).any(|value| value.as_bytes().eq_ignore_ascii_case(b"accept-encoding"));
        if !told {
            headers.append(header::VARY, HeaderValue::from_static("Accept-Encoding"));
        }
    }
}
