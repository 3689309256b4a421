//! A game of any number of roles taken apart: a circuit for each part, and what of all parts together ends the game and
//! decides the goals.
//!
//! What the end and the goals ask of one part alone is *seen* of that part, a bit each. What they make of these bits is a small
//! logic of its own, so that the parts can be played far from each other and their ends be put together afterwards.

use rustc_hash::FxHashMap;

use super::copier::Copier;
use super::operands::{Link, Operands, Say, says};
use super::{Composition, Parts};
use crate::simulate::{evaluate, read};
use crate::{Circuit, Edge, Gate, GateId, Gates, GoalOutput, RoleMoves};

/// Bits that are told by the goal of one role of a part: goals are at most 100.
pub const BITS_OF_A_GOAL: u32 = 6;

/// A game whose parts are played in parallel, taken apart.
#[derive(Clone, Debug)]
pub struct Division {
    /// Its parts, in the order of [`Parts::facts`].
    pub parts: Vec<Portion>,
    /// What the end and the goals make of what is seen: its base propositions are the bits of all parts.
    pub gates: Gates,
    /// Whether the game is over.
    pub terminal: Edge,
    /// For each role its goals.
    pub goals: Vec<Vec<GoalOutput>>,
}

/// A part of a game.
#[derive(Clone, Debug)]
pub struct Portion {
    /// The part with what runs by itself. It ends where the whole game does, whatever the other parts do. The goals of its roles
    /// tell what is seen of it: the first [`BITS_OF_A_GOAL`] bits are the first role's goal, and so on.
    pub circuit: Circuit,
    /// For each of its facts the number it has in the whole game.
    pub facts: Vec<u32>,
    /// For each role and each of its moves in the whole game, the move of the part that does the same there.
    pub moves: Vec<Vec<u32>>,
    /// Where in [`Division::gates`] its bits are.
    pub seen: Vec<u32>,
    /// Where the game ends when all parts are over: whether this one is, as a condition on its facts. Nothing is to be seen
    /// of it from then on that was not seen before, but that is not proven.
    pub over: Option<Edge>,
}

impl Division {
    /// What the end and the goals make of some bits: whether the game is over, and the goal of each role; `None` where no
    /// rule gives one.
    pub fn judge(&self, bit: &dyn Fn(u32) -> bool) -> (bool, Vec<Option<u8>>) {
        let values = evaluate(&self.gates, |gate| matches!(gate, Gate::Base(number) if bit(number)));
        let goals = self.goals.iter().map(|goals| {
            let goal = goals.iter().find(|goal| read(&values, goal.edge));
            goal.map(|goal| goal.value)
        });
        let goals = goals.collect();
        (read(&values, self.terminal), goals)
    }
}

impl Parts {
    /// The part of each fact.
    pub(super) fn part_of(&self, circuit: &Circuit) -> Vec<Option<u32>> {
        let mut part_of = vec![None; circuit.bases.len()];
        for (number, facts) in (0..).zip(&self.facts) {
            facts.iter().for_each(|&fact| part_of[fact as usize] = Some(number));
        }
        part_of
    }

    /// A game whose parts are played in parallel as games of their own. `None` if there is one part, if they are put together
    /// in another way, if dice fall or something is hidden, or if too much is to be seen of a part.
    pub fn divide(&self, circuit: &Circuit) -> Option<Division> {
        let is_parallel = self.composition() == Some(Composition::Parallel);
        if !self.are_several() || !is_parallel || circuit.chance.is_some() || circuit.has_percepts {
            return None;
        }
        let says = says(circuit, &self.part_of(circuit));
        let mut divider = Divider::new(self, circuit, &says);
        let roots: Vec<Edge> = std::iter::once(circuit.terminal)
            .chain(circuit.roles.iter().flat_map(|role| role.goals.iter().map(|goal| goal.edge)))
            .collect();
        divider.look(&roots);
        let terminal = divider.image(circuit.terminal);
        let goals: Vec<Vec<GoalOutput>> = circuit.roles.iter().map(|role| divider.goals(role)).collect();
        let Divider { copies, seen, gates, .. } = divider;
        let mut parts = Vec::new();
        for (part, copy) in copies.into_iter().enumerate() {
            let own: Vec<(u32, Edge)> = seen[part].clone();
            if own.len() > BITS_OF_A_GOAL as usize * circuit.roles.len() {
                return None;
            }
            parts.push(self.portion(circuit, &says, (part, copy), &own)?);
        }
        Some(Division { parts, gates, terminal, goals })
    }

