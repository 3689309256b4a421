//! The last state first: where every move has a fact of its own that it changes for good, a plan is
//! nothing but a set of facts, and a satisfiability solver finds one that the goal likes without asking
//! for an order. The moves are then put into an order in which they are legal. If the goal likes none,
//! it cannot be reached.

use std::sync::Arc;
use std::time::Duration;

use circuit::{Circuit, Edge, Gate, Gates};
use clauses::{Encoding, Lit, Patience};
use game::{Goal, MoveId};
use machine::circuit::CircuitState;

use super::{Method, Progress};
use crate::eye::{Eye, Sight};
use crate::logic::{Logic, UNKNOWN};
use crate::{Search, Space};

const NAME: &str = "last state first";
/// More work than this (gates times moves) is not spent on finding out what moves add.
const MOST_WORK: usize = 200_000_000;
/// Positions that are looked at to put moves into an order.
const MOST_POSITIONS: usize = 5_000;

/// What moves do for good, if each has a fact of its own.
#[derive(Debug)]
struct Additions {
    own: Vec<(Latch, MoveId)>,
    /// Pairs of places in the list: after one of them the other move is not legal, either way.
    exclusive: Vec<(u32, u32)>,
}

/// Sets of facts by a satisfiability solver.
pub struct LastState {
    space: Arc<Space>,
    eye: Eye,
    additions: Option<Additions>,
    gates: Gates,
    /// The facts, and where the circuit is in the gates.
    facts: Vec<Edge>,
    places: Vec<Edge>,
    /// That at least so many facts were added.
    at_least: Vec<Edge>,
    encoding: Encoding,
    most_bytes: usize,
    /// The number of moves that is asked about; without a clock it does not matter.
    length: usize,
    /// Whether a last state was left out because no way to it was found.
    refused: bool,
}

impl std::fmt::Debug for LastState {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("LastState").field("length", &self.length).finish_non_exhaustive()
    }
}

impl LastState {
    /// A method that takes at most so many bytes, about; `None` if moves do other things than adding
    /// facts.
    pub fn new(space: Arc<Space>, most_bytes: usize) -> Option<Self> {
        let latches = space.circuit().latches();
        let enough =
            latches.stays_true.len() + latches.stays_false.len() >= space.circuit().roles[0].moves.len();
        enough.then(|| Self {
            eye: Eye::new(space.machine()),
            additions: None,
            gates: Gates::new(),
            facts: Vec::new(),
            places: Vec::new(),
            at_least: Vec::new(),
            encoding: Encoding::new(),
            most_bytes,
            length: 0,
            refused: false,
            space,
        })
    }

    /// Finds out what moves add, and writes the last state down as clauses.
    fn begin(&mut self) -> Option<()> {
        let space = Arc::clone(&self.space);
        let circuit = space.circuit();
        let additions = Additions::new(&space)?;
        self.facts = (0..circuit.bases.len() as u32).map(|fact| self.gates.base(fact)).collect();
        let mut places = vec![Edge::FALSE; circuit.gates.len()];
        for (id, gate) in circuit.gates.iter() {
            let of = |edge: Edge| {
                let place = places[edge.gate().0 as usize];
                if edge.is_inverted() { !place } else { place }
            };
            places[id.0 as usize] = match gate {
                Gate::False | Gate::Does(..) => Edge::FALSE,
                Gate::Base(number) => self.facts[number as usize],
                Gate::And(left, right) => self.gates.and(of(left), of(right)),
                Gate::Xor(left, right) => self.gates.xor(of(left), of(right)),
            };
        }
        self.places = places;
        let added: Vec<Edge> = additions.own.iter().map(|(latch, _)| self.closed(*latch)).collect();
        for &(one, other) in &additions.exclusive {
            let pair = [one, other].map(|place| self.encoding.literal(&self.gates, added[place as usize]));
            self.encoding.add(&[!pair[0], !pair[1]]);
        }
        if space.has_clock() {
            // A sorted count, bit by bit.
            let mut counts = vec![Edge::TRUE];
            for &fact in &added {
                counts.push(Edge::FALSE);
                for place in (1..counts.len()).rev() {
                    let one_more = self.gates.and(counts[place - 1], fact);
                    counts[place] = self.gates.or(counts[place], one_more);
                }
            }
            self.at_least = counts;
        }
        self.additions = Some(additions);
        Some(())
    }

    /// That a fact has come to the value it keeps.
    fn closed(&self, latch: Latch) -> Edge {
        let fact = self.facts[latch.fact as usize];
        if latch.value { fact } else { !fact }
    }

    fn place(&self, edge: Edge) -> Edge {
        let place = self.places[edge.gate().0 as usize];
        if edge.is_inverted() { !place } else { place }
    }

