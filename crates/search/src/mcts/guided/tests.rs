//! The uses of an evaluation function by hand, and playouts in lanes against playouts one by one.

use std::sync::Arc;

use engine::Evaluator;
use game::{
    Choice, Context, ContextWorth, Dice, Game, Job, MoveId, Outcomes, PlayOptions, Policy, RoleId, RuleFault,
    Sampler, Simulator, Weights, play_one_by_one_to,
};
use machine::batch::BatchMachine;
use machine::circuit::{CircuitMachine, CircuitState};

use super::{GuidedPlayouts, move_values};
use crate::mcts::Search;
use crate::mcts::tests::support::{circuit, circuit_of};
use crate::mcts::tree::{Status, UNIT};
use crate::{Backup, Budget, EvaluationPlayouts, Parameters};

/// One choice of four, then an end that brings 50 whatever was chosen.
const FOUR: &str = "
    (role you) (init (step 0)) (succ 0 1) (succ 1 2) (name a) (name b) (name c) (name d)
    (<= (legal you ?name) (name ?name))
    (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
    (<= (next (made ?name)) (does you ?name) (true (step 0)))
    (<= (next (made ?name)) (true (made ?name)))
    (<= terminal (true (step 2))) (goal you 50)";

/// Two roles choose at once.
const AT_ONCE: &str = "
    (role one) (role two) (init (step 0)) (succ 0 1) (succ 1 2) (name a) (name b) (name c)
    (legal one a) (legal one b) (<= (legal two ?name) (name ?name))
    (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
    (<= (next (made ?role ?name)) (does ?role ?name))
    (<= terminal (true (step 2))) (goal one 50) (goal two 50)";

/// Says that a state is worth the sum of its facts to the first role, and to all others what is left of 1.
#[derive(Debug)]
struct ByFact {
    game: Arc<CircuitMachine>,
    worth: &'static [(&'static str, f64)],
}

impl ByFact {
    fn of(&self, state: &CircuitState) -> f64 {
        let mut facts = Vec::new();
        self.game.list_facts(state, &mut facts);
        let worth = |text: &str| self.worth.iter().find(|(fact, _)| *fact == text).map_or(0.0, |one| one.1);
        facts.iter().map(|&fact| worth(&self.game.fact_text(fact))).sum::<f64>().clamp(0.0, 1.0)
    }
}

impl Evaluator<CircuitState> for ByFact {
    fn evaluate(&self, states: &[&CircuitState], out: &mut [f64]) -> Result<(), RuleFault> {
        for (state, values) in states.iter().zip(out.chunks_mut(self.game.role_count())) {
            values.fill(1.0 - self.of(state));
            values[0] = self.of(state);
        }
        Ok(())
    }
}

const LETTERS: &[(&str, f64)] =
    &[("(made a)", 0.25), ("(made b)", 0.75), ("(made c)", 0.5), ("(made d)", 0.125)];

const BOARD: &[(&str, f64)] = &[
    ("(cell 2 2 x)", 0.3),
    ("(cell 1 1 x)", 0.2),
    ("(cell 3 3 x)", 0.15),
    ("(cell 2 2 o)", -0.1),
    ("(cell 1 3 o)", -0.05),
    ("(control o)", 0.4),
    ("(control x)", 0.45),
];

fn by_fact(game: &Arc<CircuitMachine>, worth: &'static [(&'static str, f64)]) -> Arc<ByFact> {
    Arc::new(ByFact { game: Arc::clone(game), worth })
}

fn plain() -> Parameters {
    Parameters {
        backup: Backup::Path,
        prove: false,
        discount: 1.0,
        batch: 1,
        fill: false,
        ..Parameters::default()
    }
}

fn begin(
    game: &Arc<CircuitMachine>,
    worth: &'static [(&'static str, f64)],
    parameters: Parameters,
) -> Search<CircuitMachine> {
    let mut search = Search::new(Arc::clone(game), game.initial(), parameters, 5);
    search.guide(by_fact(game, worth));
    search
}

