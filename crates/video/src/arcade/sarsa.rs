//! SARSA with eligibility traces and linear features of the memory: learns without looking ahead.

use game::Dice;

use super::{Emulator, EmulatorError, MEMORY_BYTES, Memory};

/// The bits of the memory, and one feature that is always there.
const FEATURES: usize = MEMORY_BYTES * 8 + 1;

/// A learner (Bellemare et al., The Arcade Learning Environment, 2013; memory as features).
#[derive(Clone, Debug)]
pub struct Sarsa {
    weights: Vec<f64>,
    traces: Vec<f64>,
    actions: usize,
    /// How much a new experience counts.
    pub rate: f64,
    /// What is worth an action later.
    pub discount: f64,
    /// How fast it is forgotten what led here.
    pub fading: f64,
    /// How likely it does anything.
    pub chance: f64,
}

/// The features that are there, by their numbers.
fn features(memory: &Memory) -> Vec<usize> {
    let bits = (0..MEMORY_BYTES * 8).filter(|bit| memory[bit / 8] >> (bit % 8) & 1 == 1);
    bits.chain([FEATURES - 1]).collect()
}

impl Sarsa {
    /// A learner that knows nothing, with the paper's constants.
    pub fn new(actions: usize) -> Self {
        let size = FEATURES * actions;
        let (weights, traces) = (vec![0.0; size], vec![0.0; size]);
        Self { weights, traces, actions, rate: 0.1, discount: 0.999, fading: 0.9, chance: 0.05 }
    }

    fn worth(&self, features: &[usize], action: usize) -> f64 {
        features.iter().map(|feature| self.weights[action * FEATURES + feature]).sum()
    }

    fn choose(&self, features: &[usize], dice: &mut Dice) -> usize {
        if dice.unit() < self.chance {
            return dice.below(self.actions);
        }
        let worth: Vec<f64> = (0..self.actions).map(|action| self.worth(features, action)).collect();
        let most = worth.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let best: Vec<usize> = (0..self.actions).filter(|&action| worth[action] >= most).collect();
        best.get(dice.below(best.len())).copied().unwrap_or(0)
    }

    /// Plays a game to its end, or so many actions of it, and learns. Gives the score.
    pub fn episode(
        &mut self,
        emulator: &mut dyn Emulator,
        frames: u32,
        most: u32,
        dice: &mut Dice,
    ) -> Result<f64, EmulatorError> {
        emulator.reset()?;
        self.traces.fill(0.0);
        let mut here = features(&emulator.memory()?);
        let mut action = self.choose(&here, dice);
        let mut score = 0.0;
        for _ in 0..most {
            let step = emulator.act(action, frames)?;
            score += step.reward;
            let there = features(&emulator.memory()?);
            let next = self.choose(&there, dice);
            let target = step.reward + if step.over { 0.0 } else { self.discount * self.worth(&there, next) };
            let error = target - self.worth(&here, action);
            for trace in &mut self.traces {
                *trace *= self.discount * self.fading;
            }
            // Features share the step, so that many of them do not make it too large.
            for feature in &here {
                self.traces[action * FEATURES + feature] = 1.0;
            }
            let step_size = self.rate / here.len() as f64;
            for (weight, trace) in self.weights.iter_mut().zip(&self.traces) {
                *weight += step_size * error * trace;
            }
            (here, action) = (there, next);
            if step.over {
                break;
            }
        }
        Ok(score)
    }
}

#[cfg(test)]
mod tests {
    use super::super::line::Line;
    use super::*;

    #[test]
    fn practice_makes_it_faster() {
        let mut line = Line::default();
        let mut sarsa = Sarsa::new(3);
        (sarsa.rate, sarsa.discount, sarsa.chance) = (0.5, 0.95, 0.1);
        let mut dice = Dice::new(4);
        for _ in 0..200 {
            sarsa.episode(&mut line, 1, 200, &mut dice).expect("plays");
        }
        sarsa.chance = 0.0;
        assert_eq!(sarsa.episode(&mut line, 1, 8, &mut dice), Ok(1.0), "straight to the prize");
    }
}
