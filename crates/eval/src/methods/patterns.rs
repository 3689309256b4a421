//! Features by the patterns in which rules are usually written (Michulke 2011, "Heuristic interpretation of predicate
//! logic expressions in general game playing"): how many solutions an expression has, where something stands in an
//! ordered domain, how far two things are from each other or one from a fixed fact, and what once true stays true.

use super::MethodRow;
use super::flux::{MOST_PARTS, formulas};
use crate::acceptance::accept;
use crate::learn::LearnError;
use crate::lesson::{Lesson, Taught, percent};
use crate::orders::Orders;
use crate::readings::{Reading, Readings};
use crate::vocabulary::{ConstantId, Constants, Kind, ShapeId, Vocabulary};
use crate::weighted::weigh;
use circuit::Effort;
use gdl::keyword;
use gdl::normal::{NormalLiteral, NormalRules, NormalTerm};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

pub(super) const ROW: MethodRow = MethodRow {
    name: "patterns",
    source: "Michulke 2011",
    help: "numbers of solutions, places in ordered domains, distances and what persists, weights learnt",
    derived: false,
    learn,
};

/// A slot of more constants than this says where, not what.
const MOST_KINDS: usize = 12;

/// Features of distances between two things, and pairs of facts that each of them looks at, at most.
const MOST_DISTANCES: usize = 24;
const MOST_PAIRS: usize = 20_000;

fn learn(lesson: &Lesson<'_>) -> Result<Taught, LearnError> {
    let rules = lesson.rules()?;
    let (known, apart) = lesson.positions()?;
    let mut patterns = Readings::new(known.facts.clone());
    let mut finder = Finder::new(&patterns.facts, Orders::new(rules));
    finder.cardinalities(&mut patterns);
    finder.ordered(&mut patterns);
    finder.distances(rules, &mut patterns);
    persistence(lesson, &mut patterns);
    let kinds = patterns.names.len();
    let accepted = accept(Arc::new(weigh(lesson, Box::new(patterns), &known)?), &known, &apart)?;
    let told = format!(
        "{kinds} patterns, weighted by {} positions, explain {} of the scores of others",
        known.len(),
        percent(&accepted.explained)
    );
    let mut taught = Taught::knowledge(accepted, told, &known);
    taught.report.candidates = kinds;
    Ok(taught)
}

/// Looks for patterns in facts.
struct Finder {
    words: Vocabulary,
    orders: Orders,
    read: Vec<Option<(ShapeId, Constants)>>,
    /// What was met in the slots of shapes.
    met: FxHashMap<(ShapeId, usize), FxHashSet<ConstantId>>,
}

impl Finder {
    fn new(facts: &[String], orders: Orders) -> Self {
        let mut words = Vocabulary::default();
        let read: Vec<_> = facts.iter().map(|fact| words.read(Kind::Fact, fact)).collect();
        let mut met: FxHashMap<(ShapeId, usize), FxHashSet<ConstantId>> = FxHashMap::default();
        for (shape, constants) in read.iter().flatten() {
            for (slot, &constant) in constants.iter().enumerate() {
                met.entry((*shape, slot)).or_default().insert(constant);
            }
        }
        Self { words, orders, read, met }
    }

    /// The order of a slot, if all that stands there has one place in it.
    fn order(&self, shape: ShapeId, slot: usize) -> Option<usize> {
        let met = self.met.get(&(shape, slot)).filter(|met| met.len() > 1)?;
        self.orders.covering(met.iter().map(|&constant| self.words.name(constant)))
    }

    /// The slots of a shape that say what something is, and what they say.
    fn contents(&self, shape: ShapeId) -> Vec<(usize, ConstantId)> {
        let slots = 0..self.words.shape(shape).positions.len();
        let mut found = Vec::new();
        for slot in slots.filter(|&slot| self.order(shape, slot).is_none()) {
            let met = self.met.get(&(shape, slot)).filter(|met| met.len() <= MOST_KINDS);
            let mut constants: Vec<ConstantId> = met.into_iter().flatten().copied().collect();
            constants.sort_unstable();
            found.extend(constants.into_iter().map(|constant| (slot, constant)));
        }
        found
    }

