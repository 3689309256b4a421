//! Proves that at most one fact of a set is true in every reachable state, by induction over the gates.
//!
//! For each move of a role it is worked out what the facts of the set can be next at most: never, what a fact of the
//! set is now, or anything. A move says more than that it was made: it was legal, so the king was where it came
//! from, and who is not on turn did nothing.

use std::cell::{Cell, OnceCell};

use rustc_hash::FxHashMap;

use crate::{Circuit, Edge, Gate, GateId, RoleMoves};

/// Gates that may be looked at, over all moves.
const MOST_WORK: usize = 4_000_000_000;

/// Sets of more facts than this are not looked at fact by fact.
const MOST_CASES: usize = 16;

/// An upper bound of a gate: the gate implies it.
type Bound = u32;
/// The gate is never true.
const NEVER: Bound = 0;
/// Nothing is known. Anything between is a fact of the set, by its place plus one.
const ANY: Bound = u32::MAX;

/// Whether at most one fact of each set is true in every state that can be reached.
pub(crate) fn exclusive(circuit: &Circuit, sets: &[Vec<u32>]) -> bool {
    if !sets.iter().all(|set| begins_exclusive(circuit, set)) {
        return false;
    }
    let prover = Prover::new(circuit);
    sets.iter().all(|set| prover.is_exclusive(set, None))
}

/// Takes some work from what is left; whether there is so much.
fn spend(left: &Cell<usize>, work: usize) -> bool {
    let rest = left.get().checked_sub(work);
    left.set(rest.unwrap_or(0));
    rest.is_some()
}

/// Whether at most one of some facts is true at the beginning.
fn begins_exclusive(circuit: &Circuit, set: &[u32]) -> bool {
    set.iter().filter(|&&fact| circuit.initial[fact as usize]).count() <= 1
}

/// Proves one set after the other.
pub(crate) struct Prover<'a> {
    circuit: &'a Circuit,
    /// The facts that say whose turn it is, if it is proven that they exclude each other.
    turns: Option<Set>,
}

impl<'a> Prover<'a> {
    pub(crate) fn new(circuit: &'a Circuit) -> Self {
        let facts = turns(circuit).filter(|turns| begins_exclusive(circuit, turns));
        let facts = facts.map(|set| Set::new(circuit, set)).filter(|set| set.is_kept(circuit, None, None));
        let turns = facts.or_else(|| opposite_turns(circuit).map(|fact| Set::opposite(circuit, fact)));
        Self { circuit, turns }
    }

    /// Whether it is proven that at most one of some facts is true in every state that can be reached; with so much work, in gates
    /// looked at, looking at pairs of moves as well.
    pub(crate) fn is_exclusive(&self, set: &[u32], pairs: Option<&Cell<usize>>) -> bool {
        begins_exclusive(self.circuit, set)
            && pairs.is_none_or(|left| spend(left, self.circuit.gates.len()))
            && Set::new(self.circuit, set.to_vec()).is_kept(self.circuit, self.turns.as_ref(), pairs)
    }
}

/// For each role a fact that most of its moves ask for, if they are different facts.
fn turns(circuit: &Circuit) -> Option<Vec<u32>> {
    let mut facts = Vec::new();
    for role in &circuit.roles {
        let mut counts: FxHashMap<u32, usize> = FxHashMap::default();
        for &edge in &role.legal {
            let mut open = vec![edge];
            while let Some(edge) = open.pop() {
                match circuit.gates.get(edge.gate()) {
                    Gate::Base(number) if !edge.is_inverted() => *counts.entry(number).or_default() += 1,
                    Gate::And(left, right) if !edge.is_inverted() => open.extend([left, right]),
                    _ => {}
                }
            }
        }
        let (&fact, _) = counts.iter().max_by_key(|&(&fact, &count)| (count, fact))?;
        if facts.contains(&fact) {
            return None;
        }
        facts.push(fact);
    }
    (facts.len() > 1).then_some(facts)
}

/// A fact that most moves of one of two roles ask for, and most moves of the other ask not to hold: where whose turn it is
/// is told once.
fn opposite_turns(circuit: &Circuit) -> Option<u32> {
    let [one, other] = &circuit.roles[..] else { return None };
    let most = |role: &RoleMoves, fact: u32, value: bool| {
        let asks = |edge: &&Edge| {
            let mut open = vec![**edge];
            while let Some(edge) = open.pop() {
                match circuit.gates.get(edge.gate()) {
                    Gate::Base(number) if number == fact && edge.is_inverted() != value => return true,
                    Gate::And(left, right) if !edge.is_inverted() => open.extend([left, right]),
                    _ => {}
                }
            }
            false
        };
        2 * role.legal.iter().filter(asks).count() > role.legal.len()
    };
    let mut facts = 0..circuit.bases.len() as u32;
    facts.find(|&fact| [true, false].iter().any(|&value| most(one, fact, value) && most(other, fact, !value)))
}

