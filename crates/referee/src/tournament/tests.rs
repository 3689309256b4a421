//! Whole tournaments of players whose results are known.

use super::*;

fn stage(kind: Kind, seats: &[usize]) -> Stage {
    let games = seats.iter().enumerate().map(|(game, &seats)| StageGame { game, seats }).collect();
    Stage { kind, games, top: None, rounds: 1, best_of: 1 }
}

/// Plays a tournament by a rule, a few matches at a time, and looks at where it stands after each step.
fn play(plan: &Plan, at_once: usize, goals: impl Fn(&Fixture) -> Vec<u8>) -> (Progress, Results) {
    let mut results = Results::default();
    loop {
        let progress = plan.progress(&results);
        if progress.open.is_empty() {
            assert!(progress.is_over, "{progress:?}");
            return (progress, results);
        }
        assert!(!progress.is_over);
        for fixture in progress.open.iter().take(at_once) {
            assert!(results.insert(fixture.id, goals(fixture)).is_none(), "{fixture:?} was played before");
        }
    }
}

/// The one with the lower number wins.
fn lower(fixture: &Fixture) -> Vec<u8> {
    let best = fixture.seats.iter().min();
    fixture.seats.iter().map(|seat| if Some(seat) == best { 100 } else { 0 }).collect()
}

/// Decided by the seed.
fn lot(fixture: &Fixture) -> Vec<u8> {
    let mut dice = Dice::new(fixture.seed);
    let outcomes: [[u8; 2]; 3] = [[100, 0], [0, 100], [50, 50]];
    outcomes[dice.below(3)].to_vec()
}

fn ranked(progress: &Progress) -> Vec<usize> {
    progress.ranking.iter().map(|entrant| entrant.0).collect()
}

#[test]
fn the_best_win_whatever_the_system() {
    for kind in [Kind::Knockout, Kind::DoubleElimination, Kind::RoundRobin, Kind::Swiss] {
        for entrants in 2..=17 {
            let stage = Stage { rounds: if kind == Kind::Swiss { 5 } else { 1 }, ..stage(kind, &[2, 2, 2]) };
            let plan = Plan::new(entrants, vec![stage], 3).expect("a plan");
            let (progress, _) = play(&plan, usize::MAX, lower);
            let ranking = ranked(&progress);
            assert_eq!(ranking[0], 0, "{kind:?} of {entrants}");
            if kind != Kind::Swiss {
                assert_eq!(ranking[1], 1, "{kind:?} of {entrants}: {ranking:?}");
            }
            let mut sorted = ranking.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, (0..entrants).collect::<Vec<_>>());
        }
    }
}

#[test]
fn the_order_of_matches_changes_nothing() {
    for kind in [Kind::Knockout, Kind::DoubleElimination, Kind::RoundRobin, Kind::Swiss, Kind::Preliminaries]
    {
        let stage = Stage { best_of: 3, rounds: 3, ..stage(kind, &[2, 2]) };
        let plan = Plan::new(9, vec![stage], 11).expect("a plan");
        let (one, results) = play(&plan, 1, lot);
        let (all, others) = play(&plan, usize::MAX, lot);
        assert_eq!((one, results), (all, others), "{kind:?}");
    }
}

#[test]
fn nobody_is_out_after_one_loss() {
    for seed in 0..200 {
        let plan = Plan::new(12, vec![Stage { best_of: 3, ..stage(Kind::DoubleElimination, &[2, 2]) }], seed);
        let (progress, _) = play(&plan.expect("a plan"), usize::MAX, lot);
        let series = &progress.stages[0].series;
        let losses = |entrant: EntrantId| {
            let played =
                series.iter().filter(|series| !series.is_bye && series.entrants.contains(&Some(entrant)));
            played.filter(|series| series.winner != Some(entrant)).count()
        };
        let champion = progress.ranking[0];
        assert!(losses(champion) <= 1);
        for &entrant in &progress.ranking[1..] {
            assert_eq!(losses(entrant), 2, "{entrant:?} with seed {seed}");
        }
        // Whoever came further stands higher: the second has lost the last series that was played.
        let last = series.iter().rfind(|series| !series.is_bye).expect("a final");
        assert!(last.entrants.contains(&Some(progress.ranking[1])) && last.winner == Some(champion));
    }
}

#[test]
fn a_series_ends_when_it_is_decided() {
    let plan = Plan::new(2, vec![Stage { best_of: 3, ..stage(Kind::Knockout, &[2]) }], 1).expect("a plan");
    assert_eq!(plan.progress(&Results::default()).open.len(), 2, "two are needed in any case");
    let (progress, results) = play(&plan, 1, lower);
    assert_eq!((results.len(), progress.stages[0].series[0].scores[0]), (2, 2.0));
    let (_, drawn) = play(&plan, 1, |_| vec![50, 50]);
    assert_eq!(drawn.len(), 5, "two more, then the place in the field decides");
    // Roles are exchanged.
    let seats: Vec<_> =
        progress.stages[0].series[0].fixtures.iter().map(|fixture| fixture.seats[0].0).collect();
    assert_eq!(seats, [0, 1]);
}

