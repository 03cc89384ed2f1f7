use std::collections::BTreeSet;
use std::time::Duration;

use fereta::cli::selfplay::record::record;
use fereta::engine::Viewer;
use fereta::entropy;
use fereta::log::ProofKey;
use fereta::play::{BotSettings, Play};
use fereta::store::Visibility;
use reqwest::Method;
use rustix::process::Signal;
use serde_json::{Value, json};
use tokio::runtime::Handle;

use crate::support::api::Settings;
use crate::support::player::key;
use crate::support::table::{of_rounds, review_of};
use crate::support::{Api, Player, Server, Table};

fn thinking(settings: &mut Settings) {
    settings.bots = Some(BotSettings { pace_percent: 100, threads: 2 });
}

/// A game that was played elsewhere.
async fn import(api: &Api) -> String {
    let recorded = record(3, &[]).unwrap();
    let file = recorded.export(&ProofKey::from_bytes(&[9; 32]), Viewer::Spectator, recorded.lines.len()).unwrap();
    let store = api.database.store().await;
    let door = Play::new(store, entropy::bytes, Handle::current(), ProofKey::from_bytes(&[7; 32]));
    door.import(&file, Visibility::Public).await.unwrap().to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_review_is_made_after_the_end_and_tells_of_every_decision() {
    let api = Api::start_with(thinking).await;
    let table = Table::begin(&[&api.base], &of_rounds(3, 1)).await;
    let spectator = Player::guest(&api.base).await;
    while let Some(turn) = table.turn().await {
        for who in table.players.iter().chain([&spectator]) {
            who.get(&table.path("/review")).await.refused(409, "not-ended");
        }
        turn.player.submit(&table.game, &key(), turn.choice()).await.ok(200);
    }
    let review = review_of(&spectator, &table.game).await;
    let history = spectator.history(&table.game).await;
    let event = |seq: &Value| &history[seq.as_u64().unwrap() as usize - 1];
    let decisions = review["decisions"].as_array().unwrap();
    assert_eq!((&review["done"], &review["of"]), (&json!(decisions.len()), &json!(decisions.len())));
    let mut moves = history.iter().filter(|event| {
        let types =
            ["estate_placed", "battlefield_chosen", "action_card_kept", "supplies_played", "supplies_discarded"];
        let built = ["base_built", "base_flipped", "build_passed"];
        types.iter().chain(&built).any(|name| event["type"] == *name)
    });
    for decision in decisions {
        let made = moves.next().unwrap();
        assert_eq!((&decision["seq"], &decision["seat"]), (&made["seq"], &made["data"]["seat"]));
        if decision["judgement"].is_object() {
            let cost = decision["judgement"]["cost"].as_f64().unwrap();
            assert!((0.0..=1.0).contains(&cost), "{decision}");
        }
    }
    assert!(moves.next().is_none());
    let swings = review["swings"].as_array().unwrap();
    assert_eq!(swings.len(), 3);
    for swing in swings {
        assert_eq!(event(&swing["seq"])["seq"], swing["seq"]);
        let words: BTreeSet<&str> = ["en", "ja", "de"].map(|code| swing["text"][code].as_str().unwrap()).into();
        assert_eq!(words.len(), 3);
    }
    // It says the same to everybody, and once made stays as it is.
    assert_eq!(review_of(&table.players[1], &table.game).await, review);
    let again = spectator.get(&table.path("/review")).await;
    let request = spectator.client.get(format!("{}{}", api.base, table.path("/review"))).bearer_auth(&spectator.token);
    let known = request.header("if-none-match", &again.headers["etag"]).send().await.unwrap();
    assert_eq!(known.status(), 304);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_may_not_see_the_game_may_not_see_its_review() {
    let api = Api::start_with(thinking).await;
    let mut body = of_rounds(3, 1);
    let players = Player::guests(&api.base, 3).await;
    let stranger = Player::guest(&api.base).await;
    body["visibility"] = json!("unlisted");
    let table = Table::begin_with(&[&api.base], players, &body).await;
    let sql = format!("UPDATE games SET visibility = 'private' WHERE id = '{}'", table.game);
    api.database.execute(&sql).await.unwrap();
    stranger.get(&table.path("/review")).await.refused(404, "not-found");
    table.play_out().await;
    review_of(&table.players[2], &table.game).await;
    let refused = stranger.get(&table.path("/review")).await;
    assert_eq!(refused.refused(404, "not-found").as_object().unwrap().len(), 4);
    let closed = stranger.new_game(&json!({"players": 3})).await;
    let path = format!("/v1/games/{closed}");
    stranger.get(&format!("{path}/review")).await.refused(409, "not-ended");
    stranger.ask(Method::DELETE, &path, Some(&key()), None).await.ok(200);
    stranger.get(&format!("{path}/review")).await.refused(409, "not-ended");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_server_had_begun_when_it_was_killed_another_makes() {
    // It makes none by itself, as it has no jobs.
    let api = Api::start().await;
    let table = Table::begin(&[&api.base], &of_rounds(3, 1)).await;
    table.play_out().await;
    let (player, path) = (&table.players[0], table.path("/review"));
    let waiting = player.get(&path).await.ok(200);
    assert_eq!((&waiting["status"], &waiting["decisions"], &waiting["of"]), (&json!("waiting"), &json!([]), &json!(0)));
    // This one does, and looks ahead as far as it usually does: it is killed over it.
    let mut command = Server::command(&api.database);
    command.args(["--reviews", "on"]);
    let server = Server::try_start(command).unwrap();
    while api.database.count("reviews WHERE done > 0").await == 0 {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    server.signal(Signal::KILL);
    drop(server);
    let under_way = player.get(&path).await.ok(200);
    let number = |name: &str| under_way[name].as_u64().unwrap();
    assert_eq!((&under_way["status"], &under_way["decisions"]), (&json!("under_way"), &json!([])));
    assert!((1..number("of")).contains(&number("done")), "{under_way}");
    // Its lease has not run out; we do not wait for that as long as others have to.
    assert_eq!(api.database.count("reviews WHERE leased_until > now() + interval '5 s'").await, 1);
    let soon = "UPDATE reviews SET leased_until = now() + interval '1 s'";
    api.database.execute(soon).await.unwrap();
    let other = api.another(thinking).await;
    let review = review_of(&player.at(&other), &table.game).await;
    assert_eq!(review["of"], review["done"]);
    assert_eq!(api.database.count("reviews WHERE content IS NOT NULL AND leased_until IS NULL").await, 1);
    // What one server has made all of them tell, and it is left as it is.
    assert_eq!(player.get(&path).await.ok(200), review);
}

#[tokio::test(flavor = "multi_thread")]
async fn games_from_before_and_from_elsewhere_have_theirs_when_somebody_asks() {
    let api = Api::start_with(thinking).await;
    let off = api.another(|settings| settings.reviews = 0).await;
    let table = Table::begin(&[&off], &of_rounds(4, 1)).await;
    table.play_out().await;
    assert_eq!(api.database.count("reviews").await, 0);
    table.players[0].get(&table.path("/review")).await.refused(403, "no-reviews");
    let here = table.players[0].at(&api.base);
    let review = review_of(&here, &table.game).await;
    assert_eq!(table.players[0].get(&table.path("/review")).await.ok(200), review, "what is there is told");

    let imported = import(&api).await;
    assert_eq!(here.get(&format!("/v1/games/{imported}/review")).await.ok(200)["status"], "waiting");
    let review = review_of(&here, &imported).await;
    assert!(review["of"].as_u64().unwrap() > 50, "{}", review["of"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_review_of_a_newer_release_is_left_alone() {
    let api = Api::start_with(thinking).await;
    let table = Table::begin(&[&api.base], &of_rounds(3, 1)).await;
    table.play_out().await;
    review_of(&table.players[0], &table.game).await;
    api.database.execute("UPDATE reviews SET format = 99").await.unwrap();
    table.players[0].get(&table.path("/review")).await.refused(503, "newer-data");
    assert_eq!(api.database.count("reviews WHERE format = 99").await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_can_do_without() {
    let api = Api::start().await;
    let game = import(&api).await;
    let mut command = Server::command(&api.database);
    command.args(["--reviews", "off"]);
    let server = Server::try_start(command).unwrap();
    let player = Player::guest(&server.base()).await;
    player.get(&format!("/v1/games/{game}/review")).await.refused(403, "no-reviews");
    assert_eq!(api.database.count("reviews").await, 0);
}
