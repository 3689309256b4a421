//! Games too large for their state graph: the value of the beginning alone, depth first, with a table of what is known.
//!
//! A role plays against all others. Whether it can be sure of a goal is a question of yes and no: where it chooses one
//! move has to lead there, where another chooses all of them have to. Two or three such questions tell the value. Every
//! answer rests on ends of the game, and positions of the table are compared in full, so the value is exact.
//!
//! A position that leads to itself has no answer of this kind, and several roles that choose at once may have to mix
//! their moves; then the game is refused.

mod distance;
mod foresee;
mod inquiry;
mod play;
mod table;

use std::sync::Arc;

use game::{Expansion, Game, Goal, GoalReading, MoveId, Outlook, Prospect, RoleId, RuleFault};
pub use inquiry::Inquiry;
use machine::alike::{Key, Reduction};
use machine::circuit::{CircuitMachine, CircuitState, CircuitWorkspace};
use rustc_hash::FxHashSet;
use table::{Bounds, Table};

use crate::{Limits, SolverError};

/// Positions between two looks at the clock.
const PATIENCE: u64 = 1 << 6;
/// History is halved when a number becomes larger.
const MOST_HISTORY: i32 = 1 << 24;

/// The value of a game to one role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// What the role is sure of, whatever all others do.
    pub value: Goal,
    /// What all roles together get, if that was the same at all ends that were met. The answer rests on these ends alone:
    /// in a game of two roles the other one is sure of the rest, and of no more.
    pub sum: Option<u32>,
    /// Positions that were looked into.
    pub positions: u64,
}

/// Proves what one role is sure of.
#[derive(Debug)]
pub struct DepthFirst {
    machine: Arc<CircuitMachine>,
    role: RoleId,
    key: Key,
    table: Table,
    workspace: CircuitWorkspace,
    expansion: Expansion,
    goals: Vec<GoalReading>,
    /// The goals that the role can have, ascending.
    values: Vec<u8>,
    /// For each fact how often moves that made it true decided something before others did.
    history: Vec<i32>,
    /// The positions that lead to the one that is looked at.
    path: Vec<Position>,
    on_path: FxHashSet<u64>,
    /// Empty lists, to be used again.
    spare: Vec<Vec<Child>>,
    sum: Sum,
    positions: u64,
    row: Vec<u64>,
    /// Tells what can still be got, if that is asked for, and what it told.
    outlook: Option<Arc<dyn Outlook<CircuitState>>>,
    prospects: Vec<Prospect>,
    /// Positions that did not have to be looked into, as what can still be got there answered.
    foreseen: u64,
}

/// What roles get together at the ends that were met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sum {
    Unknown,
    Always(u32),
    Various,
}

/// A position that is looked into.
#[derive(Debug)]
struct Position {
    name: Name,
    state: CircuitState,
    known: Bounds,
    /// Whether the role chooses: it wants one yes, all others want one no.
    is_own: bool,
    /// Positions that have to be looked into, in this order.
    children: Vec<Child>,
    /// How many of them were looked into.
    done: usize,
    /// Positions that had been looked into before.
    begin: u64,
}

#[derive(Debug)]
struct Child {
    state: CircuitState,
    name: Name,
    known: Bounds,
    score: i64,
}

/// What is the same for all positions that need not be told apart, and its hash.
#[derive(Debug)]
struct Name {
    hash: u64,
    row: CircuitState,
}

impl DepthFirst {
    /// For a role, with a table of all bytes that are allowed.
    pub fn new(
        machine: &Arc<CircuitMachine>,
        role: RoleId,
        reduction: Reduction,
        limits: Limits<'_>,
    ) -> Result<Self, SolverError> {
        let circuit = machine.circuit();
        if circuit.has_percepts {
            return Err(SolverError::HiddenInformation);
        }
        if machine.chance().is_some() {
            return Err(SolverError::NotInTurn);
        }
        // What is asked is what one role is sure of, so roles stay as they are.
        let key = Key::new(circuit, Reduction { exchange: false, ..reduction }, limits.is_over);
        let words = machine.initial().words().len().max(1);
        let goals = circuit.roles.get(usize::from(role.0)).map_or(&[][..], |role| &role.goals);
        let mut values: Vec<u8> = goals.iter().map(|goal| goal.value).collect();
        // No goal counts 0.
        values.push(0);
        values.sort_unstable();
        values.dedup();
        Ok(Self {
            role,
            key,
            table: Table::new(words, limits.bytes),
            workspace: machine.workspace(),
            expansion: Expansion::new(),
            goals: Vec::new(),
            values,
            history: vec![0; words * 64],
            path: Vec::new(),
            on_path: FxHashSet::default(),
            spare: Vec::new(),
            sum: Sum::Unknown,
            positions: 0,
            row: vec![0; words],
            outlook: None,
            prospects: Vec::new(),
            foreseen: 0,
            machine: Arc::clone(machine),
        })
    }

