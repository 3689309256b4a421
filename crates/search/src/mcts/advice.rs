//! What a search has found out.

use game::{MoveId, RoleId};

use super::Bounds;
use crate::{Final, Merge};

/// A move and what is thought of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The move.
    pub id: MoveId,
    /// Simulations through it.
    pub visits: u32,
    /// The mean of the role's goals, 0 to 100.
    pub value: f64,
    /// What the other roles get together, where all is proven: of moves that are as good for its role
    /// the one that leaves them least costs them most time.
    pub to_others: f64,
    /// Where all moves are proven lost, how good it looks to who does not know that, 0 to 100.
    pub hope: f64,
    /// How likely it is to be played, where several roles choose at once and the move played is drawn.
    pub likelihood: Option<f64>,
    /// What is proven.
    pub bounds: Bounds,
}

/// What a search thinks of the moves of one role.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice {
    /// The role.
    pub role: RoleId,
    /// All its moves, in canonical order.
    pub candidates: Vec<Candidate>,
    /// Which of them to play.
    pub chosen: usize,
    /// The mean goal of every role.
    pub values: Vec<f64>,
    /// What is proven of every role's goal.
    pub bounds: Vec<Bounds>,
    /// Joint moves that are thought best, from here on.
    pub line: Vec<Vec<MoveId>>,
    /// Nodes in the tree.
    pub nodes: usize,
    /// Bytes held by the tree.
    pub bytes: usize,
    /// The longest path down so far.
    pub depth: u32,
}

impl Advice {
    /// The move to play.
    pub fn best(&self) -> &Candidate {
        &self.candidates[self.chosen]
    }

    /// Whether the chosen move is proven to be as good as any.
    pub fn is_proven(&self) -> bool {
        let best = self.best().bounds;
        self.candidates.iter().all(|other| other.bounds.upper <= best.lower) || self.candidates.len() == 1
    }
}

/// The place of the move to play. What is proven comes first: a move that cannot be worse than any
/// other, then what is thought among those that are not proven worse.
pub fn choose(candidates: &[Candidate], rule: Final, exploration: f64) -> usize {
    let sure = candidates.iter().map(|candidate| candidate.bounds.lower).max().unwrap_or(0);
    let total: f64 = candidates.iter().map(|candidate| f64::from(candidate.visits)).sum();
    let hopes = candidates.iter().any(|candidate| candidate.hope > 0.0);
    let worth = |candidate: &Candidate| match rule {
        // Effective quality is worked out where the tree is.
        Final::Value | Final::Effective => candidate.value,
        Final::Visits => f64::from(candidate.visits),
        Final::Bound => {
            let visits = f64::from(candidate.visits.max(1));
            candidate.value - exploration * (total.max(2.0).ln() / visits).sqrt()
        }
    };
    let key = |candidate: &Candidate| {
        let dominated = candidate.bounds.upper < sure;
        let tried = candidate.visits > 0 || candidate.bounds.lower > 0;
        // A move proven to be the best possible needs no statistics.
        let settled = candidate.bounds.lower == sure
            && candidates.iter().all(|other| other.bounds.upper <= candidate.bounds.lower);
        let worth = match settled {
            // Only what is lost is hoped for: who plays it has no hurry, and hopes before it puts off.
            true if hopes => candidate.hope,
            true => candidate.value,
            false => worth(candidate),
        };
        let late = if settled { -candidate.to_others } else { 0.0 };
        (!dominated, settled, tried, worth, late)
    };
    let mut best = 0;
    for place in 1..candidates.len() {
        if key(&candidates[place]) > key(&candidates[best]) {
            best = place;
        }
    }
    best
}

/// Merges what several trees think of the same moves: values, and visits in the same way, so that it makes a
/// difference by whatever the move is chosen.
pub fn merge(all: &[Vec<Candidate>], how: Merge) -> Vec<Candidate> {
    let Some(first) = all.first() else { return Vec::new() };
    let places = 0..first.len();
    let top = |candidates: &[Candidate], place: usize| {
        let better = candidates.iter().filter(|other| other.value > candidates[place].value).count();
        how != Merge::Sum10 || better < 10
    };
    let sum = |candidates: &Vec<Candidate>| candidates.iter().map(|one| f64::from(one.visits)).sum();
    let totals: Vec<f64> = all.iter().map(sum).collect();
    let merged = |place: usize| {
        let same = all.iter().map(|candidates| &candidates[place]);
        let bounds = same.clone().map(|one| one.bounds).fold(Bounds::UNKNOWN, Bounds::intersect);
        let visits = merged_visits(all, &totals, place, how, &top);
        let value = match how {
            Merge::Best => same.map(|one| one.value).fold(0.0, f64::max),
            Merge::Raw => same.map(|one| one.value).sum::<f64>() / all.len() as f64,
            Merge::Sum | Merge::Sum10 => {
                let counted = all
                    .iter()
                    .filter(|candidates| top(candidates, place))
                    .map(|candidates| &candidates[place]);
                let (sum, visits) = counted.fold((0.0, 0.0), |(sum, visits), one| {
                    (sum + one.value * f64::from(one.visits), visits + f64::from(one.visits))
                });
                if visits > 0.0 { sum / visits } else { 0.0 }
            }
        };
        let to_others = all.iter().map(|candidates| candidates[place].to_others).fold(0.0, f64::max);
        Candidate { id: first[place].id, visits, value, to_others, hope: 0.0, likelihood: None, bounds }
    };
    places.map(merged).collect()
}

