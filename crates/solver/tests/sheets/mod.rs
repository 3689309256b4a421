//! Rule sheets of small games.
#![allow(dead_code)] // Each user takes a part.

use std::fmt::Write;

use game::Dice;

/// A game on a graph drawn by lot: in each place one role chooses where to go, and some places are ends.
pub(crate) fn drawn(seed: u64, comes_back: bool, roles: usize) -> String {
    let mut dice = Dice::new(seed);
    let places = 6 + dice.below(20);
    let mut text = String::new();
    for role in 0..roles {
        writeln!(text, "(role r{role}) (<= (legal r{role} rest) (true (at ?p)) (not (turn ?p r{role})))")
            .expect("text");
        writeln!(text, "(<= (legal r{role} (go ?q)) (true (at ?p)) (turn ?p r{role}) (way ?p ?q))")
            .expect("text");
        writeln!(text, "(<= (next (at ?q)) (does r{role} (go ?q)))").expect("text");
    }
    writeln!(text, "(init (at 0)) (<= terminal (true (at ?p)) (end ?p))").expect("text");
    for place in 0..places {
        let last = place + 1 == places;
        if last || (place > 2 && dice.below(3) == 0) {
            writeln!(text, "(end {place})").expect("text");
            for role in 0..roles {
                let goal = [0, 0, 30, 60, 100][dice.below(5)];
                writeln!(text, "(<= (goal r{role} {goal}) (true (at {place})))").expect("text");
            }
            continue;
        }
        writeln!(text, "(turn {place} r{})", dice.below(roles)).expect("text");
        for _ in 0..1 + dice.below(3) {
            let to = if comes_back { dice.below(places) } else { place + 1 + dice.below(places - place - 1) };
            writeln!(text, "(way {place} {to})").expect("text");
        }
    }
    text
}

/// Two race to a mark, and either may go back to where it began.
pub(crate) const BACK_AND_FORTH: &str = "(role x) (role o) (init (x 0)) (init (o 0)) (init (control x))
    (after 0 1) (after 1 2) (after 2 3) (after 3 4)
    (<= (legal ?r forward) (true (control ?r))) (<= (legal ?r back) (true (control ?r)))
    (<= (legal ?r push) (true (control ?r)))
    (<= (legal ?r wait) (role ?r) (not (true (control ?r))))
    (<= (next (control o)) (true (control x))) (<= (next (control x)) (true (control o)))
    (<= (next (x ?b)) (true (x ?a)) (does x forward) (after ?a ?b))
    (<= (next (o ?b)) (true (o ?a)) (does o forward) (after ?a ?b))
    (<= (next (x 0)) (does x back)) (<= (next (o 0)) (does o back))
    (<= (next (x 1)) (does o push)) (<= (next (o 1)) (does x push))
    (<= (next (x ?a)) (true (x ?a)) (does o forward)) (<= (next (x ?a)) (true (x ?a)) (does o back))
    (<= (next (o ?a)) (true (o ?a)) (does x forward)) (<= (next (o ?a)) (true (o ?a)) (does x back))
    (<= (next (x ?a)) (true (x ?a)) (does x push)) (<= (next (o ?a)) (true (o ?a)) (does o push))
    (<= terminal (true (x 4))) (<= terminal (true (o 4)))
    (<= (goal x 100) (true (x 4))) (<= (goal o 100) (true (o 4)))
    (<= (goal x 0) (true (o 4))) (<= (goal o 0) (true (x 4)))";
