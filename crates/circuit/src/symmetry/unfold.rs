//! Rules with helping atoms put in, so that rules that mean the same more often look the same: a line of four that is built up from
//! its right end is no mirror image of itself, four cells in one body are.
//!
//! An atom that has one rule is replaced by the body of that rule wherever a body asks for it. What is put in is decided by the form of the
//! rules alone, so rules that were images of each other still are.

use rustc_hash::{FxHashMap, FxHashSet};

use super::graph::Rule;

/// Bodies that would be longer than this are not put in.
const MOST_LITERALS: usize = 24;

/// Puts the bodies of atoms with one rule in, but for atoms that stand for something by themselves.
pub(super) fn unfold(rules: Vec<Rule>, stands_alone: impl Fn(u32) -> bool) -> Vec<Rule> {
    let bodies = bodies(&rules, stands_alone);
    let mut known: FxHashSet<Rule> = FxHashSet::default();
    let mut unfolded = Vec::with_capacity(rules.len());
    for (head, body) in rules {
        let longer = put_in(&body, &bodies);
        let body = if longer.len() <= MOST_LITERALS { longer } else { body };
        // What is asked for and denied at once holds nowhere.
        let contradiction = body.windows(2).any(|pair| pair[0].0 == pair[1].0);
        if !contradiction && known.insert((head, body.clone())) {
            unfolded.push((head, body));
        }
    }
    unfolded
}

type Bodies = FxHashMap<u32, Vec<(u32, bool)>>;

/// What atoms with one rule are replaced by. Those that depend on themselves are not among them.
fn bodies(rules: &[Rule], stands_alone: impl Fn(u32) -> bool) -> Bodies {
    let mut single: FxHashMap<u32, Option<usize>> = FxHashMap::default();
    for (number, (head, _)) in rules.iter().enumerate().filter(|(_, (head, _))| !stands_alone(*head)) {
        single.entry(*head).and_modify(|rule| *rule = None).or_insert(Some(number));
    }
    let single: FxHashMap<u32, usize> =
        single.into_iter().filter_map(|(head, rule)| Some((head, rule?))).collect();
    // How many atoms have to be worked out before each, and who waits for whom.
    let mut waiting: FxHashMap<u32, usize> = FxHashMap::default();
    let mut readers: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    let mut ready = Vec::new();
    for (&head, &rule) in &single {
        let asked = rules[rule].1.iter().filter(|(atom, denied)| !denied && single.contains_key(atom));
        let mut count = 0;
        for &(atom, _) in asked {
            readers.entry(atom).or_default().push(head);
            count += 1;
        }
        waiting.insert(head, count);
        if count == 0 {
            ready.push(head);
        }
    }
    let mut bodies = Bodies::default();
    while let Some(head) = ready.pop() {
        let body = put_in(&rules[single[&head]].1, &bodies);
        if body.len() <= MOST_LITERALS {
            bodies.insert(head, body);
        }
        for reader in readers.remove(&head).unwrap_or_default() {
            let count = waiting.entry(reader).or_default();
            *count -= 1;
            if *count == 0 {
                ready.push(reader);
            }
        }
    }
    bodies
}

/// A body with the bodies of its atoms put in, sorted.
fn put_in(body: &[(u32, bool)], bodies: &Bodies) -> Vec<(u32, bool)> {
    let mut longer: Vec<(u32, bool)> = Vec::with_capacity(body.len());
    for literal in body {
        match bodies.get(&literal.0).filter(|_| !literal.1) {
            Some(body) => longer.extend(body),
            None => longer.push(*literal),
        }
    }
    longer.sort_unstable();
    longer.dedup();
    longer
}

#[cfg(test)]
mod tests {
    use super::unfold;

    #[test]
    fn a_line_from_its_end_is_a_set_of_cells() {
        // Cells 0 to 3, pairs 10 to 12, three 20, four 30: from the left; and the same with the other end first.
        let left = vec![(12, vec![(2, false), (3, false)]), (20, vec![(1, false), (12, false)])];
        let left = [left, vec![(30, vec![(0, false), (20, false)])]].concat();
        let right = vec![(10, vec![(0, false), (1, false)]), (20, vec![(2, false), (10, false)])];
        let right = [right, vec![(30, vec![(3, false), (20, false)])]].concat();
        let four = |rules| unfold(rules, |atom| atom == 30 || atom < 10).pop();
        let cells = (0..4).map(|cell| (cell, false)).collect();
        assert_eq!(four(left), Some((30, cells)));
        assert_eq!(
            four(right),
            unfold(vec![(30, (0..4).map(|cell| (cell, false)).collect())], |_| true).pop()
        );
    }

    #[test]
    fn what_depends_on_itself_stays_and_denials_too() {
        let circle = vec![(1, vec![(2, false)]), (2, vec![(1, false)]), (3, vec![(1, false), (4, true)])];
        let rules = [circle, vec![(4, vec![(0, false)])]].concat();
        assert_eq!(unfold(rules.clone(), |atom| atom == 3), rules);
        let never = vec![(1, vec![(0, false)]), (3, vec![(0, true), (1, false)])];
        assert_eq!(unfold(never, |atom| atom == 3 || atom == 0), [(1, vec![(0, false)])]);
    }
}
