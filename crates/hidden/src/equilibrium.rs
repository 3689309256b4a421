//! Counterfactual regret minimisation: play that nobody can take much advantage of.
//!
//! Every information set keeps how much its role regrets not to have made each move, and plays moves by their
//! regret. What is played on average approaches an equilibrium in games of two roles in which one loses what
//! the other wins (Zinkevich et al. 2007). This is the variant CFR+ (Tammelin 2014): roles take turns, regret
//! does not fall below zero, and later rounds count more in the average.

use game::{Game, RoleId};

use crate::game_tree::{GameTree, Node, NodeId, SetId};
use crate::{InformationSet, Sampling};

/// A way to play a tree, as far as it is found.
#[derive(Clone, Debug)]
pub struct Equilibrium {
    /// For each move of each information set: the regret so far.
    regrets: Vec<f64>,
    /// What is added to it in this round.
    changes: Vec<f64>,
    /// How moves are chosen in this round.
    current: Vec<f64>,
    /// The sum of all rounds.
    sums: Vec<f64>,
    rounds: u64,
    deciders: Vec<RoleId>,
}

impl Equilibrium {
    /// Nothing is known yet: all moves are equally likely. The tree has to be complete.
    pub fn new<G: Game>(tree: &GameTree<G>) -> Self {
        let count = tree.move_count;
        Self {
            regrets: vec![0.0; count],
            changes: vec![0.0; count],
            current: vec![0.0; count],
            sums: vec![0.0; count],
            rounds: 0,
            deciders: tree.sets.iter().fold(Vec::new(), |mut all, set| {
                if !all.contains(&set.role) {
                    all.push(set.role);
                }
                all
            }),
        }
    }

    /// Play that somebody else has found: shares for the moves of an information set. Where there are none, or others, all
    /// moves are equally likely.
    pub fn playing<G: Game>(
        tree: &GameTree<G>,
        shares: impl Fn(&InformationSet) -> Option<Vec<f64>>,
    ) -> Self {
        let mut this = Self::new(tree);
        for set in &tree.sets {
            if let Some(shares) = shares(set).filter(|shares| shares.len() == set.moves.len()) {
                this.sums[set.first..set.first + shares.len()].copy_from_slice(&shares);
            }
        }
        this
    }

    /// What was learnt from samples. The tree has to share the views.
    pub fn of_samples<G: Game>(tree: &GameTree<G>, sampling: &Sampling) -> Self {
        Self::playing(tree, |set| {
            let (moves, shares, _) = sampling.average(set.role, set.view)?;
            (*moves == set.moves[..]).then_some(shares)
        })
    }

    /// How many rounds there were.
    pub fn rounds(&self) -> u64 {
        self.rounds
    }

    /// One more round: every role learns once.
    pub fn learn<G: Game>(&mut self, tree: &GameTree<G>) {
        self.rounds += 1;
        for role in self.deciders.clone() {
            self.choose(tree);
            self.changes.fill(0.0);
            let mut walk = Walk { tree, this: self, role };
            walk.value(NodeId(0), 1.0, 1.0);
            for (regret, change) in self.regrets.iter_mut().zip(&self.changes) {
                *regret = (*regret + change).max(0.0);
            }
        }
    }

    /// Sets what is played in this round: moves by their regret.
    fn choose<G: Game>(&mut self, tree: &GameTree<G>) {
        for set in &tree.sets {
            let moves = set.first..set.first + set.moves.len();
            by_weight(&self.regrets[moves.clone()], &mut self.current[moves]);
        }
    }

    /// What is played on average in an information set.
    pub(crate) fn average<G: Game>(&self, tree: &GameTree<G>, set: SetId) -> Vec<f64> {
        let sums = &self.sums[tree.moves_of(set)];
        let mut average = vec![0.0; sums.len()];
        by_weight(sums, &mut average);
        average
    }

    /// What is played on average, for each move of each information set.
    pub(crate) fn averages<G: Game>(&self, tree: &GameTree<G>) -> Vec<f64> {
        let mut averages = vec![0.0; self.sums.len()];
        for set in &tree.sets {
            let moves = set.first..set.first + set.moves.len();
            by_weight(&self.sums[moves.clone()], &mut averages[moves]);
        }
        averages
    }
}

/// Shares by weight; equal ones if nothing weighs.
fn by_weight(weights: &[f64], out: &mut [f64]) {
    let total: f64 = weights.iter().sum();
    let equal = 1.0 / weights.len().max(1) as f64;
    for (share, weight) in out.iter_mut().zip(weights) {
        *share = if total > 0.0 { weight / total } else { equal };
    }
}

struct Walk<'a, G: Game> {
    tree: &'a GameTree<G>,
    this: &'a mut Equilibrium,
    role: RoleId,
}

impl<G: Game> Walk<'_, G> {
    /// What a node is worth to the role that learns. `own` and `others` say how likely it is to come here, as far
    /// as it depends on the role and on everybody else.
    fn value(&mut self, node: NodeId, own: f64, others: f64) -> f64 {
        match self.tree.node(node) {
            Node::End(end) => self.tree.end(end, self.role),
            Node::Open => 0.0,
            Node::Chance { first, count } => {
                let share = 1.0 / f64::from(count);
                let children = self.tree.children(first, count as usize);
                children.iter().map(|&child| share * self.value(child, own, others * share)).sum()
            }
            Node::Decision { set, first } => {
                let moves = self.tree.moves_of(set);
                let children = self.tree.children(first, moves.len());
                if self.tree.sets[set.0 as usize].role != self.role {
                    let mut value = 0.0;
                    for (&child, place) in children.iter().zip(moves) {
                        let share = self.this.current[place];
                        // What the role plays counts in its average also where nobody leads it in this round.
                        if share > 0.0 || own > 0.0 {
                            value += share * self.value(child, own, others * share);
                        }
                    }
                    return value;
                }
                if own == 0.0 && others == 0.0 {
                    return 0.0;
                }
                let mut values = Vec::with_capacity(children.len());
                let mut value = 0.0;
                for (&child, place) in children.iter().zip(moves.clone()) {
                    let share = self.this.current[place];
                    let worth = self.value(child, own * share, others);
                    value += share * worth;
                    values.push(worth);
                }
                let weight = self.this.rounds as f64 * own;
                for (place, worth) in moves.zip(values) {
                    self.this.changes[place] += others * (worth - value);
                    self.this.sums[place] += weight * self.this.current[place];
                }
                value
            }
        }
    }
}
