//! The way to a state that is being looked at, depth first.

use game::MoveId;
use machine::circuit::CircuitState;

use crate::eye::Eye;

/// The states from the start on, each with the moves that are still to be tried there.
#[derive(Debug, Default)]
pub(crate) struct Path {
    frames: Vec<Frame>,
}

#[derive(Debug)]
struct Frame {
    state: CircuitState,
    /// The last one is tried first.
    moves: Vec<MoveId>,
    current: Option<MoveId>,
}

impl Path {
    /// Bytes of a step beside its state: a few moves and what holds them.
    pub(crate) const STEP_BYTES: usize = size_of::<Frame>() + 64;

    pub(crate) fn len(&self) -> usize {
        self.frames.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    pub(crate) fn clear(&mut self) {
        self.frames.clear();
    }

    /// Goes on to a state whose moves are to be tried, the last one first.
    pub(crate) fn push(&mut self, state: CircuitState, moves: Vec<MoveId>) {
        self.frames.push(Frame { state, moves, current: None });
    }

    /// The moves that are being tried.
    pub(crate) fn line(&self) -> Vec<MoveId> {
        self.frames.iter().filter_map(|frame| frame.current).collect()
    }

    /// The state after the next move to be tried; without one it goes back a step.
    pub(crate) fn step(&mut self, eye: &mut Eye) -> Option<CircuitState> {
        let frame = self.frames.last_mut()?;
        let Some(id) = frame.moves.pop() else {
            self.frames.pop();
            return None;
        };
        frame.current = Some(id);
        eye.step(&frame.state, id)
    }
}