    /// The facts of a shape, or those with something in a slot.
    fn facts(&self, shape: ShapeId, content: Option<(usize, ConstantId)>) -> Vec<(u32, &Constants)> {
        let own = (0..).zip(&self.read).filter_map(|(fact, read)| Some((fact, read.as_ref()?)));
        let own = own.filter(|(_, (own, _))| *own == shape).map(|(fact, (_, constants))| (fact, constants));
        own.filter(|(_, constants)| content.is_none_or(|(slot, constant)| constants[slot] == constant))
            .collect()
    }

    fn write(&self, shape: ShapeId, content: Option<(usize, ConstantId)>) -> String {
        let slots = self.words.shape(shape).positions.len();
        let slot = |slot: usize| content.filter(|content| content.0 == slot).map(|content| content.1);
        self.words.write(shape, &(0..slots).map(slot).collect::<Vec<_>>())
    }

    /// Each shape, with each of its contents or without any.
    fn groups(&self) -> Vec<(ShapeId, Option<(usize, ConstantId)>)> {
        let mut groups = Vec::new();
        for (shape, _) in self.words.shapes() {
            groups.push((shape, None));
            groups.extend(self.contents(shape).into_iter().map(|content| (shape, Some(content))));
        }
        groups
    }

    /// How many solutions expressions have.
    fn cardinalities(&self, out: &mut Readings) {
        for (shape, content) in self.groups() {
            let facts = self.facts(shape, content).into_iter().map(|(fact, _)| (fact, 1.0)).collect();
            out.push(format!("number of {}", self.write(shape, content)), Reading::Sum(facts));
        }
    }

    /// Where things stand in ordered domains, all of them together.
    fn ordered(&self, out: &mut Readings) {
        for (shape, content) in self.groups() {
            for slot in 0..self.words.shape(shape).positions.len() {
                let Some(order) = self.order(shape, slot) else { continue };
                let place = |(fact, constants): (u32, &Constants)| {
                    let place = self.orders.place(order, self.words.name(constants[slot]))?;
                    Some((fact, place as f32))
                };
                let facts = self.facts(shape, content).into_iter().filter_map(place).collect();
                let name = format!("places of {} in argument {}", self.write(shape, content), slot + 1);
                out.push(name, Reading::Sum(facts));
            }
        }
    }

    /// How far things are from facts that rules name, and from each other where rules ask for the same place.
    fn distances(&mut self, rules: &NormalRules, out: &mut Readings) {
        let mut seen: FxHashSet<String> = FxHashSet::default();
        for rule in &rules.rules {
            let terms: Vec<&NormalTerm> = rule
                .body
                .iter()
                .filter_map(|literal| match literal {
                    NormalLiteral::Holds(sentence) if sentence.name == keyword::TRUE => {
                        sentence.arguments.first()
                    }
                    _ => None,
                })
                .collect();
            let found: Vec<Wanted> = terms.iter().filter_map(|term| self.wanted(rules, term)).collect();
            for (place, one) in found.iter().enumerate() {
                if seen.len() >= MOST_DISTANCES {
                    return;
                }
                self.to_fixed(one, &mut seen, out);
                for other in &found[place + 1..] {
                    self.to_other(one, other, &mut seen, out);
                }
            }
        }
    }

    /// A term of a rule, slot by slot.
    fn wanted(&mut self, rules: &NormalRules, term: &NormalTerm) -> Option<Wanted> {
        let NormalTerm::Function(name, arguments) = term else { return None };
        let mut text = format!("({}", rules.symbols.name(*name));
        let mut slots = Vec::new();
        for argument in arguments {
            match argument {
                NormalTerm::Variable(variable) => slots.push(Slot::Variable(*variable)),
                NormalTerm::Constant(constant) => {
                    slots.push(Slot::Constant(rules.symbols.name(*constant).to_owned()));
                }
                NormalTerm::Function(..) => return None,
            }
            text.push_str(" x");
        }
        text.push(')');
        let (shape, _) = self.words.look_up(Kind::Fact, &text)?;
        Some(Wanted { shape, slots })
    }

