//! Figure 2 of Finnsson and Björnsson (2008): in breakthrough, Black's b4-b3 looks best as almost every
//! reply loses, but a2xb3 refutes it. An agent that trusts playouts falls for it; ours does not.

use game::{Describe, Game};

use crate::agent::Seat;
use crate::begin::{beginning, board};
use crate::position::{goals, machine};
use crate::solver::Solver;

/// Positions of that shape: Black to move, and the moves that win.
const POSITIONS: [([&str; 8], &[&str]); 4] = [
    (
        ["........", "....b...", "........", "..w.....", ".b......", "..w.....", "w.......", "..w....."],
        &["(move b 4 c 3)"],
    ),
    (
        ["........", "........", "........", "...w..b.", ".b......", "..w.....", "w.......", "........"],
        &["(move b 4 a 3)", "(move b 4 c 3)"],
    ),
    (
        ["........", "........", ".......b", "w....b..", ".b......", "..w.....", "w.......", "........"],
        &["(move b 4 a 3)", "(move b 4 c 3)"],
    ),
    (
        ["........", "........", "........", "...wb...", ".b......", "..w.....", "w.......", "........"],
        &["(move b 4 a 3)", "(move b 4 c 3)"],
    ),
];

const TEMPTING: &str = "(move b 4 b 3)";
const REFUTATION: &str = "(move a 2 b 3)";

fn facts(rows: &[&str; 8]) -> Vec<String> {
    let piece = |letter: char| match letter {
        'w' => Some("white"),
        'b' => Some("black"),
        _ => None,
    };
    let mut facts = board(rows, piece);
    facts.push("(control black)".to_owned());
    facts
}

#[test]
fn one_reply_refutes_what_looks_best() {
    let machine = machine(&gdl::normal::read(bundled::find("breakthrough").expect("bundled").rules));
    let texts = |ids: &[game::MoveId]| ids.iter().map(|&id| machine.move_text(id)).collect::<Vec<_>>();
    for (rows, right) in POSITIONS {
        let facts = facts(&rows);
        let facts: Vec<&str> = facts.iter().map(String::as_str).collect();
        let state = machine.state_of(&facts).expect("a state of breakthrough");
        let mut solver = Solver::new(&machine, &goals(&machine), 100_000);
        let solution = solver.solve(&state).expect("solved");
        assert_eq!(
            (solution.value, texts(&solution.right)),
            (100, right.iter().map(|text| (*text).to_owned()).collect())
        );
        let roles = machine.role_ids();
        let joint: Option<Vec<_>> =
            roles.zip(["noop", TEMPTING]).map(|(role, text)| machine.find_move(role, text)).collect();
        let mut workspace = machine.workspace();
        let next = machine.apply(&mut workspace, &state, &joint.expect("known moves")).expect("no fault");
        let reply = solver.solve(&next).expect("solved");
        assert_eq!((reply.value, texts(&reply.right)), (100, vec![REFUTATION.to_owned()]), "{rows:#?}");
        assert!(reply.legal > 5, "most replies lose: {rows:#?}");
    }
}

#[test]
fn playouts_mislead_and_proofs_do_not() {
    for (rows, right) in POSITIONS {
        let text = beginning(bundled::find("breakthrough").expect("bundled").rules, &facts(&rows));
        let seat = Seat::new(gdl::normal::read(&text));
        assert_eq!(seat.decide("mc", 1, &[], 10_000).text, TEMPTING, "{rows:#?}");
        let decision = seat.decide("ludens", 1, &[], 20_000);
        assert!(right.contains(&decision.text.as_str()), "{} in {rows:#?}", decision.text);
        assert!(decision.proven, "{rows:#?}");
    }
}
