//! What the rules derive in a state, in lanes: lines, threats, what is legal.
//!
//! Circuits forget what they were made of, so the rules are made into a second one that remembers: for every derived
//! relation `p` there is one rule more, which says that a fact of its own comes next where `p` holds. Its gate is what
//! `p` is now.

use circuit::{Circuit, Edge, Effort, Gate, GateId, Gates};
use gdl::keyword;
use gdl::normal::{NormalLiteral, NormalRule, NormalRules, NormalSentence, NormalTerm};
use ground::{Budget, GroundError};
use rustc_hash::{FxHashMap, FxHashSet};

/// What stands before the name of a derived relation in the second circuit. No name of a rule sheet has it.
const MARK: &str = "derived#";

/// Words of a lane group: 512 states at a time.
pub const GROUP: usize = 8;

/// What is true of each state of a group.
pub type Lanes = [u64; GROUP];

/// Derived atoms as gates over facts.
#[derive(Clone, Debug)]
pub struct Derived {
    gates: Gates,
    /// The facts that are looked at, by number.
    facts: Vec<String>,
    /// The texts of the atoms and their gates.
    atoms: Vec<(String, Edge)>,
}

impl Derived {
    /// All derived atoms of a game that follow from a state alone.
    pub fn new(rules: &NormalRules, budget: &Budget<'_>) -> Result<Self, GroundError> {
        let build = machine::build::circuit(&marked(rules), Effort::Quick, budget)?;
        Ok(Self::read(&build.circuit))
    }

    fn read(circuit: &Circuit) -> Self {
        let mut of_moves: Vec<bool> = Vec::with_capacity(circuit.gates.len());
        for (_, gate) in circuit.gates.iter() {
            let depends = |edge: Edge| of_moves[edge.gate().0 as usize];
            of_moves.push(match gate {
                Gate::False | Gate::Base(_) => false,
                Gate::Does(..) => true,
                Gate::And(left, right) | Gate::Xor(left, right) => depends(left) || depends(right),
            });
        }
        let mut atoms = Vec::new();
        for (text, &edge) in circuit.bases.iter().zip(&circuit.next) {
            let Some(name) = text.strip_prefix('(').unwrap_or(text).strip_prefix(MARK) else { continue };
            // What never changes tells nothing, and what depends on moves is not known before they are made.
            if !edge.is_constant() && !of_moves[edge.gate().0 as usize] {
                let bracket = if text.starts_with('(') { "(" } else { "" };
                atoms.push((format!("{bracket}{name}"), edge));
            }
        }
        Self { gates: circuit.gates.clone(), facts: circuit.bases.clone(), atoms }
    }

    /// The atoms.
    pub fn atoms(&self) -> impl ExactSizeIterator<Item = &str> {
        self.atoms.iter().map(|(text, _)| text.as_str())
    }

    /// The atoms that hold in a state of some facts: plain, for who looks at one state.
    pub fn holding<'a>(&'a self, facts: &[String]) -> impl Iterator<Item = &'a str> {
        let facts: FxHashSet<&str> = facts.iter().map(String::as_str).collect();
        let values = circuit::simulate::evaluate(&self.gates, |gate| match gate {
            Gate::Base(number) => facts.contains(self.facts[number as usize].as_str()),
            _ => false,
        });
        let holding = move |(_, edge): &&(String, Edge)| circuit::simulate::read(&values, *edge);
        self.atoms.iter().filter(holding).map(|(text, _)| text.as_str())
    }

    /// Only some of the atoms, by their places, in that order.
    pub fn only(&self, places: &[usize]) -> Program {
        let outputs: Vec<Edge> = places.iter().map(|&place| self.atoms[place].1).collect();
        let cone = self.gates.cone(outputs.iter().copied());
        let mut slots: FxHashMap<GateId, u32> = FxHashMap::default();
        let mut program = Program { facts: Vec::new(), steps: Vec::new(), outputs: Vec::new() };
        for &id in cone.iter().filter(|&&id| matches!(self.gates.get(id), Gate::Base(_))) {
            if let Gate::Base(number) = self.gates.get(id) {
                slots.insert(id, program.facts.len() as u32);
                program.facts.push(self.facts[number as usize].clone());
            }
        }
        let first = program.facts.len() as u32;
        for id in cone {
            let (left, right, is_and) = match self.gates.get(id) {
                Gate::And(left, right) => (left, right, true),
                Gate::Xor(left, right) => (left, right, false),
                Gate::False | Gate::Base(_) | Gate::Does(..) => continue,
            };
            let input = |edge: Edge| (slots.get(&edge.gate()).copied().unwrap_or(0), edge.is_inverted());
            let step = Step { left: input(left), right: input(right), is_and };
            slots.insert(id, first + program.steps.len() as u32);
            program.steps.push(step);
        }
        let output = |edge: &Edge| (slots.get(&edge.gate()).copied().unwrap_or(0), edge.is_inverted());
        program.outputs = outputs.iter().map(output).collect();
        program
    }
}

