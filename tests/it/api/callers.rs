//! Every operation asked by every kind of caller: one table. An operation of the document without a row fails.

use reqwest::Method;
use serde_json::{Value, json};

use self::Stage::{Full, Nothing, Open, Running, Session};
use crate::support::api::PASSWORD;
use crate::support::contract::{Contract, Operation};
use crate::support::player::key;
use crate::support::{Api, Player};

/// How far the game has come that is asked for.
#[derive(Clone, Copy, PartialEq)]
enum Stage {
    /// There is none.
    Nothing,
    /// There is none, but somebody who has just logged in.
    Session,
    /// Two sit there, a seat is free.
    Open,
    /// All seats are taken, and the creator can start it.
    Full,
    /// It waits for the seat's first move.
    Running,
}

/// Who asks, in the order of the table.
const CALLERS: [&str; 7] = ["nobody", "stranger", "spectator", "ended", "creator", "other seat", "seat"];

struct Row {
    operation: &'static str,
    stage: Stage,
    /// `{unique}`, `{refresh_token}`, `{code}` (of an invite) and `{move}` (a legal one of the seat, with its version) are filled
    /// in; so are the variable parts of the path.
    body: &'static str,
    /// nobody: no token · stranger: has nothing to do with a private game · spectator: nor with a public one ·
    /// ended: a token of an account that has ended · creator: made the game, but does not sit · other seat, seat: sit
    /// there, and the decision is the seat's.
    answers: [u16; 7],
}

const fn row(operation: &'static str, stage: Stage, body: &'static str, answers: [u16; 7]) -> Row {
    Row { operation, stage, body, answers }
}

