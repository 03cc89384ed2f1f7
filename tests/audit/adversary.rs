//! The real adversary: the server writes a whole other game, consistent in itself. Only what was noted while it ran speaks against it.

use fereta::audit::{NotedHead, Notes, Verdict};
use fereta::cli::selfplay::record::Recorded;
use fereta::engine::{Bytes32, Fact, Seat, seed_commitment};
use fereta::log::{Bytes64, Head, ProofKey, Receipt, SignedHead};

use crate::cases::{all, audited_with, told};
use crate::forged::whole;
use crate::games::{Kind, digest, kind, play, server};

/// A game that was played, and another one that the server shows in its place.
struct Swap {
    what: String,
    shown: Recorded,
    other: Recorded,
    /// The first event that is another one.
    from: u64,
}

fn swaps() -> Vec<Swap> {
    let mut swaps = Vec::new();
    for number in 0..8 {
        let shown = kind(number);
        let server_seed = digest(&format!("another seed {number}"));
        let table = fereta::engine::NewTable { seed_commitment: seed_commitment(&server_seed), ..shown.table.clone() };
        let others = [
            ("another seed, so other shuffles", Kind { server_seed, table, ..shown.clone() }),
            ("other entropy and other moves", Kind { moves: number + 1000, ..shown.clone() }),
        ];
        for (what, other) in others {
            let (shown, other) = (play(&shown), play(&other));
            swaps.push(swap(format!("game {number}, {what}"), shown, other));
        }
        // The same up to a move at the end, which is another one.
        let (whole, last) = (play(&shown), play_but_the_last(&shown));
        swaps.push(swap(format!("game {number}, another last move"), whole, last));
    }
    swaps
}

fn swap(what: String, shown: Recorded, other: Recorded) -> Swap {
    let same = shown.lines.iter().zip(&other.lines).take_while(|(one, other)| one.text == other.text).count();
    Swap { what, shown, other, from: same as u64 + 1 }
}

/// Another game whose moves are the same for as long as can be: the dice of another number from some move on.
fn play_but_the_last(kind: &Kind) -> Recorded {
    crate::games::play_turning(kind, 12)
}

fn head(game: &Recorded, version: u64) -> Head {
    Head { hash: game.lines[version as usize - 1].hash, version }
}

fn receipt(game: &Recorded, seq: u64) -> Option<Receipt> {
    let Fact::SeatTaken(taken) = &game.events[seq as usize - 1].fact else { return None };
    Some(server().receipt(game.id, taken.seat, seq, head(game, seq).hash))
}

fn noted(note: NotedHead) -> Notes {
    Notes { heads: vec![note], ..Notes::default() }
}

fn signed(game: &Recorded, version: u64) -> SignedHead {
    server().sign_head(game.id, head(game, version))
}

#[test]
fn another_history_is_consistent_until_it_is_held_against_one_note() {
    let swaps = swaps();
    all("histories swapped", &swaps, |swap| {
        let text = whole(&swap.other);
        let wrong = |why: String| Err(format!("{}: {why}", swap.what));
        let report = audited_with(&text, &Notes::default())?;
        if report.verdict != Verdict::Consistent {
            return wrong(told(&report));
        }
        for version in 1..=swap.shown.lines.len() as u64 {
            if version % 7 > 0 && version > swap.from + 2 {
                continue;
            }
            let signed = signed(&swap.shown, version);
            for notes in [noted(NotedHead::Shown(signed.head)), noted(NotedHead::Signed(signed))] {
                let report = audited_with(&text, &notes)?;
                let seq = report.fault.as_ref().map(|fault| fault.seq);
                let right = match version {
                    version if version < swap.from => {
                        report.verdict == Verdict::Anchored && (report.held, report.held_to) == (1, version)
                    }
                    version if version > swap.other.lines.len() as u64 => seq == Some(None),
                    version => seq == Some(Some(version)),
                };
                if !right {
                    return wrong(format!(
                        "held against the head of {version}: {:?} {}",
                        report.verdict,
                        told(&report)
                    ));
                }
            }
        }
        for receipt in (1..=swap.shown.lines.len() as u64).filter_map(|seq| receipt(&swap.shown, seq)) {
            let report = audited_with(&text, &Notes { receipts: vec![receipt], ..Notes::default() })?;
            let right = if receipt.seq < swap.from {
                report.verdict == Verdict::Anchored && report.held_to == receipt.seq
            } else {
                report.fault.as_ref().map(|fault| fault.seq) == Some(Some(receipt.seq))
            };
            if !right {
                return wrong(format!(
                    "held against the receipt of {}: {:?} {}",
                    receipt.seq,
                    report.verdict,
                    told(&report)
                ));
            }
        }
        Ok(())
    });
}

