//! What moves do in each part.

use rustc_hash::FxHashMap;

use super::MOST_WORK;
use super::operands::{Operands, Say};
use super::split::{Sets, Split};
use crate::{Circuit, Edge, Gate, GateId, Gates};

/// An action is what becomes of the facts of a part, and what it asks of them.
type ActionKey = (Vec<Edge>, Vec<Edge>);

/// How what a role does in the parts makes up its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Composition {
    /// In every step something is done in each part, whatever is done in the others.
    Parallel,
    /// In every step something is done in one part, and the others are left to themselves.
    Serial,
    /// Otherwise: what is done in one part restricts what can be done in another.
    Mixed,
}

/// Something that a role can do in a part. Moves that do the same there are one action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Action {
    /// One of the moves, by its number among the role's.
    pub example: u32,
}

/// Moves that are possible at the same times, as far as what runs by itself decides: the role's turn, for instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveGroup {
    /// Its moves, each with its action in every part.
    pub moves: Vec<(u32, Vec<u32>)>,
    /// Where only one part is acted in, the action of each part that leaves it to itself.
    pub idle: Option<Vec<u32>>,
}

/// The moves of one role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoleActions {
    /// The loosest composition of its groups.
    pub composition: Composition,
    /// For each part what can be done there.
    pub actions: Vec<Vec<Action>>,
    /// Moves by when they are possible.
    pub groups: Vec<MoveGroup>,
}

/// What the moves of every role do in the parts; `None` if that would take too long.
pub(super) fn actions(circuit: &Circuit, split: &Split, says: &[Say]) -> Option<Vec<RoleActions>> {
    let moves: usize = circuit.roles.iter().map(|role| role.moves.len()).sum();
    // Only the gates below a next fact are looked at for each move.
    let own = split.facts.iter().flatten().map(|&fact| circuit.next[fact as usize]);
    let cone = circuit.gates.cone(own);
    if cone.len().saturating_mul(moves) > MOST_WORK {
        return None;
    }
    let mut effects =
        Effects { circuit, cone, gates: Gates::new(), images: vec![Edge::FALSE; circuit.gates.len()] };
    Some((0..circuit.roles.len()).map(|role| effects.of_role(role, split, says)).collect())
}

struct Effects<'a> {
    circuit: &'a Circuit,
    /// The gates that decide about facts of parts, in order.
    cone: Vec<GateId>,
    /// Copies of them for single moves: equal ones are one gate.
    gates: Gates,
    images: Vec<Edge>,
}

impl Effects<'_> {
    fn image(&self, edge: Edge) -> Edge {
        let image = self.images[edge.gate().0 as usize];
        if edge.is_inverted() { !image } else { image }
    }

    /// Copies the gates for the case that a role makes a move.
    fn assume(&mut self, role: u16, number: u32) {
        for &id in &self.cone {
            let image = match self.circuit.gates.get(id) {
                Gate::False => Edge::FALSE,
                Gate::Base(fact) => self.gates.base(fact),
                Gate::Does(other, done) if other == role => {
                    if done == number {
                        Edge::TRUE
                    } else {
                        Edge::FALSE
                    }
                }
                Gate::Does(other, done) => self.gates.does(other, done),
                Gate::And(left, right) => {
                    let (left, right) = (self.image(left), self.image(right));
                    self.gates.and(left, right)
                }
                Gate::Xor(left, right) => {
                    let (left, right) = (self.image(left), self.image(right));
                    self.gates.xor(left, right)
                }
            };
            self.images[id.0 as usize] = image;
        }
    }

    fn of_role(&mut self, role: usize, split: &Split, says: &[Say]) -> RoleActions {
        let circuit = self.circuit;
        let parts = split.facts.len();
        let mut known: Vec<FxHashMap<ActionKey, u32>> = vec![FxHashMap::default(); parts];
        let mut actions: Vec<Vec<Action>> = vec![Vec::new(); parts];
        let mut groups: FxHashMap<Vec<Edge>, MoveGroup> = FxHashMap::default();
        let mut order: Vec<Vec<Edge>> = Vec::new();
        for (number, &legal) in (0..).zip(&circuit.roles[role].legal) {
            self.assume(role as u16, number);
            let conditions = Operands::conditions(circuit, legal);
            let mut when: Vec<Edge> = Vec::new();
            let mut asks: Vec<Vec<Edge>> = vec![Vec::new(); parts];
            for edge in conditions {
                match says[edge.gate().0 as usize] {
                    Say::Part(part) => asks[part as usize].push(edge),
                    // Conditions belong to one part, or the parts would be one.
                    Say::Nobody | Say::Several => when.push(edge),
                }
            }
            let mut done = Vec::with_capacity(parts);
            for (part, asks) in asks.into_iter().enumerate() {
                let effect = split.facts[part].iter().map(|&fact| self.image(circuit.next[fact as usize]));
                let fresh = actions[part].len() as u32;
                let action = *known[part].entry((effect.collect(), asks)).or_insert(fresh);
                if action == fresh {
                    actions[part].push(Action { example: number });
                }
                done.push(action);
            }
            let group = groups.entry(when.clone()).or_insert_with(|| {
                order.push(when);
                MoveGroup { moves: Vec::new(), idle: None }
            });
            group.moves.push((number, done));
        }
        let groups: Vec<MoveGroup> = order.iter().filter_map(|when| groups.remove(when)).collect();
        RoleActions::judged(actions, groups)
    }
}

