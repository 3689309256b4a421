//! Where two choose at once: which methods of choosing come near an equilibrium, in games of a few moves whose
//! equilibria are known.

mod support;

use std::fmt::Write as _;
use std::sync::Arc;

use game::{Describe, Game, RoleId};
use machine::circuit::CircuitMachine;
use search::mcts::Search;
use search::{Backup, Budget, Mixed, Parameters, Simultaneous};

/// The rules of a game in which two choose once and at once, given what the first gets; the other gets the rest
/// of 100.
fn matrix_game(rows: &[&[u8]]) -> String {
    let mut rules = "(role row) (role column) (init start)
        (<= terminal (not (true start)))
        (<= (next (picked ?role ?move)) (does ?role ?move))\n"
        .to_owned();
    for row in 0..rows.len() {
        let _ = writeln!(rules, "(legal row m{row})");
    }
    for column in 0..rows[0].len() {
        let _ = writeln!(rules, "(legal column m{column})");
    }
    for (row, goals) in rows.iter().enumerate() {
        for (column, goal) in goals.iter().enumerate() {
            let picked = format!("(true (picked row m{row})) (true (picked column m{column}))");
            let _ = writeln!(rules, "(<= (goal row {goal}) {picked})");
            let _ = writeln!(rules, "(<= (goal column {}) {picked})", 100 - goal);
        }
    }
    rules
}

/// Who plays the same as the other loses.
const PENNIES: &[&[u8]] = &[&[100, 0], &[0, 100]];
const STONE_PAPER_SCISSORS: &[&[u8]] = &[&[50, 0, 100], &[100, 50, 0], &[0, 100, 50]];
/// The first mixes 2 to 5 (100 p + 20 (1 - p) = 60 (1 - p)), the second 3 to 4; it is worth 300/7.
const BIASED: &[&[u8]] = &[&[100, 0], &[20, 60]];

fn machine(rules: &str) -> Arc<CircuitMachine> {
    support::circuit_of(rules)
}

fn searched(
    game: &Arc<CircuitMachine>,
    parameters: Parameters,
    count: u64,
    seed: u64,
) -> Search<CircuitMachine> {
    let mut search = Search::new(Arc::clone(game), game.initial(), parameters, seed);
    search.run(&Budget::simulations(count)).expect("it can be searched");
    search
}

/// How a role mixes its moves.
fn mix(search: &Search<CircuitMachine>, role: u16) -> Vec<f64> {
    let advice = search.advice(RoleId(role)).expect("there are moves");
    advice.candidates.iter().map(|candidate| candidate.likelihood.expect("a mix")).collect()
}

fn parameters(simultaneous: Simultaneous) -> Parameters {
    Parameters { simultaneous, ..Parameters::default() }
}

/// The most that one who knows the mixes could win by changing its own: 0 in an equilibrium, in points.
fn exploitability(rows: &[&[u8]], row: &[f64], column: &[f64]) -> f64 {
    let against_column = |place: usize| {
        rows[place].iter().zip(column).map(|(&goal, part)| f64::from(goal) * part).sum::<f64>()
    };
    let against_row =
        |place: usize| rows.iter().zip(row).map(|(goals, part)| f64::from(goals[place]) * part).sum::<f64>();
    let best = (0..rows.len()).map(against_column).fold(0.0, f64::max);
    let worst = (0..rows[0].len()).map(against_row).fold(100.0, f64::min);
    best - worst
}

#[test]
fn mixed_methods_come_near_the_equilibrium() {
    for rows in [PENNIES, STONE_PAPER_SCISSORS, BIASED] {
        let game = machine(&matrix_game(rows));
        // Rewards divided by how likely they were vary more. By equal parts 20 points are lost in the biased game.
        for (method, most) in [(Simultaneous::Exp3, 8.0), (Simultaneous::RegretMatching, 4.0)] {
            let at = |count| {
                let search = searched(&game, parameters(method), count, 7);
                exploitability(rows, &mix(&search, 0), &mix(&search, 1))
            };
            let late = at(40_000);
            println!("{rows:?} {method}: {:.2} points after 400, {late:.2} after 40,000", at(400));
            assert!(late < most, "{method} may lose {late} points of 100 in {rows:?}");
        }
    }
}

