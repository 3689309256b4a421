//! From ground rules to gates, depth first from the outputs: only what they depend on is ever
//! instantiated, and the bodies of an atom are forgotten as soon as its gate exists.

use ground::{AtomId, Bodies, Budget, GroundError, GroundLiteral, GroundRules, strong_components};
use rustc_hash::FxHashMap;

use crate::factor::Products;
use crate::nary::Builder;
use crate::origin::{Origin, RecordedRules};
use crate::passes::detach;
use crate::recursion::{Way, least_solution};
use crate::{Circuit, Edge, Gates, GoalOutput, PerceptOutput, RoleMoves};

/// What there are too many of when construction gives up.
pub(crate) const RULES: &str = "ground rules";
/// An atom without a gate yet.
const UNKNOWN: u32 = u32::MAX;

/// What was met on the way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ConstructionCounts {
    /// Atoms that were looked at.
    pub atoms: usize,
    /// Ground rules that were made.
    pub ground_rules: usize,
    /// Sets of atoms that depend on each other.
    pub recursive_components: usize,
    /// The size of the largest of them.
    pub largest_component: usize,
}

/// What is known of moves wherever they are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moves {
    /// Every role does exactly one thing.
    Made,
    /// Nobody may have done anything yet.
    MadeOrNot,
}

/// A circuit, and what was met on the way.
pub(crate) struct Constructed {
    pub circuit: Circuit,
    pub counts: ConstructionCounts,
    /// Whether something is asked of moves that are not made yet.
    pub reads_moves_early: bool,
}

/// Builds the circuit of ground rules, not yet simplified. Gives up after a number of rules.
pub(crate) fn construct(
    rules: &mut GroundRules,
    most_ground_rules: usize,
    moves: Moves,
    budget: &Budget<'_>,
) -> Result<Constructed, GroundError> {
    let mut gates = Gates::new();
    let mut edges = vec![UNKNOWN; rules.atom_count()];
    // In the order of discovery, not of their texts: what was found together is used together, and
    // neighbouring ids share trees.
    let mut order: Vec<usize> = (0..rules.bases.len()).collect();
    order.sort_by_key(|&number| rules.bases[number].atom);
    for number in order {
        edges[rules.bases[number].atom.0 as usize] = gates.base(number as u32).code();
    }
    let mut inputs = Vec::new();
    for (number, role) in rules.roles.iter().enumerate() {
        let mut list = Vec::new();
        let mut order: Vec<usize> = (0..role.moves.len()).collect();
        order.sort_by_key(|&place| role.moves[place].does);
        for place in order {
            let option = &role.moves[place];
            let edge = gates.does(number as u16, place as u32);
            edges[option.does.0 as usize] = edge.code();
            list.push(edge);
        }
        inputs.push(list);
    }
    let mut work = Construction {
        builder: Builder::new(gates, if moves == Moves::MadeOrNot { Vec::new() } else { inputs }),
        edges,
        numbers: Vec::new(),
        counter: 0,
        path: Vec::new(),
        open: Vec::new(),
        products: Products::default(),
        held: 0,
        spare: Vec::new(),
        counts: ConstructionCounts::default(),
        record: Some(RecordedRules::new(rules)),
        rules,
        most_ground_rules,
        budget,
    };
    let (mut circuit, beginning) = work.circuit()?;
    let reads_moves_early = detach::reads_moves(&circuit, &beginning);
    let record = work.record.take().map(|record| {
        let reduced = record.reduced(work.edges.len(), |literal| work.literal(literal));
        Box::new(Origin::new(reduced))
    });
    circuit.origin = record;
    let mut counts = work.counts;
    counts.atoms = work.rules.atom_count();
    counts.ground_rules = work.rules.instance_count();
    Ok(Constructed { circuit, counts, reads_moves_early })
}

struct Construction<'a> {
    rules: &'a mut GroundRules,
    most_ground_rules: usize,
    budget: &'a Budget<'a>,
    builder: Builder,
    /// The edge of each atom, as code.
    edges: Vec<u32>,
    /// When each atom was first met, from 1 (Tarjan's algorithm).
    numbers: Vec<u32>,
    counter: u32,
    path: Vec<Frame>,
    /// Atoms whose bodies are known but not yet the edges of all they depend on.
    open: Vec<(AtomId, Bodies)>,
    products: Products,
    /// Bytes of the bodies on the path and in `open`.
    held: usize,
    /// Buffers to be used again.
    spare: Vec<Bodies>,
    counts: ConstructionCounts,
    /// The rules met, as long as they are few.
    record: Option<RecordedRules>,
}

struct Frame {
    atom: AtomId,
    bodies: Bodies,
    /// The body that is being looked at.
    body: usize,
    low: u32,
    /// Where `open` stood when the atom was met.
    open: usize,
}

