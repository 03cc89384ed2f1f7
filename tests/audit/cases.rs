//! Many cases on all cores; what was changed, and what was found.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use fereta::audit::{Notes, Report, Verdict, audit};

/// What the audit says of a text with nothing noted; what it panics with is told as a fault of its own.
pub(crate) fn audited(text: &str) -> Result<Report, String> {
    audited_with(text, &Notes::default())
}

pub(crate) fn audited_with(text: &str, notes: &Notes) -> Result<Report, String> {
    catch_unwind(AssertUnwindSafe(|| audit(text, notes))).map_err(|_| "the audit panicked".to_owned())
}

/// That the audit finds a fault at one of these places.
pub(crate) fn finds(text: &str, may: &[Option<u64>]) -> Result<(), String> {
    let report = audited(text)?;
    let found = report.fault.as_ref().map(|fault| fault.seq);
    if report.verdict == Verdict::Faulty && found.is_some_and(|seq| may.contains(&seq)) {
        return Ok(());
    }
    Err(format!("expected a fault at one of {may:?}, found {:?} {}", report.verdict, told(&report)))
}

/// The fault in few words.
pub(crate) fn told(report: &Report) -> String {
    let short = |text: &str| text.chars().take(90).collect::<String>();
    report.fault.as_ref().map_or_else(String::new, |fault| {
        let (expected, found) = (short(&fault.expected), short(&fault.found));
        format!("at {:?}: {} {} ({expected} / {found})", fault.seq, fault.rule, fault.message)
    })
}

/// Tries all on all cores; gives how many there were.
///
/// # Panics
/// With the first that went wrong, and how many.
pub(crate) fn all<T: Sync>(what: &str, cases: &[T], check: impl Fn(&T) -> Result<(), String> + Sync) -> usize {
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(why) = check(case) {
                        wrong.lock().unwrap().push(why);
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    let told: Vec<&str> = wrong.iter().take(12).map(String::as_str).collect();
    assert!(wrong.is_empty(), "{what}: {} of {} went wrong:\n{}", wrong.len(), cases.len(), told.join("\n"));
    eprintln!("{what}: {} cases", cases.len());
    cases.len()
}
