//! Random stratified programs, evaluated by the engine and by the plainest method there is:
//! trying all values for all variables until nothing changes.

use std::collections::BTreeSet;

use datalog::{
    Atom, Database, Engine, Limits, Literal, Measures, Pattern, Program, RelationId, RelationInfo, Rule,
    TermId, TermStore, restrict,
};
use proptest::prelude::*;

const CONSTANTS: usize = 3;
const VARIABLES: u32 = 3;
/// Relations 0 and 1 are input, the rest is derived; the last one is read.
const ARITIES: [usize; 8] = [1, 2, 1, 2, 2, 1, 2, 2];
const INPUTS: usize = 2;

type Model = Vec<BTreeSet<Vec<TermId>>>;

#[derive(Clone, Debug)]
struct Case {
    program: Program,
    facts: Vec<(usize, Vec<usize>)>,
}

fn argument() -> impl Strategy<Value = Pattern> {
    prop_oneof![
        4 => (0..VARIABLES).prop_map(Pattern::Variable),
        1 => (0..CONSTANTS).prop_map(|constant| Pattern::Term(TermId(constant as u32))),
    ]
}

fn atom(relations: std::ops::Range<usize>) -> impl Strategy<Value = Atom> {
    relations.prop_flat_map(|relation| {
        prop::collection::vec(argument(), ARITIES[relation])
            .prop_map(move |arguments| Atom { relation: RelationId(relation as u32), arguments })
    })
}

/// A rule whose head is `relation`: positive literals may be recursive, negative ones are of
/// earlier relations.
fn rule(relation: usize) -> impl Strategy<Value = Rule> {
    let head = atom(relation..relation + 1);
    let positive = prop::collection::vec(atom(0..relation + 1), 1..4);
    let negative = prop::collection::vec(atom(0..relation), 0..2);
    let distinct = prop::option::of((argument(), argument()));
    (head, positive, negative, distinct).prop_map(|(head, positive, negative, distinct)| {
        let mut bound = BTreeSet::new();
        positive.iter().for_each(|atom| {
            atom.variables(&mut |variable| {
                bound.insert(variable);
            })
        });
        let bind = |pattern: Pattern| match pattern {
            Pattern::Variable(variable) if !bound.contains(&variable) => Pattern::Term(TermId(variable % 3)),
            pattern => pattern,
        };
        let bind_atom = |atom: Atom| Atom {
            relation: atom.relation,
            arguments: atom.arguments.into_iter().map(bind).collect(),
        };
        let mut body: Vec<Literal> = positive.iter().cloned().map(Literal::Holds).collect();
        body.extend(negative.into_iter().map(|atom| Literal::Fails(bind_atom(atom))));
        body.extend(distinct.map(|(left, right)| Literal::Distinct(bind(left), bind(right))));
        Rule { head: bind_atom(head), body, variables: VARIABLES as usize }
    })
}

fn case() -> impl Strategy<Value = Case> {
    let rules: Vec<_> =
        (INPUTS..ARITIES.len()).map(|relation| prop::collection::vec(rule(relation), 1..4)).collect();
    let facts = (0..INPUTS)
        .prop_flat_map(|relation| (Just(relation), prop::collection::vec(0..CONSTANTS, ARITIES[relation])));
    (rules, prop::collection::vec(facts, 0..8)).prop_map(|(rules, facts)| {
        let relations = ARITIES.iter().enumerate().map(|(index, &arity)| RelationInfo {
            name: format!("r{index}"),
            arity,
            is_input: index < INPUTS,
        });
        let rules = rules.into_iter().flatten().collect();
        Case { program: Program { relations: relations.collect(), rules }, facts }
    })
}

fn value(pattern: &Pattern, bindings: &[TermId]) -> TermId {
    match pattern {
        Pattern::Variable(variable) => bindings[*variable as usize],
        Pattern::Term(term) => *term,
        Pattern::Compound(..) => unreachable!("these programs have no functions"),
    }
}

fn tuple(atom: &Atom, bindings: &[TermId]) -> Vec<TermId> {
    atom.arguments.iter().map(|argument| value(argument, bindings)).collect()
}

