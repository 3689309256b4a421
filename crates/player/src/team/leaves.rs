//! Leaves of the player's tree that helpers play out.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use engine::team::{HelperId, Leaves, Order, PlayedLeaves};
use game::{Decisive, Goal, MoveId, Outcomes};
use search::mcts::{LeafBatch, LeafPlayer};

use super::Listener;
use super::listener::Heard;

/// How long it is waited for a helper. Whoever has to make room in the tree waits too.
const PATIENCE: Duration = Duration::from_millis(250);
/// How often it is asked whether it is over.
const PART: Duration = Duration::from_millis(5);

/// How moves are written.
type Words = Arc<dyn Fn(MoveId) -> String + Send + Sync>;

/// Has leaves played out by whichever helper is free.
pub(crate) struct HelpedLeaves {
    listener: Arc<Listener>,
    words: Words,
    roles: usize,
}

impl HelpedLeaves {
    /// For a game with so many roles, whose moves are written in some way.
    pub(crate) fn new(listener: &Arc<Listener>, words: Words, roles: usize) -> Self {
        Self { listener: Arc::clone(listener), words, roles }
    }

    /// An batch as helpers understand it.
    fn order(&self, batch: &LeafBatch, number: u64, id: u64) -> Leaves {
        let mut places: HashMap<MoveId, u32> = HashMap::new();
        let mut words = Vec::new();
        let mut place = |id: &MoveId| {
            *places.entry(*id).or_insert_with(|| {
                words.push((self.words)(*id));
                words.len() as u32 - 1
            })
        };
        let joints = batch.joints.iter().map(&mut place).collect();
        Leaves {
            batch: id,
            number,
            joints,
            words,
            before: batch.before.clone(),
            leaves: batch.leaves.clone(),
            seed: batch.seed,
            most_steps: batch.most_steps,
            decisive: (batch.decisive >= Decisive::Wins, batch.decisive >= Decisive::WinsAndStops),
            captures: batch.captures,
        }
    }

    /// What a helper says became of an batch, if it can be.
    fn outcomes(&self, batch: &LeafBatch, played: &PlayedLeaves) -> Option<Outcomes> {
        let playouts = batch.playouts();
        let is_whole = played.lengths.len() == playouts && played.goals.len() == playouts * self.roles;
        if !is_whole || played.goals.iter().any(|&goal| goal > Goal::MOST.0) {
            return None;
        }
        let mut outcomes = Outcomes::default();
        outcomes.reset(self.roles, playouts);
        for (playout, goals) in played.goals.chunks(self.roles).enumerate() {
            outcomes.set_length(playout, played.lengths[playout], false);
            for (role, &goal) in goals.iter().enumerate() {
                outcomes.raise(playout, role, Goal(goal));
            }
        }
        for &playout in played.cut.iter().filter(|&&playout| (playout as usize) < playouts) {
            outcomes.set_length(playout as usize, played.lengths[playout as usize], true);
        }
        for &playout in played.settled.iter().filter(|&&playout| (playout as usize) < playouts) {
            outcomes.set_settled(playout as usize);
        }
        Some(outcomes)
    }
}

/// A helper that knows the position and has nothing to do.
fn free(heard: &Heard) -> Option<&HelperId> {
    let is_free = |known: &super::listener::Known| {
        known.ready == Some(heard.number) && known.batch.is_none() && !known.is_missed
    };
    heard.helpers.iter().find(|(_, known)| is_free(known)).map(|(id, _)| id)
}

impl LeafPlayer for HelpedLeaves {
    fn is_ready(&self) -> bool {
        free(&self.listener.heard.lock()).is_some()
    }

    fn play(&self, batch: &LeafBatch, is_over: &dyn Fn() -> bool) -> Option<Outcomes> {
        let (helper, number, id) = {
            let mut heard = self.listener.heard.lock();
            let helper = free(&heard)?.clone();
            heard.next_batch += 1;
            let (number, id) = (heard.number, heard.next_batch);
            heard.helpers.get_mut(&helper)?.batch = Some(id);
            heard.batches.insert(id, None);
            (helper, number, id)
        };
        self.listener.line.tell(Some(&helper), Order::Play(self.order(batch, number, id)));
        let mut left = PATIENCE;
        let mut heard = self.listener.heard.lock();
        // An batch that is gone was lost on the way.
        while let Some(None) = heard.batches.get(&id) {
            if is_over() {
                break;
            }
            if left.is_zero() {
                // It is asked again once it is heard of.
                if let Some(known) = heard.helpers.get_mut(&helper) {
                    (known.is_missed, known.batch) = (true, None);
                }
                break;
            }
            if self.listener.changed.wait_for(&mut heard, PART).timed_out() {
                left = left.saturating_sub(PART);
            }
        }
        let played = heard.batches.remove(&id).flatten()?;
        drop(heard);
        self.outcomes(batch, &played)
    }
}