    /// A part as a circuit of its own.
    fn portion(
        &self,
        circuit: &Circuit,
        says: &[Say],
        (part, mut copy): (usize, Copier<'_>),
        seen: &[(u32, Edge)],
    ) -> Option<Portion> {
        let own = Say::Part(part as u32);
        let say = |edge: Edge| says[edge.gate().0 as usize];
        let is_here = |edge: Edge| [own, Say::Nobody].contains(&say(edge));
        let terminal = surely(circuit, says, own, &mut copy);
        let over = (self.terminal == Link::All).then(|| {
            let operands = Operands::of_parts(circuit, circuit.terminal, &|edge| say(edge) != Say::Nobody);
            let here: Vec<Edge> = operands.edges.into_iter().filter(|&edge| say(edge) == own).collect();
            let here: Vec<Edge> = here.into_iter().map(|edge| copy.edge(edge)).collect();
            copy.together(&here, true)
        });
        let mut roles = Vec::new();
        let mut numbers_of = Vec::new();
        for (role, actions) in circuit.roles.iter().zip(self.actions.as_deref()?) {
            // Of moves that are possible at the same times and do the same here the first stands for all.
            let mut stands = vec![0u32; role.moves.len()];
            let mut firsts: Vec<u32> = Vec::new();
            for group in &actions.groups {
                let mut known: FxHashMap<u32, u32> = FxHashMap::default();
                for (id, done) in &group.moves {
                    let first = *known.entry(done[part]).or_insert(*id);
                    stands[*id as usize] = first;
                    if first == *id {
                        firsts.push(first);
                    }
                }
            }
            // Moves are in the order of their texts, so their numbers are too.
            firsts.sort_unstable();
            let legal = |&id: &u32| {
                let conditions = Operands::conditions(circuit, role.legal[id as usize]);
                let here: Vec<Edge> = conditions.into_iter().filter(|&edge| is_here(edge)).collect();
                let here: Vec<Edge> = here.into_iter().map(|edge| copy.edge(edge)).collect();
                copy.together(&here, true)
            };
            let legal: Vec<Edge> = firsts.iter().map(legal).collect();
            let place = |first: &u32| firsts.binary_search(first).map(|place| place as u32);
            numbers_of.push(stands.iter().map(place).collect::<Result<Vec<u32>, usize>>().ok()?);
            let moves = firsts.iter().map(|&id| role.moves[id as usize].clone()).collect();
            let name = role.name.clone();
            roles.push((firsts, RoleMoves { name, moves, legal, ..RoleMoves::default() }));
        }
        let bits: Vec<Edge> = seen.iter().map(|&(_, edge)| edge).collect();
        for (place, (firsts, role)) in roles.iter_mut().enumerate() {
            copy.name_moves(place, firsts);
            let first = (place * BITS_OF_A_GOAL as usize).min(bits.len());
            let last = (first + BITS_OF_A_GOAL as usize).min(bits.len());
            role.goals = numbers(&mut copy, &bits[first..last]);
        }
        let kept = self.kept(part);
        let next = kept.iter().map(|&fact| copy.edge(circuit.next[fact as usize])).collect();
        let projected = Circuit {
            bases: kept.iter().map(|&fact| circuit.bases[fact as usize].clone()).collect(),
            initial: kept.iter().map(|&fact| circuit.initial[fact as usize]).collect(),
            roles: roles.into_iter().map(|(_, role)| role).collect(),
            terminal,
            next,
            gates: copy.gates,
            spellings: circuit.spellings.clone(),
            ..Circuit::default()
        };
        let seen = seen.iter().map(|&(number, _)| number).collect();
        Some(Portion { circuit: projected, facts: kept, moves: numbers_of, seen, over })
    }

    /// The facts of a part with those that run by themselves, ascending.
    fn kept(&self, part: usize) -> Vec<u32> {
        let mut kept: Vec<u32> = self.shared.iter().chain(&self.facts[part]).copied().collect();
        kept.sort_unstable();
        kept
    }
}

/// Goals that tell some bits as a number.
fn numbers(copy: &mut Copier<'_>, bits: &[Edge]) -> Vec<GoalOutput> {
    let goal = |value: u8| {
        let wanted: Vec<Edge> =
            (0..).zip(bits).map(|(place, &bit)| if value >> place & 1 == 0 { !bit } else { bit }).collect();
        GoalOutput { value, edge: copy.together(&wanted, true) }
    };
    (0..1u8 << bits.len()).map(goal).filter(|goal| goal.edge != Edge::FALSE).collect()
}

/// Whether the game is over whatever the other parts do.
fn surely(circuit: &Circuit, says: &[Say], own: Say, copy: &mut Copier<'_>) -> Edge {
    // For each gate whether it is surely true, and whether it is surely not.
    let mut sure: FxHashMap<GateId, (Edge, Edge)> = FxHashMap::default();
    for id in circuit.gates.cone(std::iter::once(circuit.terminal)) {
        let say = says[id.0 as usize];
        let plain = Edge::new(id, false);
        if say == own || say == Say::Nobody {
            let copied = copy.edge(plain);
            sure.insert(id, (copied, !copied));
            continue;
        }
        let of = |edge: Edge| {
            let constant = (Edge::FALSE, Edge::TRUE);
            let (yes, no) = if edge.gate().0 == 0 { constant } else { sure[&edge.gate()] };
            if edge.is_inverted() { (no, yes) } else { (yes, no) }
        };
        let both = match circuit.gates.get(id) {
            Gate::And(left, right) => {
                let (left, right) = (of(left), of(right));
                (copy.gates.and(left.0, right.0), copy.gates.or(left.1, right.1))
            }
            Gate::Xor(left, right) => {
                let (left, right) = (of(left), of(right));
                let gates = &mut copy.gates;
                let (one, other) = (gates.and(left.0, right.1), gates.and(left.1, right.0));
                let (all, none) = (gates.and(left.0, right.0), gates.and(left.1, right.1));
                (gates.or(one, other), gates.or(all, none))
            }
            // A fact of another part.
            Gate::False | Gate::Base(_) | Gate::Does(..) => (Edge::FALSE, Edge::FALSE),
        };
        sure.insert(id, both);
    }
    let (yes, no) = sure.get(&circuit.terminal.gate()).copied().unwrap_or((Edge::FALSE, Edge::TRUE));
    if circuit.terminal.is_inverted() { no } else { yes }
}

/// Finds out what is asked of which part.
struct Divider<'a> {
    circuit: &'a Circuit,
    says: &'a [Say],
    copies: Vec<Copier<'a>>,
    /// For each part what is seen of it: the number of the bit, and the part's own edge.
    seen: Vec<Vec<(u32, Edge)>>,
    bits: u32,
    gates: Gates,
    /// What became of the gates that ask for several parts.
    images: FxHashMap<GateId, Edge>,
}

