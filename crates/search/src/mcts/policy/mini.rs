//! The playouts of MiNI-Player (Świechowski and Mańdziuk 2014): seven strategies, one for each role and playout.
//!
//! Which one a role follows is chosen by UCB over what it brought the role before. A strategy is followed with its
//! own probability in every step; otherwise any move is made. Playouts are made one at a time. Several threads on
//! one tree would take each other's strategies for their own, so they should have a tree each (`parallel=root`).

use std::sync::Arc;

use engine::{Settings, Typed};
use game::{Ahead, Choice, Context, ContextWorth, FactId, MoveId, MoveRecord, MoveWorth, RoleId, Sampler};
use parking_lot::{Mutex, RwLock};

use super::averages::Averages;
use super::symbols::Symbols;
use super::{Guide, Needs, Policy, PolicyRow, Sequence, Style, StyleWeights};

pub(super) const ROW: PolicyRow = PolicyRow {
    name: "mini",
    help: "seven strategies, one for each role and playout, by how they fared",
    source: "Świechowski and Mańdziuk 2014",
    parameters: || vec![EXPLORATION.row(), ONLY.row()],
    make: |settings| Box::new(Mini::new(settings)),
};

static EXPLORATION: Typed<f64> = Typed::<f64>::real(
    "strategy_exploration",
    40.0,
    0.0,
    1000.0,
    "ours",
    "the factor C in the choice of a strategy, for goals from 0 to 100",
);

const ALL: &str = "all";

static ONLY: Typed<&'static str> = Typed::<&'static str>::word(
    "strategy",
    ALL,
    &[ALL, "random", "history", "mobility", "exploration", "goal", "symbols", "score"],
    "Świechowski and Mańdziuk 2014",
    "the only strategy that is followed, or all by how they fare",
);

/// States of a playout that the next one is compared with.
const WINDOW: usize = 6;

/// How a role chooses in a playout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Strategy {
    /// Any move.
    Random,
    /// The move with the best average anywhere.
    History,
    /// The move after which it has most moves, compared with the others.
    Mobility,
    /// The move to the state that differs most from the one most like it among the last ones.
    Exploration,
    /// The move after which its highest goal holds furthest.
    Goal,
    /// The move to the state whose symbols went along with high goals.
    Symbols,
    /// The move after which its goal is highest, although the game is not over.
    Score,
}

impl Strategy {
    const ALL: [Self; 7] = [
        Self::Random,
        Self::History,
        Self::Mobility,
        Self::Exploration,
        Self::Goal,
        Self::Symbols,
        Self::Score,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::History => "history",
            Self::Mobility => "mobility",
            Self::Exploration => "exploration",
            Self::Goal => "goal",
            Self::Symbols => "symbols",
            Self::Score => "score",
        }
    }

    /// How often it is followed: what is sharper is followed more often.
    fn probability(self) -> f64 {
        match self {
            Self::Random => 0.0,
            Self::Exploration => 0.7,
            Self::History | Self::Mobility | Self::Symbols => 0.8,
            Self::Goal => 0.9,
            Self::Score => 0.95,
        }
    }
}

/// How each strategy fared for one role: how often, and the sum of the goals.
type Record = [(f64, f64); Strategy::ALL.len()];

/// The strategy to follow next: one never followed, or the one with the highest upper confidence bound.
fn next_strategy(record: &Record, exploration: f64) -> Strategy {
    let all: f64 = record.iter().map(|(count, _)| count).sum();
    let score = |&(count, sum): &(f64, f64)| match count > 0.0 {
        true => sum / count + exploration * (all.ln() / count).sqrt(),
        false => f64::INFINITY,
    };
    let mut best = (f64::NEG_INFINITY, Strategy::Random);
    for (strategy, fared) in Strategy::ALL.into_iter().zip(record) {
        if score(fared) > best.0 {
            best = (score(fared), strategy);
        }
    }
    best.1
}

#[derive(Debug)]
struct Mini {
    exploration: f64,
    only: Option<Strategy>,
    records: Vec<Record>,
    /// What each role follows at present.
    chosen: Vec<Strategy>,
    moves: Averages,
    symbols: Arc<RwLock<Symbols>>,
}

impl Mini {
    fn new(settings: &Settings) -> Self {
        let only = settings.of(&ONLY);
        Self {
            exploration: settings.of(&EXPLORATION),
            only: Strategy::ALL.into_iter().find(|strategy| strategy.name() == only),
            records: Vec::new(),
            chosen: Vec::new(),
            moves: Averages::new(100.0, 1.0),
            symbols: Arc::default(),
        }
    }
}

