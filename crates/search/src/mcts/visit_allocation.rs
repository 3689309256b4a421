//! Sharing visits out among the moves of a node, as if one after the other chose.

use super::tree::{Edge, Edges};
use super::ucb::Ucb;

/// The place and value of the first highest score, and the value of the next.
#[inline]
fn highest(scores: &[f32]) -> (usize, f32, f32) {
    if scores.len() >= MANY { highest_of_many(scores) } else { highest_of_few(scores) }
}

/// Scores that are looked at side by side, and from how many on.
const LANES: usize = 8;
const MANY: usize = 4 * LANES;

/// The same, looking at several scores at a time.
fn highest_of_many(scores: &[f32]) -> (usize, f32, f32) {
    let mut best = [f32::NEG_INFINITY; LANES];
    let mut second = best;
    let (groups, rest) = scores.as_chunks::<LANES>();
    for group in groups {
        for lane in 0..LANES {
            let score = group[lane];
            let lower = if score > best[lane] { best[lane] } else { score };
            second[lane] = if lower > second[lane] { lower } else { second[lane] };
            best[lane] = if score > best[lane] { score } else { best[lane] };
        }
    }
    let (_, of_best, below_best) = highest_of_few(&best);
    let (_, of_second, _) = highest_of_few(&second);
    let (_, of_rest, below_rest) = highest_of_few(rest);
    let (_, highest, next) = highest_of_few(&[of_best, below_best, of_second, of_rest, below_rest]);
    let place = scores.iter().position(|&score| score == highest).unwrap_or(0);
    (place, highest, next)
}

fn highest_of_few(scores: &[f32]) -> (usize, f32, f32) {
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
    /// What the moves were worth before.
    means: Vec<f32>,
    begun: Vec<u32>,
    /// What they take at once.
    taken: Vec<u32>,
}

/// Rounds in which a level is looked for.
const ROUNDS: usize = 3;

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
            (ucb.value(edge, ended), begun)
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

    /// Gives away most of many visits at once: what all moves take until the highest score is down to some
    /// level goes to them in whatever order. How many were given; none if no level was found.
    fn give_many(&mut self, ucb: &Ucb, most: u32) -> u32 {
        let (_, highest, _) = highest(&self.scores);
        let lowest = self.highest_mean();
        let mut level = highest;
        for _ in 0..ROUNDS {
            level = self.next_level(ucb, level, most).max(lowest + 0.25 * (level - lowest));
        }
        for _ in 0..ROUNDS {
            let (all, above) = self.take_above(ucb, level);
            // One after the other each may get one more before its score is below the level.
            if all.saturating_add(above) <= most {
                let given = self.counts.iter_mut().zip(&self.taken);
                given.for_each(|(count, taken)| *count += taken);
                for place in 0..self.scores.len() {
                    if self.taken[place] > 0 {
                        self.scores[place] = self.score(ucb, place);
                    }
                }
                return all;
            }
            level += 0.1 * (highest - level);
        }
        0
    }

    /// No level is as low as this: a move whose mean is above a level would take all visits there are.
    fn highest_mean(&self) -> f32 {
        let is_open = |&(_, score): &(&f32, &f32)| *score > f32::NEG_INFINITY;
        let means = self.means.iter().zip(&self.scores).filter(is_open).map(|(&mean, _)| mean);
        means.fold(f32::NEG_INFINITY, |best, mean| if mean > best { mean } else { best })
    }

    /// A level nearer to that at which moves take so many visits, by Newton's method. A move whose score is
    /// down to a level has as many visits as the square of its bonus's share of them, so it is the inverse
    /// root of the visits of all that is nearly a straight line.
    fn next_level(&self, ucb: &Ucb, level: f32, most: u32) -> f32 {
        let (mut all, mut slope, mut wanted) = (0.0, 0.0, most as f32);
        for place in 0..self.scores.len() {
            if self.scores[place] >= level {
                let distance = 1.0 / (level - self.means[place]);
                let visits = ucb.factor * ucb.factor * distance * distance;
                all += visits;
                slope += 2.0 * visits * distance;
                wanted += (self.begun[place] + self.counts[place]) as f32 - 1.0;
            }
        }
        level - 2.0 * all / slope * (1.0 - (all / wanted.max(1.0)).sqrt())
    }

    /// Works out what moves take until their scores are down to a level; how many visits these are, and how
    /// many moves.
    fn take_above(&mut self, ucb: &Ucb, level: f32) -> (u32, u32) {
        self.taken.resize(self.scores.len(), 0);
        let (mut all, mut above) = (0u32, 0);
        for place in 0..self.scores.len() {
            let is_above = self.scores[place] > level;
            above += u32::from(is_above);
            let taken = if is_above { self.visits_above(ucb, place, level) } else { 0 };
            self.taken[place] = taken;
            all = all.saturating_add(taken);
        }
        (all, above)
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
            let ucb = Ucb {
                roots: &ROOTS,
                role: 0,
                log,
                factor,
                usual: 50.0,
                tuned: false,
                roles: 1,
                implicit: 0.0,
            };
            let scores = self.means.iter().zip(&self.begun).map(|(mean, &begun)| mean + ucb.bonus(begun));
            let scores = scores.collect();
            let counts = vec![0; self.means.len()];
            (
                ucb,
                VisitAllocation {
                    counts,
                    scores,
                    means: self.means.clone(),
                    begun: self.begun.clone(),
                    taken: Vec::new(),
                },
            )
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
    fn the_highest_of_many_is_found() {
        let mut dice = Dice::stream(9, 0);
        for _ in 0..2_000 {
            let count = MANY + dice.below(100);
            let draw =
                |dice: &mut Dice| if dice.below(9) == 0 { f32::NEG_INFINITY } else { dice.below(40) as f32 };
            let scores: Vec<f32> = (0..count).map(|_| draw(&mut dice)).collect();
            assert_eq!(highest_of_many(&scores), highest_of_few(&scores));
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
