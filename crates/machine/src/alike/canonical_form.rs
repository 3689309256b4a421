//! States that are images of each other under symmetries of the rules: a board and its mirror image.
//! Whatever can be reached from one can be reached from the other in as many moves, so that a search
//! need look at one of them only.
//!
//! Why merging them is sound. A symmetry maps every ground rule to a ground rule and every fact that
//! runs by itself to itself. Legal moves, the end, goals and what is next of an image are therefore
//! the images of those of the state, at the same time: the same goals are within reach, after the
//! same numbers of moves. States count as the same only if some symmetries map both to one and the
//! same row, compared in full; the hash merely says which to choose. What is kept and looked at
//! further is the state that was really met, not the image: plans lead through real states. So a
//! search that leaves a state out because it has met an image leaves out nothing that it could not
//! reach from the image, and what it proves about all it has looked at holds as before. An image that
//! was met later than the state (a better way to it, in best-first search) is not the state itself:
//! it gets a row of its own, and what was reached by way of the first one keeps its way.

use std::hash::BuildHasher;
use std::sync::Arc;

use circuit::Symmetries;
use game::{Dice, MoveId, RoleId};
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

use super::group::{Element, group, inverse};
use super::interchange::Family;

/// More symmetries than this are not made use of: each is one more image to be looked at.
const MOST_ELEMENTS: usize = 64;
/// Where objects are sorted as well, each image takes longer.
const MOST_BESIDE_FAMILIES: usize = 8;
/// The images of so many symmetries are hashed side by side.
const BLOCK: usize = 8;
/// Bits that are hashed at a time.
const CHUNK: usize = 4;
const VALUES: usize = 1 << CHUNK;
/// Tables with more numbers than this are not made.
const MOST_NUMBERS: usize = 1 << 21;

/// A row of words.
type Row = SmallVec<[u64; 16]>;

/// How a row lies beside the image that all its images have in common: the symmetry that leads from it to that image.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pose(u8);

/// Finds out which rows are images of each other.
#[derive(Debug)]
pub struct CanonicalForm {
    /// The first one leaves everything as it is.
    elements: Vec<Element>,
    /// For each element the bits that are inverted.
    inverted: Vec<Row>,
    /// For each block of elements what a row of zeros is worth under each of them.
    zero: Vec<[u64; BLOCK]>,
    /// For each block, chunk and value what it adds.
    numbers: Vec<[u64; BLOCK]>,
    chunks: usize,
    /// How many elements are different, the others fill up.
    distinct: usize,
    /// Objects to be brought into order in each image.
    families: Vec<Family>,
    /// For each element how roles and moves get back from their images.
    back: Vec<(Vec<u16>, Vec<u32>)>,
}

impl CanonicalForm {
    /// The symmetries of rows whose facts are those of `core`; `None` if there are none but the
    /// identity, or too large a table would be needed.
    pub fn new(symmetries: &Symmetries, core: &[u64]) -> Option<Arc<Self>> {
        let (identity, mut generators) = Element::of(symmetries, core);
        let families = take_families(&mut generators);
        let chunks = core.len() * 64 / CHUNK;
        let most = match families.is_empty() {
            true => MOST_ELEMENTS.min(MOST_NUMBERS / (chunks * VALUES).max(1)),
            false => MOST_BESIDE_FAMILIES,
        };
        let elements = group(identity, &generators, most);
        let any = elements.len() > 1 || !families.is_empty();
        any.then(|| Arc::new(Self { families, ..Self::of(elements, core.len()) }))
    }

