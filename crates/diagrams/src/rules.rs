//! The rules of a game as diagrams.

use std::sync::Arc;

use circuit::{Circuit, Edge};
use oxidd::bcdd::{BCDDFunction, BCDDManagerRef, new_manager};
use oxidd::util::OptBool;
use oxidd::{BooleanFunction, Manager, ManagerRef, Subst, VarNo};

use crate::gates::Gates;
use crate::{Set, Step, Trouble, count};

/// Bytes of a node with its share of the tables beside it, about.
const NODE_BYTES: usize = 64;
/// There is room for so many results that may be asked for again, for each so many nodes.
const NODES_A_RESULT: usize = 4;

/// The rules of a game as diagrams.
pub struct Rules {
    circuit: Arc<Circuit>,
    manager: BCDDManagerRef,
    most_nodes: usize,
    /// Nodes that are not needed any more are dropped when there are so many.
    patience: usize,
    /// The facts that matter; the variable of one is twice its place here, and one more after a move.
    facts: Vec<u32>,
    /// For each of them whether it is left out of what moves do, as it runs by itself.
    running: Vec<bool>,
    /// What is after a move, as what is before the next one.
    after: Vec<Set>,
    before: Vec<Set>,
    gates: Gates,
    yes: Set,
    no: Set,
}

impl std::fmt::Debug for Rules {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Rules").field("facts", &self.facts.len()).finish_non_exhaustive()
    }
}

impl Rules {
    /// How many nodes fit into so many bytes, about.
    pub fn nodes_of(bytes: usize) -> usize {
        bytes / NODE_BYTES
    }

    /// The rules over some facts, in this order. What the others are must not matter, and where a fact runs by itself
    /// whoever asks keeps account of it.
    pub fn new(
        circuit: Arc<Circuit>,
        facts: Vec<u32>,
        running: impl Fn(u32) -> bool,
        most_nodes: usize,
    ) -> Result<Self, Trouble> {
        let count = facts.len() as VarNo;
        let manager = new_manager(most_nodes, most_nodes / NODES_A_RESULT, 1);
        // A fact before a move and after it are next to each other.
        manager.with_manager_exclusive(|manager| manager.add_vars(count * 2));
        let variable = |number: VarNo| {
            let made = manager.with_manager_shared(|manager| BCDDFunction::var(manager, number));
            made.map(Set).map_err(Trouble::from)
        };
        let before = (0..count).map(|place| variable(place * 2)).collect::<Result<Vec<_>, _>>()?;
        let after = (0..count).map(|place| variable(place * 2 + 1)).collect::<Result<Vec<_>, _>>()?;
        let (no, yes) =
            manager.with_manager_shared(|manager| (BCDDFunction::f(manager), BCDDFunction::t(manager)));
        let (no, yes) = (Set(no), Set(yes));
        let mut by_number = vec![no.clone(); circuit.bases.len()];
        for (&fact, set) in facts.iter().zip(&before) {
            by_number[fact as usize] = set.clone();
        }
        let running = facts.iter().map(|&fact| running(fact)).collect();
        let gates = Gates::new(Arc::clone(&circuit), by_number, yes.clone(), no.clone());
        let patience = most_nodes / 2;
        Ok(Self { circuit, manager, most_nodes, patience, facts, running, after, before, gates, yes, no })
    }

    /// The rules as gates.
    pub fn circuit(&self) -> &Circuit {
        &self.circuit
    }

    /// The facts that matter, in the order of the variables.
    pub fn facts(&self) -> &[u32] {
        &self.facts
    }

    /// No states.
    pub fn nothing(&self) -> &Set {
        &self.no
    }

    /// All states, possible or not.
    pub fn everything(&self) -> &Set {
        &self.yes
    }

    /// The states in which an edge is true that depends on no move.
    pub fn edge(&mut self, edge: Edge, is_over: &dyn Fn() -> bool) -> Result<Set, Trouble> {
        self.gates.edge(edge, is_over)
    }

    /// The states of a set in which an edge is true that depends on no move.
    pub fn within(&mut self, set: &Set, edge: Edge, is_over: &dyn Fn() -> bool) -> Result<Set, Trouble> {
        self.gates.within(set, edge, is_over)
    }

