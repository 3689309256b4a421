//! Searches against plain minimax.

mod games;
mod graph;
mod plain;
mod play;

use std::hash::{BuildHasher, Hash};
use std::sync::Arc;

use engine::{Budget, Evaluator, Stop};
use game::{RoleId, RuleFault, Simulator};

use crate::{Judge, Options, Search};

/// Says something of every state that depends on nothing but the state.
pub(crate) struct Whim(pub(crate) usize);

impl<State: Hash> Evaluator<State> for Whim {
    fn evaluate(&self, states: &[&State], out: &mut [f64]) -> Result<(), RuleFault> {
        for (state, values) in states.iter().zip(out.chunks_mut(self.0)) {
            for (role, value) in values.iter_mut().enumerate() {
                let hash = rustc_hash::FxBuildHasher.hash_one((state, role));
                *value = (hash.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as f64 / (1u64 << 24) as f64;
            }
        }
        Ok(())
    }
}

/// Options for small tests.
pub(crate) fn small() -> Options {
    Options { bytes: 16 << 20, ..Options::default() }
}

/// A search by whim.
pub(crate) fn search<G: Simulator>(
    game: &Arc<G>,
    state: &G::State,
    role: RoleId,
    options: Options,
) -> Search<G> {
    let judge = Judge::Ready(Arc::new(Whim(game.role_count())));
    Search::new(game, state.clone(), role, judge, options, 7)
}

/// Lets a search look through all depths up to one.
pub(crate) fn look_through<G: Simulator>(search: &mut Search<G>) {
    let budget = Budget { simulations: None, ..Budget::simulations(0) };
    assert_eq!(search.run(&budget).expect("no fault"), Stop::Proven);
}
