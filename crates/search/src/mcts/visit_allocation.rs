//! Sharing visits out among the moves of a node, as if one after the other chose.

use super::tree::{Edge, Edges};
use super::ucb::Ucb;

/// The place and value of the first highest score, and the value of the next.
fn highest(scores: &[f32]) -> (usize, f32, f32) {
    let (mut place, mut best, mut second) = (0, f32::NEG_INFINITY, f32::NEG_INFINITY);
    for (here, &score) in scores.iter().enumerate() {
        // Comparisons, as `max` and `min` take care of numbers that are none, which takes time.
        let lower = if score > best { best } else { score };
        second = if lower > second { lower } else { second };
        if score > best {
            (place, best) = (here, score);
        }
    }
    (place, best, second)
}

/// How visits are shared out among moves.
#[derive(Debug, Default)]
pub(crate) struct VisitAllocation {
    pub(crate) counts: Vec<u32>,
    scores: Vec<f32>,
    /// What the moves had before.
    means: Vec<f32>,
    begun: Vec<u32>,
}

impl VisitAllocation {
    /// Begins with nothing given to any of so many moves.
    pub(crate) fn clear(&mut self, moves: usize) {
        self.counts.clear();
        self.counts.resize(moves, 0);
    }

    pub(crate) fn give(&mut self, place: usize, visits: u32) {
        self.counts[place] += visits;
    }

    /// Reads how the moves stand.
    pub(crate) fn measure(&mut self, ucb: &Ucb, edges: Edges<'_>) {
        self.means.resize(edges.len(), 0.0);
        self.begun.resize(edges.len(), 0);
        let known = self.means.iter_mut().zip(&mut self.begun);
        let measure = |edge: Edge<'_>| {
            let (begun, ended) = edge.visits();
            (ucb.mean(edge, ended), begun)
        };
        if let Some(all) = edges.side_by_side() {
            known.zip(all).for_each(|((mean, begun), edge)| (*mean, *begun) = measure(edge));
            return;
        }
        for ((mean, begun), edge) in known.zip(edges.iter()) {
            (*mean, *begun) = edge.map_or((ucb.usual, 0), measure);
        }
    }

    /// Gives visits to the highest scores among moves that matter, which fall meanwhile. `score` is
    /// that of a move with so many of them given to it, where it depends on squares.
    pub(crate) fn hand_out(
        &mut self,
        ucb: &Ucb,
        visits: u32,
        matters: impl Fn(usize) -> bool,
        score: impl Fn(usize, u32) -> f32,
    ) {
        let mut left = visits;
        self.rate(ucb, &score);
        let many = 2 * self.scores.len() as u32;
        if left > many {
            for place in 0..self.scores.len() {
                if self.counts[place] == 0 && !matters(place) {
                    self.scores[place] = f32::NEG_INFINITY;
                }
            }
        }
        loop {
            if left > many && !ucb.tuned {
                left -= self.give_many(ucb, left);
            }
            if left == 0 {
                return;
            }
            let (place, highest, second) = highest(&self.scores);
            if highest == f32::NEG_INFINITY {
                // None of them matters.
                self.rate(ucb, &score);
                return self.give(self::highest(&self.scores).0, left);
            }
            if self.counts[place] == 0 && !matters(place) {
                self.scores[place] = f32::NEG_INFINITY;
                continue;
            }
            // It stays the best until its score is down to that of the second.
            let given =
                if ucb.tuned || left == 1 { 1 } else { self.visits_above(ucb, place, second).clamp(1, left) };
            self.give(place, given);
            self.rate_one(ucb, place, &score);
            left -= given;
        }
    }

    /// Works out the scores of all moves.
    fn rate(&mut self, ucb: &Ucb, score: impl Fn(usize, u32) -> f32) {
        self.scores.resize(self.counts.len(), 0.0);
        for place in 0..self.counts.len() {
            self.rate_one(ucb, place, &score);
        }
    }

    /// Works out the score of a move.
    #[inline]
    fn rate_one(&mut self, ucb: &Ucb, place: usize, score: impl Fn(usize, u32) -> f32) {
        self.scores[place] =
            if ucb.tuned { score(place, self.counts[place]) } else { self.score(ucb, place) };
    }

    /// The score of a move with what was given to it, unless that depends on squares.
    #[inline]
    fn score(&self, ucb: &Ucb, place: usize) -> f32 {
        self.means[place] + ucb.bonus(self.begun[place] + self.counts[place])
    }

    /// How many visits a move takes until its score falls to a limit: the bonus falls with the root
    /// of the visits. Where the mean alone is above the limit it takes all, also if there is none.
    #[inline]
    fn visits_above(&self, ucb: &Ucb, place: usize, limit: f32) -> u32 {
        let root = ucb.factor / (limit - self.means[place]);
        let has = self.begun[place] + self.counts[place];
        if root > 0.0 { ((root * root) as u32).saturating_sub(has) } else { u32::MAX }
    }

    /// Gives away a part of many visits at once: what all moves take until the highest score is down
    /// to some level goes to them in whatever order. How many were given; none where the level chosen
    /// is too low.
    fn give_many(&mut self, ucb: &Ucb, most: u32) -> u32 {
        let (_, highest, _) = highest(&self.scores);
        // How quickly visits go as the level falls, if all moves are at the highest score. They go
        // quicker the lower it is, so this takes half of what would be right at first.
        let taken = self.begun.iter().zip(&self.counts).map(|(&begun, &given)| {
            let visits = (begun + given) as f32;
            visits * visits.sqrt()
        });
        let level = highest - 0.25 * most as f32 * ucb.factor / taken.sum::<f32>();
        let above = |allocation: &Self, place: usize| match allocation.scores[place] > level {
            true => allocation.visits_above(ucb, place, level),
            false => 0,
        };
        let all = (0..self.scores.len()).fold(0u32, |all, place| all.saturating_add(above(self, place)));
        if all == 0 || all > most {
            return 0;
        }
        for place in 0..self.scores.len() {
            let given = above(self, place);
            if given > 0 {
                self.give(place, given);
                self.scores[place] = self.score(ucb, place);
            }
        }
        all
    }

    /// The moves that got visits, by place, and how many.
    pub(crate) fn given(&self) -> impl Iterator<Item = (usize, u32)> {
        self.counts.iter().copied().enumerate().filter(|&(_, visits)| visits > 0)
    }
}

