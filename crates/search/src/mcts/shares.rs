//! Sharing visits out among the moves of a node, as if one after the other chose.

use super::gauge::Gauge;
use super::tree::Edges;

/// The place and value of the first highest score, and the value of the next.
pub(crate) fn highest(scores: &[f32]) -> (usize, f32, f32) {
    let (mut place, mut best, mut second) = (0, f32::NEG_INFINITY, f32::NEG_INFINITY);
    for (here, &score) in scores.iter().enumerate() {
        second = second.max(score.min(best));
        if score > best {
            (place, best) = (here, score);
        }
    }
    (place, best, second)
}

/// How visits are shared out among moves.
#[derive(Debug, Default)]
pub(crate) struct Shares {
    pub(crate) counts: Vec<u32>,
    pub(crate) scores: Vec<f32>,
    /// What the moves had before.
    pub(crate) means: Vec<f32>,
    pub(crate) begun: Vec<u32>,
}

impl Shares {
    pub(crate) fn clear(&mut self, moves: usize) {
        self.counts.clear();
        self.counts.resize(moves, 0);
        self.scores.clear();
        self.means.clear();
        self.begun.clear();
    }

    pub(crate) fn give(&mut self, place: usize, visits: u32) {
        self.counts[place] += visits;
    }

    /// Reads how the moves stand.
    pub(crate) fn measure(&mut self, gauge: &Gauge, edges: Edges<'_>) {
        for (edge, &given) in edges.iter().zip(&self.counts) {
            let (begun, ended) = edge.visits();
            self.begun.push(begun);
            self.means.push(gauge.mean(edge, ended));
            self.scores.push(gauge.score(edge, given));
        }
    }

    /// How many visits a move takes until its score falls to a limit: the bonus falls with the root
    /// of the visits. Where the mean alone is above the limit it takes all, also if there is none.
    #[inline]
    pub(crate) fn visits_above(&self, gauge: &Gauge, place: usize, limit: f32) -> u32 {
        let root = gauge.factor / (limit - self.means[place]);
        let has = self.begun[place] + self.counts[place];
        if root > 0.0 { ((root * root) as u32).saturating_sub(has) } else { u32::MAX }
    }

    /// Gives away a part of many visits at once: what all moves take until the highest score is down
    /// to some level goes to them in whatever order. How many were given; none where the level chosen
    /// is too low.
    pub(crate) fn give_many(&mut self, gauge: &Gauge, most: u32) -> u32 {
        let highest = self.scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        // How quickly visits go as the level falls, if all moves are at the highest score. They go
        // quicker the lower it is, so this takes half of what would be right at first.
        let taken = self.begun.iter().zip(&self.counts).map(|(&begun, &given)| {
            let visits = (begun + given) as f32;
            visits * visits.sqrt()
        });
        let level = highest - 0.25 * most as f32 * gauge.factor / taken.sum::<f32>();
        let above = |shares: &Self, place: usize| match shares.scores[place] > level {
            true => shares.visits_above(gauge, place, level),
            false => 0,
        };
        let all = (0..self.scores.len()).fold(0u32, |all, place| all.saturating_add(above(self, place)));
        if all == 0 || all > most {
            return 0;
        }
        for place in 0..self.scores.len() {
            let given = above(self, place);
            if given > 0 {
                self.give(place, given);
                self.scores[place] = self.means[place] + gauge.bonus(self.begun[place] + self.counts[place]);
            }
        }
        all
    }

    /// The moves that got visits, by place, and how many.
    pub(crate) fn given(&self) -> impl Iterator<Item = (usize, u32)> {
        self.counts.iter().copied().enumerate().filter(|&(_, visits)| visits > 0)
    }
}

#[cfg(test)]
mod tests {
    use game::Dice;

    use super::*;
    use crate::mcts::gauge::{ROOTS, log};

    /// Shares out among moves that stand as told, many at a time or one by one.
    fn shared_out(means: &[f32], begun: &[u32], visits: u32, at_once: bool) -> Vec<u32> {
        let log = log(begun.iter().sum::<u32>() + visits);
        let factor = 40.0 * log.sqrt();
        let gauge = Gauge { roots: &ROOTS, role: 0, log, factor, usual: 50.0, tuned: false };
        let scores = means.iter().zip(begun).map(|(mean, &begun)| mean + gauge.bonus(begun)).collect();
        let counts = vec![0; means.len()];
        let mut shares = Shares { counts, scores, means: means.to_vec(), begun: begun.to_vec() };
        let mut left = visits;
        while left > 0 {
            if at_once {
                left -= shares.give_many(&gauge, left);
            }
            if left > 0 {
                let (place, ..) = highest(&shares.scores);
                shares.give(place, 1);
                shares.scores[place] = means[place] + gauge.bonus(begun[place] + shares.counts[place]);
                left -= 1;
            }
        }
        shares.counts
    }

    #[test]
    fn many_at_once_are_as_one_by_one() {
        let mut dice = Dice::stream(7, 0);
        for round in 0..500 {
            let moves = 2 + dice.below(30);
            let means: Vec<f32> = (0..moves).map(|_| 100.0 * dice.unit() as f32).collect();
            let begun: Vec<u32> = (0..moves).map(|_| 1 + dice.below(200) as u32).collect();
            let visits = 1 + dice.below(600) as u32;
            let quick = shared_out(&means, &begun, visits, true);
            let slow = shared_out(&means, &begun, visits, false);
            assert_eq!(quick.iter().sum::<u32>(), visits);
            // Rounding may give a visit to another of two moves whose scores are the same.
            let apart: u32 = quick.iter().zip(&slow).map(|(quick, slow)| quick.abs_diff(*slow)).sum();
            assert!(apart <= 2, "round {round}: {quick:?} is not {slow:?}");
        }
    }
}
