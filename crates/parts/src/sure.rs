//! What each role is sure of, by what it can force in each part.
//!
//! Where the game ends when all parts are over, a part comes to one of a few *ends*: what is seen of it when it is over. A role
//! *forces* a set of ends if the part comes to one of them whatever all others do. What it forces in one part it forces whatever
//! happens in the others, so it is sure of the least that any ends of forced sets come to together; and what all others
//! together force in the same way it does not get more of. Where both are the same the game is solved, and each part has
//! been looked at alone. All sets are worked out at once: one bit each.

use game::{Expansion, Game, GoalReading, MoveId, RoleId, RuleFault};
use machine::circuit::CircuitState;
use rustc_hash::FxHashMap;

use crate::halves::{Half, Halves, MOST_PARTS};
use crate::verdict::{Sights, Verdicts};

/// Parts with more ends are left alone: there is a bit for each set of them.
const MOST_ENDS: usize = 6;
/// Positions that are looked at between two questions for the time.
const CHUNK: usize = 256;

/// What a role is sure of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sure {
    /// The goal it gets at least, whatever all others do.
    pub least: u8,
    /// More than this the others together need not let it have.
    pub most: u8,
}

/// Why nothing is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Open {
    /// The game is not of the kind.
    Refused(&'static str),
    /// There was too little time or memory.
    Exhausted,
    /// The rules are at fault.
    Rules(RuleFault),
}

impl std::fmt::Display for Open {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Open::Refused(why) => out.write_str(why),
            Open::Exhausted => out.write_str("the states of its parts do not fit"),
            Open::Rules(fault) => fault.fmt(out),
        }
    }
}

impl std::error::Error for Open {}

impl From<RuleFault> for Open {
    fn from(fault: RuleFault) -> Self {
        Open::Rules(fault)
    }
}

/// What every role is sure of from the beginning, and how many states of parts were looked at.
pub fn sure(
    halves: &Halves,
    most_states: usize,
    is_over: &dyn Fn() -> bool,
) -> Result<(Vec<Sure>, usize), Open> {
    let mut turns = Turns::new(halves);
    let mut graphs = Vec::new();
    for half in &halves.parts {
        graphs.push(Graph::explore(half, &mut turns, most_states, is_over)?);
    }
    let mut verdicts = Verdicts::new(halves);
    let states = graphs.iter().map(|graph| graph.nodes.len()).sum();
    let mut all = Vec::new();
    for role in 0..halves.role_count() {
        let own: Vec<u64> = graphs.iter().map(|graph| graph.forced(role, true)).collect();
        let others: Vec<u64> = graphs.iter().map(|graph| graph.forced(role, false)).collect();
        let mut least_and_most = |sets: &[u64], pessimist: bool| {
            let mut best: Option<u8> = None;
            each(&sets.iter().map(|&sets| minimal(sets)).collect::<Vec<_>>(), &mut |chosen| {
                let ends = chosen.iter().zip(&graphs).map(|(&set, graph)| {
                    let ends = graph.ends.iter().enumerate();
                    ends.filter(|(place, _)| set >> place & 1 != 0).map(|(_, &end)| end).collect()
                });
                let ends: Vec<Vec<u64>> = ends.collect();
                let mut worst: Option<u8> = None;
                each(&ends, &mut |ends| {
                    let goal = goal(halves, &mut verdicts, ends, role);
                    let pick = if pessimist { u8::min } else { u8::max };
                    worst = Some(worst.map_or(goal, |worst| pick(worst, goal)));
                });
                if let Some(worst) = worst {
                    let pick = if pessimist { u8::max } else { u8::min };
                    best = Some(best.map_or(worst, |best| pick(best, worst)));
                }
            });
            best
        };
        all.push(Sure {
            least: least_and_most(&own, true).unwrap_or(0),
            most: least_and_most(&others, false).unwrap_or(100),
        });
    }
    Ok((all, states))
}

