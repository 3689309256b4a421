//! Breadth first with sets of states as decision diagrams (as in Kissmann and Edelkamp's Gamer): a
//! whole layer is one diagram, and a move turns it into the next. States are never listed, so that
//! layers may have any number of them as long as their diagrams are small.

use std::sync::Arc;
use std::time::Duration;

use diagrams::{Rules, Set, Step, Trouble};
use game::{Goal, MoveId};

use super::{Method, Progress};
use crate::{Search, Space};

const NAME: &str = "decision diagrams";
/// Games with more facts or more work (gates times moves) are not turned into diagrams.
const MOST_FACTS: usize = 1_000;
const MOST_WORK: usize = 4_000_000;
/// With more nodes a single operation takes too long.
const MOST_NODES: usize = 1 << 20;

/// Breadth-first search with decision diagrams.
pub struct Symbolic {
    space: Arc<Space>,
    most_nodes: usize,
    world: Option<World>,
    /// Sets of states: all that are so many moves away and not fewer, and in which the game goes on.
    layers: Vec<Set>,
    /// All states met.
    known: Option<Set>,
    /// The moves that were made from the last layer, and where they led.
    moved: usize,
    next: Option<Set>,
}

/// The rules as diagrams.
struct World {
    rules: Rules,
    /// The places of the facts that run by themselves.
    running: Vec<bool>,
    moves: Vec<Step>,
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
        let most_nodes = Rules::nodes_of(most_bytes).min(MOST_NODES);
        let (world, layers, known, next) = (None, Vec::new(), None, None);
        fits.then(|| Self { most_nodes, world, layers, known, moved: 0, next, space })
    }

    /// One move from the last layer, or the end of the layer. `Ok(Ended)` if nothing is left.
    fn step(&mut self, until: Duration, search: &Search<'_>) -> Result<Progress, Trouble> {
        let is_over = || search.is_over(until);
        if self.world.is_none() {
            let world = World::new(&self.space, self.most_nodes)?;
            let start = self.space.start();
            let facts = world.rules.facts().iter();
            let first = world.rules.cube(facts.map(|&fact| Some(start.get(fact as usize))))?;
            self.known = Some(first.clone());
            self.world = Some(world);
            self.enter(&first, search)?;
        }
        let (Some(world), Some(layer), Some(known)) = (&mut self.world, self.layers.last(), &self.known)
        else {
            return Ok(Progress::Ended);
        };
        if let Some(step) = world.moves.get(self.moved) {
            let after = match step.image(layer, &is_over) {
                Err(Trouble::OutOfTime) => return Ok(Progress::Working),
                after => after?,
            };
            self.moved += 1;
            self.next = Some(match &self.next {
                Some(next) => next.or(&after)?,
                None => after,
            });
            world.rules.tidy();
            return Ok(Progress::Working);
        }
        self.moved = 0;
        let fresh = match self.next.take() {
            Some(next) => next.and(&world.clock(&self.space, self.layers.len())?)?.without(known)?,
            None => return Ok(Progress::Ended),
        };
        if fresh.is_empty() {
            search.exhausted(NAME);
            return Ok(Progress::Ended);
        }
        self.known = Some(known.or(&fresh)?);
        self.enter(&fresh, search)?;
        Ok(Progress::Working)
    }

    /// Looks for ends in a new layer, and goes on with the rest of it.
    fn enter(&mut self, layer: &Set, search: &Search<'_>) -> Result<(), Trouble> {
        let Some(world) = &mut self.world else { return Ok(()) };
        let circuit = self.space.circuit();
        let never = || false;
        let over = world.rules.within(layer, circuit.terminal, &never)?;
        for goal in circuit.roles[0].goals.iter().rev() {
            if !search.board.is_better(Goal(goal.value)) {
                continue;
            }
            let reached = world.rules.within(&over, goal.edge, &never)?;
            if !reached.is_empty() {
                let line = world.line(&self.layers, &reached)?;
                // What is told is what the plan scores when it is played.
                let score = crate::replay::score(&**self.space.machine(), self.space.start(), &line);
                score.into_iter().for_each(|score| search.offer(NAME, score, || line.clone()));
            }
        }
        self.layers.push(layer.without(&over)?);
        Ok(())
    }
}

impl World {
    fn new(space: &Space, most_nodes: usize) -> Result<Self, Trouble> {
        let circuit = space.circuit();
        let relevant = circuit.relevant();
        let facts: Vec<u32> =
            (0..circuit.bases.len() as u32).filter(|&fact| relevant[fact as usize]).collect();
        let runs = |fact: u32| space.core()[fact as usize / 64] >> (fact % 64) & 1 == 0;
        let running = facts.iter().map(|&fact| runs(fact)).collect();
        let mut rules = Rules::new(Arc::clone(circuit), facts, runs, most_nodes)?;
        let mut moves = Vec::new();
        for number in 0..circuit.roles[0].moves.len() as u32 {
            let step = rules.step(&[number], &|| false)?;
            if !step.possible.is_empty() {
                moves.push(step);
            }
        }
        Ok(Self { rules, running, moves })
    }

    /// What runs by itself, after so many moves.
    fn clock(&self, space: &Space, depth: usize) -> Result<Set, Trouble> {
        let clock = space.clock(depth);
        let value =
            |(&fact, &runs): (&u32, &bool)| runs.then(|| clock[fact as usize / 64] >> (fact % 64) & 1 != 0);
        self.rules.cube(self.rules.facts().iter().zip(&self.running).map(value))
    }

    /// The moves through some layers that lead to one of some states, found from there back.
    fn line(&self, layers: &[Set], reached: &Set) -> Result<Vec<MoveId>, Trouble> {
        let mut line = Vec::new();
        let mut state = self.rules.pick(reached);
        for layer in layers.iter().rev() {
            // The layer knows what runs by itself.
            let kept = state.iter().zip(&self.running).map(|(&fact, &runs)| (!runs).then_some(fact));
            let here = self.rules.cube(kept)?;
            for step in &self.moves {
                let before = layer.and(&step.possible)?.and(&step.origin(&here)?)?;
                if !before.is_empty() {
                    line.push(MoveId(step.joint[0]));
                    state = self.rules.pick(&before);
                    break;
                }
            }
        }
        line.reverse();
        Ok(line)
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
        self.world.as_ref().map_or(0, |world| world.rules.bytes())
    }
}
