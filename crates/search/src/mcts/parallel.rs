//! Several threads: on one tree, or each on its own.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use game::{RuleFault, Simulator};
use parking_lot::Mutex;

use super::batch::Done;
use super::room::make_room;
use super::search::Search;
use crate::{Budget, Stop};

/// Nodes that there is room for when several threads begin.
const RESERVED: usize = 1 << 15;

/// How long a worker sleeps before it looks again whether somebody is there to play out its leaves.
const WAIT: Duration = Duration::from_millis(1);

/// Batches in a row without a result after which they count, so that the search ends whatever happens.
const MOST_BARREN: u32 = 10_000;

impl<G: Simulator> Search<G> {
    /// Thinks with all threads until the first of them finds that it is over.
    pub(super) fn run_parallel(&mut self, budget: &Budget<'_>) -> Result<Stop, RuleFault> {
        self.reserve(budget);
        let mut workers = std::mem::take(&mut self.workers);
        let shared = Shared { begun: AtomicU64::new(0), end: Mutex::new(None), workers: workers.len() };
        let dones: Vec<Done> = std::thread::scope(|scope| {
            let mut workers = workers.iter_mut().enumerate();
            let own = workers.next();
            let (search, shared) = (&*self, &shared);
            let think = |(index, worker): (usize, &mut Mutex<_>)| {
                search.think(worker.get_mut(), index, budget, shared)
            };
            let threads: Vec<_> = workers.map(|worker| scope.spawn(move || think(worker))).collect();
            let own = own.map(think);
            // A thread that panics ends the search with the panic.
            let join = |thread: std::thread::ScopedJoinHandle<'_, Done>| {
                thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            own.into_iter().chain(threads.into_iter().map(join)).collect()
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
        let sharing = if alone { 1 } else { shared.workers };
        let mut all = Done { moves: self.most_moves, ..Done::default() };
        let mut totals = self.totals;
        let mut barren = 0;
        let mut watch = budget.watch();
        let mut rest = budget.rest();
        let plan = self.plan(own, alone, budget);
        loop {
            if shared.end.lock().is_some() {
                return all;
            }
            let begun = shared.begun.load(Ordering::Relaxed);
            let over = watch.is_over(begun).or_else(|| self.is_settled(&tree.read()).then_some(Stop::Proven));
            if let Some(stop) = over {
                shared.end.lock().get_or_insert(Ok(stop));
                return all;
            }
            if worker.waits_for_others() {
                std::thread::sleep(WAIT);
                continue;
            }
            self.arbitrate(own, budget, begun);
            let left = budget.simulations.map(|most| most.saturating_sub(begun));
            let to_come = watch.last_part().and_then(|time| budget.room_for(time));
            let mut size = self.batch_size(&tree.read(), budget, left, totals, to_come);
            if let Some(left) = left {
                // The threads share what is left, so that they end together. Small batches take almost
                // as long as large ones, so it is not shared for ever.
                let share = left.div_ceil(sharing as u64).max(u64::from(size.leaves.div_ceil(2)));
                size.leaves = size.leaves.min(u32::try_from(share).unwrap_or(u32::MAX));
            }
            shared.begun.fetch_add(u64::from(size.leaves), Ordering::Relaxed);
            make_room(tree, size.leaves, all.moves.max(16), self.memory() / self.trees.len(), sharing);
            // The lock is held for one batch: making room waits for the end of it.
            let guard = tree.read();
            let longest_pause = rest.end();
            let outcome = worker.run(&plan, &guard, size);
            drop(guard);
            rest.begin();
            match outcome {
                Ok(done) => {
                    // Paths that led nowhere are gone again: those who are in the way need time.
                    let lost = u64::from(size.leaves).saturating_sub(done.simulations);
                    if done.simulations > 0 {
                        barren = 0;
                    } else if barren < MOST_BARREN {
                        barren += 1;
                        std::thread::yield_now();
                    }
                    if barren < MOST_BARREN {
                        shared.begun.fetch_sub(lost, Ordering::Relaxed);
                    }
                    totals.add(done);
                    all.add(Done { longest_pause, ..done });
                    // One thread lends its time to the solver; with a tree each, for the first tree.
                    if index == 0
                        && let Err(fault) = self.solve(&tree.read(), totals, worker.are_rivals(), alone)
                    {
                        shared.end.lock().get_or_insert(Err(fault));
                        return all;
                    }
                }
                Err(fault) => {
                    shared.end.lock().get_or_insert(Err(fault));
                    return all;
                }
            }
        }
    }

    /// Makes room for a good part of the search at once: a tree that grows holds all threads up.
    fn reserve(&mut self, budget: &Budget<'_>) {
        let nodes = budget.simulations.map_or(RESERVED, |most| most.min(RESERVED as u64) as usize);
        let (memory, moves) = (self.memory() / self.trees.len(), self.most_moves.clamp(2, 64));
        for tree in &mut self.trees {
            let tree = tree.get_mut();
            let room = nodes.saturating_sub(tree.len());
            tree.make_room(room, tree.words_for(room, moves), memory / 2);
        }
    }
}

struct Shared {
    /// How many there are on all trees.
    workers: usize,
    begun: AtomicU64,
    end: Mutex<Option<Result<Stop, RuleFault>>>,
}
