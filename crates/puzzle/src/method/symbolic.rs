//! Breadth first with sets of states as decision diagrams (as in Kissmann and Edelkamp's Gamer): a
//! whole layer is one diagram, and a move turns it into the next. States are never listed, so that
//! layers may have any number of them as long as their diagrams are small.

use std::sync::Arc;
use std::time::Duration;

use circuit::{Circuit, Edge, Gate, GateId};
use game::{Goal, MoveId};
use oxidd::bcdd::{BCDDFunction, BCDDManagerRef, new_manager};
use oxidd::error::OutOfMemory;
use oxidd::util::OptBool;
use oxidd::{BooleanFunction, BooleanFunctionQuant, FunctionSubst, Manager, ManagerRef, Subst, VarNo};

use super::{Method, Progress};
use crate::{Search, Space};

const NAME: &str = "decision diagrams";
/// Games with more facts or more work (gates times moves) are not turned into diagrams.
const MOST_FACTS: usize = 1_000;
const MOST_WORK: usize = 4_000_000;
/// With more nodes a single operation takes too long.
const MOST_NODES: usize = 1 << 20;
/// Bytes of a node with its share of the tables beside it, about.
const NODE_BYTES: usize = 64;

/// Breadth-first search with decision diagrams.
pub struct Symbolic {
    space: Arc<Space>,
    most_nodes: usize,
    world: Option<World>,
    /// Sets of states: all that are so many moves away and not fewer.
    layers: Vec<BCDDFunction>,
    /// All states met.
    known: Option<BCDDFunction>,
    /// The moves that were made from the last layer, and where they led.
    moved: usize,
    next: Option<BCDDFunction>,
}

/// The rules as diagrams.
struct World {
    manager: BCDDManagerRef,
    /// The facts that matter; the variable of one is twice its place, and one more after a move.
    facts: Vec<u32>,
    /// The places of those that run by themselves.
    running: Vec<VarNo>,
    moves: Vec<Move>,
    /// For each goal, from the highest down, the last states that have it.
    ends: Vec<(Goal, BCDDFunction)>,
}

/// A move: where it can be made, and what it does.
struct Move {
    number: u32,
    possible: BCDDFunction,
    /// The places of the facts that may change, each with what makes it true and with the condition
    /// that it is so after the move.
    changes: Vec<(VarNo, BCDDFunction, BCDDFunction)>,
    /// The facts before the move that may change or run by themselves, to be forgotten.
    forgotten: BCDDFunction,
    /// What is after the move becomes what is before the next one.
    renamed: Subst<BCDDFunction>,
}

impl std::fmt::Debug for Symbolic {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Symbolic").field("layers", &self.layers.len()).finish_non_exhaustive()
    }
}

impl Symbolic {
    /// A search that takes at most so many bytes, about; `None` if the game is too large for it.
    pub fn new(space: Arc<Space>, most_bytes: usize) -> Option<Self> {
        let circuit = space.circuit();
        let fits = circuit.bases.len() <= MOST_FACTS
            && circuit.gates.len().saturating_mul(circuit.roles[0].moves.len()) <= MOST_WORK;
        let most_nodes = (most_bytes / NODE_BYTES).min(MOST_NODES);
        let (world, layers, known, next) = (None, Vec::new(), None, None);
        fits.then(|| Self { most_nodes, world, layers, known, moved: 0, next, space })
    }

    /// One move from the last layer, or the end of the layer. `Ok(Ended)` if nothing is left.
    fn step(&mut self, until: Duration, search: &Search<'_>) -> Result<Progress, OutOfMemory> {
        if self.world.is_none() {
            let world = World::new(&self.space, self.most_nodes)?;
            let start = self.space.start();
            let first = world.cube(world.facts.iter().map(|&fact| Some(start.get(fact as usize))))?;
            (self.layers, self.known) = (vec![first.clone()], Some(first));
            self.world = Some(world);
            self.look(search)?;
        }
        let (Some(world), Some(layer), Some(known)) = (&self.world, self.layers.last(), &self.known) else {
            return Ok(Progress::Ended);
        };
        if let Some(step) = world.moves.get(self.moved) {
            let Some(after) = step.image(layer, &|| search.is_over(until))? else {
                return Ok(Progress::Working);
            };
            self.moved += 1;
            self.next = Some(match &self.next {
                Some(next) => next.or(&after)?,
                None => after,
            });
            return Ok(Progress::Working);
        }
        self.moved = 0;
        let fresh = match self.next.take() {
            Some(next) => known.imp_strict(&next.and(&world.clock(&self.space, self.layers.len())?)?)?,
            None => return Ok(Progress::Ended),
        };
        if !fresh.satisfiable() {
            search.exhausted(NAME);
            return Ok(Progress::Ended);
        }
        self.known = Some(known.or(&fresh)?);
        self.layers.push(fresh);
        self.look(search)?;
        Ok(Progress::Working)
    }