#[test]
fn a_note_that_does_not_hold_is_a_fault_where_it_was_noted() {
    let game = play(&kind(5));
    let text = whole(&game);
    let version = 20;
    let (good, stranger) = (signed(&game, version), ProofKey::from_bytes(&[9; 32]));
    let seq = (1..).find(|seq| receipt(&game, *seq).is_some()).unwrap();
    let own = receipt(&game, seq).unwrap();
    let broken = |signature: Bytes64, byte: usize| {
        let mut bytes = signature.0;
        bytes[byte] ^= 1;
        Bytes64(bytes)
    };
    let keys = vec![server().public()];
    let mut cases: Vec<(String, Notes, Option<Option<u64>>)> = Vec::new();
    let mut add = |what: &str, notes: Notes, fault| cases.push((what.to_owned(), notes, fault));
    for byte in [0, 31, 32, 63] {
        let head = SignedHead { signature: broken(good.signature, byte), ..good };
        add("a head with a broken signature", noted(NotedHead::Signed(head)), Some(Some(version)));
        let receipt = Receipt { signature: broken(own.signature, byte), ..own };
        add(
            "a receipt with a broken signature",
            Notes { receipts: vec![receipt], ..Notes::default() },
            Some(Some(seq)),
        );
    }
    let head = SignedHead { key: stranger.public(), ..good };
    add("a head said to be of another key", noted(NotedHead::Signed(head)), Some(Some(version)));
    let head = NotedHead::Signed(stranger.sign_head(game.id, good.head));
    add("a head of another key", noted(head), None);
    add(
        "a head of another key, where the server's is known",
        Notes { keys: keys.clone(), ..noted(head) },
        Some(Some(version)),
    );
    let receipt = stranger.receipt(game.id, own.seat, seq, own.hash);
    let notes = Notes { receipts: vec![receipt], keys: keys.clone(), ..Notes::default() };
    add("a receipt of another key, where the server's is known", notes, Some(Some(seq)));
    let notes = Notes { keys: vec![stranger.public()], ..Notes::default() };
    add("a file of another key than is known", notes, Some(None));
    let other = Seat::new((own.seat.number() + 1) % 5).unwrap();
    let receipts = vec![server().receipt(game.id, other, seq, own.hash)];
    add("a receipt for another seat", Notes { receipts, ..Notes::default() }, Some(Some(seq)));
    let receipts = vec![server().receipt(game.id, own.seat, version, good.head.hash)];
    add("a receipt for what is no seat", Notes { receipts, ..Notes::default() }, Some(Some(version)));
    let end = game.lines.len() as u64;
    for version in [0, end + 1, u64::MAX] {
        let head = Head { hash: Bytes32::default(), version };
        add("a head that the game does not have", noted(NotedHead::Shown(head)), Some(None));
        let receipts = vec![server().receipt(game.id, own.seat, version, head.hash)];
        add("a receipt that the game does not have", Notes { receipts, ..Notes::default() }, Some(None));
    }
    let both = Notes {
        heads: vec![NotedHead::Signed(good), NotedHead::Shown(head_of(&game, end))],
        receipts: vec![own],
        keys,
    };
    add("all that is right", both, None);
    all("notes", &cases, |(what, notes, fault)| {
        let report = audited_with(&text, notes)?;
        let right = match fault {
            Some(seq) => {
                report.verdict == Verdict::Faulty && report.fault.as_ref().map(|fault| fault.seq) == Some(*seq)
            }
            None => report.verdict == Verdict::Anchored && report.held == notes.heads.len() + notes.receipts.len(),
        };
        if right {
            Ok(())
        } else {
            Err(format!("{what}: expected {fault:?}, found {:?} {}", report.verdict, told(&report)))
        }
    });
}

fn head_of(game: &Recorded, version: u64) -> Head {
    head(game, version)
}

#[test]
fn the_signature_of_the_file_itself_anchors_nothing() {
    let game = play(&kind(2));
    let notes = Notes { keys: vec![server().public()], ..Notes::default() };
    let report = audited_with(&whole(&game), &notes).unwrap();
    assert_eq!((report.verdict, report.held, report.held_to), (Verdict::Consistent, 0, 0));
    let of_another = noted(NotedHead::Signed(signed(&play(&kind(3)), 9)));
    let report = audited_with(&whole(&game), &of_another).unwrap();
    assert_eq!((report.verdict, report.held), (Verdict::Consistent, 0), "a note of another game is none");
}
