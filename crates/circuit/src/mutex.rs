//! Which facts exclude each other: a square holds one piece, one role is on turn.

use std::collections::BTreeMap;

use crate::Circuit;
use crate::invariant::Prover;

/// So many arguments of a relation are looked at.
const MOST_ARGUMENTS: usize = 6;
/// So many gates, each as often as there are moves, are looked at in proofs altogether.
const MOST_WORK: usize = 100_000_000;

impl Circuit {
    /// Groups of facts of which at most one is true in every state that can be reached: those of a relation that differ in some
    /// arguments only, where that is proven by induction over the gates. Not all there are: in large circuits proofs are given up.
    pub fn mutex_groups(&self) -> Vec<Vec<u32>> {
        let moves: usize = self.roles.iter().map(|role| role.moves.len()).sum();
        let mut left = MOST_WORK.checked_div(self.gates.len() * moves).unwrap_or(0);
        if left == 0 {
            return Vec::new();
        }
        let prover = Prover::new(self);
        let mut proven: Vec<Vec<u32>> = Vec::new();
        for mut groupings in groupings(&self.bases) {
            // The larger the groups are, the more they say.
            groupings.sort_by_key(Vec::len);
            for group in groupings.into_iter().flatten().filter(|group| group.len() > 1) {
                let is_known = proven.iter().any(|known| group.iter().all(|fact| known.contains(fact)));
                if is_known || left == 0 {
                    continue;
                }
                left -= 1;
                if prover.is_exclusive(&group, true) {
                    proven.push(group);
                }
            }
        }
        proven
    }
}

/// For each relation the ways to put its propositions into groups: those together that differ in some arguments only.
pub(crate) fn groupings(bases: &[String]) -> Vec<Vec<Vec<Vec<u32>>>> {
    let words: Vec<Vec<&str>> = bases.iter().map(|text| words(text)).collect();
    let mut relations: BTreeMap<(&str, usize), Vec<u32>> = BTreeMap::new();
    for (base, words) in (0..).zip(&words) {
        relations.entry((words.first().copied().unwrap_or(""), words.len())).or_default().push(base);
    }
    let grouped = relations.into_iter().map(|((_, length), bases)| {
        let arguments = length.saturating_sub(1).min(MOST_ARGUMENTS);
        // Which arguments differ, as bits.
        let grouping = |differing: u32| {
            let mut groups: BTreeMap<Vec<&str>, Vec<u32>> = BTreeMap::new();
            for &base in &bases {
                let own = words[base as usize].iter().enumerate();
                let is_kept = |place: usize| place == 0 || differing >> (place - 1) & 1 == 0;
                let key = own.filter(|(place, _)| is_kept(*place)).map(|(_, &word)| word).collect();
                groups.entry(key).or_default().push(base);
            }
            groups.into_values().collect()
        };
        (1u32..1 << arguments).map(grouping).collect()
    });
    grouped.collect()
}

/// The relation and the arguments of a proposition, those that are terms in one piece.
pub(crate) fn words(text: &str) -> Vec<&str> {
    let inside = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(text);
    let (mut depth, mut start, mut words) = (0usize, 0, Vec::new());
    for (place, letter) in inside.char_indices().chain([(inside.len(), ' ')]) {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ' ' if depth == 0 => {
                if start < place {
                    words.push(&inside[start..place]);
                }
                start = place + 1;
            }
            _ => {}
        }
    }
    words
}
