//! Objects that can be exchanged at will: pieces of one shape, rooms of one kind. All their
//! permutations are symmetries, far too many to try each; but to bring the objects into order is one
//! sorting.

use smallvec::SmallVec;

/// Objects with more facts are left to other symmetries.
const MOST_FACTS: usize = 64;

/// Objects, any two of which can be exchanged while all else stays as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Family {
    /// For each object its facts; those of the same place are exchanged for each other.
    objects: Vec<Vec<u32>>,
}

impl Family {
    /// Families of objects that are exchanged by some permutations, each of which exchanges facts in
    /// pairs; those with small objects first, as they may be within others. Permutations that are
    /// no such exchange are passed over. Says also which ones the families stand for.
    pub(crate) fn find(permutations: &[Vec<u32>]) -> (Vec<Family>, Vec<bool>) {
        let swaps: Vec<Option<Vec<u32>>> = permutations.iter().map(|image| moved(image)).collect();
        let mut used = vec![false; permutations.len()];
        let mut families = Vec::new();
        for first in 0..swaps.len() {
            let Some(family) = (0..swaps.len()).find_map(|second| {
                let (one, two) = (swaps[first].as_ref()?, swaps[second].as_ref()?);
                let open = first != second && !used[first] && !used[second];
                open.then(|| Family::begin(one, two, &permutations[first], &permutations[second]))?
            }) else {
                continue;
            };
            families.push(family.grow(permutations, &swaps, &mut used));
        }
        families.sort_by_key(|family| family.objects[0].len());
        (families, used)
    }

    /// The three objects of two exchanges that have one of them in common: whatever both move.
    fn begin(one: &[u32], two: &[u32], first: &[u32], second: &[u32]) -> Option<Family> {
        let shared: Vec<u32> = one.iter().copied().filter(|fact| two.binary_search(fact).is_ok()).collect();
        let halves = shared.len() * 2 == one.len() && shared.len() * 2 == two.len();
        let apart = |image: &[u32]| shared.iter().all(|&fact| !shared.contains(&image[fact as usize]));
        (halves && shared.len() <= MOST_FACTS && apart(first) && apart(second)).then(|| {
            let other = |image: &[u32]| shared.iter().map(|&fact| image[fact as usize]).collect();
            Family { objects: vec![other(first), other(second), shared.clone()] }
        })
    }

    /// Adds objects as long as an exchange leads to another one.
    fn grow(mut self, permutations: &[Vec<u32>], swaps: &[Option<Vec<u32>>], used: &mut [bool]) -> Family {
        loop {
            let mut grown = false;
            for (number, image) in permutations.iter().enumerate() {
                let Some(facts) = swaps[number].as_ref().filter(|_| !used[number]) else { continue };
                let moves = |object: &&Vec<u32>| {
                    facts.len() == object.len() * 2
                        && object.iter().all(|fact| facts.binary_search(fact).is_ok())
                };
                let Some(object) = self.objects.iter().find(moves) else { continue };
                let other: Vec<u32> = object.iter().map(|&fact| image[fact as usize]).collect();
                let overlaps = |known: &Vec<u32>| known.iter().any(|fact| other.contains(fact));
                // An exchange of two objects that are known, place by place, is one of the family's.
                if self.objects.contains(&other) {
                    used[number] = true;
                } else if !self.objects.iter().any(overlaps) {
                    used[number] = true;
                    self.objects.push(other);
                    grown = true;
                }
            }
            if !grown {
                return self;
            }
        }
    }

    /// How many permutations there are.
    pub(crate) fn order(&self) -> u64 {
        (1..=self.objects.len() as u64).fold(1, u64::saturating_mul)
    }

    /// Exchanges objects so that what is true of them ascends.
    pub(crate) fn sort(&self, row: &mut [u64]) {
        let holds = |row: &[u64], fact: u32| row[fact as usize / 64] >> (fact % 64) & 1;
        let content = |object: &Vec<u32>| {
            object.iter().enumerate().fold(0, |bits, (place, &fact)| bits | holds(row, fact) << place)
        };
        let mut contents: SmallVec<[u64; 16]> = self.objects.iter().map(content).collect();
        if contents.is_sorted() {
            return;
        }
        contents.sort_unstable();
        for (object, content) in self.objects.iter().zip(contents) {
            for (place, &fact) in object.iter().enumerate() {
                let word = &mut row[fact as usize / 64];
                *word = *word & !(1 << (fact % 64)) | (content >> place & 1) << (fact % 64);
            }
        }
    }
}

/// The facts that a permutation exchanges in pairs, ascending; `None` if it does anything else, or
/// nothing.
fn moved(image: &[u32]) -> Option<Vec<u32>> {
    let facts = 0..image.len() as u32;
    let pairs = facts.clone().all(|fact| image[image[fact as usize] as usize] == fact);
    let moved: Vec<u32> = facts.filter(|&fact| image[fact as usize] != fact).collect();
    (pairs && !moved.is_empty()).then_some(moved)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The exchange of two objects of three facts each; object `n` has facts `n`, `n + 4`, `n + 8`.
    fn exchange(one: u32, two: u32) -> Vec<u32> {
        let mut image: Vec<u32> = (0..13).collect();
        for layer in 0..3 {
            image.swap((one + layer * 4) as usize, (two + layer * 4) as usize);
        }
        image
    }

    #[test]
    fn exchanges_that_share_an_object_make_a_family() {
        let mut lone: Vec<u32> = (0..13).collect();
        lone.swap(3, 12);
        let (families, used) = Family::find(&[exchange(0, 1), lone, exchange(2, 1), exchange(2, 3)]);
        assert_eq!(used, [true, false, true, true]);
        assert_eq!((families.len(), families[0].order()), (1, 24));
        // Objects with the facts 1, 2, 0 and 1 of the three layers, the last fact stays.
        let facts = |contents: [u64; 4]| {
            let bits = (0..4).flat_map(|object| (0..3).map(move |layer| (object, layer)));
            bits.fold(1 << 12, |row, (object, layer)| {
                row | (contents[object] >> layer & 1) << (object + layer * 4)
            })
        };
        let sorted = |contents| {
            let mut row = [facts(contents)];
            families[0].sort(&mut row);
            row[0]
        };
        let expected = sorted([1, 2, 0, 1]);
        for contents in [[2, 1, 1, 0], [0, 1, 1, 2], [1, 1, 0, 2]] {
            assert_eq!(sorted(contents), expected);
        }
        assert_ne!(sorted([1, 2, 0, 2]), expected);
        assert!(
            [[0, 1, 1, 2], [2, 1, 1, 0], [1, 1, 0, 2]]
                .iter()
                .all(|&c| facts(c).count_ones() == expected.count_ones())
        );
    }

    #[test]
    fn two_objects_or_turns_make_none() {
        assert!(Family::find(&[exchange(0, 1)]).0.is_empty());
        assert!(Family::find(&[exchange(0, 1), exchange(2, 3)]).0.is_empty());
        let turn: Vec<u32> = vec![1, 2, 0];
        assert!(Family::find(&[turn]).0.is_empty());
        let nothing: Vec<u32> = (0..3).collect();
        assert!(Family::find(&[nothing.clone(), nothing, Vec::new()]).0.is_empty());
    }
}
