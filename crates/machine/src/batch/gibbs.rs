//! Playouts in which a move of worth `w` is chosen in proportion to `exp(w / temperature)`.
//!
//! Moves are drawn by these weights from all that the role has, legal or not, and offered to lanes;
//! a lane takes the first offer that is legal to it. Among the legal moves that is in proportion to
//! the weights again. A group of lanes shares the draws, so that a draw costs as little as one move
//! of a fixed order; but every draw is offered to a random half of the lanes only, or all that are
//! in one state would stay together for ever.
//!
//! Lanes that many draws have not served (if what is legal has little weight among all) get orders
//! instead: moves ranked by `w / temperature` plus noise by Gumbel's distribution, of which the
//! first legal one has the same chances (the Gumbel-max trick: Maddison, Tarlow and Minka, "A*
//! Sampling", 2014). Again each order is for a random half of what is left.

use game::{Dice, MoveId};

use super::LANES;
use super::greedy::{GROUP, Places, Wide, is_empty};
use crate::circuit::MoveNumbers;

/// Draws between two looks at what is left.
const DRAWS: usize = 8;
/// Draws after which lanes get orders, for each move of the role.
const DRAWS_A_MOVE: usize = 4;

/// The weights of all moves, and the dice of each group of lanes.
#[derive(Clone, Debug)]
pub(super) struct Gibbs {
    roles: Vec<Weights>,
    dice: Vec<Dice>,
    keys: Vec<(f64, u32)>,
}

/// The moves of one role.
#[derive(Clone, Debug)]
struct Weights {
    /// The moves among which is chosen.
    moves: Vec<u32>,
    /// Worth by temperature.
    scaled: Vec<f64>,
    table: AliasTable,
}

impl Gibbs {
    /// Weighs all moves but those that are no choice (`idle`, by role).
    pub(super) fn new(
        numbers: &MoveNumbers,
        idle: &[Option<u32>],
        worth: impl Fn(MoveId) -> f32,
        temperature: f32,
        seed: u64,
    ) -> Self {
        let temperature = f64::from(temperature.max(f32::MIN_POSITIVE));
        let roles = numbers.roles().zip(idle).map(|(role, &idle)| {
            let moves: Vec<u32> = numbers.range(role).filter(|&id| Some(id) != idle).collect();
            let scaled: Vec<f64> =
                moves.iter().map(|&id| f64::from(worth(MoveId(id))) / temperature).collect();
            let table = AliasTable::new(&scaled);
            Weights { moves, scaled, table }
        });
        // Other dice than those of the lanes, which have the low numbers.
        let dice = (0..(LANES / 64 / GROUP) as u64).map(|group| Dice::stream(seed, 1 << 32 | group));
        Self { roles: roles.collect(), dice: dice.collect(), keys: Vec::new() }
    }

    /// Makes all open choices of a group in its active lanes; `group` counts through all lanes.
    pub(super) fn choose(&mut self, block: &mut [Wide], places: Places, active: &Wide, group: usize) {
        let Self { roles, dice, keys } = self;
        let dice = &mut dice[group];
        for (role, weights) in roles.iter().enumerate() {
            let mut open = places.open(block, role);
            open.iter_mut().zip(active).for_each(|(open, active)| *open &= active);
            let mut draws = 0;
            while !is_empty(&open) {
                if draws > DRAWS_A_MOVE * weights.moves.len() {
                    weights.rank(block, places, &mut open, dice, keys);
                    continue;
                }
                for _ in 0..DRAWS {
                    let id = weights.moves[weights.table.draw(dice)];
                    let half = random_half(dice);
                    places.take(block, id, &mut open, &half);
                }
                draws += DRAWS;
            }
        }
    }
}