impl Policy for Mini {
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
        let steps = sequence.joints().count();
        let goals = sequence.goals.iter().map(|goal| f64::from(goal.0));
        if let Some(names) = sequence.names.filter(|_| steps > 0) {
            let states = (0..steps).map(|step| sequence.facts.get(step));
            self.symbols.write().learn(states, goals.clone(), names);
        }
        self.records.resize(sequence.goals.len().max(self.records.len()), Record::default());
        // Without a playout nobody has followed anything.
        if sequence.in_tree < steps {
            for ((record, strategy), goal) in self.records.iter_mut().zip(&self.chosen).zip(goals) {
                let fared = &mut record[*strategy as usize];
                *fared = (fared.0 + 1.0, fared.1 + goal);
            }
        }
    }

    fn guide(&mut self) -> Guide {
        Guide::None
    }

    fn style(&mut self) -> Style {
        let next = |record: &Record| self.only.unwrap_or_else(|| next_strategy(record, self.exploration));
        self.chosen = self.records.iter().map(next).collect();
        let worth = StrategyWorth {
            chosen: self.chosen.clone(),
            otherwise: self.only.unwrap_or(Strategy::Random),
            moves: self.moves.worth(),
            symbols: Arc::clone(&self.symbols),
            recent: Mutex::default(),
        };
        Style {
            weights: StyleWeights::InContext(Context::NextStates, Arc::new(worth)),
            sampler: Sampler::EpsilonGreedy { epsilon: 0.0 },
        }
    }

    fn end_batch(&mut self, _: u64) {}

    fn age(&mut self) {}
}

/// What moves are worth to who follows a strategy.
#[derive(Debug)]
struct StrategyWorth {
    chosen: Vec<Strategy>,
    /// Of roles of which nothing is known yet.
    otherwise: Strategy,
    moves: Arc<MoveWorth>,
    symbols: Arc<RwLock<Symbols>>,
    /// After how many moves the playout was last, and the facts of its last states.
    recent: Mutex<(usize, Vec<Vec<FactId>>)>,
}

impl StrategyWorth {
    /// The last states of the playout, the present one among them.
    fn window(&self, choice: &Choice<'_>) -> Vec<Vec<FactId>> {
        let mut recent = self.recent.lock();
        let (moves, states) = &mut *recent;
        if choice.before.len() < *moves {
            states.clear();
        }
        if states.is_empty() || choice.before.len() > *moves {
            states.push(choice.facts.to_vec());
            let gone = states.len().saturating_sub(WINDOW);
            states.drain(..gone);
        }
        *moves = choice.before.len();
        states.clone()
    }

    /// What the state after a move is worth.
    fn judge(
        &self,
        strategy: Strategy,
        choice: &Choice<'_>,
        ahead: &dyn Ahead,
        window: &[Vec<FactId>],
        place: usize,
    ) -> f64 {
        let role = usize::from(choice.role.0);
        let facts = || {
            let mut facts = Vec::new();
            ahead.facts(place, &mut facts);
            facts
        };
        match strategy {
            Strategy::Random => 0.0,
            Strategy::History => f64::from(self.moves.of(choice.role, choice.legal[place])),
            Strategy::Mobility => ahead.mobility(place).map_or(0.0, |moves| mobility(&moves, role)),
            Strategy::Exploration => {
                let next = facts();
                window.iter().map(|state| differences(&next, state)).min().unwrap_or(0) as f64
            }
            Strategy::Goal => ahead.degree(place).unwrap_or(0.0),
            Strategy::Symbols => self.symbols.read().worth(role, &facts()).unwrap_or(0.0),
            Strategy::Score => ahead.goals(place).map_or(0.0, |goals| f64::from(goals[role].0)),
        }
    }
}

/// The part of a role's moves in all moves there are.
fn mobility(moves: &[usize], role: usize) -> f64 {
    moves[role] as f64 / moves.iter().sum::<usize>().max(1) as f64
}

/// How many facts two states do not share. Both are in ascending order.
fn differences(one: &[FactId], other: &[FactId]) -> usize {
    let shared = one.iter().filter(|fact| other.binary_search(fact).is_ok()).count();
    one.len() + other.len() - 2 * shared
}