    fn of(mut elements: Vec<Element>, words: usize) -> Self {
        let distinct = elements.len();
        // A block is filled with elements that are there already.
        let count = elements.len().next_multiple_of(BLOCK);
        elements.resize(count, elements[0].clone());
        let mut dice = Dice::new(words as u64);
        let worth: Vec<u64> = (0..words * 64).map(|_| dice.bits()).collect();
        let chunks = words * 64 / CHUNK;
        let mut zero = vec![[0u64; BLOCK]; count / BLOCK];
        let mut numbers = vec![[0u64; BLOCK]; count / BLOCK * chunks * VALUES];
        let mut inverted = vec![Row::from_elem(0, words); count];
        for (number, element) in elements.iter().enumerate() {
            let (block, place) = (number / BLOCK, number % BLOCK);
            for (fact, &(image, invert)) in element.facts.iter().enumerate() {
                let worth = worth[image as usize];
                // A bit that is inverted is worth something while it is not set.
                let change = if invert { worth.wrapping_neg() } else { worth };
                if invert {
                    zero[block][place] = zero[block][place].wrapping_add(worth);
                    inverted[number][image as usize / 64] |= 1 << (image % 64);
                }
                let first = (block * chunks + fact / CHUNK) * VALUES;
                for value in (0..VALUES).filter(|value| value >> (fact % CHUNK) & 1 != 0) {
                    let number = &mut numbers[first + value][place];
                    *number = number.wrapping_add(change);
                }
            }
        }
        let back =
            elements.iter().map(|element| (inverse(&element.roles), inverse(&element.moves))).collect();
        Self { distinct, elements, inverted, zero, numbers, chunks, families: Vec::new(), back }
    }

    /// The least worth of all images of a row, and the element that has it.
    fn least(&self, row: &[u64]) -> (u64, usize) {
        let mut least = (u64::MAX, 0);
        for (block, zero) in self.zero.iter().enumerate() {
            let mut sums = *zero;
            let first = block * self.chunks * VALUES;
            for (place, &word) in row.iter().enumerate() {
                let mut rest = word;
                while rest != 0 {
                    let chunk = rest.trailing_zeros() as usize / CHUNK;
                    let value = (word >> (chunk * CHUNK)) as usize % VALUES;
                    rest &= !((VALUES as u64 - 1) << (chunk * CHUNK));
                    let chunk = place * (64 / CHUNK) + chunk;
                    let add = &self.numbers[first + chunk * VALUES + value];
                    sums.iter_mut().zip(add).for_each(|(sum, add)| *sum = sum.wrapping_add(*add));
                }
            }
            for (place, &sum) in sums.iter().enumerate() {
                if sum < least.0 {
                    least = (sum, block * BLOCK + place);
                }
            }
        }
        least
    }

    /// Of all images, each with its objects in order, the one of the least hash. (With families
    /// within families that is not the same for all images: some are then not merged.)
    fn ordered(&self, row: &[u64]) -> (u64, Row) {
        let images = (0..self.distinct).map(|element| {
            let mut image = self.image(row, element);
            self.families.iter().for_each(|family| family.sort(&mut image));
            (FxBuildHasher.hash_one(&image[..]), image)
        });
        images.min().unwrap_or_default()
    }

    /// A number that is the same for rows that are images of each other.
    pub fn hash(&self, row: &[u64]) -> u64 {
        if !self.families.is_empty() {
            return self.ordered(row).0;
        }
        spread(self.least(row).0)
    }

    /// Puts in place of a row the one of its images that it has in common with all of them. Its hash.
    pub fn settle(&self, row: &mut [u64]) -> u64 {
        if !self.families.is_empty() {
            let (hash, image) = self.ordered(row);
            row.copy_from_slice(&image);
            return hash;
        }
        let (least, element) = self.least(row);
        if element != 0 {
            let image = self.image(row, element);
            row.copy_from_slice(&image);
        }
        spread(least)
    }

    /// Whether rows of equal hashes are images of each other.
    pub fn are_symmetric(&self, one: &[u64], two: &[u64]) -> bool {
        let image = |row: &[u64]| match self.families.is_empty() {
            true => self.image(row, self.least(row).1),
            false => self.ordered(row).1,
        };
        image(one) == image(two)
    }

    fn image(&self, row: &[u64], element: usize) -> Row {
        let mut image = self.inverted[element].clone();
        let element = &self.elements[element].facts;
        for (place, &word) in row.iter().enumerate() {
            let mut rest = word;
            while rest != 0 {
                let (to, _) = element[place * 64 + rest.trailing_zeros() as usize];
                rest &= rest - 1;
                image[to as usize / 64] ^= 1 << (to % 64);
            }
        }
        image
    }