/// The goal of a role when the parts come to some ends.
fn goal(halves: &Halves, verdicts: &mut Verdicts, ends: &[u64], role: usize) -> u8 {
    let mut sights: Sights = [0; MOST_PARTS];
    for (part, &end) in ends.iter().enumerate() {
        sights[part] = verdicts.sight(part, end);
    }
    (verdicts.judge(halves, sights).1[role] * 100.0).round() as u8
}

/// Sets that have no other of them within.
fn minimal(sets: u64) -> Vec<u64> {
    let all: Vec<u64> = (0..64).filter(|set| sets >> set & 1 != 0).collect();
    all.iter()
        .copied()
        .filter(|&set| !all.iter().any(|&other| other != set && other & set == other))
        .collect()
}

/// Every way to take one of each list.
fn each<T: Copy>(lists: &[Vec<T>], look: &mut dyn FnMut(&[T])) {
    let mut places = vec![0usize; lists.len()];
    if lists.iter().any(Vec::is_empty) {
        return;
    }
    loop {
        let chosen: Vec<T> = lists.iter().zip(&places).map(|(list, &place)| list[place]).collect();
        look(&chosen);
        let Some(turned) = (0..lists.len()).rev().find(|&place| places[place] + 1 < lists[place].len())
        else {
            return;
        };
        places[turned] += 1;
        places[turned + 1..].fill(0);
    }
}

/// Which moves go together. Within a group every action in one part goes with every action in another; a role that could
/// choose between groups could not choose in each part alone.
struct Turns {
    /// For each role and each move of the whole game its group.
    groups: Vec<Vec<u32>>,
    /// Facts that run by themselves, by their numbers in the whole game.
    shared: Vec<u32>,
    /// The groups of all roles by these facts.
    known: FxHashMap<Vec<bool>, Vec<u32>>,
}

impl Turns {
    fn new(halves: &Halves) -> Self {
        let circuit = halves.whole.circuit();
        let parts = circuit.parts();
        let mut groups: Vec<Vec<u32>> = circuit.roles.iter().map(|role| vec![0; role.moves.len()]).collect();
        for (role, actions) in parts.actions.iter().flatten().enumerate() {
            for (number, group) in (0..).zip(&actions.groups) {
                group.moves.iter().for_each(|&(id, _)| groups[role][id as usize] = number);
            }
        }
        Self { groups, shared: parts.shared, known: FxHashMap::default() }
    }

    /// Whether each role has moves of one group, the same as in all states in which the same runs by itself.
    fn agree(
        &mut self,
        half: &Half,
        state: &CircuitState,
        group_of: &[FxHashMap<MoveId, u32>],
        legal: &Expansion,
    ) -> bool {
        let mut groups = Vec::with_capacity(group_of.len());
        for (role, group_of) in (0..).map(RoleId).zip(group_of) {
            let mut own = legal.legal(role).iter().filter_map(|id| group_of.get(id).copied());
            let Some(first) = own.next() else { return false };
            if own.any(|group| group != first) {
                return false;
            }
            groups.push(first);
        }
        let key = self.shared.iter().map(|&fact| half.holds(state, fact)).collect();
        *self.known.entry(key).or_insert_with(|| groups.clone()) == groups
    }
}

/// All states of a part.
struct Graph {
    nodes: Vec<Node>,
    successors: Vec<u32>,
    /// What is seen where it is over.
    ends: Vec<u64>,
}

struct Node {
    /// The number of its end, if the part is over.
    end: Option<u8>,
    /// How many moves each role has.
    counts: Box<[u32]>,
    /// Where its successors begin, the last role's moves changing fastest.
    first: usize,
}