fn run(search: &mut Search<CircuitMachine>, simulations: u64) {
    search.run(&Budget::simulations(simulations)).expect("it can be searched");
}

/// Of each move of the first role at the root: visits, and the mean.
fn root_moves(search: &Search<CircuitMachine>) -> Vec<(u32, f64)> {
    let tree = search.trees[0].read();
    let Status::Open { block, .. } = tree.node(tree.root()).status() else { panic!("it is open") };
    let edges = tree.edges(block, 0).iter();
    let visits = edges.clone().map(|edge| edge.map_or(0, |edge| edge.visits().1));
    let sums = edges.map(|edge| edge.map_or(0, |edge| edge.worth(0)) as f64 / UNIT);
    visits.zip(sums).map(|(visits, sum)| (visits, sum / f64::from(visits.max(1)))).collect()
}

/// What the moves of the first position are worth, role by role.
fn at_start(game: &Arc<CircuitMachine>, worth: &'static [(&'static str, f64)]) -> Vec<Vec<f32>> {
    let (mut workspace, start) = (game.workspace(), game.initial());
    let mut expansion = game::Expansion::new();
    game.expand(&mut workspace, &start, &mut expansion).expect("a state");
    let position = [(&start, expansion.choices())];
    let values = move_values::judge(&**game, &mut workspace, &*by_fact(game, worth), &position);
    let values = values.expect("no fault").pop().flatten().expect("few joint moves");
    (0..game.role_count()).map(|role| values.of(role).to_vec()).collect()
}

#[test]
fn moves_are_worth_what_they_lead_to_on_average() {
    assert_eq!(at_start(&circuit_of(FOUR), LETTERS), [[25.0, 75.0, 50.0, 12.5]]);
    let worth: &[(&str, f64)] =
        &[("(made one a)", 0.5), ("(made two a)", 0.25), ("(made two b)", 0.125), ("(made two c)", 0.0)];
    // The second role's moves add 25, 12.5 and 0, on average 12.5; the first role's add 50 and 0, on average 25.
    let values = at_start(&circuit_of(AT_ONCE), worth);
    assert_eq!(values, [vec![62.5, 12.5], vec![50.0, 62.5, 75.0]]);
}

#[test]
fn ends_of_the_game_are_worth_their_goals() {
    let rules = "
        (role you) (init open) (legal you win) (legal you lose) (legal you wait)
        (<= (next won) (does you win)) (<= (next lost) (does you lose)) (<= (next open) (does you wait))
        (<= terminal (not (true open)))
        (<= (goal you 100) (true won)) (<= (goal you 0) (not (true won)))";
    assert_eq!(at_start(&circuit_of(rules), &[("won", 0.1), ("open", 0.625)]), [[0.0, 62.5, 100.0]]);
}

#[test]
fn moves_are_tried_in_order() {
    let game = circuit_of(FOUR);
    let mut search = begin(&game, LETTERS, Parameters { evaluation_order: true, ..plain() });
    for tried in [[0, 1, 0, 0], [0, 1, 1, 0], [1, 1, 1, 0], [1, 1, 1, 1]] {
        run(&mut search, 1);
        let visits: Vec<u32> = root_moves(&search).iter().map(|(visits, _)| *visits).collect();
        assert_eq!(visits, tried);
    }
    // Many at a time, too.
    let mut search =
        begin(&game, LETTERS, Parameters { evaluation_order: true, batch: 3, sweeps: 1, ramp: 1, ..plain() });
    run(&mut search, 1);
    run(&mut search, 2);
    let visits: Vec<u32> = root_moves(&search).iter().map(|(visits, _)| *visits).collect();
    assert_eq!(visits, [1, 1, 1, 0]);
}

