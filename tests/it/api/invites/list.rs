use serde_json::{Value, json};

use super::{code, private_table, revoke};
use crate::support::{Api, Player};

#[tokio::test(flavor = "multi_thread")]
async fn newest_first_page_by_page_without_their_codes() {
    let api = Api::start().await;
    let players = Player::guests(&api.base, 2).await;
    let game = private_table(&players[0]).await;
    let path = format!("/v1/games/{game}/invites");
    assert_eq!(players[0].get(&path).await.ok(200), json!({"items": [], "next": null}));
    let (mut ids, mut codes) = (Vec::new(), Vec::new());
    for _ in 0..5 {
        let (id, code) = code(&players[0], &game).await;
        ids.insert(0, id);
        codes.push(code);
    }
    assert_eq!(revoke(&players[0], &game, &ids[3]).await.status, 204);
    let (mut listed, mut cursor) = (Vec::<Value>::new(), String::new());
    loop {
        let answer = players[0].get(&format!("{path}?limit=2{cursor}")).await;
        assert!(codes.iter().all(|code| !answer.text.contains(code)));
        let page = answer.ok(200);
        listed.extend(page["items"].as_array().unwrap().iter().cloned());
        match page["next"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    assert_eq!(listed.iter().map(|invite| invite["id"].as_str().unwrap()).collect::<Vec<_>>(), ids);
    let revoked: Vec<bool> = listed.iter().map(|invite| !invite["revoked_at"].is_null()).collect();
    assert_eq!(revoked, [false, false, false, true, false]);
    players[1].get(&path).await.refused(404, "not-found");
    let public = players[0].new_game(&json!({"players": 3})).await;
    players[1].get(&format!("/v1/games/{public}/invites")).await.refused(403, "forbidden");
    for query in ["?limit=0", "?limit=101", "?cursor=x", "?status=good"] {
        players[0].get(&format!("{path}{query}")).await.refused(400, "malformed");
    }
}
