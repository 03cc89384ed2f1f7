//! A game as servers began it that knew nothing of bots.

use fereta::clock;
use fereta::engine::{Command, EntropySource, FairDraws, NewTable, Seat, State, default_entropy, seed_commitment};
use fereta::ids::{AccountId, GameId};
use fereta::log::{Cause, Head, Sealer, Snapshot};
use fereta::store::{Change, GameStatus, NewEvent, NewGame, SeatChange, StartRule, Visibility};

use super::Database;

impl Database {
    /// A running game under version 1 of the rules, of three accounts, by seat.
    pub(crate) async fn old_game(&self, accounts: [AccountId; 3]) -> GameId {
        let (id, server_seed, now) = (GameId::fresh(), [9; 32], clock::now());
        let table = NewTable {
            rules: 1,
            players: 3,
            game_id: id.uuid(),
            seed_commitment: seed_commitment(&server_seed),
            ..NewTable::default()
        };
        let (mut state, mut events) = (State::default(), Vec::new());
        let mut nothing = fereta::engine::FastDraws::new(0);
        state.advance(&Command::Create(table), &mut nothing, &mut events).unwrap();
        for seat in (0..3).filter_map(Seat::new) {
            let (entropy, entropy_from) = (default_entropy(&server_seed, seat), EntropySource::Server);
            let command = Command::TakeSeat { seat: Some(seat), entropy, entropy_from };
            state.advance(&command, &mut nothing, &mut events).unwrap();
        }
        let mut draws = FairDraws::of_game(&server_seed, id.bytes(), state.entropy());
        state.advance(&Command::Start, &mut draws, &mut events).unwrap();
        let mut sealer = Sealer::new(&server_seed, Head::EMPTY);
        let lines: Vec<_> = events.iter().map(|event| sealer.seal(event, Cause::Table, now).unwrap()).collect();
        let events: Vec<_> = lines
            .into_iter()
            .map(|line| NewEvent { line: line.text, secret: line.secret, hash: line.hash.0 })
            .collect();
        let take = |(seat, account)| SeatChange::Take { seat, account };
        let change = Change {
            events: &events,
            snapshot: &Snapshot::to_bytes(id.bytes(), events.len() as u64, &state),
            status: GameStatus::Running,
            open_seats: 0,
            decider: state.decision().map(|decision| decision.seat.number()),
            bots: 0,
            wake_at: None,
            at: now,
            request: None,
            seats: (0..).zip(accounts).map(take).collect(),
        };
        let game = NewGame {
            id,
            server_seed,
            visibility: Visibility::Public,
            start: StartRule::Full,
            players: 3,
            creator: accounts[0],
            hints: false,
            imported: None,
        };
        self.store().await.create(&game, &change).await.unwrap();
        id
    }
}
