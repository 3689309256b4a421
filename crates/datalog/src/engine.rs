//! Evaluation of components on demand.

use crate::execute::{Executor, Frozen};
use crate::plan::{Plan, Planner};
use crate::{
    ComponentId, Database, Dependencies, Limits, Literal, Measures, Pattern, Program, RelationId, TermId,
    TermStore,
};

/// Why evaluation stopped.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Some atoms hold exactly if they do not.
    #[error("{0} depends on its own negation")]
    Unstratified(String),
    /// The limit on memory was reached.
    #[error("evaluation needs more than {limit_bytes} bytes")]
    OutOfMemory {
        /// The limit.
        limit_bytes: usize,
    },
    /// The limit on work was reached.
    #[error("evaluation needs more work than allowed")]
    TooMuchWork,
    /// The caller asked to stop.
    #[error("evaluation was stopped")]
    Stopped,
}

/// A program with its plans.
#[derive(Clone, Debug)]
pub struct Engine {
    program: Program,
    dependencies: Dependencies,
    components: Vec<Planned>,
    /// The most variables that a rule has.
    variables: usize,
}

/// The plans of one component.
#[derive(Clone, Debug, Default)]
struct Planned {
    facts: Vec<(RelationId, Vec<TermId>)>,
    /// Rules that do not use the component itself.
    entry: Vec<Plan>,
    /// Plans set off by new tuples of the component, by relation.
    triggered: Vec<(RelationId, Vec<Plan>)>,
}

