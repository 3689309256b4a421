//! Moves that are never legal together can share a place in the choice.
//!
//! From the gates alone we read which literals a legal move implies. Two moves that imply a
//! proposition and its negation exclude each other: that is proven. In a game of turns the moves
//! of the roles exclude each other because the propositions of control do, which the gates do not
//! say: such a pair is an assumption, and the lanes check it in every sweep (see `batch::step`).

use ::circuit::{Circuit, Edge, Gate, TurnOf};
use game::Game;

use crate::circuit::{CircuitMachine, CircuitState};

/// A base proposition or its negation: twice the number, plus one if negated.
pub(crate) type Literal = u32;

/// The steps of random playouts from which the roles' turns are read.
const SAMPLED_STEPS: usize = 200;
/// In so many of a hundred steps the next role of the round must follow.
const LEAST_ORDER: usize = 90;
/// More implied literals than this are forgotten, unless they are among the most frequent.
const MOST: usize = 64;
/// So many of the most frequent literals are followed through all gates.
const FREQUENT: usize = u64::BITS as usize;
/// At most so many groups are tried for one more member,
const MOST_OPEN_GROUPS: usize = 400;
/// fewer if there are very many moves: so many trials are made altogether.
const TRIALS: usize = 1_000_000;

/// Roles that move in turn: at most one of them has a choice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Turns {
    /// The roles in the round.
    pub(crate) roles: Vec<Turn>,
}

impl Turns {
    /// The pairs of literals that must not be true together, and are not proven so.
    pub(crate) fn assumptions(&self) -> Vec<(Literal, Literal)> {
        let literals = self.roles.iter().map(|role| role.1);
        let pairs = literals
            .clone()
            .enumerate()
            .flat_map(|(index, first)| self.roles[index + 1..].iter().map(move |second| (first, second.1)));
        pairs.filter(|(first, second)| first ^ 1 != *second).collect()
    }

    /// How roles take their turns, as the circuit has it.
    pub(crate) fn of_circuit(&self) -> Vec<TurnOf> {
        let turn =
            |&(role, literal, idle): &Turn| TurnOf { role, base: literal / 2, value: literal & 1 == 0, idle };
        self.roles.iter().map(turn).collect()
    }

    /// Whether a role's idle move is known not to be legal when it is the role's turn: proven, or
    /// by an assumption.
    pub(crate) fn is_idle_apart(&self, implied: &[Vec<Vec<Literal>>], turn: &Turn) -> bool {
        let &(role, literal, idle) = turn;
        idle.is_none_or(|idle| {
            let idle = &implied[role][idle as usize];
            idle.binary_search(&(literal ^ 1)).is_ok()
                || self.roles.iter().any(|other| other.0 != role && idle.binary_search(&other.1).is_ok())
        })
    }

    fn excludes(&self, first: &[Literal], second: &[Literal]) -> bool {
        contradicts(first, second)
            || self.roles.iter().any(|one| {
                first.binary_search(&one.1).is_ok()
                    && self.roles.iter().any(|two| one.0 != two.0 && second.binary_search(&two.1).is_ok())
            })
    }
}

/// For each role and move, the literals that hold whenever it is legal, ascending.
pub(crate) fn implied(circuit: &Circuit) -> Vec<Vec<Vec<Literal>>> {
    let legal = circuit.roles.iter().flat_map(|role| role.legal.iter().copied());
    // What a gate implies when it is true, and when it is false.
    let mut known: Vec<[Vec<Literal>; 2]> = vec![Default::default(); circuit.gates.len()];
    for id in circuit.gates.cone(legal) {
        let of = |edge: Edge, value: bool| {
            &known[edge.gate().0 as usize][usize::from(edge.is_inverted() == value)]
        };
        known[id.0 as usize] = match circuit.gates.get(id) {
            Gate::Base(number) => [vec![number * 2], vec![number * 2 + 1]],
            Gate::And(left, right) => {
                [union(of(left, true), of(right, true)), intersection(of(left, false), of(right, false))]
            }
            _ => Default::default(),
        };
    }
    let of = |edge: &Edge| known[edge.gate().0 as usize][usize::from(edge.is_inverted())].clone();
    let mut implied: Vec<_> = circuit.roles.iter().map(|role| role.legal.iter().map(of).collect()).collect();
    complete(circuit, &mut implied);
    implied
}

