use reqwest::Method;
use serde_json::json;

use super::invites::{code, private_table};
use crate::support::player::{Answer, key};
use crate::support::table::of_rounds;
use crate::support::{Api, Player, Table};

async fn get(player: &Player, path: &str, tag: Option<&str>, encoding: &str) -> Answer {
    let mut request = player.client.get(format!("{}{path}", player.base)).bearer_auth(&player.token);
    request = request.header("accept-encoding", encoding);
    if let Some(tag) = tag {
        request = request.header("if-none-match", tag);
    }
    let answer = request.send().await.unwrap();
    let (status, headers) = (answer.status().as_u16(), answer.headers().clone());
    let text = String::from_utf8_lossy(&answer.bytes().await.unwrap()).into_owned();
    Answer { status, headers, text }
}

fn tag(answer: &Answer) -> String {
    answer.headers["etag"].to_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_has_not_changed_is_not_sent_again() {
    let api = Api::start().await;
    let table = Table::begin(&[&api.base], &of_rounds(3, 1)).await;
    let game = private_table(&table.players[0]).await;
    code(&table.players[0], &game).await;
    let paths = [
        table.path(""),
        table.path("?at=5"),
        table.path("/moves"),
        table.path("/history?limit=3"),
        "/v1/games?mine=true".to_owned(),
        format!("/v1/games/{game}/invites"),
    ];
    let mut tags = Vec::new();
    for path in &paths {
        let first = get(&table.players[0], path, None, "identity").await;
        let known = tag(&first);
        assert_eq!(first.status, 200);
        assert!(known.starts_with("W/\"") && known.len() == 26, "{known}");
        for (encoding, sent) in [
            ("identity", known.clone()),
            ("gzip", known.clone()),
            ("br", format!("\"other\", {known}")),
            ("identity", known.replace("W/", "")),
            ("gzip", "*".to_owned()),
        ] {
            let again = get(&table.players[0], path, Some(&sent), encoding).await;
            assert_eq!((again.status, again.text.as_str(), tag(&again)), (304, "", known.clone()), "{path} {sent}");
            for name in ["cache-control", "vary", "x-content-type-options", "access-control-allow-origin"] {
                let values = |answer: &Answer| answer.headers.get_all(name).iter().cloned().collect::<Vec<_>>();
                assert_eq!(values(&again), values(&first), "{name}");
            }
            assert!(again.headers.contains_key("x-request-id") && !again.headers.contains_key("content-type"));
        }
        let packed = get(&table.players[0], path, Some("\"other\""), "gzip").await;
        assert_eq!((packed.status, tag(&packed)), (200, known.clone()), "the same in every encoding");
        tags.push(known);
    }
    tags.sort();
    tags.dedup();
    assert_eq!(tags.len(), paths.len(), "each address has a tag of its own");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tag_is_one_callers_and_holds_until_something_changes() {
    let api = Api::start().await;
    let table = Table::begin(&[&api.base], &of_rounds(3, 1)).await;
    let strangers = Player::guests(&api.base, 2).await;
    let path = table.path("");
    let of = async |player: &Player| tag(&get(player, &path, None, "identity").await);
    // Two spectators see the same bytes; nobody can tell it from their tags.
    assert_eq!(strangers[0].game(&table.game).await.text, strangers[1].game(&table.game).await.text);
    let (one, other) = (of(&strangers[0]).await, of(&strangers[1]).await);
    assert_ne!(one, other);
    assert_eq!(get(&strangers[1], &path, Some(&one), "identity").await.status, 200);
    let rename = format!("UPDATE accounts SET name = 'renamed' WHERE id = '{}'", table.players[1].account);
    api.database.execute(&rename).await.unwrap();
    let renamed = get(&strangers[0], &path, Some(&one), "identity").await;
    assert!(renamed.status == 200 && renamed.text.contains("renamed"));
    let listed = get(&strangers[0], "/v1/games", None, "identity").await;
    let turn = table.turn().await.unwrap();
    turn.player.submit(&table.game, &key(), turn.choice()).await.ok(200);
    assert_eq!(get(&strangers[0], &path, Some(&tag(&renamed)), "identity").await.status, 200);
    assert_eq!(get(&strangers[0], "/v1/games", Some(&tag(&listed)), "identity").await.status, 200);
    // What was at a version stays as it was.
    let then = get(&strangers[0], &table.path("?at=6"), None, "identity").await;
    table.play(3).await;
    assert_eq!(get(&strangers[0], &table.path("?at=6"), Some(&tag(&then)), "identity").await.status, 304);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_may_not_see_is_not_told_that_nothing_has_changed() {
    let api = Api::start().await;
    let players = Player::guests(&api.base, 2).await;
    let game = private_table(&players[0]).await;
    let path = format!("/v1/games/{game}");
    let (_, good) = code(&players[0], &game).await;
    players[1].sit(&game, &json!({"invite": good})).await.ok(201);
    let seen = get(&players[1], &path, None, "identity").await;
    players[1].leave(&game).await.ok(200);
    for known in [tag(&seen).as_str(), "*"] {
        let answer = get(&players[1], &path, Some(known), "identity").await;
        answer.refused(404, "not-found");
        assert!(!answer.headers.contains_key("etag"));
    }
    let bad = get(&players[0], &format!("{path}?at=99"), Some("*"), "identity").await;
    assert_eq!(bad.refused(400, "malformed")["path"], "?at");
    let head = players[0].client.request(Method::HEAD, format!("{}{path}", api.base)).bearer_auth(&players[0].token);
    assert!(head.send().await.unwrap().headers().contains_key("etag"));
}