    /// What the role is sure of in a state. Who is told that the time is over may ask again: what was found is known.
    pub fn solve(
        &mut self,
        state: &CircuitState,
        is_over: &dyn Fn() -> bool,
    ) -> Result<Verdict, SolverError> {
        let (mut low, mut high) = (0, self.values.len());
        // It is sure of the goal at `low`, and not of that at `high`.
        while high - low > 1 {
            let middle = low.midpoint(high);
            if self.is_sure(state, self.values[middle], is_over)? {
                low = middle;
            } else {
                high = middle;
            }
        }
        let sum = match self.sum {
            // What was foreseen rests on ends that were not met.
            Sum::Always(sum) if self.foreseen == 0 => Some(sum),
            Sum::Always(_) | Sum::Unknown | Sum::Various => None,
        };
        Ok(Verdict { value: Goal(self.values[low]), sum, positions: self.positions })
    }

    /// Positions that were looked into so far.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// Bytes of the table.
    pub fn bytes(&self) -> usize {
        self.table.bytes()
    }

    /// How many symmetries are made use of, the identity included.
    pub fn symmetries(&self) -> u64 {
        self.key.symmetries()
    }

    /// Whether the role is sure of a goal in a state.
    pub fn is_sure(
        &mut self,
        state: &CircuitState,
        goal: u8,
        is_over: &dyn Fn() -> bool,
    ) -> Result<bool, SolverError> {
        self.path.clear();
        self.on_path.clear();
        let name = self.name(state);
        let known = self.table.find(name.hash, name.row.words());
        let mut answer = known.is_at_least(goal);
        if answer.is_none() {
            answer = self.enter(state.clone(), name, known, goal, is_over)?;
        }
        loop {
            let Some(top) = self.path.last_mut() else { return Ok(answer.unwrap_or(false)) };
            answer = match answer {
                Some(answer) if answer == top.is_own => Some(self.leave(answer, goal)),
                _ if top.done == top.children.len() => {
                    let answer = !top.is_own;
                    Some(self.leave(answer, goal))
                }
                _ => {
                    let child = &mut top.children[top.done];
                    top.done += 1;
                    // It may have been met since it was listed.
                    let known = self.table.find(child.name.hash, child.name.row.words());
                    let state = child.state.clone();
                    let name = Name { hash: child.name.hash, row: child.name.row.clone() };
                    match known.is_at_least(goal) {
                        Some(answer) => Some(answer),
                        None => self.enter(state, name, known, goal, is_over)?,
                    }
                }
            };
        }
    }

    /// Looks into a position: the answer if it is known at once, or else it is the last of the path then.
    fn enter(
        &mut self,
        state: CircuitState,
        name: Name,
        known: Bounds,
        goal: u8,
        is_over: &dyn Fn() -> bool,
    ) -> Result<Option<bool>, SolverError> {
        if self.on_path.contains(&name.hash) {
            return Err(SolverError::ComesBack);
        }
        self.positions += 1;
        if self.positions.is_multiple_of(PATIENCE) && is_over() {
            return Err(SolverError::OutOfTime(self.positions as usize));
        }
        let Some(chooser) = self.chooser(&state)? else {
            let value = self.value(&state)?;
            return Ok(Some(value >= goal));
        };
        let is_own = chooser == self.role;
        let mut children = self.spare.pop().unwrap_or_default();
        let mut answer = self.list(&state, chooser, goal, &mut children)?;
        if answer.is_none() {
            children.retain_mut(|child| {
                child.known = self.table.find(child.name.hash, child.name.row.words());
                let found = child.known.is_at_least(goal);
                answer = answer.or(found.filter(|&found| found == is_own));
                found.is_none()
            });
        }
        if answer.is_none() && children.is_empty() {
            answer = Some(!is_own);
        }
        if let Some(answer) = answer {
            children.clear();
            self.spare.push(children);
            self.table.put(name.hash, name.row.words(), known.with(answer, goal), 1);
            return Ok(Some(answer));
        }
        children.sort_by_key(|child| std::cmp::Reverse(child.score));
        self.on_path.insert(name.hash);
        let begin = self.positions;
        self.path.push(Position { name, state, known, is_own, children, done: 0, begin });
        Ok(None)
    }

