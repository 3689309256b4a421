//! All engines: one file and one row each.

mod cadia;
mod ending;
mod evaluation;
mod finish;
mod legal;
mod mcts;
mod mini;
mod mtdf;
mod parts;
mod plain;
mod planner;
mod portfolio;
mod raced;
mod random;

use std::sync::{Arc, LazyLock};

use engine::{Engine, EngineRow, Registry};
use game::RuleFault;
use machine::Machine;
use search::mcts::policy::Policies;

use crate::agent::AGENTS;

pub use mcts::row as mcts_with;

/// The engine that helpers search with.
pub(crate) const TREE_SEARCH: &str = mcts::NAME;

/// Who plays what nobody else can.
const LAST: &str = legal::NAME;

/// The engines that play games which hide something; the first where another was asked for.
static TOLD: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let names = hidden::engines::NAMES.iter().copied();
    names.chain([random::NAME, legal::NAME]).collect()
});

/// All engines, with some policies for those that play out.
fn rows(policies: Policies) -> Vec<EngineRow> {
    let tree_search = mcts::row(policies);
    let cadia = cadia::row(&tree_search);
    let mut rows =
        vec![tree_search, portfolio::row(), cadia, mini::row(), mtdf::row(), random::row(), legal::row()];
    rows.push(parts::row());
    rows.extend(hidden::engines::rows());
    rows
}

/// All engines and agents, with some policies: the standard ones and maybe more.
pub fn registry_with(policies: Policies) -> Registry {
    Registry::new(rows(policies), AGENTS.to_vec(), LAST).with_told(&TOLD)
}

/// All engines and agents.
pub fn registry() -> &'static Arc<Registry> {
    static ALL: LazyLock<Arc<Registry>> = LazyLock::new(|| Arc::new(registry_with(Policies::standard())));
    &ALL
}

/// An engine that only knows what is legal.
pub(crate) fn legal_on(machine: &Machine, history: &[Vec<String>]) -> Result<Box<dyn Engine>, RuleFault> {
    legal::on(machine, history)
}
