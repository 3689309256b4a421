//! A state: the facts that are true, as a sorted list of interned terms.

use std::sync::Arc;

use datalog::TermId;

/// A state of the reference reasoner. Cheap to copy.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ReferenceState(Arc<[TermId]>);

impl ReferenceState {
    pub(crate) fn new(mut facts: Vec<TermId>) -> Self {
        facts.sort_unstable();
        facts.dedup();
        Self(facts.into())
    }

    pub(crate) fn facts(&self) -> &[TermId] {
        &self.0
    }

    /// Whether both are one and the same copy: a quick test before comparing facts.
    pub(crate) fn is(&self, other: &ReferenceState) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}
