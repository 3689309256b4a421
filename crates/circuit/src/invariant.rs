//! Proves that at most one fact of a set is true in every reachable state, by induction over the gates.
//!
//! For each move of a role it is worked out what the facts of the set can be next at most: never, what a fact of the
//! set is now, or anything. A move says more than that it was made: it was legal, so the king was where it came
//! from, and who is not on turn did nothing.

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
    let begins = |set: &Vec<u32>| set.iter().filter(|&&fact| circuit.initial[fact as usize]).count() <= 1;
    if !sets.iter().all(begins) {
        return false;
    }
    let turns = turns(circuit).filter(|turns| begins(turns)).map(|set| {
        let set = Set::new(circuit, set);
        let proven = set.is_kept(circuit, None);
        (set, proven)
    });
    let turns = turns.filter(|(_, proven)| *proven).map(|(set, _)| set);
    sets.iter().all(|set| Set::new(circuit, set.clone()).is_kept(circuit, turns.as_ref()))
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

/// Facts that are to exclude each other.
struct Set {
    facts: Vec<u32>,
    /// The place of each fact, plus one.
    places: FxHashMap<u32, u32>,
    /// What each legal move of each role implies.
    legal: Vec<Vec<Bound>>,
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

/// What is known of the moves and facts in a step.
struct Step<'a> {
    places: &'a FxHashMap<u32, u32>,
    now: Now,
    moves: &'a Moves,
}

impl Step<'_> {
    fn fact(&self, number: u32) -> (Bound, Bound) {
        match (self.places.get(&number), self.now) {
            (None, _) => (ANY, ANY),
            (Some(&place), Now::One) => (place, ANY),
            (Some(&place), Now::This(fact)) if place == fact => (ANY, NEVER),
            (Some(_), Now::None | Now::This(_)) => (NEVER, ANY),
        }
    }
}

impl Set {
    fn new(circuit: &Circuit, facts: Vec<u32>) -> Self {
        let places: FxHashMap<u32, u32> = facts.iter().copied().zip(1..).collect();
        let legal = legal_bounds(circuit, &places, Now::One);
        Set { facts, places, legal }
    }

    /// Whether each step keeps the set exclusive. It is enough to look at the moves of one role, whatever the
    /// others do.
    fn is_kept(&self, circuit: &Circuit, turns: Option<&Set>) -> bool {
        let next = || self.facts.iter().map(|&fact| circuit.next[fact as usize]);
        let cone = circuit.gates.cone(next());
        let mut bounds = vec![(ANY, ANY); circuit.gates.len()];
        bounds[0] = (NEVER, ANY);
        // What may be true now, and what is legal then; worked out only if it is needed.
        let mut cases: Option<Vec<(Now, Vec<Vec<Bound>>)>> = None;
        (0..circuit.roles.len()).any(|role| {
            let moves = circuit.roles[role].legal.len();
            let mut others: FxHashMap<Bound, Moves> = FxHashMap::default();
            if cone.len().saturating_mul(moves) > MOST_WORK {
                return false;
            }
            (0..moves).all(|place| {
                let now = match self.legal[role][place] {
                    NEVER => return true,
                    ANY => Now::One,
                    fact => Now::This(fact),
                };
                let turn = turns.map_or(ANY, |turns| turns.legal[role][place]);
                let moves = others.entry(turn).or_insert_with(|| Moves::new(circuit, turns, turn));
                moves.made[role].fill(NOT_MADE);
                moves.made[role][place] = MADE;
                let mut keeps = |now: Now| {
                    let step = Step { places: &self.places, now, moves };
                    sweep(circuit, &cone, &step, &mut bounds);
                    stays_exclusive(next().map(|edge| upper(&bounds, edge)))
                };
                if keeps(now) {
                    return true;
                }
                if now != Now::One || self.facts.len() > MOST_CASES {
                    return false;
                }
                let cases = cases.get_or_insert_with(|| self.cases(circuit));
                cases.iter().all(|(now, legal)| legal[role][place] == NEVER || keeps(*now))
            })
        })
    }