    /// Facts of a shape that differ from what a rule wants in ordered slots only, and how far they are from it.
    fn to_fixed(&self, wanted: &Wanted, seen: &mut FxHashSet<String>, out: &mut Readings) {
        let mut fixed = Vec::new();
        for (slot, own) in wanted.slots.iter().enumerate() {
            if let (Slot::Constant(constant), Some(order)) = (own, self.order(wanted.shape, slot)) {
                let Some(place) = self.orders.place(order, constant) else { return };
                fixed.push((slot, order, place));
            }
        }
        if fixed.is_empty() {
            return;
        }
        let mut facts = Vec::new();
        for (fact, constants) in self.facts(wanted.shape, None) {
            let fits = wanted.slots.iter().enumerate().all(|(slot, own)| match own {
                Slot::Constant(constant) => {
                    fixed.iter().any(|fixed| fixed.0 == slot) || self.words.name(constants[slot]) == constant
                }
                Slot::Variable(_) => true,
            });
            let distance = fixed.iter().map(|&(slot, order, place)| {
                let own = self.orders.place(order, self.words.name(constants[slot])).unwrap_or(place);
                own.abs_diff(place)
            });
            if fits {
                facts.push((fact, distance.sum::<usize>() as f32));
            }
        }
        facts.sort_by(|one, other| one.1.total_cmp(&other.1).then(one.0.cmp(&other.0)));
        let most = facts.last().map_or(0.0, |last| last.1 + 1.0);
        let name = format!("distance to {}", self.write_wanted(wanted));
        if seen.insert(name.clone()) {
            out.push(name, Reading::Nearest(facts, most));
        }
    }

    /// How far what two terms want is from the same place, in the ordered slots whose variables they share.
    fn to_other(&self, one: &Wanted, other: &Wanted, seen: &mut FxHashSet<String>, out: &mut Readings) {
        let mut shared = Vec::new();
        for (slot, own) in one.slots.iter().enumerate() {
            let Slot::Variable(variable) = own else { continue };
            let same = |slot: &Slot| matches!(slot, Slot::Variable(other) if other == variable);
            let Some(theirs) = other.slots.iter().position(same) else { continue };
            let order = self.order(one.shape, slot);
            if let Some(order) = order.filter(|&order| self.order(other.shape, theirs) == Some(order)) {
                shared.push((slot, theirs, order));
            }
        }
        let fitting = |wanted: &Wanted| -> Vec<(u32, &Constants)> {
            let fits = |constants: &Constants| {
                wanted.slots.iter().zip(constants).all(|(slot, &constant)| match slot {
                    Slot::Constant(name) => self.words.name(constant) == name,
                    Slot::Variable(_) => true,
                })
            };
            self.facts(wanted.shape, None).into_iter().filter(|(_, constants)| fits(constants)).collect()
        };
        if shared.is_empty() || one == other {
            return;
        }
        let (ours, theirs) = (fitting(one), fitting(other));
        if ours.len() * theirs.len() > MOST_PAIRS {
            return;
        }
        let mut pairs = Vec::new();
        for (fact, constants) in &ours {
            for (other, others) in &theirs {
                let apart = shared.iter().map(|&(slot, theirs, order)| {
                    let place = |constant| self.orders.place(order, self.words.name(constant)).unwrap_or(0);
                    place(constants[slot]).abs_diff(place(others[theirs]))
                });
                if fact != other {
                    pairs.push((*fact, *other, apart.sum::<usize>() as f32));
                }
            }
        }
        pairs.sort_by(|one, other| one.2.total_cmp(&other.2).then((one.0, one.1).cmp(&(other.0, other.1))));
        let most = pairs.last().map_or(0.0, |last| last.2 + 1.0);
        let name = format!("distance of {} from {}", self.write_wanted(one), self.write_wanted(other));
        if seen.insert(name.clone()) {
            out.push(name, Reading::Pair(pairs, most));
        }
    }

