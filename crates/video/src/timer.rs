//! Tells when the time to think is over.

use engine::{Budget, Watch};

/// Watches over the budget of one answer; what is counted are ticks of forward models.
#[derive(Debug)]
pub struct Timer<'a> {
    watch: Watch<'a>,
    ticks: u64,
}

impl<'a> Timer<'a> {
    /// Watches over a budget.
    pub fn new(budget: &'a Budget<'a>) -> Self {
        Self { watch: budget.watch(), ticks: 0 }
    }

    /// Counts ticks that were tried.
    pub fn spend(&mut self, ticks: u64) {
        self.ticks += ticks;
    }

    /// Whether it is over; to be asked before every part of the work.
    pub fn is_over(&mut self) -> bool {
        self.watch.is_over(self.ticks).is_some()
    }
}