    /// A joint move: for each role the number of its move.
    pub fn step(&mut self, joint: &[u32], is_over: &dyn Fn() -> bool) -> Result<Step, Trouble> {
        let circuit = Arc::clone(&self.circuit);
        let mut possible = self.yes.clone();
        for (role, &number) in circuit.roles.iter().zip(joint) {
            let legal = role.legal.get(number as usize).copied().unwrap_or(Edge::FALSE);
            possible = possible.and(&self.edge(legal, is_over)?)?;
        }
        let own = |place: &usize| !self.running[*place];
        let places: Vec<usize> = (0..self.facts.len()).filter(own).collect();
        let edges: Vec<Edge> = places.iter().map(|&place| circuit.next[self.facts[place] as usize]).collect();
        let after = self.gates.edges_after(&edges, joint, is_over)?;
        let (mut becomes, mut renamed) = ((Vec::new(), Vec::new()), (Vec::new(), Vec::new()));
        let (mut conditions, mut forgotten, mut fixed) = (Vec::new(), self.yes.clone(), self.yes.clone());
        // From the last variable on, as sets of single states grow upwards.
        let mut changes = places.iter().zip(&after).rev().peekable();
        for place in (0..self.facts.len()).rev() {
            let here = &self.before[place];
            if self.running[place] {
                forgotten = here.and(&forgotten)?;
                continue;
            }
            let Some((_, next)) = changes.next_if(|(changed, _)| **changed == place) else { continue };
            if next == here || possible.and(&next.differing(here)?)?.is_empty() {
                continue;
            }
            if is_over() {
                return Err(Trouble::OutOfTime);
            }
            forgotten = here.and(&forgotten)?;
            let number = place as VarNo * 2;
            if possible.without(next)?.is_empty() {
                fixed = here.and(&fixed)?;
                becomes.1.push(self.yes.0.clone());
            } else if possible.and(next)?.is_empty() {
                fixed = fixed.without(here)?;
                becomes.1.push(self.no.0.clone());
            } else {
                let is_so = self.after[place].differing(next)?.inverted()?;
                conditions.push(is_so);
                renamed.0.push(number + 1);
                renamed.1.push(here.0.clone());
                becomes.1.push(next.0.clone());
            }
            becomes.0.push(number);
        }
        let subst = |(variables, by): (Vec<VarNo>, Vec<BCDDFunction>)| {
            (!variables.is_empty()).then(|| Subst::new(variables, by))
        };
        let (renamed, becomes) = (subst(renamed), subst(becomes));
        Ok(Step { joint: joint.into(), possible, conditions, forgotten, renamed, fixed, becomes })
    }

    /// The states in which some facts are as they are given, by their places.
    pub fn cube(
        &self,
        values: impl DoubleEndedIterator<Item = Option<bool>> + ExactSizeIterator,
    ) -> Result<Set, Trouble> {
        let mut cube = self.yes.clone();
        for (value, here) in values.zip(&self.before).rev() {
            match value {
                Some(true) => cube = here.and(&cube)?,
                Some(false) => cube = cube.without(here)?,
                None => {}
            }
        }
        Ok(cube)
    }

    /// One state of a set, by the places of its facts.
    pub fn pick(&self, set: &Set) -> Vec<bool> {
        let cube = set.0.pick_cube(|_, _, _| false).unwrap_or_default();
        (0..self.facts.len()).map(|place| cube.get(place * 2) == Some(&OptBool::True)).collect()
    }

    /// How many states a set has; `None` if they are more than 2^128.
    pub fn count(&self, set: &Set) -> Option<u128> {
        count::count(&set.0, self.facts.len() as VarNo)
    }

    /// Nodes of all diagrams, needed or not.
    pub fn nodes(&self) -> usize {
        self.manager.with_manager_shared(|manager| manager.num_inner_nodes())
    }

    /// Bytes in use, about.
    pub fn bytes(&self) -> usize {
        self.nodes() * NODE_BYTES
    }

    /// Drops nodes that nobody needs, if there are many. To be called between two operations: in the middle of one there is no
    /// room to be made.
    pub fn tidy(&mut self) {
        self.manager.with_manager_shared(|manager| {
            if manager.approx_num_inner_nodes() > self.patience {
                manager.gc();
                // What was worked out is forgotten as well, so it has to be worth it.
                self.patience = (manager.num_inner_nodes() + self.most_nodes) / 2;
            }
        });
    }
}
