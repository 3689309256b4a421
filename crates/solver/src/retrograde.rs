//! Games in turn that may come back to a state: backward from their ends, each link once (retrograde analysis).
//!
//! A role is sure of a goal where it has a move to a state in which it is sure of it, and where another has no move to a state
//! in which it is not. So every state counts the moves that are missing: one where the role chooses, all of them where
//! another does. A state that becomes sure tells the states before it, and those whose count comes to nothing are sure in
//! turn. That goes from the highest goal to the lowest, with the counts kept, so that each link is told once. States become
//! sure layer by layer, and the layer is the number of moves: the role hurries, the others hold out where that costs them
//! nothing. Where the role is sure of nothing it is the others who hurry, and the role that holds out.

use game::RoleId;
use machine::alike::Pose;

use crate::graph::{Met, NodeId, Shape, StateGraph};
use crate::values::{Worth, Worths, nothing_known, players};
use crate::{Limits, SolverError};

/// The count of a state that is settled.
const SETTLED: u32 = u32::MAX;

/// What each role is sure of in every state.
pub(crate) fn worths(graph: &StateGraph, limits: &Limits<'_>) -> Result<Worths, SolverError> {
    let everyone: Vec<RoleId> = players(graph).collect();
    // Where roles are exchanged what one is sure of rests on what another is: then all are worked out together.
    let together: Vec<&[RoleId]> =
        if graph.exchanges_roles() { vec![&everyone] } else { everyone.chunks(1).collect() };
    let bytes = graph.bytes() + Backward::bytes(graph, together.first().map_or(0, |roles| roles.len()));
    if bytes > limits.bytes {
        return Err(SolverError::OutOfMemory { states: graph.len(), megabytes: bytes / 1_000_000 });
    }
    let before = Before::new(graph, limits)?;
    let ends: Vec<u32> =
        (0..graph.len() as u32).filter(|&node| matches!(graph.shape(NodeId(node)), Shape::Over(_))).collect();
    let mut worths = nothing_known(graph);
    for roles in together {
        let backward = Backward { graph, before: &before, ends: &ends, limits, roles, work: 0 };
        backward.settle(&mut worths)?;
    }
    Ok(worths)
}

/// What leads to each state.
struct Before {
    /// Where the links to each state begin.
    starts: Vec<u32>,
    /// Where they come from.
    nodes: Vec<u32>,
    /// Where roles may be exchanged, how the state lies that each link really leads to.
    poses: Vec<Pose>,
}

impl Before {
    fn new(graph: &StateGraph, limits: &Limits<'_>) -> Result<Self, SolverError> {
        let (count, mut work) = (graph.len(), 0);
        let mut starts = vec![0u32; count + 1];
        for node in (0..count as u32).map(NodeId) {
            limits.spend(&mut work, graph.successors(node).len(), count)?;
            graph.successors(node).iter().for_each(|&next| starts[next as usize + 1] += 1);
        }
        for place in 1..starts.len() {
            starts[place] += starts[place - 1];
        }
        let links = starts[count] as usize;
        let mut nodes = vec![0u32; links];
        let mut poses = vec![Pose::default(); if graph.exchanges_roles() { links } else { 0 }];
        // Each start moves on to the next state's as links are written.
        for node in (0..count as u32).map(NodeId) {
            limits.spend(&mut work, graph.successors(node).len(), count)?;
            for met in graph.behind(node) {
                let start = &mut starts[met.node.0 as usize];
                nodes[*start as usize] = node.0;
                if let Some(pose) = met.pose() {
                    poses[*start as usize] = pose;
                }
                *start += 1;
            }
        }
        starts.rotate_right(1);
        starts[0] = 0;
        Ok(Self { starts, nodes, poses })
    }

    /// Where the links to a state come from, each with how the state lies that it leads to.
    fn links(&self, node: u32) -> impl Iterator<Item = (u32, Option<Pose>)> + '_ {
        let links = self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize;
        links.map(|link| (self.nodes[link], self.poses.get(link).copied()))
    }
}