/// Adds what was forgotten of the most frequent literals. Whose turn it is must not get lost only
/// because a move looks at many squares.
fn complete(circuit: &Circuit, implied: &mut [Vec<Vec<Literal>>]) {
    let mut counts = vec![0usize; circuit.bases.len() * 2];
    implied.iter().flatten().flatten().for_each(|&literal| counts[literal as usize] += 1);
    let mut frequent: Vec<Literal> = (0..counts.len() as Literal).collect();
    frequent.sort_by_key(|&literal| std::cmp::Reverse(counts[literal as usize]));
    frequent.truncate(FREQUENT);
    // The bits of the frequent literals: for each gate those implied when it is true, and false.
    let mut bits = vec![0u64; counts.len()];
    frequent.iter().enumerate().for_each(|(bit, &literal)| bits[literal as usize] = 1 << bit);
    let mut known = vec![[0u64; 2]; circuit.gates.len()];
    let legal = circuit.roles.iter().flat_map(|role| role.legal.iter().copied());
    for id in circuit.gates.cone(legal) {
        let of =
            |edge: Edge, value: bool| known[edge.gate().0 as usize][usize::from(edge.is_inverted() == value)];
        known[id.0 as usize] = match circuit.gates.get(id) {
            Gate::Base(number) => [bits[number as usize * 2], bits[number as usize * 2 + 1]],
            Gate::And(left, right) => [of(left, true) | of(right, true), of(left, false) & of(right, false)],
            _ => [0; 2],
        };
    }
    for (role, implied) in circuit.roles.iter().zip(implied) {
        for (&edge, implied) in role.legal.iter().zip(implied) {
            let mut more = known[edge.gate().0 as usize][usize::from(edge.is_inverted())];
            while more != 0 {
                let literal = frequent[more.trailing_zeros() as usize];
                more &= more - 1;
                if let Err(place) = implied.binary_search(&literal) {
                    implied.insert(place, literal);
                }
            }
        }
    }
}

fn holds(state: &CircuitState, literal: Literal) -> bool {
    state.get(literal as usize / 2) != (literal & 1 != 0)
}

/// Whose turn it is: a role, the literal that all its choices imply, and the one move it has when
/// it is not its turn.
pub(crate) type Turn = (usize, Literal, Option<u32>);

/// What random playouts have shown, to drop assumptions that would fail at once.
pub(crate) struct Experience {
    /// States that were not terminal.
    pub(crate) states: Vec<CircuitState>,
    /// For each of them and each role the legal moves, by number.
    pub(crate) legal: Vec<Vec<Vec<u32>>>,
    /// The last states of playouts that came to an end, each with the number of states before it.
    pub(crate) ends: Vec<(usize, CircuitState)>,
}

impl Experience {
    /// States of some random playouts.
    pub(crate) fn gather(machine: &CircuitMachine) -> Self {
        Self::of_steps(machine, SAMPLED_STEPS)
    }

