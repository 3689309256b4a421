//! Any small sheet of one player: the portfolio ends in time, every plan scores what it says, and what is
//! claimed to be the best there is, is.

#![no_main]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use circuit::Effort;
use game::{Describe, Game};
use libfuzzer_sys::arbitrary::Unstructured;
use libfuzzer_sys::fuzz_target;
use ludens_fuzz::{circuit, explore, normal, reference, sheet, show};
use machine::batch::BatchMachine;
use machine::circuit::CircuitMachine;
use puzzle::method::METHODS;
use puzzle::{Clock, Options, Portfolio, ReplayError, Space};

/// What the work may take, by a clock that goes faster than others.
const MOST_TIME: Duration = Duration::from_millis(300);
const MOST_STATES: usize = 1_000;

fuzz_target!(|bytes: &[u8]| {
    let mut bytes = Unstructured::new(bytes);
    // All methods of the portfolio, or one of those there are.
    let Ok(method) = bytes.int_in_range(0..=METHODS.len()) else { return };
    let Ok(text) = sheet(&mut bytes, Some(1)) else { return };
    show(|| format!("{}\n{text}", METHODS.get(method).map_or("all", |entry| entry.name)));
    let rules = normal(&text);
    let skip = |why: &str| show(|| format!("not looked at: {why}"));
    let Some(reference) = reference(&rules) else { return skip("no reference") };
    let Some(circuit) = circuit(&rules, Effort::Quick) else { return skip("no circuit") };
    let batch = BatchMachine::new(Arc::new(CircuitMachine::new(circuit)));
    let Ok(space) = Space::new(Arc::new(batch)) else { return };
    let space = Arc::new(space);
    let options = Options { threads: 1, bytes: 32 << 20, seed: 1 };
    let portfolio = match METHODS.get(method) {
        None => Portfolio::new(&space, options),
        Some(entry) => match Portfolio::named(&space, options, &[entry.name.to_owned()]) {
            Ok(portfolio) => portfolio,
            Err(_) => return,
        },
    };
    // Each reading counts beside the time it took: neither short slices nor long ones go on for ever.
    let (readings, begin) = (AtomicU64::new(0), Instant::now());
    let clock: Clock =
        Arc::new(move || begin.elapsed() + Duration::from_millis(readings.fetch_add(1, Ordering::Relaxed)));
    portfolio.work(MOST_TIME, &clock, &AtomicBool::new(false));
    let board = portfolio.board();
    for found in board.history() {
        let plan: Vec<String> = found.plan.moves.iter().map(|&id| space.machine().move_text(id)).collect();
        match puzzle::replay(&reference, &reference.initial(), &plan) {
            Err(ReplayError::Rules(_)) => return,
            score => assert_eq!(score, Ok(found.plan.score), "{}: {plan:?}\n{text}", found.method),
        }
    }
    let Some(all) = explore(space.machine(), MOST_STATES) else { return skip("too many states") };
    let Some(best) = all.best else { return skip("no end") };
    let (ceiling, score) = (board.ceiling().0, board.score().map(|score| score.0));
    assert!(
        ceiling >= best,
        "no more than {ceiling}, says {:?}, but {best} is possible\n{text}",
        board.proof()
    );
    assert!(score.is_none_or(|score| score <= best), "{score:?} of {best}\n{text}");
});
