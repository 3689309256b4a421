//! When roles have reached their goals and when the game is over, as formulas over facts: the goal rules without their
//! variables, and every relation on the way as the alternatives that its rules are.

use gdl::normal::NormalRules;
use ground::{AtomId, Bodies, Budget, GroundError, GroundRules};
use rustc_hash::FxHashMap;

/// A part of a formula; others are named by their places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// A fact, by its number among those of the formulas.
    Fact(u32),
    /// What never changes.
    Constant(bool),
    /// One of them is enough.
    Any(Vec<u32>),
    /// All of them have to hold.
    All(Vec<u32>),
    /// It must not hold.
    Not(u32),
}

/// The formulas of a game.
#[derive(Clone, Debug, Default)]
pub struct Formulas {
    /// The facts that occur.
    pub facts: Vec<String>,
    /// All parts, each after those that it names.
    pub parts: Vec<Part>,
    /// For each role its goals, ascending, and the part that says when it has reached them.
    pub goals: Vec<Vec<(u8, u32)>>,
    /// When the game is over.
    pub terminal: u32,
}

/// Rules of one relation with more bodies than this are split where the plain form is too large.
const SPLIT_ABOVE: usize = 30;

impl Formulas {
    /// Reads the goals off the rules, with so many parts at most. `None` if there are more.
    pub fn new(
        rules: &NormalRules,
        most_parts: usize,
        budget: &Budget<'_>,
    ) -> Result<Option<Self>, GroundError> {
        let mut ground = ground::ground(rules, budget)?;
        for split_above in [usize::MAX, SPLIT_ABOVE, 0] {
            ground.split_above(split_above);
            if let Some(formulas) = Reader::new(&mut ground, most_parts, budget).read()? {
                return Ok(Some(formulas));
            }
        }
        Ok(None)
    }

    /// The best goal of a role that is not certain, and its part.
    pub fn best(&self, role: usize) -> Option<(u8, u32)> {
        let open = |goal: &&(u8, u32)| !matches!(self.parts[goal.1 as usize], Part::Constant(_));
        self.goals[role].iter().rev().find(open).copied()
    }

    /// The facts that a part looks at, by number, ascending.
    pub fn facts_of(&self, part: u32) -> Vec<u32> {
        let mut needed = vec![false; self.parts.len()];
        needed[part as usize] = true;
        let mut facts = Vec::new();
        for place in (0..self.parts.len()).rev().filter(|&place| place <= part as usize) {
            if !needed[place] {
                continue;
            }
            match &self.parts[place] {
                Part::Fact(fact) => facts.push(*fact),
                Part::Constant(_) => {}
                Part::Not(part) => needed[*part as usize] = true,
                Part::Any(parts) | Part::All(parts) => {
                    parts.iter().for_each(|&part| needed[part as usize] = true);
                }
            }
        }
        facts.sort_unstable();
        facts
    }

    /// Which parts hold, given which facts do: plain, for who looks at one state.
    pub fn holding(&self, has: impl Fn(&str) -> bool) -> Vec<bool> {
        let mut holds: Vec<bool> = Vec::with_capacity(self.parts.len());
        for part in &self.parts {
            let value = match part {
                Part::Fact(fact) => has(&self.facts[*fact as usize]),
                Part::Constant(value) => *value,
                Part::Any(parts) => parts.iter().any(|&part| holds[part as usize]),
                Part::All(parts) => parts.iter().all(|&part| holds[part as usize]),
                Part::Not(part) => !holds[*part as usize],
            };
            holds.push(value);
        }
        holds
    }
}

#[derive(Clone, Copy)]
enum Reading {
    /// On the way: a proof does not need itself.
    Open,
    Done(u32),
}

struct Reader<'a, 'b> {
    ground: &'a mut GroundRules,
    budget: &'a Budget<'b>,
    most_parts: usize,
    formulas: Formulas,
    /// The facts of the rules.
    bases: FxHashMap<AtomId, String>,
    readings: FxHashMap<AtomId, Reading>,
}

/// An atom whose rules are being looked at.
struct Frame {
    atom: AtomId,
    bodies: Bodies,
    body: usize,
    conditions: Vec<u32>,
    /// How many literals of the body are done.
    done: usize,
    alternatives: Vec<u32>,
}

impl<'a, 'b> Reader<'a, 'b> {
    fn new(ground: &'a mut GroundRules, most_parts: usize, budget: &'a Budget<'b>) -> Self {
        let bases = ground.bases.iter().map(|base| (base.atom, base.text.clone())).collect();
        let formulas = Formulas { parts: vec![Part::Constant(false)], ..Formulas::default() };
        Self { ground, budget, most_parts, formulas, bases, readings: FxHashMap::default() }
    }

    fn read(mut self) -> Result<Option<Formulas>, GroundError> {
        let roles: Vec<Vec<(u8, AtomId)>> = self.ground.roles.iter().map(|role| role.goals.clone()).collect();
        for goals in roles {
            let mut own = Vec::with_capacity(goals.len());
            for (value, atom) in goals {
                let Some(part) = self.atom(atom)? else { return Ok(None) };
                own.push((value, part));
            }
            self.formulas.goals.push(own);
        }
        if let Some(terminal) = self.ground.terminal {
            let Some(part) = self.atom(terminal)? else { return Ok(None) };
            self.formulas.terminal = part;
        }
        Ok(Some(self.formulas))
    }

