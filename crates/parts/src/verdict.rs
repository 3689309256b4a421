//! Whether what is seen of all parts ends the game, and what everybody gets.

use rustc_hash::FxHashMap;

use crate::halves::{Halves, MOST_PARTS};

/// What was seen of a part, by a number: the same for the same bits.
pub(crate) type Sight = u16;

/// What was seen of all parts.
pub(crate) type Sights = [Sight; MOST_PARTS];

/// What everybody gets, and what is told by which number.
#[derive(Debug)]
pub(crate) struct Verdicts {
    /// The bits of each sight, part by part.
    bits: Vec<Vec<u64>>,
    numbers: Vec<FxHashMap<u64, Sight>>,
    /// Of what is seen of all parts: whether the game is over, and where the values begin.
    known: FxHashMap<Sights, (bool, u32)>,
    /// What each role gets, 0 to 1.
    values: Vec<f32>,
    roles: usize,
}

impl Verdicts {
    pub(crate) fn new(halves: &Halves) -> Self {
        let parts = halves.parts.len();
        Self {
            bits: vec![Vec::new(); parts],
            numbers: vec![FxHashMap::default(); parts],
            known: FxHashMap::default(),
            values: Vec::new(),
            roles: halves.role_count(),
        }
    }

    /// The number of what is seen of a part. There are never so many that numbers run out: each comes of a simulation, and
    /// what comes after the last is taken for it.
    pub(crate) fn sight(&mut self, part: usize, bits: u64) -> Sight {
        if let Some(&sight) = self.numbers[part].get(&bits) {
            return sight;
        }
        let all = &mut self.bits[part];
        let sight = Sight::try_from(all.len()).unwrap_or(Sight::MAX);
        if sight < Sight::MAX {
            all.push(bits);
            self.numbers[part].insert(bits, sight);
            return sight;
        }
        Sight::MAX - 1
    }

    /// Whether the game is over, and what each role gets.
    pub(crate) fn judge(&mut self, halves: &Halves, sights: Sights) -> (bool, &[f32]) {
        let (is_over, first) = match self.known.get(&sights) {
            Some(&known) => known,
            None => {
                let mut holds = rustc_hash::FxHashSet::default();
                for (part, half) in halves.parts.iter().enumerate() {
                    let bits = self.bits[part].get(usize::from(sights[part])).copied().unwrap_or(0);
                    let seen = half.seen.iter().enumerate().filter(|(place, _)| bits >> place & 1 != 0);
                    holds.extend(seen.map(|(_, &number)| number));
                }
                let (is_over, goals) = halves.division.judge(&|number| holds.contains(&number));
                let first = self.values.len() as u32;
                self.values.extend(goals.iter().map(|goal| f32::from(goal.unwrap_or(0)) / 100.0));
                self.known.insert(sights, (is_over, first));
                (is_over, first)
            }
        };
        (is_over, &self.values[first as usize..first as usize + self.roles])
    }
}
