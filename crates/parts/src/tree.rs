//! The tree of one part: each role that has a choice in a node chooses by its own statistics (decoupled UCT).

use game::{
    Dice, Expansions, Game, GoalReading, Job, MoveId, Outcomes, PlayOptions, RoleId, RuleFault, Simulator,
};
use machine::batch::BatchWorkspace;
use machine::circuit::{CircuitState, CircuitWorkspace};
use rustc_hash::FxHashMap;

use crate::halves::{Half, Halves, bits};
use crate::node::{Fared, Node, Status, choose};
use crate::trace::{Pool, Trace, weigh};
use crate::verdict::{Sight, Verdicts};

/// Playouts are cut after so many steps.
const MOST_STEPS: u32 = 1_000;
/// Positions handled in one sweep, at least and at most, and playouts from each.
const LEAST_LEAVES: usize = 8;
const MOST_LEAVES: usize = 128;
const PLAYOUTS: usize = 4;
/// A sweep has at most this part of the visits so far.
const RAMP: usize = 16;
/// Traces of the other parts that a trace is laid beside.
const DRAWS: usize = 8;

/// The tree of a part.
#[derive(Debug)]
pub(crate) struct Tree {
    part: usize,
    roles: usize,
    nodes: Vec<Node>,
    /// Steps before the root.
    step: u32,
    /// Bytes there may be, and there are.
    most_bytes: usize,
    bytes: usize,
    workspace: BatchWorkspace,
    scalar: CircuitWorkspace,
    goals: Vec<GoalReading>,
    expansions: Expansions,
    outcomes: Outcomes,
    /// Simulations so far.
    pub(crate) simulations: u64,
    pub(crate) playouts: u64,
    pub(crate) steps: u64,
    pub(crate) depth: u32,
}

/// From the root to a leaf: the nodes, and in each the places of the moves made there.
struct Path {
    nodes: Vec<u32>,
    places: Vec<u32>,
    leaf: u32,
}

impl Tree {
    pub(crate) fn new(part: usize, half: &Half, state: CircuitState, step: u32, most_bytes: usize) -> Self {
        let mut tree = Self {
            part,
            roles: half.batch.role_count(),
            nodes: Vec::new(),
            step,
            most_bytes,
            bytes: 0,
            workspace: half.batch.workspace(),
            scalar: half.machine().workspace(),
            goals: Vec::new(),
            expansions: Expansions::new(),
            outcomes: Outcomes::default(),
            simulations: 0,
            playouts: 0,
            steps: 0,
            depth: 0,
        };
        tree.begin(state, step);
        tree
    }

    /// Begins anew in a state.
    pub(crate) fn begin(&mut self, state: CircuitState, step: u32) {
        self.nodes.clear();
        self.bytes = 0;
        self.step = step;
        self.add(state);
    }

