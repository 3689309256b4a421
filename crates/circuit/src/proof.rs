//! Why something would hold: the rules of an atom, the conditions of each, and so on down to facts.
//!
//! It is the or-and tree of the rules themselves, not of the gates, which are shaped for speed. What
//! never changes is left out of it: conditions that always hold and rules that never do.

use ground::AtomId;
use rustc_hash::FxHashMap;

use crate::Origin;
use crate::origin::Reading;

/// A part of a proof. Others are named by their places in [`ProofTree::parts`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// A fact of the circuit, wanted to be true or wanted not to be.
    Fact(u32, bool),
    /// What never changes.
    Constant(bool),
    /// An atom: one of its rules is enough.
    Any(Vec<usize>),
    /// A rule: all of its conditions.
    All(Vec<usize>),
    /// An atom that is not to hold.
    Not(usize),
}

/// A proof tree; what several parts need is there once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofTree {
    parts: Vec<Proof>,
}

impl ProofTree {
    /// All parts, each after those that it names; the last one is what is to be proven.
    pub fn parts(&self) -> &[Proof] {
        &self.parts
    }
}

/// An atom whose rules are being looked at.
struct Frame {
    atom: AtomId,
    /// The rule that is being looked at, of those of the atom.
    rule: usize,
    /// The conditions of that rule so far.
    conditions: Vec<usize>,
    /// The rules that are done.
    alternatives: Vec<usize>,
}

#[derive(Clone, Copy)]
enum State {
    /// Being looked at: a proof does not need itself.
    Open,
    Done(usize),
}

impl Origin {
    /// The proof tree of a goal value of a role; `None` if the rules do not have it, or if it has more parts.
    pub fn goal_proof(&self, role: usize, value: u8, most_parts: usize) -> Option<ProofTree> {
        let goal = self.rules.goals.iter().find(|goal| (usize::from(goal.0), goal.1) == (role, value))?.2;
        let mut rules: FxHashMap<AtomId, Vec<usize>> = FxHashMap::default();
        for (rule, &head) in self.rules.heads.iter().enumerate() {
            rules.entry(head).or_default().push(rule);
        }
        let facts = self.rules.bases.iter().zip(&self.readings);
        let facts: FxHashMap<AtomId, Reading> = facts.map(|(base, &reading)| (base.0, reading)).collect();
        let mut parts = Vec::new();
        let mut states: FxHashMap<AtomId, State> = FxHashMap::default();
        let begin = |atom| Frame { atom, rule: 0, conditions: Vec::new(), alternatives: Vec::new() };
        let mut path = vec![begin(goal)];
        states.insert(goal, State::Open);
        // By hand and not by recursion: rules of strangers may go down as far as they like.
        while let Some(frame) = path.last_mut() {
            if parts.len() > most_parts {
                return None;
            }
            let of_atom = rules.get(&frame.atom).map_or(&[][..], Vec::as_slice);
            let Some(&rule) = of_atom.get(frame.rule) else {
                let alternatives = std::mem::take(&mut frame.alternatives);
                parts.push(match alternatives.is_empty() {
                    true => Proof::Constant(false),
                    false => Proof::Any(alternatives),
                });
                states.insert(frame.atom, State::Done(parts.len() - 1));
                path.pop();
                continue;
            };
            let Some(literal) = self.rules.body(rule).get(frame.conditions.len()) else {
                parts.push(Proof::All(std::mem::take(&mut frame.conditions)));
                frame.alternatives.push(parts.len() - 1);
                frame.rule += 1;
                continue;
            };
            let (atom, wanted) = (literal.atom(), !literal.is_negated());
            let part = match (facts.get(&atom), states.get(&atom)) {
                (Some(&Reading::Fact(fact, inverted)), _) => Proof::Fact(fact, wanted != inverted),
                (Some(&Reading::Constant(value)), _) => Proof::Constant(value == wanted),
                (None, Some(State::Open)) => Proof::Constant(!wanted),
                (None, Some(&State::Done(place))) if wanted => {
                    frame.conditions.push(place);
                    continue;
                }
                (None, Some(&State::Done(place))) => Proof::Not(place),
                (None, None) => {
                    states.insert(atom, State::Open);
                    path.push(begin(atom));
                    continue;
                }
            };
            parts.push(part);
            frame.conditions.push(parts.len() - 1);
        }
        Some(ProofTree { parts })
    }
}
