//! Several threads: on one tree, or each on its own.

use std::sync::atomic::{AtomicU64, Ordering};

use game::{RuleFault, Simulator};
use parking_lot::Mutex;

use super::batch::{Done, Plan};
use super::search::{Search, make_room};
use crate::{Budget, Stop};

impl<G: Simulator> Search<G> {
    /// Thinks with all threads until the first of them finds that it is over.
    pub(super) fn run_parallel(&mut self, budget: &Budget<'_>) -> Result<Stop, RuleFault> {
        let mut workers = std::mem::take(&mut self.workers);
        let shared = Shared { begun: AtomicU64::new(0), end: Mutex::new(None) };
        let dones: Vec<Done> = std::thread::scope(|scope| {
            let threads: Vec<_> = workers
                .iter_mut()
                .enumerate()
                .map(|(index, worker)| {
                    let (search, shared) = (&*self, &shared);
                    scope.spawn(move || search.think(worker.get_mut(), index, budget, shared))
                })
                .collect();
            // A thread that panics ends the search with the panic.
            threads
                .into_iter()
                .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect()
        });
        self.workers = workers;
        for done in dones {
            self.totals.add(done);
            self.most_moves = self.most_moves.max(done.moves);
        }
        shared.end.into_inner().unwrap_or(Ok(Stop::Told))
    }

    fn think(
        &self,
        worker: &mut super::batch::Worker<G>,
        index: usize,
        budget: &Budget<'_>,
        shared: &Shared,
    ) -> Done {
        let own = index % self.trees.len();
        let tree = &self.trees[own];
        let alone = self.trees.len() > 1;
        let sharing = if alone { 1 } else { self.workers_sharing() };
        let mut all = Done { moves: self.most_moves, ..Done::default() };
        let plan = Plan {
            game: &*self.game,
            parameters: &self.parameters,
            chooser: &self.chooser,
            policy: &self.policies[own],
            nature: self.nature,
            alone,
            stop: budget.stop,
        };
        loop {
            if shared.end.lock().is_some() {
                return all;
            }
            let begun = shared.begun.load(Ordering::Relaxed);
            let over =
                budget.is_over(begun).or_else(|| self.is_settled(&tree.read()).then_some(Stop::Proven));
            if let Some(stop) = over {
                shared.end.lock().get_or_insert(Ok(stop));
                return all;
            }
            let left = budget.simulations.map(|most| most.saturating_sub(begun));
            let size = self.batch_size(&tree.read(), left);
            shared.begun.fetch_add(u64::from(size.leaves), Ordering::Relaxed);
            make_room(tree, size, all.moves.max(16), self.memory() / self.trees.len(), sharing);
            // The lock is held for one batch: clearing up waits for the end of it.
            let outcome = worker.run(&plan, &tree.read(), size);
            match outcome {
                Ok(done) => {
                    all.simulations += done.simulations;
                    all.playouts += done.playouts;
                    all.steps += done.steps;
                    all.depth = all.depth.max(done.depth);
                    all.moves = all.moves.max(done.moves);
                }
                Err(fault) => {
                    shared.end.lock().get_or_insert(Err(fault));
                    return all;
                }
            }
        }
    }

    fn workers_sharing(&self) -> usize {
        self.parameters.threads as usize
    }
}

struct Shared {
    begun: AtomicU64,
    end: Mutex<Option<Result<Stop, RuleFault>>>,
}