/// Facts that are to exclude each other.
struct Set {
    facts: Vec<u32>,
    /// The place of each fact, plus one.
    places: Places,
    /// What each legal move of each role implies.
    legal: Vec<Vec<Bound>>,
}

/// Where in a set facts are, plus one.
struct Places {
    facts: FxHashMap<u32, Bound>,
    /// The fact of a set that is but it and its negation, which has the second place.
    opposite: Option<u32>,
}

/// What is known of the facts of a set.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Now {
    /// At most one of them is true.
    One,
    /// None of them is true.
    None,
    /// This one is true.
    This(Bound),
}

impl Now {
    /// What is known where moves are legal that imply so much together; nothing if they never are.
    fn where_legal(implied: Bound) -> Option<Self> {
        match implied {
            NEVER => None,
            ANY => Some(Now::One),
            fact => Some(Now::This(fact)),
        }
    }
}

/// What is known of the moves and facts in a step.
struct Step<'a> {
    places: &'a Places,
    now: Now,
    moves: &'a Moves,
}

impl Step<'_> {
    fn fact(&self, number: u32) -> (Bound, Bound) {
        if self.places.opposite == Some(number) {
            return (1, 2);
        }
        match (self.places.facts.get(&number), self.now) {
            (None, _) => (ANY, ANY),
            (Some(&place), Now::One) => (place, ANY),
            (Some(&place), Now::This(fact)) if place == fact => (ANY, NEVER),
            (Some(_), Now::None | Now::This(_)) => (NEVER, ANY),
        }
    }
}

impl Set {
    fn new(circuit: &Circuit, facts: Vec<u32>) -> Self {
        let places = Places { facts: facts.iter().copied().zip(1..).collect(), opposite: None };
        let legal = legal_bounds(circuit, &places, Now::One);
        Set { facts, places, legal }
    }

    /// A fact and its negation, which exclude each other anyway.
    fn opposite(circuit: &Circuit, fact: u32) -> Self {
        let places = Places { facts: FxHashMap::default(), opposite: Some(fact) };
        let legal = legal_bounds(circuit, &places, Now::One);
        Set { facts: Vec::new(), places, legal }
    }

    /// Whether each step keeps the set exclusive. It is enough to look at the moves of one role, whatever the
    /// others do; with so much work for `pairs`, which is counted down, also at those of another beside a move for which that is not enough.
    fn is_kept(&self, circuit: &Circuit, turns: Option<&Set>, pairs: Option<&Cell<usize>>) -> bool {
        let next = || self.facts.iter().map(|&fact| circuit.next[fact as usize]);
        let cone = circuit.gates.cone(next());
        let mut bounds = vec![(ANY, ANY); circuit.gates.len()];
        bounds[0] = (NEVER, ANY);
        let mut keeps = |now: Now, moves: &Moves| {
            if !pairs.is_none_or(|left| spend(left, cone.len())) {
                return false;
            }
            let step = Step { places: &self.places, now, moves };
            sweep(circuit, &cone, &step, &mut bounds);
            stays_exclusive(next().map(|edge| upper(&bounds, edge)))
        };
        // What may be true now, and what is legal then; worked out only if it is needed.
        let cases = OnceCell::new();
        let cases = || cases.get_or_init(|| self.cases(circuit));
        // Whether the set is kept where these moves, each of a role with its place there, are made and others may be.
        let mut holds = |made: &[(usize, usize)], moves: &Moves| {
            let implied = made.iter().fold(ANY, |all, &(role, place)| both(all, self.legal[role][place]));
            let Some(now) = Now::where_legal(implied) else { return true };
            keeps(now, moves)
                || now == Now::One && self.facts.len() <= MOST_CASES && {
                    let is_legal =
                        |legal: &[Vec<Bound>]| made.iter().all(|&(role, place)| legal[role][place] != NEVER);
                    cases().iter().all(|(now, legal)| !is_legal(legal) || keeps(*now, moves))
                }
        };
        (0..circuit.roles.len()).any(|role| {
            let count = circuit.roles[role].legal.len();
            let mut others: FxHashMap<Bound, Moves> = FxHashMap::default();
            if cone.len().saturating_mul(count) > MOST_WORK {
                return false;
            }
            (0..count).all(|place| {
                let turn = turns.map_or(ANY, |turns| turns.legal[role][place]);
                let moves = others.entry(turn).or_insert_with(|| Moves::new(circuit, turns, turn));
                moves.make(role, place);
                holds(&[(role, place)], moves) || pairs.is_some() && beside((role, place), moves, &mut holds)
            })
        })
    }

    fn cases(&self, circuit: &Circuit) -> Vec<(Now, Vec<Vec<Bound>>)> {
        let facts = (1..=self.facts.len() as Bound).map(Now::This);
        let cases = std::iter::once(Now::None).chain(facts);
        cases.map(|now| (now, legal_bounds(circuit, &self.places, now))).collect()
    }
}

/// Asks something of moves that are made, each of a role with its place there, where others may be.
type Holds<'a> = dyn FnMut(&[(usize, usize)], &Moves) -> bool + 'a;

