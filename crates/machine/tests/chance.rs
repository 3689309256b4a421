//! Who is chance, by the rules alone, on every machine.

use std::sync::Arc;

use circuit::{Circuit, Effort};
use game::{Game, RoleId};
use machine::batch::{BatchMachine, LaneGame};
use machine::circuit::CircuitMachine;
use machine::reference::Reference;

/// A coin is thrown, and someone guesses; `name` throws.
fn coin(name: &str) -> String {
    format!(
        "(role you) (role {name}) (role other) (init (left 2)) (succ 0 1) (succ 1 2) (side heads) (side tails)
         (<= (legal ?r (guess ?s)) (role ?r) (side ?s))
         (<= (next (left ?m)) (true (left ?n)) (succ ?m ?n))
         (<= (next (was ?r ?s)) (does ?r (guess ?s)))
         (<= terminal (true (left 0)))
         (<= (goal ?r 100) (role ?r) (true (was ?r heads))) (<= (goal ?r 0) (role ?r) (true (was ?r tails)))"
    )
}

/// What all machines of some rules agree on.
fn chance(text: &str) -> Option<RoleId> {
    let rules = gdl::normal::read(text);
    let reference = Reference::new(&rules, Default::default()).expect("playable");
    let build =
        machine::build::circuit(&rules, Effort::Thorough, &ground::Budget::unlimited()).expect("small");
    let printed = Circuit::parse(&build.circuit.print()).expect("it was printed");
    let one = Arc::new(CircuitMachine::new(build.circuit));
    let all = [
        one.chance(),
        CircuitMachine::new(Arc::new(printed)).chance(),
        LaneGame::new(BatchMachine::new(Arc::clone(&one))).chance(),
        BatchMachine::new(one).chance(),
    ];
    assert_eq!(all, [reference.chance(); 4]);
    reference.chance()
}

#[test]
fn chance_is_the_role_that_the_rules_call_so() {
    assert_eq!(chance(&coin("random")), Some(RoleId(1)));
    assert_eq!(chance(&coin("RANDOM")), Some(RoleId(1)));
    assert_eq!(chance(&coin("nature")), None);
}
