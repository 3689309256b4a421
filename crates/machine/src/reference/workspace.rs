//! What one thread thinks with: a database that holds one state, and what was derived from it.

use datalog::{ComponentId, Database, TermId};
use game::{Expansion, MoveId, RuleFault};

use super::order::MoveOrder;
use super::{Reference, ReferenceState, rule_fault, text};

/// How many states are loaded between two looks at the memory in use.
const LOADS_BETWEEN_CHECKS: u32 = 256;

/// Scratch space of the reference reasoner. It remembers the last state: asking for its legal
/// moves, its goals and its successors derives everything only once.
#[derive(Debug)]
pub struct ReferenceWorkspace {
    database: Database,
    state: Option<ReferenceState>,
    /// Counts loaded states and joint moves; the versions of what is loaded now.
    clock: u64,
    state_version: u64,
    moves_version: u64,
    /// The joint move that is loaded, if there is one.
    joint: Vec<MoveId>,
    /// The version for which each component was evaluated.
    evaluated: Vec<u64>,
    order: MoveOrder,
    loads: u32,
    /// The work that each component took so far, and the one that a fault was met in.
    pub(super) effort: Vec<u64>,
    pub(super) failed: Option<ComponentId>,
}

impl ReferenceWorkspace {
    pub(super) fn new(database: Database, components: usize) -> Self {
        Self {
            database,
            state: None,
            clock: 0,
            state_version: 0,
            moves_version: 0,
            joint: Vec::new(),
            evaluated: vec![u64::MAX; components],
            order: MoveOrder::default(),
            loads: 0,
            effort: vec![0; components],
            failed: None,
        }
    }

    pub(super) fn database(&self) -> &Database {
        &self.database
    }

    /// Makes `state` the state that everything is derived from.
    pub(super) fn load(&mut self, machine: &Reference, state: &ReferenceState) {
        if self.state.as_ref().is_some_and(|loaded| loaded.is(state) || loaded == state) {
            return;
        }
        self.loads += 1;
        if self.loads.is_multiple_of(LOADS_BETWEEN_CHECKS) && self.database.is_half_full() {
            self.database.forget();
        }
        if let Some(&last) = state.facts().last() {
            self.database.know(last);
        }
        let truth = machine.keywords.truth;
        self.database.clear(truth);
        for &fact in state.facts() {
            self.database.insert(truth, &[fact]);
        }
        self.clock += 1;
        self.state_version = self.clock;
        self.database.clear(machine.keywords.does);
        self.moves_version = self.clock;
        self.joint.clear();
        self.state = Some(state.clone());
    }

    /// Says what each role does in the loaded state.
    pub(super) fn load_moves(&mut self, machine: &Reference, joint: &[MoveId]) {
        if self.joint == joint {
            return;
        }
        self.joint.clear();
        self.joint.extend_from_slice(joint);
        let does = machine.keywords.does;
        self.database.clear(does);
        for (&role, id) in machine.role_terms.iter().zip(joint) {
            let action = TermId(id.0);
            self.database.know(action);
            self.database.insert(does, &[role, action]);
        }
        self.clock += 1;
        self.moves_version = self.clock;
    }

    /// Brings components up to date.
    pub(super) fn evaluate(&mut self, machine: &Reference, wanted: &[ComponentId]) -> Result<(), RuleFault> {
        let dependencies = machine.engine.dependencies();
        for &id in wanted {
            let component = dependencies.get(id);
            let version = match component.inputs.contains(&machine.keywords.does) {
                true => self.moves_version,
                false => self.state_version,
            };
            let evaluated = &mut self.evaluated[id.0 as usize];
            if *evaluated == version {
                continue;
            }
            // Left as not evaluated if it fails, so that a later call fails again.
            *evaluated = u64::MAX;
            let before = self.database.work();
            let outcome = machine.engine.evaluate(&mut self.database, id);
            self.effort[id.0 as usize] += self.database.work() - before;
            if let Err(fault) = outcome {
                self.database.forget();
                self.state = None;
                self.failed = Some(id);
                return Err(rule_fault(fault));
            }
            self.evaluated[id.0 as usize] = version;
        }
        Ok(())
    }

    /// Lists the legal moves of a role in canonical order.
    pub(super) fn list_legal(&mut self, machine: &Reference, role: TermId, out: &mut Expansion) {
        let legal = self.database.relation(machine.keywords.legal);
        for tuple in legal.tuples().filter(|tuple| tuple[0] == role) {
            if self.order.label(tuple[1]).is_none() {
                let text = text::canonical(self.database.terms(), &machine.symbols, tuple[1]);
                self.order.add(tuple[1], &text);
            }
            out.push(MoveId(tuple[1].0));
        }
        let order = &self.order;
        out.open_role_mut().sort_unstable_by_key(|id| order.label(TermId(id.0)));
    }
}
