use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::api::PASSWORD;
use crate::support::contract::{Contract, Operation, fields};
use crate::support::player::{Answer, key};
use crate::support::table::{of_rounds, review_of};
use crate::support::{Api, Player, Table};

/// What `write_examples` writes and the document has.
const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/openapi/examples.json");

#[test]
fn the_committed_document_is_the_codes() {
    let committed = include_str!("../../../openapi/openapi.json");
    assert!(
        committed == fereta::api::openapi::document(),
        "openapi/openapi.json is not what the code says: fereta openapi > openapi/openapi.json, \
         and tell client authors in openapi/CHANGELOG.md"
    );
}

fn document() -> Value {
    serde_json::from_str(&fereta::api::openapi::document()).unwrap()
}

#[test]
fn every_operation_says_all_that_a_client_needs() {
    let document = document();
    assert_eq!(document["openapi"], "3.1.0");
    let tags: Vec<&Value> = document["tags"].as_array().unwrap().iter().map(|tag| &tag["name"]).collect();
    let mut ids = BTreeSet::new();
    for Operation { id, method, path, definition } in &Contract::of_the_code().operations {
        assert!(ids.insert(id), "{id}: ids are unique");
        assert!(!definition["summary"].as_str().unwrap_or_default().is_empty(), "{id} has no summary");
        let told = definition["tags"].as_array().unwrap();
        assert!(!told.is_empty() && told.iter().all(|tag| tags.contains(&tag)), "{id}: {told:?}");
        assert!(definition["security"].is_array(), "{id} says nothing of security");
        let secured = definition["security"] != json!([]);
        let responses = definition["responses"].as_object().unwrap();
        let success = responses.keys().filter(|status| status.starts_with('2')).count();
        assert!(success >= 1, "{id}");
        let mut needed = vec!["406", "500", "503"];
        needed.extend(secured.then_some("401"));
        needed.extend(path.starts_with("/v1/").then_some("400"));
        needed.extend(path.contains('{').then_some("404"));
        if !definition["requestBody"].is_null() {
            needed.extend(["408", "413", "415"]);
        }
        for status in needed {
            assert!(responses.contains_key(status), "{method} {path} does not tell of {status}");
        }
    }
}

/// Generators make good types of named, bounded schemas only.
#[test]
fn schemas_are_named_and_bounded() {
    fn walk(value: &Value, path: &str, faults: &mut Vec<String>) {
        let fault = |faults: &mut Vec<String>, what: &str| faults.push(format!("{path}: {what}"));
        if let Some(object) = value.as_object() {
            let is = |name: &str| object.get("type").is_some_and(|t| t == name || t[0] == name);
            let has = |name: &str| object.contains_key(name);
            if is("integer") && !(has("format") && has("minimum") && (has("maximum") || object["format"] == "int64")) {
                fault(faults, "a number without format or bounds");
            }
            if is("array") && !has("maxItems") {
                fault(faults, "a list without a greatest size");
            }
            if let Some(items) = object.get("oneOf").and_then(Value::as_array) {
                let named = items.iter().all(|item| item.get("$ref").is_some() || item["type"] == "null");
                if !named {
                    fault(faults, "a union of what has no name");
                }
                let of_objects = items.iter().filter(|item| item["type"] != "null").count() > 1;
                if of_objects && !has("discriminator") && !path.ends_with("schemas/Cause") {
                    fault(faults, "a union without a discriminator");
                }
            }
            if has("anyOf") || has("allOf") {
                fault(faults, "anyOf or allOf");
            }
            let nested = path.matches('/').count() > 2 && object.get("type") == Some(&json!("object"));
            if nested && has("properties") && !path.ends_with("/properties") {
                fault(faults, "an object without a name");
            }
            object.iter().for_each(|(name, value)| walk(value, &format!("{path}/{name}"), faults));
        } else if let Some(items) = value.as_array() {
            items.iter().enumerate().for_each(|(i, value)| walk(value, &format!("{path}/{i}"), faults));
        }
    }
    let document = document();
    let mut faults = Vec::new();
    walk(&document["components"]["schemas"], "components/schemas", &mut faults);
    assert!(faults.is_empty(), "{faults:#?}");
    for name in document["components"]["schemas"].as_object().unwrap().keys() {
        assert!(name.starts_with(|first: char| first.is_ascii_uppercase()), "{name} is no name of a type");
    }
    for union in ["Move", "Event"] {
        let union = &document["components"]["schemas"][union];
        for (tag, reference) in union["discriminator"]["mapping"].as_object().unwrap() {
            let name = reference.as_str().unwrap().rsplit('/').next().unwrap();
            assert_eq!(document["components"]["schemas"][name]["properties"]["type"]["enum"], json!([tag]));
        }
    }
}