    fn cases(&self, circuit: &Circuit) -> Vec<(Now, Vec<Vec<Bound>>)> {
        let facts = (1..=self.facts.len() as Bound).map(Now::This);
        let cases = std::iter::once(Now::None).chain(facts);
        cases.map(|now| (now, legal_bounds(circuit, &self.places, now))).collect()
    }
}

/// What each legal move of each role implies.
fn legal_bounds(circuit: &Circuit, places: &FxHashMap<u32, u32>, now: Now) -> Vec<Vec<Bound>> {
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
mod tests {
    use super::*;
    use crate::Gates;

    /// One role that may always make any of its moves; facts come next as the edges say.
    fn circuit(gates: Gates, next: Vec<Edge>, legal: Vec<Edge>, initial: &[bool]) -> Circuit {
        Circuit {
            gates,
            bases: (0..next.len()).map(|number| number.to_string()).collect(),
            next,
            initial: initial.to_vec(),
            roles: vec![RoleMoves {
                name: "r".to_owned(),
                moves: (0..legal.len()).map(|number| number.to_string()).collect(),
                legal,
                ..RoleMoves::default()
            }],
            ..Circuit::default()
        }
    }

    #[test]
    fn who_walks_is_in_one_place() {
        // Move i goes from place i to the next of three.
        let build = |forgets: bool| {
            let mut gates = Gates::new();
            let places: Vec<Edge> = (0..3).map(|number| gates.base(number)).collect();
            let moves: Vec<Edge> = (0..3).map(|number| gates.does(0, number)).collect();
            let mut next = Vec::new();
            for place in 0..3 {
                let stays = if forgets { places[place] } else { gates.and(places[place], !moves[place]) };
                next.push(gates.or(stays, moves[(place + 2) % 3]));
            }
            circuit(gates, next, places, &[true, false, false])
        };
        assert!(exclusive(&build(false), &[vec![0, 1, 2]]));
        assert!(!exclusive(&build(true), &[vec![0, 1, 2]]));
        let mut two = build(false);
        two.initial[1] = true;
        assert!(!exclusive(&two, &[vec![0, 1, 2]]));
    }

    /// What is proven of random circuits holds in all states that can be reached.
    #[test]
    fn what_is_proven_holds() {
        let mut seed = 99u32;
        let mut dice = |below: usize| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 16) as usize % below
        };
        let (mut proven, mut refuted) = (0, 0);
        for _ in 0..4_000 {
            let mut gates = Gates::new();
            let mut edges: Vec<Edge> = (0..4).map(|number| gates.base(number)).collect();
            edges.extend((0..3).map(|number| gates.does(0, number)));
            let next: Vec<Edge> = (0..4)
                .map(|_| {
                    let mut pick = || {
                        let edge = edges[dice(7)];
                        if dice(4) == 0 { !edge } else { edge }
                    };
                    let (a, b, c, d) = (pick(), pick(), pick(), pick());
                    let (left, right) = (gates.and(a, b), gates.and(c, d));
                    if dice(2) == 0 { left } else { gates.or(left, right) }
                })
                .collect();
            let legal: Vec<Edge> = (0..3).map(|_| edges[dice(4)]).collect();
            let circuit = circuit(gates, next, legal, &[true, false, false, false]);
            let set = vec![0, 1, 2];
            let claimed = exclusive(&circuit, &[set]);
            let mut open = vec![circuit.initial.clone()];
            let mut seen = open.clone();
            let mut holds = true;
            while let Some(state) = open.pop() {
                holds &= state[..3].iter().filter(|&&fact| fact).count() <= 1;
                for option in 0..3u32 {
                    let values = circuit.evaluate(&state, &[]);
                    if crate::simulate::read(&values, circuit.roles[0].legal[option as usize]) {
                        let next = circuit.successor(&state, &[option]);
                        if !seen.contains(&next) {
                            seen.push(next.clone());
                            open.push(next);
                        }
                    }
                }
            }
            assert!(holds || !claimed, "{circuit:?}");
            proven += usize::from(claimed);
            refuted += usize::from(!holds);
        }
        assert!(proven > 100 && refuted > 100, "{proven} proven, {refuted} refuted");
    }
}