#[cfg(test)]
mod tests {
    use game::Dice;

    use super::*;
    use crate::mcts::ucb::{ROOTS, log};

    /// Moves that stand as told, and visits to come.
    struct Case {
        means: Vec<f32>,
        begun: Vec<u32>,
        visits: u32,
        idle: Vec<bool>,
    }

    impl Case {
        fn draw(dice: &mut Dice) -> Self {
            let moves = 2 + dice.below(30);
            Self {
                means: (0..moves).map(|_| 100.0 * dice.unit() as f32).collect(),
                begun: (0..moves).map(|_| 1 + dice.below(200) as u32).collect(),
                visits: 1 + dice.below(600) as u32,
                idle: (0..moves).map(|_| dice.below(8) == 0).collect(),
            }
        }

        fn begin(&self) -> (Ucb, VisitAllocation) {
            let log = log(self.begun.iter().sum::<u32>() + self.visits);
            let factor = 40.0 * log.sqrt();
            let ucb = Ucb { roots: &ROOTS, role: 0, log, factor, usual: 50.0, tuned: false };
            let scores = self.means.iter().zip(&self.begun).map(|(mean, &begun)| mean + ucb.bonus(begun));
            let scores = scores.collect();
            let counts = vec![0; self.means.len()];
            (ucb, VisitAllocation { counts, scores, means: self.means.clone(), begun: self.begun.clone() })
        }

        fn at_once(&self) -> Vec<u32> {
            let (ucb, mut allocation) = self.begin();
            allocation.hand_out(&ucb, self.visits, |place| !self.idle[place], |_, _| unreachable!());
            allocation.counts
        }

        fn one_by_one(&self) -> Vec<u32> {
            let (ucb, mut allocation) = self.begin();
            for _ in 0..self.visits {
                let places = (0..self.means.len()).filter(|&place| !self.idle[place]);
                let best = places.max_by(|&a, &b| allocation.scores[a].total_cmp(&allocation.scores[b]));
                let place = best.unwrap_or_else(|| highest(&allocation.scores).0);
                allocation.give(place, 1);
                if best.is_some() {
                    allocation.scores[place] = allocation.score(&ucb, place);
                }
            }
            allocation.counts
        }
    }

    #[test]
    fn all_at_once_is_as_one_by_one() {
        let mut dice = Dice::stream(7, 0);
        for round in 0..5_000 {
            let mut case = Case::draw(&mut dice);
            if round % 50 == 0 {
                case.idle.fill(true);
            }
            let (quick, slow) = (case.at_once(), case.one_by_one());
            assert_eq!(quick.iter().sum::<u32>(), case.visits);
            // Rounding may give a visit to another of two moves whose scores are the same.
            let apart: u32 = quick.iter().zip(&slow).map(|(quick, slow)| quick.abs_diff(*slow)).sum();
            assert!(apart <= 2, "round {round}: {quick:?} is not {slow:?}");
        }
    }
}
