//! What a key remembers: the same request gets the same answer, byte for byte, wherever and whenever it is sent again.

use reqwest::Method;
use rustix::process::Signal;
use serde_json::{Value, json};

use super::Pair;
use crate::support::player::{Answer, key};
use crate::support::table::of_rounds;
use crate::support::{Api, Player, Server, Table};

/// A request that was accepted, to be sent again.
struct Sent {
    player: Player,
    method: Method,
    path: String,
    key: String,
    body: Option<Value>,
    answer: Answer,
}

impl Sent {
    async fn new(player: &Player, method: Method, path: &str, body: Option<Value>) -> Self {
        let key = key();
        let answer = player.ask(method.clone(), path, Some(&key), body.as_ref()).await;
        assert!(matches!(answer.status, 200 | 201), "{}", answer.text);
        Self { player: player.clone(), method, path: path.to_owned(), key, body, answer }
    }

    async fn again(&self, base: &str) {
        let player = self.player.at(base);
        let answer = player.ask(self.method.clone(), &self.path, Some(&self.key), self.body.as_ref()).await;
        assert_eq!((answer.status, &answer.text), (self.answer.status, &self.answer.text), "{}", self.path);
        assert_eq!(answer.headers.get("location"), self.answer.headers.get("location"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_is_given_again_byte_for_byte() {
    let mut pair = Pair::start().await;
    let [one, two] = pair.bases();
    let players = Player::guests(&one, 4).await;
    let mut body = of_rounds(3, 1);
    body["start"] = json!("creator");
    let mut sent = vec![Sent::new(&players[0], Method::POST, "/v1/games", Some(body)).await];
    let game = sent[0].answer.json()["game_id"].as_str().unwrap().to_owned();
    let at = |rest: &str| format!("/v1/games/{game}{rest}");
    let entropy = json!({"seat": 2, "entropy": "7f".repeat(32)});
    sent.push(Sent::new(&players[1], Method::POST, &at("/seats"), Some(json!({}))).await);
    sent.push(Sent::new(&players[1], Method::DELETE, &at("/seats/me"), None).await);
    sent.push(Sent::new(&players[2], Method::POST, &at("/seats"), Some(entropy)).await);
    sent.push(Sent::new(&players[3], Method::POST, &at("/seats"), Some(json!({"seat": null}))).await);
    sent.push(Sent::new(&players[0], Method::POST, &at("/start"), None).await);
    for sent in &sent {
        sent.again(&one).await;
        sent.again(&two).await;
    }
    let table = Table { game: game.clone(), players: vec![players[0].clone(), players[3].clone(), players[2].clone()] };
    while let Some(turn) = table.turn().await {
        let move_ = Sent::new(&turn.player, Method::POST, &at("/moves"), Some(turn.choice().clone())).await;
        move_.again(&two).await;
        sent.push(move_);
    }
    assert!(sent.len() > 15);
    for sent in &sent {
        sent.again(&one).await;
    }
    pair.one.signal(Signal::TERM);
    assert!(pair.one.wait().success());
    pair.one = Server::start(&pair.database);
    for sent in &sent {
        sent.again(&pair.one.base()).await;
    }
    pair.database.audit(&game).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_is_not_remembered() {
    let api = Api::start().await;
    let players = Player::guests(&api.base, 4).await;
    let key = key();
    let game = players[0].new_game(&json!({"players": 3, "start": "creator"})).await;
    players[0].start_again(&game, &key).await.refused(409, "table-not-full");
    for player in &players[1..3] {
        player.sit(&game, &json!({})).await.ok(201);
    }
    players[3].sit_again(&game, &key, &json!({})).await.refused(409, "table-full");
    let begun = players[0].start_again(&game, &key).await.ok(200);

    let table = Table { game: game.clone(), players: players[..3].to_vec() };
    let turn = table.turn_after(&begun).await.unwrap();
    let key = crate::support::player::key();
    let mut wrong = turn.moves[0].clone();
    wrong["expected_version"] = json!(turn.version - 1);
    turn.player.submit(&game, &key, &wrong).await.refused(409, "stale-version");
    wrong = json!({"expected_version": turn.version, "move": {"type": "place_estate", "land": 15}});
    turn.player.submit(&game, &key, &wrong).await.refused(422, "rule-violation");
    turn.player.submit(&game, &key, &json!({"expected_version": 1})).await.refused(400, "malformed");
    turn.player.submit(&game, &key, &turn.moves[0]).await.ok(200);
    assert_eq!(api.database.count("requests").await, 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_means_the_same_is_the_same_request() {
    let api = Api::start().await;
    let table = Table::begin(&[&api.base], &of_rounds(3, 1)).await;
    assert!(table.play_until("choose_battlefield").await);
    let turn = table.turn().await.unwrap();
    let (key_1, body) = (key(), &turn.moves[0]);
    let made = turn.player.submit(&table.game, &key_1, body).await;
    made.ok(200);
    let mut turned = body.clone();
    turned["move"]["lands"].as_array_mut().unwrap().reverse();
    assert_eq!(turn.player.submit(&table.game, &key_1, &turned).await.text, made.text);

    assert!(table.play_until("play_supplies").await);
    let turn = table.turn().await.unwrap();
    let several = |body: &&Value| {
        let cards = body["move"]["cards"].as_array().unwrap();
        cards.len() > 1 && cards.first() != cards.last()
    };
    let (key_2, body) = (key(), turn.moves.iter().find(several).unwrap());
    let made = turn.player.submit(&table.game, &key_2, body).await;
    made.ok(200);
    let mut turned = body.clone();
    turned["move"]["cards"].as_array_mut().unwrap().reverse();
    assert_ne!(&turned, body);
    assert_eq!(turn.player.submit(&table.game, &format!("\"{key_2}\""), &turned).await.text, made.text);

    // Everything else is another request: another version, another move, another game, another operation.
    let mut later = body.clone();
    later["expected_version"] = json!(turn.version + 1);
    let mut fewer = body.clone();
    fewer["move"]["cards"].as_array_mut().unwrap().pop();
    let other = Table::begin_with(&[&api.base], table.players.clone(), &of_rounds(3, 1)).await;
    let reused = "idempotency-key-reused";
    for changed in [&later, &fewer] {
        turn.player.submit(&table.game, &key_2, changed).await.refused(422, reused);
    }
    turn.player.submit(&other.game, &key_2, body).await.refused(422, reused);
    turn.player.leave_again(&table.game, &key_2).await.refused(422, reused);
    turn.player.sit_again(&other.game, &key_2, &json!({})).await.refused(422, reused);
    let new = turn.player.ask(Method::POST, "/v1/games", Some(&key_2), Some(&json!({"players": 3}))).await;
    new.refused(422, reused);

    // Keys are each account's own.
    let turn = table.turn().await.unwrap();
    assert_eq!(turn.player.submit(&table.game, &key_2, turn.choice()).await.status, 200);
    api.database.audit(&table.game).await;
    api.database.audit(&other.game).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_table_is_the_same_however_it_is_written() {
    let api = Api::start().await;
    let player = Player::guest(&api.base).await;
    let create = async |key: &str, body: &Value| player.ask(Method::POST, "/v1/games", Some(key), Some(body)).await;
    let key = key();
    let made = create(&key, &json!({"players": 3})).await;
    made.ok(201);
    let spelled_out = json!({
        "seat": true, "start": "full", "visibility": "public", "players": 3,
        "options": {"mercenary": false, "opening_hand": "dealt", "card_set": null},
    });
    assert_eq!(create(&key, &spelled_out).await.text, made.text);
    for (field, value) in [
        ("players", json!(4)),
        ("seat", json!(false)),
        ("start", json!("creator")),
        ("visibility", json!("unlisted")),
        ("options", json!({"mercenary": true})),
        ("options", json!({"opening_hand": "fixed"})),
        ("options", json!({"card_set": crate::support::table::short(1)})),
    ] {
        let mut other = spelled_out.clone();
        other[field] = value;
        create(&key, &other).await.refused(422, "idempotency-key-reused");
    }
    assert_eq!(api.database.count("games").await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_has_left_a_private_table_can_ask_again_whether_he_has() {
    let api = Api::start().await;
    let players = Player::guests(&api.base, 2).await;
    let game = players[0].new_game(&json!({"players": 3})).await;
    players[1].sit(&game, &json!({})).await.ok(201);
    api.database.execute("UPDATE games SET visibility = 'private'").await.unwrap();
    let key = key();
    let left = players[1].leave_again(&game, &key).await;
    left.ok(200);
    assert_eq!(players[1].leave_again(&game, &key).await.text, left.text);
    players[1].game(&game).await.refused(404, "not-found");
    players[1].leave(&game).await.refused(404, "not-found");
}
