//! How large a batch is, and how many playouts each of its leaves has.
//!
//! The leaves of a batch are chosen without knowing what the others bring, so a batch should be a small
//! part of what is known, and of what is still to come. Lanes that are left over make the leaves better
//! known: each has several playouts, averaged into one result.

use game::Simulator;

use super::search::{Search, Totals};
use super::tree::Tree;
use crate::{Budget, Parameters, Selection};

/// About how many gates of a circuit are worked out while one leaf is found and its result backed up.
/// Playouts that take less are better made several at a time than shared by more leaves.
const LEAF_COST: f64 = 300.0;

/// More playouts from one leaf are hardly worth their time, however cheap they are.
const MOST_BY_COST: u32 = 4;

/// Lanes that cost as much as one: a common vector has so many bits. More of them are filled only with
/// leaves. The number is fixed, so that the same seed gives the same tree on every computer.
const FREE_LANES: usize = 256;

/// Batches grow to full size within the first few of so many: this many for each visit in `ramp`.
const BATCHES_A_RAMP: f64 = 25.0;

/// With fewer batches to come than this they are larger.
const MANY_BATCHES: f64 = 400.0;

/// How large a batch is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Size {
    /// Leaves at most.
    pub(crate) leaves: u32,
    /// Playouts that each leaf is worth, if there are lanes for them.
    pub(crate) worth: u32,
}

impl<G: Simulator> Search<G> {
    /// How large the next batch is, with `left` simulations to go, given what was done so far. Where time is what
    /// ends the turn, `to_come` is for how many batches there is room.
    pub(super) fn batch_size(
        &self,
        tree: &Tree<G::State>,
        budget: &Budget<'_>,
        left: Option<u64>,
        totals: Totals,
        to_come: Option<f64>,
    ) -> Size {
        let lanes = self.lanes as u32;
        let parameters = &self.parameters;
        if lanes == 1 {
            return Size { leaves: 1, worth: 1 };
        }
        let worth = if parameters.fill { playouts_by_cost(self.game.step_cost(), totals) } else { 1 };
        let mut most =
            if parameters.fill { parameters.batch.min((lanes / worth).max(1)) } else { parameters.batch };
        // Where nothing is learnt from results, nothing is lost by getting them late.
        if parameters.selection != Selection::Uniform
            && let Some(all) = budget.simulations
        {
            let part = (all / u64::from(parameters.sweeps)).clamp(1, u64::from(most)) as u32;
            // Idle lanes are shared evenly by a power of two.
            most = if parameters.fill { 1 << part.ilog2() } else { part };
        }
        let (visits, _) = tree.node(tree.root()).visits();
        let mut leaves = visits / parameters.ramp;
        if parameters.ramp_by_time && budget.simulations.is_none() {
            let ramp = quick_ramp(parameters.ramp, to_come);
            most = larger_batch(most, lanes, to_come);
            // Each move is tried once before any is tried again, whatever the results are.
            leaves = ((f64::from(visits) / ramp) as u32).max(tree.untried_at_root());
        }
        let leaves = leaves.clamp(1, most);
        let leaves = left.map_or(leaves, |left| leaves.min(left.min(1 << 20) as u32)).max(1);
        Size { leaves, worth }
    }
}

/// The part of the visits so far that a batch has, where there is room for so many: with few to come it grows
/// faster, or the time would be over before lanes are in use.
fn quick_ramp(ramp: u32, to_come: Option<f64>) -> f64 {
    let usual = f64::from(ramp);
    to_come.map_or(usual, |batches| (batches / BATCHES_A_RAMP).clamp(1.0, usual.max(1.0)))
}

/// How many leaves a batch has at most, where there is room for so many: with few to come each lane has a leaf of
/// its own, as there will not be enough of them for second playouts to be worth more.
fn larger_batch(most: u32, lanes: u32, to_come: Option<f64>) -> u32 {
    let times = to_come.map_or(1.0, |batches| (MANY_BATCHES / batches.max(1.0)).max(1.0));
    ((f64::from(most) * times) as u32).min(lanes).max(most)
}

