//! Effective quality, by which MiNI-Player chooses the move to play (Świechowski, Mańdziuk and Ong 2014): what a
//! move is worth by the two upper levels of the tree.

use std::hash::Hash;

use game::Simulator;

use super::advice::Candidate;
use super::search::Search;
use super::tree::{Edge, Status, Tree, UNIT};

/// What a terminal position counts more than its value.
const TERMINAL: f64 = 1.01;

/// What lies behind a move.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Behind<'a> {
    /// The game is over.
    Terminal,
    /// So many moves of one's own, so many joint moves, and what those are worth that were tried.
    Open { own: f64, all: f64, tried: &'a [f64] },
    /// Nothing is known.
    Unknown,
}

/// The effective quality of a move with a mean (Table I): a shallow minimax where only others choose, or only we do,
/// and in between otherwise.
fn quality(mean: f64, behind: Behind<'_>) -> f64 {
    match behind {
        Behind::Terminal => TERMINAL * mean,
        Behind::Open { tried: [], .. } | Behind::Unknown => mean,
        Behind::Open { own, all, tried } => {
            let worst = tried.iter().copied().fold(f64::INFINITY, f64::min);
            let best = tried.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            match () {
                () if own == all => best,
                () if own == 1.0 => worst,
                () => (worst + mean) / 2.0,
            }
        }
    }
}

/// The effective quality of each move of a role at the root; its mean where others choose too.
fn qualities<State: Eq + Hash>(tree: &Tree<State>, role: usize) -> Vec<f64> {
    let Status::Open { block, mover } = tree.node(tree.root()).status() else { return Vec::new() };
    let of = |edge: Option<Edge<'_>>| {
        let Some(edge) = edge else { return 0.0 };
        let mean = edge.worth(role) as f64 / UNIT / f64::from(edge.visits().1.max(1));
        let child = tree.follow(edge.link()).filter(|_| mover.map(usize::from) == Some(role));
        let Some(child) = child else { return mean };
        match tree.node(child).status() {
            Status::Over => quality(mean, Behind::Terminal),
            Status::Open { block, mover } => {
                let block = tree.block(block);
                let counts = (0..tree.roles()).map(|role| block.edges(role).len() as f64);
                let tried: Vec<f64> = match mover {
                    Some(mover) => {
                        let edges = block.edges(usize::from(mover)).iter().flatten();
                        let edges = edges.filter(|edge| edge.visits().1 > 0);
                        edges
                            .map(|edge| edge.worth(role) as f64 / UNIT / f64::from(edge.visits().1))
                            .collect()
                    }
                    None => {
                        let nodes = tree.joint_children(&block).map(|child| tree.node(child));
                        nodes.filter(|node| node.visits().1 > 0).map(|node| node.mean(role)).collect()
                    }
                };
                let own = block.edges(role).len() as f64;
                quality(mean, Behind::Open { own, all: counts.product(), tried: &tried })
            }
            Status::Leaf | Status::Claimed => quality(mean, Behind::Unknown),
        }
    };
    tree.edges(block, role).iter().map(of).collect()
}

impl<G: Simulator> Search<G> {
    /// Takes moves to be worth their effective quality, over all trees by their visits.
    pub(super) fn judge_by_quality<T>(&self, trees: &[T], role: usize, candidates: &mut [Candidate])
    where
        T: std::ops::Deref<Target = Tree<G::State>>,
    {
        let mut sums = vec![(0.0, 0.0); candidates.len()];
        for tree in trees {
            let Some(own) = self.candidates(tree, tree.root(), role) else { continue };
            let qualities = qualities(tree, role);
            for ((sum, own), quality) in sums.iter_mut().zip(own).zip(qualities) {
                let visits = f64::from(own.visits);
                *sum = (sum.0 + visits * quality, sum.1 + visits);
            }
        }
        for (candidate, (sum, visits)) in candidates.iter_mut().zip(sums) {
            candidate.value = if visits > 0.0 { sum / visits } else { 0.0 };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quality_is_that_of_the_table() {
        let open = |own, all| Behind::Open { own, all, tried: &[20.0, 70.0] };
        assert_eq!(quality(50.0, Behind::Terminal), 50.5);
        assert_eq!(quality(50.0, open(1.0, 6.0)), 20.0, "only others choose");
        assert_eq!(quality(50.0, open(6.0, 6.0)), 70.0, "only we do");
        assert_eq!(quality(50.0, open(2.0, 6.0)), 35.0, "(20 + 50) / 2");
        assert_eq!(quality(50.0, open(1.0, 1.0)), 70.0, "there is but one");
        assert_eq!(quality(50.0, Behind::Unknown), 50.0);
    }
}
