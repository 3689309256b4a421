//! When roles have reached their goals and when the game is over, as formulas over facts: the goal rules without their
//! variables, and every relation on the way as the alternatives that its rules are.

mod reader;
mod recursion;

use gdl::normal::NormalRules;
use ground::{Budget, GroundError};
use reader::Reader;
use rustc_hash::FxHashMap;

/// A part of a formula; others are named by their places.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
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

/// The part that never holds: the first one.
const NEVER: u32 = 0;

/// Parts as they are made, none of them twice.
struct Builder {
    parts: Vec<Part>,
    places: FxHashMap<Part, u32>,
}

impl Builder {
    fn new() -> Self {
        let mut builder = Self { parts: Vec::new(), places: FxHashMap::default() };
        builder.push(Part::Constant(false));
        builder
    }

    fn push(&mut self, part: Part) -> u32 {
        let next = self.parts.len() as u32;
        *self.places.entry(part).or_insert_with_key(|part| {
            self.parts.push(part.clone());
            next
        })
    }

    fn not(&mut self, part: u32) -> u32 {
        match self.parts[part as usize] {
            Part::Constant(value) => self.push(Part::Constant(!value)),
            Part::Not(inner) => inner,
            _ => self.push(Part::Not(part)),
        }
    }

    fn all(&mut self, parts: Vec<u32>) -> u32 {
        self.join(parts, true, Part::All)
    }

    fn any(&mut self, parts: Vec<u32>) -> u32 {
        self.join(parts, false, Part::Any)
    }

    /// Parts put together, of which those do not count that hold, or never hold.
    fn join(&mut self, mut parts: Vec<u32>, idle: bool, whole: impl Fn(Vec<u32>) -> Part) -> u32 {
        let constant = |part: u32| match self.parts[part as usize] {
            Part::Constant(value) => Some(value),
            _ => None,
        };
        if let Some(&decides) = parts.iter().find(|&&part| constant(part) == Some(!idle)) {
            return decides;
        }
        parts.retain(|&part| constant(part).is_none());
        parts.sort_unstable();
        parts.dedup();
        match parts[..] {
            [] => self.push(Part::Constant(idle)),
            [only] => only,
            _ => self.push(whole(parts)),
        }
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