/// Works out what some roles are sure of.
struct Backward<'a> {
    graph: &'a StateGraph,
    before: &'a Before,
    /// The states in which the game is over.
    ends: &'a [u32],
    limits: &'a Limits<'a>,
    roles: &'a [RoleId],
    work: usize,
}

impl Backward<'_> {
    /// About how many bytes it takes beside the graph, for so many roles together.
    fn bytes(graph: &StateGraph, together: usize) -> usize {
        let link = 4 + usize::from(graph.exchanges_roles());
        let state = graph.roles() * size_of::<Worth>() + together * (4 + size_of::<(u32, RoleId)>()) + 4;
        graph.moves() * link + graph.len() * state + graph.over() * 4
    }

    fn settle(mut self, worths: &mut Worths) -> Result<(), SolverError> {
        let mut goals: Vec<u8> = self.graph.outcomes().iter().flatten().map(|goal| goal.0).collect();
        goals.sort_unstable();
        goals.dedup();
        let mut missing = vec![Vec::new(); self.graph.roles()];
        for &role in self.roles {
            let asked = |node| self.missing(NodeId(node), role, true);
            missing[usize::from(role.0)] = (0..self.graph.len() as u32).map(asked).collect();
        }
        for &goal in goals.iter().rev().filter(|&&goal| goal > 0) {
            self.spread(goal, &mut missing, worths)?;
        }
        // What is left is worth nothing to the role: the others want it to be over, the role does not.
        for &role in self.roles {
            let missing = missing[usize::from(role.0)].iter_mut().enumerate();
            for (node, missing) in missing.filter(|(_, missing)| **missing != SETTLED) {
                *missing = self.missing(NodeId(node as u32), role, false);
                worths[usize::from(role.0)][node].steps = f32::INFINITY;
            }
        }
        self.spread(0, &mut missing, worths)
    }

    /// How many moves have to lead to what is asked for: one if the role chooses and it is the one who asks, or another
    /// chooses and it is the others who ask.
    fn missing(&self, node: NodeId, role: RoleId, is_own: bool) -> u32 {
        match self.graph.shape(node) {
            Shape::One(chooser) if (chooser == role) != is_own => self.graph.successors(node).len() as u32,
            _ => 1,
        }
    }

    /// From the ends at which roles get a goal to all states from which they come there.
    fn spread(&mut self, goal: u8, missing: &mut [Vec<u32>], worths: &mut Worths) -> Result<(), SolverError> {
        let (mut layer, mut next, mut steps) = (Vec::new(), Vec::new(), 0.0);
        let value = f32::from(goal);
        for &role in self.roles {
            let own = usize::from(role.0);
            for &node in self.ends {
                let gets = |goals: &[game::Goal]| goals[own].0 == goal;
                if matches!(self.graph.shape(NodeId(node)), Shape::Over(goals) if gets(goals)) {
                    missing[own][node as usize] = SETTLED;
                    worths[own][node as usize] = Worth { value, steps };
                    layer.push((node, role));
                }
            }
        }
        while !layer.is_empty() {
            steps += 1.0;
            for (node, role) in layer.drain(..) {
                let mut links = 1;
                for (before, pose) in self.before.links(node) {
                    links += 1;
                    let role = self.role_before(node, role, pose);
                    let missing = &mut missing[usize::from(role.0)][before as usize];
                    if *missing == SETTLED {
                        continue;
                    }
                    *missing -= 1;
                    if *missing == 0 {
                        *missing = SETTLED;
                        worths[usize::from(role.0)][before as usize] = Worth { value, steps };
                        next.push((before, role));
                    }
                }
                self.limits.spend(&mut self.work, links, self.graph.len())?;
            }
            std::mem::swap(&mut layer, &mut next);
        }
        Ok(())
    }

    /// The role that becomes a role of a state by a link to an image of it.
    fn role_before(&self, node: u32, role: RoleId, pose: Option<Pose>) -> RoleId {
        let Some(pose) = pose else { return role };
        let met = Met::of(NodeId(node), pose);
        let becomes = |before: &RoleId| self.graph.role(met, *before) == role;
        self.roles.iter().copied().find(becomes).unwrap_or(role)
    }
}
