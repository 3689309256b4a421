//! Candidate features: expressions of the rules, generalised, specialised and subtracted from each other
//! (Walędzik and Mańdziuk 2014, section IV-A).

use gdl::keyword;
use gdl::normal::{NormalLiteral, NormalRules, NormalTerm};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::domains::Domains;
use crate::vocabulary::{ConstantId, Kind, ShapeId, Skeleton, Vocabulary};

/// What stands in the slots of an expression: a constant, or anything.
pub type Slots = SmallVec<[Option<ConstantId>; 4]>;

/// An expression with wildcards. Its value in a state is the number of atoms that it fits and that are true.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Expression {
    /// Which atoms it is about.
    pub shape: ShapeId,
    /// What their slots have to hold.
    pub slots: Slots,
}

impl Expression {
    /// Whether it fits an atom of its shape.
    pub fn fits(&self, constants: &[Option<ConstantId>]) -> bool {
        self.slots.iter().zip(constants).all(|(slot, constant)| slot.is_none() || slot == constant)
    }
}

/// A feature, by the places of its expressions among the candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Feature {
    /// The value of an expression.
    Count(u32),
    /// The value of one expression less that of another, which differs from it in one constant.
    Difference(u32, u32),
}

/// How many candidates there may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeatureLimits {
    /// Domains of more constants take no part in specialisation.
    pub domain: usize,
    /// Shapes with more features than this are specialised in fewer arguments at a time.
    pub of_one_shape: usize,
}

impl Default for FeatureLimits {
    fn default() -> Self {
        Self { domain: 30, of_one_shape: 60_000 }
    }
}

/// All candidates.
#[derive(Clone, Debug, Default)]
pub struct Candidates {
    /// The expressions, simple features all.
    pub expressions: Vec<Expression>,
    /// Pairs of expressions that differ in one constant.
    pub differences: Vec<(u32, u32)>,
}

impl Candidates {
    /// How many features there are.
    pub fn len(&self) -> usize {
        self.expressions.len() + self.differences.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.expressions.is_empty()
    }

    /// All features, simple ones first.
    pub fn iter(&self) -> impl Iterator<Item = Feature> + '_ {
        let simple = (0..self.expressions.len() as u32).map(Feature::Count);
        simple.chain(self.differences.iter().map(|&(one, other)| Feature::Difference(one, other)))
    }

    /// The expressions by their places.
    pub fn places(&self) -> FxHashMap<&Expression, u32> {
        self.expressions.iter().zip(0..).collect()
    }

    /// Finds the candidates of a game's rules, as far as they are about shapes that are known. `met` says what was
    /// met in the slots of shapes: rules that share a variable between files and ranks give them one domain, and
    /// what is never met there would only be counted.
    pub fn new(
        rules: &NormalRules,
        vocabulary: &mut Vocabulary,
        met: &FxHashSet<(ShapeId, usize, ConstantId)>,
        limits: FeatureLimits,
    ) -> Self {
        let domains = Domains::new(rules);
        let mut candidates = Self::default();
        let mut initial = initial(rules, vocabulary);
        initial.sort();
        let shapes: Vec<ShapeId> = vocabulary.shapes().map(|(id, _)| id).collect();
        for shape in shapes {
            let own = initial.iter().filter(|expression| expression.shape == shape);
            let own: Vec<&Slots> = own.map(|expression| &expression.slots).collect();
            if own.is_empty() {
                continue;
            }
            let positions = vocabulary.shape(shape).positions.clone();
            let small: Vec<Vec<ConstantId>> = positions
                .iter()
                .enumerate()
                .map(|(slot, position)| {
                    let domain = domains.of(position);
                    let domain = domain.into_iter().map(|name| vocabulary.constant(name));
                    let mut taken: Vec<ConstantId> =
                        domain.filter(|&constant| met.contains(&(shape, slot, constant))).collect();
                    if taken.len() > limits.domain {
                        taken.clear();
                    }
                    taken
                })
                .collect();
            candidates.add_shape(shape, &own, &small, limits.of_one_shape);
        }
        candidates
    }

    /// Adds all expressions of a shape and their differences, with as many constants in one expression as the limit
    /// lets them have.
    fn add_shape(&mut self, shape: ShapeId, own: &[&Slots], small: &[Vec<ConstantId>], limit: usize) {
        let first = self.expressions.len();
        for most in (0..=small.len()).rev() {
            if most > 0 && estimate(small, most) > limit as f64 {
                continue;
            }
            let expressions = specialise(&generalise(own), small, most);
            let differences = differences(&expressions);
            if most > 0 && expressions.len() + differences.len() > limit {
                continue;
            }
            self.expressions.extend(expressions.into_iter().map(|slots| Expression { shape, slots }));
            let place = |index: u32| first as u32 + index;
            self.differences.extend(differences.into_iter().map(|(one, other)| (place(one), place(other))));
            return;
        }
    }
}

