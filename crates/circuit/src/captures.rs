//! The same game where who can take something of another's has to: the rules of playouts that prefer captures.
//!
//! A proposition belongs to a role if things of its kind come to be in its turns only: a piece on a square, not the
//! square left empty. A move takes it if it is another role's and certain to be false afterwards, whatever else is true:
//! that is read off the gates with three values, true, false and unknown. Whose things are, and that a square holds one
//! piece at a time, is taken from steps that were seen. What is wrong here makes playouts worse, not wrong: the moves
//! that they make are legal.

use std::collections::BTreeMap;

use crate::decisive::TurnOf;
use crate::mutex::{groupings, words};
use crate::{Circuit, Edge, Gate, GateId};

/// What more than this part of a role's moves take is no piece: the last move, say, that every reply wipes out.
const MOST_TAKERS: f64 = 0.25;

/// So often must something of a kind have come to be before it is said whose it is.
const FEWEST_RAISED: u32 = 5;

/// So many moves or propositions are looked at together.
const TOGETHER: usize = u64::BITS as usize;

/// A move of a role that takes a proposition of another's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Capture {
    /// Who takes, by its place.
    pub role: usize,
    /// The number of its move.
    pub number: u32,
    /// What is gone afterwards.
    pub base: u32,
}

/// A step that was seen: whose turn it was, by its place, and what was true before and after.
#[derive(Clone, Debug)]
pub struct SeenStep {
    /// Who moved.
    pub role: usize,
    /// The base propositions before.
    pub before: Vec<bool>,
    /// And after.
    pub after: Vec<bool>,
}

impl Circuit {
    /// The moves that take something of another role's, in a game in which roles move in turn, given some steps of such
    /// games.
    pub fn captures(&self, turns: &[TurnOf], seen: &[SeenStep]) -> Vec<Capture> {
        if turns.len() < 2 {
            return Vec::new();
        }
        let (partners, owners) = (self.partners(seen), self.owners(seen));
        let values = vec![Known::UNKNOWN; self.gates.len()];
        let given = vec![Known::UNKNOWN; self.next.len()];
        let mut looker = Looker { circuit: self, turns, values, given };
        let mut captures = Vec::new();
        for turn in turns.iter().filter(|turn| self.chance != Some(turn.role)) {
            let mut removals = looker.removals(turn, &partners);
            removals.retain(|&(_, base)| owners[base as usize].is_some_and(|owner| owner != turn.role));
            let mut takers = vec![0usize; self.bases.len()];
            removals.iter().for_each(|&(_, base)| takers[base as usize] += 1);
            let most = MOST_TAKERS * self.roles[turn.role].moves.len() as f64;
            let taken = removals.into_iter().filter(|&(_, base)| takers[base as usize] as f64 <= most);
            captures.extend(taken.map(|(number, base)| Capture { role: turn.role, number, base }));
        }
        captures.sort_unstable();
        captures
    }

    /// Whose each base proposition is: that of the one in whose turns it, and others that share an argument with it,
    /// came to be true.
    fn owners(&self, seen: &[SeenStep]) -> Vec<Option<usize>> {
        let words: Vec<Vec<&str>> = self.bases.iter().map(|text| words(text)).collect();
        // How often something of a relation with a word in a place came to be, role by role.
        let mut raised: BTreeMap<(&str, usize, usize, &str), Vec<u32>> = BTreeMap::new();
        let keys = |base: usize| {
            let own = &words[base];
            let relation = own.first().copied().unwrap_or("");
            own.iter().enumerate().map(move |(place, &word)| (relation, own.len(), place, word))
        };
        for step in seen {
            for base in (0..self.bases.len()).filter(|&base| step.after[base] && !step.before[base]) {
                for key in keys(base) {
                    let counts = raised.entry(key).or_insert_with(|| vec![0; self.roles.len()]);
                    counts[step.role] += 1;
                }
            }
        }
        let owner = |base: usize| {
            let known = keys(base).filter_map(|key| {
                let counts = raised.get(&key)?;
                let mut raisers = counts.iter().enumerate().filter(|(_, count)| **count > 0);
                let (owner, &count) = raisers.next()?;
                raisers.next().is_none().then_some((count, owner))
            });
            known.max().filter(|(count, _)| *count >= FEWEST_RAISED).map(|(_, owner)| owner)
        };
        (0..self.bases.len()).map(owner).collect()
    }

    /// The circuit of playouts in which who can make one of these moves, and take what it takes, makes such a move.
    pub fn capturing(&self, captures: &[Capture]) -> Circuit {
        let mut circuit = self.clone();
        let gates = &mut circuit.gates;
        for (role, moves) in circuit.roles.iter_mut().enumerate() {
            let mut takes: BTreeMap<usize, Edge> = BTreeMap::new();
            for capture in captures.iter().filter(|capture| capture.role == role) {
                let base = gates.base(capture.base);
                let edge = takes.entry(capture.number as usize).or_insert(Edge::FALSE);
                *edge = gates.or(*edge, base);
            }
            let mut any = Edge::FALSE;
            for (&number, edge) in &mut takes {
                *edge = gates.and(moves.legal[number], *edge);
                any = gates.or(any, *edge);
            }
            for (number, legal) in moves.legal.iter_mut().enumerate() {
                let quiet = gates.and(*legal, !any);
                *legal = takes.get(&number).map_or(quiet, |&take| gates.or(take, quiet));
            }
        }
        circuit
    }

