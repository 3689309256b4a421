//! The state graph: all states that can be reached, each once, with where every joint move leads.

use game::{Choices, Expansions, Game, Goal, GoalReading, MoveId, RoleId, RuleFault, Simulator};
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use machine::alike::{Key, Reduction};
use machine::batch::BatchMachine;
use machine::circuit::CircuitState;
use rustc_hash::FxHashMap;

use crate::SolverError;

/// States that are looked at in one go.
const CHUNK: usize = 2_048;
/// Joint moves that are made in one go.
const MOST_STEPS: usize = 16_384;
/// More joint moves than this in one state are too many.
const MOST_JOINTS: u64 = 1 << 20;
/// Who chooses, where it is not one role: nobody, as the game is over, or several.
const OVER: u8 = u8::MAX;
const SEVERAL: u8 = u8::MAX - 1;

/// A state of a [`StateGraph`]. The initial one has number 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

/// How far a graph may grow.
#[derive(Clone, Copy)]
pub struct Limits<'a> {
    /// Bytes of the graph and of what is needed to solve it.
    pub bytes: usize,
    /// Whether there is no more time.
    pub is_over: &'a dyn Fn() -> bool,
}

impl std::fmt::Debug for Limits<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Limits").field("bytes", &self.bytes).finish()
    }
}

/// Who chooses in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape<'g> {
    /// Nobody: the game is over, and this is what each role gets.
    Over(&'g [Goal]),
    /// One role. Where nobody has a choice, the first one that is not chance.
    One(RoleId),
    /// Several at once: how many moves each role has.
    Several(&'g [u16]),
}

/// All states of a game.
#[derive(Debug)]
pub struct StateGraph {
    roles: usize,
    chance: Option<RoleId>,
    words: usize,
    /// The states' words, one state after the other.
    rows: Vec<u64>,
    /// Where the successors of each state end.
    ends: Vec<u32>,
    /// For each joint move, counted like a number with the last role's moves changing fastest, the state it leads to;
    /// for a state in which the game is over, the number of its outcome.
    successors: Vec<u32>,
    /// Who chooses.
    choosers: Vec<u8>,
    /// Where several choose at once, how many moves each role has.
    counts: FxHashMap<u32, Box<[u16]>>,
    /// What the roles get, each combination once.
    outcomes: Vec<Box<[Goal]>>,
    /// How many moves it takes at most to come to a state, by the shortest way.
    depth: u32,
    /// What makes states different.
    key: Key,
    known: HashTable<u32>,
    /// With symmetries, the hash of each state: it takes longer to work out than to keep.
    hashes: Vec<u64>,
}

impl StateGraph {
    /// All states that can be reached from the beginning; those that a reduction takes for one are one.
    pub fn explore(
        batch: &BatchMachine,
        reduction: Reduction,
        limits: &Limits<'_>,
    ) -> Result<Self, SolverError> {
        if batch.machine().circuit().has_percepts {
            return Err(SolverError::HiddenInformation);
        }
        if batch.role_count() >= usize::from(SEVERAL) {
            return Err(SolverError::TooMany(0));
        }
        let mut explorer =
            Explorer::new(batch, Key::new(batch.machine().circuit(), reduction, limits.is_over));
        explorer.insert(batch.initial().words())?;
        let (mut next, mut layer_end) = (0, 1);
        while next < explorer.graph.noted() {
            let end = (next + CHUNK).min(layer_end);
            explorer.advance(next..end)?;
            next = end;
            explorer.graph.check(limits)?;
            if next == layer_end && explorer.graph.noted() > layer_end {
                layer_end = explorer.graph.noted();
                explorer.graph.depth += 1;
            }
        }
        let mut graph = explorer.graph;
        graph.rows.shrink_to_fit();
        graph.successors.shrink_to_fit();
        Ok(graph)
    }

    /// States that were noted, whether looked at or not.
    fn noted(&self) -> usize {
        self.rows.len() / self.words
    }

    fn check(&self, limits: &Limits<'_>) -> Result<(), SolverError> {
        let states = self.noted();
        // A vector that grows is there twice for a moment, in the size it had and in twice that.
        let growing = |bytes: usize, full: bool| if full { 3 * bytes } else { bytes };
        let rows =
            growing(self.rows.capacity() * 8, self.rows.capacity() - self.rows.len() < self.words * CHUNK);
        let solving = states * size_of::<crate::Worth>() * 2;
        let bytes = rows + self.bytes() - self.rows.capacity() * 8 + solving;
        if bytes > limits.bytes {
            return Err(SolverError::OutOfMemory { states, megabytes: bytes / 1_000_000 });
        }
        if (limits.is_over)() {
            return Err(SolverError::OutOfTime(states));
        }
        Ok(())
    }

    /// Bytes in use, about.
    pub fn bytes(&self) -> usize {
        let counts = self.counts.capacity() * (size_of::<(u32, Box<[u16]>)>() + 2 * self.roles + 16);
        self.rows.capacity() * 8
            + (self.ends.capacity() + self.successors.capacity()) * 4
            + self.choosers.capacity()
            + self.known.capacity() * 5
            + self.hashes.capacity() * 8
            + counts
    }

    /// The number of a state, or of the one that it is taken for.
    pub fn find(&self, state: &CircuitState) -> Option<NodeId> {
        let mut row = vec![0; self.words];
        self.key.reduce(state.words(), &mut row);
        let hash = self.key.hash(&row);
        self.known.find(hash, |&other| self.key.are_same(self.row(other), &row)).map(|&node| NodeId(node))
    }

    fn row(&self, node: u32) -> &[u64] {
        &self.rows[node as usize * self.words..(node as usize + 1) * self.words]
    }

    /// How many symmetries are made use of, the identity included.
    pub fn symmetries(&self) -> u64 {
        self.key.symmetries()
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.choosers.len()
    }

    /// Never: the initial state is there.
    pub fn is_empty(&self) -> bool {
        self.choosers.is_empty()
    }

    /// How many joint moves there are from all states.
    pub fn moves(&self) -> usize {
        self.successors.len() - self.over()
    }

    /// In how many states the game is over.
    pub fn over(&self) -> usize {
        self.choosers.iter().filter(|&&chooser| chooser == OVER).count()
    }

    /// How many moves it takes at most to come to a state, by the shortest way.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// How many roles there are.
    pub fn roles(&self) -> usize {
        self.roles
    }

    /// The role whose moves are drawn.
    pub fn chance(&self) -> Option<RoleId> {
        self.chance
    }

    /// What roles get where the game is over, each combination once.
    pub fn outcomes(&self) -> &[Box<[Goal]>] {
        &self.outcomes
    }

    /// What the roles get together, if that is the same at every end.
    pub fn constant_sum(&self) -> Option<u32> {
        let players = |outcome: &[Goal]| {
            let goals = (0..).map(RoleId).zip(outcome).filter(|(role, _)| Some(*role) != self.chance);
            goals.map(|(_, goal)| u32::from(goal.0)).sum::<u32>()
        };
        let mut sums = self.outcomes.iter().map(|outcome| players(outcome));
        let first = sums.next()?;
        sums.all(|sum| sum == first).then_some(first)
    }

    /// A state, without the facts that were left out.
    pub fn state(&self, node: NodeId) -> CircuitState {
        CircuitState::from_words(self.row(node.0))
    }

    /// Who chooses in a state.
    pub fn shape(&self, node: NodeId) -> Shape<'_> {
        match self.choosers[node.0 as usize] {
            OVER => Shape::Over(&self.outcomes[self.list(node)[0] as usize]),
            SEVERAL => Shape::Several(self.counts.get(&node.0).map_or(&[], |counts| counts)),
            role => Shape::One(RoleId(u16::from(role))),
        }
    }

    /// Where the joint moves of a state lead, none if the game is over.
    pub fn successors(&self, node: NodeId) -> &[u32] {
        if self.choosers[node.0 as usize] == OVER { &[] } else { self.list(node) }
    }

    fn list(&self, node: NodeId) -> &[u32] {
        let index = node.0 as usize;
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.successors[start as usize..self.ends[index] as usize]
    }
}

