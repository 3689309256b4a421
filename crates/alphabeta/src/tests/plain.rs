//! Plain minimax and plain alpha-beta, and searches against them on generated games.

use std::collections::HashMap;
use std::sync::Arc;

use engine::Evaluator;
use game::{Dice, Expansion, Game, Goal, MoveId, RoleId, Simulator};
use proptest::prelude::*;

use super::graph::Graph;
use super::{Whim, look_through, search, small};
use crate::value::{Discount, sane, worth_of};
use crate::{DriverKind, Options};

/// What a position is worth to a depth when a role chooses first and all others against it, by trying everything;
/// `floor` and `ceiling` are the window of alpha-beta, or none.
pub(crate) fn plain<G: Simulator>(
    game: &G,
    state: &G::State,
    role: RoleId,
    depth: u16,
    discount: f64,
    window: Option<(f64, f64)>,
) -> f64 {
    let (mut workspace, mut expansion) = (game.workspace(), Expansion::new());
    game.expand(&mut workspace, state, &mut expansion).expect("a state");
    if expansion.is_terminal() {
        let mut goals = Vec::new();
        game.goals(&mut workspace, state, &mut goals).expect("goals");
        return worth_of(goals[usize::from(role.0)].value());
    }
    if depth == 0 {
        let mut values = vec![0.0; game.role_count()];
        Whim(game.role_count()).evaluate(&[state], &mut values).expect("values");
        return sane(values[usize::from(role.0)]);
    }
    let discount_of = Discount(discount);
    let mut by_own: HashMap<MoveId, Vec<Vec<MoveId>>> = HashMap::new();
    for joint in expansion.joint_moves() {
        by_own.entry(joint[usize::from(role.0)]).or_default().push(joint);
    }
    let mut best = f64::NEG_INFINITY;
    for own in expansion.legal(role) {
        let mut worst = f64::INFINITY;
        for joint in &by_own[own] {
            let next = game.apply(&mut workspace, state, joint).expect("a state");
            let inner = window.map(|(alpha, beta)| {
                (discount_of.after(alpha.max(best)), discount_of.after(beta.min(worst)))
            });
            worst = worst.min(discount_of.before(plain(game, &next, role, depth - 1, discount, inner)));
            if window.is_some_and(|(alpha, _)| worst <= alpha.max(best)) {
                break;
            }
        }
        best = best.max(worst);
        if window.is_some_and(|(_, beta)| best >= beta) {
            break;
        }
    }
    best
}

const WIDE: Option<(f64, f64)> = Some((-1.0, 2.0));

/// Searches of a position to each depth find what trying everything finds.
pub(crate) fn compare<G: Simulator>(game: &Arc<G>, state: &G::State, depths: u16, options: Options) {
    let discount = options.discount.0;
    for role in (0..game.role_count() as u16).map(RoleId) {
        for depth in 1..=depths {
            let expected = plain(&**game, state, role, depth, discount, None);
            let pruned = plain(&**game, state, role, depth, discount, WIDE);
            assert!((expected - pruned).abs() < 1e-9, "alpha-beta: {pruned} for {expected}");
            let options = Options { look_ahead: depth, ..options };
            let mut search = search(game, state, role, options);
            look_through(&mut search);
            let advice = search.advice().expect("no fault").expect("not over");
            let value = advice.value.expect("a value");
            assert!(
                (value - expected).abs() < 1e-9,
                "{role:?} depth {depth}: {value} for {expected}, {options:?}"
            );
            assert_eq!(advice.depth, depth);
            // The best move is worth that. What is proven to be as good as any comes first, though: with a discount
            // another one may be worth more to a depth, as it is thought to lose later.
            if discount < 1.0 && advice.is_proven() {
                continue;
            }
            let best = advice.candidates[advice.best].id;
            let after = |joint: &Vec<MoveId>| {
                let next = game.apply(&mut game.workspace(), state, joint).expect("a state");
                Discount(discount).before(plain(&**game, &next, role, depth - 1, discount, None))
            };
            let mut expansion = Expansion::new();
            game.expand(&mut game.workspace(), state, &mut expansion).expect("a state");
            let joints = expansion.joint_moves().filter(|joint| joint[usize::from(role.0)] == best);
            let worst = joints.map(|joint| after(&joint)).fold(f64::INFINITY, f64::min);
            assert!(
                (worst - expected).abs() < 1e-9,
                "{role:?} depth {depth}: move of {worst} for {expected}"
            );
        }
    }
}

