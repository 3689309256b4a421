//! Games of a console behind an emulator: no rules and no sprites, only 128 bytes of memory, rewards, and
//! states that can be saved and gone back to.
//!
//! An [`Emulator`] is whatever speaks to one; planners look ahead in it for an [`Objective`], and
//! [`Sarsa`] learns without looking ahead.

mod lexicographic;
mod objective;
mod planner;
mod sarsa;

pub use lexicographic::Lexicographic;
pub use objective::{OBJECTIVES, Objective, ObjectiveRow};
pub use planner::{PLANNERS, PlannerRow, Search};
pub use sarsa::Sarsa;

/// Bytes of memory that a game has.
pub const MEMORY_BYTES: usize = 128;

/// The memory of a game.
pub type Memory = [u8; MEMORY_BYTES];

/// A state that was saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SavedId(pub u32);

/// What some frames brought.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Step {
    /// Points.
    pub reward: f64,
    /// Whether the game is over.
    pub over: bool,
}

/// The emulator does not answer, or says why it cannot.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the emulator failed: {0}")]
pub struct EmulatorError(pub String);

/// A game in an emulator.
pub trait Emulator {
    /// How many actions there are; they are numbers from 0 on.
    fn actions(&self) -> usize;
    /// Holds an action for some frames, or until the game is over.
    fn act(&mut self, action: usize, frames: u32) -> Result<Step, EmulatorError>;
    /// Saves the state.
    fn save(&mut self) -> Result<SavedId, EmulatorError>;
    /// Goes back to a saved state.
    fn restore(&mut self, saved: SavedId) -> Result<(), EmulatorError>;
    /// Forgets a saved state.
    fn forget(&mut self, saved: SavedId) -> Result<(), EmulatorError>;
    /// The memory.
    fn memory(&mut self) -> Result<Memory, EmulatorError>;
    /// Starts the game anew.
    fn reset(&mut self) -> Result<(), EmulatorError>;
}

/// A game small enough to know everything about it: a walk along a line with a prize at one end.
#[cfg(test)]
pub(crate) mod line {
    use super::*;

    #[derive(Debug, Default)]
    pub(crate) struct Line {
        place: u8,
        taken: bool,
        saved: Vec<(u8, bool)>,
    }

    pub(crate) const PRIZE: u8 = 6;

    impl Emulator for Line {
        fn actions(&self) -> usize {
            3
        }

        fn act(&mut self, action: usize, frames: u32) -> Result<Step, EmulatorError> {
            let mut step = Step::default();
            for _ in 0..frames {
                self.place = match action {
                    1 => (self.place + 1).min(PRIZE),
                    2 => self.place.saturating_sub(1),
                    _ => self.place,
                };
                if self.place == PRIZE && !self.taken {
                    self.taken = true;
                    step.reward += 1.0;
                }
            }
            step.over = self.taken;
            Ok(step)
        }

        fn save(&mut self) -> Result<SavedId, EmulatorError> {
            self.saved.push((self.place, self.taken));
            Ok(SavedId(self.saved.len() as u32 - 1))
        }

        fn restore(&mut self, saved: SavedId) -> Result<(), EmulatorError> {
            (self.place, self.taken) = self.saved[saved.0 as usize];
            Ok(())
        }

        fn forget(&mut self, _: SavedId) -> Result<(), EmulatorError> {
            Ok(())
        }

        fn memory(&mut self) -> Result<Memory, EmulatorError> {
            let mut memory = [0; MEMORY_BYTES];
            memory[3] = self.place;
            memory[9] = u8::from(self.taken);
            Ok(memory)
        }

        fn reset(&mut self) -> Result<(), EmulatorError> {
            (self.place, self.taken) = (0, false);
            Ok(())
        }
    }
}