/// The expressions in the rules, as far as they are about known shapes.
fn initial(rules: &NormalRules, vocabulary: &mut Vocabulary) -> Vec<Expression> {
    let mut found: FxHashSet<Expression> = FxHashSet::default();
    let shapes: Vec<(ShapeId, Kind, Skeleton)> =
        vocabulary.shapes().map(|(id, shape)| (id, shape.kind, shape.skeleton.clone())).collect();
    for rule in &rules.rules {
        let literals = rule.body.iter().filter_map(|literal| match literal {
            NormalLiteral::Holds(sentence) | NormalLiteral::Fails(sentence) => Some(sentence),
            NormalLiteral::Distinct(..) => None,
        });
        for sentence in std::iter::once(&rule.head).chain(literals) {
            let is_fact = [keyword::TRUE, keyword::NEXT, keyword::INIT].contains(&sentence.name);
            let (wanted, term) = match (is_fact, &sentence.arguments[..]) {
                (true, [fact]) => (Kind::Fact, fact.clone()),
                (true, _) => continue,
                (false, []) => (Kind::Derived, NormalTerm::Constant(sentence.name)),
                (false, arguments) => {
                    (Kind::Derived, NormalTerm::Function(sentence.name, arguments.to_vec()))
                }
            };
            for (shape, kind, skeleton) in &shapes {
                let mut slots = Slots::new();
                if *kind == wanted && project(rules, vocabulary, &term, skeleton, true, &mut slots) {
                    found.insert(Expression { shape: *shape, slots });
                }
            }
        }
    }
    found.into_iter().collect()
}

/// What a term of the rules says of the slots of a shape; whether it can be of that shape at all. A variable says
/// nothing of all the slots that it covers.
fn project(
    rules: &NormalRules,
    vocabulary: &mut Vocabulary,
    term: &NormalTerm,
    skeleton: &Skeleton,
    is_whole: bool,
    out: &mut Slots,
) -> bool {
    match (term, skeleton) {
        (NormalTerm::Variable(_), Skeleton::Slot) => {
            out.push(None);
            true
        }
        (NormalTerm::Variable(_), Skeleton::Named(_, arguments)) => {
            arguments.iter().all(|argument| project(rules, vocabulary, term, argument, false, out))
        }
        (NormalTerm::Constant(symbol), Skeleton::Slot) => {
            out.push(Some(vocabulary.constant(rules.symbols.name(*symbol))));
            true
        }
        (NormalTerm::Constant(symbol), Skeleton::Named(name, arguments)) => {
            is_whole && arguments.is_empty() && rules.symbols.name(*symbol) == name
        }
        (NormalTerm::Function(..), Skeleton::Slot) => false,
        (NormalTerm::Function(symbol, terms), Skeleton::Named(name, arguments)) => {
            rules.symbols.name(*symbol) == name
                && terms.len() == arguments.len()
                && terms
                    .iter()
                    .zip(arguments)
                    .all(|(term, argument)| project(rules, vocabulary, term, argument, false, out))
        }
    }
}

/// All ways to put wildcards in the place of constants.
fn generalise(own: &[&Slots]) -> FxHashSet<Slots> {
    let mut all: FxHashSet<Slots> = FxHashSet::default();
    let mut open: Vec<Slots> = own.iter().map(|slots| (*slots).clone()).collect();
    while let Some(slots) = open.pop() {
        if !all.insert(slots.clone()) {
            continue;
        }
        for place in (0..slots.len()).filter(|&place| slots[place].is_some()) {
            let mut wider = slots.clone();
            wider[place] = None;
            open.push(wider);
        }
    }
    all
}

/// All ways to put constants in the place of wildcards whose domain is small, with at most so many constants in an
/// expression; in order.
fn specialise(general: &FxHashSet<Slots>, small: &[Vec<ConstantId>], most: usize) -> Vec<Slots> {
    let mut all: FxHashSet<Slots> = FxHashSet::default();
    let constants = |slots: &Slots| slots.iter().filter(|slot| slot.is_some()).count();
    // What the rules themselves say is kept however many constants it has.
    let mut open: Vec<Slots> = general.iter().cloned().collect();
    while let Some(slots) = open.pop() {
        if !all.insert(slots.clone()) || constants(&slots) >= most {
            continue;
        }
        for place in (0..slots.len()).filter(|&place| slots[place].is_none()) {
            for &constant in &small[place] {
                let mut narrower = slots.clone();
                narrower[place] = Some(constant);
                if !all.contains(&narrower) {
                    open.push(narrower);
                }
            }
        }
    }
    let mut sorted: Vec<Slots> = all.into_iter().collect();
    sorted.sort();
    sorted
}

/// About how many expressions a shape has with at most so many constants in each.
fn estimate(small: &[Vec<ConstantId>], most: usize) -> f64 {
    // The sum over all sets of at most `most` slots of the product of their domains.
    let mut by_size = vec![0.0; most + 1];
    by_size[0] = 1.0;
    for domain in small {
        for size in (1..=most).rev() {
            by_size[size] += by_size[size - 1] * domain.len() as f64;
        }
    }
    by_size.iter().sum()
}