    /// The hash of a row as [`CanonicalForm::hash`] has it, and how the row lies. Objects must not be exchanged at will.
    pub fn pose(&self, row: &[u64]) -> (u64, Pose) {
        let (least, element) = self.least(row);
        (spread(least), Pose(element as u8))
    }

    /// The role that is in a row of pose `to` what a role is in its image of pose `from`.
    pub fn role(&self, role: RoleId, from: Pose, to: Pose) -> RoleId {
        let image = self.elements[usize::from(from.0)].roles.get(usize::from(role.0));
        let back = &self.back[usize::from(to.0)].0;
        image.and_then(|&image| back.get(usize::from(image))).map_or(role, |&role| RoleId(role))
    }

    /// The move that is in a row of pose `to` what a move is in its image of pose `from`.
    pub fn move_of(&self, id: MoveId, from: Pose, to: Pose) -> MoveId {
        let image = self.elements[usize::from(from.0)].moves.get(id.0 as usize);
        let back = &self.back[usize::from(to.0)].1;
        image.and_then(|&image| back.get(image as usize)).map_or(id, |&id| MoveId(id))
    }

    /// Whether any symmetry exchanges roles.
    pub fn exchanges_roles(&self) -> bool {
        !self.elements.iter().all(Element::keeps_roles)
    }

    /// Whether these are all symmetries of a group of so many, so that all rows of an orbit have the same hash. With fewer,
    /// two rows may be images of each other without being known as such.
    pub fn are_all(&self, order: u64) -> bool {
        self.families.is_empty() && self.distinct as u64 >= order
    }

    /// How many symmetries are made use of, the identity included.
    pub fn count(&self) -> u64 {
        self.families.iter().map(Family::order).fold(self.distinct as u64, u64::saturating_mul)
    }
}

/// The least of many numbers has few high bits; tables want all of them.
fn spread(least: u64) -> u64 {
    least.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(32)
}

/// Takes those generators out that exchange objects of families.
fn take_families(generators: &mut Vec<Element>) -> Vec<Family> {
    let inverts = |element: &Element| element.facts.iter().any(|&(_, inverted)| inverted);
    // What inverts facts, or exchanges roles as well, exchanges no objects: an empty permutation.
    let permutation = |element: &Element| match element.keeps_roles() && !inverts(element) {
        true => element.facts.iter().map(|&(image, _)| image).collect(),
        false => Vec::new(),
    };
    let permutations: Vec<Vec<u32>> = generators.iter().map(permutation).collect();
    let (families, used) = Family::find(&permutations);
    let mut used = used.into_iter();
    generators.retain(|_| !used.next().unwrap_or(false));
    families
}

#[cfg(test)]
mod tests {
    use circuit::Symmetry;

    use super::*;

    /// Four facts in a ring that can be turned, and two that are left alone.
    fn ring() -> Arc<CanonicalForm> {
        let turn = Symmetry { facts: vec![1, 2, 3, 0, 4, 5], moves: Vec::new(), roles: Vec::new() };
        let readings = (0..6).map(|fact| (fact, false)).collect();
        let symmetries = Symmetries { generators: vec![turn], order: 4, complete: true, readings };
        CanonicalForm::new(&symmetries, &[0b11_1111]).expect("there are symmetries")
    }

    #[test]
    fn rows_are_symmetric_exactly_if_one_can_be_turned_into_the_other() {
        let canonical = ring();
        assert_eq!(canonical.count(), 4);
        let turned = |low: u64, by: u32| (low << by | low >> (4 - by)) & 0b1111;
        for one in 0..64u64 {
            for two in 0..64u64 {
                let low = one & 0b1111;
                let expected = (0..4).any(|by| turned(low, by) | one & 0b11_0000 == two);
                let equal = canonical.hash(&[one]) == canonical.hash(&[two]);
                assert_eq!(equal && canonical.are_symmetric(&[one], &[two]), expected, "{one:b} {two:b}");
            }
        }
    }