    /// States of so many steps of random playouts.
    pub(crate) fn of_steps(machine: &CircuitMachine, steps: usize) -> Self {
        let mut workspace = machine.workspace();
        let mut expansion = game::Expansion::new();
        let mut dice = game::Dice::new(1);
        let mut experience = Self { states: Vec::new(), legal: Vec::new(), ends: Vec::new() };
        let mut state = machine.initial();
        for _ in 0..steps {
            let looked = machine.expand(&mut workspace, &state, &mut expansion);
            if looked.is_err() || expansion.is_terminal() || expansion.stuck_role().is_some() {
                let end = std::mem::replace(&mut state, machine.initial());
                experience.ends.push((experience.states.len(), end));
                continue;
            }
            let number = |id: &game::MoveId| machine.move_numbers().split(*id).1;
            experience.states.push(state.clone());
            experience
                .legal
                .push(expansion.by_role().map(|legal| legal.iter().map(number).collect()).collect());
            let joint: Vec<game::MoveId> =
                expansion.by_role().map(|legal| legal[dice.below(legal.len())]).collect();
            match machine.apply(&mut workspace, &state, &joint) {
                Ok(next) => state = next,
                Err(_) => break,
            }
        }
        experience
    }

    /// States that followed each other.
    pub(crate) fn steps(&self) -> impl Iterator<Item = (&CircuitState, &CircuitState)> {
        let mut ends = self.ends.iter().peekable();
        self.states.iter().enumerate().filter_map(move |(index, before)| {
            // A first state that is an end comes after no other.
            while ends.next_if(|(count, _)| *count <= index).is_some() {}
            let after = match ends.peek() {
                Some((count, end)) if *count == index + 1 => Some(end),
                _ => self.states.get(index + 1),
            };
            after.map(|after| (before, after))
        })
    }

    /// About how many joint moves a playout has.
    pub(crate) fn mean_length(&self) -> usize {
        self.states.len() / self.ends.len().max(1)
    }
}

impl Experience {
    fn holds(&self, state: usize, literal: Literal) -> bool {
        holds(&self.states[state], literal)
    }

    /// The roles that move in turn in the order of their turns, if it is always exactly one's turn
    /// and the order is seldom broken.
    pub(crate) fn round(&self, turns: &Turns) -> Vec<usize> {
        let mover = |state: &CircuitState| {
            let mut movers = turns.roles.iter().filter(|turn| holds(state, turn.1)).map(|turn| turn.0);
            movers.next().filter(|_| movers.next().is_none())
        };
        let movers: Option<Vec<usize>> = self.states.iter().map(mover).collect();
        let ends: Option<Vec<usize>> = self.ends.iter().map(|(_, end)| mover(end)).collect();
        let (Some(movers), Some(ends)) = (movers, ends) else { return Vec::new() };
        let mut followers: Vec<(usize, usize)> = Vec::new();
        let mut end = 0;
        for (index, &role) in movers.iter().enumerate() {
            let last = self.ends.get(end).is_some_and(|(count, _)| *count == index + 1);
            let next = if last { ends.get(end) } else { movers.get(index + 1) };
            end += usize::from(last);
            followers.extend(next.map(|&next| (role, next)));
        }
        let mut round: Vec<usize> = movers.first().copied().into_iter().collect();
        for _ in 1..turns.roles.len() {
            let last = round.last().copied();
            let next = followers.iter().find(|(role, _)| Some(*role) == last).map(|(_, next)| *next);
            round.extend(next.filter(|next| !round.contains(next)));
        }
        let place = |role: usize| round.iter().position(|&other| other == role);
        let kept = followers.iter().filter(|&&(role, next)| {
            let (role, next) = (place(role), place(next));
            role.map(|role| (role + 1) % round.len()) == next
        });
        let is_kept = kept.count() * 100 >= followers.len() * LEAST_ORDER;
        if round.len() == turns.roles.len() && !round.is_empty() && is_kept { round } else { Vec::new() }
    }

    /// Whether the role has a choice only where the literal holds, and the idle move alone
    /// elsewhere; and whether the literal never holds together with others.
    fn supports(&self, turns: &Turns) -> bool {
        (0..self.states.len()).all(|state| {
            let holding = turns.roles.iter().filter(|turn| self.holds(state, turn.1)).count();
            let idles = |&(role, _, idle): &Turn| {
                let legal = &self.legal[state][role];
                idle.is_none_or(|idle| legal.len() == 1 || !legal.contains(&idle))
            };
            holding <= 1 && turns.roles.iter().all(idles)
        })
    }
}

