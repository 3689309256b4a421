//! A decision tree over facts, by ID3 (Sheng and Thuente 2011).
//!
//! Random games tell how scores go along with single facts such as `(cell 2 2 x)`. Scores are merged into few classes, so
//! that the tree does not learn every number by heart; a node asks for the fact that tells most about the class, and a
//! leaf says the mean score of the positions that came to it. Facts that go along with higher scores are subgoals.

use super::MethodRow;
use crate::acceptance::accept;
use crate::columns::AtomId;
use crate::derived::{GROUP, Lanes};
use crate::knowledge::{Group, Knowledge, Learner};
use crate::learn::LearnError;
use crate::lesson::{Lesson, Taught, percent};
use crate::sample::Sample;
use crate::statistics::{correlation, mean, variance};
use std::sync::Arc;

pub(super) const ROW: MethodRow = MethodRow {
    name: "id3",
    source: "Sheng and Thuente 2011",
    help: "a decision tree over facts by ID3, with scores merged into classes",
    derived: false,
    learn,
};

/// Classes of scores: below a third, above two thirds, and between.
const CLASSES: usize = 3;

/// Positions that a leaf has at least.
const LEAST_LEAF: usize = 40;

/// Questions from the root to a leaf at most.
const MOST_DEPTH: usize = 10;

/// Bits that a question has to tell at least: what chance tells is less.
const LEAST_GAIN: f64 = 0.005;

/// A node of a tree.
#[derive(Clone, Debug, PartialEq)]
enum Node {
    /// The score of the positions that come here.
    Leaf(f64),
    /// A fact, by its number, and the places of the nodes for those that have it and those that do not.
    Ask(usize, u32, u32),
}

/// The tree of a role; the first node is the root.
#[derive(Clone, Debug, Default, PartialEq)]
struct Tree {
    nodes: Vec<Node>,
}

/// The trees of all roles.
struct Trees {
    facts: Vec<String>,
    roles: Vec<String>,
    trees: Vec<Tree>,
    /// For each role the facts that go along with its score most, and how much.
    subgoals: Vec<Vec<(f64, usize)>>,
}

/// Subgoals that are told.
const TOLD: usize = 5;

fn learn(lesson: &Lesson<'_>) -> Result<Taught, LearnError> {
    let (known, apart) = lesson.positions()?;
    let mut trees = Trees {
        facts: known.facts.clone(),
        roles: known.roles.clone(),
        trees: Vec::new(),
        subgoals: Vec::new(),
    };
    for (role, scores) in known.scores.iter().enumerate() {
        lesson.check()?;
        let is_flat = known.chance == Some(role) || variance(scores) == 0.0;
        trees.trees.push(if is_flat { Tree::leaf(mean(scores)) } else { Tree::grow(&known, scores) });
        trees.subgoals.push(subgoals(&known, scores));
    }
    let leaves: usize = trees.trees.iter().map(Tree::leaves).sum();
    let accepted = accept(Arc::new(trees), &known, &apart)?;
    let told = format!(
        "decision trees of {leaves} leaves, from {} positions, explain {} of the scores of others",
        known.len(),
        percent(&accepted.explained)
    );
    Ok(Taught::knowledge(accepted, told, &known))
}

/// The facts that go along with higher scores, those first that do most.
fn subgoals(sample: &Sample, scores: &[f64]) -> Vec<(f64, usize)> {
    let with = |fact: usize| {
        let column = sample.columns.column(AtomId(fact as u32));
        let values: Vec<f64> = (0..sample.len())
            .map(|state| f64::from((column[state / 64] >> (state % 64) & 1) as u8))
            .collect();
        (correlation(&values, scores), fact)
    };
    let mut found: Vec<(f64, usize)> =
        (0..sample.facts.len()).map(with).filter(|(correlation, _)| *correlation > 0.0).collect();
    found.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
    found.truncate(TOLD);
    found
}

/// The class of a score.
fn class(score: f64) -> usize {
    ((score * CLASSES as f64) as usize).min(CLASSES - 1)
}

