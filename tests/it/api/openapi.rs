use serde_json::Value;

use crate::support::Api;

#[test]
fn the_committed_document_is_the_codes() {
    let committed = include_str!("../../../openapi/openapi.json");
    assert!(
        committed == fereta::api::openapi::document(),
        "openapi/openapi.json is not what the code says: fereta openapi > openapi/openapi.json, \
         and tell client authors in openapi/CHANGELOG.md"
    );
}

#[test]
fn every_operation_has_an_id_a_tag_and_a_summary() {
    let document: Value = serde_json::from_str(&fereta::api::openapi::document()).unwrap();
    assert_eq!(document["openapi"], "3.1.0");
    let mut ids = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            for field in ["operationId", "tags", "summary"] {
                assert!(!operation[field].is_null(), "{method} {path} has no {field}");
            }
            ids.push(operation["operationId"].as_str().unwrap());
        }
    }
    let all = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), all, "ids are unique");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_document_is_served_and_shown_without_help_from_outside() {
    let api = Api::start().await;
    let served: Value = api.get("/v1/openapi.json").await.json().await.unwrap();
    assert_eq!(served, serde_json::from_str::<Value>(&fereta::api::openapi::document()).unwrap());
    assert_eq!(api.get("/docs").await.url().path(), "/docs/", "redirected");
    for (path, needle) in [("/docs/", "swagger-ui"), ("/docs/swagger-initializer.js", "/v1/openapi.json")] {
        let answer = api.get(path).await;
        assert_eq!(answer.status(), 200);
        assert!(answer.headers()["content-security-policy"].to_str().unwrap().starts_with("default-src 'self'"));
        let text = answer.text().await.unwrap();
        assert!(text.contains(needle), "{text}");
        assert!(!text.contains("://"), "{text}");
    }
    for path in ["/docs/swagger-ui.css", "/docs/swagger-ui-bundle.js", "/docs/favicon-32x32.png"] {
        assert_eq!(api.get(path).await.status(), 200, "{path}");
    }
}