#[test]
fn both_have_both_roles_of_every_game_of_a_series() {
    for games in [&[2][..], &[2, 2], &[2, 2, 2], &[2, 2, 2, 2]] {
        let best_of = 4 * games.len() - 1;
        let plan = Plan::new(2, vec![Stage { best_of, ..stage(Kind::Knockout, games) }], 1).expect("a plan");
        let (progress, _) = play(&plan, 1, |_| vec![50, 50]);
        let fixtures = &progress.stages[0].series[0].fixtures[..best_of + 1];
        let mut firsts: BTreeMap<(usize, EntrantId), usize> = BTreeMap::new();
        fixtures.iter().for_each(|fixture| *firsts.entry((fixture.game, fixture.seats[0])).or_default() += 1);
        assert_eq!(firsts.len(), 2 * games.len(), "{firsts:?}");
        assert!(firsts.values().all(|&times| times == 2), "{firsts:?}");
    }
}

#[test]
fn a_fault_of_the_game_is_nobodys_win() {
    let plan = Plan::new(3, vec![stage(Kind::DoubleElimination, &[2])], 1).expect("a plan");
    let (progress, _) = play(&plan, usize::MAX, |_| Vec::new());
    assert_eq!(ranked(&progress)[0], 0, "the place in the field decides");
}

#[test]
fn preliminaries_give_everybody_every_role() {
    let plan = Plan::new(5, vec![Stage { rounds: 2, ..stage(Kind::Preliminaries, &[1, 2, 3]) }], 4);
    let plan = plan.expect("a plan");
    let mut counts: BTreeMap<(usize, usize, EntrantId), usize> = BTreeMap::new();
    for fixture in plan.progress(&Results::default()).open {
        for (role, &entrant) in fixture.seats.iter().enumerate() {
            *counts.entry((fixture.game, role, entrant)).or_default() += 1;
        }
    }
    assert_eq!(counts.len(), 5 * (1 + 2 + 3));
    assert!(counts.values().all(|&count| count == 2), "{counts:?}");
}

#[test]
fn the_best_of_a_stage_go_on_to_the_next() {
    let finals = Stage { top: Some(4), best_of: 3, ..stage(Kind::DoubleElimination, &[2]) };
    let plan = Plan::new(7, vec![stage(Kind::Preliminaries, &[2, 2, 1]), finals], 5).expect("a plan");
    // The one with the higher number wins.
    let (progress, _) = play(&plan, 3, |fixture| {
        let best = fixture.seats.iter().max();
        fixture.seats.iter().map(|seat| if Some(seat) == best { 100 } else { seat.0 as u8 }).collect()
    });
    assert_eq!(progress.stages.len(), 2);
    assert_eq!(progress.stages[1].field.len(), 4);
    let ranking = ranked(&progress);
    assert_eq!(ranking[..2], [6, 5], "{ranking:?}");
    assert_eq!(ranking.len(), 7, "those who did not go on are ranked as well");
}

#[test]
fn swiss_does_not_repeat_a_pairing() {
    let plan = Plan::new(8, vec![Stage { rounds: 5, ..stage(Kind::Swiss, &[2]) }], 2).expect("a plan");
    let (progress, results) = play(&plan, usize::MAX, lower);
    assert_eq!(results.len(), 20);
    let mut pairs: Vec<Vec<_>> =
        progress.stages[0].series.iter().map(|series| series.entrants.clone()).collect();
    pairs.iter_mut().for_each(|pair| pair.sort());
    pairs.sort();
    pairs.dedup();
    assert_eq!(pairs.len(), 20);
    let odd = Plan::new(7, vec![Stage { rounds: 4, ..stage(Kind::Swiss, &[2]) }], 2).expect("a plan");
    let (progress, _) = play(&odd, 1, lower);
    let mut alone: Vec<_> = progress.stages[0]
        .series
        .iter()
        .filter(|series| series.is_bye)
        .map(|series| series.entrants[0])
        .collect();
    alone.sort();
    alone.dedup();
    assert_eq!(alone.len(), 4, "nobody is without an opponent twice");
}

#[test]
fn what_cannot_be_played_is_explained() {
    let told = |entrants, stage| Plan::new(entrants, vec![stage], 1).expect_err("wrong").to_string();
    assert!(told(1, stage(Kind::Knockout, &[2])).contains("two entrants"));
    assert!(told(4, stage(Kind::Knockout, &[])).contains("`games`"));
    assert!(told(4, stage(Kind::Swiss, &[2, 3])).contains("game number 2 has 3 roles"));
    assert!(told(2, stage(Kind::Preliminaries, &[3])).contains("only 2 take part"));
    let eight = Stage { top: Some(8), ..stage(Kind::Knockout, &[2]) };
    assert!(told(4, eight).contains("`top = 8`; give a number from 2 to 4"));
}
