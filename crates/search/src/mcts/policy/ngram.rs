//! N-grams of two moves (Tak, Winands and Björnsson 2012): how a move fares depends on the one it answers.
//!
//! Beside the averages of moves those of pairs are kept: a joint move and what a role does next, over all
//! simulations in which one followed the other, in the tree or in the playout. A move is worth the mean of
//! both averages; while the pair was seen fewer than `pair_visits` times, only that of the move counts, so
//! what is left then is MAST. The best move is made, and now and then any.

use std::sync::Arc;

use engine::{Settings, Typed};
use game::{Choice, Context, ContextWorth, MoveId, MoveRecord, MoveWorth, RoleId, Sampler};
use parking_lot::RwLock;
use rustc_hash::FxHashMap;

use super::averages::{Average, Averages};
use super::mast::{DECAY, EPSILON, TAU, UNSEEN};
use super::{Guide, Needs, Policy, PolicyRow, Sequence, Style, StyleWeights};

pub(super) const ROW: PolicyRow = PolicyRow {
    name: "ngram",
    help: "moves that did well as answers to the last one, or else elsewhere; the best one or now and then any",
    source: "Tak, Winands and Björnsson 2012",
    parameters: || vec![PAIR_VISITS.row(), TAU.row(), UNSEEN.row(), EPSILON.row(), DECAY.row()],
    make: |settings| Box::new(NGram::new(settings)),
};

static PAIR_VISITS: Typed<u32> = Typed::<u32>::whole(
    "pair_visits",
    7,
    1,
    1_000_000,
    "Tak, Winands and Björnsson 2012",
    "how often two moves have to follow each other before their average counts",
);

/// A joint move, and what a role does next.
type Pair = (RoleId, Box<[MoveId]>, MoveId);

/// Pairs beyond so many are not learnt, as they would take more memory than the tree.
const MOST_PAIRS: usize = 1 << 20;

/// Shared with the playouts, which look up a few of very many.
type Pairs = Arc<RwLock<FxHashMap<Pair, Average>>>;

/// How moves and pairs of them fared.
#[derive(Debug)]
struct NGram {
    moves: Averages,
    pairs: Pairs,
    pair_visits: f64,
    temperature: f32,
    epsilon: f32,
    decay: f64,
}

impl NGram {
    fn new(settings: &Settings) -> Self {
        Self {
            moves: Averages::new(settings.of(&UNSEEN) as f32),
            pairs: Arc::default(),
            pair_visits: f64::from(settings.of(&PAIR_VISITS)),
            temperature: settings.of(&TAU) as f32,
            epsilon: settings.of(&EPSILON) as f32,
            decay: settings.of(&DECAY),
        }
    }
}

impl Policy for NGram {
    fn needs(&self) -> Needs {
        Needs { moves: true, sequences: true }
    }

    fn learn_playouts(&mut self, moves: &MoveRecord) {
        self.moves.learn(moves);
    }

    fn learn_move(&mut self, role: RoleId, id: MoveId, times: u32, goals: f64) {
        self.moves.add(role, id, f64::from(times), goals);
    }

    fn learn_sequence(&mut self, sequence: &Sequence<'_>) {
        let mut pairs = self.pairs.write();
        for (before, joint) in sequence.joints().zip(sequence.joints().skip(1)) {
            for ((role, &id), goal) in (0..).map(RoleId).zip(joint).zip(sequence.goals) {
                let pair: Pair = (role, before.into(), id);
                let average = match pairs.len() < MOST_PAIRS {
                    true => pairs.entry(pair).or_default(),
                    false => match pairs.get_mut(&pair) {
                        Some(known) => known,
                        None => continue,
                    },
                };
                average.count += 1.0;
                average.sum += f64::from(goal.0);
            }
        }
    }

    fn guide(&mut self) -> Guide {
        Guide::Gibbs { worth: self.moves.worth(), temperature: self.temperature }
    }

    fn style(&mut self) -> Style {
        let worth = PairWorth {
            moves: self.moves.worth(),
            pairs: Arc::clone(&self.pairs),
            pair_visits: self.pair_visits,
        };
        Style {
            weights: StyleWeights::InContext(Context::LastMove, Arc::new(worth)),
            sampler: Sampler::EpsilonGreedy { epsilon: self.epsilon },
        }
    }

    fn age(&mut self) {
        self.moves.age(self.decay);
        for average in self.pairs.write().values_mut() {
            average.count *= self.decay;
            average.sum *= self.decay;
        }
    }
}

/// What moves are worth as answers.
#[derive(Debug)]
struct PairWorth {
    moves: Arc<MoveWorth>,
    pairs: Pairs,
    pair_visits: f64,
}

impl ContextWorth for PairWorth {
    fn worth(&self, choice: &Choice<'_>, worth: &mut Vec<f32>) {
        let roles = choice.roles.max(1);
        let last = choice.before.len().checked_sub(roles).map(|start| &choice.before[start..]);
        let pairs = self.pairs.read();
        let mut pair: Option<Pair> = last.map(|last| (choice.role, last.into(), MoveId(0)));
        for &id in choice.legal {
            let alone = self.moves.of(choice.role, id);
            let known = pair.as_mut().and_then(|pair| {
                pair.2 = id;
                pairs.get(pair)
            });
            worth.push(match known.filter(|average| average.count >= self.pair_visits) {
                Some(average) => (alone + (average.sum / average.count) as f32) / 2.0,
                None => alone,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use game::Goal;

    use super::*;

    const ONE: RoleId = RoleId(0);

    fn worth_after(policy: &mut NGram, before: &[MoveId]) -> Vec<f32> {
        let style = policy.style();
        let StyleWeights::InContext(_, known) = &style.weights else { panic!("{style:?}") };
        let legal = [MoveId(1), MoveId(2)];
        let mut worth = Vec::new();
        known.worth(&Choice { role: ONE, roles: 1, legal: &legal, before, state: &() }, &mut worth);
        worth
    }

    #[test]
    fn answers_count_once_they_are_known() {
        let mut policy = NGram::new(&Settings::default());
        policy.learn_move(ONE, MoveId(1), 10, 500.0);
        let sequence = Sequence { moves: &[MoveId(9), MoveId(1), MoveId(2)], goals: &[Goal(100)] };
        for _ in 0..6 {
            policy.learn_sequence(&sequence);
        }
        assert_eq!(worth_after(&mut policy, &[MoveId(9)]), [50.0, 100.0], "six times are too few");
        policy.learn_sequence(&sequence);
        assert_eq!(worth_after(&mut policy, &[MoveId(9)]), [75.0, 100.0]);
        assert_eq!(worth_after(&mut policy, &[MoveId(1), MoveId(9)]), [75.0, 100.0], "the last one counts");
        assert_eq!(worth_after(&mut policy, &[MoveId(3)]), [50.0, 100.0]);
        assert_eq!(worth_after(&mut policy, &[]), [50.0, 100.0], "out of context");
    }
}