#[test]
fn moves_begin_with_visits() {
    let game = circuit("tic-tac-toe");
    let mut search = begin(&game, BOARD, Parameters { evaluation_prior: 7, ..plain() });
    let advised: Vec<f64> = at_start(&game, BOARD)[0].iter().map(|&value| f64::from(value)).collect();
    run(&mut search, 1);
    for _ in 0..80 {
        let before = root_moves(&search);
        let moves = before.len() as f64;
        // The visit that is about to choose is counted.
        let all: f64 = before.iter().map(|(visits, _)| f64::from(*visits)).sum::<f64>() + 1.0 + 7.0 * moves;
        let score = |place: usize| {
            let (visits, mean) = (f64::from(before[place].0), before[place].1);
            let value = (visits * mean + 7.0 * advised[place]) / (visits + 7.0);
            value + 40.0 * (all.ln() / (visits + 7.0)).sqrt()
        };
        let best = (0..before.len()).map(score).fold(f64::NEG_INFINITY, f64::max);
        run(&mut search, 1);
        let after = root_moves(&search);
        let chosen = (0..before.len()).find(|&place| after[place].0 > before[place].0).expect("a visit");
        assert!(best - score(chosen) < 1e-3, "{chosen} of {before:?}");
    }
    let tried = root_moves(&search).iter().filter(|(visits, _)| *visits > 0).count();
    assert!(tried < 9, "what looks bad need not be tried at all");
}

/// F(s, a) by a call for every position.
#[derive(Debug)]
struct OneByOne(ByFact);

impl ContextWorth for OneByOne {
    fn worth(&self, choice: &Choice<'_>, worth: &mut Vec<f32>) {
        let game = &self.0.game;
        let state: &CircuitState = choice.state.downcast_ref().expect("a state of this machine");
        let (mut workspace, mut expansion) = (game.workspace(), game::Expansion::new());
        game.expand(&mut workspace, state, &mut expansion).expect("a state");
        let role = usize::from(choice.role.0);
        for &own in choice.legal {
            let (mut sum, mut count) = (0.0, 0.0);
            for joint in expansion.joint_moves().filter(|joint| joint[role] == own) {
                let next = game.apply(&mut workspace, state, &joint).expect("a state");
                let mut there = game::Expansion::new();
                game.expand(&mut workspace, &next, &mut there).expect("a state");
                let mut values = vec![0.0; game.role_count()];
                self.0.evaluate(&[&next], &mut values).expect("values");
                if there.is_terminal() {
                    let mut goals = Vec::new();
                    game.goals(&mut workspace, &next, &mut goals).expect("goals");
                    values[role] = f64::from(goals[role].value().0) / 100.0;
                }
                sum += 100.0 * values[role];
                count += 1.0;
            }
            worth.push((sum / count) as f32);
        }
    }
}

#[test]
fn guided_playouts_are_those_of_one_state_at_a_time() {
    let games = [(circuit("tic-tac-toe"), BOARD), (circuit_of(AT_ONCE), BOARD), (circuit_of(FOUR), LETTERS)];
    for (game, worth) in games {
        let batch = BatchMachine::new(Arc::clone(&game));
        let start = game.initial();
        let jobs = [Job::new(&start, 70), Job::new(&start, 1)];
        let mut dice = Dice::new(4);
        let limits: Vec<u32> = (0..71).map(|_| dice.below(9) as u32).collect();
        for sampler in [Sampler::Gibbs { temperature: 10.0 }, Sampler::EpsilonGreedy { epsilon: 0.3 }] {
            for limits in [&[], &limits[..]] {
                let options = PlayOptions {
                    seed: 3,
                    most_steps: 100,
                    record_moves: true,
                    record_sequences: true,
                    record_made: true,
                    record_choices: true,
                    record_facts: true,
                    ..PlayOptions::default()
                };
                let one_by_one = OneByOne(ByFact { game: Arc::clone(&game), worth });
                let weights = Weights::InContext(Context::State, &one_by_one);
                let policy = Policy { weights, sampler };
                let (mut plain, mut plain_cut) = (Outcomes::default(), Vec::new());
                play_one_by_one_to(
                    &*game,
                    &mut game.workspace(),
                    &jobs,
                    &PlayOptions { policy, ..options },
                    limits,
                    &mut plain,
                    &mut |playout, state| plain_cut.push((playout, state)),
                )
                .expect("it can be played");
                let evaluator = by_fact(&game, worth);
                let guided = GuidedPlayouts { evaluator: &*evaluator, sampler };
                let (mut found, mut cut) = (Outcomes::default(), Vec::new());
                let jobs = (&jobs[..], &options);
                guided
                    .play_to(&*game, &mut game.workspace(), jobs, limits, &mut found, &mut cut)
                    .expect("it can be played");
                assert!(found == plain && cut == plain_cut, "one state at a time");
                guided
                    .play_to(&batch, &mut batch.workspace(), jobs, limits, &mut found, &mut cut)
                    .expect("it can be played");
                assert!(found == plain && cut == plain_cut, "in lanes");
            }
        }
    }
}

