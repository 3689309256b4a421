//! The moves of simulations in order: what came before a leaf, and what a policy learns from all of it.

use std::hash::Hash;

use game::{FactId, Game, Goal, Job, Lists, MoveId, Simulator};

use super::descend::Trail;
use super::leaf::LeafValues;
use super::link::joint_move;
use super::paths::{End, Leaf, Paths, StepId};
use super::policy::{FactNames, Needs, Policy, Sequence};
use super::tree::{Status, Tree};

/// The joint moves from the root to the end of a path, in order: the last ones, at most so many.
pub(crate) fn way_to<State: Eq + Hash>(
    tree: &Tree<State>,
    paths: &Paths,
    last: Option<StepId>,
    most: usize,
    out: &mut Vec<MoveId>,
) {
    let mut steps: Vec<_> = paths.up(last).take(most).collect();
    steps.reverse();
    steps.into_iter().for_each(|id| joint_move(tree, paths, paths.step(id), out));
}

/// What led to each leaf that is played out, as far as a policy asks for it.
#[derive(Debug, Default)]
pub(crate) struct Before {
    moves: Vec<MoveId>,
    /// Where those of each leaf end.
    ends: Vec<usize>,
}

impl Before {
    /// Notes the last joint moves before each leaf that is played out, at most so many.
    pub(crate) fn note<State: Eq + Hash>(&mut self, tree: &Tree<State>, trail: &Trail, most: usize) {
        self.moves.clear();
        self.ends.clear();
        if most == 0 {
            return;
        }
        for leaf in trail.leaves.iter().filter(|leaf| leaf.is_played()) {
            way_to(tree, &trail.paths, leaf.step, most, &mut self.moves);
            self.ends.push(self.moves.len());
        }
    }

    /// Tells the jobs, which are those of the leaves in order.
    pub(crate) fn tell<'a, G: Game>(&'a self, jobs: &mut [Job<'a, G::State>]) {
        let mut start = 0;
        for (job, &end) in jobs.iter_mut().zip(&self.ends) {
            job.before = &self.moves[start..end];
            start = end;
        }
    }
}

/// What a policy is told of simulations, with room for one.
#[derive(Debug, Default)]
pub(crate) struct Lesson {
    moves: Vec<MoveId>,
    choices: Lists<MoveId>,
    facts: Lists<FactId>,
    state_facts: Vec<FactId>,
}

impl Lesson {
    /// Tells a policy all simulations of a batch, with the moves made in the tree.
    pub(crate) fn teach<G: Simulator>(
        &mut self,
        policy: &mut dyn Policy,
        game: &G,
        tree: &Tree<G::State>,
        trail: &Trail,
        values: &LeafValues,
    ) {
        let needs = policy.needs();
        let roles = tree.roles();
        let mut reader = values.read();
        let names = Names(game);
        let names = needs.facts.then_some(&names as &dyn FactNames);
        for leaf in &trail.leaves {
            let playouts = match leaf.end {
                End::New | End::Again => reader.next(leaf).playouts(),
                End::Proven => 0..0,
                End::Unlisted | End::Waiting | End::Nowhere => continue,
            };
            self.begin(game, tree, trail, leaf, needs);
            let (tree_moves, lists, states) = (self.moves.len(), self.choices.len(), self.facts.len());
            let in_tree = tree_moves / roles;
            // Games that end inside the tree teach as much as those that are played out.
            if leaf.end == End::Proven {
                let node = tree.node(leaf.node);
                let goal = |role| match node.bounds(role) {
                    bounds if bounds.is_exact() => Goal(bounds.lower),
                    _ => Goal(node.mean(role).round() as u8),
                };
                let goals: Vec<Goal> = (0..roles).map(goal).collect();
                let Self { moves, choices, facts, .. } = &*self;
                for _ in 0..leaf.visits {
                    policy.learn_sequence(&Sequence { moves, goals: &goals, choices, facts, names, in_tree });
                }
            }
            for playout in playouts {
                self.moves.truncate(tree_moves);
                self.choices.truncate(lists);
                self.facts.truncate(states);
                let outcomes = &values.outcomes;
                let played = outcomes.sequences.of(playout);
                self.moves.extend_from_slice(played);
                let first = outcomes.sequences.before(playout);
                if needs.choices {
                    let lists = first..first + played.len();
                    lists.for_each(|list| self.choices.push(outcomes.choices.get(list).iter().copied()));
                }
                if needs.facts {
                    let states = first / roles..(first + played.len()) / roles;
                    states.for_each(|list| self.facts.push(outcomes.facts.get(list).iter().copied()));
                }
                let Self { moves, choices, facts, .. } = &*self;
                let goals = outcomes.goals(playout);
                policy.learn_sequence(&Sequence { moves, goals, choices, facts, names, in_tree });
            }
        }
    }

    /// Begins with the moves from the root to a leaf.
    fn begin<G: Simulator>(
        &mut self,
        game: &G,
        tree: &Tree<G::State>,
        trail: &Trail,
        leaf: &Leaf,
        needs: Needs,
    ) {
        self.moves.clear();
        self.choices.clear();
        self.facts.clear();
        way_to(tree, &trail.paths, leaf.step, usize::MAX, &mut self.moves);
        if !needs.choices && !needs.facts {
            return;
        }
        let mut steps: Vec<_> = trail.paths.up(leaf.step).collect();
        steps.reverse();
        for id in steps {
            let node = trail.paths.step(id).node;
            if let Status::Open { block, .. } = tree.node(node).status() {
                for role in 0..tree.roles() {
                    let edges = tree.edges(block, role);
                    self.choices.push((0..edges.len()).map(|place| edges.id(place)));
                }
            }
            if needs.facts {
                self.state_facts.clear();
                if let Some(state) = tree.state(node) {
                    game.list_facts(state, &mut self.state_facts);
                }
                self.facts.push(self.state_facts.iter().copied());
            }
        }
    }
}

/// How a game writes its facts.
struct Names<'a, G>(&'a G);

impl<G> std::fmt::Debug for Names<'_, G> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("Names")
    }
}

impl<G: Simulator> FactNames for Names<'_, G> {
    fn text(&self, fact: FactId) -> String {
        self.0.fact_text(fact)
    }
}
