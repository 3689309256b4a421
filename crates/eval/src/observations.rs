//! The values of all candidates in all positions.

use game::{Describe, FactId, Simulator};
use gdl::normal::NormalRules;
use std::sync::Arc;

use crate::columns::{AtomId, Columns, Counter};
use crate::derived::{Derived, GROUP, Lanes};
use crate::features::{Candidates, Expression, Feature, FeatureLimits, Slots};
use crate::function::Counted;
use crate::positions::Positions;
use crate::vocabulary::{Constants, Kind, ShapeId, Vocabulary};

/// What there is to learn from.
#[derive(Clone, Debug)]
pub struct Observations {
    /// All words.
    pub vocabulary: Arc<Vocabulary>,
    /// All candidates.
    pub candidates: Candidates,
    /// What was true where.
    pub columns: Columns,
    /// The atoms that each expression fits, of those that were met.
    pub atoms: Vec<Vec<AtomId>>,
}

/// From here on keys are those of derived atoms.
const DERIVED: u64 = 1 << 32;

/// Expressions of more slots than this are looked for by going through all of them.
const MOST_SLOTS: usize = 16;

impl Observations {
    /// Looks at positions.
    pub fn new<G: Simulator + Describe>(
        game: &G,
        rules: &NormalRules,
        positions: &Positions<G::State>,
        derived: Option<&Derived>,
        limits: FeatureLimits,
    ) -> Self {
        let columns = look(game, &positions.states, derived);
        let mut vocabulary = Vocabulary::default();
        let read: Vec<Option<(ShapeId, Constants)>> = columns
            .keys()
            .iter()
            .map(|&key| match (key.checked_sub(DERIVED), derived) {
                (Some(place), Some(derived)) => {
                    let text = derived.atoms().nth(place as usize)?;
                    vocabulary.read(Kind::Derived, text)
                }
                _ => vocabulary.read(Kind::Fact, &game.fact_text(FactId(key as u32))),
            })
            .collect();
        let met = read.iter().flatten().flat_map(|(shape, constants)| {
            constants.iter().enumerate().map(|(slot, &constant)| (*shape, slot, constant))
        });
        let candidates = Candidates::new(rules, &mut vocabulary, &met.collect(), limits);
        let mut atoms = vec![Vec::new(); candidates.expressions.len()];
        let places = candidates.places();
        for (atom, read) in (0..).map(AtomId).zip(&read) {
            let Some((shape, constants)) = read else { continue };
            if constants.len() > MOST_SLOTS {
                let constants: Vec<_> = constants.iter().map(|&constant| Some(constant)).collect();
                for (expression, atoms) in candidates.expressions.iter().zip(&mut atoms) {
                    if expression.shape == *shape && expression.fits(&constants) {
                        atoms.push(atom);
                    }
                }
                continue;
            }
            for mask in 0..1u32 << constants.len() {
                let slot = |(place, &constant): (usize, &_)| (mask >> place & 1 != 0).then_some(constant);
                let slots: Slots = constants.iter().enumerate().map(slot).collect();
                if let Some(&place) = places.get(&Expression { shape: *shape, slots }) {
                    atoms[place as usize].push(atom);
                }
            }
        }
        drop(places);
        Self { vocabulary: Arc::new(vocabulary), candidates, columns, atoms }
    }

    /// The values of all expressions, one after the other.
    pub fn values(&self) -> Vec<Vec<f64>> {
        let mut counter = Counter::default();
        let value = |atoms: &Vec<AtomId>| {
            let mut values = Vec::new();
            self.columns.count(atoms, &mut counter, &mut values);
            values
        };
        self.atoms.iter().map(value).collect()
    }

    /// What a feature counts.
    pub fn counted(&self, feature: Feature) -> Counted {
        let expression = |place: u32| self.candidates.expressions[place as usize].clone();
        match feature {
            Feature::Count(one) => Counted { expression: expression(one), less: None },
            Feature::Difference(one, other) => {
                Counted { expression: expression(one), less: Some(expression(other)) }
            }
        }
    }
}

/// What is true in some states.
pub(crate) fn look<G: Simulator>(game: &G, states: &[G::State], derived: Option<&Derived>) -> Columns {
    let mut columns = Columns::new(states.len());
    let mut facts = Vec::new();
    for (number, state) in states.iter().enumerate() {
        game.list_facts(state, &mut facts);
        for fact in &facts {
            let atom = columns.atom(u64::from(fact.0));
            columns.set(atom, number);
        }
    }
    let Some(derived) = derived else { return columns };
    let program = derived.only(&(0..derived.atoms().len()).collect::<Vec<_>>());
    // The column of each fact that the program looks at, if the fact was ever true.
    let mut inputs: Vec<Option<AtomId>> = vec![None; program.facts().len()];
    let names: rustc_hash::FxHashMap<&str, usize> =
        program.facts().iter().enumerate().map(|(place, text)| (text.as_str(), place)).collect();
    for (atom, &key) in (0..).map(AtomId).zip(columns.keys()) {
        if let Some(&place) = names.get(game.fact_text(FactId(key as u32)).as_str()) {
            inputs[place] = Some(atom);
        }
    }
    let (mut values, mut out): (Vec<Lanes>, Vec<Lanes>) = (Vec::new(), Vec::new());
    for first in (0..columns.words()).step_by(GROUP) {
        let words = (columns.words() - first).min(GROUP);
        values.clear();
        for input in &inputs {
            let mut lanes = [0; GROUP];
            if let Some(atom) = input {
                lanes[..words].copy_from_slice(&columns.column(*atom)[first..first + words]);
            }
            values.push(lanes);
        }
        program.run(&mut values, &mut out);
        for (place, lanes) in (0..).zip(&out) {
            // Lanes behind the last state hold no state.
            let mut lanes = *lanes;
            for (word, lanes) in lanes.iter_mut().enumerate() {
                let left = columns.states().saturating_sub(64 * (first + word));
                *lanes &= if left >= 64 { u64::MAX } else { (1 << left) - 1 };
            }
            if lanes.iter().any(|&word| word != 0) {
                let atom = columns.atom(DERIVED + place);
                columns.column_mut(atom)[first..first + words].copy_from_slice(&lanes[..words]);
            }
        }
    }
    columns
}
