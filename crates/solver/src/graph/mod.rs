//! The state graph: all states that can be reached, each once, with where every joint move leads.

mod explore;

use explore::Explorer;
use game::{Game, Goal, RoleId};
use hashbrown::HashTable;
use machine::alike::{Key, Pose, Reduction};
use machine::batch::BatchMachine;
use machine::circuit::CircuitState;
use rustc_hash::FxHashMap;

use crate::SolverError;

/// States that are looked at in one go.
const CHUNK: usize = 2_048;
/// Joint moves that are looked at between two looks at the limits: a state may have very many.
const PATIENCE: usize = 16_384;
/// Who chooses, where it is not one role: nobody, as the game is over, or several.
const OVER: u8 = u8::MAX;
const SEVERAL: u8 = u8::MAX - 1;

/// A state of a [`StateGraph`]. The initial one has number 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

/// A state that was met: the number of the one that it is taken for. Roles may have exchanged their places there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Met {
    /// The state of the graph.
    pub node: NodeId,
    /// How the state lies that was met, if it is not the very same.
    pose: Option<Pose>,
}

impl Met {
    /// An image of a state that lies like that.
    pub(crate) fn of(node: NodeId, pose: Pose) -> Self {
        Self { node, pose: Some(pose) }
    }

    /// How the state lies that was met, where roles may be exchanged.
    pub(crate) fn pose(self) -> Option<Pose> {
        self.pose
    }
}

impl From<NodeId> for Met {
    fn from(node: NodeId) -> Self {
        Self { node, pose: None }
    }
}

/// How far a graph may grow.
#[derive(Clone, Copy)]
pub struct Limits<'a> {
    /// Bytes of the graph and of what is needed to solve it.
    pub bytes: usize,
    /// Whether there is no more time.
    pub is_over: &'a dyn Fn() -> bool,
}

impl Limits<'_> {
    /// Counts work, and asks now and then whether there is no more time. `work` is what was done since it was asked.
    pub(crate) fn spend(&self, work: &mut usize, more: usize, states: usize) -> Result<(), SolverError> {
        *work += more;
        if *work < PATIENCE {
            return Ok(());
        }
        *work = 0;
        if (self.is_over)() { Err(SolverError::OutOfTime(states)) } else { Ok(()) }
    }
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
    /// Where roles may be exchanged, how the state lies that each joint move really leads to.
    poses_behind: Vec<Pose>,
    /// Where roles may be exchanged, how each state lies.
    poses: Vec<Pose>,
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
            explorer.advance(next..end, limits)?;
            next = end;
            if next == layer_end && explorer.graph.noted() > layer_end {
                layer_end = explorer.graph.noted();
                explorer.graph.depth += 1;
            }
        }
        let mut graph = explorer.graph;
        graph.rows.shrink_to_fit();
        graph.successors.shrink_to_fit();
        graph.poses_behind.shrink_to_fit();
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
            growing(self.rows.capacity() * 8, self.rows.capacity() - self.rows.len() < self.words * PATIENCE);
        let solving = states * size_of::<crate::Worth>() * self.roles;
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
            + self.poses.capacity()
            + self.poses_behind.capacity()
            + self.known.capacity() * 5
            + self.hashes.capacity() * 8
            + counts
    }

    /// The number of a state, or of the one that it is taken for.
    pub fn find(&self, state: &CircuitState) -> Option<Met> {
        let mut row = vec![0; self.words];
        self.key.reduce(state.words(), &mut row);
        let hash = self.key.hash(&row);
        let node = *self.known.find(hash, |&other| self.key.are_same(self.row(other), &row))?;
        let pose = self.exchanges_roles().then(|| self.key.pose(&row).1);
        Some(Met { node: NodeId(node), pose })
    }

    /// Whether states are taken for one in which roles have exchanged their places.
    pub fn exchanges_roles(&self) -> bool {
        !self.poses.is_empty()
    }

    /// The role of the graph's state that is what a role is in the state that was met.
    pub fn role(&self, met: Met, role: RoleId) -> RoleId {
        match (met.pose, self.poses.get(met.node.0 as usize)) {
            (Some(from), Some(&to)) => self.key.role(role, from, to),
            _ => role,
        }
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

    /// Whether one role at a time chooses in all states, and none of them is chance.
    pub fn is_in_turn(&self) -> bool {
        let is_drawn = |chance: RoleId| self.choosers.iter().any(|&chooser| u16::from(chooser) == chance.0);
        self.counts.is_empty() && !self.chance.is_some_and(is_drawn)
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

    /// Where the joint moves of a state lead, as roles have it, none if the game is over.
    pub fn behind(&self, node: NodeId) -> impl ExactSizeIterator<Item = Met> + '_ {
        let nodes = self.successors(node);
        let start = self.start(node);
        let pose = move |place: usize| self.poses_behind.get(start + place).copied();
        nodes.iter().enumerate().map(move |(place, &node)| Met { node: NodeId(node), pose: pose(place) })
    }

    /// Where the joint moves of a state lead, none if the game is over.
    pub fn successors(&self, node: NodeId) -> &[u32] {
        if self.choosers[node.0 as usize] == OVER { &[] } else { self.list(node) }
    }

    fn start(&self, node: NodeId) -> usize {
        if node.0 == 0 { 0 } else { self.ends[node.0 as usize - 1] as usize }
    }

    fn list(&self, node: NodeId) -> &[u32] {
        &self.successors[self.start(node)..self.ends[node.0 as usize] as usize]
    }
}
