//! The reference reasoner: what is true follows from the rules by plain bottom-up evaluation.
//!
//! Everything a state implies is derived from scratch, relation by relation, and only as far as it
//! is asked for: legality and terminality first, the goals when they are wanted, the next state
//! when moves are given. What does not depend on the state is derived once, when the machine is
//! built.

mod lower;
mod order;
mod state;
mod text;
mod tune;
mod workspace;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use datalog::{ComponentId, Database, Engine, Fault, Limits, RelationId, TermId};
use game::{Describe, Expansion, Game, Goal, GoalReading, MoveId, Observe, PerceptId, RoleId, RuleFault};
use gdl::Symbols;
use gdl::normal::NormalRules;
use verify::inspect::Declared;

pub use state::ReferenceState;
pub use workspace::ReferenceWorkspace;

/// Why a machine cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// There is nobody to play.
    #[error("the game has no roles: add a fact like `(role white)`")]
    NoRoles,
    /// Roles are numbered by 16 bits.
    #[error("the game has {0} roles, and no more than {most} can be played", most = u16::MAX)]
    TooManyRoles(usize),
    /// The relations that do not depend on the state could not be computed.
    #[error("the rules could not be evaluated: {0}")]
    Rules(#[from] RuleFault),
}

/// The relations with a meaning.
#[derive(Clone, Copy, Debug)]
struct Keywords {
    role: RelationId,
    init: RelationId,
    truth: RelationId,
    does: RelationId,
    next: RelationId,
    legal: RelationId,
    goal: RelationId,
    terminal: RelationId,
    base: RelationId,
    input: RelationId,
    sees: RelationId,
}

impl Keywords {
    /// All of them: the relations that the machine reads or fills.
    fn all(&self) -> [RelationId; 11] {
        [
            self.role,
            self.init,
            self.truth,
            self.does,
            self.next,
            self.legal,
            self.goal,
            self.terminal,
            self.base,
            self.input,
            self.sees,
        ]
    }
}

/// What has to be evaluated to answer a question, in order.
#[derive(Clone, Debug, Default)]
struct Phases {
    /// Legal moves and terminality.
    position: Vec<ComponentId>,
    goals: Vec<ComponentId>,
    successor: Vec<ComponentId>,
    percepts: Vec<ComponentId>,
}

/// A game played by the reference reasoner.
#[derive(Debug)]
pub struct Reference {
    symbols: Arc<Symbols>,
    roles: Vec<String>,
    role_terms: Vec<TermId>,
    chance: Option<RoleId>,
    has_percepts: bool,
    keywords: Keywords,
    engine: Arc<Engine>,
    /// Fixed relations and indexes; workspaces start as copies of it.
    database: Database,
    phases: Phases,
    initial: ReferenceState,
}

impl Reference {
    /// Builds the machine: lowers the rules, evaluates what is static, plans the joins, and tunes
    /// the plans by what a short sample playout shows.
    pub fn new(rules: &NormalRules, limits: Limits) -> Result<Self, BuildError> {
        if rules.roles.is_empty() {
            return Err(BuildError::NoRoles);
        }
        if rules.roles.len() > usize::from(u16::MAX) {
            return Err(BuildError::TooManyRoles(rules.roles.len()));
        }
        tune::tuned(rules, &lower::lower(rules), &limits)
            .map_err(|fault| BuildError::Rules(rule_fault(fault)))
    }

    /// A machine for a program, not tuned yet.
    fn untuned(
        rules: &NormalRules,
        keywords: Keywords,
        engine: Engine,
        mut database: Database,
    ) -> Result<Self, Fault> {
        let role_terms = rules.roles.iter().map(|role| database.intern(role.0, &[])).collect();
        let dependencies = engine.dependencies();
        let dynamic = |relations: &[RelationId]| -> Vec<ComponentId> {
            let needed = dependencies.needed_for(relations).into_iter();
            needed.filter(|&id| !dependencies.get(id).inputs.is_empty()).collect()
        };
        let phases = Phases {
            position: dynamic(&[keywords.legal, keywords.terminal]),
            goals: dynamic(&[keywords.goal]),
            successor: dynamic(&[keywords.next]),
            percepts: dynamic(&[keywords.sees]),
        };
        // Before the beginning nothing is true and nobody does anything; only strange sheets ask.
        let beginning = dynamic(&[keywords.init]);
        for &id in &beginning {
            engine.evaluate(&mut database, id)?;
        }
        let initial = database.relation(keywords.init).tuples().map(|tuple| tuple[0]).collect();
        for &relation in beginning.iter().flat_map(|&id| &dependencies.get(id).relations) {
            database.clear(relation);
        }
        Ok(Self {
            symbols: Arc::new(rules.symbols.clone()),
            roles: rules.roles.iter().map(|&role| rules.symbols.name(role).to_owned()).collect(),
            role_terms,
            chance: rules.chance().map(|role| RoleId(role as u16)),
            has_percepts: rules.has_percepts(),
            keywords,
            engine: Arc::new(engine),
            database,
            phases,
            initial: ReferenceState::new(initial),
        })
    }

