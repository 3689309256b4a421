//! The paths down of a batch.
//!
//! They are kept as a tree of steps: what many paths have in common is one step, gone as often as they
//! are many. So the upper part of the search tree is read, marked and brought up to date once a batch,
//! not once a playout.

use super::tree::NodeId;

/// Some visits going on from a node by one move of each role that chooses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) node: NodeId,
    /// The step before, if any. It always has a lower number.
    pub(crate) before: Option<StepId>,
    /// How many visits go this context.
    pub(crate) visits: u32,
    first_place: u32,
    places: u16,
}

/// A step by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StepId(u32);

impl StepId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// What is to be done at the end of a path down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// A new node: its position is to be worked out and played out.
    New,
    /// A node that was played out before: its moves are to be listed, then one more step.
    Unlisted,
    /// A node whose moves are being listed, for another path down of this batch or by another thread.
    Waiting,
    /// A node that is to be played out once more.
    Again,
    /// All is known there.
    Proven,
    /// It leads nowhere now: someone else is at work there, or there is no room.
    Nowhere,
}

/// The end of a path down, for as many visits as came there together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leaf {
    pub(crate) node: NodeId,
    pub(crate) end: End,
    pub(crate) visits: u32,
    /// The last step, if it is not the root.
    pub(crate) step: Option<StepId>,
    /// Steps from the root.
    pub(crate) depth: u32,
}

impl Leaf {
    /// Whether it is to be played out.
    pub(crate) fn is_played(&self) -> bool {
        matches!(self.end, End::New | End::Again)
    }
}

/// All paths down of a batch.
#[derive(Debug, Default)]
pub(crate) struct Paths {
    steps: Vec<Step>,
    /// Places of moves: the mover's, or those of all roles.
    places: Vec<u32>,
    has_joint_moves: bool,
}

impl Paths {
    pub(crate) fn clear(&mut self) {
        self.steps.clear();
        self.places.clear();
        self.has_joint_moves = false;
    }

    /// Whether there is a step where several roles choose.
    pub(crate) fn has_joint_moves(&self) -> bool {
        self.has_joint_moves
    }

    pub(crate) fn len(&self) -> usize {
        self.steps.len()
    }

    pub(crate) fn push(
        &mut self,
        node: NodeId,
        before: Option<StepId>,
        visits: u32,
        places: &[u32],
    ) -> StepId {
        let first_place = self.places.len() as u32;
        self.places.extend_from_slice(places);
        self.has_joint_moves |= places.len() > 1;
        self.steps.push(Step { node, before, visits, first_place, places: places.len() as u16 });
        StepId(self.steps.len() as u32 - 1)
    }

    pub(crate) fn step(&self, id: StepId) -> &Step {
        &self.steps[id.index()]
    }

    pub(crate) fn step_mut(&mut self, id: StepId) -> &mut Step {
        &mut self.steps[id.index()]
    }

    /// The places of the moves of a step: the mover's, or those of all roles.
    pub(crate) fn places(&self, step: &Step) -> &[u32] {
        &self.places[step.first_place as usize..][..usize::from(step.places)]
    }

    /// A step and those before it, up to the root.
    pub(crate) fn up(&self, from: Option<StepId>) -> impl Iterator<Item = StepId> {
        std::iter::successors(from, |&id| self.step(id).before)
    }

    /// All steps, each before those that follow it.
    pub(crate) fn in_order(&self) -> impl Iterator<Item = &Step> {
        self.steps.iter()
    }

    /// All steps, each after those that follow it.
    pub(crate) fn last_first(&self) -> impl Iterator<Item = StepId> {
        (0..self.steps.len() as u32).rev().map(StepId)
    }
}
