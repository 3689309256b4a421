//! Move-average sampling (Finnsson and Björnsson 2008): a move that did well elsewhere is likely to
//! do well here.
//!
//! For every move the mean goal of its role is kept over all simulations in which it was made, in
//! the tree or in the playout, whatever the position. Moves never made are taken to be worth
//! `unseen`. The paper samples by Gibbs; the greedy form (Tak, Winands and Björnsson 2012) takes the
//! best move and now and then any.

use std::sync::Arc;

use game::{MoveId, MoveRecord};

use super::{Guide, Policy, Style};
use crate::Parameters;

/// How each move fared.
#[derive(Debug)]
pub(super) struct Mast {
    counts: Vec<f64>,
    sums: Vec<f64>,
    unseen: f32,
    temperature: f32,
    epsilon: Option<f32>,
    decay: f64,
    /// The means, until something is learned.
    worth: Option<Arc<[f32]>>,
}

impl Mast {
    pub(super) fn gibbs(parameters: &Parameters) -> Self {
        Self {
            counts: Vec::new(),
            sums: Vec::new(),
            unseen: parameters.unseen as f32,
            temperature: parameters.tau as f32,
            epsilon: None,
            decay: parameters.decay,
            worth: None,
        }
    }

    pub(super) fn greedy(parameters: &Parameters) -> Self {
        Self { epsilon: Some(parameters.epsilon as f32), ..Self::gibbs(parameters) }
    }

    fn add(&mut self, index: usize, count: f64, sum: f64) {
        if index >= self.counts.len() {
            self.counts.resize(index + 1, 0.0);
            self.sums.resize(index + 1, 0.0);
        }
        self.counts[index] += count;
        self.sums[index] += sum;
        self.worth = None;
    }

    fn worth(&mut self) -> Arc<[f32]> {
        let (unseen, counts, sums) = (self.unseen, &self.counts, &self.sums);
        let mean = |(&count, &sum): (&f64, &f64)| if count > 0.0 { (sum / count) as f32 } else { unseen };
        Arc::clone(self.worth.get_or_insert_with(|| counts.iter().zip(sums).map(mean).collect()))
    }
}

impl Policy for Mast {
    fn wants_moves(&self) -> bool {
        true
    }

    fn learn_playouts(&mut self, moves: &MoveRecord) {
        for (index, (&count, &sum)) in moves.playouts.iter().zip(&moves.goals).enumerate() {
            if count > 0 {
                self.add(index, f64::from(count), sum as f64);
            }
        }
    }

    fn learn_move(&mut self, id: MoveId, times: u32, goals: f64) {
        self.add(id.0 as usize, f64::from(times), goals);
    }

    fn guide(&mut self) -> Guide {
        Guide::Gibbs { worth: self.worth(), unseen: self.unseen, temperature: self.temperature }
    }

    fn style(&mut self) -> Style {
        let (worth, unseen) = (self.worth(), self.unseen);
        match self.epsilon {
            Some(epsilon) => Style::Greedy { worth, unseen, epsilon },
            None => Style::Gibbs { worth, unseen, temperature: self.temperature },
        }
    }

    fn age(&mut self) {
        for value in self.counts.iter_mut().chain(&mut self.sums) {
            *value *= self.decay;
        }
        self.worth = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_over_tree_and_playouts() {
        let mut mast = Mast::gibbs(&Parameters::default());
        mast.learn_move(MoveId(2), 1, 100.0);
        let mut record = MoveRecord::default();
        record.add(MoveId(2), 3, 0);
        record.add(MoveId(0), 1, 50);
        mast.learn_playouts(&record);
        assert_eq!(&mast.worth()[..], [50.0, 100.0, 25.0]);
    }

    #[test]
    fn age_keeps_means_and_forgets_counts() {
        let mut mast = Mast::greedy(&Parameters { decay: 0.5, ..Parameters::default() });
        mast.learn_move(MoveId(0), 2, 120.0);
        mast.age();
        assert_eq!(&mast.worth()[..], [60.0]);
        mast.learn_move(MoveId(0), 1, 0.0);
        assert_eq!(&mast.worth()[..], [30.0]);
    }
}