/// A part of an operation (`request`, or the status of an answer), and what was really sent there.
type Seen = BTreeMap<(String, String), Vec<Value>>;

/// Somebody who asks, and writes down what was said. Every answer to a [`Player`] is held against the document there.
struct Tour<'a> {
    api: &'a Api,
    seen: Seen,
}

impl Tour<'_> {
    async fn ask(&mut self, who: Option<&Player>, method: Method, path: &str, body: Option<&Value>) -> Answer {
        let contract = Contract::of_the_code();
        let operation = contract.operation(&method, path).unwrap_or_else(|| panic!("{method} {path}"));
        let answer = match who {
            Some(player) => player.ask(method, path, Some(&key()), body).await,
            None => {
                let request = self.api.request(method, path);
                let request = match body {
                    Some(body) => request.json(body),
                    None => request,
                };
                let answer = request.send().await.unwrap();
                let (status, headers) = (answer.status().as_u16(), answer.headers().clone());
                Answer { status, headers, text: answer.text().await.unwrap() }
            }
        };
        contract.check(operation, answer.status, &answer.headers, &answer.text).unwrap();
        if let Some(body) = body.filter(|_| answer.status < 300) {
            let schema = &operation.definition["requestBody"]["content"]["application/json"]["schema"];
            assert_eq!(contract.faults(schema, body), [""; 0], "{}: {body}", operation.id);
            self.note(&operation.id, "request", body.clone());
        }
        let json = serde_json::from_str(&answer.text).unwrap_or_default();
        self.note(&operation.id, &answer.status.to_string(), json);
        if let (Some(player), Some(tag)) = (who, answer.headers.get("etag")) {
            // Nothing has changed since.
            let request = self.api.request(Method::GET, path).bearer_auth(&player.token).header("If-None-Match", tag);
            let again = request.send().await.unwrap();
            assert_eq!(again.status(), 304, "{path}");
            let (headers, text) = (again.headers().clone(), again.text().await.unwrap());
            contract.check(operation, 304, &headers, &text).unwrap();
            self.note(&operation.id, "304", Value::Null);
        }
        answer
    }

    fn note(&mut self, operation: &str, part: &str, value: Value) {
        self.seen.entry((operation.to_owned(), part.to_owned())).or_default().push(value);
    }
}

/// Asks every operation so that it answers with every success that it has. Add a line for a new one.
async fn tour(api: &Api) -> Seen {
    let mut tour = Tour { api, seen: Seen::new() };
    let (get, post, delete) = (Method::GET, Method::POST, Method::DELETE);
    for path in ["/healthz", "/readyz", "/problems", "/problems/malformed", "/.well-known/jwks.json"] {
        tour.ask(None, get.clone(), path, None).await;
    }
    tour.ask(None, get.clone(), "/v1/openapi.json", None).await;

    let hanako = json!({"name": "花子", "password": PASSWORD, "locale": "ja"});
    tour.ask(None, post.clone(), "/v1/accounts", Some(&hanako)).await;
    tour.ask(None, post.clone(), "/v1/accounts", Some(&hanako)).await.refused(409, "name-taken");
    let mut players = Vec::new();
    for name in ["太郎", "次郎", "Mika"] {
        let made = tour.ask(None, post.clone(), "/v1/accounts/guest", Some(&json!({"name": name}))).await.ok(201);
        players.push(Player::of_session(&api.base, &made));
    }
    let log_in = json!({"name": "花子", "password": PASSWORD});
    let session = tour.ask(None, post.clone(), "/v1/tokens", Some(&log_in)).await.ok(200);
    let spend = json!({"refresh_token": session["refresh_token"]});
    tour.ask(None, post.clone(), "/v1/tokens/refresh", Some(&spend)).await.ok(200);

    lobby(&mut tour, &players).await;
    me(&mut tour).await;
    let [first, second, third] = [&players[0], &players[1], &players[2]];
    let body = json!({
        "players": 3, "visibility": "public", "start": "creator", "seat": true, "hints": true,
        "options": {"opening_hand": "dealt", "mercenary": true},
    });
    let made = tour.ask(Some(first), post.clone(), "/v1/games", Some(&body)).await.ok(201);
    let path = |rest: &str| format!("/v1/games/{}{rest}", made["game_id"].as_str().unwrap());
    let sit = json!({"seat": 1, "entropy": "5a".repeat(32)});
    tour.ask(Some(second), post.clone(), &path("/seats"), Some(&sit)).await.ok(201);
    tour.ask(Some(second), delete.clone(), &path("/seats/me"), None).await.ok(200);
    for player in [second, third] {
        tour.ask(Some(player), post.clone(), &path("/seats"), Some(&json!({}))).await.ok(201);
    }
    tour.ask(Some(first), post.clone(), &path("/start"), None).await.ok(200);
    let table = Table { game: made["game_id"].as_str().unwrap().to_owned(), players: players.clone() };
    let mut hinted = false;
    while let Some(turn) = table.turn().await {
        for player in &players {
            tour.ask(Some(player), get.clone(), &path(""), None).await.ok(200);
            tour.ask(Some(player), get.clone(), &path("/moves"), None).await.ok(200);
        }
        if !hinted && turn.moves.len() > 5 {
            hinted = true;
            tour.ask(Some(&turn.player), get.clone(), &path("/hint"), None).await.ok(200);
        }
        let expected = json!({"expected_version": 1, "move": {"type": "pass_build"}});
        tour.ask(Some(&turn.player), post.clone(), &path("/moves"), Some(&expected))
            .await
            .refused(409, "stale-version");
        tour.ask(Some(&turn.player), post.clone(), &path("/moves"), Some(turn.choice())).await.ok(200);
    }
    tour.ask(Some(first), get.clone(), &path("/history?after=10&limit=3"), None).await.ok(200);
    let after = first.history(&table.game).await.len() - 3;
    tour.ask(Some(first), get.clone(), &path(&format!("/history?after={after}")), None).await.ok(200);
    // Every kind of event that there was is among the real ones.
    for after in (0..=after).step_by(100) {
        tour.ask(Some(second), get.clone(), &path(&format!("/history?after={after}")), None).await.ok(200);
    }
    let short = Table::begin_with(&[&api.base], players.clone(), &of_rounds(3, 1)).await;
    short.play_out().await;
    review_of(first, &short.game).await;
    tour.ask(Some(first), get.clone(), &short.path("/review"), None).await.ok(200);
    tour.ask(Some(first), get.clone(), &path("/signed-head"), None).await.ok(200);
    assert_eq!(tour.ask(Some(first), get.clone(), &path("/export"), None).await.status, 200);
    tour.ask(None, get.clone(), "/v1/proof-keys", None).await.ok(200);
    first.new_game(&of_rounds(4, 1)).await;
    tour.ask(Some(first), get.clone(), "/v1/games?limit=1", None).await.ok(200);
    tour.ask(Some(first), get.clone(), "/v1/games?mine=true", None).await.ok(200);
    tour.seen
}

