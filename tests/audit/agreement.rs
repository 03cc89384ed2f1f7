//! The verifier in JavaScript, written from the page alone, finds the same faults at the same events, but for the rules of play.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use fereta::audit::{Report, Verdict};
use serde_json::Value;

use crate::cases::{audited, told};
use crate::forged::{changed, misshapen};
use crate::games::short_games;
use crate::lines::{files, moved};
use crate::values::changes;

/// What needs the rules of play, or is as good as what it was: by the beginning of what was changed.
const NOT_FOR_JAVASCRIPT: &[&str] = &[
    "table_created.data.card_set.lands.turned",
    "table_created.data.card_set.lands.n.strength",
    "table_created.data.card_set.lands.n.points",
    "table_created.data.card_set.rounds",
    "table_created.data.start",
    "seat_left",
    "table_closed",
    "game_started",
    "table_created.data.card_set.supplies",
    "table_created of a closed table.data.card_set.supplies",
    "supplies_discarded.data.cards",
    "estate_placed.data.land",
    "base_built.data",
    "base_flipped.data",
    "battlefield_chosen.data",
    "allegiance_changed.data",
    "battle_fought.data",
    "land_turned.data",
    "points_awarded.data",
    "strategy_card_given.data",
    "draw_lost.data",
    "supplies_drawn.data.source",
    "game_ended.data",
];

struct Case {
    what: String,
    text: String,
    /// Whether the server made its hashes anew.
    anew: bool,
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let files = files(6);
    let mut add = |what: String, text: String, anew| cases.push(Case { what, text, anew });
    for file in &files {
        add(format!("{}: untouched", file.name), file.text.clone(), false);
    }
    for (what, text, _) in moved(&files).into_iter().step_by(211) {
        add(what, text, false);
    }
    for (number, file) in files.iter().enumerate() {
        for place in (number * 31..file.text.len()).step_by(1999) {
            let mut bytes = file.text.clone().into_bytes();
            bytes[place] ^= 1 << (place % 7);
            add(format!("{}: byte {place}", file.name), String::from_utf8(bytes).unwrap(), false);
        }
    }
    let games = short_games();
    for change in changes(&games, &[], 1, changed).iter().step_by(9) {
        add(format!("{} as it was", change.what), change.text(false), false);
    }
    for change in changes(&games, &[], 1, changed).iter().step_by(4) {
        add(change.what.clone(), change.text(true), true);
    }
    for change in changes(&games, &[], 1, misshapen).iter().step_by(7) {
        add(change.what.clone(), change.text(true), true);
    }
    for forgery in crate::bots::forgeries() {
        add(forgery.what, forgery.text, true);
    }
    cases
}

#[test]
fn the_verifier_in_javascript_agrees() {
    if Command::new("node").arg("--version").output().is_err() {
        eprintln!("there is no node: not checked");
        return;
    }
    let folder = std::env::temp_dir().join(format!("fereta-agreement-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let cases = cases();
    let names: Vec<String> = (0..cases.len()).map(|number| format!("{number}.ndjson")).collect();
    for (name, case) in names.iter().zip(&cases) {
        std::fs::write(folder.join(name), &case.text).unwrap();
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("web/verify/verify.mjs");
    let output = Command::new("node").current_dir(&folder).arg(script).arg("--json").args(&names).output().unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    let answers: BTreeMap<String, Value> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .map(|answer| (answer["file"].as_str().unwrap().to_owned(), answer))
        .collect();
    assert_eq!(answers.len(), cases.len(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut wrong = Vec::new();
    for (name, case) in names.iter().zip(&cases) {
        let report = audited(&case.text).unwrap();
        if let Err(why) = agree(case, &report, &answers[name]) {
            wrong.push(format!(
                "{}: {why}; audit: {:?} {}; verify: {}",
                case.what,
                report.verdict,
                told(&report),
                answers[name]
            ));
        }
    }
    let some: Vec<&str> = wrong.iter().take(25).map(String::as_str).collect();
    assert!(wrong.is_empty(), "{} of {} differ:\n{}", wrong.len(), cases.len(), some.join("\n"));
    eprintln!("agreement: {} cases", cases.len());
}

fn agree(case: &Case, report: &Report, answer: &Value) -> Result<(), &'static str> {
    let seq = |fault: &Value| fault["seq"].as_u64();
    let known = NOT_FOR_JAVASCRIPT.iter().any(|known| case.what.starts_with(known));
    let own = report.fault.as_ref().map(|fault| fault.seq);
    match (report.verdict, answer["verdict"].as_str().unwrap_or_default()) {
        (Verdict::Consistent, "consistent") | (Verdict::Incomplete, "incomplete") => Ok(()),
        (Verdict::Faulty, "faulty") => {
            let other = seq(&answer["fault"]);
            let by_rules = report.fault.as_ref().is_some_and(|fault| fault.rule.starts_with('R'));
            let later = other.is_none_or(|other| own.flatten().is_some_and(|own| other >= own));
            if own == Some(other) || (case.anew && (by_rules || known) && later) {
                Ok(())
            } else {
                Err("they name two events")
            }
        }
        (Verdict::Faulty, _) if case.anew && known => Ok(()),
        (Verdict::Faulty, _) => Err("verify found nothing"),
        (_, "faulty") => Err("audit found nothing"),
        _ => Err("two verdicts"),
    }
}
