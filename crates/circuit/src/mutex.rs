//! Which facts exclude each other: a square holds one piece, one role is on turn.

use std::cell::Cell;
use std::collections::BTreeMap;

use crate::invariant::Prover;
use crate::simulate::read;
use crate::{Circuit, RoleMoves};

/// So many arguments of a relation are looked at.
const MOST_ARGUMENTS: usize = 6;
/// So often a gate is looked at in proofs altogether.
const MOST_WORK: usize = 500_000_000;
/// The part of what is left that one group may take.
const SHARE: usize = 16;
/// So many states of random plays are compared before.
const STATES: usize = 400;

impl Circuit {
    /// Groups of facts of which at most one is true in every state that can be reached: those of a relation that differ in some
    /// arguments only, where that is proven by induction over the gates. Not all there are: in large circuits proofs are given up.
    pub fn mutex_groups(&self) -> Vec<Vec<u32>> {
        let mut left = MOST_WORK;
        let prover = Prover::new(self);
        let seen = self.random_states();
        let is_refuted = |group: &[u32]| {
            seen.iter().any(|state| group.iter().filter(|&&fact| state[fact as usize]).count() > 1)
        };
        let mut proven: Vec<Vec<u32>> = Vec::new();
        for mut groupings in groupings(&self.bases) {
            // The larger the groups are, the more they say.
            groupings.sort_by_key(Vec::len);
            for group in groupings.into_iter().flatten().filter(|group| group.len() > 1) {
                let is_known = proven.iter().any(|known| group.iter().all(|fact| known.contains(fact)));
                if is_known || is_refuted(&group) {
                    continue;
                }
                // No group takes what all others need.
                let (own, most) = (Cell::new(left / SHARE), left / SHARE);
                if prover.is_exclusive(&group, Some(&own)) {
                    proven.push(group);
                }
                left -= most - own.get();
            }
        }
        proven
    }

    /// States of random plays: what is not so there need not be proven.
    fn random_states(&self) -> Vec<Vec<bool>> {
        let mut seed = 1u64;
        let mut draw = |below: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize % below
        };
        let mut states = vec![self.initial.clone()];
        while states.len() < STATES {
            let state = &states[states.len() - 1];
            let values = self.evaluate(state, &[]);
            let mut choose = |role: &RoleMoves| {
                let legal = (0u32..).zip(&role.legal).filter(|(_, edge)| read(&values, **edge));
                let legal: Vec<u32> = legal.map(|(id, _)| id).collect();
                (!legal.is_empty()).then(|| legal[draw(legal.len())])
            };
            let joint: Option<Vec<u32>> = self.roles.iter().map(&mut choose).collect();
            let next = match joint.filter(|_| !read(&values, self.terminal)) {
                Some(joint) => self.successor(state, &joint),
                None => self.initial.clone(),
            };
            states.push(next);
        }
        states
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
