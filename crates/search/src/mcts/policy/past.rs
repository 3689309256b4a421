//! Predicate-average sampling (Finnsson and Björnsson 2010): how a move fared where a fact was true.
//!
//! For every move of a role and every fact the mean goal of the role is kept over all simulations in which the
//! move was made in a state with the fact. A move is worth the highest of these over the facts of the state;
//! pairs that were seen fewer than `fact_visits` times do not count, and without any that does the move is worth
//! its plain average, as with MAST. Moves are drawn by Gibbs sampling.

use std::sync::Arc;

use engine::{Settings, Typed};
use game::{Choice, Context, ContextWorth, FactId, MoveId, MoveRecord, MoveWorth, RoleId, Sampler};
use parking_lot::RwLock;
use rustc_hash::FxHashMap;

use super::averages::{Average, Averages};
use super::decay::{self, Decay};
use super::mast::{TAU, UNSEEN};
use super::{Guide, GuideWorth, Needs, Policy, PolicyRow, Sequence, Style, StyleWeights};

pub(super) const ROW: PolicyRow = PolicyRow {
    name: "past",
    help: "moves that did well where the same facts were true, by Gibbs sampling",
    source: "Finnsson and Björnsson 2010",
    parameters: || [vec![FACT_VISITS.row(), TAU.row(), UNSEEN.row()], decay::rows()].concat(),
    make: |settings| Box::new(Past::new(settings)),
};

static FACT_VISITS: Typed<u32> = Typed::<u32>::whole(
    "fact_visits",
    3,
    1,
    1_000_000,
    "ours",
    "how often a move has to be made where a fact is true before their average counts",
);

/// Pairs beyond so many are not learnt.
const MOST_PAIRS: usize = 1 << 21;

/// How each move fared where each fact was true.
type Pairs = Arc<RwLock<FxHashMap<(RoleId, MoveId, FactId), Average>>>;

#[derive(Debug)]
struct Past {
    moves: Averages,
    pairs: Pairs,
    least: f64,
    temperature: f32,
    decay: Decay,
}

impl Past {
    fn new(settings: &Settings) -> Self {
        let decay = Decay::new(settings);
        Self {
            moves: Averages::new(settings.of(&UNSEEN) as f32, decay.by_simulation),
            pairs: Pairs::default(),
            least: f64::from(settings.of(&FACT_VISITS)),
            temperature: settings.of(&TAU) as f32,
            decay,
        }
    }

    fn forget(&mut self, kept: f64) {
        self.moves.age(kept);
        self.pairs.write().values_mut().for_each(|average| average.age(kept));
    }

    fn worth(&mut self) -> FactWorth {
        FactWorth { moves: self.moves.worth(), pairs: Arc::clone(&self.pairs), least: self.least }
    }
}

impl Policy for Past {
    fn needs(&self) -> Needs {
        Needs { moves: true, sequences: true, facts: true, ..Needs::default() }
    }

    fn learn_playouts(&mut self, moves: &MoveRecord) {
        self.moves.learn(moves);
    }

    fn learn_move(&mut self, role: RoleId, id: MoveId, times: u32, goals: f64) {
        self.moves.add(role, id, f64::from(times), goals);
    }

    fn learn_sequence(&mut self, sequence: &Sequence<'_>) {
        let mut pairs = self.pairs.write();
        for (step, joint) in sequence.joints().enumerate() {
            for ((role, &id), goal) in (0..).map(RoleId).zip(joint).zip(sequence.goals) {
                for &fact in sequence.facts.get(step) {
                    let average = match pairs.len() < MOST_PAIRS {
                        true => pairs.entry((role, id, fact)).or_default(),
                        false => match pairs.get_mut(&(role, id, fact)) {
                            Some(known) => known,
                            None => continue,
                        },
                    };
                    average.add(1.0, f64::from(goal.0), self.decay.by_simulation);
                }
            }
        }
    }

    fn guide(&mut self) -> Guide {
        let worth = GuideWorth::ByMove(self.moves.worth());
        Guide::Gibbs { worth, temperature: self.temperature }
    }

    fn style(&mut self) -> Style {
        let weights = StyleWeights::InContext(Context::State, Arc::new(self.worth()));
        Style { weights, sampler: Sampler::Gibbs { temperature: self.temperature } }
    }

    fn end_batch(&mut self, simulations: u64) {
        if let Some(kept) = self.decay.after(simulations) {
            self.forget(kept);
        }
    }

    fn age(&mut self) {
        self.forget(self.decay.by_move);
    }
}

/// What moves are worth where some facts are true.
#[derive(Debug)]
struct FactWorth {
    moves: Arc<MoveWorth>,
    pairs: Pairs,
    least: f64,
}

impl ContextWorth for FactWorth {
    fn worth(&self, choice: &Choice<'_>, worth: &mut Vec<f32>) {
        let pairs = self.pairs.read();
        for &id in choice.legal {
            let known = choice.facts.iter().filter_map(|&fact| pairs.get(&(choice.role, id, fact)));
            let known = known.filter(|average| average.count >= self.least);
            let best = known.map(|average| average.mean() as f32).reduce(f32::max);
            worth.push(best.unwrap_or_else(|| self.moves.of(choice.role, id)));
        }
    }
}

#[cfg(test)]
mod tests {
    use game::{Goal, Lists};

    use super::*;

    #[test]
    fn the_best_fact_counts_once_it_is_known() {
        let mut policy = Past::new(&Settings::new((ROW.parameters)()));
        policy.learn_move(RoleId(0), MoveId(1), 4, 200.0);
        let choices = Lists::default();
        let mut learn = |facts: &[u32], goal| {
            let mut lists = Lists::default();
            lists.push(facts.iter().map(|&fact| FactId(fact)));
            let sequence = Sequence {
                moves: &[MoveId(1)],
                goals: &[Goal(goal)],
                choices: &choices,
                facts: &lists,
                names: None,
                in_tree: 0,
            };
            policy.learn_sequence(&sequence);
        };
        learn(&[1, 2], 100);
        learn(&[1, 2], 100);
        learn(&[1], 10);
        learn(&[3], 40);
        learn(&[3], 40);
        learn(&[3], 10);
        let mut worth = |facts: &[u32]| {
            let facts: Vec<FactId> = facts.iter().map(|&fact| FactId(fact)).collect();
            let mut worth = Vec::new();
            let choice = Choice { facts: &facts, ..Choice::new(RoleId(0), 1, &[MoveId(1)], &[]) };
            policy.worth().worth(&choice, &mut worth);
            worth[0]
        };
        assert_eq!(worth(&[1, 2, 3]), 70.0, "the second was seen twice only");
        assert_eq!(worth(&[3]), 30.0);
        assert_eq!(worth(&[2]), 50.0, "its average anywhere");
    }
}