impl Construction<'_> {
    /// The circuit, and the edges of what is true at the beginning.
    fn circuit(&mut self) -> Result<(Circuit, Vec<Edge>), GroundError> {
        let bases = self.rules.bases.clone();
        let roles = self.rules.roles.clone();
        let mut circuit = Circuit {
            chance: self.rules.chance,
            has_percepts: self.rules.has_percepts,
            spellings: self.rules.spellings.clone(),
            ..Circuit::default()
        };
        for base in &bases {
            circuit.bases.push(base.text.clone());
        }
        for role in &roles {
            let mut moves = RoleMoves { name: role.name.clone(), ..RoleMoves::default() };
            for option in &role.moves {
                moves.moves.push(option.text.clone());
                moves.legal.push(self.edge(option.legal)?);
            }
            circuit.roles.push(moves);
        }
        circuit.terminal = match self.rules.terminal {
            Some(atom) => self.edge(atom)?,
            None => Edge::FALSE,
        };
        for base in &bases {
            let next = match base.next {
                Some(atom) => self.edge(atom)?,
                None => Edge::FALSE,
            };
            circuit.next.push(next);
        }
        for (role, moves) in roles.iter().zip(&mut circuit.roles) {
            for &(value, atom) in &role.goals {
                let edge = self.edge(atom)?;
                moves.goals.push(GoalOutput { value, edge });
            }
        }
        for (role, moves) in roles.iter().zip(&mut circuit.roles) {
            for (text, atom) in &role.percepts {
                let edge = self.edge(*atom)?;
                moves.percepts.push(PerceptOutput { text: text.clone(), edge });
            }
        }
        let mut init = Vec::new();
        for base in &bases {
            init.push(match base.init {
                Some(atom) => self.edge(atom)?,
                None => Edge::FALSE,
            });
        }
        // Before the beginning nothing is true and nobody does anything.
        let values = crate::simulate::evaluate(&self.builder.gates, |_| false);
        circuit.initial = init.iter().map(|&edge| crate::simulate::read(&values, edge)).collect();
        circuit.gates = std::mem::take(&mut self.builder.gates);
        Ok((circuit, init))
    }

    fn known(&self, atom: AtomId) -> Option<Edge> {
        match self.edges.get(atom.0 as usize) {
            None | Some(&UNKNOWN) => None,
            Some(&code) => Some(Edge::from_code(code)),
        }
    }

    fn literal(&self, literal: GroundLiteral) -> Option<Edge> {
        let edge = self.known(literal.atom())?;
        Some(if literal.is_negated() { !edge } else { edge })
    }

    fn set(&mut self, atom: AtomId, edge: Edge) {
        self.edges[atom.0 as usize] = edge.code();
    }

    fn number(&self, atom: AtomId) -> u32 {
        self.numbers.get(atom.0 as usize).copied().unwrap_or(0)
    }

    /// The edge of an atom, after those of all it depends on.
    fn edge(&mut self, atom: AtomId) -> Result<Edge, GroundError> {
        if self.known(atom).is_none() {
            self.enter(atom)?;
            while !self.path.is_empty() {
                if let Some(next) = self.step()? {
                    self.enter(next)?;
                }
            }
        }
        Ok(self.known(atom).unwrap_or(Edge::FALSE))
    }

    fn enter(&mut self, atom: AtomId) -> Result<(), GroundError> {
        if self.rules.is_always(atom) {
            self.grow();
            self.set(atom, Edge::TRUE);
            return Ok(());
        }
        let mut bodies = self.spare.pop().unwrap_or_default();
        let held = self.builder.bytes() + self.edges.capacity() * 8 + self.held;
        self.rules.bodies(atom, held, self.budget, &mut bodies)?;
        self.grow();
        if self.rules.instance_count() > self.most_ground_rules {
            return Err(GroundError::TooMany(RULES));
        }
        if self.builder.gates.len() > (1 << 30) {
            return Err(GroundError::TooMany("gates"));
        }
        if self.record.as_mut().is_some_and(|record| !record.note(atom, &bodies)) {
            self.record = None;
        }
        self.held += bodies.bytes();
        self.counter += 1;
        self.numbers[atom.0 as usize] = self.counter;
        self.path.push(Frame { atom, bodies, body: 0, low: self.counter, open: self.open.len() });
        Ok(())
    }

    fn grow(&mut self) {
        let atoms = self.rules.atom_count();
        if self.edges.len() < atoms {
            self.edges.resize(atoms, UNKNOWN);
        }
        self.numbers.resize(atoms, 0);
    }

    /// Goes on with the last atom of the path; returns an atom that must be met first.
    fn step(&mut self) -> Result<Option<AtomId>, GroundError> {
        let Some(mut frame) = self.path.pop() else { return Ok(None) };
        while frame.body < frame.bodies.len() {
            let body = frame.bodies.get(frame.body);
            let dead = body.iter().any(|&literal| self.literal(literal) == Some(Edge::FALSE));
            let mut missing = None;
            if !dead {
                for literal in body {
                    if self.known(literal.atom()).is_some() {
                        continue;
                    }
                    match self.number(literal.atom()) {
                        0 => missing = missing.or(Some(literal.atom())),
                        number => frame.low = frame.low.min(number),
                    }
                }
            }
            if missing.is_some() {
                self.path.push(frame);
                return Ok(missing);
            }
            frame.body += 1;
        }
        let (atom, low, open) = (frame.atom, frame.low, frame.open);
        if let Some(parent) = self.path.last_mut() {
            parent.low = parent.low.min(low);
        }
        if low < self.number(atom) {
            self.open.push((atom, frame.bodies));
            return Ok(None);
        }
        if self.open.len() == open && !frame.bodies.literals().iter().any(|literal| literal.atom() == atom) {
            let edge = self.build(&frame.bodies);
            self.set(atom, edge);
            self.held -= frame.bodies.bytes();
            self.spare.push(frame.bodies);
            return Ok(None);
        }
        let mut members = self.open.split_off(open);
        members.push((atom, frame.bodies));
        self.component(members)?;
        Ok(None)
    }

    /// The logic of bodies whose literals all have edges.
    fn build(&mut self, bodies: &Bodies) -> Edge {
        self.products.clear();
        for body in bodies.iter() {
            let mut dead = false;
            for &literal in body {
                match self.literal(literal) {
                    Some(Edge::FALSE) | None => {
                        dead = true;
                        break;
                    }
                    Some(edge) => self.products.push(edge),
                }
            }
            if dead {
                self.products.drop_open();
            } else {
                self.products.end(&self.builder.gates);
            }
        }
        self.products.build(&mut self.builder)
    }

    /// Finds the edges of atoms that depend on each other.
    fn component(&mut self, members: Vec<(AtomId, Bodies)>) -> Result<(), GroundError> {
        let place: FxHashMap<AtomId, u32> =
            members.iter().enumerate().map(|(place, (atom, _))| (*atom, place as u32)).collect();
        // Some links may have gone with bodies that never hold.
        let mut links = vec![Vec::new(); members.len()];
        for ((_, bodies), links) in members.iter().zip(&mut links) {
            for body in self.live_bodies(bodies) {
                links.extend(body.iter().filter_map(|literal| place.get(&literal.atom()).copied()));
            }
            links.sort_unstable();
            links.dedup();
        }
        for group in strong_components(&links) {
            if let [single] = group[..]
                && !links[single as usize].contains(&single)
            {
                let (atom, bodies) = &members[single as usize];
                let edge = self.build(bodies);
                self.set(*atom, edge);
                continue;
            }
            self.recursive(&members, &group)?;
        }
        self.held -= members.iter().map(|(_, bodies)| bodies.bytes()).sum::<usize>();
        self.spare.extend(members.into_iter().map(|(_, bodies)| bodies).take(16));
        Ok(())
    }

    fn live_bodies<'b>(&'b self, bodies: &'b Bodies) -> impl Iterator<Item = &'b [GroundLiteral]> {
        bodies.iter().filter(|body| !body.iter().any(|&literal| self.literal(literal) == Some(Edge::FALSE)))
    }

    fn recursive(&mut self, members: &[(AtomId, Bodies)], group: &[u32]) -> Result<(), GroundError> {
        self.counts.recursive_components += 1;
        self.counts.largest_component = self.counts.largest_component.max(group.len());
        let place: FxHashMap<AtomId, u32> = group
            .iter()
            .enumerate()
            .map(|(place, &member)| (members[member as usize].0, place as u32))
            .collect();
        let mut equations = Vec::with_capacity(group.len());
        for &member in group {
            let (atom, bodies) = &members[member as usize];
            let mut collected: Vec<(Vec<Edge>, Vec<u32>)> = Vec::new();
            for body in self.live_bodies(bodies) {
                let mut condition = Vec::new();
                let mut needs = Vec::new();
                for &literal in body {
                    match place.get(&literal.atom()) {
                        Some(_) if literal.is_negated() => {
                            return Err(GroundError::Unstratified(self.rules.text(*atom)));
                        }
                        Some(&place) => needs.push(place),
                        None => condition.push(self.literal(literal).unwrap_or(Edge::FALSE)),
                    }
                }
                needs.sort_unstable();
                needs.dedup();
                collected.push((condition, needs));
            }
            let mut ways = Vec::with_capacity(collected.len());
            for (mut condition, members) in collected {
                let condition = self.builder.and_all(&mut condition);
                if condition != Edge::FALSE {
                    ways.push(Way { condition, members });
                }
            }
            equations.push(ways);
        }
        let Some(solution) = least_solution(&equations, &mut self.builder, self.budget)? else {
            let example =
                group.first().map_or_else(String::new, |&member| self.rules.text(members[member as usize].0));
            return Err(GroundError::RecursionTooLarge { atoms: group.len(), example });
        };
        for (&member, edge) in group.iter().zip(solution) {
            self.set(members[member as usize].0, edge);
        }
        Ok(())
    }
}
