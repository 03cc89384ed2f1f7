//! The snapshot beside a log is a convenience: whatever becomes of it, the game goes on.

use fereta::audit::{Notes, Verdict, audit};
use futures_util::future::join_all;

use crate::support::player::key;
use crate::support::table::{kinds, of_rounds};
use crate::support::{Api, Database, Table};

/// Every way to spoil the snapshot of every game.
async fn spoil(database: &Database, way: usize) {
    let sql = [
        "UPDATE games SET snapshot = decode(md5(random()::text) || md5(random()::text), 'hex')",
        "UPDATE games SET snapshot = substr(snapshot, 1, greatest(0, length(snapshot) - 1 - (random() * 60)::int))",
        "UPDATE games SET snapshot = ''",
        "UPDATE games SET snapshot = set_byte(snapshot, 40 + (random() * 200)::int, (random() * 255)::int) WHERE length(snapshot) > 240",
        "UPDATE games AS g SET snapshot = o.snapshot FROM \
         (SELECT id, lead(snapshot, 1, 'x'::bytea) OVER (ORDER BY id) AS snapshot FROM games) AS o WHERE o.id = g.id",
        "UPDATE games AS g SET snapshot = k.snapshot FROM kept AS k WHERE k.id = g.id",
        "UPDATE games SET snapshot = snapshot || '\\x00'",
    ];
    database.execute(sql[way % sql.len()]).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn games_go_on_whatever_becomes_of_their_snapshots() {
    let api = Api::start().await;
    let kinds = kinds(2);
    let bases = [api.base.as_str()];
    let tables = join_all((0..5).map(|i| Table::begin(&bases, &kinds[i % kinds.len()]))).await;
    api.database.execute("CREATE TABLE kept AS SELECT id, snapshot FROM games").await.unwrap();
    let mut way = 0;
    loop {
        spoil(&api.database, way).await;
        way += 1;
        if join_all(tables.iter().map(|table| table.play(4))).await.iter().all(Option::is_none) {
            break;
        }
    }
    assert!(way > 6, "{way}");
    for table in &tables {
        let seen = table.players[1].game(&table.game).await;
        let history = table.players[1].history(&table.game).await;
        spoil(&api.database, way).await;
        assert_eq!(table.players[1].game(&table.game).await.text, seen.text);
        assert_eq!(table.players[1].history(&table.game).await, history);
        assert_eq!(seen.json()["view"]["status"], "ended");
    }
    for table in &tables {
        let log = api.database.log(&table.game).await;
        let events: Vec<_> = log.iter().map(|line| line.open().unwrap()).collect();
        fereta::engine::check_history(&events).unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_snapshot_is_the_fold_of_the_log_at_every_version() {
    let api = Api::start().await;
    let played = kinds(1).into_iter().map(|kind| {
        let api = &api;
        async move {
            let table = Table::begin(&[&api.base], &kind).await;
            api.database.audit(&table.game).await;
            while table.play(1).await.is_some() {
                api.database.audit(&table.game).await;
            }
        }
    });
    join_all(played).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_is_given_again_without_a_snapshot() {
    let api = Api::start().await;
    let table = Table::begin(&[&api.base], &of_rounds(3, 1)).await;
    let turn = table.turn().await.unwrap();
    let key = key();
    let made = turn.player.submit(&table.game, &key, turn.choice()).await;
    made.ok(200);
    for way in 0..4 {
        spoil(&api.database, way).await;
        assert_eq!(turn.player.submit(&table.game, &key, turn.choice()).await.text, made.text);
    }
}

/// As an older server would have begun it: version 1 of the rules, and a snapshot of another format whose checksum holds.
async fn make_older(database: &Database, game: &str) {
    let line = "UPDATE game_events SET line = replace(line, '\"rules\":2', '\"rules\":1') WHERE seq = 1";
    let chain = "DO $$ DECLARE
        e record;
        h bytea := decode(repeat('00', 32), 'hex');
    BEGIN
        FOR e IN SELECT seq, line FROM game_events WHERE game_id = 'G' ORDER BY seq LOOP
            h := sha256(h || convert_to(e.line, 'UTF8'));
            UPDATE game_events SET hash = h WHERE game_id = 'G' AND seq = e.seq;
        END LOOP;
        UPDATE games SET head = h WHERE id = 'G';
    END $$";
    let snapshot = "UPDATE games SET snapshot = older || sha256(older) FROM (SELECT id AS game, set_byte(substr(snapshot, 1, \
                    length(snapshot) - 32), 0, 3) AS older FROM games) AS o WHERE id = game AND id = 'G'";
    database.tamper(&format!("{line} AND game_id = '{game}'")).await;
    database.tamper(&chain.replace("'G'", &format!("'{game}'"))).await;
    database.execute(&snapshot.replace("'G'", &format!("'{game}'"))).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_of_version_1_of_the_rules_is_played_to_its_end() {
    let api = Api::start().await;
    let table = Table::begin(&[&api.base], &of_rounds(3, 1)).await;
    table.play(5).await;
    make_older(&api.database, &table.game).await;
    table.play_out().await;
    let state = api.database.audit(&table.game).await;
    assert_eq!(state.rules(), 1);
    let report = audit(&table.players[0].get(&table.path("/export")).await.text, &Notes::default());
    assert_eq!((report.verdict, report.fault), (Verdict::Consistent, None));
}
