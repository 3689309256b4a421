//! How promising a move looks: its mean and a bonus that falls with its visits.

use std::sync::LazyLock;

use super::tree::{Edge, UNIT};

/// What the score of a node's moves depends on beside themselves.
pub(crate) struct Ucb {
    pub(crate) roots: &'static Roots,
    pub(crate) role: usize,
    pub(crate) log: f32,
    pub(crate) factor: f32,
    /// What a move is worth none of whose visits has ended.
    pub(crate) usual: f32,
    pub(crate) tuned: bool,
    /// How many roles there are.
    pub(crate) roles: usize,
    /// The part of a heuristic that is backed up as minimax does, beside the mean.
    pub(crate) implicit: f32,
}

impl Ucb {
    /// The upper confidence bound of a move, with some visits more than it knows of.
    #[inline]
    pub(crate) fn score(&self, edge: Edge<'_>, more: u32) -> f32 {
        let (begun, ended) = edge.visits();
        let begun = begun + more;
        let mut bonus = self.bonus(begun);
        if self.tuned {
            let squares = edge.squares(self.roles);
            bonus *= tuned(self.mean(edge, ended), squares, ended, begun, self.log).sqrt();
        }
        self.value(edge, ended) + bonus
    }

    /// What is added to the mean of a move with so many visits.
    #[inline]
    pub(crate) fn bonus(&self, begun: u32) -> f32 {
        self.factor * self.roots.inverse_root(begun)
    }

    /// What a move is taken to be worth: its mean, and a part of what a heuristic says.
    #[inline]
    pub(crate) fn value(&self, edge: Edge<'_>, ended: u32) -> f32 {
        let mean = self.mean(edge, ended);
        if self.implicit == 0.0 {
            return mean;
        }
        edge.heuristic(self.role).map_or(mean, |known| mean + self.implicit * (known - mean))
    }

    #[inline]
    fn mean(&self, edge: Edge<'_>, ended: u32) -> f32 {
        if ended == 0 { self.usual } else { edge.worth(self.role) as f32 * self.roots.share(ended) }
    }
}

/// Numbers that are needed all the time: divisions and roots take as long as a dozen lookups.
pub(crate) struct Roots {
    allocation: [f32; KNOWN],
    inverse_roots: [f32; KNOWN],
    logs: [f32; KNOWN],
}

/// Beyond this the numbers are worked out: few moves have so many visits.
const KNOWN: usize = 2048;

pub(crate) static ROOTS: LazyLock<Box<Roots>> = LazyLock::new(|| {
    let table = |of: fn(u32) -> f32| std::array::from_fn(|number| of(number as u32));
    Box::new(Roots { allocation: table(share), inverse_roots: table(inverse_root), logs: table(log) })
});

fn share(visits: u32) -> f32 {
    1.0 / (visits.max(1) as f32 * UNIT as f32)
}

fn inverse_root(visits: u32) -> f32 {
    1.0 / (visits.max(1) as f32).sqrt()
}

pub(crate) fn log(visits: u32) -> f32 {
    (visits.max(1) as f32).ln()
}

impl Roots {
    #[inline]
    fn share(&self, visits: u32) -> f32 {
        self.allocation.get(visits as usize).copied().unwrap_or_else(|| share(visits))
    }

    #[inline]
    pub(crate) fn inverse_root(&self, visits: u32) -> f32 {
        self.inverse_roots.get(visits as usize).copied().unwrap_or_else(|| inverse_root(visits))
    }

    #[inline]
    pub(crate) fn log(&self, visits: u32) -> f32 {
        self.logs.get(visits as usize).copied().unwrap_or_else(|| log(visits))
    }
}

/// The variance that UCB1-tuned puts in place of 1, on a scale where 1/4 is the largest possible.
fn tuned(mean: f32, squares: u64, ended: u32, begun: u32, log: f32) -> f32 {
    let mean = mean / 100.0;
    let squares = squares as f32 / 10_000.0 / ended.max(1) as f32;
    let variance = (squares - mean * mean).max(0.0) + (2.0 * log / begun.max(1) as f32).sqrt();
    variance.min(0.25)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variance_of_ucb1_tuned_is_that_of_the_formula() {
        // A quarter each of 100, 100, 40 and 0: the mean is 60, the mean of squares 5400, the variance 0.54 - 0.36 = 0.18.
        let (mean, squares) = (60.0, |visits: u64| visits * 5400);
        let log = 100_000f32.ln();
        // sqrt(2 * 11.513 / 10,000) = 0.04799.
        let variance = tuned(mean, squares(10_000), 10_000, 10_000, log);
        assert!((variance - 0.227_99).abs() < 1e-4, "{variance}");
        // Visits that have begun count where it is asked how sure the variance is, not in the variance.
        let variance = tuned(mean, squares(10_000), 10_000, 40_000, log);
        assert!((variance - 0.203_99).abs() < 1e-4, "{variance}");
        // Of few visits so little is known that the variance may be as large as can be.
        assert_eq!(tuned(mean, squares(4), 4, 4, log), 0.25);
        // What never varies has what may still come only.
        let variance = tuned(100.0, 10_000 * 10_000, 10_000, 10_000, log);
        assert!((variance - 0.047_99).abs() < 1e-4, "{variance}");
    }
}
