//! From ground rules to formulas, depth first from the goals.

use ground::{AtomId, Bodies, Budget, GroundError, GroundLiteral, GroundRules, strong_components};
use rustc_hash::FxHashMap;

use super::recursion::{Way, least_solution};
use super::{Builder, Formulas, NEVER, Part};

/// Reads formulas off ground rules.
pub(super) struct Reader<'a, 'b> {
    ground: &'a mut GroundRules,
    budget: &'a Budget<'b>,
    most_parts: usize,
    builder: Builder,
    facts: Vec<String>,
    /// The facts of the rules.
    bases: FxHashMap<AtomId, String>,
    /// The parts of atoms.
    known: FxHashMap<AtomId, u32>,
    /// When atoms were met that have no part yet.
    numbers: FxHashMap<AtomId, u32>,
    /// Atoms that are being looked at, each needed by the one before.
    path: Vec<Frame>,
    /// Atoms that were looked at and depend on one that is on the path.
    open: Vec<(AtomId, Bodies)>,
}

/// An atom whose rules are being looked at.
struct Frame {
    atom: AtomId,
    bodies: Bodies,
    body: usize,
    /// The number of the first atom on the path that it depends on.
    low: u32,
    /// How many atoms were open before it.
    open: usize,
}

/// There are too many parts.
struct TooMany;

/// What comes of a step.
type Step<T> = Result<Result<T, TooMany>, GroundError>;

impl<'a, 'b> Reader<'a, 'b> {
    pub(super) fn new(ground: &'a mut GroundRules, most_parts: usize, budget: &'a Budget<'b>) -> Self {
        let bases = ground.bases.iter().map(|base| (base.atom, base.text.clone())).collect();
        Self {
            ground,
            budget,
            most_parts,
            builder: Builder::new(),
            facts: Vec::new(),
            bases,
            known: FxHashMap::default(),
            numbers: FxHashMap::default(),
            path: Vec::new(),
            open: Vec::new(),
        }
    }

    /// All formulas; `None` if there are too many parts.
    pub(super) fn read(mut self) -> Result<Option<Formulas>, GroundError> {
        let roles: Vec<Vec<(u8, AtomId)>> = self.ground.roles.iter().map(|role| role.goals.clone()).collect();
        let mut goals = Vec::with_capacity(roles.len());
        for atoms in roles {
            let mut own = Vec::with_capacity(atoms.len());
            for (value, atom) in atoms {
                let Ok(part) = self.atom(atom)? else { return Ok(None) };
                own.push((value, part));
            }
            goals.push(own);
        }
        let terminal = match self.ground.terminal {
            Some(terminal) => {
                let Ok(part) = self.atom(terminal)? else { return Ok(None) };
                part
            }
            None => NEVER,
        };
        Ok(Some(Formulas { facts: self.facts, parts: self.builder.parts, goals, terminal }))
    }

    /// The part of an atom. By hand and not by recursion: rules of strangers may go down as far as they like.
    fn atom(&mut self, goal: AtomId) -> Step<u32> {
        if !self.is_known(goal) {
            self.enter(goal)?;
            while !self.path.is_empty() {
                if self.builder.parts.len() > self.most_parts {
                    return Ok(Err(TooMany));
                }
                match self.step()? {
                    Ok(Some(next)) => self.enter(next)?,
                    Ok(None) => {}
                    Err(TooMany) => return Ok(Err(TooMany)),
                }
            }
        }
        Ok(Ok(self.known.get(&goal).copied().unwrap_or(NEVER)))
    }

    /// Whether an atom has its part, or needs no rules to have one.
    fn is_known(&mut self, atom: AtomId) -> bool {
        if self.known.contains_key(&atom) {
            return true;
        }
        let part = if let Some(text) = self.bases.get(&atom) {
            self.facts.push(text.clone());
            Part::Fact(self.facts.len() as u32 - 1)
        } else if self.ground.is_always(atom) {
            Part::Constant(true)
        } else {
            return false;
        };
        let part = self.builder.push(part);
        self.known.insert(atom, part);
        true
    }

