//! What holds for every operation and every schema alike, so that no handler has to think of it, and none can forget it.
//!
//! Added here: the problems that every operation has, the headers of every answer, `security: []` where no token is asked
//! for, examples, the pattern of an Idempotency-Key. Must never: say of one operation what is not true of all of its kind.

use std::collections::BTreeSet;

use utoipa::openapi::example::Example;
use utoipa::openapi::path::{Operation, ParameterIn};
use utoipa::openapi::schema::{AdditionalProperties, ArrayItems, Object, Schema, SchemaType, Type};
use utoipa::openapi::{Components, Content, Header, OpenApi, PathItem, Ref, RefOr, Response, Server};

use super::{examples, problem_response};
use crate::api::problem::{MEDIA_TYPE, Problem, ProblemType};

const JSON: &str = "application/json";
const SCHEMAS: &str = "#/components/schemas/";

/// Completes the document.
pub(super) fn finish(document: &mut OpenApi) {
    document.servers = Some(vec![Server::new("/")]);
    let mut told = BTreeSet::new();
    for (path, item) in &mut document.paths.paths {
        for (method, operation) in operations(item) {
            complete(operation, method, path);
            told.extend(operation.responses.responses.values().flat_map(slugs));
        }
    }
    let (asked, answered) = reachable(document);
    let components = document.components.get_or_insert_default();
    for (name, schema) in &mut components.schemas {
        if answered.contains(name) && !asked.contains(name) {
            open(schema);
        }
        if asked.contains(name) {
            without_defaults(schema);
        }
    }
    for kind in ProblemType::ALL.iter().filter(|kind| told.contains(kind.slug())) {
        let value = serde_json::to_value(Problem::example(*kind)).ok();
        let mut example = Example::default();
        (example.summary, example.value) = (kind.title().to_owned(), value);
        components.examples.insert(kind.slug().to_owned(), RefOr::T(example));
    }
    headers(components);
}

fn operations(item: &mut PathItem) -> impl Iterator<Item = (&'static str, &mut Operation)> {
    let PathItem { get, put, post, patch, delete, .. } = item;
    [("get", get), ("put", put), ("post", post), ("patch", patch), ("delete", delete)]
        .into_iter()
        .filter_map(|(method, operation)| operation.as_mut().map(|operation| (method, operation)))
}

