//! The search on real games.

mod support;

use game::{Describe, Game, MoveId, RoleId, Simulator};
use search::mcts::Search;
use search::mcts::policy::Policies;
use search::{Backup, Budget, Final, Merge, Parallel, Parameters, Selection, Stop};
use std::sync::Arc;
use support::{after, circuit};

const GAMES: [&str; 8] = [
    "tic-tac-toe",
    "connect-four-small",
    "breakthrough",
    "rock-paper-scissors",
    "tron",
    "three-player-tic-tac-toe",
    "cooperative-maze",
    "chinese-checkers-six",
];

fn thoughts<G: Simulator>(game: &Arc<G>, parameters: &Parameters, simulations: u64) -> String {
    let mut search = Search::new(Arc::clone(game), game.initial(), parameters.clone(), 7);
    search.run(&Budget::simulations(simulations)).expect("it can be searched");
    let roles: Vec<RoleId> = game.role_ids().collect();
    roles.iter().map(|&role| format!("{:?}\n", search.advice(role))).collect()
}

#[test]
fn the_same_seed_gives_the_same_tree() {
    for name in GAMES {
        let game = circuit(name);
        for row in Policies::standard().rows() {
            let policy = Policies::standard().choice(row.name).expect("a policy");
            let parameters = Parameters { policy, ..Parameters::default() };
            assert_eq!(thoughts(&game, &parameters, 200), thoughts(&game, &parameters, 200), "{name}");
        }
    }
}

#[test]
fn every_visit_is_accounted_for() {
    for name in GAMES {
        let game = circuit(name);
        for (backup, selection) in [
            (Backup::Path, Selection::Ucb1),
            (Backup::Graph, Selection::Ucb1),
            (Backup::Graph, Selection::Tuned),
            (Backup::Path, Selection::Uniform),
        ] {
            let parameters = Parameters { backup, selection, ..Parameters::default() };
            let mut search = Search::new(Arc::clone(&game), game.initial(), parameters, 3);
            let stop = search.run(&Budget::simulations(300)).expect("it can be searched");
            let advice = search.advice(RoleId(0)).expect("there are moves");
            let visits: u32 = advice.candidates.iter().map(|candidate| candidate.visits).sum();
            assert_eq!(u64::from(visits), search.totals().simulations, "{name}");
            assert!(stop == Stop::Proven || visits == 300, "{name} {visits} {stop:?}");
            assert!(advice.values.iter().all(|value| (0.0..=100.0).contains(value)), "{name}: {advice:?}");
        }
    }
}

#[test]
fn tic_tac_toe_is_a_draw() {
    let game = circuit("tic-tac-toe");
    let mut search = Search::new(Arc::clone(&game), game.initial(), Parameters::default(), 1);
    assert_eq!(search.run(&Budget::simulations(200_000)), Ok(Stop::Proven));
    let advice = search.advice(RoleId(0)).expect("there are moves");
    assert!(advice.bounds.iter().all(|bounds| bounds.is_exact() && bounds.lower == 50), "{advice:?}");
    assert!(advice.is_proven());
}

#[test]
fn a_win_in_one_is_seen_and_proven() {
    let game = circuit("tic-tac-toe");
    let noop = "noop";
    let state = after(
        &*game,
        &[&["(mark 1 1)", noop], &[noop, "(mark 2 1)"], &["(mark 1 2)", noop], &[noop, "(mark 2 2)"]],
    );
    for parameters in [Parameters::default(), Parameters { backup: Backup::Path, ..Parameters::default() }] {
        let mut search = Search::new(Arc::clone(&game), state.clone(), parameters, 1);
        assert_eq!(search.run(&Budget::simulations(5_000)), Ok(Stop::Proven));
        let advice = search.advice(RoleId(0)).expect("there are moves");
        assert_eq!(game.move_text(advice.best().id), "(mark 1 3)");
        assert_eq!(advice.best().bounds.lower, 100);
    }
}

#[test]
fn a_search_begun_anew_is_a_new_one() {
    for name in GAMES {
        let game = circuit(name);
        let budget = Budget::simulations(500);
        let mut new = Search::new(Arc::clone(&game), game.initial(), Parameters::default(), 7);
        let mut old = Search::new(Arc::clone(&game), game.initial(), Parameters::default(), 8);
        old.run(&budget).expect("it can be searched");
        old.restart(&game.initial(), 7);
        old.run(&budget).expect("it can be searched");
        new.run(&budget).expect("it can be searched");
        let (old, new) = (old.advice(RoleId(0)), new.advice(RoleId(0)));
        assert_eq!(old.map(|advice| advice.candidates), new.map(|advice| advice.candidates), "{name}");
    }
}

