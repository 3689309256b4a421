//! Small games, each with something that board games lack.

use std::sync::Arc;

use ::circuit::{Circuit, Edge};

use super::Sketch;

/// Nim: two roles in turn, take any number from one heap; whoever takes the last wins.
pub(crate) fn nim(heaps: &[usize]) -> Arc<Circuit> {
    let mut bases = vec!["(turn first)".to_owned()];
    let mut moves = vec!["noop".to_owned()];
    for (heap, &size) in heaps.iter().enumerate() {
        bases.extend((0..=size).map(|left| format!("(heap {heap} {left})")));
        moves.extend((1..=size).map(|taken| format!("(take {heap} {taken})")));
    }
    let mut sketch = Sketch::new(bases, &[("first", moves.clone()), ("second", moves)]);
    let first_turn = sketch.base("(turn first)");
    let turns = [first_turn, !first_turn];
    sketch.set_initial("(turn first)");
    sketch.set_next("(turn first)", !first_turn);
    let mut empty = Vec::new();
    for (heap, &size) in heaps.iter().enumerate() {
        sketch.set_initial(&format!("(heap {heap} {size})"));
        empty.push(sketch.base(&format!("(heap {heap} 0)")));
        let mut next = vec![Vec::new(); size + 1];
        let mut touched = Edge::FALSE;
        for taken in 1..=size {
            let name = format!("(take {heap} {taken})");
            let does = [sketch.does(0, &name), sketch.does(1, &name)];
            let taken_here = sketch.any(&does);
            touched = sketch.gates.or(touched, taken_here);
            let enough: Vec<Edge> =
                (taken..=size).map(|left| sketch.base(&format!("(heap {heap} {left})"))).collect();
            let legal = sketch.any(&enough);
            for (role, &turn) in turns.iter().enumerate() {
                let legal = sketch.gates.and(legal, turn);
                sketch.set_legal(role, &name, legal);
            }
            for left in taken..=size {
                let before = sketch.base(&format!("(heap {heap} {left})"));
                next[left - taken].push(sketch.gates.and(before, taken_here));
            }
        }
        for (left, mut causes) in next.into_iter().enumerate() {
            let before = sketch.base(&format!("(heap {heap} {left})"));
            causes.push(sketch.gates.and(before, !touched));
            let edge = sketch.any(&causes);
            sketch.set_next(&format!("(heap {heap} {left})"), edge);
        }
    }
    let over = sketch.all(&empty);
    sketch.set_terminal(over);
    for role in 0..2 {
        sketch.set_legal(role, "noop", !turns[role]);
        // The one to move at an empty table has lost.
        sketch.set_goal(role, 100, !turns[role]);
        sketch.set_goal(role, 0, turns[role]);
    }
    sketch.finish()
}

/// Three roles guess at once; a round in which all agree ends the game, so does the fifth round.
/// The goals are at times missing and at times several.
pub(crate) fn guessing() -> Arc<Circuit> {
    let moves: Vec<String> = ["paper", "rock", "scissors", "well", "zebra"].map(str::to_owned).to_vec();
    let mut bases: Vec<String> = (0..=5).map(|round| format!("(round {round})")).collect();
    bases.extend(["agreed".to_owned(), "lucky".to_owned()]);
    let roles = ["ann", "bob", "cleo"].map(|name| (name, moves.clone()));
    let mut sketch = Sketch::new(bases, &roles);
    sketch.set_initial("(round 0)");
    let agreed = sketch.base("agreed");
    let lucky = sketch.base("lucky");
    let mut same = Vec::new();
    for (index, name) in moves.iter().enumerate() {
        let does: Vec<Edge> = (0..3).map(|role| sketch.does(role, name)).collect();
        same.push(sketch.all(&does));
        for role in 0..3 {
            // The later roles have fewer moves, and zebra only when lucky.
            let legal = if index == 4 {
                lucky
            } else if index < 4 - role {
                Edge::TRUE
            } else {
                Edge::FALSE
            };
            sketch.set_legal(role, name, legal);
        }
    }
    let all_same = sketch.any(&same);
    sketch.set_next("agreed", all_same);
    let rock = sketch.does(0, "rock");
    sketch.set_next("lucky", rock);
    for round in 1..=5 {
        let before = sketch.base(&format!("(round {})", round - 1));
        sketch.set_next(&format!("(round {round})"), before);
    }
    let last = sketch.base("(round 5)");
    let over = sketch.gates.or(agreed, last);
    sketch.set_terminal(over);
    sketch.set_goal(0, 100, agreed);
    sketch.set_goal(0, 30, lucky);
    sketch.set_goal(1, 0, agreed);
    sketch.set_goal(1, 50, last);
    let tie = sketch.gates.and(last, !agreed);
    sketch.set_goal(2, 70, tie);
    sketch.finish()
}

