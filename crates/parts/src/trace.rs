//! How parts went, and what comes of it together.

use game::Dice;

use crate::halves::{Halves, MOST_PARTS};
use crate::verdict::{Sight, Sights, Verdicts};

/// What a value loses with every step to it, towards one half.
const DISCOUNT: f32 = 0.999;

/// What was seen of a part from a step on, again and again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Trace(Vec<(u32, Sight)>);

impl Trace {
    /// Notes what is seen from a step on.
    pub(crate) fn note(&mut self, step: u32, sight: Sight) {
        if self.0.last().is_none_or(|last| last.1 != sight) {
            self.0.push((step, sight));
        }
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}

/// The latest traces of a part.
#[derive(Debug, Default)]
pub(crate) struct Pool {
    traces: Vec<Trace>,
    oldest: usize,
}

/// So many are kept: what a tree plays now, not what it played when it was small.
const KEPT: usize = 512;

impl Pool {
    /// Adds a trace, in place of the oldest if there are enough.
    pub(crate) fn add(&mut self, trace: &Trace) {
        if self.traces.len() < KEPT {
            self.traces.push(trace.clone());
            return;
        }
        self.traces[self.oldest].0.clone_from(&trace.0);
        self.oldest = (self.oldest + 1) % KEPT;
    }

    pub(crate) fn clear(&mut self) {
        self.traces.clear();
        self.oldest = 0;
    }

    fn any(&self, dice: &mut Dice) -> &[(u32, Sight)] {
        self.traces.get(dice.below(self.traces.len())).map_or(&[], |trace| &trace.0)
    }
}

/// Adds to `values` what each role gets when a part goes like a trace and the others as they did lately, on average over so
/// many draws.
pub(crate) fn weigh(
    halves: &Halves,
    verdicts: &mut Verdicts,
    pools: &[Pool],
    (part, own): (usize, &Trace),
    (dice, draws): (&mut Dice, usize),
    values: &mut [f32],
) {
    values.fill(0.0);
    let mut all: [&[(u32, Sight)]; MOST_PARTS] = [&[]; MOST_PARTS];
    for _ in 0..draws {
        for (place, pool) in pools.iter().enumerate() {
            all[place] = if place == part { &own.0 } else { pool.any(dice) };
        }
        together(halves, verdicts, &all, values);
    }
    values.iter_mut().for_each(|value| *value /= draws as f32);
}

/// Adds what each role gets when the parts go like some traces.
fn together(
    halves: &Halves,
    verdicts: &mut Verdicts,
    traces: &[&[(u32, Sight)]; MOST_PARTS],
    values: &mut [f32],
) {
    let mut places = [0usize; MOST_PARTS];
    let mut sights: Sights = [0; MOST_PARTS];
    let begun = traces.iter().filter_map(|trace| trace.first()).map(|first| first.0).min().unwrap_or(0);
    let mut now = begun;
    loop {
        let next = traces.iter().zip(places).filter_map(|(trace, place)| trace.get(place));
        let next = next.map(|&(step, _)| step).min();
        let Some(step) = next else { break };
        now = step;
        for (part, trace) in traces.iter().enumerate() {
            if let Some(&(_, sight)) = trace.get(places[part]).filter(|(at, _)| *at == step) {
                sights[part] = sight;
                places[part] += 1;
            }
        }
        if verdicts.judge(halves, sights).0 {
            break;
        }
    }
    let kept = DISCOUNT.powi((now - begun) as i32);
    let (_, goals) = verdicts.judge(halves, sights);
    values.iter_mut().zip(goals).for_each(|(value, goal)| *value += 0.5 + (goal - 0.5) * kept);
}
