//! docs/events.md, the table of all event types, against the code.

use std::collections::{BTreeMap, BTreeSet};

use fereta::api::{events::TYPES, openapi::document};
use fereta::engine::{Audience, Event};
use serde_json::Value;

use crate::games::{Manner, kinds, play};

/// A row of the page: the names of the data and of the secret, and who may know it.
#[derive(Debug, PartialEq, Eq)]
struct Row {
    data: BTreeSet<String>,
    secret: BTreeSet<String>,
    known_to: String,
}

fn page() -> BTreeMap<String, Row> {
    let names = |cell: &str| cell.split(", ").filter(|name| !name.is_empty()).map(plain).collect();
    include_str!("../../docs/events.md")
        .lines()
        .filter(|line| line.starts_with("| `"))
        .map(|line| {
            let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
            let &[name, _, data, secret, known_to] = cells.as_slice() else { panic!("five cells: {line}") };
            (plain(name), Row { data: names(data), secret: names(secret), known_to: plain(known_to) })
        })
        .collect()
}

fn plain(name: &str) -> String {
    name.trim_matches('`').to_owned()
}

#[test]
fn every_type_is_on_the_page_with_its_fields() {
    let page = page();
    let types: BTreeSet<&str> = TYPES.iter().copied().collect();
    assert_eq!(page.keys().map(String::as_str).collect::<BTreeSet<_>>(), types);
    let document: Value = serde_json::from_str(&document()).unwrap();
    let schemas = &document["components"]["schemas"];
    let mapping = schemas["Event"]["discriminator"]["mapping"].as_object().unwrap();
    let schema = |reference: &Value| {
        let name = reference.as_str().unwrap().rsplit('/').next().unwrap();
        schemas[name].clone()
    };
    let fields = |schema: &Value| schema["properties"].as_object().unwrap().keys().cloned().collect::<BTreeSet<_>>();
    assert_eq!(mapping.len(), TYPES.len());
    for (name, reference) in mapping {
        let event = schema(reference);
        let row = &page[name];
        assert_eq!(event["properties"]["type"]["enum"], serde_json::json!([name]));
        assert_eq!(fields(&schema(&event["properties"]["data"]["$ref"])), row.data, "{name}");
        let secret = event["properties"].get("secret").map(|secret| fields(&schema(&secret["$ref"])));
        assert_eq!(secret.unwrap_or_default(), row.secret, "{name}");
    }
}

#[test]
fn events_say_what_the_page_says() {
    let page = page();
    for kind in kinds(1) {
        play(&kind, Manner::Even, |_, _, events, _| events.iter().for_each(|event| check(event, &page)));
    }
}

fn check(event: &Event, page: &BTreeMap<String, Row>) {
    let fact = serde_json::to_value(&event.fact).unwrap();
    let row = &page[fact["type"].as_str().unwrap()];
    let names = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<BTreeSet<_>>();
    assert_eq!(names(&fact["data"]), row.data, "{fact}");
    let secret = event.secret.as_ref().map(|secret| names(&serde_json::to_value(secret).unwrap()));
    assert_eq!(secret.unwrap_or_default(), row.secret, "{fact}");
    let known_to = match event.fact.audience() {
        None => "",
        Some(Audience::Nobody) => "nobody",
        Some(Audience::Seat(seat)) => {
            assert_eq!(fact["data"]["seat"], seat.number());
            "seat"
        }
    };
    assert_eq!(row.known_to, known_to, "{fact}");
}
