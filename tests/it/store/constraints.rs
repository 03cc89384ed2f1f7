//! Every constraint of the schema has a name that the store knows.

use fereta::store::{Constraint, StoreError};

use crate::support::{Database, rows};

#[tokio::test(flavor = "multi_thread")]
async fn the_constraints_of_the_schema_are_those_that_the_store_knows() {
    let database = Database::new().await;
    let mut found = database
        .texts(
            "SELECT conname::text AS t FROM pg_constraint \
             WHERE connamespace = 'public'::regnamespace AND conrelid <> '__diesel_schema_migrations'::regclass \
             AND contype <> 't' UNION SELECT tgname::text FROM pg_trigger WHERE NOT tgisinternal",
        )
        .await;
    let mut known: Vec<_> = Constraint::ALL.iter().map(|constraint| constraint.name().to_owned()).collect();
    found.sort();
    known.sort();
    assert_eq!(found, known);
}

#[tokio::test(flavor = "multi_thread")]
async fn each_broken_constraint_is_told_by_its_type() {
    let database = Database::new().await;
    let account = database.account("ann").await;
    let game = rows::create(&database.store().await, &rows::new_game(account)).await.unwrap();
    let bytes = "decode(repeat('00', 32), 'hex')";
    let account_row = |id: &str, key: &str, status: &str| {
        format!("INSERT INTO accounts VALUES ('{id}', 'Ann', {key}, NULL, 'en', '{status}', now())")
    };
    let fresh = "00000000-0000-7000-8000-000000000000";
    let family = format!("INSERT INTO token_families VALUES ('{fresh}', '{account}', now(), NULL);");
    let token = |hash: &str, family: &str, account: &str| {
        format!("INSERT INTO refresh_tokens VALUES ({hash}, '{family}', '{account}', now(), now(), NULL);")
    };
    let set = |what: &str| format!("UPDATE games SET {what}");
    let seat =
        |game: &str, seat: u8, account: &str| format!("INSERT INTO seats VALUES ('{game}', {seat}, '{account}');");
    let (account_id, game_id) = (account.to_string(), game.to_string());
    let sit = seat(&game_id, 0, &account_id);
    let request = |fingerprint: &str, first: i64| {
        format!("INSERT INTO requests VALUES ('{account}', 'k', {fingerprint}, '{game}', NULL, {first}, 2, now());")
    };
    let invite = |id: &str, game: &str, hash: &str| {
        format!("INSERT INTO invites VALUES ('{id}', '{game}', {hash}, now(), now(), NULL);")
    };
    let event =
        |seq: i64, hash: &str| format!("INSERT INTO game_events VALUES ('{game}', {seq}, 'line', NULL, {hash})");
    let proof_key = |key: &str| format!("INSERT INTO proof_keys VALUES ({key}, now());");
    let review = |game: &str, rest: &str| format!("INSERT INTO reviews VALUES ('{game}', now(), false, {rest});");
    let copy = |what: &str| format!("INSERT INTO games SELECT {what} FROM games");
    let fifty_more =
        "INSERT INTO games SELECT (jsonb_populate_record(g, jsonb_build_object('id', gen_random_uuid()))).* \
                      FROM games AS g, generate_series(1, 50)"
            .to_owned();
    let fifty_of_bots =
        "INSERT INTO games SELECT (jsonb_populate_record(g, jsonb_build_object('id', gen_random_uuid(), \
                         'status', 'running', 'bots', 1))).* FROM games AS g, generate_series(1, 51)"
            .to_owned();
    let cases = [
        (account_row(&account_id, "'other'", "active"), Constraint::AccountId),
        (account_row(fresh, "'ann'", "active"), Constraint::AccountName),
        (account_row(fresh, "NULL", "active"), Constraint::AccountNamePresent),
        (account_row(fresh, "'other'", "asleep"), Constraint::AccountStatus),
        (format!("{family}{family}"), Constraint::FamilyId),
        (family.replace(&account_id, fresh), Constraint::FamilyAccount),
        (format!("{family}{0}{0}", token(bytes, fresh, &account_id)), Constraint::RefreshToken),
        (format!("{family}{}", token("'x'", fresh, &account_id)), Constraint::RefreshTokenHash),
        (token(bytes, fresh, &account_id), Constraint::RefreshTokenFamily),
        (format!("{family}{}", token(bytes, fresh, fresh)), Constraint::RefreshTokenAccount),
        (copy("*"), Constraint::GameId),
        (set("version = 0"), Constraint::GameVersion),
        (set("head = 'x'"), Constraint::GameHead),
        (set("server_seed = 'x'"), Constraint::GameServerSeed),
        (set("status = 'asleep'"), Constraint::GameStatus),
        (set("visibility = 'none'"), Constraint::GameVisibility),
        (set("start = 'never'"), Constraint::GameStart),
        (set("players = 6"), Constraint::GamePlayers),
        (set("open_seats = 4"), Constraint::GameOpenSeats),
        (set("bots = 5"), Constraint::GameBots),
        (set("decider = 3"), Constraint::GameDecider),
        (set("imported = 'x'"), Constraint::GameImported),
        (set(&format!("creator = '{fresh}'")), Constraint::GameCreator),
        (
            format!("UPDATE accounts SET status = 'banned' WHERE id = '{account}'; {}", copy("*")),
            Constraint::GameCreatorStands,
        ),
        (fifty_more, Constraint::GameOpenPerCreator),
        (fifty_of_bots, Constraint::GamesOfBotsPerCreator),
        (format!("{sit}{sit}"), Constraint::SeatTaken),
        (format!("{sit}{}", seat(&game_id, 1, &account_id)), Constraint::SeatedTwice),
        (seat(&game_id, 5, &account_id), Constraint::SeatNumber),
        (seat(fresh, 0, &account_id), Constraint::SeatGame),
        (seat(&game_id, 0, fresh), Constraint::SeatAccount),
        (format!("INSERT INTO seats VALUES ('{game}', 0, NULL, 'good')"), Constraint::SeatBot),
        (format!("INSERT INTO seats VALUES ('{game}', 0, '{account}', 'hard')"), Constraint::SeatOccupant),
        (format!("{0}{0}", invite(fresh, &game_id, bytes)), Constraint::InviteId),
        (invite(fresh, fresh, bytes), Constraint::InviteGame),
        (invite(fresh, &game_id, bytes) + &invite(&account_id, &game_id, bytes), Constraint::InviteCode),
        (invite(fresh, &game_id, "'x'"), Constraint::InviteCodeHash),
        (format!("UPDATE accounts SET status = 'banned' WHERE id = '{account}'; {sit}"), Constraint::SeatAccountStands),
        (event(0, bytes), Constraint::EventSeqPositive),
        (event(2, "'x'"), Constraint::EventHash),
        ("DELETE FROM game_events".to_owned(), Constraint::LogAppendOnly),
        (format!("{0}{0}", proof_key(bytes)), Constraint::ProofKey),
        (proof_key("'x'"), Constraint::ProofKeyLength),
        ("DELETE FROM proof_keys".to_owned(), Constraint::ProofKeysAppendOnly),
        (format!("{0}{0}", request(bytes, 1)), Constraint::RequestKey),
        (request("'x'", 1), Constraint::RequestFingerprint),
        (request(bytes, 3), Constraint::RequestRange),
        (format!("{0}{0}", review(&game_id, "0, 0, NULL, NULL, NULL")), Constraint::ReviewGame),
        (review(fresh, "0, 0, NULL, NULL, NULL"), Constraint::ReviewGameKnown),
        (review(&game_id, "2, 1, NULL, NULL, NULL"), Constraint::ReviewDone),
        (review(&game_id, "1, 1, NULL, 1, NULL"), Constraint::ReviewWhole),
    ];
    for (sql, expected) in &cases {
        let error = StoreError::from(database.execute(sql).await.unwrap_err());
        assert!(matches!(error, StoreError::Constraint(broken) if broken == *expected), "{sql}: {error:?}");
    }
    // One is no answer to a caller but a broken log.
    let error = StoreError::from(database.execute(&event(1, bytes)).await.unwrap_err());
    assert!(matches!(error, StoreError::Corrupt { .. }), "{error:?}");
    assert_eq!(cases.len() + 1, Constraint::ALL.len(), "a constraint has no case");
}