    fn add(&mut self, state: CircuitState) -> u32 {
        let (moves, ends, children) = Default::default();
        self.nodes.push(Node { state, sight: 0, status: Status::New, visits: 0, moves, ends, children });
        self.bytes += size_of::<Node>() + 64;
        self.nodes.len() as u32 - 1
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// How the moves of a role fared in the root.
    pub(crate) fn fared(&self, role: RoleId) -> &[(MoveId, Fared)] {
        let root = &self.nodes[0];
        if root.ends.is_empty() { &[] } else { &root.moves[root.of_role(usize::from(role.0))] }
    }

    /// Whether the root was not looked at yet, or the part is not over there.
    pub(crate) fn goes_on(&self) -> bool {
        self.nodes[0].status != Status::Over
    }

    /// Goes to the state after a joint move; anew if the tree does not have it.
    pub(crate) fn advance(&mut self, joint: &[MoveId], state: CircuitState) {
        let root = &self.nodes[0];
        let place = |role: usize, id: MoveId| {
            root.moves[root.of_role(role)]
                .iter()
                .position(|(other, _)| *other == id)
                .map(|place| place as u32)
        };
        let places: Option<Vec<u32>> = match root.status {
            Status::Open => joint.iter().enumerate().map(|(role, &id)| place(role, id)).collect(),
            _ => None,
        };
        let child = places.and_then(|places| root.children.get(&self.key(0, &places)).copied());
        let child = child.filter(|&child| self.nodes[child as usize].state == state);
        match child {
            Some(child) => {
                self.keep(child);
                self.step += 1;
            }
            None => self.begin(state, self.step + 1),
        }
    }

    /// Keeps a node and what is below it.
    fn keep(&mut self, root: u32) {
        let mut old: Vec<Option<Node>> = std::mem::take(&mut self.nodes).into_iter().map(Some).collect();
        self.bytes = 0;
        let mut open = vec![root];
        let mut renamed: FxHashMap<u32, u32> = FxHashMap::default();
        let mut order = Vec::new();
        while let Some(number) = open.pop() {
            let Some(node) = old[number as usize].take() else { continue };
            renamed.insert(number, order.len() as u32);
            open.extend(node.children.values());
            order.push(node);
        }
        for node in &mut order {
            node.children.values_mut().for_each(|child| *child = renamed[child]);
            self.bytes += size_of::<Node>() + 64 + node.moves.len() * size_of::<(MoveId, Fared)>();
        }
        self.nodes = order;
    }

    /// A joint move as one number, the last role's moves changing fastest.
    fn key(&self, node: usize, places: &[u32]) -> u64 {
        let node = &self.nodes[node];
        (0..self.roles).fold(0u64, |key, role| {
            key.wrapping_mul(node.of_role(role).len() as u64).wrapping_add(u64::from(places[role]))
        })
    }

    /// Looks at nodes whose states are known.
    fn look(&mut self, half: &Half, verdicts: &mut Verdicts, fresh: &[u32]) -> Result<(), RuleFault> {
        let states: Vec<&CircuitState> = fresh.iter().map(|&node| &self.nodes[node as usize].state).collect();
        let mut expansions = std::mem::take(&mut self.expansions);
        half.batch.expand_all(&mut self.workspace, &states, &mut expansions)?;
        for (&node, choices) in fresh.iter().zip(expansions.iter()) {
            let node = &mut self.nodes[node as usize];
            let seen = half.look(&mut self.scalar, &node.state, &mut self.goals)?;
            node.sight = verdicts.sight(self.part, seen);
            if choices.is_terminal() || choices.stuck_role().is_some() {
                node.status = Status::Over;
                continue;
            }
            node.status = Status::Open;
            let mut end = 0;
            let mut add = |legal: &[MoveId]| {
                end += legal.len() as u32;
                end
            };
            node.ends = choices.by_role().map(&mut add).collect();
            node.moves = choices.by_role().flatten().map(|&id| (id, Fared::default())).collect();
            self.bytes += node.moves.len() * size_of::<(MoveId, Fared)>();
        }
        self.expansions = expansions;
        Ok(())
    }

    /// Looks at the root, if that was not done yet, and plays from there to have first traces.
    pub(crate) fn prime(
        &mut self,
        halves: &Halves,
        verdicts: &mut Verdicts,
        pool: &mut Pool,
        seed: u64,
    ) -> Result<(), RuleFault> {
        let half = &halves.parts[self.part];
        if self.nodes[0].status == Status::New {
            self.look(half, verdicts, &[0])?;
        }
        let root = &self.nodes[0];
        let mut trace = Trace::default();
        trace.note(self.step, root.sight);
        if root.status == Status::Over {
            pool.add(&trace);
            return Ok(());
        }
        let options = PlayOptions { seed, most_steps: MOST_STEPS, ..PlayOptions::default() };
        let jobs = [Job::new(&root.state, MOST_LEAVES as u32)];
        half.batch.play(&mut self.workspace, &jobs, &options, &mut self.outcomes)?;
        for playout in 0..self.outcomes.len() {
            trace.clear();
            trace.note(self.step, self.nodes[0].sight);
            trace.note(self.step + self.outcomes.length(playout), self.sight_of(playout, verdicts));
            pool.add(&trace);
        }
        Ok(())
    }

    /// What was seen where a playout ended.
    fn sight_of(&self, playout: usize, verdicts: &mut Verdicts) -> Sight {
        verdicts.sight(self.part, bits(self.outcomes.goals(playout).iter().map(|goal| goal.0)))
    }

    /// A few simulations at a time; how many.
    pub(crate) fn grow(
        &mut self,
        halves: &Halves,
        verdicts: &mut Verdicts,
        pools: &mut [Pool],
        dice: &mut Dice,
    ) -> Result<u64, RuleFault> {
        let half = &halves.parts[self.part];
        let wanted = (self.nodes[0].visits as usize / RAMP).clamp(LEAST_LEAVES, MOST_LEAVES);
        let mut fresh: Vec<u32> = Vec::new();
        let mut made: Vec<(u32, Vec<MoveId>)> = Vec::new();
        let mut paths: Vec<Path> = Vec::with_capacity(wanted);
        for _ in 0..wanted {
            let path = self.descend(dice, &mut fresh, &mut made);
            paths.push(path);
        }
        let from: Vec<&CircuitState> =
            made.iter().map(|(node, _)| &self.nodes[*node as usize].state).collect();
        let joints: Vec<MoveId> = made.iter().flat_map(|(_, joint)| joint.iter().copied()).collect();
        let mut states = Vec::new();
        half.batch.apply_all(&mut self.workspace, &from, &joints, &mut states)?;
        for (&node, state) in fresh.iter().zip(states) {
            self.nodes[node as usize].state = state;
        }
        self.look(half, verdicts, &fresh)?;
        let is_open = |path: &&Path| self.nodes[path.leaf as usize].status == Status::Open;
        let leaves = paths.iter().filter(is_open).map(|path| &self.nodes[path.leaf as usize].state);
        let jobs: Vec<Job<'_, CircuitState>> = leaves.map(|state| Job::new(state, PLAYOUTS as u32)).collect();
        let options = PlayOptions { seed: dice.bits(), most_steps: MOST_STEPS, ..PlayOptions::default() };
        half.batch.play(&mut self.workspace, &jobs, &options, &mut self.outcomes)?;
        self.back_up(halves, verdicts, pools, dice, &paths);
        self.simulations += paths.len() as u64;
        self.playouts += self.outcomes.len() as u64;
        Ok(paths.len() as u64)
    }

    /// To a leaf: a node that is new, or where the part is over. Its visits are counted on the way, and nothing is won yet: so
    /// the next path of the same sweep goes elsewhere.
    fn descend(&mut self, dice: &mut Dice, fresh: &mut Vec<u32>, made: &mut Vec<(u32, Vec<MoveId>)>) -> Path {
        let mut path = Path { nodes: Vec::new(), places: Vec::new(), leaf: 0 };
        loop {
            let number = path.leaf as usize;
            self.nodes[number].visits += 1;
            if self.nodes[number].status != Status::Open {
                return path;
            }
            let first = path.places.len();
            for role in 0..self.roles {
                let node = &mut self.nodes[number];
                let range = node.of_role(role);
                let place = choose(&node.moves[range.clone()], node.visits, dice);
                node.moves[range.start + place].1.visits += 1;
                path.places.push(place as u32);
            }
            path.nodes.push(path.leaf);
            let key = self.key(number, &path.places[first..]);
            let child = self.nodes[number].children.get(&key).copied();
            if child.is_none() && self.bytes >= self.most_bytes {
                // Where there is no more room it is played on from here.
                return path;
            }
            path.leaf = match child {
                Some(child) => child,
                None => {
                    let node = &self.nodes[number];
                    let id =
                        |role: usize| node.moves[node.of_role(role)][path.places[first + role] as usize].0;
                    made.push((path.leaf, (0..self.roles).map(id).collect()));
                    let child = self.add(self.nodes[number].state.clone());
                    self.nodes[number].children.insert(key, child);
                    fresh.push(child);
                    child
                }
            };
            self.depth = self.depth.max(path.nodes.len() as u32);
        }
    }

    /// What paths were worth goes up.
    fn back_up(
        &mut self,
        halves: &Halves,
        verdicts: &mut Verdicts,
        pools: &mut [Pool],
        dice: &mut Dice,
        paths: &[Path],
    ) {
        let (mut values, mut sums) = (vec![0.0; self.roles], vec![0.0; self.roles]);
        let (mut trace, mut kept) = (Trace::default(), Trace::default());
        let mut playout = 0;
        for path in paths {
            // Where there was no room for a leaf it is the last node of the path itself.
            let inner =
                path.nodes.iter().chain((path.nodes.last() != Some(&path.leaf)).then_some(&path.leaf));
            let way: Vec<(u32, Sight)> = (self.step..)
                .zip(inner)
                .map(|(step, &node)| (step, self.nodes[node as usize].sight))
                .collect();
            let end = way.last().map_or(self.step, |last| last.0);
            let is_open = self.nodes[path.leaf as usize].status == Status::Open;
            let count = if is_open { PLAYOUTS } else { 1 };
            let chosen = dice.below(count);
            sums.fill(0.0);
            for number in 0..count {
                trace.clear();
                way.iter().for_each(|&(step, sight)| trace.note(step, sight));
                if is_open {
                    let length = self.outcomes.length(playout);
                    trace.note(end + length, self.sight_of(playout, verdicts));
                    self.steps += u64::from(length);
                    playout += 1;
                }
                weigh(halves, verdicts, pools, (self.part, &trace), (dice, DRAWS), &mut values);
                sums.iter_mut().zip(&values).for_each(|(sum, value)| *sum += value / count as f32);
                if number == chosen {
                    std::mem::swap(&mut kept, &mut trace);
                }
            }
            pools[self.part].add(&kept);
            for (&node, places) in path.nodes.iter().zip(path.places.chunks(self.roles)) {
                let node = &mut self.nodes[node as usize];
                for (role, &place) in places.iter().enumerate() {
                    let start = node.of_role(role).start;
                    node.moves[start + place as usize].1.sum += sums[role];
                }
            }
        }
    }
}
