//! Seeded chance, the same on every machine.

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A source of random numbers that is fully determined by its seed.
#[derive(Clone, Debug)]
pub struct Dice(Xoshiro256PlusPlus);

impl Dice {
    /// Dice for a seed.
    pub fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// Dice for the `index`-th of many independent uses of one seed.
    pub fn stream(seed: u64, index: u64) -> Self {
        // A round of mixing keeps (seed, index) and (seed + 1, index - 1) apart.
        let mixed = (seed ^ index.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_mul(0xd134_2543_de82_ef95);
        Self::new(mixed ^ (mixed >> 29) ^ index.rotate_left(32))
    }

    /// Any 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `bound`, all equally likely; 0 if there is none.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.bits()) * bound as u128) >> 64) as usize
    }

    /// A number from 0 up to, not including, 1.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn same_seed_same_numbers() {
        let draw = |mut dice: Dice| (0..5).map(|_| dice.below(1000)).collect::<Vec<_>>();
        assert_eq!(draw(Dice::new(7)), draw(Dice::new(7)));
        assert_ne!(draw(Dice::stream(7, 1)), draw(Dice::stream(7, 2)));
        assert_ne!(draw(Dice::stream(7, 1)), draw(Dice::stream(8, 0)));
    }

    #[test]
    fn all_numbers_below_come_up() {
        let mut dice = Dice::new(1);
        let mut counts = [0; 6];
        (0..6000).for_each(|_| counts[dice.below(6)] += 1);
        assert!(counts.iter().all(|&count| (850..1150).contains(&count)), "{counts:?}");
        assert_eq!(dice.below(0), 0);
    }
}