    /// The same machine, whose evaluations end with a fault soon after a flag is set: for one of several
    /// who use it, and who may leave in the middle of a long one.
    pub fn stopped_by(&self, stop: Arc<AtomicBool>) -> Self {
        let mut database = self.database.clone();
        database.limits_mut().stop = Some(stop);
        Self {
            symbols: Arc::clone(&self.symbols),
            roles: self.roles.clone(),
            role_terms: self.role_terms.clone(),
            engine: Arc::clone(&self.engine),
            database,
            phases: self.phases.clone(),
            initial: self.initial.clone(),
            ..*self
        }
    }

    /// The facts that `base` lists and the moves of each role that `input` lists, as far as they
    /// do not depend on the state; `None` where the sheet has none.
    pub fn declared(&self) -> Declared {
        let text = |term: TermId| self.term_text(term);
        let base = self.database.relation(self.keywords.base);
        let input = self.database.relation(self.keywords.input);
        Declared {
            base: (!base.is_empty()).then(|| base.tuples().map(|tuple| text(tuple[0])).collect()),
            input: (!input.is_empty())
                .then(|| input.tuples().map(|tuple| (text(tuple[0]), text(tuple[1]))).collect()),
        }
    }

    /// Bytes that the fixed relations and a fresh workspace take, about.
    pub fn bytes(&self) -> usize {
        self.database.bytes()
    }

    /// The relations that took the most work in a workspace so far, with the share of each.
    pub fn effort(&self, workspace: &ReferenceWorkspace) -> Vec<(String, f64)> {
        let total: u64 = workspace.effort.iter().sum();
        let program = self.engine.program();
        let components = &self.engine.dependencies().components;
        let mut efforts: Vec<(String, f64)> = components
            .iter()
            .zip(&workspace.effort)
            .filter(|&(_, &work)| work > 0)
            .map(|(component, &work)| {
                let names = component.relations.iter().map(|id| &program.relations[id.0 as usize].name[..]);
                (names.collect::<Vec<_>>().join(", "), work as f64 / total as f64)
            })
            .collect();
        efforts.sort_by(|a, b| b.1.total_cmp(&a.1));
        efforts
    }

    fn term_text(&self, term: TermId) -> String {
        self.database.with_all_terms(|terms| text::canonical(terms, &self.symbols, term))
    }

    fn term_spelling(&self, term: TermId) -> String {
        self.database.with_all_terms(|terms| text::spelled(terms, &self.symbols, term))
    }
}

fn rule_fault(fault: Fault) -> RuleFault {
    match fault {
        Fault::Unstratified(name) => RuleFault::Unstratified(name),
        Fault::OutOfMemory { limit_bytes } => RuleFault::OutOfMemory { limit_bytes },
        Fault::Stopped | Fault::TooMuchWork => RuleFault::OutOfTime,
    }
}

impl game::Simulator for Reference {
    fn lanes(&self) -> usize {
        1
    }

    fn supports(&self, _: &game::PlayOptions<'_>) -> bool {
        false
    }

    fn step_cost(&self) -> f64 {
        f64::INFINITY
    }

    fn state_bytes(&self) -> usize {
        // States have about as many facts as the first one.
        size_of_val(self.initial().facts()) + 32
    }

    fn list_facts(&self, state: &ReferenceState, out: &mut Vec<game::FactId>) {
        out.clear();
        out.extend(state.facts().iter().map(|fact| game::FactId(fact.0)));
    }

    fn fact_text(&self, fact: game::FactId) -> String {
        self.term_text(TermId(fact.0))
    }

    fn goal_degree(&self, _: &ReferenceState, _: RoleId) -> Option<f64> {
        None
    }
}

impl Game for Reference {
    type State = ReferenceState;
    type Workspace = ReferenceWorkspace;

    fn role_count(&self) -> usize {
        self.roles.len()
    }

    fn chance(&self) -> Option<RoleId> {
        self.chance
    }

    fn workspace(&self) -> ReferenceWorkspace {
        ReferenceWorkspace::new(self.database.clone(), self.engine.dependencies().components.len())
    }