    /// Looks for ends in the last layer.
    fn look(&self, search: &Search<'_>) -> Result<(), OutOfMemory> {
        let (Some(world), Some(layer)) = (&self.world, self.layers.last()) else { return Ok(()) };
        for (goal, ends) in &world.ends {
            let reached = layer.and(ends)?;
            if search.board.is_better(*goal) && reached.satisfiable() {
                let line = self.line(world, &reached)?;
                // What is told is what the plan scores when it is played.
                let score = crate::replay::score(&**self.space.machine(), self.space.start(), &line);
                score.into_iter().for_each(|score| search.offer(NAME, score, || line.clone()));
            }
        }
        Ok(())
    }

    /// The moves that lead to one of some states of the last layer, found from there back.
    fn line(&self, world: &World, reached: &BCDDFunction) -> Result<Vec<MoveId>, OutOfMemory> {
        let mut line = Vec::new();
        let mut state = world.pick(reached);
        for layer in self.layers.iter().rev().skip(1) {
            for step in &world.moves {
                let mut before = layer.and(&step.possible)?;
                // What does not change was as it is; the layer knows what runs by itself.
                let mut kept: Vec<Option<bool>> = state.iter().copied().map(Some).collect();
                world.running.iter().for_each(|&place| kept[place as usize] = None);
                for (place, next, _) in &step.changes {
                    kept[*place as usize] = None;
                    let wanted = state[*place as usize];
                    before = if wanted { before.and(next)? } else { next.imp_strict(&before)? };
                }
                before = before.and(&world.cube(kept.into_iter())?)?;
                if before.satisfiable() {
                    line.push(MoveId(step.number));
                    state = world.pick(&before);
                    break;
                }
            }
        }
        line.reverse();
        Ok(line)
    }
}

impl World {
    fn new(space: &Space, most_nodes: usize) -> Result<Self, OutOfMemory> {
        let circuit = space.circuit();
        let relevant = circuit.relevant();
        let facts: Vec<u32> =
            (0..circuit.bases.len() as u32).filter(|&fact| relevant[fact as usize]).collect();
        let count = facts.len() as VarNo;
        let runs = |&place: &VarNo| {
            let fact = facts[place as usize] as usize;
            space.core()[fact / 64] >> (fact % 64) & 1 == 0
        };
        let running: Vec<VarNo> = (0..count).filter(runs).collect();
        let manager = new_manager(most_nodes, most_nodes / 4, 1);
        // A fact before a move and after it are next to each other.
        manager.with_manager_exclusive(|manager| manager.add_vars(count * 2));
        let variable =
            |number: VarNo| manager.with_manager_shared(|manager| BCDDFunction::var(manager, number));
        let before = (0..count).map(|place| variable(place * 2)).collect::<Result<Vec<_>, _>>()?;
        let after = (0..count).map(|place| variable(place * 2 + 1)).collect::<Result<Vec<_>, _>>()?;
        let (no, yes) =
            manager.with_manager_shared(|manager| (BCDDFunction::f(manager), BCDDFunction::t(manager)));
        let role = &circuit.roles[0];
        let mut gates = Gates::new(circuit, no.clone());
        let inputs =
            |number: u32| facts.binary_search(&number).map_or(no.clone(), |place| before[place].clone());
        gates.evaluate(circuit, &inputs, None, &yes)?;
        let terminal = gates.read(circuit.terminal)?;
        let mut ends = Vec::new();
        for goal in role.goals.iter().rev() {
            ends.push((Goal(goal.value), gates.read(goal.edge)?.and(&terminal)?));
        }
        let legal = role.legal.iter().map(|&edge| gates.read(edge)).collect::<Result<Vec<_>, _>>()?;
        let mut moves = Vec::new();
        for (number, legal) in (0u32..).zip(legal) {
            let possible = terminal.imp_strict(&legal)?;
            if !possible.satisfiable() {
                continue;
            }
            gates.evaluate(circuit, &inputs, Some(number), &yes)?;
            let (mut changes, mut forgotten) = (Vec::new(), yes.clone());
            let (mut old, mut new) = (Vec::new(), Vec::new());
            for (place, &fact) in (0..count).zip(&facts) {
                let here = &before[place as usize];
                let next = gates.read(circuit.next[fact as usize])?;
                if running.binary_search(&place).is_ok() {
                    forgotten = forgotten.and(here)?;
                } else if next != *here {
                    forgotten = forgotten.and(here)?;
                    new.push(place * 2 + 1);
                    old.push(here.clone());
                    let condition = after[place as usize].equiv(&next)?;
                    changes.push((place, next, condition));
                }
            }
            moves.push(Move { number, possible, changes, forgotten, renamed: Subst::new(new, old) });
        }
        Ok(Self { manager, facts, running, moves, ends })
    }

