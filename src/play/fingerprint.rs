//! What a key was used for: a hash of the request in a normal form, the same for every way to write it.

use sha2::{Digest, Sha256};

use super::create::NewGameAsk;
use super::submit::Action;
use crate::engine::{Move, Place, Supplies};
use crate::ids::GameId;

/// The fingerprint of a request about a game.
pub(super) fn of_action(game: GameId, action: &Action) -> [u8; 32] {
    let request = match action {
        Action::Move { expected_version, action } => {
            format!("POST /v1/games/{game}/moves\n{expected_version} {}", of_move(action))
        }
        Action::TakeSeat { seat, entropy, invite } => {
            let seat = seat.map(|seat| seat.number().to_string()).unwrap_or_default();
            let entropy = entropy.map(|entropy| entropy.to_string()).unwrap_or_default();
            let invite = invite.map(|invite| format!(" {}", invite.to_text())).unwrap_or_default();
            format!("POST /v1/games/{game}/seats\n{seat} {entropy}{invite}")
        }
        Action::LeaveSeat => format!("DELETE /v1/games/{game}/seats/me"),
        Action::VacateSeat { seat } => format!("DELETE /v1/games/{game}/seats/{}", seat.number()),
        Action::SeatBot { seat, level } => {
            format!("POST /v1/games/{game}/seats/{}/bot\n{level:?}", seat.number())
        }
        Action::GiveUp { level } => format!("give up {game}\n{level:?}"),
        Action::Close => format!("DELETE /v1/games/{game}"),
        Action::Start => format!("POST /v1/games/{game}/start"),
    };
    Sha256::digest(request).into()
}

/// The fingerprint of a request for a new game.
pub(super) fn of_new_game(ask: &NewGameAsk) -> [u8; 32] {
    let NewGameAsk { players, visibility, options, card_set, start, sits, bots, hints } = ask;
    let card_set = serde_json::to_string(card_set).unwrap_or_default();
    let options = serde_json::to_string(options).unwrap_or_default();
    let start = serde_json::to_string(start).unwrap_or_default();
    let visibility = visibility.word();
    let mut request = format!("POST /v1/games\n{players} {visibility} {options} {start} {sits} {card_set}");
    for (seat, level) in bots {
        request.push_str(&format!(" {}:{level:?}", seat.number()));
    }
    if *hints {
        request.push_str(" hints");
    }
    Sha256::digest(request).into()
}

fn of_move(action: &Move) -> String {
    let land = |land: &Place| land.number().to_string();
    let cards = |cards: &Supplies| format!("{:?}", cards.as_slice());
    match action {
        Move::PlaceEstate { land: at } => format!("place_estate {}", land(at)),
        Move::ChooseBattlefield { lands: [a, b] } => {
            format!("choose_battlefield {} {}", land(a.min(b)), land(a.max(b)))
        }
        Move::TakeActionCard { card } => format!("take_action_card {card:?}"),
        Move::PlaySupplies { cards: played } => format!("play_supplies {}", cards(played)),
        Move::Build { land: at, face } => format!("build {} {face:?}", land(at)),
        Move::FlipBase { land: at } => format!("flip_base {}", land(at)),
        Move::PassBuild => "pass_build".into(),
        Move::DiscardSupplies { cards: gone } => format!("discard_supplies {}", cards(gone)),
    }
}