/// A graph while it is made.
struct Explorer<'a> {
    batch: &'a BatchMachine,
    graph: StateGraph,
    outcomes: FxHashMap<Box<[Goal]>, u32>,
    workspace: <BatchMachine as Game>::Workspace,
    expansions: Expansions,
    successors: Vec<CircuitState>,
    goals: Vec<GoalReading>,
    /// A state without what does not count.
    row: Vec<u64>,
}

impl<'a> Explorer<'a> {
    fn new(batch: &'a BatchMachine, key: Key) -> Self {
        let graph = StateGraph {
            roles: batch.role_count(),
            chance: batch.chance(),
            words: batch.initial().words().len().max(1),
            rows: Vec::new(),
            ends: Vec::new(),
            successors: Vec::new(),
            choosers: Vec::new(),
            counts: FxHashMap::default(),
            outcomes: Vec::new(),
            depth: 0,
            key,
            known: HashTable::new(),
            hashes: Vec::new(),
        };
        Self {
            graph,
            row: Vec::new(),
            outcomes: FxHashMap::default(),
            workspace: batch.workspace(),
            expansions: Expansions::new(),
            successors: Vec::new(),
            goals: Vec::new(),
            batch,
        }
    }

    /// Notes a state, if it is new.
    fn insert(&mut self, state: &[u64]) -> Result<u32, SolverError> {
        let StateGraph { rows, words, key, known, hashes, .. } = &mut self.graph;
        let words = *words;
        self.row.resize(words, 0);
        key.reduce(state, &mut self.row);
        let at = |index: u32| &rows[index as usize * words..(index as usize + 1) * words];
        let hash = key.hash(&self.row);
        let rehash =
            |&other: &u32| hashes.get(other as usize).copied().unwrap_or_else(|| key.hash(at(other)));
        match known.entry(hash, |&other| key.are_same(at(other), &self.row), rehash) {
            Entry::Occupied(entry) => Ok(*entry.get()),
            Entry::Vacant(entry) => {
                let count = rows.len() / words;
                let index = u32::try_from(count).ok().filter(|&index| index < u32::MAX);
                let index = index.ok_or(SolverError::TooMany(count))?;
                entry.insert(index);
                rows.extend_from_slice(&self.row);
                if key.symmetries() > 1 {
                    hashes.push(hash);
                }
                Ok(index)
            }
        }
    }

