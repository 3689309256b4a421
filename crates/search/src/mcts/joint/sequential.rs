//! Sequential UCT: roles choose one after the other, and who comes later knows what was chosen before (as in Tak,
//! Lanctot and Winands 2014). Each chooses by upper confidence bounds over its own rewards.

use game::Dice;
use rustc_hash::FxHashMap;

/// What was chosen before in a node, as one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Prefix(u64);

impl Prefix {
    /// Nobody has chosen yet.
    pub(super) const NOTHING: Prefix = Prefix(0);

    /// With one more choice, of so many moves; `None` if there are more than numbers.
    pub(super) fn then(self, place: usize, count: usize) -> Option<Self> {
        let number = self.0.checked_mul(count as u64 + 1)?.checked_add(place as u64 + 1)?;
        Some(Prefix(number))
    }

    /// The last that can be chosen by roles with so many moves; `None` if there are more than numbers.
    pub(super) fn of_all(counts: &[usize]) -> Option<Self> {
        counts.iter().try_fold(Self::NOTHING, |before, &count| before.then(count.checked_sub(1)?, count))
    }
}

/// How a move fared after what was chosen before.
#[derive(Clone, Copy, Debug, Default)]
struct Reply {
    visits: u32,
    sum: f64,
}

/// How moves fared in a node, by what was chosen before.
#[derive(Clone, Debug, Default)]
pub(super) struct Replies {
    rows: FxHashMap<Prefix, Vec<Reply>>,
    numbers: usize,
}

impl Replies {
    pub(super) fn numbers(&self) -> usize {
        self.numbers
    }

    pub(super) fn learn(&mut self, before: Prefix, place: usize, count: usize, reward: f64) {
        let row = self.rows.entry(before).or_default();
        if row.is_empty() {
            row.resize(count, Reply::default());
            self.numbers += count;
        }
        row[place].visits += 1;
        row[place].sum += reward;
    }
}

/// The place of the move that a role tries after what was chosen before: any that was never tried, else the one
/// with the highest upper confidence bound. `begun` are visits that have not ended yet.
pub(super) fn choose(
    replies: Option<&Replies>,
    before: Prefix,
    count: usize,
    constant: f64,
    begun: impl Fn(usize) -> u32,
    dice: &mut Dice,
) -> usize {
    if count == 1 {
        return 0;
    }
    let row = replies.and_then(|replies| replies.rows.get(&before));
    let known = |place: usize| row.map_or(Reply::default(), |row| row[place]);
    let visits = |place: usize| known(place).visits + begun(place);
    let mut untried = (0..count).filter(|&place| visits(place) == 0);
    match untried.clone().count() {
        0 => {}
        free => return untried.nth(dice.below(free)).unwrap_or(0),
    }
    let all: u32 = (0..count).map(visits).sum();
    let ended: u32 = (0..count).map(|place| known(place).visits).sum();
    let usual = (0..count).map(|place| known(place).sum).sum::<f64>() / f64::from(ended.max(1));
    let factor = constant * f64::from(all.max(2)).ln().sqrt();
    let score = |place: usize| {
        let Reply { visits: ended, sum } = known(place);
        let mean = if ended == 0 { usual } else { sum / f64::from(ended) };
        100.0 * mean + factor / f64::from(visits(place)).sqrt()
    };
    let better = |best: usize, place: usize| if score(place) > score(best) { place } else { best };
    (0..count).fold(0, better)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_chosen_before_has_one_number() {
        let (one, two) = ([0, 1].map(|place| Prefix::NOTHING.then(place, 2)), Prefix::NOTHING.then(1, 2));
        assert_eq!(one[1], two);
        let mut all: Vec<Prefix> = one.into_iter().flatten().collect();
        all.push(Prefix::NOTHING);
        let more: Vec<Prefix> =
            all[..2].iter().flat_map(|before| (0..3).filter_map(|place| before.then(place, 3))).collect();
        all.extend(more);
        all.sort_by_key(|prefix| prefix.0);
        all.dedup();
        assert_eq!(all.len(), 1 + 2 + 6);
        assert_eq!(Prefix::of_all(&[1_000_000; 4]), None);
    }

    #[test]
    fn later_roles_know_what_was_chosen() {
        let (mut replies, mut dice) = (Replies::default(), Dice::new(1));
        let after = |place| Prefix::NOTHING.then(place, 2).expect("a small number");
        // After the first move the reply 1 brings all, after the second the reply 0.
        for (first, reply, reward) in [(0, 0, 0.0), (0, 1, 1.0), (1, 0, 1.0), (1, 1, 0.0)] {
            (0..5).for_each(|_| replies.learn(after(first), reply, 2, reward));
        }
        let mut reply = |first| choose(Some(&replies), after(first), 2, 40.0, |_| 0, &mut dice);
        assert_eq!([reply(0), reply(1)], [1, 0]);
        assert_eq!(replies.numbers(), 4);
    }

    #[test]
    fn scores_are_upper_confidence_bounds() {
        let mut replies = Replies::default();
        (0..8).for_each(|_| replies.learn(Prefix::NOTHING, 0, 2, 0.6));
        (0..2).for_each(|_| replies.learn(Prefix::NOTHING, 1, 2, 0.5));
        let mut dice = Dice::new(1);
        // ln 10 = 2.3026, its root 1.5174. With C = 20: 60 + 30.349/2.8284 = 70.73 and 50 + 30.349/1.4142 = 71.46.
        let mut place = |constant| choose(Some(&replies), Prefix::NOTHING, 2, constant, |_| 0, &mut dice);
        assert_eq!(place(20.0), 1);
        // With C = 18: 60 + 9.66 and 50 + 19.31.
        assert_eq!(place(18.0), 0);
        // What is under way counts: 50 + 20 sqrt(ln 12 / 4) = 65.8.
        assert_eq!(choose(Some(&replies), Prefix::NOTHING, 2, 20.0, |place| 2 * place as u32, &mut dice), 0);
        // What was never tried comes first.
        replies.learn(Prefix::NOTHING.then(0, 2).expect("a number"), 0, 3, 1.0);
        let before = Prefix::NOTHING.then(0, 2).expect("a number");
        assert_ne!(choose(Some(&replies), before, 3, 20.0, |_| 0, &mut dice), 0);
    }
}
