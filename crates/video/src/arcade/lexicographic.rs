//! Orderings of bytes in which play so far never went back: what they say is greater is taken for progress (T. Murphy
//! VII: The First Level of Super Mario Bros. is Easy with Lexicographic Orderings and Time Travel, SIGBOVIK 2013).
//!
//! Learnfun finds the orderings in a game that a person played; here it is the game played so far.

use std::cmp::Ordering;

use game::Dice;

use super::{MEMORY_BYTES, Memory};

/// Memories that are kept; of more every second one is given up.
const KEPT: usize = 512;
/// Orderings are looked for anew after so many memories.
const PERIOD: usize = 8;
/// Orderings that are drawn for each part of play.
const DRAWN: usize = 10;
/// Parts of play that have orderings of their own, beside the whole.
const PARTS: usize = 4;

/// Bytes, the most important first.
#[derive(Clone, Debug)]
struct Places {
    places: Vec<u8>,
    weight: f64,
}

/// Memories so far, and the orderings that they follow.
#[derive(Clone, Debug, Default)]
pub struct Lexicographic {
    memories: Vec<Memory>,
    observed: usize,
    orderings: Vec<Places>,
}

impl Lexicographic {
    /// Learns from a state that the game was really in.
    pub(super) fn observe(&mut self, memory: &Memory) {
        self.memories.push(*memory);
        self.observed += 1;
        if self.memories.len() > KEPT {
            let mut place = 0;
            self.memories.retain(|_| {
                place += 1;
                place % 2 == 1
            });
        }
        if self.observed.is_multiple_of(PERIOD) {
            self.learn();
        }
    }

    /// The weights of orderings by which `to` is greater, less those by which it is smaller, of all weights.
    pub(super) fn gain(&self, from: &Memory, to: &Memory) -> f64 {
        let (mut gain, mut all) = (0.0, 0.0);
        for ordering in &self.orderings {
            all += ordering.weight;
            match ordering.compare(from, to) {
                Ordering::Less => gain += ordering.weight,
                Ordering::Greater => gain -= ordering.weight,
                Ordering::Equal => {}
            }
        }
        if all > 0.0 { gain / all } else { 0.0 }
    }

    fn learn(&mut self) {
        let mut dice = Dice::new(self.observed as u64);
        let length = self.memories.len().div_ceil(PARTS).max(2);
        let parts = std::iter::once(&self.memories[..]).chain(self.memories.chunks(length));
        let drawn = parts
            .flat_map(|part| (0..DRAWN).filter_map(|_| Places::draw(part, &mut dice)).collect::<Vec<_>>());
        let mut orderings: Vec<Places> = drawn.collect();
        for ordering in &mut orderings {
            ordering.weigh(&self.memories);
        }
        orderings.retain(|ordering| ordering.weight > 0.0);
        self.orderings = orderings;
    }
}

impl Places {
    /// An ordering in which no memory is smaller than the one before, as long as it gets; none if nothing grows.
    fn draw(memories: &[Memory], dice: &mut Dice) -> Option<Self> {
        let mut equal: Vec<[&Memory; 2]> = memories.windows(2).map(|pair| [&pair[0], &pair[1]]).collect();
        let mut places = Vec::new();
        loop {
            let fits = |place: &usize| {
                let mut grows = false;
                let never_falls = equal.iter().all(|[before, after]| {
                    grows |= before[*place] < after[*place];
                    before[*place] <= after[*place]
                });
                never_falls && grows
            };
            let candidates: Vec<usize> = (0..MEMORY_BYTES).filter(fits).collect();
            if candidates.is_empty() {
                return (!places.is_empty()).then_some(Self { places, weight: 0.0 });
            }
            let chosen = candidates[dice.below(candidates.len())];
            places.push(chosen as u8);
            // What this byte has decided is nothing to those that follow.
            equal.retain(|[before, after]| before[chosen] == after[chosen]);
        }
    }

    fn compare(&self, from: &Memory, to: &Memory) -> Ordering {
        let compared = self.places.iter().map(|&place| from[usize::from(place)].cmp(&to[usize::from(place)]));
        compared.into_iter().find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    }

    /// The weight is by how much of its values it grew over all of play, less by how much it fell: nothing counts
    /// that goes up and down.
    fn weigh(&mut self, memories: &[Memory]) {
        let mut sorted: Vec<&Memory> = memories.iter().collect();
        sorted.sort_by(|one, other| self.compare(one, other));
        sorted.dedup_by(|one, other| self.compare(one, other).is_eq());
        // The value fraction: the place among all values that were seen.
        let fraction = |memory: &Memory| {
            let place = sorted.partition_point(|other| self.compare(other, memory).is_lt());
            place as f64 / sorted.len() as f64
        };
        // Steps up and down add up to the way from the first memory to the last.
        let ends = memories.first().zip(memories.last());
        self.weight = ends.map_or(0.0, |(first, last)| (fraction(last) - fraction(first)).max(0.0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two bytes of a number that grows, one that goes up and down, and one that only falls.
    fn memory(number: u16, noise: u8) -> Memory {
        let mut memory = [0; MEMORY_BYTES];
        [memory[3], memory[4]] = number.to_be_bytes();
        memory[5] = noise;
        memory[6] = 255 - memory[3];
        memory
    }

    #[test]
    fn a_number_of_several_bytes_grows_although_its_lower_byte_falls() {
        let mut orderings = Lexicographic::default();
        assert_eq!(orderings.gain(&memory(1, 0), &memory(2, 0)), 0.0, "nothing is known yet");
        for step in 0..64 {
            orderings.observe(&memory(200 + 3 * step, (step % 5) as u8));
        }
        let whole = orderings.orderings.iter().filter(|ordering| ordering.places[..] == [3, 4]).count();
        assert!(whole >= DRAWN, "the upper byte decides before the lower one: {:?}", orderings.orderings);
        assert!(orderings.gain(&memory(255, 3), &memory(256, 0)) > 0.0);
        assert!(orderings.gain(&memory(256, 0), &memory(255, 3)) < 0.0);
        assert_eq!(
            orderings.gain(&memory(300, 1), &memory(300, 2)),
            0.0,
            "what goes up and down says nothing"
        );
    }

    #[test]
    fn memories_are_few() {
        let mut orderings = Lexicographic::default();
        for step in 0..2000 {
            orderings.observe(&memory(step, 0));
        }
        assert!(orderings.memories.len() <= KEPT);
        assert!(orderings.gain(&memory(7, 0), &memory(9, 0)) > 0.9);
    }
}