fn complete(operation: &mut Operation, method: &str, path: &str) {
    let id = operation.operation_id.clone().unwrap_or_default();
    let secured = !operation.security.get_or_insert_default().is_empty();
    let mut in_path = false;
    for parameter in operation.parameters.iter_mut().flatten() {
        let RefOr::T(parameter) = parameter else { continue };
        in_path |= parameter.parameter_in == ParameterIn::Path;
        parameter.schema.iter_mut().for_each(without_null);
        if parameter.name == "Idempotency-Key" {
            let mut key = Object::with_type(SchemaType::new(Type::String));
            (key.min_length, key.max_length) = (Some(1), Some(64));
            key.pattern = Some("^[A-Za-z0-9_-]+$".into());
            key.examples = vec!["0199b2c4-move-42".into()];
            parameter.schema = Some(RefOr::T(Schema::Object(key)));
        }
    }
    let mut kinds: BTreeSet<&str> = operation.responses.responses.values().flat_map(slugs).collect();
    let mut add = |more: &[ProblemType]| kinds.extend(more.iter().map(|kind| kind.slug()));
    add(&[ProblemType::NotAcceptable, ProblemType::Internal, ProblemType::Unavailable]);
    if !matches!(path, "/healthz" | "/readyz") {
        add(&[ProblemType::TooManyRequests]);
    }
    if path.starts_with("/v1/") {
        add(&[ProblemType::Malformed]);
    }
    if in_path {
        add(&[ProblemType::NotFound]);
    }
    if secured {
        add(&[ProblemType::Unauthorized]);
    }
    if method != "get" {
        add(&[ProblemType::OutcomeUnknown]);
    }
    if operation.request_body.is_some() {
        add(&[ProblemType::BodyTooSlow, ProblemType::BodyTooLarge, ProblemType::UnsupportedMediaType]);
    }
    let mut by_status = std::collections::BTreeMap::<u16, Vec<ProblemType>>::new();
    for kind in ProblemType::ALL.iter().filter(|kind| kinds.contains(kind.slug())) {
        by_status.entry(kind.status()).or_default().push(*kind);
    }
    for (status, kinds) in by_status {
        let told = problem_response(&kinds);
        match operation.responses.responses.entry(status.to_string()).or_insert_with(|| RefOr::T(told.clone())) {
            RefOr::T(response) => (response.description, response.content) = (told.description, told.content),
            RefOr::Ref(_) => {}
        }
    }
    for (status, response) in &mut operation.responses.responses {
        let RefOr::T(response) = response else { continue };
        let mut header = |name: &str| {
            let reference = RefOr::Ref(Ref::new(format!("#/components/headers/{name}")));
            response.headers.entry(name.to_owned()).or_insert(reference);
        };
        header("X-Request-Id");
        match status.as_str() {
            "401" => header("WWW-Authenticate"),
            "304" => header("ETag"),
            "429" => ["Retry-After", "RateLimit", "RateLimit-Policy"].into_iter().for_each(header),
            "503" => header("Retry-After"),
            _ => {}
        }
        if let Some(RefOr::T(content)) = response.content.get_mut(JSON) {
            content.example = content.example.take().or_else(|| examples::of(&id, status));
        }
    }
    if let Some(RefOr::T(body)) = &mut operation.request_body
        && let Some(RefOr::T(content)) = body.content.get_mut(JSON)
    {
        content.example = content.example.take().or_else(|| examples::of(&id, "request"));
    }
}

/// There is no null in a URL or a header: a parameter is given or left out.
fn without_null(schema: &mut RefOr<Schema>) {
    match schema {
        RefOr::T(Schema::Object(object)) => {
            if let SchemaType::Array(types) = &object.schema_type
                && let [type_, Type::Null] = types.as_slice()
            {
                object.schema_type = SchemaType::Type(type_.clone());
            }
        }
        RefOr::T(Schema::OneOf(union)) => {
            if let Some(item) = union.items.iter().find(|item| !can_be_null(item)) {
                *schema = item.clone();
            }
        }
        RefOr::T(_) | RefOr::Ref(_) => {}
    }
}

/// The problems that a response stands for, which it names by its examples.
fn slugs(response: &RefOr<Response>) -> Vec<&'static str> {
    let RefOr::T(response) = response else { return Vec::new() };
    let Some(RefOr::T(content)) = response.content.get(MEDIA_TYPE) else { return Vec::new() };
    let known = |slug: &String| ProblemType::ALL.iter().map(|kind| kind.slug()).find(|known| known == slug);
    content.examples.keys().filter_map(known).collect()
}

/// Answers are open, unlike bodies: clients are to ignore what they do not know. What can be null is always there.
fn open(schema: &mut RefOr<Schema>) {
    let RefOr::T(Schema::Object(object)) = schema else { return };
    let closed = matches!(object.additional_properties.as_deref(), Some(AdditionalProperties::FreeForm(false)));
    if closed {
        object.additional_properties = None;
    }
    for (name, property) in &object.properties {
        if can_be_null(property) && !object.required.contains(name) {
            object.required.push(name.clone());
        }
    }
}

/// Of a field that has a default, generators (openapi-typescript) say that it is always there, also in bodies: so descriptions
/// tell the defaults.
fn without_defaults(schema: &mut RefOr<Schema>) {
    let RefOr::T(Schema::Object(object)) = schema else { return };
    for property in object.properties.values_mut() {
        match property {
            RefOr::T(Schema::Object(object)) => object.default = None,
            RefOr::T(Schema::Array(array)) => array.default = None,
            RefOr::T(Schema::OneOf(union)) => union.default = None,
            RefOr::Ref(reference) => reference.default = None,
            RefOr::T(_) => {}
        }
    }
}

