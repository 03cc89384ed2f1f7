//! A table with players at it, who play by themselves.

use serde_json::{Value, json};

use super::player::{Answer, Player, key};

/// A game and its players, by seat.
pub(crate) struct Table {
    pub(crate) game: String,
    pub(crate) players: Vec<Player>,
}

/// Whose decision it is, and what can be decided.
pub(crate) struct Turn {
    pub(crate) seat: usize,
    pub(crate) player: Player,
    pub(crate) version: u64,
    /// Each as it can be posted.
    pub(crate) moves: Vec<Value>,
}

/// The kinds of game that tests play, of so many rounds: every number of players, every option, a card set of one's own.
pub(crate) fn kinds(rounds: u8) -> Vec<Value> {
    vec![
        json!({"players": 3, "options": {"card_set": short(rounds)}}),
        json!({"players": 4, "options": {"mercenary": true, "card_set": short(rounds)}}),
        json!({"players": 5, "options": {"opening_hand": "fixed", "card_set": short(rounds)}}),
        json!({"players": 3, "start": "creator", "options": {"mercenary": true, "card_set": short(rounds)}}),
    ]
}

/// A game of so many rounds.
pub(crate) fn of_rounds(players: u8, rounds: u8) -> Value {
    json!({"players": players, "options": {"card_set": short(rounds)}})
}

/// A card set of so many rounds, with sixteen lands.
pub(crate) fn short(rounds: u8) -> Value {
    let land = |kind: &str, strength: u8| json!({"kind": kind, "strength": strength, "points": [6, 4, 3, 2, 1], "five_players_only": false});
    let supply = |value: u8| json!({"value": value, "count": 6, "five_players_extra": 0});
    json!({
        "rounds": {"three": rounds, "four": rounds, "five": rounds},
        "lands": [
            land("wilderness", 0), land("meadow", 3), land("river", 5), land("forest", 7),
            land("village", 10), land("city", 15), land("forest", 7), land("river", 5),
        ],
        "supplies": [supply(2), supply(3), supply(4), supply(5), supply(6)],
    })
}

/// The review of a game that has ended, once it is made.
pub(crate) async fn review_of(player: &Player, game: &str) -> Value {
    for _ in 0..3_000 {
        let review = player.get(&format!("/v1/games/{game}/review")).await.ok(200);
        if review["status"] == "done" {
            return review;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    panic!("the review of {game} is not made");
}

impl Table {
    /// A game that has begun. Its players are at these servers in turn.
    pub(crate) async fn begin(bases: &[&str], body: &Value) -> Self {
        let count = body["players"].as_u64().unwrap() as usize;
        let players = Player::guests(bases[0], count).await;
        Self::begin_with(bases, players, body).await
    }

    /// As [`Table::begin`], with these players, of whom the first is the creator.
    pub(crate) async fn begin_with(bases: &[&str], players: Vec<Player>, body: &Value) -> Self {
        let players: Vec<Player> =
            players.iter().zip(bases.iter().cycle()).map(|(player, base)| player.at(base)).collect();
        let game = players[0].new_game(body).await;
        for player in &players[1..] {
            player.sit(&game, &json!({})).await.ok(201);
        }
        if body["start"] == "creator" {
            players[0].start(&game).await.ok(200);
        }
        Self { game, players }
    }

    /// None once the game has ended.
    pub(crate) async fn turn(&self) -> Option<Turn> {
        let seen = self.players[0].game(&self.game).await.ok(200);
        self.turn_after(&seen).await
    }

    /// As [`Table::turn`], from an answer that shows the table as it is.
    pub(crate) async fn turn_after(&self, seen: &Value) -> Option<Turn> {
        let seat = seen["view"]["decision"]["seat"].as_u64()? as usize;
        let player = self.players[seat].clone();
        let moves = player.moves(&self.game).await;
        Some(Turn { seat, player, version: seen["version"].as_u64().unwrap(), moves })
    }

    /// Plays so many moves, or to the end; what the last one was answered.
    pub(crate) async fn play(&self, moves: usize) -> Option<Answer> {
        let mut last = None;
        let mut turn = self.turn().await;
        for _ in 0..moves {
            let Some(now) = turn else { break };
            let answer = now.player.submit(&self.game, &key(), now.choice()).await;
            turn = self.turn_after(&answer.ok(200)).await;
            last = Some(answer);
        }
        last
    }

    /// Plays until the decision is of that kind; false if the game has ended before.
    pub(crate) async fn play_until(&self, kind: &str) -> bool {
        while let Some(turn) = self.turn().await {
            if turn.kind(&self.players[0].game(&self.game).await.ok(200)) == kind {
                return true;
            }
            turn.player.submit(&self.game, &key(), turn.choice()).await.ok(200);
        }
        false
    }

    pub(crate) async fn play_out(&self) -> Option<Answer> {
        self.play(usize::MAX).await
    }

    /// The path of an operation on this game.
    pub(crate) fn path(&self, rest: &str) -> String {
        format!("/v1/games/{}{rest}", self.game)
    }
}

impl Turn {
    /// One of the moves, always the same one at the same version.
    pub(crate) fn choice(&self) -> &Value {
        &self.moves[(self.version as usize * 7) % self.moves.len()]
    }

    fn kind(&self, seen: &Value) -> String {
        seen["view"]["decision"]["kind"].as_str().unwrap_or_default().to_owned()
    }
}