    #[test]
    fn roles_and_moves_are_found_in_their_places() {
        // A quarter turn that exchanges two roles, with a move for each corner and one of the other role.
        let turn =
            Symmetry { facts: vec![1, 2, 3, 0], moves: vec![5, 6, 7, 4, 1, 2, 3, 0], roles: vec![1, 0] };
        let readings = (0..4).map(|fact| (fact, false)).collect();
        let symmetries = Symmetries { generators: vec![turn], order: 4, complete: true, readings };
        let canonical = CanonicalForm::new(&symmetries, &[0b1111]).expect("there are symmetries");
        assert!(canonical.exchanges_roles() && canonical.are_all(4));
        let pose = |corner: u32| canonical.pose(&[1 << corner]).1;
        for (from, to) in (0..4).flat_map(|from| (0..4).map(move |to| (from, to))) {
            let turns = (4 + to - from) % 4;
            let (role, id) = (RoleId((turns % 2) as u16), MoveId((from + turns) % 4 + turns % 2 * 4));
            assert_eq!(canonical.role(RoleId(0), pose(from), pose(to)), role, "{from} {to}");
            assert_eq!(canonical.move_of(MoveId(from), pose(from), pose(to)), id, "{from} {to}");
        }
    }

    #[test]
    fn facts_may_be_mapped_to_inverses() {
        // Facts 0 and 1, and 2, which is always the opposite of 1 and read from it; 0 goes to 2, 1
        // goes to what 0 is not.
        let flip = Symmetry { facts: vec![2, 3, 1, 0], moves: Vec::new(), roles: Vec::new() };
        let readings = vec![(0, false), (1, false), (1, true), (0, true)];
        let symmetries = Symmetries { generators: vec![flip], order: 4, complete: true, readings };
        let canonical = CanonicalForm::new(&symmetries, &[0b11]).expect("there are symmetries");
        // (a, b) -> (not b, not a), which is its own inverse.
        assert_eq!(canonical.count(), 2);
        let same = |one: u64, two: u64| {
            canonical.hash(&[one]) == canonical.hash(&[two]) && canonical.are_symmetric(&[one], &[two])
        };
        assert!(same(0b00, 0b11) && same(0b01, 0b01) && !same(0b01, 0b10) && !same(0b00, 0b01));
    }

    #[test]
    fn what_can_be_exchanged_at_will_is_sorted() {
        // Six facts in any order, and two more.
        let swap = |&(one, two): &(usize, usize)| {
            let mut facts: Vec<u32> = (0..8).collect();
            facts.swap(one, two);
            Symmetry { facts, moves: Vec::new(), roles: Vec::new() }
        };
        let generators = [(0, 1), (1, 2), (3, 2), (4, 0), (4, 5), (6, 7)].iter().map(swap).collect();
        let readings = (0..8).map(|fact| (fact, false)).collect();
        let symmetries = Symmetries { generators, order: 1_440, complete: true, readings };
        let canonical = CanonicalForm::new(&symmetries, &[0b1111_1111]).expect("there are symmetries");
        assert_eq!(canonical.count(), 1_440);
        let mut hashes: Vec<u64> = (0..256).map(|row| canonical.hash(&[row])).collect();
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), 7 * 3, "only the numbers of true facts matter");
        assert!(canonical.are_symmetric(&[0b0110_0101], &[0b1001_1100]));
        assert!(!canonical.are_symmetric(&[0b0110_0101], &[0b1010_1000]));
    }

    #[test]
    fn groups_too_large_are_used_in_part() {
        // Turns of seven facts and of six: together all permutations of them.
        let turn = |count: u32| Symmetry {
            facts: (0..7).map(|fact| if fact < count { (fact + 1) % count } else { fact }).collect(),
            moves: Vec::new(),
            roles: Vec::new(),
        };
        let readings = (0..7).map(|fact| (fact, false)).collect();
        let generators = vec![turn(7), turn(6)];
        let symmetries = Symmetries { generators, order: 5_040, complete: true, readings };
        let canonical = CanonicalForm::new(&symmetries, &[0b111_1111]).expect("there are symmetries");
        assert_eq!(canonical.count(), 7);
    }
}
