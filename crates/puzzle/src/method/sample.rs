//! Playouts that learn: hundreds side by side under one policy, which is bent towards the best of
//! them again and again (after Rosin, "Nested rollout policy adaptation for Monte Carlo tree
//! search", 2011; one level, with the playouts of a batch in place of the inner levels).

use std::sync::Arc;
use std::time::Duration;

use game::{Dice, Goal, MoveId};

use super::{Method, Progress};
use crate::lanes::{Lanes, Look};
use crate::{Search, Space};

/// Playouts side by side.
const PLAYOUTS: usize = 256;
/// Playouts longer than this are given up.
const MOST_STEPS: usize = 1_000;
/// How strongly the best playout bends the policy.
const LEARNING: f32 = 1.0;
/// After so many batches without anything better a new policy is begun.
const PATIENCE: usize = 20;

/// A playout: for each step the move that was made and all that were legal.
type Line = Vec<(MoveId, Vec<MoveId>)>;

/// Playouts that learn.
#[derive(Debug)]
pub struct Sample {
    space: Arc<Space>,
    lanes: Lanes,
    dice: Dice,
    /// The weight of each move, if `by_step` of each move at each step.
    policy: Vec<f32>,
    by_step: bool,
    /// The best playout under this policy.
    best: Option<(Goal, Line)>,
    stale: usize,
    restarts: usize,
    look: Look,
}

impl Sample {
    /// Playouts with a seed.
    pub fn new(space: Arc<Space>, seed: u64) -> Self {
        Self {
            lanes: Lanes::new(space.batch()),
            dice: Dice::new(seed),
            policy: Vec::new(),
            by_step: false,
            best: None,
            stale: 0,
            restarts: 0,
            look: Look::default(),
            space,
        }
    }

    fn code(&self, step: usize, id: MoveId) -> usize {
        let moves = self.space.machine().move_numbers().count();
        if self.by_step { step * moves + id.0 as usize } else { id.0 as usize }
    }

    fn weight(&self, step: usize, id: MoveId) -> f32 {
        self.policy.get(self.code(step, id)).copied().unwrap_or(0.0)
    }

    /// Plays a batch and says what the best playout was: its goal, and for each step the move and
    /// all legal moves.
    fn play(&mut self, until: Duration, search: &Search<'_>) {
        let mut states = vec![self.space.start().clone(); PLAYOUTS];
        // Which playout each state belongs to.
        let mut playouts: Vec<usize> = (0..PLAYOUTS).collect();
        let mut lines: Vec<Line> = vec![Vec::new(); PLAYOUTS];
        let mut successors = Vec::new();
        for step in 0..MOST_STEPS {
            let mut look = std::mem::take(&mut self.look);
            self.lanes.look(&states, &mut look);
            for &(index, goal) in &look.ends {
                let line = &lines[playouts[index as usize]];
                search.offer("playouts that learn", goal, || line.iter().map(|(id, _)| *id).collect());
                if self.best.as_ref().is_none_or(|(best, _)| goal > *best) {
                    self.best = Some((goal, line.clone()));
                    self.stale = 0;
                }
            }
            // One step for each state: draw among its moves.
            let mut chosen = Vec::new();
            let mut now = Vec::new();
            for steps in look.steps.chunk_by(|first, second| first.0 == second.0) {
                let legal: Vec<MoveId> = steps.iter().map(|step| step.1).collect();
                let picked = steps[self.draw(step, &legal)];
                let playout = playouts[picked.0 as usize];
                lines[playout].push((picked.1, legal));
                chosen.push(picked);
                now.push(playout);
            }
            self.look = look;
            if chosen.is_empty() || search.is_over(until) {
                return;
            }
            self.lanes.advance(&states, &chosen, &mut successors);
            std::mem::swap(&mut states, &mut successors);
            playouts = now;
        }
    }

    fn draw(&mut self, step: usize, legal: &[MoveId]) -> usize {
        if self.policy.is_empty() || legal.len() == 1 {
            return self.dice.below(legal.len());
        }
        let weights: Vec<f32> = legal.iter().map(|&id| self.weight(step, id).exp()).collect();
        let mut rest = self.dice.unit() as f32 * weights.iter().sum::<f32>();
        for (index, weight) in weights.iter().enumerate() {
            rest -= weight;
            if rest < 0.0 {
                return index;
            }
        }
        legal.len() - 1
    }

    /// Bends the policy towards the best playout.
    fn learn(&mut self) {
        let Some((goal, line)) = self.best.take() else { return };
        let before = self.policy.clone();
        let old = |code: usize| before.get(code).copied().unwrap_or(0.0);
        for (step, (id, legal)) in line.iter().enumerate() {
            let sum: f32 = legal.iter().map(|&other| old(self.code(step, other)).exp()).sum();
            for &other in legal {
                let code = self.code(step, other);
                if code >= self.policy.len() {
                    self.policy.resize(code + 1, 0.0);
                }
                self.policy[code] -= LEARNING * old(code).exp() / sum;
            }
            let code = self.code(step, *id);
            self.policy[code] += LEARNING;
        }
        self.best = Some((goal, line));
    }
}

impl Method for Sample {
    fn name(&self) -> &'static str {
        "playouts that learn"
    }

    fn work(&mut self, until: Duration, search: &Search<'_>) -> Progress {
        while !search.is_over(until) {
            self.stale += 1;
            self.play(until, search);
            self.learn();
            // Each time more patient: long lines take long to learn.
            if self.stale > PATIENCE * (1 + self.restarts / 4) {
                self.restarts += 1;
                self.stale = 0;
                self.policy.clear();
                self.best = None;
                // Some games reward certain moves, others a certain order.
                self.by_step = self.restarts % 2 == 1;
            }
        }
        Progress::Working
    }
}
