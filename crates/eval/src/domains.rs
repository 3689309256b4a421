//! Which constants may stand in which argument: positions that share a variable in a rule have one domain
//! (Schiffel and Thielscher 2007). What is found may be more than can really occur.

use gdl::keyword;
use gdl::normal::{NormalLiteral, NormalRules, NormalSentence, NormalTerm};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::vocabulary::Position;

/// The domains of all positions.
#[derive(Clone, Debug, Default)]
pub struct Domains {
    /// The class of each position.
    classes: FxHashMap<Position, usize>,
    /// What each class is part of: itself, unless it was joined with another.
    parents: Vec<usize>,
    /// The constants of each class that is part of no other.
    constants: Vec<FxHashSet<String>>,
}

impl Domains {
    /// The domains of the rules of a game.
    pub fn new(rules: &NormalRules) -> Self {
        let mut domains = Self::default();
        // Who does something, or has reached something, is a role.
        let mut roles = [(keyword::ROLE, 1), (keyword::DOES, 2), (keyword::GOAL, 2)].map(|(name, arity)| {
            let name = rules.symbols.name(name).to_owned();
            domains.class(Position { name, arity, index: 0 })
        });
        roles.sort_unstable();
        roles.iter().skip(1).for_each(|&class| domains.join(roles[0], class));
        for rule in &rules.rules {
            let mut variables: FxHashMap<u32, usize> = FxHashMap::default();
            let literals = rule.body.iter().filter_map(|literal| match literal {
                NormalLiteral::Holds(sentence) | NormalLiteral::Fails(sentence) => Some(sentence),
                NormalLiteral::Distinct(..) => None,
            });
            for sentence in std::iter::once(&rule.head).chain(literals) {
                domains.sentence(rules, sentence, &mut variables);
            }
        }
        domains
    }

    /// The constants of a position, sorted; none if it was never met.
    pub fn of(&self, position: &Position) -> Vec<&str> {
        let Some(&class) = self.classes.get(position) else { return Vec::new() };
        let mut all: Vec<&str> = self.constants[self.root(class)].iter().map(String::as_str).collect();
        all.sort_unstable();
        all
    }

    fn sentence(
        &mut self,
        rules: &NormalRules,
        sentence: &NormalSentence,
        variables: &mut FxHashMap<u32, usize>,
    ) {
        // What `true`, `next` and `init` say is one thing: the fact itself.
        if [keyword::TRUE, keyword::NEXT, keyword::INIT, keyword::BASE].contains(&sentence.name) {
            for argument in &sentence.arguments {
                self.inside(rules, argument, variables);
            }
            return;
        }
        // And what is legal is what is done.
        let does_too = [keyword::LEGAL, keyword::INPUT].contains(&sentence.name);
        let name = if does_too { keyword::DOES } else { sentence.name };
        self.arguments(rules, rules.symbols.name(name), &sentence.arguments, variables);
    }

    /// The arguments of a function, if it is one.
    fn inside(&mut self, rules: &NormalRules, term: &NormalTerm, variables: &mut FxHashMap<u32, usize>) {
        if let NormalTerm::Function(name, arguments) = term {
            self.arguments(rules, rules.symbols.name(*name), arguments, variables);
        }
    }

    fn arguments(
        &mut self,
        rules: &NormalRules,
        name: &str,
        arguments: &[NormalTerm],
        variables: &mut FxHashMap<u32, usize>,
    ) {
        for (index, argument) in arguments.iter().enumerate() {
            let position = Position { name: name.to_owned(), arity: arguments.len(), index };
            let class = self.class(position);
            match argument {
                NormalTerm::Variable(variable) => match variables.get(variable) {
                    Some(&other) => self.join(class, other),
                    None => {
                        variables.insert(*variable, class);
                    }
                },
                NormalTerm::Constant(symbol) => {
                    let root = self.root(class);
                    self.constants[root].insert(rules.symbols.name(*symbol).to_owned());
                }
                NormalTerm::Function(..) => self.inside(rules, argument, variables),
            }
        }
    }

    fn class(&mut self, position: Position) -> usize {
        let (parents, constants) = (&mut self.parents, &mut self.constants);
        *self.classes.entry(position).or_insert_with(|| {
            parents.push(parents.len());
            constants.push(FxHashSet::default());
            parents.len() - 1
        })
    }

    fn root(&self, mut class: usize) -> usize {
        while self.parents[class] != class {
            class = self.parents[class];
        }
        class
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        if one != other {
            let (kept, joined) = if self.constants[one].len() >= self.constants[other].len() {
                (one, other)
            } else {
                (other, one)
            };
            let moved = std::mem::take(&mut self.constants[joined]);
            self.constants[kept].extend(moved);
            self.parents[joined] = kept;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_variables_share_constants() {
        let rules = gdl::normal::read(
            "(role x) (role o) (file a) (file b) (rank 1)
             (init (cell a 1 empty)) (init (control x))
             (<= (next (cell ?f ?r ?p)) (does ?p (mark ?f ?r)) (file ?f) (rank ?r))
             (<= (legal ?p (mark ?f ?r)) (true (cell ?f ?r empty)) (true (control ?p)))
             (<= terminal (full b))",
        );
        let domains = Domains::new(&rules);
        let of = |name: &str, arity, index| domains.of(&Position { name: name.to_owned(), arity, index });
        assert_eq!(of("cell", 3, 0), ["a", "b"]);
        assert_eq!(of("cell", 3, 1), ["1"]);
        // Who makes a mark stands in the cell.
        assert_eq!(of("cell", 3, 2), ["empty", "o", "x"]);
        assert_eq!(of("control", 1, 0), ["empty", "o", "x"]);
        assert_eq!(of("mark", 2, 0), ["a", "b"]);
        assert_eq!(of("full", 1, 0), ["b"], "a name of its own");
        assert!(of("cell", 2, 0).is_empty());
    }
}