/// The bits that it takes to tell the classes of some positions.
fn entropy(counts: &[usize; CLASSES]) -> f64 {
    let all: usize = counts.iter().sum();
    let part = |&count: &usize| {
        let share = count as f64 / all as f64;
        if count == 0 { 0.0 } else { -share * share.log2() }
    };
    counts.iter().map(part).sum()
}

/// How many bits are told by a question that leaves some classes on either side.
fn gain(all: &[usize; CLASSES], with: &[usize; CLASSES]) -> f64 {
    let without: [usize; CLASSES] = std::array::from_fn(|class| all[class] - with[class]);
    let size = |counts: &[usize; CLASSES]| counts.iter().sum::<usize>() as f64;
    let total = size(all);
    entropy(all) - size(with) / total * entropy(with) - size(&without) / total * entropy(&without)
}

impl Tree {
    fn leaf(score: f64) -> Self {
        Self { nodes: vec![Node::Leaf(score)] }
    }

    fn leaves(&self) -> usize {
        self.nodes.iter().filter(|node| matches!(node, Node::Leaf(_))).count()
    }

    /// The tree that positions suggest.
    fn grow(sample: &Sample, scores: &[f64]) -> Self {
        let words = sample.columns.words();
        let mut classes = vec![vec![0u64; words]; CLASSES];
        for (state, &score) in scores.iter().enumerate() {
            classes[class(score)][state / 64] |= 1 << (state % 64);
        }
        let mut all = vec![u64::MAX; words];
        if let Some(last) = all.last_mut() {
            *last = u64::MAX >> (64 * words - sample.len());
        }
        let mut tree = Self { nodes: vec![Node::Leaf(0.0)] };
        let mut open = vec![(0usize, all, 0usize)];
        while let Some((place, own, depth)) = open.pop() {
            let states: Vec<usize> =
                (0..sample.len()).filter(|state| own[state / 64] >> (state % 64) & 1 != 0).collect();
            let score = mean(&states.iter().map(|&state| scores[state]).collect::<Vec<_>>());
            tree.nodes[place] = Node::Leaf(score);
            if depth == MOST_DEPTH || states.len() < 2 * LEAST_LEAF {
                continue;
            }
            let count = |class: &Vec<u64>, also: &[u64]| -> usize {
                let words = class.iter().zip(&own).zip(also);
                words.map(|((class, own), also)| (class & own & also).count_ones() as usize).sum()
            };
            let everywhere = vec![u64::MAX; words];
            let all: [usize; CLASSES] = std::array::from_fn(|class| count(&classes[class], &everywhere));
            let mut best: Option<(f64, usize)> = None;
            for fact in 0..sample.facts.len() {
                let column = sample.columns.column(AtomId(fact as u32));
                let with: [usize; CLASSES] = std::array::from_fn(|class| count(&classes[class], column));
                let size: usize = with.iter().sum();
                if size < LEAST_LEAF || states.len() - size < LEAST_LEAF {
                    continue;
                }
                let told = gain(&all, &with);
                if told > LEAST_GAIN && best.is_none_or(|best| told > best.0) {
                    best = Some((told, fact));
                }
            }
            let Some((_, fact)) = best else { continue };
            let column = sample.columns.column(AtomId(fact as u32));
            let with: Vec<u64> = own.iter().zip(column).map(|(own, column)| own & column).collect();
            let without: Vec<u64> = own.iter().zip(column).map(|(own, column)| own & !column).collect();
            let first = tree.nodes.len();
            tree.nodes.extend([Node::Leaf(0.0), Node::Leaf(0.0)]);
            tree.nodes[place] = Node::Ask(fact, first as u32, first as u32 + 1);
            open.push((first, with, depth + 1));
            open.push((first + 1, without, depth + 1));
        }
        tree
    }

    /// What it says of the states of a group.
    fn judge(&self, group: &Group<'_>, mut says: impl FnMut(usize, f64)) {
        let mut open: Vec<(u32, Lanes)> = vec![(0, [u64::MAX; GROUP])];
        while let Some((place, own)) = open.pop() {
            if own.iter().all(|&word| word == 0) {
                continue;
            }
            match self.nodes[place as usize] {
                Node::Leaf(score) => {
                    let has = |state: &usize| own[state / 64] >> (state % 64) & 1 != 0;
                    (0..group.states).filter(has).for_each(|state| says(state, score));
                }
                Node::Ask(fact, yes, no) => {
                    let column = &group.facts[fact];
                    open.push((yes, std::array::from_fn(|word| own[word] & column[word])));
                    open.push((no, std::array::from_fn(|word| own[word] & !column[word])));
                }
            }
        }
    }