    /// For each base proposition the others that are not true beside it: those that differ from it in some arguments,
    /// where no two of such were ever seen together.
    fn partners(&self, seen: &[SeenStep]) -> Vec<Vec<u32>> {
        let mut partners = vec![Vec::new(); self.bases.len()];
        for groupings in groupings(&self.bases) {
            let exclusive = groupings.into_iter().filter(|groups| are_exclusive(groups, seen));
            // The larger the groups are, the more they say.
            for group in exclusive.min_by_key(Vec::len).into_iter().flatten() {
                for &base in &group {
                    partners[base as usize] = group.iter().copied().filter(|&other| other != base).collect();
                }
            }
        }
        partners
    }
}

/// Whether never two of a group were seen together.
fn are_exclusive(groups: &[Vec<u32>], seen: &[SeenStep]) -> bool {
    let count = |group: &[u32], state: &[bool]| group.iter().filter(|&&base| state[base as usize]).count();
    seen.iter().all(|step| groups.iter().all(|group| count(group, &step.before) <= 1))
}

/// Values of which something is known, one a bit: those that are certainly true, and those that are certainly false.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Known {
    yes: u64,
    no: u64,
}

impl Known {
    const UNKNOWN: Self = Self { yes: 0, no: 0 };

    fn all(value: bool) -> Self {
        if value { Self { yes: !0, no: 0 } } else { Self { yes: 0, no: !0 } }
    }

    fn inverted_if(self, inverted: bool) -> Self {
        if inverted { Self { yes: self.no, no: self.yes } } else { self }
    }

    fn and(self, other: Self) -> Self {
        Self { yes: self.yes & other.yes, no: self.no | other.no }
    }

    fn xor(self, other: Self) -> Self {
        Self { yes: self.yes & other.no | self.no & other.yes, no: self.yes & other.yes | self.no & other.no }
    }
}

/// Looks at gates with three values.
struct Looker<'a> {
    circuit: &'a Circuit,
    turns: &'a [TurnOf],
    /// Of all gates.
    values: Vec<Known>,
    /// Of base propositions, as far as the question says.
    given: Vec<Known>,
}

impl Looker<'_> {
    /// For each move of a role what cannot be true when it is legal.
    fn refuted(&mut self, turn: &TurnOf, partners: &[Vec<u32>]) -> Vec<Vec<u32>> {
        let legal = &self.circuit.roles[turn.role].legal;
        let cone = self.circuit.gates.cone(legal.iter().copied());
        let mut refuted = vec![Vec::new(); legal.len()];
        let bases: Vec<u32> = (0..self.circuit.bases.len() as u32).collect();
        for bases in bases.chunks(TOGETHER) {
            self.given.fill(Known::UNKNOWN);
            for (place, &base) in bases.iter().enumerate() {
                self.given[base as usize].yes |= 1 << place;
                for &other in &partners[base as usize] {
                    self.given[other as usize].no |= 1 << place;
                }
            }
            self.look(&cone, turn, &[]);
            for (refuted, &legal) in refuted.iter_mut().zip(legal) {
                refuted.extend(set_bits(self.read(legal).no).map_while(|place| bases.get(place)));
            }
        }
        refuted
    }

    /// The moves of a role after which something is certain to be gone that could be there before, and what that is.
    fn removals(&mut self, turn: &TurnOf, partners: &[Vec<u32>]) -> Vec<(u32, u32)> {
        let refuted = self.refuted(turn, partners);
        let cone = self.circuit.gates.cone(self.circuit.next.iter().copied());
        let moves = 0..self.circuit.roles[turn.role].moves.len() as u32;
        let moves: Vec<u32> = moves.filter(|&number| turn.idle != Some(number)).collect();
        let mut removals = Vec::new();
        for moves in moves.chunks(TOGETHER) {
            self.given.fill(Known::UNKNOWN);
            for (place, &number) in moves.iter().enumerate() {
                for &base in &refuted[number as usize] {
                    self.given[base as usize].no |= 1 << place;
                }
            }
            self.look(&cone, turn, moves);
            for (base, &next) in (0..).zip(&self.circuit.next) {
                let could_be = !self.given[base as usize].no;
                let gone = set_bits(self.read(next).no & could_be);
                removals.extend(gone.map_while(|place| moves.get(place)).map(|&number| (number, base)));
            }
        }
        removals
    }

    /// Works out all gates of a cone where it is a role's turn and it makes one of some moves, a bit each, the others
    /// idle.
    fn look(&mut self, cone: &[GateId], mover: &TurnOf, moves: &[u32]) {
        for turn in self.turns {
            self.given[turn.base as usize] = Known::all(!turn.value);
        }
        self.given[mover.base as usize] = Known::all(mover.value);
        for &id in cone {
            self.values[id.0 as usize] = match self.circuit.gates.get(id) {
                Gate::And(left, right) => self.read(left).and(self.read(right)),
                Gate::Xor(left, right) => self.read(left).xor(self.read(right)),
                Gate::Base(base) => self.given[base as usize],
                Gate::Does(role, number) => self.does(usize::from(role), number, mover, moves),
                Gate::False => Known::all(false),
            };
        }
    }

    fn read(&self, edge: Edge) -> Known {
        match edge.is_constant() {
            true => Known::all(edge == Edge::TRUE),
            false => self.values[edge.gate().0 as usize].inverted_if(edge.is_inverted()),
        }
    }

    fn does(&self, role: usize, number: u32, mover: &TurnOf, moves: &[u32]) -> Known {
        if role == mover.role {
            let made = moves.binary_search(&number).map_or(0, |place| 1 << place);
            return Known { yes: made, no: !made };
        }
        let idle = self.turns.iter().find(|turn| turn.role == role).and_then(|turn| turn.idle);
        Known::all(self.circuit.roles[role].moves.len() == 1 || idle == Some(number))
    }
}

fn set_bits(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = bits.trailing_zeros() as usize;
        bits &= bits.wrapping_sub(1);
        (place < TOGETHER).then_some(place)
    })
}
