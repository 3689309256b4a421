//! Playouts that prefer some moves: the first legal one in an order of preference, now and then a
//! random one.

use game::{MoveId, RoleId};

use super::{BatchMachine, EPSILON_BITS};

/// An order of preference for each role, and how often it is not followed.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranking {
    /// For each role all its moves, the best first, as slots among the moves of all roles.
    orders: Vec<Vec<u32>>,
    /// In units of 2^-16.
    epsilon: u32,
}

impl Ranking {
    /// Ranks moves by worth, the highest first; of equal worth the lower [`MoveId`] comes first.
    /// With probability `epsilon` (0 to 1) a role makes a uniformly random move instead.
    pub fn by_worth(batch: &BatchMachine, epsilon: f64, worth: impl Fn(MoveId) -> f64) -> Self {
        let numbers = batch.machine().move_numbers();
        let order = |role: RoleId| {
            let mut order: Vec<u32> = numbers.range(role).collect();
            order.sort_by(|&a, &b| worth(MoveId(b)).total_cmp(&worth(MoveId(a))));
            order
        };
        let scale = f64::from(1u32 << EPSILON_BITS);
        Self {
            orders: numbers.roles().map(order).collect(),
            epsilon: (epsilon.clamp(0.0, 1.0) * scale).round() as u32,
        }
    }

    /// Replaces the choices of all lanes that follow the ranking. `block` has the legal moves at
    /// `legal`, the uniformly chosen ones at `does` and the lanes that move at `moves`, in slots.
    pub(super) fn apply(
        &self,
        block: &mut [u64],
        words: usize,
        [legal, does, moves]: [usize; 3],
        random: &[u64],
    ) {
        let bits = EPSILON_BITS as usize * words;
        for (order, random) in self.orders.iter().zip(random.chunks(bits)) {
            for word in 0..words {
                // Lanes whose random number is below epsilon, from the lowest bit up.
                let mut deviates = if self.epsilon >> EPSILON_BITS != 0 { u64::MAX } else { 0 };
                if self.epsilon >> EPSILON_BITS == 0 {
                    for bit in 0..EPSILON_BITS {
                        let drawn = random[bit as usize * words + word];
                        deviates =
                            if self.epsilon >> bit & 1 != 0 { !drawn | deviates } else { !drawn & deviates };
                    }
                }
                let mut open = block[moves * words + word] & !deviates;
                for &slot in order {
                    let is_legal = block[(legal + slot as usize) * words + word];
                    let chosen = &mut block[(does + slot as usize) * words + word];
                    *chosen = *chosen & deviates | is_legal & open;
                    open &= !is_legal;
                }
            }
        }
    }
}