impl Weights {
    /// Serves about half of the open lanes by a fresh order of all moves that are legal in some.
    fn rank(
        &self,
        block: &mut [Wide],
        places: Places,
        open: &mut Wide,
        dice: &mut Dice,
        keys: &mut Vec<(f64, u32)>,
    ) {
        keys.clear();
        for (&id, &scaled) in self.moves.iter().zip(&self.scaled) {
            let legal = places.legal(block, id);
            if legal.iter().zip(&*open).any(|(legal, open)| legal & open != 0) {
                // The logarithm of 0 would make the noise infinite.
                let uniform = (dice.bits() >> 12) as f64 + 0.5;
                let gumbel = -(-(uniform / (1u64 << 52) as f64).ln()).ln();
                keys.push((scaled + gumbel, id));
            }
        }
        keys.sort_unstable_by(|one, two| two.0.total_cmp(&one.0));
        if keys.is_empty() {
            // Nothing is legal: such lanes are stuck, and told apart elsewhere.
            *open = [0; GROUP];
        }
        let half = random_half(dice);
        keys.iter().for_each(|&(_, id)| places.take(block, id, open, &half));
    }
}

/// About half of all lanes. Turning one word in several ways is cheaper than drawing as many.
fn random_half(dice: &mut Dice) -> Wide {
    let (word, turns) = (dice.bits(), dice.bits());
    std::array::from_fn(|index| word.rotate_left((turns >> (8 * index)) as u32 & 63))
}

/// Draws by weights in constant time (A. J. Walker, 1977; built after M. D. Vose, 1991).
#[derive(Clone, Debug)]
struct AliasTable {
    /// For each number how often it stays, in units of 2^-32, and what comes up otherwise.
    columns: Vec<(u64, u32)>,
}

impl AliasTable {
    /// The table of weights, given by their logarithms.
    fn new(logarithms: &[f64]) -> Self {
        let most = logarithms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let count = logarithms.len();
        let mut shares: Vec<f64> = logarithms.iter().map(|&number| (number - most).exp()).collect();
        let sum: f64 = shares.iter().sum();
        if !sum.is_finite() {
            // Worth that is no number tells nothing.
            shares.fill(1.0);
        }
        let scale = count as f64 / shares.iter().sum::<f64>();
        shares.iter_mut().for_each(|share| *share *= scale);
        let full = (1u64 << 32) as f64;
        let mut columns: Vec<(u64, u32)> = (0..count as u32).map(|number| (1 << 32, number)).collect();
        let (mut small, mut large): (Vec<usize>, Vec<usize>) =
            (0..count).partition(|&number| shares[number] < 1.0);
        while let (Some(&poor), Some(&rich)) = (small.last(), large.last()) {
            small.pop();
            columns[poor] = ((shares[poor] * full) as u64, rich as u32);
            shares[rich] -= 1.0 - shares[poor];
            if shares[rich] < 1.0 {
                large.pop();
                small.push(rich);
            }
        }
        Self { columns }
    }

    /// A number, by its weight.
    fn draw(&self, dice: &mut Dice) -> usize {
        let bits = dice.bits();
        let column = (((bits >> 32) * self.columns.len() as u64) >> 32) as usize;
        let (stays, other) = self.columns[column];
        if bits & 0xffff_ffff < stays { column } else { other as usize }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_in_proportion_to_weights() {
        let weights: [f64; 5] = [1.0, 0.25, 7.0, 0.0, 3.75];
        let table = AliasTable::new(&weights.map(f64::ln));
        let mut dice = Dice::new(3);
        let mut counts = [0.0; 5];
        (0..120_000).for_each(|_| counts[table.draw(&mut dice)] += 1.0);
        let chi_square: f64 = (0..5)
            .filter(|&number| weights[number] > 0.0)
            .map(|number| {
                let expected = weights[number] * 10_000.0;
                (counts[number] - expected) * (counts[number] - expected) / expected
            })
            .sum();
        assert_eq!(counts[3], 0.0);
        // Three degrees of freedom: one in a thousand is above 16.
        assert!(chi_square < 16.0, "{counts:?}");
    }
}