impl ContextWorth for StrategyWorth {
    fn worth(&self, choice: &Choice<'_>, worth: &mut Vec<f32>) {
        let strategy = self.chosen.get(usize::from(choice.role.0)).copied().unwrap_or(self.otherwise);
        let window = match strategy {
            Strategy::Exploration => self.window(choice),
            _ => Vec::new(),
        };
        let Some(ahead) = choice.ahead.filter(|_| choice.roll < strategy.probability()) else {
            // All the same: any move.
            return worth.extend(choice.legal.iter().map(|_| 0.0));
        };
        let places = 0..choice.legal.len();
        worth.extend(places.map(|place| self.judge(strategy, choice, ahead, &window, place) as f32));
    }
}

#[cfg(test)]
mod tests {
    use game::{Goal, Lists};

    use super::*;

    #[test]
    fn strategies_are_chosen_by_their_bounds() {
        let mut record = Record::default();
        assert_eq!(next_strategy(&record, 40.0), Strategy::Random, "each is followed once");
        record = [(1.0, 50.0); 7];
        record[0].0 = 0.0;
        assert_eq!(next_strategy(&record, 40.0), Strategy::Random);
        record = [(1.0, 50.0); 7];
        record[4] = (4.0, 300.0);
        // 75 + 40 sqrt(ln 10 / 4) = 105.3 against 50 + 40 sqrt(ln 10) = 110.7.
        assert_eq!(next_strategy(&record, 40.0), Strategy::Random);
        assert_eq!(next_strategy(&record, 20.0), Strategy::Goal);
    }

    #[test]
    fn strategies_are_credited_with_what_playouts_brought() {
        let mut mini = Mini::new(&Settings::new((ROW.parameters)()));
        let (choices, facts) = (Lists::default(), Lists::default());
        let learn = |mini: &mut Mini, in_tree| {
            mini.learn_sequence(&Sequence {
                // One joint move.
                moves: &[MoveId(0), MoveId(1)],
                goals: &[Goal(80), Goal(20)],
                choices: &choices,
                facts: &facts,
                names: None,
                in_tree,
            });
        };
        learn(&mut mini, 1);
        mini.style();
        learn(&mut mini, 1);
        assert_eq!(mini.records[0][0], (0.0, 0.0), "there was no playout");
        learn(&mut mini, 0);
        assert_eq!([mini.records[0][0], mini.records[1][0]], [(1.0, 80.0), (1.0, 20.0)]);
        mini.style();
        assert_eq!(mini.chosen, [Strategy::History; 2]);
    }

    /// What two moves lead to.
    #[derive(Debug)]
    struct Two;

    impl Ahead for Two {
        fn facts(&self, place: usize, out: &mut Vec<FactId>) {
            out.clear();
            out.extend([[1, 2, 3], [1, 4, 5]][place].map(FactId));
        }

        fn mobility(&self, place: usize) -> Option<Vec<usize>> {
            [Some(vec![3, 1]), None][place].clone()
        }

        fn goals(&self, place: usize) -> Option<Vec<Goal>> {
            Some(vec![Goal([10, 60][place]), Goal(0)])
        }

        fn degree(&self, place: usize) -> Option<f64> {
            Some([0.5, 0.25][place])
        }
    }

    #[test]
    fn each_strategy_judges_in_its_own_way() {
        let of = |name: &str, roll: f64| {
            let mut settings = Settings::new((ROW.parameters)());
            settings.set("strategy", name).expect("a strategy");
            let mut mini = Mini::new(&settings);
            mini.learn_move(RoleId(0), MoveId(7), 2, 60.0);
            let style = mini.style();
            let StyleWeights::InContext(_, known) = &style.weights else { panic!("{style:?}") };
            let facts = [1, 2, 6].map(FactId);
            let legal = [MoveId(7), MoveId(8)];
            let choice =
                Choice { facts: &facts, ahead: Some(&Two), roll, ..Choice::new(RoleId(0), 2, &legal, &[]) };
            let mut worth = Vec::new();
            known.worth(&choice, &mut worth);
            worth
        };
        assert_eq!(of("random", 0.0), [0.0, 0.0]);
        assert_eq!(of("history", 0.0), [30.0, 100.0]);
        assert_eq!(of("mobility", 0.0), [0.75, 0.0], "3 of 4; the game is over");
        // 1 2 6 against 1 2 3 and 1 4 5.
        assert_eq!(of("exploration", 0.0), [2.0, 4.0]);
        assert_eq!(of("goal", 0.0), [0.5, 0.25]);
        assert_eq!(of("symbols", 0.0), [0.0, 0.0], "nothing was concluded");
        assert_eq!(of("score", 0.0), [10.0, 60.0]);
        assert_eq!(of("exploration", 0.7), [0.0, 0.0], "now and then any move");
        assert_eq!(of("score", 0.94), [10.0, 60.0]);
    }
}