fn can_be_null(schema: &RefOr<Schema>) -> bool {
    let has_null = |type_: &SchemaType| match type_ {
        SchemaType::Type(type_) => *type_ == Type::Null,
        SchemaType::Array(types) => types.contains(&Type::Null),
        SchemaType::AnyValue => false,
    };
    match schema {
        RefOr::T(Schema::Object(object)) => has_null(&object.schema_type),
        RefOr::T(Schema::Array(array)) => has_null(&array.schema_type),
        RefOr::T(Schema::OneOf(union)) => union.items.iter().any(can_be_null),
        RefOr::T(Schema::AllOf(_) | Schema::AnyOf(_) | _) | RefOr::Ref(_) => false,
    }
}

/// The names of the schemas that bodies and that answers are made of.
fn reachable(document: &OpenApi) -> (BTreeSet<String>, BTreeSet<String>) {
    let (mut asked, mut answered) = (BTreeSet::new(), BTreeSet::new());
    let Some(components) = &document.components else { return (asked, answered) };
    for item in document.paths.paths.values() {
        for operation in [&item.get, &item.put, &item.post, &item.patch, &item.delete].into_iter().flatten() {
            if let Some(RefOr::T(body)) = &operation.request_body {
                body.content.values().for_each(|content| follow(content, components, &mut asked));
            }
            for response in operation.responses.responses.values() {
                let RefOr::T(response) = response else { continue };
                response.content.values().for_each(|content| follow(content, components, &mut answered));
            }
        }
    }
    (asked, answered)
}

fn follow(content: &RefOr<Content>, components: &Components, found: &mut BTreeSet<String>) {
    let RefOr::T(content) = content else { return };
    content.schema.iter().chain(&content.item_schema).for_each(|schema| collect(schema, components, found));
}

fn collect(schema: &RefOr<Schema>, components: &Components, found: &mut BTreeSet<String>) {
    match schema {
        RefOr::Ref(reference) => {
            let Some(name) = reference.ref_location.strip_prefix(SCHEMAS) else { return };
            if found.insert(name.to_owned())
                && let Some(schema) = components.schemas.get(name)
            {
                collect(schema, components, found);
            }
        }
        RefOr::T(Schema::Object(object)) => {
            object.properties.values().for_each(|schema| collect(schema, components, found));
        }
        RefOr::T(Schema::Array(array)) => {
            if let ArrayItems::RefOrSchema(items) = &array.items {
                collect(items, components, found);
            }
        }
        RefOr::T(Schema::OneOf(union)) => union.items.iter().for_each(|schema| collect(schema, components, found)),
        RefOr::T(Schema::AllOf(all)) => all.items.iter().for_each(|schema| collect(schema, components, found)),
        RefOr::T(Schema::AnyOf(any)) => any.items.iter().for_each(|schema| collect(schema, components, found)),
        RefOr::T(_) => {}
    }
}

fn headers(components: &mut Components) {
    let mut add = |name: &str, type_: Type, description: &str| {
        let mut header = Header::new(Object::with_type(SchemaType::new(type_)));
        header.description = Some(description.to_owned());
        components.headers.insert(name.to_owned(), RefOr::T(header));
    };
    add("ETag", Type::String, "The answer's tag, for If-None-Match.");
    add("RateLimit", Type::String, "How often you still may ask, by limit.");
    add("RateLimit-Policy", Type::String, "How often you may ask, by limit.");
    add("X-Request-Id", Type::String, "The request's id: yours, if it is a UUID.");
    add("WWW-Authenticate", Type::String, "The challenge (RFC 6750).");
    add("Retry-After", Type::Integer, "After how many seconds to ask again.");
}