/// What is done at a table before it begins.
async fn lobby(tour: &mut Tour<'_>, players: &[Player]) {
    let [creator, guest] = [&players[0], &players[1]];
    let (get, post, delete) = (Method::GET, Method::POST, Method::DELETE);
    let game = creator.new_game(&json!({"players": 3, "visibility": "private"})).await;
    let path = |rest: &str| format!("/v1/games/{game}{rest}");
    let life = json!({"expires_in_s": 3_600});
    let made = tour.ask(Some(creator), post.clone(), &path("/invites"), Some(&life)).await.ok(201);
    tour.ask(Some(creator), get.clone(), &path("/invites"), None).await.ok(200);
    let code = json!({"code": made["code"]});
    tour.ask(Some(guest), post.clone(), "/v1/invites/open", Some(&code)).await.ok(200);
    let invite = made["invite"]["id"].as_str().unwrap();
    let invite = path(&format!("/invites/{invite}"));
    assert_eq!(tour.ask(Some(creator), delete.clone(), &invite, None).await.status, 204);
    tour.ask(Some(guest), post.clone(), "/v1/invites/open", Some(&code)).await.refused(410, "invite-gone");
    let game = creator.new_game(&json!({"players": 3})).await;
    let path = |rest: &str| format!("/v1/games/{game}{rest}");
    guest.sit(&game, &json!({"seat": 2})).await.ok(201);
    tour.ask(Some(creator), delete.clone(), &path("/seats/2"), None).await.ok(200);
    tour.ask(None, get.clone(), "/v1/bots", None).await.ok(200);
    tour.ask(Some(creator), post.clone(), &path("/seats/1/bot"), Some(&json!({"level": "hard"}))).await.ok(201);
    tour.ask(Some(creator), get.clone(), &path(""), None).await.ok(200);
    tour.ask(Some(creator), delete.clone(), &path(""), None).await.ok(200);
}

/// What an account does about itself, to its end.
async fn me(tour: &mut Tour<'_>) {
    let (get, delete) = (Method::GET, Method::DELETE);
    let player = Player::guest(&tour.api.base).await;
    tour.ask(Some(&player), get, "/v1/me", None).await.ok(200);
    tour.ask(Some(&player), Method::PATCH, "/v1/me", Some(&json!({"name": "三郎", "locale": "ja"}))).await.ok(200);
    let password = json!({"password": PASSWORD});
    tour.ask(Some(&player), Method::PUT, "/v1/me/password", Some(&password)).await.ok(200);
    assert_eq!(tour.ask(Some(&player), delete.clone(), "/v1/me", Some(&password)).await.status, 204);
    let player = Player::guest(&tour.api.base).await;
    assert_eq!(tour.ask(Some(&player), delete, "/v1/tokens?all=true", None).await.status, 204);
}