#[test]
fn mixes_are_those_of_the_equilibrium() {
    let game = machine(&matrix_game(BIASED));
    let search = searched(&game, parameters(Simultaneous::RegretMatching), 40_000, 3);
    let (row, column) = (mix(&search, 0), mix(&search, 1));
    assert!((row[0] - 2.0 / 7.0).abs() < 0.04, "{row:?}");
    assert!((column[0] - 3.0 / 7.0).abs() < 0.04, "{column:?}");
    let value = search.advice(RoleId(0)).expect("there are moves").values[0] / Parameters::default().discount;
    assert!((value - 300.0 / 7.0).abs() < 4.0, "{value}");
}

#[test]
fn batches_do_not_keep_it_from_converging() {
    let game = machine(&matrix_game(BIASED));
    for batch in [1, 128] {
        let parameters = Parameters { batch, ..parameters(Simultaneous::RegretMatching) };
        let search = searched(&game, parameters, 40_000, 5);
        let lost = exploitability(BIASED, &mix(&search, 0), &mix(&search, 1));
        assert!(lost < 4.0, "{lost} points of 100 with batches of {batch}");
    }
}

#[test]
fn values_of_mixed_games_travel_up() {
    // First both choose a door; behind the same door the biased game is played, worth 300/7 to the first role.
    // If only the first takes the left door it gets 30, if only the other does 70. So the doors are the matrix
    // ((42.9, 30), (70, 42.9)), in which the right door is better for both whatever the other does.
    let mut rules = "(role row) (role column) (init doors)
        (door m0) (door m1)
        (<= (legal ?role ?door) (role ?role) (door ?door) (not (true over)))
        (<= (next (stood ?role ?door)) (true doors) (does ?role ?door))
        (<= (next game) (true doors) (does row ?door) (does column ?door))
        (<= (next over) (true doors) (does row ?one) (does column ?other) (distinct ?one ?other))
        (<= (next (picked ?role ?move)) (true game) (does ?role ?move))
        (<= (next over) (true game))
        (<= terminal (true over))
        (<= (goal row 30) (true (stood row m0)) (true (stood column m1)))
        (<= (goal column 70) (true (stood row m0)) (true (stood column m1)))
        (<= (goal row 70) (true (stood row m1)) (true (stood column m0)))
        (<= (goal column 30) (true (stood row m1)) (true (stood column m0)))\n"
        .to_owned();
    for (row, goals) in BIASED.iter().enumerate() {
        for (column, goal) in goals.iter().enumerate() {
            let picked = format!("(true (picked row m{row})) (true (picked column m{column}))");
            let _ = writeln!(rules, "(<= (goal row {goal}) {picked})");
            let _ = writeln!(rules, "(<= (goal column {}) {picked})", 100 - goal);
        }
    }
    let game = machine(&rules);
    for method in [Simultaneous::Exp3, Simultaneous::RegretMatching] {
        let mut search = searched(&game, parameters(method), 40_000, 1);
        for role in 0..2 {
            let mix = mix(&search, role);
            assert!(mix[1] > 0.9, "{method}, role {role}: {mix:?}");
        }
        // What was learnt behind the doors is kept.
        let joint: Vec<_> =
            (0..2).map(|role| game.find_move(RoleId(role), "m1").expect("a known move")).collect();
        search.advance(&joint).expect("it can be followed");
        search.run(&Budget::simulations(20_000)).expect("it can be searched");
        let lost = exploitability(BIASED, &mix(&search, 0), &mix(&search, 1));
        assert!(lost < 5.0, "{method}: {lost} points of 100");
    }
}

#[test]
fn decoupled_statistics_need_not_converge() {
    // The move played is no mix, so it can always be answered. Visits need not come near the equilibrium either.
    let game = machine(&matrix_game(BIASED));
    let search = searched(&game, parameters(Simultaneous::Decoupled), 40_000, 7);
    let advice = search.advice(RoleId(0)).expect("there are moves");
    assert!(advice.candidates.iter().all(|candidate| candidate.likelihood.is_none()), "it is not mixed");
    let mut pure = vec![0.0; 2];
    pure[advice.chosen] = 1.0;
    let other = [3.0 / 7.0, 4.0 / 7.0];
    assert!(exploitability(BIASED, &pure, &other) > 20.0);
    let always = Parameters { mixed: Mixed::Always, ..parameters(Simultaneous::Decoupled) };
    let search = searched(&game, always, 40_000, 7);
    let lost = exploitability(BIASED, &mix(&search, 0), &mix(&search, 1));
    println!("decoupled, by visits: {lost:.2} points");
}

