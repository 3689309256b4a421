//! What playouts brought: of each leaf, and of each step on the paths there.

use super::paths::{Leaf, Step};

/// Playouts longer than this are discounted as if they had this length.
const LONGEST_DISCOUNTED: usize = 4096;

/// What the visits of each step brought the roles: sums over visits.
#[derive(Debug, Default)]
pub(crate) struct Returns {
    pub(crate) roles: usize,
    sums: Vec<f64>,
    /// Of squares, if they are wanted.
    pub(crate) squares: Vec<f64>,
}

impl Returns {
    pub(crate) fn reset(&mut self, roles: usize, steps: usize, squares: bool) {
        self.roles = roles;
        self.sums.clear();
        self.sums.resize(roles * steps, 0.0);
        self.squares.clear();
        self.squares.resize(if squares { roles * steps } else { 0 }, 0.0);
    }

    pub(crate) fn of(&self, step: usize) -> &[f64] {
        &self.sums[step * self.roles..][..self.roles]
    }

    /// Adds visits of a leaf, worth the mean `values` (0 to 100), to its last step.
    pub(crate) fn add(&mut self, leaf: &Leaf, values: &[f64], discount: f64) {
        let Some(step) = leaf.step else { return };
        let first = step.index() * self.roles;
        let visits = f64::from(leaf.visits);
        for (role, value) in values.iter().map(|value| value * discount).enumerate() {
            self.sums[first + role] += value * visits;
            if let Some(squares) = self.squares.get_mut(first + role) {
                *squares += value * value * visits;
            }
        }
    }

    /// Adds what a step brought to the step before it.
    pub(crate) fn pass_on(&mut self, index: usize, step: &Step, discount: f64) {
        let Some(before) = step.before else { return };
        // Steps come after those before them.
        let pass = |all: &mut [f64], roles: usize, factor: f64| {
            let (earlier, later) = all.split_at_mut(index * roles);
            let target = &mut earlier[before.index() * roles..][..roles];
            target.iter_mut().zip(later).for_each(|(sum, more)| *sum += *more * factor);
        };
        pass(&mut self.sums, self.roles, discount);
        if !self.squares.is_empty() {
            pass(&mut self.squares, self.roles, discount * discount);
        }
    }
}

/// The powers of the discount, as many as are told apart.
pub(crate) fn powers(discount: f64) -> Vec<f64> {
    let lengths = if discount == 1.0 { 1 } else { LONGEST_DISCOUNTED };
    std::iter::successors(Some(1.0), |power| Some(power * discount)).take(lengths).collect()
}
