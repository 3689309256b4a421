//! How far the highest goal holds: the approximate goal evaluation of MiNI-Player.

use circuit::{Circuit, Edge, Proof, ProofTree};

/// Goals with more conditions are not looked at.
const MOST_PARTS: usize = 20_000;

/// How far something holds: from 0 to 1, and how many facts speak for it, which tells those apart
/// that hold equally far.
pub(super) type Degree = (f64, f64);

/// The highest goal as an or-and tree of the rules. A rule holds as far as its conditions do on
/// average, an atom as far as the best of its rules, a fact or not at all.
#[derive(Debug)]
pub(super) struct GoalTree {
    tree: ProofTree,
    degrees: Vec<Degree>,
}

impl GoalTree {
    /// The tree of the highest goal that can be; `None` if it is too large or its rules were not kept.
    pub(super) fn new(circuit: &Circuit) -> Option<Self> {
        let goals = &circuit.roles.first()?.goals;
        let goal = goals.iter().rev().find(|goal| goal.edge != Edge::FALSE)?;
        let tree = circuit.origin.as_ref()?.goal_proof(goal.value, MOST_PARTS)?;
        Some(Self { degrees: vec![(0.0, 0.0); tree.parts().len()], tree })
    }

    /// How far the goal holds, given the facts that are true, ascending.
    pub(super) fn degree(&mut self, facts: &[u32]) -> Degree {
        for (place, part) in self.tree.parts().iter().enumerate() {
            let degrees = &self.degrees;
            self.degrees[place] = match part {
                Proof::Fact(fact, wanted) => {
                    let holds = f64::from(u8::from(facts.binary_search(fact).is_ok() == *wanted));
                    (holds, holds)
                }
                Proof::Constant(holds) => (f64::from(u8::from(*holds)), 0.0),
                Proof::Not(part) => (1.0 - degrees[*part].0, 0.0),
                Proof::All(conditions) if conditions.is_empty() => (1.0, 0.0),
                Proof::All(conditions) => {
                    let sum = conditions.iter().map(|&part| degrees[part]);
                    let sum = sum.fold((0.0, 0.0), |sum, part| (sum.0 + part.0, sum.1 + part.1));
                    (sum.0 / conditions.len() as f64, sum.1)
                }
                Proof::Any(rules) => rules.iter().map(|&part| degrees[part]).fold((0.0, 0.0), further),
            };
        }
        self.degrees.last().copied().unwrap_or_default()
    }
}

/// The one that holds further; among equals the one for which more facts speak.
fn further(one: Degree, other: Degree) -> Degree {
    let order = one.0.total_cmp(&other.0).then(one.1.total_cmp(&other.1));
    if order.is_lt() { other } else { one }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tree of a sheet, and the numbers of some facts in its circuit.
    fn tree(rules: &str, facts: &[&str]) -> (GoalTree, Vec<u32>) {
        let rules = gdl::normal::read(rules);
        let budget = ground::Budget::unlimited();
        let build = machine::build::circuit(&rules, circuit::Effort::Quick, &budget).expect("a circuit");
        let number = |fact: &&str| build.circuit.bases.iter().position(|base| base == fact);
        let numbers = facts.iter().map(|fact| number(fact).expect("a fact") as u32).collect();
        (GoalTree::new(&build.circuit).expect("a goal"), numbers)
    }

    /// Switches that can be on or off in any order.
    const SWITCHES: &str = "(role you) (switch a) (switch b) (switch c) (switch d) (init (on a))
        (<= (legal you (flip ?s)) (switch ?s))
        (<= (next (on ?s)) (does you (flip ?s)) (not (true (on ?s))))
        (<= (next (on ?s)) (true (on ?s)) (not (does you (flip ?s))))
        (<= (goal you 20) (not done)) (<= (goal you 100) done) (<= terminal done)";

    #[test]
    fn rules_hold_as_far_as_their_conditions_do_and_atoms_as_their_best_rule() {
        // Two rules: (a and b and (c or d)), and (c and d).
        let sheet = format!(
            "{SWITCHES} (<= done (true (on a)) (true (on b)) some) (<= done (true (on c)) (true (on d)))
             (<= some (true (on c))) (<= some (true (on d)))"
        );
        let (mut tree, facts) = tree(&sheet, &["(on a)", "(on b)", "(on c)", "(on d)"]);
        let degree = |tree: &mut GoalTree, on: &[usize]| {
            let mut on: Vec<u32> = on.iter().map(|&place| facts[place]).collect();
            on.sort_unstable();
            let (degree, facts) = tree.degree(&on);
            ((degree * 6.0).round(), facts)
        };
        // In sixths: a alone is a third; c alone is a third by the first rule and a half by the second.
        assert_eq!(degree(&mut tree, &[]), (0.0, 0.0));
        assert_eq!(degree(&mut tree, &[0]), (2.0, 1.0));
        assert_eq!(degree(&mut tree, &[2]), (3.0, 1.0));
        assert_eq!(degree(&mut tree, &[0, 1]), (4.0, 2.0));
        assert_eq!(degree(&mut tree, &[0, 1, 3]), (6.0, 3.0));
        // Both rules hold: the first has more facts that speak for it.
        assert_eq!(degree(&mut tree, &[0, 1, 2, 3]), (6.0, 3.0));
    }

    #[test]
    fn what_must_not_hold_counts_as_far_as_it_does_not() {
        // Not (a and b): with a alone half of it holds.
        let sheet =
            format!("{SWITCHES} (<= done (not both) (true (on c))) (<= both (true (on a)) (true (on b)))");
        let (mut tree, facts) = tree(&sheet, &["(on a)", "(on b)", "(on c)"]);
        let mut of = |on: &[u32]| tree.degree(on).0;
        assert_eq!(of(&[]), 0.5);
        assert_eq!(of(&[facts[0]]), 0.25);
        let mut both = facts.clone();
        both.sort_unstable();
        assert_eq!(of(&both), 0.5);
    }

    #[test]
    fn a_proof_does_not_need_itself() {
        let sheet = format!(
            "{SWITCHES} (<= done (linked a d)) (<= (linked ?x ?y) (wire ?x ?y) (true (on ?y)))
             (<= (linked ?x ?z) (wire ?x ?y) (true (on ?y)) (linked ?y ?z))
             (wire a b) (wire b a) (wire b c) (wire c b) (wire c d)"
        );
        let (mut tree, facts) = tree(&sheet, &["(on b)", "(on c)", "(on d)"]);
        assert_eq!(tree.degree(&[]).0, 0.0);
        let mut all = facts;
        all.sort_unstable();
        assert_eq!(tree.degree(&all).0, 1.0);
    }
}