#[test]
fn who_chooses_first_is_answered() {
    // If the first role's move is known it gets 20 at most by the second row: maximin.
    let game = machine(&matrix_game(BIASED));
    let mut search = Search::new(Arc::clone(&game), game.initial(), parameters(Simultaneous::Sequential), 1);
    search.play_for(RoleId(0));
    search.run(&Budget::simulations(5_000)).expect("it can be searched");
    let advice = search.advice(RoleId(0)).expect("there are moves");
    assert_eq!(advice.chosen, 1, "{advice:?}");
    let value = advice.best().value / Parameters::default().discount;
    assert!((value - 20.0).abs() < 3.0, "{value}");
    assert!(advice.best().likelihood.is_none());
    // The other is sure of no more than 40 (if the first answers with its second row).
    search.play_for(RoleId(1));
    search.restart(&game.initial(), 1);
    search.play_for(RoleId(1));
    search.run(&Budget::simulations(5_000)).expect("it can be searched");
    let advice = search.advice(RoleId(1)).expect("there are moves");
    assert_eq!(advice.chosen, 1);
    let value = advice.best().value / Parameters::default().discount;
    assert!((value - 40.0).abs() < 3.0, "{value}");
}

#[test]
fn what_is_proven_is_played() {
    // The second row wins whatever the other does, and the first against one reply only.
    let game = machine(&matrix_game(&[&[100, 0], &[100, 100]]));
    for method in [Simultaneous::Sequential, Simultaneous::Exp3, Simultaneous::RegretMatching] {
        for seed in 0..8 {
            let search = searched(&game, parameters(method), 400, seed);
            let advice = search.advice(RoleId(0)).expect("there are moves");
            assert!(advice.is_proven() && advice.chosen == 1, "{method}: {advice:?}");
        }
    }
}

#[test]
fn moves_are_drawn_by_the_seed() {
    let game = machine(&matrix_game(PENNIES));
    let chosen = |seed| {
        let search = searched(&game, parameters(Simultaneous::RegretMatching), 2_000, seed);
        search.advice(RoleId(0)).expect("there are moves").chosen
    };
    let all: Vec<usize> = (0..40).map(chosen).collect();
    assert_eq!(all, (0..40).map(chosen).collect::<Vec<_>>(), "the same seed draws the same move");
    let first = all.iter().filter(|&&place| place == 0).count();
    assert!((8..=32).contains(&first), "{first} of 40");
    let never = Parameters { mixed: Mixed::Never, ..parameters(Simultaneous::RegretMatching) };
    let search = searched(&game, never, 2_000, 1);
    let advice = search.advice(RoleId(0)).expect("there are moves");
    assert!(advice.best().likelihood.is_none());
}

#[test]
fn several_threads_and_trees_mix_too() {
    let game = machine(&matrix_game(BIASED));
    for parallel in [search::Parallel::Tree, search::Parallel::Root] {
        let parameters = Parameters { threads: 2, parallel, ..parameters(Simultaneous::RegretMatching) };
        let search = searched(&game, parameters, 40_000, 1);
        let lost = exploitability(BIASED, &mix(&search, 0), &mix(&search, 1));
        assert!(lost < 5.0, "{parallel}: {lost} points of 100");
    }
}

#[test]
fn real_games_are_played_by_every_method() {
    for name in ["goofspiel", "tron", "pursuit", "simultaneous-connect-four", "tic-tac-toe"] {
        let game = support::circuit(name);
        for method in [Simultaneous::Sequential, Simultaneous::Exp3, Simultaneous::RegretMatching] {
            for (memory, backup) in [(1, Backup::Graph), (64, Backup::Path)] {
                let parameters = Parameters { memory, backup, ..parameters(method) };
                let mut search = searched(&game, parameters, 3_000, 1);
                for _ in 0..3 {
                    let roles = 0..game.role_count();
                    let joint: Option<Vec<_>> = roles
                        .map(|role| search.advice(RoleId(role as u16)).map(|advice| advice.best().id))
                        .collect();
                    let Some(joint) = joint else { break };
                    search.advance(&joint).expect("it can be followed");
                    search.run(&Budget::simulations(500)).expect("it can be searched");
                }
            }
        }
    }
}