    fn push(&mut self, part: Part) -> u32 {
        self.formulas.parts.push(part);
        self.formulas.parts.len() as u32 - 1
    }

    /// The part of an atom that needs no rules.
    fn plain(&mut self, atom: AtomId) -> Option<u32> {
        if let Some(&reading) = self.readings.get(&atom) {
            // What is open says nothing of itself.
            return Some(match reading {
                Reading::Open => 0,
                Reading::Done(part) => part,
            });
        }
        let part = if let Some(text) = self.bases.get(&atom) {
            self.formulas.facts.push(text.clone());
            Part::Fact(self.formulas.facts.len() as u32 - 1)
        } else if self.ground.is_always(atom) {
            Part::Constant(true)
        } else {
            return None;
        };
        let part = self.push(part);
        self.readings.insert(atom, Reading::Done(part));
        Some(part)
    }

    fn begin(&mut self, atom: AtomId) -> Result<Frame, GroundError> {
        let mut bodies = Bodies::default();
        self.ground.bodies(atom, 0, self.budget, &mut bodies)?;
        self.readings.insert(atom, Reading::Open);
        Ok(Frame { atom, bodies, body: 0, conditions: Vec::new(), done: 0, alternatives: Vec::new() })
    }

    /// The part of an atom; `None` if there would be too many parts. By hand and not by recursion: rules of strangers
    /// may go down as far as they like.
    fn atom(&mut self, goal: AtomId) -> Result<Option<u32>, GroundError> {
        if let Some(part) = self.plain(goal) {
            return Ok(Some(part));
        }
        let mut path = vec![self.begin(goal)?];
        while let Some(mut frame) = path.pop() {
            if self.formulas.parts.len() > self.most_parts {
                return Ok(None);
            }
            if frame.body == frame.bodies.len() {
                let part = match &frame.alternatives[..] {
                    [] => 0,
                    [only] => *only,
                    _ => self.push(Part::Any(frame.alternatives)),
                };
                self.readings.insert(frame.atom, Reading::Done(part));
                continue;
            }
            let body = frame.bodies.get(frame.body);
            let Some(&literal) = body.get(frame.done) else {
                frame.body += 1;
                frame.done = 0;
                let conditions = std::mem::take(&mut frame.conditions);
                let is = |value: bool| {
                    move |&part: &u32, parts: &[Part]| parts[part as usize] == Part::Constant(value)
                };
                let (never, always) = (is(false), is(true));
                if !conditions.iter().any(|part| never(part, &self.formulas.parts)) {
                    let open = |part: &u32| !always(part, &self.formulas.parts);
                    let open: Vec<u32> = conditions.into_iter().filter(open).collect();
                    frame.alternatives.push(match &open[..] {
                        [only] => *only,
                        [] => self.push(Part::Constant(true)),
                        _ => self.push(Part::All(open)),
                    });
                }
                path.push(frame);
                continue;
            };
            match self.plain(literal.atom()) {
                Some(part) => {
                    let part = match (literal.is_negated(), &self.formulas.parts[part as usize]) {
                        (false, _) => part,
                        (true, Part::Constant(value)) => {
                            let value = !value;
                            self.push(Part::Constant(value))
                        }
                        (true, _) => self.push(Part::Not(part)),
                    };
                    frame.conditions.push(part);
                    frame.done += 1;
                    path.push(frame);
                }
                None => {
                    path.push(frame);
                    let next = self.begin(literal.atom())?;
                    path.push(next);
                }
            }
        }
        Ok(self.plain(goal))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goals_are_read_off_the_rules() {
        let rules = gdl::normal::read(
            "(role you) (init (on a)) (cell a) (cell b)
             (<= (legal you (flip ?x)) (cell ?x))
             (<= (next (on ?x)) (cell ?x) (not (true (on ?x))) (does you (flip ?x)))
             (<= (next (on ?x)) (true (on ?x)) (not (does you (flip ?x))))
             (<= all (true (on a)) (true (on b))) (<= some (true (on ?x)))
             (<= terminal all) (<= (goal you 100) all) (<= (goal you 0) (not all)) (<= (goal you 50) some (not all))",
        );
        let formulas = Formulas::new(&rules, 1000, &Budget::unlimited()).expect("small").expect("few parts");
        assert_eq!(formulas.goals[0].iter().map(|goal| goal.0).collect::<Vec<_>>(), [0, 50, 100]);
        let reached = |facts: &[&str]| -> Vec<u8> {
            let holds = formulas.holding(|fact| facts.contains(&fact));
            assert_eq!(holds[formulas.terminal as usize], facts.len() == 2);
            let goals = formulas.goals[0].iter().filter(|goal| holds[goal.1 as usize]);
            goals.map(|goal| goal.0).collect()
        };
        assert_eq!(reached(&[]), [0]);
        assert_eq!(reached(&["(on a)"]), [0, 50]);
        assert_eq!(reached(&["(on a)", "(on b)"]), [100]);
        assert_eq!(formulas.best(0).map(|best| best.0), Some(100));
        assert!(Formulas::new(&rules, 3, &Budget::unlimited()).expect("small").is_none());
    }
}