impl Engine {
    /// Prepares a program, evaluates all that does not depend on input relations, and plans the
    /// rest by guesses. Call [`Engine::plan`] with measures for better plans.
    ///
    /// On a fault the component that it was met in is given too.
    pub fn new(
        program: Program,
        terms: TermStore,
        limits: Limits,
    ) -> Result<(Self, Database), (Fault, Vec<RelationId>)> {
        let dependencies = Dependencies::new(&program);
        let arities = program.relations.iter().map(|relation| relation.arity);
        let mut database = Database::new(terms, arities, limits);
        let variables = program.rules.iter().map(|rule| rule.variables).max().unwrap_or(0);
        let mut engine = Self {
            components: vec![Planned::default(); dependencies.components.len()],
            program,
            dependencies,
            variables,
        };
        let fixed = engine.fixed_components();
        let mut measures = Measures::new();
        for &component in &fixed {
            engine.plan_component(component, &measures, &mut database);
            let relations = &engine.dependencies.get(component).relations;
            engine.evaluate(&mut database, component).map_err(|fault| (fault, relations.clone()))?;
            measures.observe(&engine.program, &database, |relation| relations.contains(&relation));
        }
        let relations = fixed.iter().flat_map(|&id| engine.dependencies.get(id).relations.iter().copied());
        database.fix(relations.collect::<Vec<_>>().into_iter());
        engine.plan(&mut database, &measures);
        Ok((engine, database))
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// What depends on what.
    pub fn dependencies(&self) -> &Dependencies {
        &self.dependencies
    }

    /// The components that do not depend on input relations.
    fn fixed_components(&self) -> Vec<ComponentId> {
        let all = self.dependencies.components.iter().enumerate();
        all.filter(|(_, component)| component.inputs.is_empty())
            .map(|(index, _)| ComponentId(index as u32))
            .collect()
    }

    /// Plans everything that is not fixed. Indexes of fixed relations are built at once, so that
    /// copies of the database can share them.
    pub fn plan(&mut self, database: &mut Database, measures: &Measures) {
        database.fixed_mut().iter_mut().for_each(crate::Relation::drop_views);
        database.open.iter_mut().for_each(crate::Relation::drop_views);
        for index in 0..self.components.len() {
            let id = ComponentId(index as u32);
            if !self.dependencies.get(id).inputs.is_empty() {
                self.plan_component(id, measures, database);
            }
        }
        database.fill_fixed_views();
    }

    fn plan_component(&mut self, id: ComponentId, measures: &Measures, database: &mut Database) {
        let component = self.dependencies.get(id);
        let own = &component.relations;
        let is_own = |atom: &crate::Atom| own.contains(&atom.relation);
        let mut ensure_view = |relation: RelationId, key: &_| database.ensure_view(relation, key);
        let mut planner = Planner { measures, own, ensure_view: &mut ensure_view };
        let mut planned = Planned {
            triggered: own.iter().map(|&relation| (relation, Vec::new())).collect(),
            ..Planned::default()
        };
        for &index in &component.rules {
            let rule = &self.program.rules[index];
            if rule.body.is_empty() {
                let tuple = rule.head.arguments.iter().map(|argument| match argument {
                    Pattern::Term(term) => *term,
                    _ => unreachable!("a fact has no variables"),
                });
                planned.facts.push((rule.head.relation, tuple.collect()));
                continue;
            }
            let triggers: Vec<usize> = (0..rule.body.len())
                .filter(|&at| matches!(&rule.body[at], Literal::Holds(atom) if is_own(atom)))
                .collect();
            if triggers.is_empty() {
                planned.entry.push(planner.plan(rule, None));
            }
            for at in triggers {
                let plan = planner.plan(rule, Some(at));
                let relation = plan.trigger.as_ref().map(|trigger| trigger.relation);
                let list = planned.triggered.iter_mut().find(|(of, _)| Some(*of) == relation);
                list.expect("triggers are of the component").1.push(plan);
            }
        }
        planned.triggered.retain(|(_, plans)| !plans.is_empty());
        self.components[id.0 as usize] = planned;
    }

    /// Evaluates a component from what its dependencies hold now. They must be up to date.
    pub fn evaluate(&self, database: &mut Database, id: ComponentId) -> Result<(), Fault> {
        if !self.dependencies.get(id).negates_itself {
            return self.least_model(database, id, None);
        }
        // The alternating fixpoint: an overestimate of what holds gives an underestimate and the
        // other way round, until the underestimate stays the same.
        let mut frozen = Frozen::default();
        loop {
            self.least_model(database, id, Some(&frozen))?;
            let over = self.holding(database, id);
            self.least_model(database, id, Some(&over))?;
            let under = self.holding(database, id);
            if under == over {
                return Ok(());
            }
            if under == frozen {
                return Err(self.unstratified(&over, &under));
            }
            frozen = under;
        }
    }

    fn holding(&self, database: &Database, id: ComponentId) -> Frozen {
        let relations = self.dependencies.get(id).relations.iter();
        relations
            .map(|&relation| (relation, database.relation(relation).present().iter().copied().collect()))
            .collect()
    }

    fn unstratified(&self, over: &Frozen, under: &Frozen) -> Fault {
        let disputed = over.iter().find(|&(relation, rows)| under.get(relation) != Some(rows));
        let name =
            disputed.map_or("a relation", |(relation, _)| &self.program.relations[relation.index()].name);
        Fault::Unstratified(name.to_owned())
    }

    /// The least model of a component's rules, with negations of its own relations as frozen.
    fn least_model(
        &self,
        database: &mut Database,
        id: ComponentId,
        frozen: Option<&Frozen>,
    ) -> Result<(), Fault> {
        let component = self.dependencies.get(id);
        let planned = &self.components[id.0 as usize];
        for &relation in &component.relations {
            if !self.program.relations[relation.index()].is_input {
                database.clear(relation);
            }
        }
        let fixed = database.fixed.clone();
        let mut executor = Executor::new(database, &fixed, self.variables, frozen);
        for (relation, tuple) in &planned.facts {
            executor.insert(*relation, tuple);
        }
        for plan in &planned.entry {
            executor.run(plan)?;
        }
        let mut done = vec![0; planned.triggered.len()];
        loop {
            let mut progress = false;
            for (cursor, (relation, plans)) in done.iter_mut().zip(&planned.triggered) {
                while let Some(&row) = executor.relation(*relation).present().get(*cursor) {
                    *cursor += 1;
                    progress = true;
                    for plan in plans {
                        executor.run_triggered(plan, row)?;
                    }
                }
            }
            if !progress {
                executor.finish();
                return Ok(());
            }
        }
    }
}