impl<'a> Divider<'a> {
    fn new(parts: &Parts, circuit: &'a Circuit, says: &'a [Say]) -> Self {
        let copies = (0..parts.facts.len()).map(|part| Copier::new(circuit, &parts.kept(part))).collect();
        Self {
            circuit,
            says,
            copies,
            seen: vec![Vec::new(); parts.facts.len()],
            bits: 0,
            gates: Gates::new(),
            images: FxHashMap::default(),
        }
    }

    fn say(&self, edge: Edge) -> Say {
        self.says[edge.gate().0 as usize]
    }

    /// What a gate that asks for several parts is made of: all of that, if it is a conjunction that is not too long.
    fn operands(&self, id: GateId) -> Vec<Edge> {
        let plain = Edge::new(id, false);
        match self.circuit.gates.get(id) {
            Gate::Xor(left, right) => vec![left, right],
            Gate::And(left, right) => match Operands::of(self.circuit, plain).edges {
                whole if whole == [plain] => vec![left, right],
                edges => edges,
            },
            _ => vec![plain],
        }
    }

    /// Takes apart the gates behind some edges.
    fn look(&mut self, roots: &[Edge]) {
        let mut needed: std::collections::BTreeSet<GateId> = std::collections::BTreeSet::new();
        let mut open: Vec<Edge> = roots.to_vec();
        while let Some(edge) = open.pop() {
            if self.say(edge) == Say::Several && needed.insert(edge.gate()) {
                open.extend(self.operands(edge.gate()));
            }
        }
        // What a gate is made of has smaller numbers.
        for id in needed {
            let operands = self.operands(id);
            let image = match self.circuit.gates.get(id) {
                Gate::Xor(left, right) => {
                    let (left, right) = (self.image(left), self.image(right));
                    self.gates.xor(left, right)
                }
                _ => self.all(&operands),
            };
            self.images.insert(id, image);
        }
    }

