//! The trap of Figure 2 of Finnsson and Björnsson (2008), in breakthrough: a move that wins against all replies
//! but one.

mod support;

use std::sync::Arc;

use game::{Describe, RoleId};
use machine::batch::BatchMachine;
use search::mcts::Search;
use search::mcts::policy::Policies;
use search::{Backup, Budget, Parameters};

/// A far advanced black pawn on b4 that may go to b3. There only the pawn on a2 can take it; whatever else White
/// does, it takes that pawn and is through.
const POSITION: [&str; 21] = [
    "(control black)",
    "(cell b 4 black)",
    "(cell a 7 black)",
    "(cell c 7 black)",
    "(cell d 8 black)",
    "(cell e 7 black)",
    "(cell f 8 black)",
    "(cell g 7 black)",
    "(cell h 7 black)",
    "(cell e 8 black)",
    "(cell a 1 white)",
    "(cell c 1 white)",
    "(cell a 2 white)",
    "(cell d 2 white)",
    "(cell e 2 white)",
    "(cell f 2 white)",
    "(cell g 2 white)",
    "(cell h 2 white)",
    "(cell f 1 white)",
    "(cell g 1 white)",
    "(cell h 1 white)",
];

const TRAP: &str = "(move b 4 b 3)";

const BLACK: RoleId = RoleId(1);

/// After how many simulations the move into the trap is not thought best any more, and stays so.
fn simulations_until_seen(game: &Arc<BatchMachine>, policy: &str, seed: u64) -> u64 {
    const MOST: u64 = 6_000;
    const EACH: u64 = 100;
    let state = game.state_of(&POSITION).expect("a position");
    let parameters = Parameters {
        backup: Backup::Path,
        prove: false,
        transpositions: false,
        batch: 16,
        fill: false,
        policy: Policies::standard().choice(policy).expect("a policy"),
        ..Parameters::default()
    };
    let mut search = Search::new(Arc::clone(game), state, parameters, seed);
    let mut seen = 0;
    for done in (EACH..=MOST).step_by(EACH as usize) {
        search.run(&Budget::simulations(EACH)).expect("it can be searched");
        let best = search.advice(BLACK).expect("there are moves").best().id;
        if game.move_text(best) == TRAP {
            seen = done;
        }
    }
    seen
}

#[test]
fn guided_playouts_see_the_trap_sooner() {
    let game = Arc::new(BatchMachine::new(support::circuit("breakthrough")));
    let all = |policy: &str| -> Vec<u64> {
        (1..=6).map(|seed| simulations_until_seen(&game, policy, seed)).collect()
    };
    let (plain, guided) = (all("uniform"), all("mast"));
    let sum = |all: &[u64]| all.iter().sum::<u64>();
    println!("plain {plain:?}, guided {guided:?}");
    // It is a trap: without guidance it looks best for a while.
    assert!(sum(&plain) > 2_000, "{plain:?}");
    assert!(2 * sum(&guided) < sum(&plain), "guided {guided:?}, plain {plain:?}");
}