    fn write(&self, facts: &[String], place: u32, depth: usize, out: &mut Vec<String>) {
        let indent = "  ".repeat(depth + 1);
        match self.nodes[place as usize] {
            Node::Leaf(score) => out.push(format!("{indent}{:.0}", 100.0 * score)),
            Node::Ask(fact, yes, no) => {
                out.push(format!("{indent}if {}", facts[fact]));
                self.write(facts, yes, depth + 1, out);
                out.push(format!("{indent}else"));
                self.write(facts, no, depth + 1, out);
            }
        }
    }
}

impl Knowledge for Trees {
    fn facts(&self) -> &[String] {
        &self.facts
    }

    fn wants_moves(&self) -> bool {
        false
    }

    fn judge(&self, group: &Group<'_>, out: &mut [f64]) {
        let roles = self.trees.len();
        for (role, tree) in self.trees.iter().enumerate() {
            tree.judge(group, |state, score| out[state * roles + role] = score);
        }
    }

    fn learner(&self) -> Option<&dyn Learner> {
        None
    }

    fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for ((role, tree), subgoals) in self.roles.iter().zip(&self.trees).zip(&self.subgoals) {
            lines.push(format!("{role}:"));
            for (correlation, fact) in subgoals {
                lines.push(format!("  subgoal {}, correlation {correlation:.2}", self.facts[*fact]));
            }
            tree.write(&self.facts, 0, 0, &mut lines);
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::Columns;

    #[test]
    fn gain_by_hand() {
        // Four of one class and four of another take one bit; a question that leaves 3 and 1 on either side tells
        // 1 - 0.8113 of it.
        assert_eq!(entropy(&[4, 0, 4]), 1.0);
        assert_eq!(entropy(&[8, 0, 0]), 0.0);
        assert!((gain(&[4, 0, 4], &[3, 0, 1]) - 0.188_721_875).abs() < 1e-6);
        assert_eq!(gain(&[4, 0, 4], &[4, 0, 0]), 1.0);
        assert_eq!([0.0, 0.34, 0.5, 0.67, 1.0].map(class), [0, 1, 1, 2, 2]);
    }

    #[test]
    fn a_tree_is_grown_and_asked() {
        // Whoever has a and b wins, others lose; c says nothing.
        let count = 512;
        let mut columns = Columns::new(count);
        let atoms = [0, 1, 2].map(|key| columns.atom(key));
        let mut scores = Vec::new();
        for state in 0..count {
            for (bit, &atom) in atoms.iter().enumerate() {
                if state >> bit & 1 != 0 {
                    columns.set(atom, state);
                }
            }
            scores.push(if state & 3 == 3 { 1.0 } else { 0.0 });
        }
        let facts = ["a", "b", "c"].map(str::to_owned).to_vec();
        let sample = Sample {
            facts: facts.clone(),
            columns,
            scores: vec![scores.clone()],
            moves: vec![1; count],
            depths: vec![0; count],
            length: 1.0,
            roles: vec!["you".to_owned()],
            chance: None,
        };
        let tree = Tree::grow(&sample, &scores);
        assert_eq!(tree.leaves(), 3, "{tree:?}");
        let mut lines = Vec::new();
        tree.write(&facts, 0, 0, &mut lines);
        assert_eq!(lines, ["  if a", "    if b", "      100", "    else", "      0", "  else", "    0"]);
        let subgoals = subgoals(&sample, &scores);
        let trees = Trees { facts, roles: sample.roles.clone(), trees: vec![tree], subgoals: vec![subgoals] };
        assert_eq!(sample.explained(&trees), [1.0]);
        assert_eq!(trees.subgoals[0].iter().map(|subgoal| subgoal.1).collect::<Vec<_>>(), [0, 1]);
    }
}
