//! What a search asks of the machine for single states beyond the game: it has no lanes.

use std::sync::Arc;

use game::{FactId, Likeness, Merging, Outlook, PlayOptions, RoleId, Simulator};

use super::goal_degree::GoalTree;
use super::{CircuitMachine, CircuitState};
use crate::alike::{Key, Reduction};
use crate::outlook::Prospects;

/// What a fact that speaks for a goal adds to how far it holds, and how many add at most: less than any other difference.
const FACT_FOR_IT: f64 = 1e-6;
const MOST_FACTS: f64 = 50.0;

impl Simulator for CircuitMachine {
    fn lanes(&self) -> usize {
        1
    }

    fn supports(&self, _: &PlayOptions<'_>) -> bool {
        false
    }

    fn step_cost(&self) -> f64 {
        f64::INFINITY
    }

    fn state_bytes(&self) -> usize {
        CircuitState::bytes_apart(self.circuit().bases.len())
    }

    fn list_facts(&self, state: &CircuitState, out: &mut Vec<FactId>) {
        out.clear();
        for (number, &word) in (0..).zip(state.words()) {
            let rest = |bits: &u64| Some(bits & (bits - 1)).filter(|bits| *bits != 0);
            let bits = std::iter::successors(Some(word).filter(|bits| *bits != 0), rest);
            out.extend(bits.map(|bits| FactId(64 * number + bits.trailing_zeros())));
        }
    }

    fn fact_text(&self, fact: FactId) -> String {
        self.circuit.bases.get(fact.0 as usize).cloned().unwrap_or_default()
    }

    fn goal_degree(&self, state: &CircuitState, role: RoleId) -> Option<f64> {
        let all = || (0..self.circuit.roles.len()).map(|role| GoalTree::new(&self.circuit, role)).collect();
        let trees = self.goal_trees.get_or_init(all);
        let (degree, facts) =
            trees.get(usize::from(role.0))?.as_ref()?.degree(|fact| state.get(fact as usize));
        Some(degree + FACT_FOR_IT * facts.min(MOST_FACTS))
    }

    fn likeness(&self, merging: Merging) -> Option<Arc<dyn Likeness<CircuitState>>> {
        let find = || {
            // Nodes of a tree are known by the roles that move there.
            let reduction = Reduction { idle: true, symmetry: merging == Merging::Images, exchange: false };
            let key = Key::new(&self.circuit, reduction, &|| false);
            key.merges(&self.circuit).then(|| Arc::new(key))
        };
        let known = match merging {
            Merging::Idle => &self.alike.idle,
            Merging::Images => &self.alike.images,
        };
        let key = known.get_or_init(find).clone()?;
        Some(key)
    }

    fn outlook(&self) -> Option<Arc<dyn Outlook<CircuitState>>> {
        let prospects = self.outlook.get_or_init(|| Arc::new(Prospects::new(&self.circuit)));
        Some(Arc::<Prospects>::clone(prospects))
    }
}