/// One role, 1 to 3 steps at a time towards the eleventh square: playouts of many lengths.
pub(crate) fn race() -> Arc<Circuit> {
    let bases = (0..=11).map(|square| format!("(at {square:02})")).collect();
    let moves: Vec<String> = (1..=3).map(|steps| format!("(go {steps})")).collect();
    let mut sketch = Sketch::new(bases, &[("runner", moves)]);
    sketch.set_initial("(at 00)");
    let mut next = vec![Vec::new(); 12];
    for steps in 1..=3 {
        let name = format!("(go {steps})");
        let does = sketch.does(0, &name);
        let mut legal = Vec::new();
        for square in 0..=11 - steps {
            let here = sketch.base(&format!("(at {square:02})"));
            legal.push(here);
            next[square + steps].push(sketch.gates.and(here, does));
        }
        let legal = sketch.any(&legal);
        sketch.set_legal(0, &name, legal);
    }
    for (square, causes) in next.into_iter().enumerate() {
        let edge = sketch.any(&causes);
        sketch.set_next(&format!("(at {square:02})"), edge);
    }
    let end = sketch.base("(at 11)");
    sketch.set_terminal(end);
    sketch.set_goal(0, 100, end);
    sketch.finish()
}

/// A single role with a single move that counts to four.
pub(crate) fn one_move() -> Arc<Circuit> {
    let bases = vec!["(bit 0)".to_owned(), "(bit 1)".to_owned(), "(bit 2)".to_owned()];
    let mut sketch = Sketch::new(bases, &[("clock", vec!["tick".to_owned()])]);
    let bits: Vec<Edge> = (0..3).map(|bit| sketch.base(&format!("(bit {bit})"))).collect();
    sketch.set_legal(0, "tick", Edge::TRUE);
    sketch.set_next("(bit 0)", !bits[0]);
    let second = sketch.gates.xor(bits[0], bits[1]);
    sketch.set_next("(bit 1)", second);
    let carry = sketch.gates.and(bits[0], bits[1]);
    let third = sketch.gates.or(bits[2], carry);
    sketch.set_next("(bit 2)", third);
    sketch.set_terminal(bits[2]);
    sketch.set_goal(0, 40, bits[2]);
    sketch.finish()
}

/// One step with `count` moves; every `gap`-th is not legal. What was done is remembered in
/// binary, so that the choices can be counted.
pub(crate) fn wide(count: usize, gap: usize) -> Arc<Circuit> {
    let bits = count.next_power_of_two().trailing_zeros();
    let mut bases: Vec<String> = (0..bits).map(|bit| format!("(bit {bit:02})")).collect();
    bases.push("done".to_owned());
    let moves: Vec<String> = (0..count).map(|number| format!("(pick {number:05})")).collect();
    let mut sketch = Sketch::new(bases, &[("chooser", moves.clone())]);
    let done = sketch.base("done");
    let mut digits = vec![Vec::new(); bits as usize];
    for (number, name) in moves.iter().enumerate() {
        sketch.set_legal(0, name, if number % gap == gap - 1 { Edge::FALSE } else { !done });
        let does = sketch.does(0, name);
        digits
            .iter_mut()
            .enumerate()
            .filter(|(bit, _)| number >> bit & 1 != 0)
            .for_each(|(_, digit)| digit.push(does));
    }
    for (bit, digit) in digits.into_iter().enumerate() {
        let edge = sketch.any(&digit);
        sketch.set_next(&format!("(bit {bit:02})"), edge);
    }
    sketch.set_next("done", Edge::TRUE);
    sketch.set_terminal(done);
    sketch.set_goal(0, 100, done);
    sketch.finish()
}

/// A faulty game: after some steps a role has no move although the game goes on.
pub(crate) fn stuck() -> Arc<Circuit> {
    let bases = vec!["one".to_owned(), "two".to_owned()];
    let moves = vec!["a".to_owned(), "b".to_owned()];
    let mut sketch = Sketch::new(bases, &[("first", moves.clone()), ("second", moves)]);
    let (one, two) = (sketch.base("one"), sketch.base("two"));
    for name in ["a", "b"] {
        sketch.set_legal(0, name, Edge::TRUE);
        sketch.set_legal(1, name, !two);
    }
    sketch.set_next("one", Edge::TRUE);
    sketch.set_next("two", one);
    sketch.finish()
}