/// Derived atoms as a straight line of operations on lanes.
#[derive(Clone, Debug)]
pub struct Program {
    facts: Vec<String>,
    steps: Vec<Step>,
    outputs: Vec<(u32, bool)>,
}

#[derive(Clone, Copy, Debug)]
struct Step {
    left: (u32, bool),
    right: (u32, bool),
    is_and: bool,
}

impl Program {
    /// The facts that it looks at, in the order in which it wants them.
    pub fn facts(&self) -> &[String] {
        &self.facts
    }

    /// How many operations there are.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Works out the atoms of a group of states: `values` begins with their facts, and what is worked out follows.
    pub fn run(&self, values: &mut Vec<Lanes>, out: &mut Vec<Lanes>) {
        values.truncate(self.facts.len());
        let read = |values: &[Lanes], (place, inverted): (u32, bool)| {
            let flip = u64::from(inverted).wrapping_neg();
            values[place as usize].map(|word| word ^ flip)
        };
        for step in &self.steps {
            let (left, right) = (read(values, step.left), read(values, step.right));
            let both: Lanes = if step.is_and {
                std::array::from_fn(|word| left[word] & right[word])
            } else {
                std::array::from_fn(|word| left[word] ^ right[word])
            };
            values.push(both);
        }
        out.clear();
        out.extend(self.outputs.iter().map(|&output| read(values, output)));
    }
}

/// The rules with one more for every derived relation.
fn marked(rules: &NormalRules) -> NormalRules {
    let mut marked = rules.clone();
    let mut seen: FxHashSet<(gdl::SymbolId, usize)> = FxHashSet::default();
    let with_bodies = rules.rules.iter().filter(|rule| !rule.body.is_empty());
    let changing: FxHashSet<gdl::SymbolId> = with_bodies.map(|rule| rule.head.name).collect();
    for rule in &rules.rules {
        let name = rule.head.name;
        let is_keyword = (name.0 as usize) < keyword::NAMES.len();
        let is_left_out = (is_keyword && name != keyword::LEGAL) || !changing.contains(&name);
        if is_left_out || !seen.insert((name, rule.head.arguments.len())) {
            continue;
        }
        let arity = rule.head.arguments.len() as u32;
        let spelling = format!("{MARK}{}", rules.symbols.name(name));
        let fact = marked.symbols.intern(&spelling);
        let variables: Vec<NormalTerm> = (0..arity).map(NormalTerm::Variable).collect();
        let term = match arity {
            0 => NormalTerm::Constant(fact),
            _ => NormalTerm::Function(fact, variables.clone()),
        };
        let names = (0..arity).map(|number| marked.symbols.intern(&format!("?{number}"))).collect();
        marked.rules.push(NormalRule {
            head: NormalSentence { name: keyword::NEXT, arguments: vec![term] },
            body: vec![NormalLiteral::Holds(NormalSentence { name, arguments: variables })],
            variables: names,
            span: rule.span,
        });
    }
    marked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derived_atoms_are_what_the_rules_say() {
        let rules = gdl::normal::read(
            "(role you) (init (on a)) (cell a) (cell b)
             (<= (legal you (flip ?x)) (cell ?x))
             (<= (next (on ?x)) (cell ?x) (not (true (on ?x))) (does you (flip ?x)))
             (<= (next (on ?x)) (true (on ?x)) (not (does you (flip ?x))))
             (<= (off ?x) (cell ?x) (not (true (on ?x))))
             (<= all (true (on a)) (true (on b)))
             (<= (moved ?x) (does you (flip ?x)))
             (<= terminal all) (<= (goal you 100) all)",
        );
        let derived = Derived::new(&rules, &Budget::unlimited()).expect("small");
        let atoms: Vec<&str> = derived.atoms().collect();
        assert_eq!(
            atoms,
            ["(off a)", "(off b)", "all"],
            "what depends on moves is left out, and what is static"
        );
        let program = derived.only(&[0, 1, 2]);
        // All four states: lane 1 has a, lane 2 has b, lane 3 has both.
        let fact = |name: &String| [if name == "(on a)" { 0b1010 } else { 0b1100 }; GROUP];
        let mut values: Vec<Lanes> = program.facts().iter().map(fact).collect();
        let mut out = Vec::new();
        program.run(&mut values, &mut out);
        let lanes: Vec<u64> = out.iter().map(|lanes| lanes[0] & 0b1111).collect();
        assert_eq!(lanes, [0b0101, 0b0011, 0b1000]);
        // Again, with what is left in the room of before.
        program.run(&mut values, &mut out);
        assert_eq!(out[2][0] & 0b1111, 0b1000);
    }
}
