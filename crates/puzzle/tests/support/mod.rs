//! Small puzzles with known answers.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use game::{Describe, Game};
use machine::batch::BatchMachine;
use machine::circuit::CircuitMachine;
use machine::reference::Reference;
use puzzle::method::{Method, Progress};
use puzzle::{Board, Clock, Found, Search, Space};

/// A row of lamps: a press toggles a lamp and its neighbours. Solved when all are on, in at most
/// six presses.
#[allow(dead_code)] // Not all tests want it.
pub(crate) const LAMPS: &str = "(role you) (init (step 0)) (init (on 3))
    (next_to 1 2) (next_to 2 3) (next_to 3 4) (next_to 4 5) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
    (succ 4 5) (succ 5 6) (lamp 1) (lamp 2) (lamp 3) (lamp 4) (lamp 5)
    (<= (legal you (press ?n)) (lamp ?n))
    (<= (toggled ?n) (does you (press ?n)))
    (<= (toggled ?n) (does you (press ?m)) (next_to ?m ?n))
    (<= (toggled ?n) (does you (press ?m)) (next_to ?n ?m))
    (<= (next (on ?n)) (true (on ?n)) (not (toggled ?n)))
    (<= (next (on ?n)) (lamp ?n) (not (true (on ?n))) (toggled ?n))
    (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
    (<= solved (true (on 1)) (true (on 2)) (true (on 3)) (true (on 4)) (true (on 5)))
    (<= terminal solved) (<= terminal (true (step 6)))
    (<= (goal you 100) solved) (<= (goal you 0) (not solved))";

/// Walking along a line of five places; the game lasts exactly six steps and the score is what lies
/// where one stands at the end. The place worth 100 is too far away to be stood on at the end: it is
/// reached after odd numbers of steps only.
#[allow(dead_code)] // Not all tests want it.
pub(crate) const PARITY: &str = "(role you) (init (at 0)) (init (step 0))
    (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)
    (<= (legal you right) (true (at ?n)) (distinct ?n 4)) (<= (legal you left) (true (at ?n)) (distinct ?n 0))
    (<= (next (at ?n)) (true (at ?m)) (succ ?m ?n) (does you right))
    (<= (next (at ?n)) (true (at ?m)) (succ ?n ?m) (does you left))
    (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
    (<= terminal (true (step 6)))
    (<= (goal you 100) (true (at 3))) (<= (goal you 40) (true (at 4))) (<= (goal you 10) (true (at 2)))
    (<= (goal you 0) (true (at 0))) (<= (goal you 1) (true (at 1)))";

/// A bundled game's rules.
#[allow(dead_code)] // Not all tests want them.
pub(crate) fn bundled(name: &str) -> String {
    let path = format!("{}/../../games/{name}/rules.kif", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).expect("a bundled game")
}

fn rules(text: &str) -> gdl::normal::NormalRules {
    gdl::normal::read(text)
}

/// The game of some rules in lanes.
pub(crate) fn plain_space(text: &str) -> Space {
    let budget = ground::Budget::unlimited();
    let build = machine::build::circuit(&rules(text), circuit::Effort::Quick, &budget)
        .expect("small enough to be grounded");
    let batch = BatchMachine::new(Arc::new(CircuitMachine::new(build.circuit)));
    Space::new(Arc::new(batch)).expect("one player")
}

/// The game of some rules, in lanes and by the reference reasoner.
pub(crate) fn space(text: &str) -> (Arc<Space>, Reference) {
    let reference = Reference::new(&rules(text), Default::default()).expect("rules that can be played");
    (Arc::new(plain_space(text)), reference)
}

/// A clock that goes a millisecond ahead whenever it is read: tests do not depend on the machine.
pub(crate) fn clock() -> Clock {
    let time = std::sync::atomic::AtomicU64::new(0);
    Arc::new(move || Duration::from_millis(time.fetch_add(1, std::sync::atomic::Ordering::Relaxed)))
}

/// Lets one method work and says what is known then. Every plan is played by the reference.
#[allow(dead_code)] // Not all tests want it.
pub(crate) fn run(text: &str, method: impl FnOnce(Arc<Space>) -> Box<dyn Method>) -> (Option<Found>, bool) {
    let (space, reference) = space(text);
    let board = Board::new(space.ceiling());
    let mut method = method(Arc::clone(&space));
    let stop = AtomicBool::new(false);
    let search = Search { clock: clock(), stop: &stop, board: &board };
    for until in (1..).map(|slice| Duration::from_millis(slice * 20)) {
        let progress = method.work(until, &search);
        if progress == Progress::Ended || board.is_settled() || until > Duration::from_secs(20) {
            break;
        }
    }
    for found in board.history() {
        let plan: Vec<String> = found.plan.moves.iter().map(|&id| space.machine().move_text(id)).collect();
        let score = puzzle::replay(&reference, &reference.initial(), &plan);
        assert_eq!(score, Ok(found.plan.score), "{plan:?}");
    }
    (board.best(), board.is_settled())
}
