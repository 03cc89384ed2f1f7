mod create;
mod list;
mod open;
mod revoke;

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::Player;
use crate::support::player::Answer;

/// A private table without anybody at it.
pub(crate) async fn private_table(creator: &Player) -> String {
    creator.new_game(&json!({"players": 3, "seat": false, "visibility": "private"})).await
}

pub(crate) async fn invite(creator: &Player, game: &str, body: &Value) -> Answer {
    creator.ask(Method::POST, &format!("/v1/games/{game}/invites"), None, Some(body)).await
}

/// A new invite's id and code.
pub(crate) async fn code(creator: &Player, game: &str) -> (String, String) {
    let made = invite(creator, game, &json!({})).await.ok(201);
    (made["invite"]["id"].as_str().unwrap().to_owned(), made["code"].as_str().unwrap().to_owned())
}

pub(crate) async fn revoke(creator: &Player, game: &str, invite: &str) -> Answer {
    creator.ask(Method::DELETE, &format!("/v1/games/{game}/invites/{invite}"), None, None).await
}

pub(crate) async fn open(player: &Player, code: &str) -> Answer {
    player.ask(Method::POST, "/v1/invites/open", None, Some(&json!({"code": code}))).await
}
