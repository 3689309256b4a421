//! What a person does with the keys of a keyboard.

use std::collections::VecDeque;

use vgdl::{Action, KeyHandling};

/// Presses that wait, in games in which each counts by itself.
const WAITING: usize = 16;

/// Keys as they are pressed and let go, and the action that they mean in a tick.
#[derive(Clone, Debug)]
pub struct Keys {
    handling: KeyHandling,
    /// Those that are held, the last one pressed at the end.
    held: Vec<Action>,
    /// Those that were pressed since the last tick, or that wait for theirs.
    pressed: VecDeque<Action>,
}

impl Keys {
    /// Keys of which none is pressed.
    pub fn new(handling: KeyHandling) -> Self {
        Self { handling, held: Vec::new(), pressed: VecDeque::new() }
    }

    /// A key is pressed and held.
    pub fn press(&mut self, action: Action) {
        if self.held.contains(&action) {
            // The keyboard repeats what is held.
            return;
        }
        self.held.push(action);
        self.tap(action);
    }

    /// A key is let go.
    pub fn release(&mut self, action: Action) {
        self.held.retain(|held| *held != action);
    }

    /// A key is pressed, and nobody will tell when it is let go.
    pub fn tap(&mut self, action: Action) {
        if self.pressed.len() < WAITING {
            self.pressed.push_back(action);
        }
    }

    /// All keys are let go.
    pub fn clear(&mut self) {
        self.held.clear();
        self.pressed.clear();
    }

    /// The action of the tick that comes. Where presses count by themselves each has a tick of its own; else
    /// what was pressed last, if only for a moment, or what is held.
    pub fn take(&mut self) -> Action {
        match self.handling {
            KeyHandling::Pulse => self.pressed.pop_front().unwrap_or_default(),
            KeyHandling::Held => {
                let last = self.pressed.pop_back();
                self.pressed.clear();
                last.or(self.held.last().copied()).unwrap_or_default()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn held_keys_go_on_and_pulses_count_once() {
        let mut keys = Keys::new(KeyHandling::Held);
        keys.press(Action::Left);
        keys.press(Action::Up);
        assert_eq!([keys.take(), keys.take()], [Action::Up; 2]);
        keys.release(Action::Up);
        keys.press(Action::Use);
        keys.release(Action::Use);
        assert_eq!([keys.take(), keys.take()], [Action::Use, Action::Left], "a touch counts for a tick");
        keys.clear();
        assert_eq!(keys.take(), Action::Nil);
        let mut keys = Keys::new(KeyHandling::Pulse);
        [Action::Left, Action::Left, Action::Up].iter().for_each(|&action| keys.press(action));
        assert_eq!([keys.take(), keys.take(), keys.take()], [Action::Left, Action::Up, Action::Nil]);
        (0..40).for_each(|_| keys.tap(Action::Up));
        assert_eq!((0..40).filter(|_| keys.take() == Action::Up).count(), WAITING);
    }
}
