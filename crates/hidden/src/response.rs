//! The best that a role can do against what the others play, and so how far play is from an equilibrium.

use game::{Game, MoveId, RoleId};
use rustc_hash::FxHashMap;

use crate::game_tree::{GameTree, Node, NodeId, SetId};
use crate::{Equilibrium, InformationSet, View};

/// What a role does that knows how the others play.
#[derive(Clone, Debug)]
pub struct BestAnswer {
    /// What it gets, 0 to 1.
    pub worth: f64,
    /// Its move wherever it decides.
    pub moves: FxHashMap<View, MoveId>,
}

impl<G: Game> GameTree<G> {
    /// What each role gets when all play what was found, 0 to 1.
    pub fn values(&self, equilibrium: &Equilibrium) -> Vec<f64> {
        let play = equilibrium.averages(self);
        let value = |role| {
            let mut values = vec![f64::NAN; self.nodes.len()];
            self.value(NodeId(0), role, &play, &[], &mut values)
        };
        (0..self.roles as u16).map(|role| value(RoleId(role))).collect()
    }

    /// By how much roles could do better against what was found, on average over those that decide, 0 to 1. In an
    /// equilibrium it is 0.
    pub fn exploitability(&self, equilibrium: &Equilibrium) -> f64 {
        let play = equilibrium.averages(self);
        let deciders = self.deciders();
        let gain = |&role: &RoleId| {
            let mut values = vec![f64::NAN; self.nodes.len()];
            let value = self.value(NodeId(0), role, &play, &[], &mut values);
            self.best_response(role, &play) - value
        };
        deciders.iter().map(gain).sum::<f64>() / deciders.len().max(1) as f64
    }

    /// The best that a role can do against what the others play.
    pub fn best_answer(&self, equilibrium: &Equilibrium, role: RoleId) -> BestAnswer {
        let (worth, choices) = self.best_choices(role, &equilibrium.averages(self));
        let own = self.sets.iter().zip(choices).filter(|(set, _)| set.role == role);
        BestAnswer { worth, moves: own.map(|(set, choice)| (set.view, set.moves[choice as usize])).collect() }
    }

    /// The most that a role can get against what the others play, 0 to 1.
    fn best_response(&self, role: RoleId, play: &[f64]) -> f64 {
        self.best_choices(role, play).0
    }

    /// The same with the places of the moves in all information sets.
    fn best_choices(&self, role: RoleId, play: &[f64]) -> (f64, Vec<u32>) {
        let reach = self.reach(role, play);
        let mut nodes_of: Vec<Vec<NodeId>> = vec![Vec::new(); self.sets.len()];
        for (place, node) in self.nodes.iter().enumerate() {
            if let Node::Decision { set, .. } = node {
                nodes_of[set.0 as usize].push(NodeId(place as u32));
            }
        }
        let own = |set: &&(usize, &InformationSet)| set.1.role == role;
        let mut sets: Vec<(usize, &InformationSet)> = self.sets.iter().enumerate().collect();
        sets.retain(|set| own(&set));
        // Later decisions first: what comes of a move is then known.
        sets.sort_by_key(|(_, set)| std::cmp::Reverse(set.depth));
        let mut choices = vec![0; self.sets.len()];
        let mut values = vec![f64::NAN; self.nodes.len()];
        for (place, set) in sets {
            let mut best = (f64::NEG_INFINITY, 0);
            for option in 0..set.moves.len() {
                let mut worth = 0.0;
                for &node in &nodes_of[place] {
                    let Node::Decision { first, .. } = self.node(node) else { continue };
                    let child = self.children(first, set.moves.len())[option];
                    let weight = reach[node.0 as usize];
                    if weight > 0.0 {
                        worth += weight * self.value(child, role, play, &choices, &mut values);
                    }
                }
                if worth > best.0 {
                    best = (worth, option as u32);
                }
            }
            choices[place] = best.1;
        }
        (self.value(NodeId(0), role, play, &choices, &mut values), choices)
    }

    /// How likely each node is, as far as it does not depend on a role.
    fn reach(&self, role: RoleId, play: &[f64]) -> Vec<f64> {
        let mut reach = vec![0.0; self.nodes.len()];
        reach[0] = 1.0;
        // Children come after their parents.
        for place in 0..self.nodes.len() {
            let here = reach[place];
            match self.nodes[place] {
                Node::Chance { first, count } => {
                    for &child in self.children(first, count as usize) {
                        reach[child.0 as usize] = here / f64::from(count);
                    }
                }
                Node::Decision { set, first } => {
                    let moves = self.moves_of(set);
                    let is_own = self.sets[set.0 as usize].role == role;
                    for (&child, option) in self.children(first, moves.len()).iter().zip(moves) {
                        reach[child.0 as usize] = if is_own { here } else { here * play[option] };
                    }
                }
                Node::End(_) | Node::Open => {}
            }
        }
        reach
    }

    /// What a node is worth to a role. Its own moves are those of `choices`, or as `play` says if there are none.
    fn value(&self, node: NodeId, role: RoleId, play: &[f64], choices: &[u32], values: &mut [f64]) -> f64 {
        let known = values[node.0 as usize];
        if !known.is_nan() {
            return known;
        }
        let value = match self.node(node) {
            Node::End(end) => self.end(end, role),
            Node::Open => 0.0,
            Node::Chance { first, count } => {
                let children = self.children(first, count as usize);
                let sum: f64 =
                    children.iter().map(|&child| self.value(child, role, play, choices, values)).sum();
                sum / f64::from(count)
            }
            Node::Decision { set, first } => {
                let moves = self.moves_of(set);
                let children = self.children(first, moves.len());
                match choices.get(set.0 as usize).filter(|_| self.is_of(set, role)) {
                    Some(&choice) => self.value(children[choice as usize], role, play, choices, values),
                    None => {
                        let mut value = 0.0;
                        for (&child, option) in children.iter().zip(moves) {
                            if play[option] > 0.0 {
                                value += play[option] * self.value(child, role, play, choices, values);
                            }
                        }
                        value
                    }
                }
            }
        };
        values[node.0 as usize] = value;
        value
    }

    fn is_of(&self, set: SetId, role: RoleId) -> bool {
        self.sets[set.0 as usize].role == role
    }
}
