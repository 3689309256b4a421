//! Features-to-action sampling (Finnsson and Björnsson 2010): what pieces are worth on the squares of a board is
//! learnt by temporal differences, and moves are drawn by what they lead to.
//!
//! Facts that look like the squares of a board are found by their texts: a relation of three or more arguments
//! of which several facts are true at the start, the last argument being the piece. Where no relation does,
//! every fact is a feature. The value of a state to a role is the sum of the weights of its features; after each
//! simulation TD(lambda) moves the weights so that each state is worth what the next one is, and the last one the
//! goal. A move is worth what the state after it is, and is drawn by Gibbs sampling.

use std::sync::Arc;

use engine::{Settings, Typed};
use game::{Choice, Context, ContextWorth, FactId, MoveId, MoveRecord, RoleId, Sampler};
use parking_lot::RwLock;
use rustc_hash::FxHashMap;

use super::mast::TAU;
use super::{FactNames, Guide, Needs, Policy, PolicyRow, Sequence, Style, StyleWeights};

pub(super) const ROW: PolicyRow = PolicyRow {
    name: "fast",
    help: "moves to states whose pieces stand well, as learnt by temporal differences, by Gibbs sampling",
    source: "Finnsson and Björnsson 2010",
    parameters: || vec![TAU.row(), LAMBDA.row(), RATE.row()],
    make: |settings| Box::new(Fast::new(settings)),
};

static LAMBDA: Typed<f64> = Typed::<f64>::real(
    "fast_lambda",
    0.9,
    0.0,
    1.0,
    "ours",
    "how far back an error is blamed on states before it",
);

static RATE: Typed<f64> =
    Typed::<f64>::real("fast_rate", 0.05, 0.0, 1.0, "ours", "by what part of an error the weights change");

/// Arguments that a square of a board has at least: two of its place, and the piece.
const ARGUMENTS: usize = 3;

/// Squares that there are on a board at least.
const FEWEST_SQUARES: usize = 4;

/// What a state is worth before anything is learnt.
const START: f64 = 50.0;

/// The weights of features, by role.
#[derive(Debug, Default)]
struct Weights {
    roles: Vec<FxHashMap<FactId, f64>>,
}

impl Weights {
    fn value(&self, role: usize, facts: &[FactId]) -> f64 {
        let Some(weights) = self.roles.get(role) else { return START };
        let sum: f64 = facts.iter().filter_map(|fact| weights.get(fact)).sum();
        START + sum
    }

    /// Learns from the states of a simulation: TD(lambda), all changes by the weights of before.
    fn learn(&mut self, role: usize, states: &[Vec<FactId>], goal: f64, lambda: f64, rate: f64) {
        if self.roles.len() <= role {
            self.roles.resize_with(role + 1, FxHashMap::default);
        }
        let values: Vec<f64> = states.iter().map(|facts| self.value(role, facts)).collect();
        // What is blamed on each state: the errors from there on, less with every step.
        let mut blame = 0.0;
        for (step, facts) in states.iter().enumerate().rev() {
            let next = values.get(step + 1).copied().unwrap_or(goal);
            blame = next - values[step] + lambda * blame;
            let change = rate * blame / facts.len().max(1) as f64;
            for &fact in facts {
                *self.roles[role].entry(fact).or_default() += change;
            }
        }
    }
}

#[derive(Debug)]
struct Fast {
    weights: Arc<RwLock<Weights>>,
    temperature: f32,
    lambda: f64,
    rate: f64,
    /// The relation of the squares, with the number of its arguments, once a state was met: none where every
    /// fact is a feature.
    board: Option<Option<(String, usize)>>,
    /// Which facts are features, as far as they were met.
    features: FxHashMap<FactId, bool>,
}

impl Fast {
    fn new(settings: &Settings) -> Self {
        Self {
            weights: Arc::default(),
            temperature: settings.of(&TAU) as f32,
            lambda: settings.of(&LAMBDA),
            rate: settings.of(&RATE),
            board: None,
            features: FxHashMap::default(),
        }
    }

    /// Which facts of a state are features.
    fn features_of(&mut self, facts: &[FactId], names: Option<&dyn FactNames>) -> Vec<FactId> {
        let Some(names) = names else { return facts.to_vec() };
        let found = || board_of(&facts.iter().map(|&fact| names.text(fact)).collect::<Vec<_>>());
        let Some(board) = self.board.get_or_insert_with(found) else { return facts.to_vec() };
        let features = &mut self.features;
        let mut is_feature = |fact: &FactId| {
            *features.entry(*fact).or_insert_with(|| {
                let text = names.text(*fact);
                shape(&text) == (board.0.as_str(), board.1)
            })
        };
        facts.iter().copied().filter(|fact| is_feature(fact)).collect()
    }
}

