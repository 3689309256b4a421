//! Regret matching (Hart and Mas-Colell 2000) in the tree, as in Lanctot, Lisý and Winands (2014): a role sums up
//! how much more other moves would have brought it against the same moves of the others, and makes moves in
//! proportion to these regrets where they are above 0.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::normalised;

/// What a role knows of its moves.
#[derive(Clone, Debug)]
pub(super) struct Regrets {
    /// Of each move, how much more it would have brought than what was made.
    sums: Vec<f64>,
    /// Of each move, the sum over all visits of how likely it was.
    strategies: Vec<f64>,
}

impl Regrets {
    pub(super) fn new(moves: usize) -> Self {
        Self { sums: vec![0.0; moves], strategies: vec![0.0; moves] }
    }

    /// How many numbers it holds.
    pub(super) fn numbers(&self) -> usize {
        self.sums.len() + self.strategies.len()
    }

    /// How likely each move is made, what is made at random apart.
    pub(super) fn strategy(&self) -> Vec<f64> {
        normalised(self.sums.iter().map(|regret| regret.max(0.0)).collect())
    }

    /// Learns what a move brought, and what the others would have brought, as far as that is known: what was
    /// never tried is not regretted.
    pub(super) fn learn(&mut self, made: usize, reward: f64, others: impl Fn(usize) -> Option<f64>) {
        let strategy = self.strategy();
        self.strategies.iter_mut().zip(strategy).for_each(|(sum, part)| *sum += part);
        for (place, regret) in self.sums.iter_mut().enumerate().filter(|(place, _)| *place != made) {
            *regret += others(place).map_or(0.0, |other| other - reward);
        }
    }

    /// How likely each move was over all visits.
    pub(super) fn mean_strategy(&self) -> Vec<f64> {
        normalised(self.strategies.clone())
    }
}

/// What a joint move brought.
#[derive(Clone, Debug, Default)]
struct Cell {
    visits: u32,
    sums: SmallVec<[f64; 4]>,
}

/// What the joint moves of a node brought, by number.
#[derive(Clone, Debug, Default)]
pub(super) struct Cells {
    cells: FxHashMap<u64, Cell>,
}

impl Cells {
    pub(super) fn len(&self) -> usize {
        self.cells.len()
    }

    /// Adds what a joint move brought.
    pub(super) fn add(&mut self, counts: &[usize], places: &[u32], rewards: &[f64]) {
        let cell = self.cells.entry(number(counts, places.iter().copied())).or_default();
        cell.sums.resize(rewards.len(), 0.0);
        cell.visits += 1;
        cell.sums.iter_mut().zip(rewards).for_each(|(sum, reward)| *sum += reward);
    }

    /// What a joint move brought a role on average, with another move of that role; `None` if it was not tried.
    pub(super) fn mean(&self, counts: &[usize], places: &[u32], role: usize, other: usize) -> Option<f64> {
        let places = places.iter().enumerate();
        let places = places.map(|(owner, &place)| if owner == role { other as u32 } else { place });
        let cell = self.cells.get(&number(counts, places))?;
        Some(cell.sums[role] / f64::from(cell.visits.max(1)))
    }
}

/// The number of a joint move. There are not more of them than numbers: who chose saw to that.
fn number(counts: &[usize], places: impl Iterator<Item = u32>) -> u64 {
    let digit = |number: u64, (place, &count): (u32, &usize)| {
        number.wrapping_mul(count as u64).wrapping_add(u64::from(place))
    };
    places.zip(counts).fold(0, digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regrets_are_those_of_the_formula() {
        let mut regrets = Regrets::new(3);
        assert_eq!(regrets.strategy(), [1.0 / 3.0; 3]);
        // It got 0.2; the others would have brought 0.8 and 0.5: regrets 0.6 and 0.3.
        let others = |place| [None, Some(0.8), Some(0.5)][place];
        regrets.learn(0, 0.2, others);
        let near = |got: Vec<f64>, wanted: [f64; 3]| {
            assert!(got.iter().zip(wanted).all(|(got, wanted)| (got - wanted).abs() < 1e-12), "{got:?}");
        };
        near(regrets.strategy(), [0.0, 2.0 / 3.0, 1.0 / 3.0]);
        // Then the second brings 0.9 where the first would have brought 1 and the third 0.4: regrets
        // 0.1, 0.6 and -0.2.
        regrets.learn(1, 0.9, |place| [Some(1.0), None, Some(0.4)][place]);
        near(regrets.strategy(), [1.0 / 7.0, 6.0 / 7.0, 0.0]);
        // The mean of (1/3, 1/3, 1/3) and (0, 2/3, 1/3).
        near(regrets.mean_strategy(), [1.0 / 6.0, 0.5, 1.0 / 3.0]);
    }

    #[test]
    fn joint_moves_have_means_by_role() {
        let (mut cells, counts) = (Cells::default(), [2, 3]);
        cells.add(&counts, &[1, 2], &[1.0, 0.0]);
        cells.add(&counts, &[1, 2], &[0.0, 0.5]);
        assert_eq!(cells.mean(&counts, &[0, 2], 0, 1), Some(0.5));
        assert_eq!(cells.mean(&counts, &[1, 0], 1, 2), Some(0.25));
        assert_eq!(cells.mean(&counts, &[1, 2], 0, 0), None, "it was never tried");
        assert_eq!(cells.len(), 1);
    }
}