/// Pairs of expressions that differ in one constant, by their places.
fn differences(expressions: &[Slots]) -> Vec<(u32, u32)> {
    let mut groups: FxHashMap<(usize, Slots), Vec<u32>> = FxHashMap::default();
    for (index, slots) in (0..).zip(expressions) {
        for place in (0..slots.len()).filter(|&place| slots[place].is_some()) {
            let mut rest = slots.clone();
            rest[place] = None;
            groups.entry((place, rest)).or_default().push(index);
        }
    }
    let mut pairs = Vec::new();
    for group in groups.values() {
        for (index, &one) in group.iter().enumerate() {
            pairs.extend(group[index + 1..].iter().map(|&other| (one, other)));
        }
    }
    pairs.sort_unstable();
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: &str = "(role x) (role o) (row 1) (row 2)
        (<= (init (cell ?m ?n b)) (row ?m) (row ?n))
        (init (control x)) (init (step 0))
        (<= (next (cell ?m ?n ?r)) (does ?r (mark ?m ?n)))
        (<= (legal ?r (mark ?m ?n)) (true (cell ?m ?n b)) (true (control ?r)))
        (<= (next (control x)) (true (control o)))
        (<= terminal (true (cell 1 1 x)))";

    fn candidates(limits: FeatureLimits) -> (Vec<String>, Candidates) {
        let rules = gdl::normal::read(RULES);
        let mut words = Vocabulary::default();
        let mut met = FxHashSet::default();
        for text in ["(cell 1 1 b)", "(cell 2 2 x)", "(cell 2 1 o)", "(control x)", "(control o)", "(step 0)"]
        {
            let (shape, constants) = words.read(Kind::Fact, text).expect("a term");
            met.extend(constants.iter().enumerate().map(|(slot, &constant)| (shape, slot, constant)));
        }
        let found = Candidates::new(&rules, &mut words, &met, limits);
        let texts = found.expressions.iter().map(|one| words.write(one.shape, &one.slots)).collect();
        (texts, found)
    }

    #[test]
    fn every_subset_is_generalised_and_every_domain_specialised() {
        let (texts, found) = candidates(FeatureLimits::default());
        // Two rows, two rows, and b, o or x, each or anything: 3 * 3 * 4; o, x or any in control, where b is never met;
        // 0 or any step.
        assert_eq!(texts.iter().filter(|text| text.starts_with("cell")).count(), 36);
        assert_eq!(texts.iter().filter(|text| text.starts_with("control")).count(), 3);
        assert_eq!(texts.iter().filter(|text| text.starts_with("step")).count(), 2);
        for text in ["cell(?,?,b)", "cell(1,?,x)", "cell(?,?,?)", "cell(2,1,o)", "control(o)"] {
            assert!(texts.iter().any(|other| other == text), "{text} is missing in {texts:?}");
        }
        // Pairs: one of rows 3 * 4 each way, three of marks 3 * 3; one of control.
        assert_eq!(found.differences.len(), 12 + 12 + 27 + 1);
        assert_eq!(found.len(), 41 + 52);
    }

    #[test]
    fn large_domains_are_left_alone() {
        let (texts, _) = candidates(FeatureLimits { domain: 2, ..FeatureLimits::default() });
        // Of the marks only those that the rules name: b with any cell, x in the cell 1 1 and wider.
        assert!(
            texts.iter().any(|text| text == "cell(2,2,b)") && !texts.iter().any(|text| text == "cell(?,?,o)")
        );
    }

    #[test]
    fn limits_are_kept() {
        let (texts, found) = candidates(FeatureLimits { of_one_shape: 30, ..FeatureLimits::default() });
        let cells = texts.iter().filter(|text| text.starts_with("cell")).count();
        let differences = found.differences.len();
        assert!(cells + differences <= 30 + 10, "{cells} and {differences}");
        assert!(texts.iter().any(|text| text == "cell(?,?,x)"));
        // What the rules say stays.
        assert!(texts.iter().any(|text| text == "cell(1,1,x)"), "{texts:?}");
    }

    #[test]
    fn wildcards_fit_anything() {
        let mut words = Vocabulary::default();
        let (shape, constants) = words.read(Kind::Fact, "(cell 1 2 b)").expect("a term");
        let atom: Vec<_> = constants.iter().map(|&id| Some(id)).collect();
        let fits = |slots: [Option<ConstantId>; 3]| {
            Expression { shape, slots: slots.into_iter().collect() }.fits(&atom)
        };
        assert!(
            fits([None, None, None]) && fits([atom[0], None, atom[2]]) && fits([atom[0], atom[1], atom[2]])
        );
        assert!(!fits([atom[1], None, None]));
    }
}