/// The model by brute force, relation by relation.
fn plain_model(case: &Case) -> Model {
    let mut model: Model = vec![BTreeSet::new(); ARITIES.len()];
    for (relation, constants) in &case.facts {
        model[*relation].insert(constants.iter().map(|&constant| TermId(constant as u32)).collect());
    }
    for relation in INPUTS..ARITIES.len() {
        loop {
            let before = model[relation].len();
            for rule in case.program.rules.iter().filter(|rule| rule.head.relation.0 as usize == relation) {
                for code in 0..CONSTANTS.pow(VARIABLES) {
                    let bindings: Vec<TermId> = (0..VARIABLES)
                        .map(|variable| TermId((code / CONSTANTS.pow(variable) % CONSTANTS) as u32))
                        .collect();
                    let holds = |literal: &Literal| match literal {
                        Literal::Holds(atom) => {
                            model[atom.relation.0 as usize].contains(&tuple(atom, &bindings))
                        }
                        Literal::Fails(atom) => {
                            !model[atom.relation.0 as usize].contains(&tuple(atom, &bindings))
                        }
                        Literal::Distinct(left, right) => value(left, &bindings) != value(right, &bindings),
                    };
                    if rule.body.iter().all(holds) {
                        model[relation].insert(tuple(&rule.head, &bindings));
                    }
                }
            }
            if model[relation].len() == before {
                break;
            }
        }
    }
    model
}

fn evaluate(engine: &Engine, database: &mut Database, case: &Case) {
    for relation in 0..INPUTS {
        database.clear(RelationId(relation as u32));
    }
    for (relation, constants) in &case.facts {
        let tuple: Vec<TermId> = constants.iter().map(|&constant| TermId(constant as u32)).collect();
        database.insert(RelationId(*relation as u32), &tuple);
    }
    let all: Vec<RelationId> = (0..engine.program().relations.len() as u32).map(RelationId).collect();
    for component in engine.dependencies().needed_for(&all) {
        if !engine.dependencies().get(component).inputs.is_empty() {
            engine.evaluate(database, component).expect("stratified programs have a model");
        }
    }
}

fn tuples(database: &Database, relation: usize) -> BTreeSet<Vec<TermId>> {
    database.relation(RelationId(relation as u32)).tuples().map(<[TermId]>::to_vec).collect()
}

fn engine(program: Program) -> (Engine, Database) {
    let mut terms = TermStore::new();
    (0..CONSTANTS as u32).for_each(|constant| {
        terms.intern(constant, &[]);
    });
    Engine::new(program, terms, Limits::default()).expect("no limits are reached")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn the_engine_finds_the_model(case in case()) {
        let model = plain_model(&case);
        let (mut engine, mut database) = engine(case.program.clone());
        // Twice with guessed plans (starting over must forget the first), then with measured ones.
        for round in 0..3 {
            if round == 2 {
                let mut measures = Measures::new();
                measures.observe(engine.program(), &database, |_| true);
                engine.plan(&mut database, &measures);
            }
            evaluate(&engine, &mut database, &case);
            for (relation, expected) in model.iter().enumerate() {
                prop_assert_eq!(&tuples(&database, relation), expected, "relation r{}", relation);
            }
        }
    }

    #[test]
    fn demand_changes_nothing_that_is_read(case in case(), mask in 0u32..64) {
        let model = plain_model(&case);
        let last = ARITIES.len() - 1;
        let chosen: Vec<RelationId> = (INPUTS..last)
            .filter(|relation| mask & (1 << (relation - INPUTS)) != 0)
            .map(|relation| RelationId(relation as u32))
            .collect();
        let restricted = restrict(&case.program, &chosen);
        let (engine, mut database) = engine(restricted.program);
        evaluate(&engine, &mut database, &case);
        prop_assert_eq!(&tuples(&database, last), &model[last]);
        for (relation, expected) in model.iter().enumerate() {
            let found = tuples(&database, relation);
            prop_assert!(found.is_subset(expected), "r{} holds too much", relation);
            if !chosen.contains(&RelationId(relation as u32)) {
                prop_assert_eq!(&found, expected, "r{} is not restricted", relation);
            }
        }
    }
}
