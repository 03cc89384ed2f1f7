//! Rivals for one move, on two servers at once.

use futures_util::future::{join, join_all};

use super::Pair;
use crate::support::Table;
use crate::support::player::key;
use crate::support::table::of_rounds;

#[tokio::test(flavor = "multi_thread")]
async fn of_twenty_moves_for_one_decision_one_is_made() {
    let pair = Pair::start().await;
    let [one, two] = pair.bases();
    let table = Table::begin(&[&one, &two], &of_rounds(3, 2)).await;
    for _ in 0..14 {
        let turn = table.turn().await.unwrap();
        let rivals = (0..20).zip([&one, &two].into_iter().cycle()).map(|(rival, base)| {
            let player = turn.player.at(base);
            let (game, body) = (&table.game, &turn.moves[rival % turn.moves.len()]);
            async move { player.submit(game, &key(), body).await }
        });
        let answers = join_all(rivals).await;
        let (made, refused): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 200);
        assert_eq!(made.len(), 1);
        let version = made[0].json()["version"].clone();
        for answer in refused {
            assert_eq!(answer.refused(409, "stale-version")["version"], version);
        }
        assert_eq!(made[0].json()["events"][0]["seq"], turn.version + 1);
        assert_eq!(table.players[0].game(&table.game).await.ok(200)["version"], version);
    }
    pair.database.audit(&table.game).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_move_that_is_sent_many_times_at_once_is_made_once() {
    let pair = Pair::start().await;
    let [one, two] = pair.bases();
    let table = Table::begin(&[&one, &two], &of_rounds(4, 1)).await;
    while let Some(turn) = table.turn().await {
        let key = key();
        let body = turn.choice();
        let sent = (0..10).zip([&one, &two].into_iter().cycle()).map(|(_, base)| {
            let player = turn.player.at(base);
            let (game, key) = (&table.game, &key);
            async move { player.submit(game, key, body).await }
        });
        let answers = join_all(sent).await;
        for answer in &answers {
            answer.ok(200);
            assert_eq!(answer.text, answers[0].text);
        }
    }
    pair.database.audit(&table.game).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_moves_under_one_key_one_is_made() {
    let pair = Pair::start().await;
    let [one, two] = pair.bases();
    let table = Table::begin(&[&one, &two], &of_rounds(3, 2)).await;
    let mut raced = 0;
    while let Some(turn) = table.turn().await {
        let key = key();
        let (first, second) = (&turn.moves[0], turn.moves.last().unwrap());
        if turn.moves.len() == 1 {
            turn.player.submit(&table.game, &key, first).await.ok(200);
            continue;
        }
        let (left, right) = (turn.player.at(&one), turn.player.at(&two));
        let (a, b) = join(left.submit(&table.game, &key, first), right.submit(&table.game, &key, second)).await;
        let (made, refused) = if a.status == 200 { (a, b) } else { (b, a) };
        made.ok(200);
        refused.refused(422, "idempotency-key-reused");
        raced += 1;
    }
    assert!(raced > 10, "{raced}");
    pair.database.audit(&table.game).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_key_in_two_games_at_once_is_used_in_one() {
    let pair = Pair::start().await;
    let [one, two] = pair.bases();
    let first = Table::begin(&[&one], &of_rounds(3, 1)).await;
    let second = Table::begin_with(&[&two], first.players.clone(), &of_rounds(3, 1)).await;
    for _ in 0..12 {
        let turns = (first.turn().await, second.turn().await);
        let (Some(left), Some(right)) = turns else { break };
        let key = key();
        let (a, b) = join(
            left.player.at(&one).submit(&first.game, &key, left.choice()),
            right.player.at(&two).submit(&second.game, &key, right.choice()),
        )
        .await;
        if left.player.account == right.player.account {
            let (made, refused) = if a.status == 200 { (a, b) } else { (b, a) };
            made.ok(200);
            refused.refused(422, "idempotency-key-reused");
        } else {
            // Keys are each account's own.
            a.ok(200);
            b.ok(200);
        }
    }
    pair.database.audit(&first.game).await;
    pair.database.audit(&second.game).await;
}
