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

#[cfg(test)]
mod tests {
    use super::*;

    const SWITCHES: &str =
        "(role you) (init (on a)) (legal you wait) (legal you (turn b)) (legal you (turn c))
        (<= (next (on ?s)) (true (on ?s))) (<= (next (on ?s)) (does you (turn ?s)))
        (<= (goal you 100) (true (on b)) (true (on c))) (<= terminal (true (on b)) (true (on c)))";

    #[test]
    fn what_goes_along_with_scores_is_worth_something() {
        let rules = gdl::normal::read(SWITCHES);
        let budget = ground::Budget::unlimited();
        let build = machine::build::circuit(&rules, circuit::Effort::Quick, &budget).expect("a circuit");
        let fact =
            |text: &str| build.circuit.bases.iter().position(|base| base == text).expect("a fact") as u32;
        let [a, b, c] = ["(on a)", "(on b)", "(on c)"].map(fact);
        let mut symbols = Symbols::new(&build.circuit);
        for round in 0..LEARNING as u32 {
            assert_eq!(symbols.worth(&[a, b, c]), 0.0, "too early");
            // Two states each: a is on in both; c in one of the two of every second simulation, which scores.
            let (times, score) = match round % 2 {
                0 => (FxHashMap::from_iter([(a, 2)]), 0.0),
                _ => (FxHashMap::from_iter([(a, 2), (c, 1)]), 100.0),
            };
            symbols.learn(&times, 2, score);
        }
        // The relation counts 1 or 1.5 a state, the symbol c 0 or 0.5: a spread of 1/4 and correlation 1, so 4 each. The
        // symbol a is always there and b never, which says nothing.
        for (facts, wanted) in [(&[a][..], 4.0), (&[b], 4.0), (&[c], 8.0), (&[a, c], 12.0), (&[], 0.0)] {
            assert!((symbols.worth(facts) - wanted).abs() < 1e-9, "{facts:?}: {}", symbols.worth(facts));
        }
    }
}
