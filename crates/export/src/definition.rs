//! What holds when: a circuit as a list of rules without variables, in an order in which each needs only those before it.

use circuit::{Circuit, Edge, Gate, GateId};

/// What is defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Head {
    /// A gate, which has no name of its own.
    Gate(u32),
    /// A role's move is legal.
    Legal(usize, usize),
    /// The game is over.
    Terminal,
    /// A role has a goal value.
    Goal(usize, u8),
    /// A fact is true in the next state.
    Next(usize),
    /// A role is told something.
    Sees(usize, usize),
}

/// What a definition reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Atom {
    /// A gate that was defined before.
    Gate(u32),
    /// A fact of the state.
    Base(usize),
    /// A role does a move.
    Does(usize, usize),
}

/// An atom, or that it does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Literal {
    pub(crate) atom: Atom,
    pub(crate) holds: bool,
}

/// A head holds where all literals of one of its bodies do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Definition {
    pub(crate) head: Head,
    pub(crate) bodies: Vec<Vec<Literal>>,
}

/// All definitions of a circuit. Heads that never hold have no body.
pub(crate) fn definitions(circuit: &Circuit) -> Vec<Definition> {
    let mut outputs: Vec<(Head, Edge)> = Vec::new();
    for (role, moves) in circuit.roles.iter().enumerate() {
        outputs.extend(moves.legal.iter().enumerate().map(|(id, &edge)| (Head::Legal(role, id), edge)));
    }
    outputs.push((Head::Terminal, circuit.terminal));
    for (role, moves) in circuit.roles.iter().enumerate() {
        outputs.extend(moves.goals.iter().map(|goal| (Head::Goal(role, goal.value), goal.edge)));
    }
    outputs.extend(circuit.next.iter().enumerate().map(|(fact, &edge)| (Head::Next(fact), edge)));
    for (role, moves) in circuit.roles.iter().enumerate() {
        let percepts = moves.percepts.iter().enumerate();
        outputs.extend(percepts.map(|(number, percept)| (Head::Sees(role, number), percept.edge)));
    }
    let cone = circuit.gates.cone(outputs.iter().map(|&(_, edge)| edge));
    // How often each gate is read: conjunctions that are read once need no name.
    let mut readers = vec![0u32; circuit.gates.len()];
    outputs.iter().for_each(|(_, edge)| readers[edge.gate().0 as usize] += 2);
    for &id in &cone {
        if let Gate::And(left, right) | Gate::Xor(left, right) = circuit.gates.get(id) {
            for edge in [left, right] {
                // Read as it is, in a conjunction, it is a part of that.
                let is_part = matches!(circuit.gates.get(id), Gate::And(..)) && !edge.is_inverted();
                readers[edge.gate().0 as usize] += if is_part { 1 } else { 2 };
            }
        }
    }
    let is_named = |id: GateId| match circuit.gates.get(id) {
        Gate::And(..) => readers[id.0 as usize] > 1,
        Gate::Xor(..) => true,
        _ => false,
    };
    let mut definitions = Vec::new();
    for &id in cone.iter().filter(|&&id| is_named(id)) {
        let bodies = match circuit.gates.get(id) {
            Gate::And(left, right) => vec![conjunction(circuit, &is_named, &[left, right])],
            Gate::Xor(left, right) => {
                vec![
                    vec![literal(circuit, left), literal(circuit, !right)],
                    vec![literal(circuit, !left), literal(circuit, right)],
                ]
            }
            _ => Vec::new(),
        };
        definitions.push(Definition { head: Head::Gate(id.0), bodies });
    }
    for (head, edge) in outputs {
        let bodies = match edge {
            Edge::TRUE => vec![Vec::new()],
            Edge::FALSE => Vec::new(),
            edge => vec![vec![literal(circuit, edge)]],
        };
        definitions.push(Definition { head, bodies });
    }
    definitions
}

/// The literals of a conjunction; parts without a name are taken apart.
fn conjunction(circuit: &Circuit, is_named: &dyn Fn(GateId) -> bool, edges: &[Edge]) -> Vec<Literal> {
    let (mut open, mut literals): (Vec<Edge>, Vec<Literal>) =
        (edges.iter().rev().copied().collect(), Vec::new());
    while let Some(edge) = open.pop() {
        match circuit.gates.get(edge.gate()) {
            Gate::And(left, right) if !edge.is_inverted() && !is_named(edge.gate()) => {
                open.extend([right, left])
            }
            _ => literals.push(literal(circuit, edge)),
        }
    }
    literals
}

fn literal(circuit: &Circuit, edge: Edge) -> Literal {
    let atom = match circuit.gates.get(edge.gate()) {
        Gate::Base(fact) => Atom::Base(fact as usize),
        Gate::Does(role, number) => Atom::Does(usize::from(role), number as usize),
        _ => Atom::Gate(edge.gate().0),
    };
    Literal { atom, holds: !edge.is_inverted() }
}