    /// What runs by itself, after so many moves.
    fn clock(&self, space: &Space, depth: usize) -> Result<BCDDFunction, OutOfMemory> {
        let clock = space.clock(depth);
        let mut values = vec![None; self.facts.len()];
        for &place in &self.running {
            let fact = self.facts[place as usize] as usize;
            values[place as usize] = Some(clock[fact / 64] >> (fact % 64) & 1 != 0);
        }
        self.cube(values.into_iter())
    }

    /// The states in which some facts are as they are given.
    fn cube(
        &self,
        values: impl DoubleEndedIterator<Item = Option<bool>> + ExactSizeIterator,
    ) -> Result<BCDDFunction, OutOfMemory> {
        self.manager.with_manager_shared(|manager| {
            let mut cube = BCDDFunction::t(manager);
            for (place, value) in values.enumerate().rev() {
                let Some(value) = value else { continue };
                let variable = BCDDFunction::var(manager, place as VarNo * 2)?;
                cube = if value { variable.and(&cube)? } else { variable.imp_strict(&cube)? };
            }
            Ok(cube)
        })
    }

    /// One state of a set, by the places of its facts.
    fn pick(&self, set: &BCDDFunction) -> Vec<bool> {
        let cube = set.pick_cube(|_, _, _| false).unwrap_or_default();
        (0..self.facts.len()).map(|place| cube.get(place * 2) == Some(&OptBool::True)).collect()
    }
}

impl Move {
    /// The states that the move leads to from some states, without what runs by itself; `None` if
    /// there was no time.
    fn image(
        &self,
        states: &BCDDFunction,
        is_over: &dyn Fn() -> bool,
    ) -> Result<Option<BCDDFunction>, OutOfMemory> {
        let mut steps = states.and(&self.possible)?;
        for (_, _, condition) in &self.changes {
            if is_over() {
                return Ok(None);
            }
            steps = steps.and(condition)?;
        }
        Ok(Some(steps.exists(&self.forgotten)?.substitute(&self.renamed)?))
    }
}

/// The gates of a circuit as diagrams.
struct Gates {
    values: Vec<BCDDFunction>,
    /// Whether each gate depends on the move made.
    moved: Vec<bool>,
}

impl Gates {
    fn new(circuit: &Circuit, no: BCDDFunction) -> Self {
        let mut moved = vec![false; circuit.gates.len()];
        for (GateId(index), gate) in circuit.gates.iter() {
            moved[index as usize] = match gate {
                Gate::Does(..) => true,
                Gate::And(left, right) | Gate::Xor(left, right) => {
                    moved[left.gate().0 as usize] || moved[right.gate().0 as usize]
                }
                Gate::False | Gate::Base(_) => false,
            };
        }
        Self { values: vec![no; circuit.gates.len()], moved }
    }

    /// Gives every gate its value for a move; without one, those that depend on no move.
    fn evaluate(
        &mut self,
        circuit: &Circuit,
        fact: &dyn Fn(u32) -> BCDDFunction,
        made: Option<u32>,
        yes: &BCDDFunction,
    ) -> Result<(), OutOfMemory> {
        for (GateId(index), gate) in circuit.gates.iter() {
            if self.moved[index as usize] != made.is_some() {
                continue;
            }
            self.values[index as usize] = match gate {
                Gate::False => yes.not()?,
                Gate::Base(number) => fact(number),
                Gate::Does(_, number) if Some(number) == made => yes.clone(),
                Gate::Does(..) => yes.not()?,
                Gate::And(left, right) => self.read(left)?.and(&self.read(right)?)?,
                Gate::Xor(left, right) => self.read(left)?.xor(&self.read(right)?)?,
            };
        }
        Ok(())
    }

    fn read(&self, edge: Edge) -> Result<BCDDFunction, OutOfMemory> {
        let value = &self.values[edge.gate().0 as usize];
        if edge.is_inverted() { value.not() } else { Ok(value.clone()) }
    }
}

impl Method for Symbolic {
    fn name(&self) -> &'static str {
        NAME
    }

    fn work(&mut self, until: Duration, search: &Search<'_>) -> Progress {
        while !search.is_over(until) {
            // Without memory for more nodes it gives up, and gives back what it has.
            if self.step(until, search) != Ok(Progress::Working) {
                (self.layers, self.known, self.next) = (Vec::new(), None, None);
                self.world = None;
                return Progress::Ended;
            }
        }
        Progress::Working
    }

    fn bytes(&self) -> usize {
        let nodes = |world: &World| world.manager.with_manager_shared(|manager| manager.num_inner_nodes());
        self.world.as_ref().map_or(0, |world| nodes(world) * NODE_BYTES)
    }
}