    /// What must hold for a last state after `length` moves; `None` if there can be none.
    fn wanted(&mut self) -> Option<Vec<Lit>> {
        let space = Arc::clone(&self.space);
        let circuit = space.circuit();
        let goal = circuit.roles[0].goals.iter().find(|goal| goal.value == space.ceiling().0)?;
        let mut edges = vec![self.place(goal.edge), self.place(circuit.terminal)];
        if space.has_clock() {
            let clock = space.clock(self.length);
            for fact in 0..circuit.bases.len() {
                let (word, bit) = (fact / 64, fact % 64);
                if space.core()[word] >> bit & 1 == 0 && space.clock_facts()[word] >> bit & 1 != 0 {
                    let holds = clock[word] >> bit & 1 != 0;
                    edges.push(if holds { self.facts[fact] } else { !self.facts[fact] });
                }
            }
            edges.push(*self.at_least.get(self.length)?);
            edges.push(!self.at_least.get(self.length + 1).copied().unwrap_or(Edge::FALSE));
        }
        if edges.contains(&Edge::FALSE) {
            return None;
        }
        edges.retain(|&edge| edge != Edge::TRUE);
        Some(edges.into_iter().map(|edge| self.encoding.literal(&self.gates, edge)).collect())
    }

    /// Asks for a last state and an order of moves that leads there. `None` if there was no time.
    fn ask(&mut self, until: Duration, search: &Search<'_>) -> Option<Progress> {
        let Some(wanted) = self.wanted() else { return Some(Progress::Ended) };
        let patience = Patience::Until(Arc::clone(&search.clock), until);
        if !self.encoding.solve(&wanted, patience)? {
            return Some(Progress::Ended);
        }
        let own = self.additions.as_ref().map_or(&[][..], |additions| &additions.own);
        let edges: Vec<Edge> = own.iter().map(|(latch, _)| self.closed(*latch)).collect();
        let closed: Vec<bool> = edges.iter().map(|&edge| self.encoding.holds(edge)).collect();
        let moves = own.iter().zip(&closed).filter(|(_, closed)| **closed).map(|((_, id), _)| *id).collect();
        match order(&mut self.eye, self.space.start(), moves) {
            Some((goal, line)) => {
                // Another order may lead to another state.
                self.refused |= goal < self.space.ceiling();
                search.offer(NAME, goal, || line);
            }
            None => self.refused = true,
        }
        // If it cannot be reached, another one is wanted.
        let mut other = Vec::new();
        for (edge, closed) in edges.into_iter().zip(closed) {
            let literal = self.encoding.literal(&self.gates, edge);
            other.push(if closed { !literal } else { literal });
        }
        self.encoding.add(&other);
        Some(Progress::Working)
    }
}

/// An order in which moves are legal and none comes too late, and what is reached then.
fn order(eye: &mut Eye, start: &CircuitState, moves: Vec<MoveId>) -> Option<(Goal, Vec<MoveId>)> {
    let first = match eye.look(start) {
        // A game that is over has no moves to be put in order.
        Sight::End(goal) => return moves.is_empty().then_some((goal, moves)),
        Sight::Moves(legal) => moves.iter().copied().filter(|id| legal.contains(id)).collect(),
    };
    let mut path: Vec<(CircuitState, Vec<MoveId>)> = vec![(start.clone(), first)];
    let mut line: Vec<MoveId> = Vec::new();
    for _ in 0..MOST_POSITIONS {
        let (state, untried) = path.last_mut()?;
        let Some(id) = untried.pop() else {
            path.pop();
            line.pop();
            continue;
        };
        let Some(next) = eye.step(state, id) else { continue };
        match eye.look(&next) {
            Sight::End(goal) if line.len() + 1 == moves.len() => {
                line.push(id);
                return Some((goal, line));
            }
            Sight::End(_) => {}
            Sight::Moves(legal) => {
                line.push(id);
                let left = moves.iter().filter(|id| legal.contains(id) && !line.contains(id));
                path.push((next, left.copied().collect()));
            }
        }
    }
    None
}

/// A fact that stays as it is once it has a value, and that value.
#[derive(Clone, Copy, Debug)]
struct Latch {
    fact: u32,
    value: bool,
}

impl Latch {
    /// In which lanes the fact may be false, and true, if it has not come to its value in some of them.
    fn open_in(self, lanes: u64) -> [u64; 2] {
        let other = [!lanes, u64::MAX];
        if self.value { [other[1], other[0]] } else { other }
    }
}