    /// Lists where the moves of a role lead, without ends of the game; the answer if one of those decides.
    fn list(
        &mut self,
        state: &CircuitState,
        chooser: RoleId,
        goal: u8,
        children: &mut Vec<Child>,
    ) -> Result<Option<bool>, SolverError> {
        let is_own = chooser == self.role;
        for joint in joints(&self.expansion, chooser) {
            let next = self.machine.apply(&mut self.workspace, state, &joint)?;
            if self.machine.is_terminal(&mut self.workspace, &next) {
                let answer = self.value(&next)? >= goal;
                if answer == is_own {
                    return Ok(Some(answer));
                }
                continue;
            }
            let name = self.name(&next);
            let score = fresh(state, &next).map(|fact| i64::from(self.history[fact])).sum();
            children.push(Child { state: next, name, known: Bounds::UNKNOWN, score });
        }
        Ok(self.foresee(is_own, goal, children))
    }

    /// Ends the last position of the path with an answer.
    fn leave(&mut self, answer: bool, goal: u8) -> bool {
        let Some(mut top) = self.path.pop() else { return answer };
        self.on_path.remove(&top.name.hash);
        if answer == top.is_own && top.done > 1 {
            self.learn(&top);
        }
        let work = self.positions - top.begin + 1;
        self.table.put(top.name.hash, top.name.row.words(), top.known.with(answer, goal), work);
        top.children.clear();
        self.spare.push(top.children);
        answer
    }

    /// A move decided that others were tried before: it is tried earlier from now on, and they later (after Tromp's solver of
    /// connect four, with facts in place of squares).
    fn learn(&mut self, top: &Position) {
        let last = top.done - 1;
        for (place, child) in top.children[..top.done].iter().enumerate() {
            let change = if place == last { last as i32 } else { -1 };
            for fact in fresh(&top.state, &child.state) {
                self.history[fact] += change;
            }
        }
        if fresh(&top.state, &top.children[last].state).any(|fact| self.history[fact] > MOST_HISTORY) {
            self.history.iter_mut().for_each(|number| *number /= 2);
        }
    }

    /// Who chooses in a state, the first role if nobody has a choice; none if the game is over. The legal moves are listed
    /// then.
    fn chooser(&mut self, state: &CircuitState) -> Result<Option<RoleId>, SolverError> {
        self.machine.expand(&mut self.workspace, state, &mut self.expansion)?;
        if self.expansion.is_terminal() {
            return Ok(None);
        }
        if let Some(role) = self.expansion.stuck_role() {
            return Err(RuleFault::NoLegalMove(role).into());
        }
        let roles = (0..).map(RoleId).zip(self.expansion.by_role());
        let mut choosing = roles.filter(|(_, legal)| legal.len() > 1).map(|(role, _)| role);
        let chooser = choosing.next().unwrap_or(RoleId(0));
        if choosing.next().is_some() {
            return Err(SolverError::NotInTurn);
        }
        Ok(Some(chooser))
    }

    /// What the role gets at an end of the game.
    fn value(&mut self, state: &CircuitState) -> Result<u8, SolverError> {
        self.machine.goals(&mut self.workspace, state, &mut self.goals)?;
        let sum = self.goals.iter().map(|goal| u32::from(goal.value().0)).sum();
        self.sum = match self.sum {
            Sum::Unknown => Sum::Always(sum),
            Sum::Always(other) if other == sum => Sum::Always(sum),
            _ => Sum::Various,
        };
        Ok(self.goals[usize::from(self.role.0)].value().0)
    }

    fn name(&mut self, state: &CircuitState) -> Name {
        self.key.reduce(state.words(), &mut self.row);
        let hash = self.key.settle(&mut self.row);
        Name { hash, row: CircuitState::from_words(&self.row) }
    }
}

/// The joint moves of a state in which one role chooses.
fn joints(expansion: &Expansion, chooser: RoleId) -> Vec<Vec<MoveId>> {
    let legal = expansion.by_role().nth(usize::from(chooser.0)).unwrap_or(&[]);
    let joint = |&id: &MoveId| {
        let forced = (0..).map(RoleId).zip(expansion.by_role());
        forced.map(|(role, legal)| if role == chooser { id } else { legal[0] }).collect()
    };
    legal.iter().map(joint).collect()
}

/// The facts that are true in the second state and not in the first.
fn fresh<'s>(before: &'s CircuitState, after: &'s CircuitState) -> impl Iterator<Item = usize> + 's {
    let words = before.words().iter().zip(after.words()).enumerate();
    words.flat_map(|(place, (before, after))| {
        let rest = |bits: &u64| Some(bits & (bits - 1)).filter(|bits| *bits != 0);
        let bits = std::iter::successors(Some(after & !before).filter(|bits| *bits != 0), rest);
        bits.map(move |bits| place * 64 + bits.trailing_zeros() as usize)
    })
}
