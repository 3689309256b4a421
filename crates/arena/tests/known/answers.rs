//! The files of positions are right, as far as the solver can tell again in a test's time.

use game::{Describe, Game};

use crate::position::{files, goals, machine, replay};
use crate::solver::Solver;

/// Positions that need more work than this were solved when they were found.
const WORK: u64 = 20_000;

#[test]
fn every_answer_is_found_again() {
    let (mut all, mut solved) = (0, 0);
    for file in files() {
        let bundled = bundled::find(&file.game).expect("a bundled game");
        let machine = machine(&gdl::normal::read(bundled.rules));
        for (number, position) in file.positions.iter().enumerate() {
            all += 1;
            let state = replay(&machine, &position.moves);
            if position.work > WORK {
                continue;
            }
            let mut solver = Solver::new(&machine, &goals(&machine), WORK);
            let solution =
                solver.solve(&state).unwrap_or_else(|why| panic!("{} {number}: {why:?}", file.game));
            let right: Vec<String> = solution.right.iter().map(|&id| machine.move_text(id)).collect();
            let role = &machine.roles()[solution.role.0 as usize];
            let found = (role, solution.value, solution.legal, &right);
            let told = (&position.role, position.value, position.legal, &position.right);
            assert_eq!(found, told, "{} {number}", file.game);
            solved += 1;
        }
    }
    assert!(all >= 40 && solved >= 30, "{all} positions, {solved} solved");
}

#[test]
fn tic_tac_toe_is_a_draw() {
    let machine = machine(&gdl::normal::read(bundled::find("tic-tac-toe").expect("bundled").rules));
    let solution = Solver::new(&machine, &goals(&machine), 100_000).solve(&machine.initial());
    let solution = solution.expect("solved");
    assert_eq!((solution.value, solution.right.len()), (50, 9));
}

#[test]
fn small_connect_four_is_a_draw() {
    let rules = gdl::normal::read(bundled::find("connect-four-small").expect("bundled").rules);
    let machine = machine(&rules);
    // A board of 20 cells.
    let mut solver = Solver::new(&machine, &goals(&machine), 2_000_000).at_depth(20);
    let solution = solver.solve(&machine.initial()).expect("solved");
    let right: Vec<String> = solution.right.iter().map(|&id| machine.move_text(id)).collect();
    assert_eq!(
        (solution.value, right),
        (50, ["(drop 2)", "(drop 3)", "(drop 4)"].map(String::from).to_vec())
    );
}