#[test]
fn the_tree_follows_the_match() {
    let game = circuit("connect-four-small");
    let mut search = Search::new(Arc::clone(&game), game.initial(), Parameters::default(), 5);
    let mut workspace = game.workspace();
    let mut state = game.initial();
    let mut expansion = game::Expansion::new();
    loop {
        game.expand(&mut workspace, &state, &mut expansion).expect("it can be expanded");
        if expansion.is_terminal() {
            break;
        }
        search.run(&Budget::simulations(500)).expect("it can be searched");
        let joint: Vec<_> =
            game.role_ids().map(|role| search.advice(role).expect("there are moves").best().id).collect();
        for (role, id) in game.role_ids().zip(&joint) {
            assert!(expansion.legal(role).contains(id));
        }
        state = game.apply(&mut workspace, &state, &joint).expect("it can be played");
        search.advance(&joint).expect("it can be played");
        assert_eq!(search.state(), state);
    }
    assert_eq!(search.advice(RoleId(0)), None);
}

/// Makes the best move of every role.
fn make_move<G: Simulator>(search: &mut Search<G>) {
    let best = |role| search.advice(role).expect("there are moves").best().id;
    let joint: Vec<MoveId> = search.game().role_ids().map(best).collect();
    search.advance(&joint).expect("it can be played");
}

#[test]
fn what_a_move_leaves_behind_is_forgotten_in_time() {
    let game = circuit("breakthrough");
    let parameters = Parameters { memory: 16, final_move: Final::Visits, ..Parameters::default() };
    let mut search = Search::new(Arc::clone(&game), game.initial(), parameters, 5);
    let mut recycled = 0;
    for turn in 0..8 {
        search.run(&Budget::simulations(40_000)).expect("it can be searched");
        let advice = search.advice(RoleId(0)).expect("there are moves");
        assert!(advice.bytes <= 16 << 20, "{}", advice.bytes);
        let now = search.totals().recycled;
        assert!(turn < 4 || now > recycled, "memory is full");
        recycled = now;
        make_move(&mut search);
        let kept = |role| search.advice(role).expect("there are moves");
        assert_eq!(kept(RoleId(0)).nodes, advice.nodes, "moving on takes no time");
        let visits = |role| kept(role).candidates.iter().map(|candidate| candidate.visits).sum::<u32>();
        assert!(game.role_ids().map(visits).max() > Some(100), "and keeps what is below");
    }
}

#[test]
fn little_memory_is_enough() {
    let game = circuit("breakthrough");
    for threads in [1, 2] {
        let parameters = Parameters { memory: 3, threads, ..Parameters::default() };
        let mut search = Search::new(Arc::clone(&game), game.initial(), parameters, 5);
        search.run(&Budget::simulations(30_000)).expect("it can be searched");
        let advice = search.advice(RoleId(0)).expect("there are moves");
        assert!(advice.bytes <= 3 << 20, "{}", advice.bytes);
        let recycled = search.totals().recycled;
        assert!(recycled > 500, "something was forgotten, but only {recycled}");
        let visits: u32 = advice.candidates.iter().map(|candidate| candidate.visits).sum();
        assert!(visits >= 30_000, "the root keeps its statistics");
    }
}

#[test]
fn threads_share_a_tree_or_have_one_each() {
    for name in GAMES {
        let game = circuit(name);
        for (parallel, merge) in [
            (Parallel::Tree, Merge::Sum),
            (Parallel::Root, Merge::Sum),
            (Parallel::Root, Merge::Sum10),
            (Parallel::Root, Merge::Best),
            (Parallel::Root, Merge::Raw),
        ] {
            let parameters = Parameters { threads: 3, parallel, merge, ..Parameters::default() };
            let mut search = Search::new(Arc::clone(&game), game.initial(), parameters, 5);
            let stop = search.run(&Budget::simulations(1_000)).expect("it can be searched");
            let advice = search.advice(RoleId(0)).expect("there are moves");
            let visits: u32 = advice.candidates.iter().map(|candidate| candidate.visits).sum();
            // Visits are merged as values are: only sums count each of them once.
            if merge == Merge::Sum {
                assert_eq!(u64::from(visits), search.totals().simulations, "{name} {parallel}");
            }
            assert!(
                stop == Stop::Proven || search.totals().simulations >= 900,
                "{name} {parallel} {merge} {visits} {stop:?} {:?}",
                search.totals()
            );
        }
    }
}