    /// Looks at some states, in order.
    fn advance(&mut self, range: std::ops::Range<usize>) -> Result<(), SolverError> {
        let states: Vec<CircuitState> = range.map(|index| self.graph.state(NodeId(index as u32))).collect();
        let all: Vec<&CircuitState> = states.iter().collect();
        let mut expansions = std::mem::take(&mut self.expansions);
        self.batch.expand_all(&mut self.workspace, &all, &mut expansions)?;
        let mut group = Group::default();
        for (state, choices) in all.iter().zip(expansions.iter()) {
            self.note(state, choices, &mut group)?;
            if group.from.len() >= MOST_STEPS {
                self.write(&mut group)?;
            }
        }
        self.write(&mut group)?;
        self.expansions = expansions;
        Ok(())
    }

    /// Notes who chooses in a state, and lists its joint moves.
    fn note<'s>(
        &mut self,
        state: &'s CircuitState,
        choices: Choices<'_>,
        group: &mut Group<'s>,
    ) -> Result<(), SolverError> {
        if choices.is_terminal() {
            self.batch.goals(&mut self.workspace, state, &mut self.goals)?;
            let outcome: Box<[Goal]> = self.goals.iter().map(|goal| goal.value()).collect();
            let fresh = self.outcomes.len() as u32;
            let number = *self.outcomes.entry(outcome.clone()).or_insert(fresh);
            if number == fresh {
                self.graph.outcomes.push(outcome);
            }
            group.looks.push((OVER, number));
            return Ok(());
        }
        if let Some(role) = choices.stuck_role() {
            return Err(RuleFault::NoLegalMove(role).into());
        }
        let states = self.graph.noted();
        let joint_count = choices.joint_count();
        if joint_count > MOST_JOINTS {
            return Err(SolverError::TooMany(states));
        }
        let counts: Box<[u16]> = choices.by_role().map(|legal| legal.len() as u16).collect();
        let mut choosing = (0..).zip(&counts).filter(|(_, count)| **count > 1).map(|(role, _)| role);
        let chooser = match (choosing.next(), choosing.next()) {
            (Some(role), None) => role,
            (None, _) => u8::from(self.graph.chance == Some(RoleId(0))).min(counts.len() as u8 - 1),
            _ => {
                let node = self.graph.choosers.len() + group.looks.len();
                self.graph.counts.insert(node as u32, counts.clone());
                SEVERAL
            }
        };
        group.looks.push((chooser, joint_count as u32));
        let legal: Vec<&[MoveId]> = choices.by_role().collect();
        let mut digits = vec![0usize; legal.len()];
        for _ in 0..joint_count {
            group.from.push(state);
            group.joints.extend(legal.iter().zip(&digits).map(|(legal, &digit)| legal[digit]));
            for role in (0..legal.len()).rev() {
                digits[role] += 1;
                if digits[role] < legal[role].len() {
                    break;
                }
                digits[role] = 0;
            }
        }
        Ok(())
    }

    /// Makes the moves of a group of states, and writes down where they lead.
    fn write(&mut self, group: &mut Group<'_>) -> Result<(), SolverError> {
        let mut successors = std::mem::take(&mut self.successors);
        self.batch.apply_all(&mut self.workspace, &group.from, &group.joints, &mut successors)?;
        let mut reached = successors.iter();
        for &(chooser, number) in &group.looks {
            if chooser == OVER {
                self.graph.successors.push(number);
            } else {
                for state in reached.by_ref().take(number as usize) {
                    let node = self.insert(state.words())?;
                    self.graph.successors.push(node);
                }
            }
            let end = u32::try_from(self.graph.successors.len());
            self.graph.ends.push(end.map_err(|_| SolverError::TooMany(self.graph.noted()))?);
            self.graph.choosers.push(chooser);
        }
        self.successors = successors;
        *group = Group::default();
        Ok(())
    }
}

/// States whose moves are made in one go.
#[derive(Default)]
struct Group<'s> {
    /// For each state who chooses, and how many joint moves it has or the number of its outcome.
    looks: Vec<(u8, u32)>,
    /// The state of each joint move.
    from: Vec<&'s CircuitState>,
    joints: Vec<MoveId>,
}
