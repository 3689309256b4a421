//! Exp3 (Auer et al. 2002), as in Lanctot, Lisý and Winands (2014): what a move brought is divided by how likely
//! it was made, moves are drawn by the exponentials of the sums, and a part of the choices is made at random.

use super::normalised;

/// What a role knows of its moves.
#[derive(Clone, Debug)]
pub(super) struct Weights {
    /// Of each move, what it brought divided by how likely it was.
    rewards: Vec<f64>,
    /// Of each move, the sum over all visits of how likely it was.
    strategies: Vec<f64>,
}

impl Weights {
    pub(super) fn new(moves: usize) -> Self {
        Self { rewards: vec![0.0; moves], strategies: vec![0.0; moves] }
    }

    /// How many numbers it holds.
    pub(super) fn numbers(&self) -> usize {
        self.rewards.len() + self.strategies.len()
    }

    /// How likely each move is tried. With K moves, a part g at random and sums X that is
    /// (1 - g) exp(g X / K) / sum exp(g X' / K) + g / K.
    pub(super) fn strategy(&self, random_part: f64) -> Vec<f64> {
        let moves = self.rewards.len() as f64;
        let rate = random_part / moves;
        let most = self.rewards.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let weights = normalised(self.rewards.iter().map(|reward| (rate * (reward - most)).exp()).collect());
        weights.into_iter().map(|weight| (1.0 - random_part) * weight + rate).collect()
    }

    /// Learns what a move brought that was so likely when it was chosen.
    pub(super) fn learn(&mut self, place: usize, reward: f64, likelihood: f64, random_part: f64) {
        let strategy = self.strategy(random_part);
        self.strategies.iter_mut().zip(strategy).for_each(|(sum, part)| *sum += part);
        self.rewards[place] += reward / likelihood;
    }

    /// How likely each move was over all visits, without what was made at random.
    pub(super) fn mean_strategy(&self, random_part: f64) -> Vec<f64> {
        let random = random_part / self.strategies.len() as f64;
        let means = normalised(self.strategies.clone());
        normalised(means.into_iter().map(|part| (part - random).max(0.0)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_those_of_the_paper() {
        let mut weights = Weights::new(2);
        assert_eq!(weights.strategy(0.5), [0.5, 0.5]);
        // A reward of 1 at a likelihood of 1/2 counts 2; g/K = 1/4: e^0.5 / (e^0.5 + 1) = 0.62246.
        weights.learn(0, 1.0, 0.5, 0.5);
        let strategy = weights.strategy(0.5);
        assert!((strategy[0] - (0.5 * 0.622_459_331 + 0.25)).abs() < 1e-9, "{strategy:?}");
        assert!((strategy.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        // The other move brings 0.5 at 0.43877: it counts 1.13955, and 2 - 1.13955 = 0.86045 is left.
        weights.learn(1, 0.5, strategy[1], 0.5);
        let difference = 2.0 - 0.5 / strategy[1];
        let expected = 0.5 / (1.0 + (-0.25 * difference).exp()) + 0.25;
        assert!((weights.strategy(0.5)[0] - expected).abs() < 1e-12);
    }

    #[test]
    fn what_was_made_at_random_does_not_count() {
        let mut weights = Weights::new(2);
        // The first visit is made with (0.5, 0.5), the second with (0.561230, 0.438770).
        weights.learn(0, 1.0, 0.5, 0.5);
        weights.learn(0, 0.0, 0.5, 0.5);
        // Means 0.530615 and 0.469385, less 1/4 each: 0.280615 and 0.219385 of 0.5.
        let mean = weights.mean_strategy(0.5);
        assert!((mean[0] - 0.561_230).abs() < 1e-5, "{mean:?}");
        assert!((mean[1] - 0.438_770).abs() < 1e-5, "{mean:?}");
        assert_eq!(Weights::new(4).mean_strategy(0.5), [0.25; 4], "nothing is known");
    }

    #[test]
    fn sums_may_grow_for_ever() {
        let mut weights = Weights::new(2);
        weights.learn(1, 1e9, 1.0, 0.1);
        let strategy = weights.strategy(0.1);
        assert!((strategy[0] - 0.05).abs() < 1e-12 && (strategy[1] - 0.95).abs() < 1e-12, "{strategy:?}");
    }
}