/// Whether something holds of a move of a role together with each move of some other role.
fn beside((role, place): (usize, usize), moves: &mut Moves, holds: &mut Holds<'_>) -> bool {
    (0..moves.made.len()).filter(|&other| other != role).any(|other| {
        let may = moves.made[other].clone();
        let mut possible = (0..may.len()).filter(|&second| may[second] != NOT_MADE);
        let all = possible.all(|second| {
            moves.make(other, second);
            holds(&[(role, place), (other, second)], moves)
        });
        moves.made[other] = may;
        all
    })
}

/// What each legal move of each role implies.
fn legal_bounds(circuit: &Circuit, places: &Places, now: Now) -> Vec<Vec<Bound>> {
    let cone = circuit.gates.cone(circuit.roles.iter().flat_map(|role| role.legal.iter().copied()));
    let moves = Moves::new(circuit, None, ANY);
    let mut bounds = vec![(ANY, ANY); circuit.gates.len()];
    bounds[0] = (NEVER, ANY);
    sweep(circuit, &cone, &Step { places, now, moves: &moves }, &mut bounds);
    let legal = |role: &RoleMoves| role.legal.iter().map(|&edge| upper(&bounds, edge)).collect();
    circuit.roles.iter().map(legal).collect()
}

/// The bounds of a move that is not made, of one that is, and of one that may be.
const NOT_MADE: (Bound, Bound) = (NEVER, ANY);
const MADE: (Bound, Bound) = (ANY, NEVER);
const MAY_BE_MADE: (Bound, Bound) = (ANY, ANY);

/// What is known of the moves of each role.
struct Moves {
    made: Vec<Vec<(Bound, Bound)>>,
}

impl Moves {
    /// Moves that ask for another turn than this are not made. Whose other moves are not made makes the last.
    fn new(circuit: &Circuit, turns: Option<&Set>, turn: Bound) -> Self {
        let made = circuit.roles.iter().enumerate().map(|(role, options)| {
            let may = |place: usize| turns.is_none_or(|turns| !apart(turn, turns.legal[role][place]));
            let bound = |place: usize| if may(place) { MAY_BE_MADE } else { NOT_MADE };
            let mut bounds: Vec<(Bound, Bound)> = (0..options.legal.len()).map(bound).collect();
            let mut possible = bounds.iter_mut().filter(|bound| **bound == MAY_BE_MADE);
            if let (Some(only), None) = (possible.next(), possible.next()) {
                *only = MADE;
            }
            bounds
        });
        Moves { made: made.collect() }
    }

    /// A role makes this move and no other.
    fn make(&mut self, role: usize, place: usize) {
        self.made[role].fill(NOT_MADE);
        self.made[role][place] = MADE;
    }
}

/// Whether two moves ask for different turns.
fn apart(left: Bound, right: Bound) -> bool {
    both(left, right) == NEVER
}

/// Whether at most one of the next facts can be true, given that at most one is now.
fn stays_exclusive(next: impl Iterator<Item = Bound>) -> bool {
    let possible: Vec<Bound> = next.filter(|&bound| bound != NEVER).collect();
    if possible.len() <= 1 {
        return true;
    }
    let mut sorted = possible.clone();
    sorted.sort_unstable();
    !possible.contains(&ANY) && sorted.windows(2).all(|pair| pair[0] != pair[1])
}

/// The bounds of gates, of their values and of their inverses.
fn sweep(circuit: &Circuit, cone: &[GateId], step: &Step<'_>, bounds: &mut [(Bound, Bound)]) {
    for &id in cone {
        bounds[id.0 as usize] = match circuit.gates.get(id) {
            Gate::False => (NEVER, ANY),
            Gate::Base(number) => step.fact(number),
            Gate::Does(role, number) => step.moves.made[role as usize][number as usize],
            Gate::And(left, right) => (
                both(upper(bounds, left), upper(bounds, right)),
                either(upper(bounds, !left), upper(bounds, !right)),
            ),
            Gate::Xor(left, right) => {
                let exactly = |left: Edge, right: Edge| {
                    either(
                        both(upper(bounds, left), upper(bounds, !right)),
                        both(upper(bounds, !left), upper(bounds, right)),
                    )
                };
                (exactly(left, right), exactly(left, !right))
            }
        };
    }
}

fn upper(bounds: &[(Bound, Bound)], edge: Edge) -> Bound {
    let (value, inverse) = bounds[edge.gate().0 as usize];
    if edge.is_inverted() { inverse } else { value }
}

/// Two different facts of the set are never true together.
fn both(left: Bound, right: Bound) -> Bound {
    match (left, right) {
        (ANY, other) | (other, ANY) => other,
        (left, right) if left == right => left,
        _ => NEVER,
    }
}

fn either(left: Bound, right: Bound) -> Bound {
    match (left, right) {
        (NEVER, other) | (other, NEVER) => other,
        (left, right) if left == right => left,
        _ => ANY,
    }
}

#[cfg(test)]
mod tests;