/// Options with every technique on or off by the bits of a number, exact at each depth.
fn technique(bits: usize) -> Options {
    let is_on = |bit: usize| bits >> bit & 1 != 0;
    Options {
        driver: [DriverKind::Bisection, DriverKind::Guess, DriverKind::Aspiration][bits % 3],
        remember: is_on(2),
        probe: is_on(3),
        history: is_on(4),
        killers: is_on(5),
        sort: is_on(6),
        bundle: if is_on(7) { 512 } else { 1 },
        threads: 1 + usize::from(is_on(8)),
        discount: Discount(if is_on(9) { 0.97 } else { 1.0 }),
        precision: if is_on(10) { 0.01 } else { 0.2 },
        same_depth: true,
        ..small()
    }
}

#[test]
fn a_move_that_is_sure_comes_first() {
    // One move brings 30 in two steps for sure, another at most 30 in three: that is worth more to a depth of four.
    let graph = Graph::random(2, 40, true, &mut Dice::new(3_880_362_964_089_478_027));
    for lanes in [1, 2] {
        let graph = Arc::new(Graph { lanes, ..graph.clone() });
        for bits in
            (0..2048).filter(|bits| technique(*bits).discount.0 < 1.0 && technique(*bits).threads == 1)
        {
            compare(&graph, &graph.initial(), 4, technique(bits));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn every_search_finds_what_trying_everything_finds(
        seed in any::<u64>(), roles in 1usize..4, in_turn in any::<bool>(), bits in 0usize..2048, lanes in 1usize..3,
    ) {
        let graph = Graph::random(roles, 40, in_turn, &mut Dice::new(seed));
        let graph = Arc::new(Graph { lanes, ..graph });
        compare(&graph, &graph.initial(), if in_turn { 6 } else { 3 }, technique(bits));
    }

    #[test]
    fn what_is_proven_is_so_whatever_collides(
        seed in any::<u64>(), roles in 1usize..4, in_turn in any::<bool>(), bits in 0usize..2048, collides in any::<bool>(),
    ) {
        let graph = Graph::random(roles, if in_turn { 30 } else { 20 }, in_turn, &mut Dice::new(seed));
        let graph = Arc::new(Graph { collides, ..graph });
        // One segment of the table, all positions of one hash in four places of it.
        let options = Options { same_depth: false, bytes: 1, ..technique(bits) };
        for role in (0..roles as u16).map(RoleId) {
            let exact = plain(&*graph, &graph.initial(), role, 100, 1.0, WIDE);
            let mut search = search(&graph, &graph.initial(), role, Options { look_ahead: 30, ..options });
            look_through(&mut search);
            let advice = search.advice().expect("no fault").expect("not over");
            for candidate in &advice.candidates {
                prop_assert!(candidate.proven.least <= candidate.proven.most);
                prop_assert!(worth_of(candidate.proven.least) <= exact + 1e-9);
            }
            let most = advice.candidates.iter().map(|candidate| candidate.proven.most).max().unwrap_or(Goal(0));
            prop_assert!(worth_of(most) >= exact - 1e-9);
            prop_assert!(advice.is_proven(), "all was looked through");
            let sure = advice.candidates[advice.best].proven.least;
            prop_assert!((worth_of(sure) - exact).abs() < 1e-9, "{:?} for {}", sure, exact);
        }
    }
}
