//! Playouts that make the best move by an order of preference, now and then a random one.

use game::{Dice, MoveId, MoveWorth, RoleId};

use super::gibbs::Gibbs;
use super::layout::Layout;
use crate::circuit::MoveNumbers;

/// How many random bits decide whether a lane follows the order.
pub(super) const EPSILON_BITS: u32 = 16;

/// Words of lanes that go through an order together: half a cache line, the same on every
/// target.
pub(super) const GROUP: usize = 4;

/// A word of [`GROUP`] times 64 lanes.
pub(super) type Wide = [u64; GROUP];

/// An order of preference for each role, and how often it is not followed.
#[derive(Clone, Debug)]
pub(super) struct Greedy {
    /// For each role all its moves, the best first.
    orders: Vec<Vec<u32>>,
    /// In units of 2^-16.
    epsilon: u32,
    /// The role that chance plays, and how.
    chance: Option<(usize, Gibbs)>,
}

/// Where the groups of lanes have their legal moves and their choices.
#[derive(Clone, Copy)]
pub(super) struct Places {
    /// Groups a slot.
    groups: usize,
    group: usize,
    legal: usize,
    does: usize,
    open: usize,
}

impl Places {
    /// Those of one group of a block with so many words a slot.
    pub(super) fn new(layout: &Layout, words: usize, group: usize) -> Self {
        let groups = words / GROUP;
        Self { groups, group, legal: layout.legal, does: layout.does, open: layout.open }
    }

    fn at(self, slot: usize) -> usize {
        slot * self.groups + self.group
    }

    /// The lanes in which the choice of a role is open.
    pub(super) fn open(self, block: &[Wide], role: usize) -> Wide {
        block[self.at(self.open + role)]
    }

    /// The lanes in which a move is legal.
    pub(super) fn legal(self, block: &[Wide], id: u32) -> Wide {
        block[self.at(self.legal + id as usize)]
    }

    /// Offers a move to some lanes: those that are open and in which it is legal make it, and are
    /// closed.
    pub(super) fn take(self, block: &mut [Wide], id: u32, open: &mut Wide, offered: &Wide) {
        let legal = self.legal(block, id);
        let does = &mut block[self.at(self.does + id as usize)];
        for word in 0..GROUP {
            let taken = legal[word] & open[word] & offered[word];
            does[word] |= taken;
            open[word] ^= taken;
        }
    }
}

/// Whether no lane is left.
pub(super) fn is_empty(lanes: &Wide) -> bool {
    lanes.iter().fold(0, |all, word| all | word) == 0
}

impl Greedy {
    /// Ranks moves by worth, the highest first; those of equal worth in an order by the dice.
    pub(super) fn new(numbers: &MoveNumbers, worth: &MoveWorth, epsilon: f32, dice: &mut Dice) -> Self {
        let mut keys: Vec<(u64, u32)> = Vec::new();
        let orders = numbers.roles().map(|role| {
            keys.clear();
            keys.extend(numbers.range(role).map(|id| {
                let worth = ascending(worth.of(role, MoveId(id)));
                (u64::from(!worth) << 32 | dice.bits() >> 32, id)
            }));
            keys.sort_unstable();
            keys.iter().map(|key| key.1).collect()
        });
        let scale = f64::from(1u32 << EPSILON_BITS);
        Self {
            orders: orders.collect(),
            epsilon: (f64::from(epsilon).clamp(0.0, 1.0) * scale).round() as u32,
            chance: None,
        }
    }

    /// Has all moves of a role drawn by chance.
    pub(super) fn leave_to_chance(&mut self, role: RoleId, any: Gibbs) {
        self.chance = Some((usize::from(role.0), any));
    }

    /// Says in the block in which lanes each choice is made at random. Lanes that have not moved
    /// since (their draw was rejected) stay with what was said before: to draw lots again would
    /// give the order another chance.
    pub(super) fn draw(&self, block: &mut [u64], layout: &Layout, words: usize, random: &[u64]) {
        let bits = EPSILON_BITS as usize * words;
        for (choice, random) in random.chunks(bits).enumerate() {
            for word in 0..words {
                // Lanes whose random number is below epsilon, from the lowest bit up.
                let always = self.epsilon >> EPSILON_BITS != 0;
                let mut deviates = if always { u64::MAX } else { 0 };
                for bit in (0..EPSILON_BITS).filter(|_| !always) {
                    let drawn = random[bit as usize * words + word];
                    deviates =
                        if self.epsilon >> bit & 1 != 0 { !drawn | deviates } else { !drawn & deviates };
                }
                let moved = block[layout.moves * words + word];
                let at_random = &mut block[(layout.random + choice) * words + word];
                *at_random = deviates & moved | *at_random & !moved;
            }
        }
    }

    /// Makes the choices of a group that were left open, in its active lanes; `group` counts through all
    /// lanes. `begins` says that many lanes may be in one state.
    pub(super) fn choose(
        &mut self,
        block: &mut [Wide],
        places: Places,
        active: &Wide,
        group: usize,
        begins: bool,
    ) {
        for (role, order) in self.orders.iter().enumerate() {
            if let Some((_, any)) = self.chance.as_mut().filter(|(chance, _)| *chance == role) {
                any.choose_for(role, block, places, active, group, begins);
                continue;
            }
            let mut open = places.open(block, role);
            open.iter_mut().zip(active).for_each(|(open, active)| *open &= active);
            // Few lanes are open for long: the best moves are tried first.
            for some in order.chunks(16) {
                if is_empty(&open) {
                    break;
                }
                some.iter().for_each(|&id| places.take(block, id, &mut open, &[u64::MAX; GROUP]));
            }
        }
    }
}

/// A number that is ordered as the float is.
fn ascending(number: f32) -> u32 {
    let bits = number.to_bits();
    if bits >> 31 != 0 { !bits } else { bits | 1 << 31 }
}

#[cfg(test)]
mod tests {
    use super::ascending;

    #[test]
    fn floats_are_ordered_by_their_bits() {
        let numbers = [f32::NEG_INFINITY, -7.5, -0.1, 0.0, 1e-9, 3.0, 100.0, f32::INFINITY];
        assert!(numbers.windows(2).all(|pair| ascending(pair[0]) < ascending(pair[1])));
    }
}