#[rustfmt::skip]
const TABLE: &[Row] = &[
    //                                                                               nobody stranger spectator ended creator other seat
    row("create_account",       Nothing, r#"{"name":"{unique}","password":"correct horse"}"#, [201, 201, 201, 201, 201, 201, 201]),
    row("create_guest_account", Nothing, r#"{"name":"{unique}"}"#,                            [201, 201, 201, 201, 201, 201, 201]),
    row("create_token",         Session, r#"{"name":"{unique}","password":"correct horse"}"#, [200, 200, 200, 200, 200, 200, 200]),
    row("refresh_token",        Session, r#"{"refresh_token":"{refresh_token}"}"#,            [200, 200, 200, 200, 200, 200, 200]),
    row("create_game",          Nothing, r#"{"players":3}"#,                                  [401, 201, 201, 401, 201, 201, 201]),
    row("list_games",           Open,    "",                                                  [401, 200, 200, 401, 200, 200, 200]),
    row("read_game",            Running, "",                                                  [401, 404, 200, 401, 200, 200, 200]),
    row("start_game",           Full,    "",                                                  [401, 404, 403, 401, 200, 403, 403]),
    row("take_seat",            Open,    "{}",                                                [401, 404, 201, 401, 201, 409, 409]),
    row("leave_seat",           Open,    "",                                                  [401, 404, 403, 401, 403, 200, 200]),
    row("list_moves",           Running, "",                                                  [401, 404, 403, 401, 403, 200, 200]),
    row("read_hint",            Running, "",                                                  [401, 404, 403, 401, 403, 409, 200]),
    // Nothing of a game that runs, to nobody.
    row("read_review",          Running, "",                                                  [401, 404, 409, 401, 409, 409, 409]),
    row("submit_move",          Running, "{move}",                                            [401, 404, 403, 401, 403, 409, 200]),
    row("read_history",         Running, "",                                                  [401, 404, 200, 401, 200, 200, 200]),
    row("read_signed_head",     Running, "",                                                  [401, 404, 200, 401, 200, 200, 200]),
    row("export_game",          Running, "",                                                  [401, 404, 200, 401, 200, 200, 200]),
    row("list_proof_keys",      Nothing, "",                                                  [200; 7]),
    row("close_game",           Open,    "",                                                  [401, 404, 403, 401, 200, 403, 403]),
    row("vacate_seat",          Open,    "",                                                  [401, 404, 403, 401, 200, 403, 403]),
    row("list_bots",            Nothing, "",                                                  [200; 7]),
    row("seat_bot",             Open,    r#"{"level":"hard"}"#,                               [401, 404, 403, 401, 201, 403, 403]),
    row("create_invite",        Open,    "{}",                                                [401, 404, 403, 401, 201, 403, 403]),
    row("list_invites",         Open,    "",                                                  [401, 404, 403, 401, 200, 403, 403]),
    row("revoke_invite",        Open,    "",                                                  [401, 404, 403, 401, 204, 403, 403]),
    row("open_invite",          Open,    r#"{"code":"{code}"}"#,                              [401, 200, 200, 401, 200, 200, 200]),
    row("read_me",              Nothing, "",                                                  [401, 200, 200, 401, 200, 200, 200]),
    row("update_me",            Nothing, r#"{"name":"{unique}"}"#,                            [401, 200, 200, 401, 200, 200, 200]),
    row("set_password",         Nothing, r#"{"password":"correct horse"}"#,                   [401, 200, 200, 401, 200, 200, 200]),
    // The password is nobody's: guests have none.
    row("delete_me",            Nothing, r#"{"password":"correct horse"}"#,                   [401, 403, 403, 401, 403, 403, 403]),
    row("delete_token",         Nothing, "",                                                  [401, 204, 204, 401, 204, 204, 204]),
    row("read_openapi",         Nothing, "",                                                  [200; 7]),
    row("read_healthz",         Nothing, "",                                                  [204; 7]),
    row("read_readyz",          Nothing, "",                                                  [204; 7]),
    row("read_jwks",            Nothing, "",                                                  [200; 7]),
    row("list_problems",        Nothing, "",                                                  [200; 7]),
    row("read_problem",         Nothing, "",                                                  [200; 7]),
];

/// What a request is about, made anew for every one.
struct Scene {
    callers: [Option<Player>; 7],
    game: String,
    fills: Vec<(&'static str, String)>,
}

async fn scene(api: &Api, stage: Stage, caller: usize) -> Scene {
    let guest = || Player::guest(&api.base);
    let unique = format!("caller {}", key());
    let mut fills = vec![("unique", unique.clone())];
    if stage == Session {
        let session = api.account(&unique).await;
        fills.push(("refresh_token", session["refresh_token"].as_str().unwrap().to_owned()));
    }
    let (stranger, ended, creator) = (guest().await, guest().await, guest().await);
    let seated = [guest().await, guest().await, guest().await];
    let (mut seat, mut other, mut game) = (seated[0].clone(), seated[1].clone(), String::new());
    if matches!(stage, Open | Full | Running) {
        let start = if stage == Full { "creator" } else { "full" };
        game = creator.new_game(&json!({"players": 3, "start": start, "seat": false, "hints": true})).await;
        if stage == Open {
            let made =
                creator.ask(Method::POST, &format!("/v1/games/{game}/invites"), None, Some(&json!({}))).await.ok(201);
            fills.push(("invite", made["invite"]["id"].as_str().unwrap().to_owned()));
            fills.push(("code", made["code"].as_str().unwrap().to_owned()));
        }
        for player in seated.iter().take(if stage == Open { 2 } else { 3 }) {
            player.sit(&game, &json!({})).await.ok(201);
        }
    }
    if stage == Running {
        let decider = creator.game(&game).await.ok(200)["view"]["decision"]["seat"].as_u64().unwrap() as usize;
        (seat, other) = (seated[decider].clone(), seated[(decider + 1) % 3].clone());
        fills.push(("move", seat.moves(&game).await[0].to_string()));
    }
    if CALLERS[caller] == "stranger" && !game.is_empty() {
        let sql = format!("UPDATE games SET visibility = 'private' WHERE id = '{game}'");
        api.database.execute(&sql).await.unwrap();
    }
    let sql = format!("UPDATE accounts SET status = 'deleted', name_key = NULL WHERE id = '{}'", ended.account);
    api.database.execute(&sql).await.unwrap();
    let callers = [None, Some(stranger.clone()), Some(stranger), Some(ended), Some(creator), Some(other), Some(seat)];
    Scene { callers, game, fills }
}

async fn ask(api: &Api, row: &Row, operation: &Operation, caller: usize) -> u16 {
    let scene = scene(api, row.stage, caller).await;
    let fill = |text: &str| {
        let fill = |text: String, (name, value): &(&str, String)| text.replace(&format!("{{{name}}}"), value);
        scene.fills.iter().fold(text.to_owned(), fill)
    };
    // One that is free, or one where somebody sits.
    let seat = if operation.id == "seat_bot" { "2" } else { "1" };
    let path =
        fill(&operation.path).replace("{id}", &scene.game).replace("{slug}", "malformed").replace("{seat}", seat);
    assert!(!path.contains('{'), "{path}: fill in what is missing in `ask`");
    let method: Method = operation.method.parse().unwrap();
    let body: Option<Value> = (!row.body.is_empty()).then(|| serde_json::from_str(&fill(row.body)).unwrap());
    let answer = match &scene.callers[caller] {
        Some(player) => player.ask(method, &path, Some(&key()), body.as_ref()).await.status,
        None => {
            let request = api.request(method, &path).header("Idempotency-Key", key());
            let request = if let Some(body) = &body { request.json(body) } else { request };
            request.send().await.unwrap().status().as_u16()
        }
    };
    drop(scene);
    answer
}

#[tokio::test(flavor = "multi_thread")]
async fn every_operation_answers_every_caller_as_the_table_says() {
    // Every request has callers of its own.
    let api = Api::start_with(|settings| settings.serve.limits = None).await;
    assert_eq!(PASSWORD, "correct horse", "the table has it too");
    let operations = &Contract::of_the_code().operations;
    for row in TABLE {
        assert!(operations.iter().any(|operation| operation.id == row.operation), "{}: no operation", row.operation);
    }
    let mut wrong = Vec::new();
    for operation in operations {
        let row = TABLE.iter().find(|row| row.operation == operation.id);
        let row = row.unwrap_or_else(|| panic!("{}: add a row to the table in {}", operation.id, file!()));
        let all = (0..CALLERS.len()).map(|caller| ask(&api, row, operation, caller));
        let answers = futures_util::future::join_all(all).await;
        if answers != row.answers {
            wrong.push(format!("{}: {answers:?}, not {:?}", row.operation, row.answers));
        }
        // What does not ask for a token does not look at one.
        let secured = operation.definition["security"] != json!([]);
        assert_eq!(secured, row.answers[0] == 401 && row.answers[3] == 401, "{}: its security", row.operation);
    }
    assert!(wrong.is_empty(), "by {CALLERS:?}:\n{}", wrong.join("\n"));
}