    fn write_wanted(&self, wanted: &Wanted) -> String {
        let slot = |slot: &Slot| match slot {
            Slot::Constant(name) => self.words.find(name),
            Slot::Variable(_) => None,
        };
        self.words.write(wanted.shape, &wanted.slots.iter().map(slot).collect::<Vec<_>>())
    }
}

/// What a rule wants to hold.
#[derive(Clone, Debug, PartialEq)]
struct Wanted {
    shape: ShapeId,
    slots: Vec<Slot>,
}

#[derive(Clone, Debug, PartialEq)]
enum Slot {
    Variable(u32),
    Constant(String),
}

/// How many facts of each role's best goal hold for good. What takes too long to prove is left out.
fn persistence(lesson: &Lesson<'_>, out: &mut Readings) {
    let Ok(rules) = lesson.rules() else { return };
    let Ok(formulas) = formulas(lesson, MOST_PARTS) else { return };
    let built = lesson.ground(|budget| machine::build::circuit(rules, Effort::Quick, budget));
    let Ok(built) = built else { return };
    let latches = built.circuit.latches();
    let lasting: FxHashSet<&str> =
        latches.stays_true.iter().map(|&fact| built.circuit.bases[fact as usize].as_str()).collect();
    let places: FxHashMap<String, u32> = out.facts.iter().cloned().zip(0..).collect();
    for role in 0..formulas.goals.len() {
        let Some((value, part)) = formulas.best(role) else { continue };
        let facts = formulas.facts_of(part);
        let lasting = facts
            .iter()
            .map(|&fact| formulas.facts[fact as usize].as_str())
            .filter(|fact| lasting.contains(fact));
        let lasting = lasting.filter_map(|fact| Some((*places.get(fact)?, 1.0))).collect();
        out.push(format!("lasting facts of goal {value} of role {}", role + 1), Reading::Sum(lasting));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::knowledge::{Group, TOGETHER};
    use crate::weighted::Source;

    #[test]
    fn patterns_of_a_chase_by_hand() {
        let rules = gdl::normal::read(
            "(role cop) (role thief) (succ 1 2) (succ 2 3) (succ 3 4)
             (<= caught (true (at cop ?x)) (true (at thief ?x)))
             (<= late (true (step 4)))
             (<= terminal caught) (<= terminal late)",
        );
        let facts = ["(at cop 1)", "(at cop 4)", "(at thief 2)", "(at thief 4)", "(step 1)", "(step 3)"];
        let facts: Vec<String> = facts.iter().map(|fact| (*fact).to_owned()).collect();
        let mut patterns = Readings::new(facts.clone());
        let mut finder = Finder::new(&facts, Orders::new(&rules));
        finder.cardinalities(&mut patterns);
        finder.ordered(&mut patterns);
        finder.distances(&rules, &mut patterns);
        // State 0: cop 1, thief 4, step 1. State 1: cop 4, thief 2, step 3. State 2: nothing.
        let lanes = |bits: u64| std::array::from_fn(|word| if word == 0 { bits } else { 0 });
        let bits: Vec<[u64; 8]> = [0b001, 0b010, 0b010, 0b001, 0b001, 0b010].map(lanes).to_vec();
        let mut out = vec![0.0; patterns.names.len() * TOGETHER];
        patterns.read(&Group { facts: &bits, moves: &[], states: 3 }, &mut out);
        let of = |name: &str| -> Vec<f32> {
            let place = patterns.names.iter().position(|own| own == name);
            let place = place.unwrap_or_else(|| panic!("{name} of {:?}", patterns.names));
            out[place * TOGETHER..][..3].to_vec()
        };
        assert_eq!(of("number of at(cop,?)"), [1.0, 1.0, 0.0]);
        assert_eq!(of("places of at(thief,?) in argument 2"), [3.0, 1.0, 0.0]);
        assert_eq!(of("distance of at(cop,?) from at(thief,?)"), [3.0, 2.0, 4.0]);
        assert_eq!(of("distance to step(4)"), [3.0, 1.0, 4.0]);
    }
}
