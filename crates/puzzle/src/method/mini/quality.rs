//! Which move is made: the effective quality of MiNI-Player (Table I of the paper).

use game::{Dice, MoveId};

use super::Worth;
use super::tree::{Tally, highest};

/// A move that ends the game counts so much more than its score (after the authors' paper on games
/// of many players).
const OF_AN_END: f64 = 1.01;

/// What is known of a move: of the position after it and of those one move further on.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The move.
    pub id: MoveId,
    /// Whether it ends the game.
    pub is_end: bool,
    /// The moves that the own role has after it.
    pub own: usize,
    /// The joint moves that there are after it.
    pub total: usize,
    /// The position after it.
    pub tally: Tally,
    /// The positions after that, by the moves that lead there.
    pub below: Vec<(MoveId, Tally)>,
    /// Of the simulations in which the move was made wherever, their number and the sum of their
    /// scores.
    pub history: (f64, f64),
}

impl Candidate {
    /// Adds what another tree knows of the same move.
    pub fn merge(&mut self, other: &Self) {
        self.tally.merge(&other.tally);
        for (id, tally) in &other.below {
            match self.below.iter_mut().find(|known| known.0 == *id) {
                Some(known) => known.1.merge(tally),
                None => self.below.push((*id, *tally)),
            }
        }
        self.history = (self.history.0 + other.history.0, self.history.1 + other.history.1);
    }

    /// Its effective quality. What was never visited is not known: it does not count among the
    /// positions below, and without any of them the position itself has to do.
    pub fn effective_quality(&self, worth: Worth) -> f64 {
        let own_worth = self.tally.worth(worth);
        let below = self.below.iter().filter(|(_, tally)| tally.visits > 0);
        let below = below.map(|(_, tally)| tally.worth(worth));
        if self.is_end {
            return OF_AN_END * own_worth;
        }
        let (least, most) = below.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), worth| {
            (least.min(worth), most.max(worth))
        });
        if least > most {
            own_worth
        } else if self.own == 1 {
            least
        } else if self.own < self.total {
            (least + own_worth) / 2.0
        } else {
            most
        }
    }

    /// The average score of simulations with the move.
    fn past(&self) -> f64 {
        self.history.1 / self.history.0.max(1.0)
    }
}

/// The move to make: the one with the highest effective quality, among equals the one that did best
/// wherever it was made, and among equals again any.
pub fn choose(candidates: &[Candidate], worth: Worth, dice: &mut Dice) -> Option<MoveId> {
    let visited: Vec<&Candidate> = candidates.iter().filter(|candidate| candidate.tally.visits > 0).collect();
    if visited.is_empty() {
        return (!candidates.is_empty()).then(|| candidates[dice.below(candidates.len())].id);
    }
    let qualities: Vec<f64> = visited.iter().map(|candidate| candidate.effective_quality(worth)).collect();
    let most = qualities.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let tied: Vec<&Candidate> = visited
        .iter()
        .zip(&qualities)
        .filter(|(_, quality)| **quality == most)
        .map(|(best, _)| *best)
        .collect();
    let place = highest(tied.iter().map(|candidate| candidate.past()), dice)?;
    Some(tied[place].id)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(scores: &[f64]) -> Tally {
        let mut tally = Tally::default();
        scores.iter().for_each(|&score| tally.add(score));
        tally
    }

    /// A position worth 60 on average and 80 at most, with two below it: 20 and 70 on average.
    fn candidate(own: usize, total: usize) -> Candidate {
        let below = vec![
            (MoveId(0), tally(&[0.0, 40.0])),
            (MoveId(1), tally(&[60.0, 80.0])),
            // Never visited: not known.
            (MoveId(2), Tally::default()),
        ];
        let is_end = false;
        Candidate {
            id: MoveId(5),
            is_end,
            own,
            total,
            tally: tally(&[40.0, 80.0]),
            below,
            history: (0.0, 0.0),
        }
    }

    #[test]
    fn the_four_rows_of_the_table() {
        let average = |candidate: Candidate| candidate.effective_quality(Worth::Average);
        // An end: 60 * 1.01.
        let end = Candidate { is_end: true, below: Vec::new(), ..candidate(1, 1) };
        assert!((average(end) - 60.6).abs() < 1e-9);
        // The others choose: the least of 20 and 70.
        assert_eq!(average(candidate(1, 3)), 20.0);
        // All choose: (20 + 60) / 2.
        assert_eq!(average(candidate(2, 6)), 40.0);
        // Only the own role does: the most of 20 and 70.
        assert_eq!(average(candidate(3, 3)), 70.0);
        // By the highest scores: 40 and 80 below.
        assert_eq!(candidate(1, 3).effective_quality(Worth::Highest), 40.0);
        assert_eq!(candidate(3, 3).effective_quality(Worth::Highest), 80.0);
        // Nothing below was visited.
        assert_eq!(average(Candidate { below: Vec::new(), ..candidate(3, 3) }), 60.0);
    }

    #[test]
    fn ties_go_by_history_and_then_at_random() {
        let with = |id, history| Candidate { id: MoveId(id), history, ..candidate(3, 3) };
        let better = Candidate { tally: tally(&[100.0]), below: Vec::new(), ..with(7, (0.0, 0.0)) };
        let mut dice = Dice::new(1);
        let mut chosen = |candidates: &[Candidate]| choose(candidates, Worth::Average, &mut dice);
        let tied = [with(1, (4.0, 100.0)), with(2, (2.0, 80.0)), with(3, (9.0, 90.0))];
        assert_eq!(chosen(&tied), Some(MoveId(2)), "40 against 25 and 10");
        assert_eq!(chosen(&[tied[0].clone(), better, tied[1].clone()]), Some(MoveId(7)));
        let equal = [with(1, (4.0, 100.0)), with(2, (8.0, 200.0)), with(3, (9.0, 90.0))];
        let mut seen: Vec<_> = (0..60).filter_map(|_| chosen(&equal)).map(|id| id.0).collect();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen, [1, 2], "both of the best, and no other");
        assert_eq!(chosen(&[]), None);
    }

    #[test]
    fn trees_are_added_up() {
        let mut one = candidate(3, 3);
        let mut other = candidate(3, 3);
        other.tally = tally(&[90.0]);
        other.below = vec![(MoveId(9), tally(&[90.0])), (MoveId(1), tally(&[10.0]))];
        other.history = (2.0, 50.0);
        one.merge(&other);
        assert_eq!((one.tally.visits, one.tally.sum, one.tally.highest), (3, 210.0, 90.0));
        assert_eq!(one.below[1].1, Tally { visits: 3, sum: 150.0, highest: 80.0 });
        assert_eq!(one.below[3], (MoveId(9), tally(&[90.0])));
        assert_eq!(one.history, (2.0, 50.0));
    }

    #[test]
    fn bounds_are_those_of_the_equations() {
        // Ten visits above, four here: sqrt(ln 10 / 4) = 0.758713..
        let tally = tally(&[0.0, 100.0, 0.0, 20.0]);
        let bonus = 40.0 * 0.758_713_6;
        assert!((tally.bound(Worth::Average, 40.0, 10) - (30.0 + bonus)).abs() < 1e-4, "equation (1)");
        assert!((tally.bound(Worth::Highest, 40.0, 10) - (100.0 + bonus)).abs() < 1e-4, "equation (5)");
    }
}
