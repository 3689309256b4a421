//! Counting symbols: the statistical symbols counting of MiNI-Player.

use circuit::Circuit;
use rustc_hash::FxHashMap;

/// Simulations before anything is concluded.
const LEARNING: f64 = 200.0;
/// Weaker correlations do not count.
const LEAST_CORRELATION: f64 = 0.1;

/// How the numbers of facts of each relation, and of each symbol at each place of each relation, go
/// along with the score.
#[derive(Debug)]
pub(super) struct Symbols {
    /// For each fact the counts that it adds to.
    counted_in: Vec<Vec<u32>>,
    counts: Vec<Count>,
    /// Simulations, and the sums of their scores and of the squares.
    seen: f64,
    sum: f64,
    squares: f64,
    /// What each fact is worth.
    worth: Vec<f64>,
}

/// Sums over simulations of a count: itself, its square, and its product with the score.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    sum: f64,
    squares: f64,
    with_score: f64,
}

impl Symbols {
    pub(super) fn new(circuit: &Circuit) -> Self {
        let mut numbers: FxHashMap<(&str, usize, &str), u32> = FxHashMap::default();
        let mut counted_in = Vec::new();
        for fact in &circuit.bases {
            let symbols: Vec<&str> =
                fact.split(['(', ')', ' ']).filter(|symbol| !symbol.is_empty()).collect();
            let relation = symbols.first().copied().unwrap_or("");
            let mut number = |place, symbol| {
                let next = numbers.len() as u32;
                *numbers.entry((relation, place, symbol)).or_insert(next)
            };
            let mut all = vec![number(0, "")];
            all.extend(symbols.iter().enumerate().skip(1).map(|(place, symbol)| number(place, symbol)));
            counted_in.push(all);
        }
        let counts = vec![Count::default(); numbers.len()];
        let worth = vec![0.0; circuit.bases.len()];
        Self { counted_in, counts, seen: 0.0, sum: 0.0, squares: 0.0, worth }
    }

    /// Learns from a simulation: how often each fact was true in its states, and what it scored.
    pub(super) fn learn(&mut self, facts: &FxHashMap<u32, u32>, states: usize, score: f64) {
        let mut counts: FxHashMap<u32, f64> = FxHashMap::default();
        for (&fact, &times) in facts {
            for &count in &self.counted_in[fact as usize] {
                *counts.entry(count).or_default() += f64::from(times) / states.max(1) as f64;
            }
        }
        for (number, value) in counts {
            let count = &mut self.counts[number as usize];
            count.sum += value;
            count.squares += value * value;
            count.with_score += value * score;
        }
        self.seen += 1.0;
        self.sum += score;
        self.squares += score * score;
        if self.seen >= LEARNING && self.seen % LEARNING == 0.0 {
            self.conclude();
        }
    }

    /// Gives every fact its worth, by the correlations so far.
    fn conclude(&mut self) {
        let spread = |sum: f64, squares: f64| (squares - sum * sum / self.seen).max(0.0);
        let of_scores = spread(self.sum, self.squares);
        let weights: Vec<f64> = self
            .counts
            .iter()
            .map(|count| {
                let of_count = spread(count.sum, count.squares);
                let together = count.with_score - count.sum * self.sum / self.seen;
                let scale = (of_count * of_scores).sqrt();
                let correlation = if scale > 1e-9 { together / scale } else { 0.0 };
                if correlation.abs() < LEAST_CORRELATION {
                    0.0
                } else {
                    correlation / (of_count / self.seen).sqrt()
                }
            })
            .collect();
        for (worth, counted_in) in self.worth.iter_mut().zip(&self.counted_in) {
            *worth = counted_in.iter().map(|&count| weights[count as usize]).sum();
        }
    }

    /// What a state is worth, given the facts that are true.
    pub(super) fn worth(&self, facts: &[u32]) -> f64 {
        facts.iter().map(|&fact| self.worth[fact as usize]).sum()
    }
}
