//! What a move is worth at most, in positions that look the same.
//!
//! After a step one move is made for all positions that look the same; from there on everything is taken for seen. A
//! position in which that move is not the best one gets no more than it is worth to who sees it with another move.

use crate::belief_tree::mixed;
use crate::transitions::{Ideal, Place, Transitions};

/// What is added up.
#[derive(Debug, Default)]
pub(crate) struct Bounding {
    round: u32,
    /// For what was told: when, and which part it is.
    parts: Vec<(u32, u32)>,
    /// For each part what is sure, and the most that one move adds.
    sums: Vec<(f64, f64)>,
    /// For each move of each part: when, and what it adds.
    gains: Vec<(u32, f64)>,
}

impl Bounding {
    /// No more than this is a move worth in some positions; and a number that is the same for moves after which the same
    /// positions look the same.
    pub(crate) fn of<State>(
        &mut self,
        transitions: &Transitions<State>,
        positions: &[(Place, f64)],
        place: u32,
    ) -> (f64, u64) {
        self.begin();
        let mut split = 0u64;
        for &(from, weight) in positions {
            let outcomes = transitions.outcomes(from, place);
            let share = weight / outcomes.len() as f64;
            for outcome in outcomes {
                let told = outcome.told.0 as usize;
                if told >= self.parts.len() {
                    self.parts.resize(told + 1, (0, 0));
                }
                if self.parts[told].0 != self.round {
                    self.parts[told] = (self.round, self.sums.len() as u32);
                    self.sums.push((0.0, 0.0));
                }
                let part = self.parts[told].1 as usize;
                self.add(transitions, part, outcome.next, share);
                split = mixed(split ^ (part as u64) << 32 ^ u64::from(outcome.next.0));
            }
        }
        (self.total(), split)
    }

    /// No more than this are positions worth that look the same.
    pub(crate) fn of_part<State>(
        &mut self,
        transitions: &Transitions<State>,
        positions: &[(Place, f64)],
    ) -> f64 {
        self.begin();
        self.sums.push((0.0, 0.0));
        for &(place, weight) in positions {
            self.add(transitions, 0, place, weight);
        }
        self.total()
    }

    fn begin(&mut self) {
        self.sums.clear();
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            // Nothing of an earlier round may be taken for one of this.
            self.parts.fill((0, 0));
            self.gains.fill((0, 0.0));
            self.round = 1;
        }
    }

    fn add<State>(&mut self, transitions: &Transitions<State>, part: usize, place: Place, weight: f64) {
        let Some(Ideal { best, other, place }) = transitions.ideal(place) else {
            self.sums[part].0 += weight;
            return;
        };
        self.sums[part].0 += weight * other;
        if best > other {
            let row = part * transitions.width();
            if row + transitions.width() > self.gains.len() {
                self.gains.resize(row + transitions.width(), (0, 0.0));
            }
            let (round, gain) = &mut self.gains[row + place as usize];
            let before = if *round == self.round { *gain } else { 0.0 };
            (*round, *gain) = (self.round, before + weight * (best - other));
            self.sums[part].1 = self.sums[part].1.max(*gain);
        }
    }

    /// What all parts are worth at most.
    fn total(&self) -> f64 {
        self.sums.iter().map(|(sure, gain)| sure + gain).sum()
    }
}