impl Additions {
    /// What moves do from a state on; `None` if a move that may still be legal has no fact of its own
    /// that it makes stay.
    fn new(space: &Space) -> Option<Self> {
        let circuit = space.circuit();
        let role = &circuit.roles[0];
        let start = space.start();
        let latches = circuit.latches();
        let of =
            |facts: &[u32], value| facts.iter().map(move |&fact| Latch { fact, value }).collect::<Vec<_>>();
        let latches = [of(&latches.stays_true, true), of(&latches.stays_false, false)].concat();
        let (done, open): (Vec<Latch>, Vec<Latch>) =
            latches.into_iter().partition(|latch| start.get(latch.fact as usize) == latch.value);
        let mut known = vec![UNKNOWN; circuit.bases.len()];
        for latch in done {
            known[latch.fact as usize][usize::from(!latch.value)] = 0;
        }
        let mut legal = Logic::new(circuit, role.legal.iter().copied());
        legal.evaluate(None, |fact| known[fact as usize]);
        let moves: Vec<u32> = (0..role.moves.len() as u32)
            .filter(|&number| legal.possible(role.legal[number as usize], true) != 0)
            .collect();
        let own = own_latches(circuit, &known, &open, &moves)?;
        // What each latch rules out once it has its value, 64 latches at a time.
        let mut excluded: Vec<Vec<bool>> = Vec::new();
        for chunk in own.chunks(64) {
            let mut lanes = known.clone();
            for (lane, (latch, _)) in chunk.iter().enumerate() {
                lanes[latch.fact as usize][usize::from(!latch.value)] &= !(1 << lane);
            }
            legal.evaluate(None, |fact| lanes[fact as usize]);
            for lane in 0..chunk.len() {
                let rules_out = |&(_, id): &(Latch, MoveId)| {
                    legal.possible(role.legal[id.0 as usize], true) >> lane & 1 == 0
                };
                excluded.push(own.iter().map(rules_out).collect());
            }
        }
        // No move is made twice.
        (0..own.len()).all(|place| excluded[place][place]).then_some(())?;
        let mut exclusive = Vec::new();
        for (one, out) in excluded.iter().enumerate() {
            let others = (one + 1..own.len()).filter(|&other| out[other] && excluded[other][one]);
            exclusive.extend(others.map(|other| (one as u32, other as u32)));
        }
        Some(Self { own, exclusive })
    }
}

/// For each move a latch that it closes, whatever else is true, and that no other move closes.
fn own_latches(
    circuit: &Circuit,
    known: &[[u64; 2]],
    open: &[Latch],
    moves: &[u32],
) -> Option<Vec<(Latch, MoveId)>> {
    let mut logic = Logic::new(circuit, open.iter().map(|latch| circuit.next[latch.fact as usize]));
    let work = logic.cone.len().checked_mul(moves.len())?.checked_mul(open.len() / 64 + 1)?;
    (work <= MOST_WORK).then_some(())?;
    let mut own: Vec<Option<(Latch, MoveId)>> = vec![None; moves.len()];
    for chunk in open.chunks(64) {
        let mut lanes = known.to_vec();
        for (lane, latch) in chunk.iter().enumerate() {
            lanes[latch.fact as usize] = latch.open_in(1 << lane);
        }
        // Which move may close each latch, and whether it is sure to; `None` for several.
        let mut closers: Vec<Option<Option<(usize, bool)>>> = vec![Some(None); chunk.len()];
        for (place, &number) in moves.iter().enumerate() {
            logic.evaluate(Some(number), |fact| lanes[fact as usize]);
            for (lane, latch) in chunk.iter().enumerate() {
                let possible =
                    |value| logic.possible(circuit.next[latch.fact as usize], value) >> lane & 1 != 0;
                if possible(latch.value) {
                    let closer = Some((place, !possible(!latch.value)));
                    closers[lane] = if closers[lane] == Some(None) { Some(closer) } else { None };
                }
            }
        }
        for (latch, closer) in chunk.iter().zip(closers) {
            if let Some(Some((place, true))) = closer {
                own[place].get_or_insert((*latch, MoveId(moves[place])));
            }
        }
    }
    own.into_iter().collect()
}

impl Method for LastState {
    fn name(&self) -> &'static str {
        NAME
    }

    fn work(&mut self, until: Duration, search: &Search<'_>) -> Progress {
        if self.additions.is_none() && self.begin().is_none() {
            return Progress::Ended;
        }
        while !search.is_over(until) {
            match self.ask(until, search) {
                None => return Progress::Working,
                Some(Progress::Working) => {}
                // Without a clock all lengths were asked about at once.
                Some(Progress::Ended) if self.length + 1 < self.at_least.len() => self.length += 1,
                Some(Progress::Ended) => {
                    if !self.refused {
                        search.bound(NAME, self.space.below(self.space.ceiling()));
                    }
                    return Progress::Ended;
                }
            }
            if self.bytes() > self.most_bytes {
                return Progress::Ended;
            }
        }
        Progress::Working
    }

    fn bytes(&self) -> usize {
        self.gates.bytes() + self.encoding.bytes()
    }
}