/// How many playouts each leaf is worth where lanes are cheap.
fn playouts_by_cost(step_cost: f64, totals: Totals) -> u32 {
    if totals.playouts == 0 {
        return 1;
    }
    let playout_cost = step_cost * totals.steps as f64 / totals.playouts as f64;
    // A playout of no steps costs nothing, one of unknown cost too much.
    let worth = (LEAF_COST / playout_cost).min(f64::from(MOST_BY_COST)) as u32;
    1 << worth.max(1).ilog2()
}

/// How many playouts each leaf has in a batch with some visits to play out: more than one where that
/// costs little, or lanes would be idle.
pub(super) fn playouts(parameters: &Parameters, lanes: usize, worth: u32, visits: u32) -> u32 {
    if !parameters.fill || parameters.batch == 1 {
        return parameters.playouts_per_leaf;
    }
    let visits = visits.max(1);
    let idle = lanes.min(FREE_LANES) as u32 / visits;
    let spare = idle.max(worth.min(lanes as u32 / visits)).max(1);
    // A power of two, so that the leaves share the lanes evenly.
    parameters.playouts_per_leaf.max(1 << spare.ilog2())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cheap_playouts_are_made_several_at_a_time() {
        let played = |playouts, steps| Totals { playouts, steps, ..Totals::default() };
        assert_eq!(playouts_by_cost(2.0, played(0, 0)), 1);
        assert_eq!(playouts_by_cost(2.0, played(10, 0)), 4);
        assert_eq!(playouts_by_cost(2.0, played(10, 210)), 4);
        assert_eq!(playouts_by_cost(1.5, played(10, 550)), 2);
        assert_eq!(playouts_by_cost(13.0, played(10, 600)), 1);
        assert_eq!(playouts_by_cost(f64::INFINITY, played(10, 600)), 1);
        assert_eq!(playouts_by_cost(0.0, played(10, 600)), 4);
    }

    #[test]
    fn batches_grow_faster_where_few_are_to_come() {
        assert_eq!(quick_ramp(16, None), 16.0);
        assert_eq!(quick_ramp(16, Some(4_000.0)), 16.0);
        assert_eq!(quick_ramp(16, Some(200.0)), 8.0);
        assert_eq!(quick_ramp(16, Some(10.0)), 1.0);
        assert_eq!(quick_ramp(1, Some(10.0)), 1.0);
        assert_eq!(larger_batch(128, 512, None), 128);
        assert_eq!(larger_batch(128, 512, Some(1_000.0)), 128);
        assert_eq!(larger_batch(128, 512, Some(200.0)), 256);
        assert_eq!(larger_batch(128, 512, Some(10.0)), 512);
        assert_eq!(larger_batch(128, 64, Some(10.0)), 128);
    }

    #[test]
    fn idle_lanes_are_shared_evenly() {
        let filled = Parameters::default();
        assert_eq!(playouts(&filled, 512, 1, 0), 256);
        assert_eq!(playouts(&filled, 64, 1, 0), 64);
        assert_eq!(playouts(&filled, 512, 1, 3), 64);
        assert_eq!(playouts(&filled, 512, 1, 256), 1);
        assert_eq!(playouts(&filled, 512, 4, 128), 4);
        assert_eq!(playouts(&filled, 512, 4, 150), 2);
        assert_eq!(playouts(&filled, 512, 1, 700), 1);
        assert_eq!(playouts(&Parameters { playouts_per_leaf: 8, ..filled.clone() }, 512, 1, 256), 8);
        assert_eq!(playouts(&Parameters { fill: false, ..filled.clone() }, 512, 4, 3), 1);
        assert_eq!(playouts(&Parameters { batch: 1, ..filled }, 512, 4, 1), 1);
    }
}
