//! Leaves, many at a time: all children of a position in one call of the evaluator, or all children of all its
//! children.

use std::sync::Arc;

use engine::Evaluator;
use game::{RoleId, RuleFault, Simulator};

use crate::children::{Children, Interrupted, Joints, Outlook, Positions, best_of};
use crate::value::{Discount, Found, Proven, sane};

/// Asks an evaluator for one role.
pub(crate) struct Estimator<State> {
    pub(crate) evaluator: Arc<dyn Evaluator<State>>,
    values: Vec<f64>,
    /// How many states were asked for, in how many calls.
    pub(crate) states: u64,
    pub(crate) calls: u64,
}

impl<State> Estimator<State> {
    pub(crate) fn new(evaluator: Arc<dyn Evaluator<State>>) -> Self {
        Self { evaluator, values: Vec::new(), states: 0, calls: 0 }
    }

    /// What positions are worth, those where the game is over too.
    fn estimate(
        &mut self,
        states: &[State],
        outlooks: &[Outlook],
        roles: usize,
        role: RoleId,
        found: &mut Vec<Found>,
    ) -> Result<(), RuleFault> {
        let open: Vec<&State> = states
            .iter()
            .zip(outlooks)
            .filter(|(_, outlook)| **outlook == Outlook::Open)
            .map(|both| both.0)
            .collect();
        self.values.clear();
        self.values.resize(open.len() * roles, 0.0);
        if !open.is_empty() {
            self.evaluator.evaluate(&open, &mut self.values)?;
            self.states += open.len() as u64;
            self.calls += 1;
        }
        let mut values = self.values.chunks(roles.max(1)).map(|values| values[usize::from(role.0)]);
        found.clear();
        found.extend(outlooks.iter().map(|outlook| {
            outlook.found().unwrap_or_else(|| {
                let value = sane(values.next().unwrap_or(f64::NAN));
                Found { value, proven: Proven::NOTHING }
            })
        }));
        Ok(())
    }

    /// What the children of a position are worth.
    pub(crate) fn estimate_children(
        &mut self,
        children: &mut Children<State>,
        roles: usize,
        role: RoleId,
    ) -> Result<(), RuleFault> {
        let Children { positions, found, .. } = children;
        self.estimate(&positions.states, &positions.outlooks, roles, role, found)
    }
}

/// Room for the children of all children of a position.
#[derive(Debug)]
pub(crate) struct Bundle<State> {
    joints: Vec<Joints>,
    positions: Positions<State>,
    found: Vec<Found>,
}

impl<State> Default for Bundle<State> {
    fn default() -> Self {
        Self { joints: Vec::new(), positions: Positions::default(), found: Vec::new() }
    }
}

/// How many leaves two steps away there are.
pub(crate) fn leaves<State>(children: &Children<State>) -> u64 {
    let Children { positions, .. } = children;
    let open = positions.outlooks.iter().zip(positions.expansions.iter());
    let counts =
        open.filter(|(outlook, _)| **outlook == Outlook::Open).map(|(_, choices)| choices.joint_count());
    counts.fold(0, u64::saturating_add)
}

impl<State: Clone + Send + Sync + 'static> Bundle<State> {
    /// Works out what each child is worth by what it leads to; how many positions that took.
    pub(crate) fn judge<G: Simulator<State = State>>(
        &mut self,
        game: &G,
        workspace: &mut G::Workspace,
        estimator: &mut Estimator<State>,
        children: &mut Children<State>,
        (role, discount): (RoleId, Discount),
        is_over: &mut dyn FnMut() -> bool,
    ) -> Result<u64, Interrupted> {
        let Children { positions, found, .. } = children;
        let is_open = |place: &usize| positions.outlooks[*place] == Outlook::Open;
        let open: Vec<usize> = (0..positions.outlooks.len()).filter(is_open).collect();
        if self.joints.len() < open.len() {
            self.joints.resize_with(open.len(), Joints::default);
        }
        for (joints, &place) in self.joints.iter_mut().zip(&open) {
            joints.list(positions.expansions.get(place), role);
        }
        let from = open.iter().map(|&place| &positions.states[place]).zip(&self.joints);
        self.positions.follow(game, workspace, from, role, is_over)?;
        let Positions { states, outlooks, .. } = &self.positions;
        estimator.estimate(states, outlooks, game.role_count(), role, &mut self.found)?;
        self.found.iter_mut().for_each(|found| found.value = discount.before(found.value));
        found.clear();
        let nothing = Found { value: 0.0, proven: Proven::NOTHING };
        found.extend(positions.outlooks.iter().map(|outlook| outlook.found().unwrap_or(nothing)));
        let mut rest = &self.found[..];
        for (joints, &place) in self.joints.iter().zip(&open) {
            let (own, others) = rest.split_at(joints.len());
            found[place] = best_of(joints, own).0;
            rest = others;
        }
        Ok(self.found.len() as u64)
    }
}
