//! What the API's addresses take: methods and query parameters, read from the OpenAPI document.
//!
//! So 405 (with Allow) is told from 404, and an unknown query parameter is refused at every operation, without any handler
//! thinking of it; and what is served cannot drift from what is documented.

use std::borrow::Cow;
use std::sync::Arc;

use actix_web::{dev::ResourceDef, http::Method};
use utoipa::openapi::{OpenApi, PathItem, RefOr, path::Operation, path::ParameterIn};

/// All addresses of the API.
pub struct Surface(Vec<Address>);

struct Address {
    pattern: ResourceDef,
    template: String,
    operations: Vec<Taken>,
}

struct Taken {
    method: Method,
    id: Arc<str>,
    query: Vec<String>,
}

impl Surface {
    /// Reads the document.
    pub fn of(document: &OpenApi) -> Self {
        let address = |(template, item): (&String, &PathItem)| Address {
            pattern: ResourceDef::new(template.as_str()),
            template: template.clone(),
            operations: operations(item),
        };
        Self(document.paths.paths.iter().map(address).collect())
    }

    /// The value of Allow at this path; `None` if there is nothing there.
    pub fn allowed(&self, path: &str) -> Option<String> {
        let mut methods: Vec<&str> = Vec::new();
        for taken in self.at(path).flat_map(|address| &address.operations) {
            methods.push(taken.method.as_str());
            if taken.method == Method::GET {
                methods.push("HEAD");
            }
        }
        methods.sort_unstable();
        methods.dedup();
        if methods.is_empty() { None } else { Some(format!("{}, OPTIONS", methods.join(", "))) }
    }

    /// The first query parameter that the operation at this path does not take. Of what is not an operation, none.
    pub fn unknown_parameter(&self, method: &Method, path: &str, query: &str) -> Option<String> {
        let mut taken = self.at(path).flat_map(|address| &address.operations).filter(|taken| taken.method == *method);
        let known = &taken.next()?.query;
        // Decoded as `extract::Query` decodes them, so that a name means the same to both.
        let mut names = form_urlencoded::parse(query.as_bytes()).map(|(name, _)| name);
        names.find(|name| !known.iter().any(|known| known == name)).map(Cow::into_owned)
    }

    /// The template of the path, for the log, which is not to hold what somebody put into a path.
    pub fn template(&self, path: &str) -> Option<&str> {
        self.at(path).next().map(|address| address.template.as_str())
    }

    /// The id of the operation at this path, for the metrics.
    pub fn operation(&self, method: &Method, path: &str) -> Option<Arc<str>> {
        let method = if *method == Method::HEAD { &Method::GET } else { method };
        let mut taken = self.at(path).flat_map(|address| &address.operations);
        taken.find(|taken| taken.method == *method).map(|taken| taken.id.clone())
    }

    fn at(&self, path: &str) -> impl Iterator<Item = &Address> {
        // A literal path comes before a pattern that it also fits (`/v1/accounts/guest`, `/v1/accounts/{id}`).
        let fits = |address: &&Address| address.pattern.is_match(path);
        let literal = self.0.iter().filter(move |address| address.template == path);
        literal.chain(self.0.iter().filter(move |address| address.template != path).filter(fits))
    }
}

fn operations(item: &PathItem) -> Vec<Taken> {
    let by_method = [
        (Method::GET, &item.get),
        (Method::POST, &item.post),
        (Method::PUT, &item.put),
        (Method::PATCH, &item.patch),
        (Method::DELETE, &item.delete),
    ];
    let taken = |method, operation: &Operation| Taken {
        method,
        id: operation.operation_id.as_deref().unwrap_or("none").into(),
        query: query(operation),
    };
    by_method.into_iter().filter_map(|(method, operation)| operation.as_ref().map(|it| taken(method, it))).collect()
}

fn query(operation: &Operation) -> Vec<String> {
    let name = |parameter: &RefOr<utoipa::openapi::path::Parameter>| match parameter {
        RefOr::T(parameter) if parameter.parameter_in == ParameterIn::Query => Some(parameter.name.clone()),
        RefOr::T(_) | RefOr::Ref(_) => None,
    };
    operation.parameters.iter().flatten().filter_map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn surface() -> Surface {
        let document = serde_json::json!({"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {
            "/v1/games": {"get": {"responses": {}, "parameters": [
                {"name": "limit", "in": "query", "required": false}]}, "post": {"responses": {}}},
            "/v1/games/{id}": {"get": {"responses": {}}, "delete": {"responses": {}}},
            "/v1/games/new": {"put": {"operationId": "put_new", "responses": {}}},
        }});
        Surface::of(&serde_json::from_value(document).expect("a document"))
    }

    #[test]
    fn addresses_and_their_methods() {
        let surface = surface();
        assert_eq!(surface.allowed("/v1/games").as_deref(), Some("GET, HEAD, POST, OPTIONS"));
        assert_eq!(surface.allowed("/v1/games/7").as_deref(), Some("DELETE, GET, HEAD, OPTIONS"));
        for path in ["/", "/v1", "/v1/games/", "/v1/games/7/x", "/v1/Games"] {
            assert_eq!(surface.allowed(path), None, "{path}");
        }
        assert_eq!(surface.template("/v1/games/new"), Some("/v1/games/new"));
        assert_eq!(surface.operation(&Method::PUT, "/v1/games/new").as_deref(), Some("put_new"));
        assert_eq!(surface.operation(&Method::PUT, "/v1/games"), None);
    }

    #[test]
    fn unknown_parameters() {
        let surface = surface();
        let unknown = |method, path, query| surface.unknown_parameter(&method, path, query);
        assert_eq!(unknown(Method::GET, "/v1/games", "limit=3&&"), None);
        assert_eq!(unknown(Method::GET, "/v1/games", "limit=3&page"), Some("page".into()));
        assert_eq!(unknown(Method::GET, "/v1/games", "l%69mit=3"), None);
        assert_eq!(unknown(Method::GET, "/v1/games", "limit=3&p%61ge=%26"), Some("page".into()));
        assert_eq!(unknown(Method::GET, "/v1/games", "limit=3&=&%ff"), Some(String::new()));
        assert_eq!(unknown(Method::POST, "/v1/games", "limit=3"), Some("limit".into()));
        assert_eq!(unknown(Method::GET, "/v1/nothing", "limit=3"), None);
    }
}
