//! The OpenAPI document as a contract: whether a real answer is one that the document promises, field by field.
//!
//! Stricter than clients are to be: a field that the document does not have is a fault here.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use jsonschema::Validator;
use reqwest::Method;
use reqwest::header::HeaderMap;
use serde_json::{Map, Value, json};

/// Every operation of the document.
pub(crate) struct Contract {
    pub(crate) operations: Vec<Operation>,
    validators: BTreeMap<String, Validator>,
}

/// An operation, and what it can be answered.
pub(crate) struct Operation {
    pub(crate) id: String,
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) definition: Value,
}

impl Contract {
    /// Of the document as the code has it.
    pub(crate) fn of_the_code() -> &'static Self {
        static CONTRACT: OnceLock<Contract> = OnceLock::new();
        CONTRACT.get_or_init(|| Self::read(&serde_json::from_str(&fereta::api::openapi::document()).unwrap()))
    }

    fn read(document: &Value) -> Self {
        let mut schemas = document["components"]["schemas"].clone();
        close(&mut schemas);
        let mut operations = Vec::new();
        let mut validators = BTreeMap::new();
        for (path, item) in document["paths"].as_object().unwrap() {
            for (method, definition) in item.as_object().unwrap() {
                for schema in schemas_of(definition) {
                    validators.entry(schema.to_string()).or_insert_with(|| validator(schema, &schemas));
                }
                let mut definition = definition.clone();
                resolve(&mut definition["responses"], document);
                operations.push(Operation {
                    id: definition["operationId"].as_str().unwrap().to_owned(),
                    method: method.to_uppercase(),
                    path: path.clone(),
                    definition,
                });
            }
        }
        Self { operations, validators }
    }

    /// The operation at this path, literal ones first; None if there is none.
    pub(crate) fn operation(&self, method: &Method, path: &str) -> Option<&Operation> {
        let path = path.split('?').next().unwrap_or(path);
        let fits = |template: &str| {
            let (mut parts, mut asked) = (template.split('/'), path.split('/'));
            loop {
                match (parts.next(), asked.next()) {
                    (None, None) => return true,
                    (Some(part), Some(asked)) if part == asked || part.starts_with('{') && !asked.is_empty() => {}
                    _ => return false,
                }
            }
        };
        let all = || self.operations.iter().filter(|operation| operation.method == method.as_str());
        all().find(|operation| operation.path == path).or_else(|| all().find(|operation| fits(&operation.path)))
    }

    /// What is wrong with a value, by the schema of that name or text.
    pub(crate) fn faults(&self, schema: &Value, value: &Value) -> Vec<String> {
        let validator = &self.validators[&schema.to_string()];
        validator.iter_errors(value).map(|error| format!("{}: {error}", error.instance_path())).collect()
    }

    /// What is wrong with an answer of an operation of the document.
    pub(crate) fn check(
        &self,
        operation: &Operation,
        status: u16,
        headers: &HeaderMap,
        text: &str,
    ) -> Result<(), String> {
        let told = |what: &str| Err(format!("{} answered {status}: {what}: {text}", operation.id));
        let Some(response) = operation.definition["responses"].get(status.to_string()) else {
            // Of any address (the document's description of itself): methods, not operations, are refused with 405.
            return if status == 405 { Ok(()) } else { told("a status that is not documented") };
        };
        for (name, header) in response["headers"].as_object().into_iter().flatten() {
            if header["required"] != false && !headers.contains_key(name) {
                return told(&format!("the header {name} is missing"));
            }
        }
        let media = headers.get("content-type").map_or("", |value| value.to_str().unwrap());
        let media = media.split(';').next().unwrap_or_default();
        let Some(contents) = response["content"].as_object() else {
            return if text.is_empty() { Ok(()) } else { told("there is a body") };
        };
        let Some(content) = contents.get(media) else { return told(&format!("its type is {media}")) };
        if !media.ends_with("json") || media.ends_with("ndjson") {
            return Ok(());
        }
        let Ok(body) = serde_json::from_str::<Value>(text) else { return told("this is not JSON") };
        match self.faults(&content["schema"], &body) {
            faults if faults.is_empty() => self.check_problem(operation, content, &body),
            faults => told(&faults.join("; ")),
        }
    }

    /// A problem is one of those that the operation says it has.
    fn check_problem(&self, operation: &Operation, content: &Value, body: &Value) -> Result<(), String> {
        let Some(kind) = body["type"].as_str().and_then(|kind| kind.strip_prefix("/problems/")) else { return Ok(()) };
        let known = content["examples"].get(kind).is_some();
        if known { Ok(()) } else { Err(format!("{} does not say that it has the problem {kind}", operation.id)) }
    }
}

/// All schemas of bodies and answers.
fn schemas_of(operation: &Value) -> Vec<&Value> {
    let responses = operation["responses"].as_object().unwrap().values();
    let contents = responses.chain([&operation["requestBody"]]).filter_map(|part| part["content"].as_object());
    contents.flat_map(Map::values).map(|content| &content["schema"]).collect()
}

fn validator(schema: &Value, schemas: &Value) -> Validator {
    let root = json!({"allOf": [schema], "components": {"schemas": schemas}});
    jsonschema::options().should_validate_formats(true).build(&root).unwrap()
}

/// Follows the references to headers and examples.
fn resolve(value: &mut Value, document: &Value) {
    match value {
        Value::Object(object) => {
            let pointer = object.get("$ref").and_then(Value::as_str).map(|reference| reference[1..].to_owned());
            match pointer {
                Some(pointer) if !pointer.starts_with("/components/schemas/") => {
                    *value = document.pointer(&pointer).unwrap().clone();
                }
                _ => object.values_mut().for_each(|value| resolve(value, document)),
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|value| resolve(value, document)),
        _ => {}
    }
}

/// No object may have more than its properties.
fn close(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            object.values_mut().for_each(close);
            if object.get("properties").is_some_and(Value::is_object) && object["type"] == "object" {
                object.insert("additionalProperties".into(), json!(false));
            }
        }
        Value::Array(items) => items.iter_mut().for_each(close),
        _ => {}
    }
}

/// The paths of all fields of a value, with `[]` for any place in a list.
pub(crate) fn fields(value: &Value) -> Vec<String> {
    fn walk(value: &Value, path: &str, found: &mut Vec<String>) {
        match value {
            Value::Object(object) => object.iter().for_each(|(name, value)| {
                let path = format!("{path}.{name}");
                found.push(path.clone());
                walk(value, &path, found);
            }),
            Value::Array(items) => items.iter().for_each(|value| walk(value, &format!("{path}[]"), found)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    walk(value, "", &mut found);
    found.sort();
    found.dedup();
    found
}