    fn enter(&mut self, atom: AtomId) -> Result<(), GroundError> {
        let mut bodies = Bodies::default();
        self.ground.bodies(atom, 0, self.budget, &mut bodies)?;
        let low = self.numbers.len() as u32;
        self.numbers.insert(atom, low);
        self.path.push(Frame { atom, bodies, body: 0, low, open: self.open.len() });
        Ok(())
    }

    /// Goes on with the last atom of the path; returns an atom that must be met first.
    fn step(&mut self) -> Step<Option<AtomId>> {
        let Some(mut frame) = self.path.pop() else { return Ok(Ok(None)) };
        while frame.body < frame.bodies.len() {
            let mut missing = None;
            for literal in frame.bodies.get(frame.body) {
                if self.is_known(literal.atom()) {
                    continue;
                }
                match self.numbers.get(&literal.atom()) {
                    Some(&number) => frame.low = frame.low.min(number),
                    None => missing = missing.or(Some(literal.atom())),
                }
            }
            if missing.is_some() {
                self.path.push(frame);
                return Ok(Ok(missing));
            }
            frame.body += 1;
        }
        let Frame { atom, bodies, low, open, .. } = frame;
        if let Some(parent) = self.path.last_mut() {
            parent.low = parent.low.min(low);
        }
        self.open.push((atom, bodies));
        if low < self.numbers[&atom] {
            return Ok(Ok(None));
        }
        let members = self.open.split_off(open);
        Ok(self.component(&members)?.map(|()| None))
    }

    /// The parts of atoms that may depend on each other.
    fn component(&mut self, members: &[(AtomId, Bodies)]) -> Step<()> {
        let places: FxHashMap<AtomId, u32> = members.iter().map(|(atom, _)| *atom).zip(0..).collect();
        // Some links may have gone with bodies that never hold.
        let links: Vec<Vec<u32>> = members
            .iter()
            .map(|(_, bodies)| {
                let literals = self.live(bodies).into_iter().flatten();
                literals.filter_map(|literal| places.get(&literal.atom()).copied()).collect()
            })
            .collect();
        for group in strong_components(&links) {
            let own: FxHashMap<AtomId, u32> =
                group.iter().map(|&member| members[member as usize].0).zip(0..).collect();
            let mut equations = Vec::with_capacity(group.len());
            for &member in &group {
                let (atom, bodies) = &members[member as usize];
                let mut ways = Vec::new();
                for body in self.live(bodies) {
                    let (mut conditions, mut needs) = (Vec::new(), Vec::new());
                    for &literal in body {
                        match own.get(&literal.atom()) {
                            Some(_) if literal.is_negated() => {
                                return Err(GroundError::Unstratified(self.ground.text(*atom)));
                            }
                            Some(&place) => needs.push(place),
                            None => conditions.push(self.literal(literal)),
                        }
                    }
                    needs.sort_unstable();
                    needs.dedup();
                    ways.push(Way { condition: self.builder.all(conditions), needs });
                }
                equations.push(ways);
            }
            let Some(solution) = least_solution(equations, &mut self.builder, self.most_parts) else {
                return Ok(Err(TooMany));
            };
            self.known.extend(group.iter().map(|&member| members[member as usize].0).zip(solution));
        }
        Ok(Ok(()))
    }

    /// The bodies without those of which a literal never holds.
    fn live<'c>(&self, bodies: &'c Bodies) -> Vec<&'c [GroundLiteral]> {
        let is_never = |literal: &GroundLiteral| {
            let part = self.known.get(&literal.atom()).map(|&part| &self.builder.parts[part as usize]);
            part == Some(&Part::Constant(literal.is_negated()))
        };
        bodies.iter().filter(|body| !body.iter().any(is_never)).collect()
    }

    /// The part of a literal whose atom has one.
    fn literal(&mut self, literal: GroundLiteral) -> u32 {
        let part = self.known.get(&literal.atom()).copied().unwrap_or(NEVER);
        if literal.is_negated() { self.builder.not(part) } else { part }
    }
}
