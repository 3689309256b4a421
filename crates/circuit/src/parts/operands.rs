//! An edge as a conjunction or disjunction of others.

use crate::{Circuit, Edge, Gate, RoleMoves};

/// How what is asked of the parts is taken together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    /// No part has a say: it is decided by what runs by itself, or never.
    None,
    /// It is a matter of one part.
    One,
    /// All parts that have a say have to agree.
    All,
    /// One part that has a say is enough.
    Any,
    /// In another way.
    Mixed,
}

/// What an edge is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Operands {
    /// Whether all are wanted, or any.
    pub(super) all: bool,
    pub(super) edges: Vec<Edge>,
}

/// Edges with more operands than this are not taken apart: they are their own and only operand.
const MOST_OPERANDS: usize = 20_000;

impl Operands {
    /// The operands of an edge: as far as one and the same operation goes.
    pub(super) fn of(circuit: &Circuit, root: Edge) -> Self {
        let is_and = matches!(circuit.gates.get(root.gate()), Gate::And(..));
        let all = !(is_and && root.is_inverted());
        let mut seen = rustc_hash::FxHashSet::default();
        let (mut open, mut edges) = (vec![root], Vec::new());
        while let Some(edge) = open.pop() {
            if !seen.insert(edge) {
                continue;
            }
            if seen.len() > MOST_OPERANDS {
                return Self { all: true, edges: vec![root] };
            }
            match circuit.gates.get(edge.gate()) {
                Gate::And(left, right) if edge.is_inverted() != all => {
                    open.extend(if all { [left, right] } else { [!left, !right] });
                }
                _ => edges.push(edge),
            }
        }
        edges.sort_unstable();
        Self { all, edges }
    }

    /// The conditions of an edge, all of which have to hold.
    pub(super) fn conditions(circuit: &Circuit, edge: Edge) -> Vec<Edge> {
        let operands = Self::of(circuit, edge);
        if operands.all { operands.edges } else { vec![edge] }
    }

    /// The alternatives of all conditions of an edge: a conjunction of disjunctions of these, what no part has a say in set
    /// aside.
    pub(super) fn alternatives(circuit: &Circuit, edge: Edge, has_say: &dyn Fn(Edge) -> bool) -> Vec<Edge> {
        let operands = Self::of_parts(circuit, edge, has_say);
        if !operands.all {
            return operands.edges;
        }
        let alternatives = |edge| {
            let operands = Self::of(circuit, edge);
            if operands.all { vec![edge] } else { operands.edges }
        };
        operands.edges.into_iter().flat_map(alternatives).collect()
    }

    /// The operands of an edge, those that do not depend on facts of any part set aside. Where one is left, it is looked into
    /// in turn.
    pub(super) fn of_parts(circuit: &Circuit, edge: Edge, has_say: &dyn Fn(Edge) -> bool) -> Self {
        let mut operands = Self::of(circuit, edge);
        loop {
            operands.edges.retain(|&edge| has_say(edge));
            let &[one] = &operands.edges[..] else { return operands };
            let deeper = Self::of(circuit, one);
            if deeper.edges == [one] || deeper.edges.is_empty() {
                return operands;
            }
            operands = deeper;
        }
    }
}

/// Which parts a gate depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Say {
    /// None.
    Nobody,
    /// One.
    Part(u32),
    /// Several.
    Several,
}

impl Say {
    pub(super) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Say::Nobody, say) | (say, Say::Nobody) => say,
            (one, two) if one == two => one,
            _ => Say::Several,
        }
    }
}

/// Which parts each gate depends on.
pub(super) fn says(circuit: &Circuit, part_of: &[Option<u32>]) -> Vec<Say> {
    let mut says: Vec<Say> = Vec::with_capacity(circuit.gates.len());
    for (_, gate) in circuit.gates.iter() {
        says.push(match gate {
            Gate::False | Gate::Does(..) => Say::Nobody,
            Gate::Base(fact) => part_of[fact as usize].map_or(Say::Nobody, Say::Part),
            Gate::And(left, right) | Gate::Xor(left, right) => {
                says[left.gate().0 as usize].and(says[right.gate().0 as usize])
            }
        });
    }
    says
}

/// How an edge takes the parts together.
pub(super) fn link(circuit: &Circuit, edge: Edge, says: &[Say]) -> Link {
    let say = |edge: Edge| says[edge.gate().0 as usize];
    let operands = Operands::of_parts(circuit, edge, &|edge| say(edge) != Say::Nobody);
    let together = operands.edges.iter().fold(Say::Nobody, |together, &edge| together.and(say(edge)));
    match together {
        Say::Nobody => Link::None,
        Say::Part(_) => Link::One,
        Say::Several if operands.edges.iter().any(|&edge| say(edge) == Say::Several) => Link::Mixed,
        Say::Several if operands.all => Link::All,
        Say::Several => Link::Any,
    }
}

/// The edge of a role's highest goal.
pub(super) fn highest_goal(role: &RoleMoves) -> Option<Edge> {
    role.goals
        .iter()
        .filter(|goal| goal.edge != Edge::FALSE)
        .max_by_key(|goal| goal.value)
        .map(|goal| goal.edge)
}

/// How a role's highest goal takes the parts together.
pub(super) fn goal_link(circuit: &Circuit, role: &RoleMoves, says: &[Say]) -> Link {
    highest_goal(role).map_or(Link::None, |edge| link(circuit, edge, says))
}
