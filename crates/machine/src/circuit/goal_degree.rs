//! How far the highest goal of a role holds: the approximate goal evaluation of MiNI-Player (Świechowski and
//! Mańdziuk 2014).

use circuit::{Circuit, Edge, Proof, ProofTree};

/// Goals with more conditions are not looked at.
const MOST_PARTS: usize = 20_000;

/// How far something holds: from 0 to 1, and how many facts speak for it, which tells those apart
/// that hold equally far.
pub type Degree = (f64, f64);

/// The highest goal of a role as an or-and tree of the rules. A rule holds as far as its conditions do on
/// average, an atom as far as the best of its rules, a fact or not at all.
#[derive(Debug)]
pub struct GoalTree {
    tree: ProofTree,
}

impl GoalTree {
    /// The tree of the highest goal that a role can get; `None` if it is too large or its rules were not kept.
    pub fn new(circuit: &Circuit, role: usize) -> Option<Self> {
        let goals = &circuit.roles.get(role)?.goals;
        let goal = goals.iter().rev().find(|goal| goal.edge != Edge::FALSE)?;
        let tree = circuit.origin.as_ref()?.goal_proof(role, goal.value, MOST_PARTS)?;
        Some(Self { tree })
    }

    /// How far the goal holds, given which facts do.
    pub fn degree(&self, is_true: impl Fn(u32) -> bool) -> Degree {
        let mut degrees: Vec<Degree> = Vec::with_capacity(self.tree.parts().len());
        for part in self.tree.parts() {
            let degree = match part {
                Proof::Fact(fact, wanted) => {
                    let holds = f64::from(u8::from(is_true(*fact) == *wanted));
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
            degrees.push(degree);
        }
        degrees.last().copied().unwrap_or_default()
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
        let build = crate::build::circuit(&rules, circuit::Effort::Quick, &budget).expect("a circuit");
        let number = |fact: &&str| build.circuit.bases.iter().position(|base| base == fact);
        let numbers = facts.iter().map(|fact| number(fact).expect("a fact") as u32).collect();
        (GoalTree::new(&build.circuit, 0).expect("a goal"), numbers)
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
        let (tree, facts) = tree(&sheet, &["(on a)", "(on b)", "(on c)", "(on d)"]);
        let degree = |on: &[usize]| {
            let on: Vec<u32> = on.iter().map(|&place| facts[place]).collect();
            let (degree, facts) = tree.degree(|fact| on.contains(&fact));
            ((degree * 6.0).round(), facts)
        };
        // In sixths: a alone is a third; c alone is a third by the first rule and a half by the second.
        assert_eq!(degree(&[]), (0.0, 0.0));
        assert_eq!(degree(&[0]), (2.0, 1.0));
        assert_eq!(degree(&[2]), (3.0, 1.0));
        assert_eq!(degree(&[0, 1]), (4.0, 2.0));
        assert_eq!(degree(&[0, 1, 3]), (6.0, 3.0));
        // Both rules hold: the first has more facts that speak for it.
        assert_eq!(degree(&[0, 1, 2, 3]), (6.0, 3.0));
    }

    #[test]
    fn what_must_not_hold_counts_as_far_as_it_does_not() {
        // Not (a and b): with a alone half of it holds.
        let sheet =
            format!("{SWITCHES} (<= done (not both) (true (on c))) (<= both (true (on a)) (true (on b)))");
        let (tree, facts) = tree(&sheet, &["(on a)", "(on b)", "(on c)"]);
        let of = |on: &[u32]| tree.degree(|fact| on.contains(&fact)).0;
        assert_eq!(of(&[]), 0.5);
        assert_eq!(of(&[facts[0]]), 0.25);
        assert_eq!(of(&facts), 0.5);
    }

    #[test]
    fn a_proof_does_not_need_itself() {
        let sheet = format!(
            "{SWITCHES} (<= done (linked a d)) (<= (linked ?x ?y) (wire ?x ?y) (true (on ?y)))
             (<= (linked ?x ?z) (wire ?x ?y) (true (on ?y)) (linked ?y ?z))
             (wire a b) (wire b a) (wire b c) (wire c b) (wire c d)"
        );
        let (tree, facts) = tree(&sheet, &["(on b)", "(on c)", "(on d)"]);
        assert_eq!(tree.degree(|_| false).0, 0.0);
        assert_eq!(tree.degree(|fact| facts.contains(&fact)).0, 1.0);
    }

    /// Two players mark one of three cells each; x wants the first two, o the last one.
    const CELLS: &str = "(role x) (role o) (init (control x)) (cell 1) (cell 2) (cell 3)
        (<= (legal ?r (mark ?c)) (true (control ?r)) (cell ?c)) (<= (legal x noop) (true (control o)))
        (<= (legal o noop) (true (control x))) (<= (next (mark ?r ?c)) (does ?r (mark ?c)))
        (<= (next (mark ?r ?c)) (true (mark ?r ?c))) (<= (next (control x)) (true (control o)))
        (<= (next (control o)) (true (control x)))
        (<= line (true (mark x 1)) (true (mark x 2))) (<= (goal x 100) line) (<= (goal x 0) (not line))
        (<= (goal o 100) (true (mark o 3)) (not line)) (<= (goal o 0) line) (<= (goal o 0) (not (true (mark o 3))))
        (<= terminal line)";

    #[test]
    fn every_role_has_a_tree_of_its_own() {
        use game::{Describe, Game, RoleId, Simulator};
        let rules = gdl::normal::read(CELLS);
        let budget = ground::Budget::unlimited();
        let build = crate::build::circuit(&rules, circuit::Effort::Quick, &budget).expect("a circuit");
        let machine = crate::circuit::CircuitMachine::new(build.circuit);
        let mut workspace = machine.workspace();
        let mut state = machine.initial();
        let degree = |state: &_, role| machine.goal_degree(state, RoleId(role)).expect("a goal");
        let near = |one: f64, other: f64| (one - other).abs() < 1e-4;
        // o's goal: that 3 is marked, and that there is no line.
        assert!(near(degree(&state, 0), 0.0) && near(degree(&state, 1), 0.5));
        for joint in [["(mark 1)", "noop"], ["noop", "(mark 3)"]] {
            let mut expansion = game::Expansion::new();
            machine.expand(&mut workspace, &state, &mut expansion).expect("moves");
            let find = |(role, text): (u16, &str)| {
                let legal = expansion.legal(RoleId(role)).iter();
                *legal.clone().find(|&&id| machine.move_text(id) == text).expect("a legal move")
            };
            let joint: Vec<game::MoveId> = (0..).zip(joint).map(find).collect();
            state = machine.apply(&mut workspace, &state, &joint).expect("a state");
        }
        // Half of the line; the mark, and half of no line.
        assert!(near(degree(&state, 0), 0.5) && near(degree(&state, 1), 0.75));
        assert!(machine.goal_degree(&state, RoleId(2)).is_none());
    }
}