/// The visits of a move in several trees: summed, in all of them or where it is among the best; or by its share in
/// each tree, however often that was visited.
fn merged_visits(
    all: &[Vec<Candidate>],
    totals: &[f64],
    place: usize,
    how: Merge,
    is_counted: &dyn Fn(&[Candidate], usize) -> bool,
) -> u32 {
    let shares = all.iter().zip(totals).map(|(candidates, total)| {
        let visits = f64::from(candidates[place].visits);
        if *total > 0.0 { visits / total } else { 0.0 }
    });
    let whole: f64 = totals.iter().sum();
    match how {
        Merge::Sum | Merge::Sum10 => {
            let counted = all.iter().filter(|candidates| is_counted(candidates, place));
            counted.fold(0, |sum, candidates| sum.saturating_add(candidates[place].visits))
        }
        Merge::Best => (whole * shares.fold(0.0, f64::max)) as u32,
        Merge::Raw => (whole * shares.sum::<f64>() / all.len() as f64) as u32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(id: u32, visits: u32, value: f64) -> Candidate {
        let bounds = Bounds::UNKNOWN;
        Candidate { id: MoveId(id), visits, value, to_others: 0.0, hope: 0.0, likelihood: None, bounds }
    }

    #[test]
    fn rules_differ() {
        let candidates = [candidate(0, 1000, 60.0), candidate(1, 3, 90.0), candidate(2, 1200, 55.0)];
        assert_eq!(choose(&candidates, Final::Value, 40.0), 1);
        assert_eq!(choose(&candidates, Final::Visits, 40.0), 2);
        assert_eq!(choose(&candidates, Final::Bound, 40.0), 0);
    }

    #[test]
    fn proofs_come_first() {
        let mut candidates = vec![candidate(0, 10, 90.0), candidate(1, 10, 20.0), candidate(2, 10, 95.0)];
        candidates[2].bounds = Bounds::exact(0);
        assert_eq!(choose(&candidates, Final::Value, 40.0), 2, "nothing better is proven");
        candidates[1].bounds = Bounds::exact(50);
        assert_eq!(choose(&candidates, Final::Value, 40.0), 0, "2 is proven worse than 1");
        candidates[1].bounds = Bounds::exact(100);
        assert_eq!(choose(&candidates, Final::Value, 40.0), 1);
    }

    #[test]
    fn what_is_lost_is_lost_late() {
        let mut candidates = vec![candidate(0, 90, 0.0), candidate(1, 10, 0.0), candidate(2, 50, 0.0)];
        for (candidate, to_others) in candidates.iter_mut().zip([99.0, 97.0, 98.0]) {
            (candidate.bounds, candidate.to_others) = (Bounds::exact(0), to_others);
        }
        assert_eq!(choose(&candidates, Final::Visits, 40.0), 1);
        candidates[2].hope = 30.0;
        assert_eq!(choose(&candidates, Final::Visits, 40.0), 2, "what is hard to see comes first");
        // The same where who loses gets something: a loss that is near is worth more, and is no better.
        for (candidate, value) in candidates.iter_mut().zip([19.8, 19.9, 19.7]) {
            (candidate.bounds, candidate.value) = (Bounds::exact(20), value);
        }
        assert_eq!(choose(&candidates, Final::Visits, 40.0), 2);
    }

    #[test]
    fn four_ways_of_merging() {
        let one = vec![candidate(0, 100, 50.0), candidate(1, 1, 80.0)];
        let two = vec![candidate(0, 50, 80.0), candidate(1, 3, 40.0)];
        let value =
            |how| merge(&[one.clone(), two.clone()], how).iter().map(|one| one.value).collect::<Vec<_>>();
        assert_eq!(value(Merge::Best), [80.0, 80.0]);
        assert_eq!(value(Merge::Sum), [60.0, 50.0]);
        assert_eq!(value(Merge::Sum10), [60.0, 50.0]);
        assert_eq!(value(Merge::Raw), [65.0, 60.0]);
        let visits =
            |how| merge(&[one.clone(), two.clone()], how).iter().map(|one| one.visits).collect::<Vec<_>>();
        assert_eq!((visits(Merge::Sum), visits(Merge::Sum10)), (vec![150, 4], vec![150, 4]));
        // 154 visits in all; 100 of 101 and 50 of 53.
        assert_eq!((visits(Merge::Best), visits(Merge::Raw)), (vec![152, 8], vec![148, 5]));
        let many: Vec<Candidate> = (0..12).map(|id| candidate(id, 10, f64::from(id))).collect();
        assert_eq!(merge(std::slice::from_ref(&many), Merge::Sum10)[0].value, 0.0);
        assert_eq!(
            merge(std::slice::from_ref(&many), Merge::Sum10)[1].value,
            0.0,
            "the eleventh best does not count"
        );
    }
}