    /// All of some edges: those of one part are seen as one.
    fn all(&mut self, operands: &[Edge]) -> Edge {
        let mut together = Edge::TRUE;
        for part in 0..self.copies.len() {
            let is_own = |edge: Edge| match self.say(edge) {
                Say::Part(own) => own as usize == part,
                Say::Nobody => part == 0,
                Say::Several => false,
            };
            let own: Vec<Edge> = operands.iter().copied().filter(|&edge| is_own(edge)).collect();
            let own: Vec<Edge> = own.into_iter().map(|edge| self.copies[part].edge(edge)).collect();
            let own = self.copies[part].together(&own, true);
            let bit = self.bit(part, own);
            together = self.gates.and(together, bit);
        }
        for &edge in operands {
            if self.say(edge) == Say::Several {
                let image = self.image(edge);
                together = self.gates.and(together, image);
            }
        }
        together
    }

    /// The goals of a role in terms of what is seen. Where all are of one part, the first that holds is told by its number: many
    /// goals are few bits then.
    fn goals(&mut self, role: &RoleMoves) -> Vec<GoalOutput> {
        let possible: Vec<GoalOutput> =
            role.goals.iter().copied().filter(|goal| goal.edge != Edge::FALSE).collect();
        let part = match possible.first().map(|goal| self.say(goal.edge)) {
            Some(Say::Part(part)) if possible.iter().all(|goal| self.say(goal.edge) == Say::Part(part)) => {
                part as usize
            }
            _ => {
                let image = |goal: GoalOutput| GoalOutput { edge: self.image(goal.edge), ..goal };
                return possible.into_iter().map(image).collect();
            }
        };
        let width = usize::BITS - possible.len().leading_zeros();
        let mut bits = vec![Edge::FALSE; width as usize];
        let mut none_before = Edge::TRUE;
        let has_bit = |number: usize, bit: usize| (number + 1) >> bit & 1 != 0;
        for (number, goal) in possible.iter().enumerate() {
            let copy = &mut self.copies[part];
            let own = copy.edge(goal.edge);
            let first = copy.gates.and(own, none_before);
            none_before = copy.gates.and(none_before, !own);
            for (_, bit) in bits.iter_mut().enumerate().filter(|(place, _)| has_bit(number, *place)) {
                *bit = copy.gates.or(*bit, first);
            }
        }
        let bits: Vec<Edge> = bits.into_iter().map(|bit| self.bit(part, bit)).collect();
        let told = |number: usize, gates: &mut Gates| {
            let bits = bits.iter().enumerate();
            bits.fold(Edge::TRUE, |told, (place, &bit)| {
                gates.and(told, if has_bit(number, place) { bit } else { !bit })
            })
        };
        let goals = possible.iter().enumerate();
        goals.map(|(number, goal)| GoalOutput { edge: told(number, &mut self.gates), ..*goal }).collect()
    }

    /// A condition on a part as a bit.
    fn bit(&mut self, part: usize, edge: Edge) -> Edge {
        if edge.is_constant() {
            return edge;
        }
        let plain = Edge::new(edge.gate(), false);
        let known = self.seen[part].iter().find(|(_, seen)| *seen == plain).map(|&(number, _)| number);
        let number = known.unwrap_or_else(|| {
            self.seen[part].push((self.bits, plain));
            self.bits += 1;
            self.bits - 1
        });
        let bit = self.gates.base(number);
        if edge.is_inverted() { !bit } else { bit }
    }

    /// What an edge is in terms of what is seen.
    fn image(&mut self, edge: Edge) -> Edge {
        let part = match self.say(edge) {
            Say::Part(part) => part as usize,
            // What runs by itself runs in every part.
            Say::Nobody => 0,
            Say::Several => {
                let image = self.images.get(&edge.gate()).copied().unwrap_or(Edge::FALSE);
                return if edge.is_inverted() { !image } else { image };
            }
        };
        let own = self.copies[part].edge(edge);
        self.bit(part, own)
    }
}
