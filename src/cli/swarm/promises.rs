//! What every answer of the API promises, whatever was asked (api.md A1, A2).

use std::collections::{BTreeMap, BTreeSet};

use reqwest::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderMap, HeaderName, RETRY_AFTER, VARY, WWW_AUTHENTICATE};
use serde_json::Value;

use super::wire::{Answer, Ask};

/// The statuses that each operation is documented to have.
pub(super) struct Documented(BTreeMap<(String, String), BTreeSet<u16>>);

impl Documented {
    /// Reads an OpenAPI document.
    pub(super) fn read(document: &Value) -> Self {
        let mut operations = BTreeMap::new();
        let paths = document.get("paths").and_then(Value::as_object).into_iter().flatten();
        for (path, method, operation) in
            paths.flat_map(|(path, item)| item.as_object().into_iter().flatten().map(move |(m, o)| (path, m, o)))
        {
            let responses = operation.get("responses").and_then(Value::as_object).into_iter().flatten();
            let statuses: BTreeSet<u16> = responses.filter_map(|(status, _)| status.parse().ok()).collect();
            operations.insert((method.to_uppercase(), path.clone()), statuses);
        }
        Self(operations)
    }

    fn has(&self, ask: &Ask, status: u16) -> bool {
        let operation = (ask.method.as_str().to_owned(), ask.operation.to_owned());
        self.0.get(&operation).is_some_and(|statuses| statuses.contains(&status))
    }
}

/// Everything in the answer that is not as promised.
pub(super) fn breaches(documented: &Documented, ask: &Ask, answer: &Answer) -> Vec<String> {
    let mut breaches = Vec::new();
    let mut must = |holds: bool, what: &str| {
        if !holds {
            breaches.push(what.to_owned());
        }
    };
    let header = |name: HeaderName| text(&answer.headers, &name);
    must(documented.has(ask, answer.status), "the status is not documented");
    must(answer.status < 500 || answer.status == 503, "a fault of the server");
    let request_id = header(HeaderName::from_static("x-request-id"));
    must(request_id == Some(&answer.request_id), "X-Request-Id is not the one that was sent");
    let caching = header(CACHE_CONTROL).unwrap_or_default();
    must(!caching.is_empty(), "no Cache-Control");
    if ask.token.is_some() {
        must(caching.contains("private") || caching.contains("no-store"), "Cache-Control lets others keep it");
        let varies = answer.headers.get_all(VARY).iter().filter_map(|value| value.to_str().ok());
        let varies =
            varies.flat_map(|value| value.split(',')).any(|name| name.trim().eq_ignore_ascii_case("authorization"));
        must(varies || caching.contains("no-store"), "no Vary: Authorization");
    }
    let media = header(CONTENT_TYPE).and_then(|media| media.split(';').next()).unwrap_or_default();
    if answer.status < 400 {
        must(media == "application/json", "the media type is not application/json");
        must(!answer.json.is_null(), "the body is not JSON");
        return breaches;
    }
    must(media == "application/problem+json", "the media type is not application/problem+json");
    let field = |name: &str| answer.json.get(name).and_then(Value::as_str).unwrap_or_default();
    must(!answer.problem().is_empty(), "a problem without its type");
    must(!field("title").is_empty(), "a problem without title");
    must(answer.json.get("status").and_then(Value::as_u64) == Some(answer.status.into()), "another status in the body");
    must(field("instance") == format!("urn:uuid:{}", answer.request_id), "instance is not the request's id");
    must(answer.status != 401 || header(WWW_AUTHENTICATE).is_some(), "401 without WWW-Authenticate");
    must(!matches!(answer.status, 429 | 503) || header(RETRY_AFTER).is_some(), "no Retry-After");
    must(answer.status != 500 || field("detail").is_empty(), "a 500 with a detail");
    must(answer.problem() != "stale-version" || answer.json.get("version").is_some(), "stale, but at which version?");
    must(answer.problem() != "rule-violation" || is_rule(field("rule")), "a rule violation without a rule");
    must(answer.problem() != "rule-violation" || !field("code").is_empty(), "a rule violation without a code");
    breaches
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// "R3.1", "R3.9.4"
fn is_rule(text: &str) -> bool {
    let numbers = text.strip_prefix('R').map(|numbers| numbers.split('.'));
    numbers.is_some_and(|mut numbers| numbers.all(|number| number.parse::<u8>().is_ok()))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::json;

    use super::*;

    fn answer(status: u16, headers: &[(&'static str, &str)], body: &Value) -> Answer {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.insert(HeaderName::from_static(name), value.parse().unwrap());
        }
        let (text, request_id) = (body.to_string(), "id".to_owned());
        Answer { status, headers: map, text, json: body.clone(), request_id, took: Duration::ZERO }
    }

    fn found(answer: &Answer) -> Vec<String> {
        let document = json!({"paths": {"/v1/games/{id}": {"get": {"responses": {"200": {}, "409": {}}}}}});
        breaches(&Documented::read(&document), &Ask::get("/v1/games/{id}", "/v1/games/1".into()), answer)
    }

    const GOOD: [(&str, &str); 2] = [("x-request-id", "id"), ("cache-control", "private, no-cache")];

    #[test]
    fn a_good_answer_has_no_breach() {
        let headers = [GOOD[0], GOOD[1], ("content-type", "application/json")];
        assert_eq!(found(&answer(200, &headers, &json!({}))), Vec::<String>::new());
        let headers = [GOOD[0], GOOD[1], ("content-type", "application/problem+json")];
        let body = json!({
            "type": "/problems/stale-version", "title": "t", "status": 409, "instance": "urn:uuid:id", "version": 3
        });
        assert_eq!(found(&answer(409, &headers, &body)), Vec::<String>::new());
    }

    #[test]
    fn breaches_are_named() {
        let bare = found(&answer(200, &[], &Value::Null));
        for breach in ["X-Request-Id", "Cache-Control", "media type", "not JSON"] {
            assert!(bare.iter().any(|found| found.contains(breach)), "{breach}");
        }
        let failed = found(&answer(500, &GOOD, &json!({"detail": "a secret"})));
        for breach in ["not documented", "a fault", "problem+json", "type", "title", "status", "instance", "detail"] {
            assert!(failed.iter().any(|found| found.contains(breach)), "{breach}");
        }
    }

    #[test]
    fn rules_have_numbers() {
        assert!(is_rule("R3") && is_rule("R3.1") && is_rule("R3.9.4"));
        assert!(!is_rule("") && !is_rule("3.1") && !is_rule("R") && !is_rule("Rx.1"));
    }
}
