//! Playouts in which a move of worth `w` is chosen in proportion to `exp(w / temperature)`.
//!
//! Moves are drawn by these weights from all that the role has, legal or not, and offered to lanes;
//! a lane takes the first offer that is legal to it. Among the legal moves that is in proportion to
//! the weights again. A group of lanes shares the draws, so that a draw costs as little as one move
//! of a fixed order. But lanes in one state that share all draws would stay together for ever:
//! each draw is offered to a random part of the lanes only, a small one where many lanes have just
//! begun in one state, and a half later on.
//!
//! When draws serve nobody any more (what is legal to the lanes that are left has little weight among
//! all moves), these lanes choose one by one.

use game::{Dice, MoveId, MoveWorth, RoleId};

use super::greedy::{GROUP, Places, Wide, is_empty};
use super::{LANES, set_lanes};
use crate::circuit::MoveNumbers;

/// Draws between two looks at what is left.
const DRAWS: usize = 16;
/// So many random bits give the part of a lane: at the beginning, and later.
const PART_BITS: [u32; 2] = [4, 1];

/// The weights of all moves, and the dice of each group of lanes.
#[derive(Clone, Debug)]
pub(super) struct Gibbs {
    roles: Vec<Weights>,
    dice: Vec<Dice>,
    /// The legal moves of one lane, with their worth by temperature.
    legal: Vec<(u32, f64)>,
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
        worth: &MoveWorth,
        temperature: f32,
        seed: u64,
    ) -> Self {
        let temperature = f64::from(temperature.max(f32::MIN_POSITIVE));
        let roles = numbers.roles().zip(idle).map(|(role, &idle)| {
            let moves: Vec<u32> = numbers.range(role).filter(|&id| Some(id) != idle).collect();
            let scaled: Vec<f64> =
                moves.iter().map(|&id| f64::from(worth.of(role, MoveId(id))) / temperature).collect();
            let table = AliasTable::new(&scaled);
            Weights { moves, scaled, table }
        });
        // Other dice than those of the lanes, which have the low numbers.
        let dice = (0..(LANES / 64 / GROUP) as u64).map(|group| Dice::stream(seed, 1 << 32 | group));
        Self { roles: roles.collect(), dice: dice.collect(), legal: Vec::new() }
    }

    /// Weighs all moves of a role alike.
    pub(super) fn forget(&mut self, role: RoleId) {
        let weights = &mut self.roles[usize::from(role.0)];
        weights.scaled.fill(0.0);
        weights.table = AliasTable::new(&weights.scaled);
    }

    /// Makes all open choices of a group in its active lanes; `group` counts through all lanes.
    /// `begins` says that many lanes may be in one state.
    pub(super) fn choose(
        &mut self,
        block: &mut [Wide],
        places: Places,
        active: &Wide,
        group: usize,
        begins: bool,
    ) {
        for role in 0..self.roles.len() {
            self.choose_for(role, block, places, active, group, begins);
        }
    }

    /// The same for one role.
    pub(super) fn choose_for(
        &mut self,
        role: usize,
        block: &mut [Wide],
        places: Places,
        active: &Wide,
        group: usize,
        begins: bool,
    ) {
        let part_bits = PART_BITS[usize::from(!begins)];
        let Self { roles, dice, legal } = self;
        let (weights, dice) = (&roles[role], &mut dice[group]);
        let mut open = places.open(block, role);
        open.iter_mut().zip(active).for_each(|(open, active)| *open &= active);
        while !is_empty(&open) {
            let before = open;
            let mut parts = [[0; GROUP]; PART_BITS[0] as usize];
            for draw in 0..DRAWS as u32 {
                // After all parts had their turn, lanes are divided anew.
                if draw % (1 << part_bits) == 0 {
                    parts[..part_bits as usize].fill_with(|| random_words(dice));
                }
                let mut part = [u64::MAX; GROUP];
                for (bit, words) in parts[..part_bits as usize].iter().enumerate() {
                    let other = u64::from(draw >> bit & 1).wrapping_neg();
                    part.iter_mut().zip(words).for_each(|(part, word)| *part &= word ^ other);
                }
                let id = weights.moves[weights.table.draw(dice)];
                places.take(block, id, &mut open, &part);
            }
            if open == before {
                set_lanes(&open).for_each(|lane| weights.choose(block, places, lane, dice, legal));
                break;
            }
        }
    }
}

impl Weights {
    /// Chooses for one lane.
    fn choose(
        &self,
        block: &mut [Wide],
        places: Places,
        lane: usize,
        dice: &mut Dice,
        legal: &mut Vec<(u32, f64)>,
    ) {
        let (word, bit) = (lane / 64, lane % 64);
        let is_legal = |id: u32| places.legal(block, id)[word] >> bit & 1 != 0;
        legal.clear();
        legal.extend(
            self.moves.iter().zip(&self.scaled).filter(|(id, _)| is_legal(**id)).map(|(&id, &s)| (id, s)),
        );
        // Nothing is legal in lanes that are stuck; they are told apart elsewhere.
        let Some(&(last, _)) = legal.last() else { return };
        let most = legal.iter().map(|(_, scaled)| *scaled).fold(f64::NEG_INFINITY, f64::max);
        legal.iter_mut().for_each(|(_, scaled)| *scaled = (*scaled - most).exp());
        let mut rest = dice.unit() * legal.iter().map(|(_, weight)| weight).sum::<f64>();
        let chosen = legal.iter().find(|(_, weight)| {
            rest -= weight;
            rest < 0.0
        });
        let mut open = [0; GROUP];
        open[word] = 1 << bit;
        places.take(block, chosen.map_or(last, |chosen| chosen.0), &mut open, &[u64::MAX; GROUP]);
    }
}

fn random_words(dice: &mut Dice) -> Wide {
    std::array::from_fn(|_| dice.bits())
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