/// The roles that move in turn, if rules and experience show it.
pub(crate) fn find_turns(implied: &[Vec<Vec<Literal>>], experience: &Experience) -> Turns {
    let mut turns = Turns::default();
    // Where the first state is terminal or stuck nothing was seen, and everything would seem right.
    if experience.states.is_empty() {
        return turns;
    }
    for (role, moves) in implied.iter().enumerate() {
        let implying = |literal: Literal| moves.iter().filter(move |all| all.binary_search(&literal).is_ok());
        // All moves but one must imply it, so one of the first two does.
        let mut candidates: Vec<Literal> = moves.iter().take(2).flatten().copied().collect();
        candidates.retain(|&literal| implying(literal).count().max(1) + 1 >= moves.len());
        for literal in candidates {
            let idle = moves.iter().position(|all| all.binary_search(&literal).is_err());
            let mut extended = turns.clone();
            extended.roles.push((role, literal, idle.map(|number| number as u32)));
            if experience.supports(&extended) {
                turns = extended;
                break;
            }
        }
    }
    if turns.roles.len() < 2 { Turns::default() } else { turns }
}

/// Puts moves into groups of which at most one member is legal at a time.
pub(crate) fn group(
    moves: &[(usize, u32)],
    implied: &[Vec<Vec<Literal>>],
    turns: &Turns,
) -> Vec<Vec<(usize, u32)>> {
    let mut groups: Vec<Vec<(usize, u32)>> = Vec::new();
    let open_groups = (TRIALS / moves.len().max(1)).clamp(16, MOST_OPEN_GROUPS);
    for &(role, number) in moves {
        let literals = &implied[role][number as usize];
        let first = groups.len().saturating_sub(open_groups);
        let fits = |group: &Vec<(usize, u32)>| {
            group.iter().all(|&(other, move_)| turns.excludes(literals, &implied[other][move_ as usize]))
        };
        match groups[first..].iter_mut().find(|group| fits(group)) {
            Some(group) => group.push((role, number)),
            None => groups.push(vec![(role, number)]),
        }
    }
    groups
}

fn union(left: &[Literal], right: &[Literal]) -> Vec<Literal> {
    let mut all: Vec<Literal> = left.iter().chain(right).copied().collect();
    all.sort_unstable();
    all.dedup();
    all.truncate(MOST);
    all
}

fn intersection(left: &[Literal], right: &[Literal]) -> Vec<Literal> {
    left.iter().copied().filter(|literal| right.binary_search(literal).is_ok()).collect()
}

fn contradicts(left: &[Literal], right: &[Literal]) -> bool {
    left.iter().any(|literal| right.binary_search(&(literal ^ 1)).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_found_among_very_many_literals() {
        let squares = || 0..2 * MOST;
        let all: String = squares().map(|square| format!("(true (cell {square}))")).collect();
        let init: String =
            squares().map(|square| format!("(init (cell {square})) (square {square})")).collect();
        let rules = format!(
            "(role x) (role y) (init (control x)) {init}
             (<= (next (control x)) (true (control y))) (<= (next (control y)) (true (control x)))
             (<= (legal ?p wait) (role ?p) (not (true (control ?p))))
             (<= (legal ?p long) (true (control ?p)) {all}) 
             (<= (legal ?p (clear ?c)) (true (control ?p)) (square ?c))
             (<= (next (cell ?c)) (true (cell ?c)) (not (does x (clear ?c))))
             (<= terminal (not (true (cell 0)))) (goal x 50) (goal y 50)"
        );
        let rules = gdl::normal::read(&rules);
        let build =
            crate::build::circuit(&rules, ::circuit::Effort::Quick, &ground::Budget::unlimited()).unwrap();
        let machine = CircuitMachine::new(build.circuit);
        assert_eq!(machine.turns().roles.len(), 2);
    }
}
