//! Many states side by side: which of them have which atom, and how many atoms of a set each of them has.
//!
//! A column has one bit for each state, 64 in a word. The atoms of a set are counted in all states at once by
//! adding their columns upright, digit by digit, as the lanes of the batch machine count.

use rustc_hash::FxHashMap;

/// An atom, by its place among those that were met.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AtomId(pub u32);

/// The atoms of many states.
#[derive(Clone, Debug, Default)]
pub struct Columns {
    states: usize,
    words: usize,
    /// Column after column.
    bits: Vec<u64>,
    places: FxHashMap<u64, AtomId>,
    keys: Vec<u64>,
}

impl Columns {
    /// Room for some states in which nothing is true yet.
    pub fn new(states: usize) -> Self {
        Self { states, words: states.div_ceil(64), ..Self::default() }
    }

    /// How many states there are.
    pub fn states(&self) -> usize {
        self.states
    }

    /// Words of a column.
    pub fn words(&self) -> usize {
        self.words
    }

    /// The column of an atom with a key of its own, which is made if there is none.
    pub fn atom(&mut self, key: u64) -> AtomId {
        let (bits, keys, words) = (&mut self.bits, &mut self.keys, self.words);
        *self.places.entry(key).or_insert_with(|| {
            keys.push(key);
            bits.resize(keys.len() * words, 0);
            AtomId(keys.len() as u32 - 1)
        })
    }

    /// Says that an atom is true in a state.
    pub fn set(&mut self, atom: AtomId, state: usize) {
        self.bits[atom.0 as usize * self.words + state / 64] |= 1 << (state % 64);
    }

    /// The bits of an atom, to be written.
    pub fn column_mut(&mut self, atom: AtomId) -> &mut [u64] {
        &mut self.bits[atom.0 as usize * self.words..][..self.words]
    }

    /// The bits of an atom.
    pub fn column(&self, atom: AtomId) -> &[u64] {
        &self.bits[atom.0 as usize * self.words..][..self.words]
    }

    /// The keys of all atoms, in the order of their ids.
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// Counts how many of some atoms each state has.
    pub fn count(&self, atoms: &[AtomId], counter: &mut Counter, out: &mut Vec<f64>) {
        counter.begin(self.words);
        atoms.iter().for_each(|&atom| counter.add(self.column(atom)));
        out.clear();
        out.resize(self.states, 0.0);
        counter.read(out);
    }
}

/// Numbers that stand upright: the digits of all states beside each other.
#[derive(Clone, Debug, Default)]
pub struct Counter {
    words: usize,
    /// Digit after digit, the lowest first.
    digits: Vec<u64>,
}

impl Counter {
    fn begin(&mut self, words: usize) {
        self.words = words;
        self.digits.clear();
    }

    /// Adds one where a bit is set.
    fn add(&mut self, column: &[u64]) {
        for (word, &bits) in column.iter().enumerate() {
            let (mut carry, mut digit) = (bits, 0);
            while carry != 0 {
                if self.digits.len() == digit * self.words {
                    self.digits.resize((digit + 1) * self.words, 0);
                }
                let place = &mut self.digits[digit * self.words + word];
                (*place, carry) = (*place ^ carry, *place & carry);
                digit += 1;
            }
        }
    }

    fn read(&self, out: &mut [f64]) {
        for (digit, words) in self.digits.chunks(self.words.max(1)).enumerate() {
            let worth = (1u64 << digit) as f64;
            for (word, &bits) in words.iter().enumerate() {
                let mut rest = bits;
                while rest != 0 {
                    out[word * 64 + rest.trailing_zeros() as usize] += worth;
                    rest &= rest - 1;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counting_upright_is_counting() {
        let mut columns = Columns::new(130);
        let mut dice = game::Dice::new(3);
        let mut plain = vec![0.0; 130];
        let mut atoms = Vec::new();
        for key in 0..21 {
            let atom = columns.atom(key);
            assert_eq!(columns.atom(key), atom, "one column a key");
            for (state, count) in plain.iter_mut().enumerate() {
                if dice.below(3) == 0 {
                    columns.set(atom, state);
                    *count += 1.0;
                }
            }
            atoms.push(atom);
        }
        let (mut counter, mut counted) = (Counter::default(), Vec::new());
        columns.count(&atoms, &mut counter, &mut counted);
        assert_eq!(counted, plain);
        columns.count(&atoms[..0], &mut counter, &mut counted);
        assert_eq!(counted, vec![0.0; 130]);
    }
}