    fn initial(&self) -> ReferenceState {
        self.initial.clone()
    }

    fn expand(
        &self,
        workspace: &mut ReferenceWorkspace,
        state: &ReferenceState,
        out: &mut Expansion,
    ) -> Result<(), RuleFault> {
        workspace.load(self, state);
        workspace.evaluate(self, &self.phases.position)?;
        let terminal = !workspace.database().relation(self.keywords.terminal).is_empty();
        out.begin(terminal);
        for &role in &self.role_terms {
            if !terminal {
                workspace.list_legal(self, role, out);
            }
            out.end_role();
        }
        Ok(())
    }

    fn apply(
        &self,
        workspace: &mut ReferenceWorkspace,
        state: &ReferenceState,
        joint: &[MoveId],
    ) -> Result<ReferenceState, RuleFault> {
        workspace.load(self, state);
        workspace.load_moves(self, joint);
        workspace.evaluate(self, &self.phases.successor)?;
        let next = workspace.database().relation(self.keywords.next);
        Ok(ReferenceState::new(next.tuples().map(|tuple| tuple[0]).collect()))
    }

    fn goals(
        &self,
        workspace: &mut ReferenceWorkspace,
        state: &ReferenceState,
        out: &mut Vec<GoalReading>,
    ) -> Result<(), RuleFault> {
        workspace.load(self, state);
        workspace.evaluate(self, &self.phases.goals)?;
        out.clear();
        out.resize(self.roles.len(), GoalReading::None);
        let database = workspace.database();
        for tuple in database.relation(self.keywords.goal).tuples() {
            let value = text::number(database.terms(), &self.symbols, tuple[1]);
            let role = self.role_terms.iter().position(|&role| role == tuple[0]);
            if let (Some(role), Some(value @ 0..=100)) = (role, value) {
                out[role].add(Goal(value));
            }
        }
        Ok(())
    }
}

impl Observe for Reference {
    type Percept = PerceptId;

    fn observe(
        &self,
        workspace: &mut ReferenceWorkspace,
        state: &ReferenceState,
        joint: &[MoveId],
        role: RoleId,
        out: &mut Vec<PerceptId>,
    ) -> Result<(), RuleFault> {
        out.clear();
        let Some(&role) = self.role_terms.get(usize::from(role.0)).filter(|_| self.has_percepts) else {
            return Ok(());
        };
        workspace.load(self, state);
        workspace.load_moves(self, joint);
        workspace.evaluate(self, &self.phases.percepts)?;
        let sees = workspace.database().relation(self.keywords.sees);
        out.extend(sees.tuples().filter(|tuple| tuple[0] == role).map(|tuple| PerceptId(tuple[1].0)));
        out.sort_unstable();
        Ok(())
    }
}

impl Describe for Reference {
    fn roles(&self) -> &[String] {
        &self.roles
    }

    fn role_spelling(&self, role: RoleId) -> String {
        let term = self.role_terms.get(role.0 as usize);
        term.map_or_else(String::new, |&term| self.term_spelling(term))
    }

    fn move_text(&self, id: MoveId) -> String {
        self.term_text(TermId(id.0))
    }

    fn move_spelling(&self, id: MoveId) -> String {
        self.term_spelling(TermId(id.0))
    }

    fn find_move(&self, _role: RoleId, text: &str) -> Option<MoveId> {
        let term = self.database.with_all_terms(|terms| text::parse(terms, &self.symbols, text));
        term.map(|term| MoveId(term.0))
    }

    fn facts(&self, state: &ReferenceState) -> Vec<String> {
        let mut facts: Vec<String> = self.database.with_all_terms(|terms| {
            state.facts().iter().map(|&fact| text::canonical(terms, &self.symbols, fact)).collect()
        });
        facts.sort_unstable();
        facts
    }

    fn state_of(&self, facts: &[&str]) -> Option<ReferenceState> {
        let terms: Option<Vec<TermId>> = self.database.with_all_terms(|terms| {
            facts.iter().map(|fact| text::parse(terms, &self.symbols, fact)).collect()
        });
        terms.map(ReferenceState::new)
    }

    fn has_percepts(&self) -> bool {
        self.has_percepts
    }

    fn percept_text(&self, id: PerceptId) -> String {
        self.term_text(TermId(id.0))
    }

    fn percept_spelling(&self, id: PerceptId) -> String {
        self.term_spelling(TermId(id.0))
    }

    fn find_percept(&self, _role: RoleId, text: &str) -> Option<PerceptId> {
        let term = self.database.with_all_terms(|terms| text::parse(terms, &self.symbols, text));
        term.map(|term| PerceptId(term.0))
    }
}
