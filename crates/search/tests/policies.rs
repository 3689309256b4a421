//! What playouts say of moves, and how policies choose, on every machine.

mod support;

use std::collections::BTreeMap;
use std::sync::Arc;

use engine::Settings;
use game::{
    Ahead, Choice, Context, Describe, Dice, Expansion, FactId, Game, Goal, Job, Lists, LookAhead, MoveId,
    Outcomes, PlayOptions, RoleId, Sampler, Simulator, Weights, play_one_by_one,
};
use machine::batch::BatchMachine;
use machine::reference::Reference;
use search::mcts::Search;
use search::mcts::policy::{Policies, Policy, PolicyRow, Sequence};
use search::{Budget, Evaluator, Parameters, Stop};

fn reference(rules: &str) -> Reference {
    let sheet = gdl::parse(&gdl::SourceFile::new("test", rules)).sheet;
    Reference::new(&gdl::normal::normalize(&sheet), Default::default()).expect("a machine")
}

/// A role, chance and another role choose at once, in two steps: each move is a number.
const WITH_CHANCE: &str = "
    (role one) (role random) (role two) (number 1) (number 2) (number 3) (number 4)
    (init (step 0)) (succ 0 1) (succ 1 2)
    (<= (legal ?role (say ?n)) (role ?role) (number ?n))
    (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
    (<= (next (said ?role ?n)) (does ?role (say ?n)))
    (<= terminal (true (step 2)))
    (<= (goal ?role 100) (role ?role) (true (said ?role 1)))
    (<= (goal ?role 0) (role ?role) (not (true (said ?role 1))))";

/// The same where one after the other moves, chance in the middle.
const WITH_CHANCE_IN_TURN: &str = "
    (role one) (role random) (number 1) (number 2) (number 3) (number 4)
    (init (control one))
    (other one random) (other random one)
    (<= (legal ?role (say ?n)) (true (control ?role)) (number ?n))
    (<= (legal ?role noop) (role ?role) (not (true (control ?role))))
    (<= (next (control ?next)) (true (control ?role)) (other ?role ?next))
    (<= (next (said ?role ?n)) (does ?role (say ?n)))
    (<= (next (said ?role ?n)) (true (said ?role ?n)) (not (true (control ?role))))
    (<= (next full) (does random (say ?n)))
    (<= terminal (true full))
    (<= (goal ?role 100) (role ?role) (true (said ?role 1)))
    (<= (goal ?role 0) (role ?role) (not (true (said ?role 1))))";

/// How moves fared in some playouts, by role and text.
fn fared<G: Simulator + Describe>(game: &G) -> BTreeMap<(u16, String), (u32, u64)> {
    let start = game.initial();
    let jobs = [Job::new(&start, 200)];
    let options = PlayOptions { seed: 3, record_moves: true, ..PlayOptions::default() };
    let mut outcomes = Outcomes::default();
    play_one_by_one(game, &mut game.workspace(), &jobs, &options, &mut outcomes).expect("playouts");
    let row = |(role, id, fared): (RoleId, MoveId, game::Fared)| {
        ((role.0, game.move_text(id)), (fared.playouts, fared.goals))
    };
    outcomes.moves.iter().map(row).collect()
}

#[test]
fn moves_fare_by_role_on_every_machine() {
    // In the reference a move is its term, the same for both players.
    let rules = bundled::find("tic-tac-toe").expect("a bundled game").rules;
    let plain = fared(&reference(rules));
    let corner = "(mark 1 1)".to_owned();
    assert_ne!(plain[&(0, corner.clone())], plain[&(1, corner)]);
    // The same seed gives the same playouts.
    assert_eq!(plain, fared(&*support::circuit("tic-tac-toe")));
}

/// Has a policy learn what moves are worth, the same on every machine: by their texts.
fn teach<G: Simulator + Describe>(game: &G, row: &PolicyRow, settings: &Settings) -> Box<dyn Policy> {
    let mut policy = (row.make)(settings);
    let mut workspace = game.workspace();
    let mut expansion = Expansion::new();
    // The weight of a text, from 0 to 100.
    let goal = |text: &str| Goal((text.bytes().map(usize::from).sum::<usize>() * 37 % 101) as u8);
    for playout in 0..40 {
        let mut dice = Dice::stream(5, playout);
        let mut state = game.initial();
        let mut moves = Vec::new();
        let (mut choices, mut facts) = (Lists::default(), Lists::default());
        loop {
            game.expand(&mut workspace, &state, &mut expansion).expect("a state");
            if expansion.is_terminal() {
                break;
            }
            let joint: Vec<MoveId> =
                expansion.by_role().map(|legal| legal[dice.below(legal.len())]).collect();
            expansion.by_role().for_each(|legal| choices.push(legal.iter().copied()));
            facts.push(facts_of(game, &state));
            for (role, &id) in (0..).map(RoleId).zip(&joint) {
                policy.learn_move(role, id, 1, f64::from(goal(&game.move_text(id)).0));
            }
            state = game.apply(&mut workspace, &state, &joint).expect("a state");
            moves.extend(joint);
        }
        let first: String = moves.iter().take(4).map(|&id| game.move_text(id)).collect();
        let mut goals = vec![goal(&first); game.role_count()];
        // Somebody wins.
        goals[0] = Goal(goals[0].0 / 2);
        let sequence = Sequence {
            moves: &moves,
            goals: &goals,
            choices: &choices,
            facts: &facts,
            names: None,
            in_tree: 0,
        };
        policy.learn_sequence(&sequence);
    }
    policy
}

fn facts_of<G: Simulator>(game: &G, state: &G::State) -> Vec<FactId> {
    let mut facts = Vec::new();
    game.list_facts(state, &mut facts);
    facts
}

/// How often each role's legal moves should be made, by the description of the policy, in a state after
/// some joint moves.
fn expected<G: Simulator + Describe>(
    game: &G,
    policy: &game::Policy<'_>,
    state: &G::State,
    before: &[MoveId],
) -> Vec<BTreeMap<String, f64>> {
    let mut expansion = Expansion::new();
    game.expand(&mut game.workspace(), state, &mut expansion).expect("a state");
    let shares_at = |role: RoleId, legal: &[MoveId], roll: f64| -> BTreeMap<String, f64> {
        let mut workspace = game.workspace();
        let ahead = LookAhead::new(game, &mut workspace, state, &expansion, (role, legal));
        let facts = facts_of(game, state);
        let ahead = Some(&ahead as &dyn Ahead);
        let choice = Choice {
            state,
            facts: &facts,
            ahead,
            roll,
            ..Choice::new(role, game.role_count(), legal, before)
        };
        let mut worth = Vec::new();
        match policy.weights {
            Weights::Equal => worth.resize(legal.len(), 1.0),
            Weights::ByMove(known) => worth.extend(legal.iter().map(|&id| known.of(role, id))),
            Weights::InContext(_, known) => known.worth(&choice, &mut worth),
        }
        let best = worth.iter().copied().fold(f32::MIN, f32::max);
        let forced = (best == f32::INFINITY && game.chance() != Some(role))
            .then(|| worth.iter().position(|worth| *worth == best));
        if let Some(Some(place)) = forced {
            let made =
                |(other, &id): (usize, &MoveId)| (game.move_text(id), if other == place { 1.0 } else { 0.0 });
            return legal.iter().enumerate().map(made).collect();
        }
        let ties = worth.iter().filter(|worth| **worth == best).count() as f64;
        let even = 1.0 / legal.len() as f64;
        let weights: Vec<f64> = worth
            .iter()
            .map(|&worth| match policy.sampler {
                _ if game.chance() == Some(role) => even,
                Sampler::Uniform => even,
                Sampler::EpsilonGreedy { epsilon } => {
                    let best = if worth == best { 1.0 / ties } else { 0.0 };
                    f64::from(epsilon) * even + (1.0 - f64::from(epsilon)) * best
                }
                Sampler::Gibbs { temperature } => f64::from((worth - best) / temperature).exp(),
                Sampler::Roulette => f64::from(worth),
            })
            .collect();
        let sum: f64 = weights.iter().sum();
        legal.iter().zip(weights).map(|(&id, weight)| (game.move_text(id), weight / sum)).collect()
    };
    // Who follows a strategy does so as often as there is a number of twenty below its probability.
    let rolls: Vec<f64> = match policy.weights {
        Weights::InContext(Context::NextStates, _) => (0..20).map(|n| (f64::from(n) + 0.5) / 20.0).collect(),
        _ => vec![0.0],
    };
    let shares = |(role, legal): (RoleId, &[MoveId])| {
        let mut shares: BTreeMap<String, f64> = BTreeMap::new();
        for &roll in &rolls {
            for (text, share) in shares_at(role, legal, roll) {
                *shares.entry(text).or_default() += share / rolls.len() as f64;
            }
        }
        shares
    };
    (0..).map(RoleId).zip(expansion.by_role()).map(shares).collect()
}

/// Compares the first moves of many playouts with what the description of the policy says.
fn check<G: Simulator + Describe>(name: &str, game: &G, row: &PolicyRow, settings: &Settings) {
    let mut policy = teach(game, row, settings);
    let (style, needs) = (policy.style(), policy.needs());
    let mut dice = Dice::new(8);
    let mut expansion = Expansion::new();
    let (mut state, mut before) = (game.initial(), Vec::new());
    let mut workspace = game.workspace();
    for step in 0..2 {
        game.expand(&mut workspace, &state, &mut expansion).expect("a state");
        if expansion.is_terminal() {
            break;
        }
        let wanted = expected(game, &style.as_policy(), &state, &before);
        let mut found: BTreeMap<(u16, String), f64> = BTreeMap::new();
        // Lanes of one call share draws and the order of equal moves, so there are many calls with few
        // playouts: more than are played one by one.
        let (calls, each) = (1200, 3);
        for seed in 0..calls {
            let options = PlayOptions {
                seed,
                most_steps: 1,
                captures: false,
                decisive: game::Decisive::None,
                policy: style.as_policy(),
                record_moves: true,
                record_sequences: needs.sequences,
                record_made: false,
                record_choices: needs.choices,
                record_facts: needs.facts,
                stop: None,
            };
            let mut outcomes = Outcomes::default();
            let jobs = [Job { start: &state, playouts: each, before: &before }];
            game.play(&mut workspace, &jobs, &options, &mut outcomes).expect("playouts");
            for (role, id, fared) in outcomes.moves.iter() {
                *found.entry((role.0, game.move_text(id))).or_default() += f64::from(fared.playouts);
            }
        }
        let total = (calls * u64::from(each)) as f64;
        for (role, shares) in (0..).zip(&wanted) {
            let mut sum = 0.0;
            for (text, share) in shares {
                let found = found.get(&(role, text.clone())).copied().unwrap_or(0.0);
                sum += found;
                // Six deviations, and more for draws that are shared.
                let deviation = (share * (1.0 - share).max(0.0) * total * f64::from(each)).sqrt();
                assert!(
                    (found - share * total).abs() <= 6.0 * deviation + 1e-6,
                    "{name}, {}, step {step}: role {role} makes {text} {found} times of {total}, not {}",
                    row.name,
                    share * total,
                );
            }
            assert_eq!(sum, total, "{name} {}: every playout makes one legal move", row.name);
        }
        let joint: Vec<MoveId> = expansion.by_role().map(|legal| legal[dice.below(legal.len())]).collect();
        state = game.apply(&mut workspace, &state, &joint).expect("a state");
        before.extend(joint);
    }
}

/// The defaults of a policy, and with every word that a parameter of it may be.
fn variants(row: &PolicyRow) -> Vec<Settings> {
    let usual = Settings::new((row.parameters)());
    let mut variants = vec![usual.clone()];
    for parameter in (row.parameters)() {
        if let engine::Range::Word(words) = &parameter.range {
            variants.extend(words.iter().map(|word| {
                let mut settings = usual.clone();
                settings.set(parameter.name, word).expect("a word it may be");
                settings
            }));
        }
    }
    variants
}

#[test]
fn every_policy_chooses_as_it_says_on_every_machine() {
    let bundled = |name: &str| bundled::find(name).expect("a bundled game").rules;
    for (name, rules) in [
        ("tic-tac-toe", bundled("tic-tac-toe")),
        ("chance", WITH_CHANCE),
        ("chance in turn", WITH_CHANCE_IN_TURN),
    ] {
        let circuit = support::circuit_of(rules);
        let batch = BatchMachine::new(Arc::clone(&circuit));
        let reference = reference(rules);
        for row in Policies::standard().rows() {
            for settings in variants(row) {
                check(&format!("{name} (reference)"), &reference, row, &settings);
                check(&format!("{name} (circuit)"), &*circuit, row, &settings);
                check(&format!("{name} (batch)"), &batch, row, &settings);
            }
        }
    }
}

#[test]
fn lanes_play_what_they_can() {
    let batch = BatchMachine::new(support::circuit("tic-tac-toe"));
    let supported = |name: &str| {
        let mut policy = Policies::standard().choice(name).expect("a policy").make();
        let (style, needs) = (policy.style(), policy.needs());
        batch.supports(&PlayOptions {
            policy: style.as_policy(),
            record_moves: needs.moves,
            record_sequences: needs.sequences,
            record_choices: needs.choices,
            record_facts: needs.facts,
            ..PlayOptions::default()
        })
    };
    assert_eq!(
        ["uniform", "mast", "mast-greedy", "to-mast", "ngram"].map(supported),
        [true, true, true, true, false],
        "in order, only one by one"
    );
}

#[test]
fn chance_is_not_steered_in_a_search() {
    // Everything that pays for `random` is made often enough to be learnt, and still one in four.
    let circuit = support::circuit_of(WITH_CHANCE);
    let batch = Arc::new(BatchMachine::new(circuit));
    for row in Policies::standard().rows() {
        let policy = Policies::standard().choice(row.name).expect("a policy");
        let parameters = Parameters { policy, ..Parameters::default() };
        let mut search = Search::new(Arc::clone(&batch), batch.initial(), parameters, 3);
        search.run(&Budget::simulations(4_000)).expect("it can be searched");
        let advice = search.advice(RoleId(1)).expect("there are moves");
        let visits: Vec<u32> = advice.candidates.iter().map(|candidate| candidate.visits).collect();
        let all: u32 = visits.iter().sum();
        for visits in &visits {
            let share = f64::from(*visits) / f64::from(all);
            assert!((share - 0.25).abs() < 0.05, "{}: {visits:?} of {all}", row.name);
        }
    }
}

/// Says that a state is worth as many hundredths to every role as it has facts.
struct Facts<G>(Arc<G>);

impl<G: Describe> Evaluator<G::State> for Facts<G> {
    fn evaluate(&self, states: &[&G::State], out: &mut [f64]) -> Result<(), game::RuleFault> {
        let roles = self.0.role_count();
        for (state, values) in states.iter().zip(out.chunks_mut(roles)) {
            values.fill(self.0.facts(state).len() as f64 / 100.0);
        }
        Ok(())
    }
}

#[test]
fn an_evaluator_takes_the_place_of_playouts() {
    // A game without ends in reach: whoever adds facts does well.
    let rules = "
        (role you) (init (at 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
        (legal you stay) (legal you grow)
        (<= (next (at ?m)) (true (at ?n)) (succ ?n ?m))
        (<= (next (grown ?n)) (does you grow) (true (at ?n)))
        (<= (next (grown ?n)) (true (grown ?n)))
        (<= terminal (true (at 5)))
        (<= (goal you 50) (true (at 5)))";
    let game = support::circuit_of(rules);
    let parameters = Parameters { depth: 2, ..Parameters::default() };
    let evaluator = Arc::new(Facts(Arc::clone(&game)));
    let mut search = Search::new(Arc::clone(&game), game.initial(), parameters, 1).with_evaluator(evaluator);
    assert_eq!(search.run(&Budget::simulations(60)).expect("it can be searched"), Stop::Simulations);
    let advice = search.advice(RoleId(0)).expect("there are moves");
    assert_eq!(game.move_text(advice.best().id), "grow");
    assert_eq!(search.totals().playouts, 0);
    // To the end: what is over is known, whatever the evaluator says.
    let mut search = Search::new(Arc::clone(&game), game.initial(), Parameters::default(), 1)
        .with_evaluator(Arc::new(Facts(Arc::clone(&game))));
    assert_eq!(search.run(&Budget::simulations(100_000)).expect("it can be searched"), Stop::Proven);
    assert_eq!(search.advice(RoleId(0)).expect("there are moves").bounds[0].lower, 50);
}