#[test]
fn moves_are_drawn_by_what_they_lead_to() {
    let game = circuit_of(FOUR);
    let evaluator = by_fact(&game, LETTERS);
    let start = game.initial();
    let shares = |sampler: Sampler| -> Vec<f64> {
        let guided = GuidedPlayouts { evaluator: &*evaluator, sampler };
        let (mut outcomes, mut cut) = (Outcomes::default(), Vec::new());
        let options = PlayOptions { seed: 1, most_steps: 1, record_moves: true, ..PlayOptions::default() };
        let jobs = [Job::new(&start, 20_000)];
        let jobs = (&jobs[..], &options);
        guided
            .play_to(&*game, &mut game.workspace(), jobs, &[], &mut outcomes, &mut cut)
            .expect("it can be played");
        (0..4).map(|id| outcomes.moves.of(RoleId(0), MoveId(id)).playouts as f64 / 2e4).collect()
    };
    let near = |found: &[f64], expected: &[f64]| {
        let apart = found.iter().zip(expected).map(|(found, expected)| (found - expected).abs());
        assert!(apart.fold(0.0, f64::max) < 0.015, "{found:?} for {expected:?}");
    };
    // 25, 75, 50 and 12.5 by temperature 25: e, e^3, e^2 and the root of e.
    let weights = [1.0f64, 3.0, 2.0, 0.5].map(f64::exp);
    let all: f64 = weights.iter().sum();
    near(&shares(Sampler::Gibbs { temperature: 25.0 }), &weights.map(|weight| weight / all));
    near(&shares(Sampler::EpsilonGreedy { epsilon: 0.4 }), &[0.1, 0.7, 0.1, 0.1]);
}

#[test]
fn all_uses_can_be_mixed_in_lanes_and_with_threads() {
    for name in ["tic-tac-toe", "simultaneous-connect-four", "three-player-tic-tac-toe"] {
        let game = circuit(name);
        let batch = Arc::new(BatchMachine::new(Arc::clone(&game)));
        for threads in [1, 2] {
            let think = || {
                let parameters = Parameters {
                    evaluation_prior: 3,
                    evaluation_order: true,
                    evaluation_playouts: EvaluationPlayouts::Gibbs,
                    memory: 1,
                    threads,
                    ..Parameters::default()
                };
                let mut search = Search::new(Arc::clone(&batch), batch.initial(), parameters, 1);
                search.guide(by_fact(&game, BOARD));
                let stopping = crate::mcts::Stopping { probability: 0.1, steps: 1_000 };
                search.stop_playouts(by_fact(&game, BOARD), stopping);
                for _ in 0..2 {
                    search.run(&Budget::simulations(600)).expect("it can be searched");
                    search.trees.iter_mut().for_each(|tree| tree.get_mut().check());
                    let joint: Vec<MoveId> = (0..batch.role_count() as u16)
                        .map(|role| search.advice(RoleId(role)).expect("there are moves").best().id)
                        .collect();
                    search.advance(&joint).expect("it can be played");
                }
                search.run(&Budget::simulations(200)).expect("it can be searched");
                search.advice(RoleId(0))
            };
            let advice = think();
            assert!(threads > 1 || advice == think(), "{name}: the same seed gives the same tree");
        }
    }
}
