//! A hint hangs on nothing that its player does not know: the same game in two worlds that he cannot tell apart has the same hints,
//! byte for byte. It does hang on the game's id, so both servers are given one table under the same id, with seeds of our choice.

use fereta::engine::seed_commitment;
use fereta::ids::AccountId;
use fereta::log::{Cause, Head, Sealer, Snapshot};
use fereta::store::{Change, GameStatus, NewEvent, NewGame, StartRule, Visibility};

use super::*;

fn server_seed(number: u32) -> [u8; 32] {
    let mut seed = [7; 32];
    seed[..4].copy_from_slice(&number.to_be_bytes());
    seed
}

/// Two seeds of a game, and moves that look the same to `viewer` up to the end though the hands differ.
fn pair(id: GameId, viewer: Viewer) -> ([[u8; 32]; 2], Vec<(Seat, Move)>) {
    let foreseen = |number| Foreseen::new(id, server_seed(number), false);
    let openings: Vec<_> = (0..600).map(|number| foreseen(number).opening()).collect();
    for one in 0..600 {
        for other in (one + 1..600).filter(|other| openings[one as usize] == openings[*other as usize]) {
            for seed in 0..4 {
                if let Some((script, different)) = common_script(foreseen(one), foreseen(other), viewer, seed)
                    && different > 3
                {
                    return ([one, other].map(server_seed), script);
                }
            }
        }
    }
    panic!("no two games look the same to {viewer:?}");
}

/// The table as a server sets it up, but for the choice of its id and its seed.
async fn set_up(api: &Api, creator: AccountId, id: GameId, server_seed: [u8; 32]) {
    let table = NewTable {
        game_id: id.uuid(),
        seed_commitment: seed_commitment(&server_seed),
        players: PLAYERS,
        card_set: Arc::new(card_set()),
        ..NewTable::default()
    };
    let (mut state, mut events, at) = (State::default(), Vec::new(), fereta::clock::now());
    state.advance(&Command::Create(table), &mut FastDraws::new(0), &mut events).unwrap();
    let line = Sealer::new(&server_seed, Head::EMPTY).seal(&events[0], Cause::Table, at).unwrap();
    let game = NewGame {
        id,
        server_seed,
        visibility: Visibility::Public,
        start: StartRule::Full,
        players: PLAYERS,
        creator,
        hints: true,
        imported: None,
    };
    let change = Change {
        events: &[NewEvent { line: line.text, secret: None, hash: line.hash.0 }],
        snapshot: &Snapshot::to_bytes(id.bytes(), 1, &state),
        status: GameStatus::Open,
        open_seats: PLAYERS,
        bots: 0,
        decider: None,
        wake_at: None,
        at,
        request: None,
        seats: Vec::new(),
    };
    api.database.store().await.create(&game, &change).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hint_is_the_same_in_two_worlds_that_look_the_same() {
    let (id, seat) = (GameId::fresh(), Seat::new(1).unwrap());
    let viewer = Viewer::Seat(seat);
    let (server_seeds, script) = pair(id, viewer);
    let mut worlds = [Vec::new(), Vec::new()];
    let apis = [Api::start_with(|settings| settings.serve.limits = None).await, {
        Api::start_with(|settings| settings.serve.limits = None).await
    }];
    for (side, api) in apis.iter().enumerate() {
        for name in ["a", "b", "c"] {
            let session = api.guest(name).await;
            worlds[side].push(session["access_token"].as_str().unwrap().to_owned());
            if name == "a" {
                let creator = session["account"]["id"].as_str().unwrap().parse().unwrap();
                set_up(api, creator, id, server_seeds[side]).await;
            }
        }
        for number in 0..PLAYERS {
            let body = json!({"seat": number, "entropy": entropy(number)});
            let path = format!("/v1/games/{id}/seats");
            let sat = ask(api, &worlds[side][usize::from(number)], Method::POST, &path, Some(&body)).await;
            assert_eq!(sat.status, 201, "{}", sat.body);
        }
    }
    let mut hints = 0;
    for (decider, action) in &script {
        let mut answers = Vec::new();
        for (api, tokens) in apis.iter().zip(&worlds) {
            let path = format!("/v1/games/{id}/hint");
            answers.push(ask(api, &tokens[usize::from(seat.number())], Method::GET, &path, None).await);
            let version = foreseen_version(api, &tokens[0], id).await;
            let body = json!({"expected_version": version, "move": WireMove::from(action.clone())});
            let path = format!("/v1/games/{id}/moves");
            let moved = ask(api, &tokens[usize::from(decider.number())], Method::POST, &path, Some(&body)).await;
            assert_eq!(moved.status, 200, "{}", moved.body);
        }
        assert_eq!(answers[0].status, if *decider == seat { 200 } else { 409 }, "{}", answers[0].body);
        assert_eq!(comparable(&answers[0]), comparable(&answers[1]));
        hints += usize::from(*decider == seat);
    }
    assert!(hints >= 3, "only {hints} hints");
}