impl RoleActions {
    fn judged(actions: Vec<Vec<Action>>, mut groups: Vec<MoveGroup>) -> Self {
        let composition = groups.iter_mut().map(|group| judge(group, actions.len())).max();
        Self { composition: composition.unwrap_or(Composition::Parallel), actions, groups }
    }

    /// The same moves with parts taken together: `part` has the new part of each.
    fn merged(self, part: &[usize]) -> Self {
        let count = part.iter().max().map_or(0, |last| last + 1);
        let mut known: Vec<FxHashMap<Vec<u32>, u32>> = vec![FxHashMap::default(); count];
        let mut actions: Vec<Vec<Action>> = vec![Vec::new(); count];
        let mut groups = self.groups;
        for (id, done) in groups.iter_mut().flat_map(|group| &mut group.moves) {
            let mut together: Vec<Vec<u32>> = vec![Vec::new(); count];
            done.iter().zip(part).for_each(|(&action, &part)| together[part].push(action));
            *done = Vec::with_capacity(count);
            for (part, together) in together.into_iter().enumerate() {
                let fresh = actions[part].len() as u32;
                let action = *known[part].entry(together).or_insert(fresh);
                if action == fresh {
                    actions[part].push(Action { example: *id });
                }
                done.push(action);
            }
        }
        groups.iter_mut().for_each(|group| group.idle = None);
        Self::judged(actions, groups)
    }
}

/// Takes together parts that moves do not leave independent of each other, until what is left is played in parallel, in
/// series, or cannot be told apart by two parts at a time.
pub(super) fn settle(mut split: Split, mut roles: Vec<RoleActions>) -> (Split, Vec<RoleActions>) {
    loop {
        let is_mixed = roles.iter().any(|role| role.composition == Composition::Mixed);
        let parts = split.facts.len();
        if !is_mixed || parts < 2 {
            return (split, roles);
        }
        let moves: usize = roles.iter().flat_map(|role| &role.groups).map(|group| group.moves.len()).sum();
        let mut sets = Sets((0..parts as u32).collect());
        let is_much = parts.saturating_mul(parts).saturating_mul(moves) > MOST_WORK;
        for group in roles.iter().flat_map(|role| &role.groups) {
            for one in 0..parts {
                for other in one + 1..parts {
                    if is_much || !are_independent(group, one, other) {
                        sets.join(one as u32, other as u32);
                    }
                }
            }
        }
        let mut numbers: FxHashMap<u32, usize> = FxHashMap::default();
        let mut part = Vec::with_capacity(parts);
        for old in 0..parts as u32 {
            let fresh = numbers.len();
            part.push(*numbers.entry(sets.root(old)).or_insert(fresh));
        }
        if numbers.len() == parts {
            return (split, roles);
        }
        split = split.merged(&part);
        roles = roles.into_iter().map(|role| role.merged(&part)).collect();
    }
}

/// Whether every action in one part goes with every action in another.
fn are_independent(group: &MoveGroup, one: usize, other: usize) -> bool {
    let different = |key: &dyn Fn(&Vec<u32>) -> (u32, u32)| {
        let mut all: Vec<(u32, u32)> = group.moves.iter().map(|(_, done)| key(done)).collect();
        all.sort_unstable();
        all.dedup();
        all.len()
    };
    let alone = different(&|done| (done[one], 0)) * different(&|done| (done[other], 0));
    different(&|done| (done[one], done[other])) == alone
}

/// How the moves of a group are put together.
fn judge(group: &mut MoveGroup, parts: usize) -> Composition {
    let different = |part: usize| {
        let mut actions: Vec<u32> = group.moves.iter().map(|(_, done)| done[part]).collect();
        actions.sort_unstable();
        actions.dedup();
        actions.len()
    };
    let product = (0..parts).map(different).fold(1usize, usize::saturating_mul);
    let mut joint: Vec<&Vec<u32>> = group.moves.iter().map(|(_, done)| done).collect();
    joint.sort_unstable();
    joint.dedup();
    if joint.len() == product {
        return Composition::Parallel;
    }
    // What is done in a part most often, to leave it alone.
    let most_often = |part: usize| {
        let mut counts: FxHashMap<u32, usize> = FxHashMap::default();
        group.moves.iter().for_each(|(_, done)| *counts.entry(done[part]).or_default() += 1);
        counts
            .into_iter()
            .max_by_key(|&(action, count)| (count, std::cmp::Reverse(action)))
            .map_or(0, |(action, _)| action)
    };
    let idle: Vec<u32> = (0..parts).map(most_often).collect();
    let in_one = |done: &Vec<u32>| done.iter().zip(&idle).filter(|(one, idle)| one != idle).count() <= 1;
    // Of two moves in two parts either may be taken for leaving the others alone: the actions decide nothing then.
    if group.moves.iter().all(|(_, done)| in_one(done)) {
        group.idle = Some(idle);
        return Composition::Serial;
    }
    Composition::Mixed
}