impl Graph {
    fn explore(
        half: &Half,
        turns: &mut Turns,
        most_states: usize,
        is_over: &dyn Fn() -> bool,
    ) -> Result<Self, Open> {
        let going = half.going.as_ref().ok_or(Open::Refused("it does not end when all parts are over"))?;
        let group_of: Vec<FxHashMap<MoveId, u32>> = (0..)
            .map(RoleId)
            .zip(&turns.groups)
            .map(|(role, groups)| {
                (0..).zip(groups).map(|(number, &group)| (half.action(role, number), group)).collect()
            })
            .collect();
        let (mut workspace, mut scalar) = (going.workspace(), half.machine().workspace());
        let mut graph = Self { nodes: Vec::new(), successors: Vec::new(), ends: Vec::new() };
        let mut states = vec![going.initial()];
        let mut known: FxHashMap<CircuitState, u32> = [(going.initial(), 0)].into_iter().collect();
        let (mut expansion, mut goals) = (Expansion::new(), Vec::<GoalReading>::new());
        while graph.nodes.len() < states.len() {
            if graph.nodes.len().is_multiple_of(CHUNK) && is_over() {
                return Err(Open::Exhausted);
            }
            let state = states[graph.nodes.len()].clone();
            let end = if half.machine().is_terminal(&mut scalar, &state) {
                let seen = half.look(&mut scalar, &state, &mut goals)?;
                let place = graph.ends.iter().position(|&end| end == seen).unwrap_or_else(|| {
                    graph.ends.push(seen);
                    graph.ends.len() - 1
                });
                Some(place as u8)
            } else {
                None
            };
            if graph.ends.len() > MOST_ENDS {
                return Err(Open::Refused("a part of it ends in too many ways"));
            }
            going.expand(&mut workspace, &state, &mut expansion)?;
            let first = graph.successors.len();
            let mut counts: Box<[u32]> = Box::default();
            if !expansion.is_terminal() {
                if !turns.agree(half, &state, &group_of, &expansion) {
                    return Err(Open::Refused(
                        "what can be done in one part depends on what is done in another",
                    ));
                }
                counts = expansion.by_role().map(|legal| legal.len() as u32).collect();
                for joint in expansion.joint_moves() {
                    let next = going.apply(&mut workspace, &state, &joint)?;
                    let fresh = states.len() as u32;
                    let node = *known.entry(next.clone()).or_insert(fresh);
                    if node == fresh {
                        states.push(next);
                    }
                    graph.successors.push(node);
                }
            }
            if states.len() > most_states || graph.successors.len() > most_states.saturating_mul(16) {
                return Err(Open::Exhausted);
            }
            graph.nodes.push(Node { end, counts, first });
        }
        // A part that is over has to stay as it is.
        for node in graph.nodes.iter().filter(|node| node.end.is_some()) {
            if graph.behind(node).iter().any(|&next| graph.nodes[next as usize].end != node.end) {
                return Err(Open::Refused("a part of it goes on where it seemed to be over"));
            }
        }
        Ok(graph)
    }

    fn behind(&self, node: &Node) -> &[u32] {
        let count: u32 = if node.counts.is_empty() { 0 } else { node.counts.iter().product() };
        &self.successors[node.first..node.first + count as usize]
    }

    /// The sets of ends that a role, or all others together, can force from the beginning on: a bit each.
    fn forced(&self, role: usize, is_own: bool) -> u64 {
        let with =
            |end: u8| (0..64u64).filter(|set| set >> end & 1 != 0).fold(0, |sets, set| sets | 1 << set);
        let mut forced: Vec<u64> = self.nodes.iter().map(|node| node.end.map_or(0, with)).collect();
        let mut sure: Vec<u64> = Vec::new();
        loop {
            let mut is_settled = true;
            // Later states first: most are settled in one round.
            for (place, node) in self.nodes.iter().enumerate().rev() {
                if node.end.is_some() {
                    continue;
                }
                let own = node.counts.get(role).copied().unwrap_or(1) as usize;
                let after: usize = node.counts.iter().skip(role + 1).map(|&count| count as usize).product();
                let behind = self.behind(node);
                sure.clear();
                sure.resize(if is_own { own } else { behind.len() / own.max(1) }, u64::MAX);
                for (joint, &next) in behind.iter().enumerate() {
                    let chosen = joint / after % own;
                    let others = joint / (after * own) * after + joint % after;
                    sure[if is_own { chosen } else { others }] &= forced[next as usize];
                }
                let now = sure.iter().fold(0, |any, sets| any | sets);
                if now != forced[place] {
                    forced[place] = now;
                    is_settled = false;
                }
            }
            if is_settled {
                return forced.first().copied().unwrap_or(0);
            }
        }
    }
}