#[tokio::test(flavor = "multi_thread")]
async fn real_answers_and_examples_are_what_the_document_says() {
    // The only bot is at a table that does not begin; its threads make the review.
    let seen = tour(&Api::with_bots(100).await).await;
    if std::env::var_os("FERETA_WRITE_EXAMPLES").is_some() {
        return write_examples(&seen);
    }
    let contract = Contract::of_the_code();
    for operation in &contract.operations {
        let id = &operation.id;
        for (part, content) in parts_of(operation) {
            let real = seen.get(&(id.clone(), part.clone()));
            let real = real.unwrap_or_else(|| panic!("{id}: the tour in {} does not bring {part}", file!()));
            let Some(content) = content else { continue };
            let example = &content["example"];
            assert!(
                !example.is_null(),
                "{id} has no example for {part}: FERETA_WRITE_EXAMPLES=1 ./test --test it openapi"
            );
            assert_eq!(contract.faults(&content["schema"], example), [""; 0], "{id} {part}");
            let really: BTreeSet<String> = real.iter().flat_map(fields).collect();
            let strange: Vec<String> = fields(example).into_iter().filter(|field| !really.contains(field)).collect();
            assert!(strange.is_empty(), "{id} {part}: no real answer has {strange:?}");
        }
    }
    // Problems: the examples validate, and have the fields of real ones.
    let examples = document()["components"]["examples"].clone();
    let schema = json!({"$ref": "#/components/schemas/Problem"});
    for (slug, example) in examples.as_object().unwrap() {
        assert_eq!(contract.faults(&schema, &example["value"]), [""; 0], "{slug}");
        let real = seen.values().flatten().find(|value| value["type"] == format!("/problems/{slug}"));
        assert!(real.is_none_or(|real| fields(real) == fields(&example["value"])), "{slug}: {real:?}");
    }
}

/// `request` and the statuses of success, with their JSON; None where there is another kind of body or none.
fn parts_of(operation: &Operation) -> Vec<(String, Option<&Value>)> {
    let json = |part: &'static str, value| (part.to_owned(), value);
    let body = operation.definition["requestBody"]["content"].get("application/json");
    let mut parts: Vec<_> = body.map(|content| json("request", Some(content))).into_iter().collect();
    for (status, response) in operation.definition["responses"].as_object().unwrap() {
        if status.starts_with('2') || status == "304" {
            let content = response["content"].get("application/json");
            // The document is not in itself.
            parts.push((status.clone(), content.filter(|_| operation.id != "read_openapi")));
        }
    }
    parts
}

/// Adds what is missing and what does not fit any more to `openapi/examples.json`.
fn write_examples(seen: &Seen) {
    let mut examples: BTreeMap<String, BTreeMap<String, Value>> =
        serde_json::from_str(&fs::read_to_string(EXAMPLES).unwrap()).unwrap();
    let contract = Contract::of_the_code();
    examples.retain(|id, _| contract.operations.iter().any(|operation| operation.id == *id));
    for operation in &contract.operations {
        for (part, content) in parts_of(operation) {
            let Some(content) = content else { continue };
            let of_operation = examples.entry(operation.id.clone()).or_default();
            let fits = of_operation.get(&part).is_some_and(|old| contract.faults(&content["schema"], old).is_empty());
            let Some(real) = seen.get(&(operation.id.clone(), part.clone())).filter(|_| !fits) else { continue };
            // The middle of a game shows most.
            let mut example = real[real.len() / 2].clone();
            without_secrets(&mut example);
            of_operation.insert(part, example);
        }
    }
    fs::write(EXAMPLES, format!("{}\n", serde_json::to_string_pretty(&examples).unwrap())).unwrap();
}

/// Tokens of the tests are nobody's, but look as if they were somebody's.
fn without_secrets(value: &mut Value) {
    if let Some(object) = value.as_object_mut() {
        for (name, value) in object.iter_mut() {
            match name.as_str() {
                "access_token" => *value = json!("header.claims.signature"),
                "refresh_token" => *value = json!("a-token-of-43-characters-that-nobody-ever-h"),
                _ => without_secrets(value),
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_document_is_served_and_shown_without_help_from_outside() {
    let api = Api::start().await;
    let served: Value = api.get("/v1/openapi.json").await.json().await.unwrap();
    assert_eq!(served, document());
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
