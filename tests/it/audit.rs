//! Exported histories: what is in them for whom, that they hold, and what the commands say of them and of the store.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use fereta::audit::{NotedHead, Notes, Report, Verdict, audit};
use fereta::engine::Bytes32;
use fereta::log::{Export, Head, Receipt, SignedHead};
use reqwest::Method;
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::support::database::SERVING;
use crate::support::player::key;
use crate::support::process::{PROOF_KEY, program};
use crate::support::table::{kinds, of_rounds};
use crate::support::{Api, Database, Folder, Player, Server, Table};

async fn export(player: &Player, table: &Table) -> String {
    let answer = player.get(&table.path("/export")).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    assert_eq!(answer.headers["content-type"], "application/x-ndjson");
    answer.text
}

fn alone(text: &str) -> Report {
    audit(text, &Notes::default())
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_is_the_log_and_tells_secrets_to_those_who_may_know() {
    let api = Api::start().await;
    let stranger = Player::guest(&api.base).await;
    for kind in kinds(1) {
        let table = Table::begin(&[&api.base], &kind).await;
        while let Some(_answer) = table.play(7).await {
            let log = api.database.log(&table.game).await;
            for (seat, player) in
                [None, Some(0), Some(1), Some(2)].iter().zip([&stranger].into_iter().chain(&table.players))
            {
                let text = export(player, &table).await;
                let export = Export::read(&text);
                let ended = text.contains("{\"reveal\":");
                assert_eq!(
                    alone(&text).verdict,
                    if ended { Verdict::Consistent } else { Verdict::Incomplete },
                    "{text}"
                );
                assert_eq!(export.lines.len(), log.len());
                for (line, stored) in export.lines.iter().zip(&log) {
                    assert_eq!(line.text, stored.text);
                    let public: Value = serde_json::from_str(&line.text).unwrap();
                    let mine = public.get("secret_for").is_some_and(|of| ended || seat.is_some_and(|seat| *of == seat));
                    assert_eq!(line.secret.is_some(), mine, "{}", line.text);
                }
                let newest: Head =
                    serde_json::from_value(player.game(&table.game).await.ok(200)["head"].clone()).unwrap();
                assert_eq!(export.end.unwrap().head, newest);
            }
        }
        // The last part has ended the game.
        let text = export(&stranger, &table).await;
        assert!(text.ends_with("\"}}\n") && text.contains("{\"reveal\":{\"server_seed\":\""));
        let report = alone(&text);
        assert_eq!((report.verdict, &report.fault), (Verdict::Consistent, &None));
        let seen = stranger.game(&table.game).await.ok(200);
        let scores: Vec<u16> = seen["view"]["seats"]
            .as_array()
            .unwrap()
            .iter()
            .map(|seat| seat["score"].as_u64().unwrap() as u16)
            .collect();
        assert_eq!(report.result.unwrap().scores, scores);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_history_is_exported_in_parts() {
    let api = Api::start().await;
    let table = Table::begin(&[&api.base], &json!({"players": 5})).await;
    table.play_out().await;
    let text = export(&table.players[0], &table).await;
    let report = alone(&text);
    assert_eq!(report.verdict, Verdict::Consistent);
    assert!(report.version > 200, "{}", report.version);
    // Once had, it need not be sent again; and a damaged log gives no whole file.
    let tag = table.players[0].get(&table.path("/export")).await.headers["etag"].clone();
    let again = api.request(Method::GET, &table.path("/export")).bearer_auth(&table.players[0].token);
    assert_eq!(again.header("If-None-Match", tag).send().await.unwrap().status(), 304);
    api.database
        .tamper(&format!("UPDATE game_events SET line = 'x' WHERE game_id = '{}' AND seq = 210", table.game))
        .await;
    let broken =
        api.request(Method::GET, &table.path("/export")).bearer_auth(&table.players[0].token).send().await.unwrap();
    assert_eq!(broken.status(), 200);
    let part = broken.text().await;
    assert!(part.is_err(), "{part:?}");
    api.database
        .tamper(&format!("UPDATE game_events SET line = 'x' WHERE game_id = '{}' AND seq = 2", table.game))
        .await;
    table.players[0].get(&table.path("/export")).await.refused(500, "internal");
}

#[tokio::test(flavor = "multi_thread")]
async fn heads_and_receipts_anchor_a_history_and_no_other() {
    let api = Api::start().await;
    let players = Player::guests(&api.base, 3).await;
    let made = players[0].create(&of_rounds(3, 1)).await.ok(201);
    let game = made["game_id"].as_str().unwrap().to_owned();
    let (mut notes, mut receipts) = (Notes::default(), vec![made["receipt"].clone()]);
    for player in &players[1..] {
        let key = key();
        let sat = player.sit_again(&game, &key, &json!({})).await;
        assert_eq!(sat.text, player.sit_again(&game, &key, &json!({})).await.text, "the same receipt again");
        receipts.push(sat.ok(201)["receipt"].clone());
    }
    let keys = api.request(Method::GET, "/v1/proof-keys").send().await.unwrap().json::<Value>().await.unwrap();
    notes.keys.push(serde_json::from_value(keys["items"][0]["key"].clone()).unwrap());
    assert_eq!(keys["items"].as_array().unwrap().len(), 1);
    let table = Table { game, players };
    for (seat, receipt) in receipts.iter().enumerate() {
        let receipt: Receipt = serde_json::from_value(receipt.clone()).unwrap();
        assert!(receipt.holds() && usize::from(receipt.seat.number()) == seat && receipt.key == notes.keys[0]);
        notes.receipts.push(receipt);
    }
    while let Some(answer) = table.play(1).await {
        assert_eq!(answer.json()["receipt"], Value::Null);
        let head: SignedHead =
            serde_json::from_value(table.players[1].get(&table.path("/signed-head")).await.ok(200)).unwrap();
        assert!(head.holds() && serde_json::to_value(head.head).unwrap() == answer.json()["head"]);
        notes.heads.push(NotedHead::Signed(head));
        notes.heads.push(NotedHead::Shown(head.head));
    }
    let text = export(&table.players[0], &table).await;
    let report = audit(&text, &notes);
    assert_eq!((report.verdict, report.held_to), (Verdict::Anchored, report.version), "{:?}", report.fault);
    // Another game is not the one that was noted.
    let other = Table::begin(&[&api.base], &of_rounds(3, 1)).await;
    other.play_out().await;
    let other = export(&other.players[0], &other).await;
    let shown = Notes { heads: vec![notes.heads[3]], ..Notes::default() };
    let NotedHead::Shown(head) = notes.heads[3] else { panic!("the second of two") };
    assert_eq!(audit(&other, &shown).fault.unwrap().seq, Some(head.version));
    let foreign = Notes { keys: vec![Bytes32([1; 32])], ..Notes::default() };
    assert_eq!(audit(&text, &foreign).verdict, Verdict::Faulty);
}

fn fereta(arguments: &[&str]) -> Output {
    program().args(arguments).output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

fn verifier() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("web/verify/verify.mjs")
}

#[tokio::test(flavor = "multi_thread")]
async fn one_byte_is_found_by_both_verifiers_where_it_is() {
    let api = Api::start().await;
    let table = Table::begin(&[&api.base], &of_rounds(4, 1)).await;
    let noted = table.players[2].get(&table.path("/signed-head")).await.text;
    table.play_out().await;
    let text = export(&table.players[0], &table).await;
    let folder = Folder::new();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (whole, changed, head) = (at("whole.ndjson"), at("changed.ndjson"), at("head.json"));
    fs::write(&whole, &text).unwrap();
    fs::write(&head, noted).unwrap();
    let seq = alone(&text).version - 20;
    let line = text.lines().nth(2 * seq as usize - 2).unwrap();
    let other = line.replace("\"seq\":", "\"sep\":");
    fs::write(&changed, text.replace(line, &other)).unwrap();

    let node = Command::new("node").arg("--version").output().is_ok_and(|node| node.status.success());
    for file in [&whole, &changed] {
        let good = file == &whole;
        let mut runs = vec![fereta(&["audit", "--json", file, "--head", &head])];
        if node {
            let mut command = Command::new("node");
            runs.push(command.arg(verifier()).args(["--json", file, "--head", &head]).output().unwrap());
        }
        for run in runs {
            assert_eq!(run.status.code(), Some(i32::from(!good)), "{}", said(&run));
            let report: Value = serde_json::from_slice(&run.stdout).unwrap();
            assert_eq!(report["verdict"], if good { "anchored" } else { "faulty" });
            assert_eq!(report["fault"]["seq"], if good { Value::Null } else { json!(seq) }, "{report}");
        }
    }
    let words = said(&fereta(&["audit", &whole, &changed]));
    assert!(
        words.contains("consistent, not anchored") && words.contains(&format!("first fault at event {seq} (F")),
        "{words}"
    );
    assert_eq!(fereta(&["audit", &at("none")]).status.code(), Some(2));
    assert_eq!(fereta(&["audit", &whole, "--head", "12:zz"]).status.code(), Some(2));
    let foreign = text.replace(&table.game, &uuid::Uuid::nil().to_string());
    fs::write(&changed, foreign).unwrap();
    assert_eq!(fereta(&["audit", "-q", &changed, "--head", &head]).status.code(), Some(1), "a note of no game here");

    // As people read it.
    let shown = fereta(&["show", &whole, "--at", &seq.to_string(), "--seat", "1", "--lang", "ja"]);
    assert!(shown.status.success() && said(&shown).contains("あなた"), "{}", said(&shown));
    assert!(said(&fereta(&["show", &changed])).contains("does not hold"));
}

#[tokio::test(flavor = "multi_thread")]
async fn finished_games_are_exported_once_and_imported_as_they_were() {
    let database = Database::new().await;
    let server = Server::start(&database);
    let mut games = Vec::new();
    for rounds in [1, 1, 2] {
        let table = Table::begin(&[&server.base()], &of_rounds(3, rounds)).await;
        table.play_out().await;
        games.push(table);
    }
    let running = Table::begin(&[&server.base()], &of_rounds(3, 1)).await;
    let folder = Folder::new();
    let run = |to: &Path, more: &[&str]| {
        let mut command = program();
        command.args(["export", "--to"]).arg(to).args(more).env("DATABASE_URL", database.url(SERVING));
        command.env("FERETA_PROOF_KEY", PROOF_KEY).output().unwrap()
    };
    let (many, one) = (folder.path().join("many"), folder.path().join("all.ndjson"));
    for (made, there) in [(3, 0), (0, 3)] {
        for to in [&many, &one] {
            let run = run(to, &["--all"]);
            assert!(
                run.status.success() && said(&run).starts_with(&format!("{made} games were exported")),
                "{}",
                said(&run)
            );
            assert!(said(&run).contains(&format!("{there} were there")), "{}", said(&run));
        }
    }
    assert!(said(&run(&folder.path().join("none"), &["--all", "--since", "2999-01-01"])).starts_with("0 games"));
    let open = run(&folder.path().join("open.ndjson"), &[&running.game]);
    assert!(open.status.success(), "{}", said(&open));
    // Broken off in the middle of the last game: it is made anew.
    let all = fs::read(&one).unwrap();
    fs::write(&one, &all[..all.len() - 1_000]).unwrap();
    assert!(said(&run(&one, &["--all"])).starts_with("1 games were exported"));
    assert_eq!(fs::read(&one).unwrap(), all);
    // What else is in a file is not lost.
    let kept = folder.path().join("kept.ndjson");
    for more in ["mine\n".to_owned(), fs::read_to_string(folder.path().join("open.ndjson")).unwrap()] {
        fs::write(&kept, [&all, more.as_bytes()].concat()).unwrap();
        let refused = run(&kept, &["--all"]);
        assert!(!refused.status.success() && said(&refused).contains("left as it is"), "{}", said(&refused));
        assert_eq!(fs::read(&kept).unwrap().len(), all.len() + more.len());
    }
    let audited =
        fereta(&["audit", one.to_str().unwrap(), many.join(format!("{}.ndjson", games[0].game)).to_str().unwrap()]);
    assert!(audited.status.success() && said(&audited).contains("4 games"), "{}", said(&audited));

    let elsewhere = Database::new().await;
    let import = |files: &[&Path]| {
        let mut command = program();
        command.arg("import").args(files).env("DATABASE_URL", elsewhere.url(SERVING)).output().unwrap()
    };
    assert_eq!(import(&[&folder.path().join("open.ndjson")]).status.code(), Some(1), "it has not ended");
    let taken = import(&[&one]);
    assert!(taken.status.success() && said(&taken).contains("3 games were imported"), "{}", said(&taken));
    assert!(said(&import(&[&one])).contains("is there already"));
    assert_eq!(elsewhere.count("seats").await + elsewhere.count("requests").await, 0);
    assert_eq!(elsewhere.count("accounts").await, database.count("accounts WHERE status = 'deleted'").await);
    let there = Server::start(&elsewhere);
    let reader = Player::guest(&there.base()).await;
    for table in &games {
        let theirs = reader.get(&table.path("/export")).await.text;
        assert_eq!(theirs, fs::read_to_string(many.join(format!("{}.ndjson", table.game))).unwrap());
        assert_eq!(theirs, table.players[0].get(&table.path("/export")).await.text);
        let seen = reader.game(&table.game).await.ok(200);
        assert_eq!((&seen["imported"], &seen["players"]), (&json!(true), &json!([])));
    }
    assert!(verify_store(&elsewhere).status.success());
}

fn verify_store(database: &Database) -> Output {
    program().arg("verify-store").env("DATABASE_URL", database.url(SERVING)).output().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_does_not_fit_in_the_store_is_found() {
    let database = Database::new().await;
    let mut server = Server::start(&database);
    let ended = Table::begin(&[&server.base()], &of_rounds(3, 1)).await;
    ended.play_out().await;
    let running = Table::begin(&[&server.base()], &of_rounds(3, 1)).await;
    running.play(9).await;
    running.players[0].new_game(&of_rounds(4, 1)).await;
    let clean = verify_store(&database);
    assert!(clean.status.success() && said(&clean).contains("3 games, 0 with a fault"), "{}", said(&clean));
    server.signal(Signal::TERM);
    server.wait();
    let of = |table: &Table| format!("'{}'", table.game);
    let (ended, running) = (of(&ended), of(&running));
    // Each with what mends it again.
    for (damage, mend, what) in [
        (
            "UPDATE game_events SET line = replace(line, '\"at\":\"2', '\"at\":\"3') WHERE game_id = G AND seq = 9",
            "UPDATE game_events SET line = replace(line, '\"at\":\"3', '\"at\":\"2') WHERE game_id = G AND seq = 9",
            "event 9 (F3)",
        ),
        ("UPDATE games SET server_seed = sha256(server_seed) WHERE id = G", "", "event 1 (F1)"),
        (
            "UPDATE games SET snapshot = set_byte(snapshot, 60, 1 + get_byte(snapshot, 60) % 200) WHERE id = G",
            "",
            "snapshot",
        ),
        (
            "UPDATE games SET version = version - 1 WHERE id = G",
            "UPDATE games SET version = version + 1 WHERE id = G",
            "the log goes on",
        ),
        ("UPDATE games SET decider = (coalesce(decider, 0) + 1) % 3 WHERE id = G", "", "status, seats or decider"),
        ("DELETE FROM seats WHERE game_id = G AND seat = 1", "", "the table of seats"),
        ("UPDATE requests SET last_seq = 100000 WHERE game_id = G", "", "a key is remembered"),
        ("UPDATE games SET head = sha256(head) WHERE id = G", "", "head"),
        ("DELETE FROM game_events WHERE game_id = G AND seq = 12", "", "lacks an event"),
    ] {
        for game in [&ended, &running] {
            database.tamper(&format!("CREATE TABLE kept AS SELECT * FROM games WHERE id = {game}")).await;
            database.tamper(&damage.replace('G', game)).await;
            let found = verify_store(&database);
            assert_eq!(found.status.code(), Some(1), "{damage}: {}", said(&found));
            assert!(
                said(&found).contains(what) && said(&found).contains(game.trim_matches('\'')),
                "{damage}: {}",
                said(&found)
            );
            let restore = "UPDATE games AS g SET server_seed = k.server_seed, snapshot = k.snapshot, head = k.head, \
                           decider = k.decider FROM kept AS k WHERE g.id = k.id; DROP TABLE kept";
            let mend = mend.replace('G', game);
            database.tamper(&format!("{restore}; {mend}")).await;
        }
    }
}
