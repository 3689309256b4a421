//! What a move is worth at most, in positions that look the same.
//!
//! After a step one move is made for all positions that look the same, and one each for what can be told apart by then;
//! from there on everything is taken for seen. A position in which that move is not the best one gets no more than it is
//! worth to who sees it with another move, and who misses it twice gets still less. There are no more parts than different
//! things that may be told.

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
    firsts: Vec<(u32, f64)>,
    /// For each move after the next of each part: when, and where among what such moves add.
    seconds: Vec<(u32, u32)>,
    /// For each part what moves after the next add.
    later: Vec<Vec<f64>>,
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
                    self.open_part();
                }
                let part = self.parts[told].1 as usize;
                self.add(transitions, part, outcome.next, share);
                split = mixed(split ^ (part as u64) << 32 ^ u64::from(outcome.next.0));
            }
        }
        (self.total(transitions.told()), split)
    }

    /// No more than this are positions worth that look the same.
    pub(crate) fn of_part<State>(
        &mut self,
        transitions: &Transitions<State>,
        positions: &[(Place, f64)],
    ) -> f64 {
        self.begin();
        self.open_part();
        for &(place, weight) in positions {
            self.add(transitions, 0, place, weight);
        }
        self.total(transitions.told())
    }

    fn begin(&mut self) {
        self.sums.clear();
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            // Nothing of an earlier round may be taken for one of this.
            self.parts.fill((0, 0));
            self.firsts.fill((0, 0.0));
            self.seconds.fill((0, 0));
            self.round = 1;
        }
    }

    fn open_part(&mut self) {
        let part = self.sums.len();
        self.sums.push((0.0, 0.0));
        if part == self.later.len() {
            self.later.push(Vec::new());
        }
        self.later[part].clear();
    }

    fn add<State>(&mut self, transitions: &Transitions<State>, part: usize, place: Place, weight: f64) {
        let Some(Ideal { best, other, third, place, then }) = transitions.ideal(place) else {
            self.sums[part].0 += weight;
            return;
        };
        self.sums[part].0 += weight * third;
        let row = part * transitions.width();
        if row + transitions.width() > self.firsts.len() {
            self.firsts.resize(row + transitions.width(), (0, 0.0));
            self.seconds.resize(row + transitions.width(), (0, 0));
        }
        if best > other {
            let (round, gain) = &mut self.firsts[row + place as usize];
            let before = if *round == self.round { *gain } else { 0.0 };
            (*round, *gain) = (self.round, before + weight * (best - other));
            self.sums[part].1 = self.sums[part].1.max(*gain);
        }
        if other > third {
            let later = &mut self.later[part];
            let (round, at) = &mut self.seconds[row + then as usize];
            if *round == self.round {
                later[*at as usize] += weight * (other - third);
            } else {
                (*round, *at) = (self.round, later.len() as u32);
                later.push(weight * (other - third));
            }
        }
    }

    /// What all parts are worth at most if each falls into so many others.
    fn total(&mut self, parts: usize) -> f64 {
        let mut total = 0.0;
        for ((sure, gain), later) in self.sums.iter().zip(&mut self.later) {
            // One move for each part, and one for those that the move before has found.
            let most = parts + 1;
            if later.len() > most {
                later.select_nth_unstable_by(most, |one, two| two.total_cmp(one));
                later.truncate(most);
            }
            total += sure + gain + later.iter().sum::<f64>();
        }
        total
    }
}