/// The relation of a fact, and how many arguments it has: functions inside count as one.
fn shape(text: &str) -> (&str, usize) {
    let inner = text.trim().trim_start_matches('(');
    let name = inner.split([' ', ')']).next().unwrap_or("");
    let (mut depth, mut arguments, mut is_inside) = (0, 0, false);
    for symbol in inner[name.len()..].chars() {
        match symbol {
            '(' => {
                arguments += usize::from(depth == 0);
                depth += 1;
            }
            ')' => depth -= 1,
            ' ' => is_inside = false,
            _ if depth == 0 && !is_inside => {
                arguments += 1;
                is_inside = true;
            }
            _ => {}
        }
        if depth < 0 {
            break;
        }
    }
    (name, arguments)
}

/// The relation that looks most like the squares of a board, among the facts of a state.
fn board_of(texts: &[String]) -> Option<(String, usize)> {
    let mut counts: FxHashMap<(&str, usize), usize> = FxHashMap::default();
    texts.iter().map(|text| shape(text)).for_each(|shape| *counts.entry(shape).or_default() += 1);
    let boards = counts
        .into_iter()
        .filter(|((_, arguments), count)| *arguments >= ARGUMENTS && *count >= FEWEST_SQUARES);
    let best = boards.max_by(|one, other| one.1.cmp(&other.1).then(other.0.cmp(&one.0)))?;
    Some((best.0.0.to_owned(), best.0.1))
}

impl Policy for Fast {
    fn needs(&self) -> Needs {
        Needs { sequences: true, facts: true, ..Needs::default() }
    }

    fn learn_playouts(&mut self, _: &MoveRecord) {}

    fn learn_move(&mut self, _: RoleId, _: MoveId, _: u32, _: f64) {}

    fn learn_sequence(&mut self, sequence: &Sequence<'_>) {
        let steps = 0..sequence.joints().count();
        let states: Vec<Vec<FactId>> =
            steps.map(|step| self.features_of(sequence.facts.get(step), sequence.names)).collect();
        let mut weights = self.weights.write();
        for (role, goal) in sequence.goals.iter().enumerate() {
            weights.learn(role, &states, f64::from(goal.0), self.lambda, self.rate);
        }
    }

    fn guide(&mut self) -> Guide {
        Guide::None
    }

    fn style(&mut self) -> Style {
        let worth = NextWorth { weights: Arc::clone(&self.weights) };
        Style {
            weights: StyleWeights::InContext(Context::NextStates, Arc::new(worth)),
            sampler: Sampler::Gibbs { temperature: self.temperature },
        }
    }

    fn end_batch(&mut self, _: u64) {}

    fn age(&mut self) {}
}

/// What moves lead to.
#[derive(Debug)]
struct NextWorth {
    weights: Arc<RwLock<Weights>>,
}

impl ContextWorth for NextWorth {
    fn worth(&self, choice: &Choice<'_>, worth: &mut Vec<f32>) {
        let Some(ahead) = choice.ahead else { return };
        let weights = self.weights.read();
        let mut facts = Vec::new();
        for place in 0..choice.legal.len() {
            ahead.facts(place, &mut facts);
            worth.push(weights.value(usize::from(choice.role.0), &facts) as f32);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_are_found_by_their_shape() {
        assert_eq!(shape("(cell 1 2 white)"), ("cell", 3));
        assert_eq!(shape("(cell (at 1 2) white)"), ("cell", 2));
        assert_eq!(shape("over"), ("over", 0));
        let texts: Vec<String> = (1..5).map(|column| format!("(cell {column} 1 empty)")).collect();
        assert_eq!(board_of(&texts), Some(("cell".to_owned(), 3)));
        assert_eq!(board_of(&texts[..3]), None);
    }

    #[test]
    fn weights_move_by_temporal_differences() {
        let mut weights = Weights::default();
        let states = [vec![FactId(1)], vec![FactId(2), FactId(3)]];
        // Both states are worth 50 before. The last is wrong by 100 - 50, the first by 0 and half of that.
        weights.learn(0, &states, 100.0, 0.5, 0.1);
        assert_eq!(weights.value(0, &states[1]), 55.0, "a tenth of 50, shared by two facts");
        assert_eq!(weights.value(0, &states[0]), 52.5);
        assert_eq!(weights.value(1, &states[0]), START);
        // Now 55 - 52.5 and half of 45 are blamed on the first.
        weights.learn(0, &states, 100.0, 0.5, 0.1);
        assert_eq!(weights.value(0, &states[1]), 59.5);
        assert_eq!(weights.value(0, &states[0]), 52.5 + 0.1 * (2.5 + 22.5));
    }
}
