//! Forward: the states that can be reached, layer after layer.

use circuit::Edge;
use diagrams::{Rules, Set, Step, Trouble};
use game::{RoleId, RuleFault};
use machine::circuit::CircuitState;
use rustc_hash::FxHashMap;

use super::Stop;
use crate::{Limits, SolverError};

/// All states that can be reached.
pub(super) struct Reach {
    /// What was reached first after so many moves.
    pub(super) layers: Vec<Set>,
    /// All of them.
    pub(super) all: Set,
    /// Those in which the game is over.
    pub(super) over: Set,
    /// Whether a state was met after different numbers of moves.
    pub(super) is_mixed: bool,
    /// The joint moves that are legal somewhere.
    pub(super) steps: Vec<Step>,
}

/// The states of a layer in which joint moves begin with some moves are legal.
struct Search<'a> {
    rules: &'a mut Rules,
    is_over: &'a dyn Fn() -> bool,
    legal: &'a [Vec<Set>],
    /// The number of each joint move that was legal somewhere.
    known: &'a mut FxHashMap<Box<[u32]>, usize>,
    steps: &'a mut Vec<Step>,
    next: Set,
}

impl Reach {
    /// The initial state alone.
    pub(super) fn new(rules: &Rules, initial: &CircuitState) -> Result<Self, Trouble> {
        let row: Vec<Option<bool>> =
            rules.facts().iter().map(|&fact| Some(initial.get(fact as usize))).collect();
        let (all, over) = (rules.cube(row.into_iter())?, rules.nothing().clone());
        Ok(Self { layers: Vec::new(), all, over, is_mixed: false, steps: Vec::new() })
    }

    /// All that can be reached. When that fails it has what was met so far.
    pub(super) fn explore(
        &mut self,
        rules: &mut Rules,
        limits: &Limits<'_>,
        tell: &dyn Fn(usize, &Rules),
    ) -> Result<(), Stop> {
        let terminal = rules.circuit().terminal;
        let edges: Vec<Vec<Edge>> = rules.circuit().roles.iter().map(|role| role.legal.clone()).collect();
        let mut legal = Vec::new();
        for edges in &edges {
            let sets = edges.iter().map(|&edge| rules.edge(edge, limits.is_over));
            legal.push(sets.collect::<Result<Vec<Set>, Trouble>>()?);
        }
        let mut known = FxHashMap::default();
        let mut layer = self.all.clone();
        while !layer.is_empty() {
            let over = rules.within(&layer, terminal, limits.is_over)?;
            let open = layer.without(&over)?;
            self.over = self.over.or(&over)?;
            self.layers.push(layer);
            tell(self.layers.len(), rules);
            for (role, sets) in (0..).map(RoleId).zip(&legal) {
                let mut stuck = open.clone();
                for set in sets {
                    stuck = stuck.without(set)?;
                }
                if !stuck.is_empty() {
                    return Err(Stop::Fault(SolverError::Fault(RuleFault::NoLegalMove(role))));
                }
            }
            let (is_over, next) = (limits.is_over, rules.nothing().clone());
            let steps = &mut self.steps;
            let mut search = Search { rules, is_over, legal: &legal, known: &mut known, steps, next };
            search.advance(&open, &mut Vec::new())?;
            let next = search.next;
            layer = next.without(&self.all)?;
            self.is_mixed |= layer != next;
            self.all = self.all.or(&layer)?;
        }
        Ok(())
    }
}

impl Search<'_> {
    /// Adds what is behind some states in which some roles have chosen.
    fn advance(&mut self, states: &Set, chosen: &mut Vec<u32>) -> Result<(), Trouble> {
        let Some(moves) = self.legal.get(chosen.len()) else {
            let number = match self.known.get(&chosen[..]) {
                Some(&number) => number,
                None => {
                    self.steps.push(self.rules.step(chosen, self.is_over)?);
                    self.known.insert(chosen[..].into(), self.steps.len() - 1);
                    self.steps.len() - 1
                }
            };
            let image = self.steps[number].image(states, self.is_over)?;
            self.next = self.next.or(&image)?;
            self.rules.tidy();
            return Ok(());
        };
        for (number, legal) in (0..).zip(moves) {
            if (self.is_over)() {
                return Err(Trouble::OutOfTime);
            }
            let rest = states.and(legal)?;
            if !rest.is_empty() {
                chosen.push(number);
                self.advance(&rest, chosen)?;
                chosen.pop();
            }
        }
        Ok(())
    }
}
