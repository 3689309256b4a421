//! Goals that facts that stay as they are rule out: nodes are bounded at once, and nothing wrong is proven.

mod support;

use std::sync::Arc;

use game::{Dice, Expansion, Game, MoveId, RoleId};
use machine::batch::BatchMachine;
use search::mcts::{Advice, Search};
use search::{Budget, Parameters};

#[test]
fn the_same_is_proven_with_fewer_simulations() {
    for name in ["tic-tac-toe", "tic-tac-toe-misere", "three-player-tic-tac-toe"] {
        let game = Arc::new(BatchMachine::new(support::circuit(name)));
        let (mut workspace, mut expansion, mut dice) = (game.workspace(), Expansion::new(), Dice::new(7));
        let (mut state, mut compared, mut simulations, mut bounded) = (game.initial(), 0, [0, 0], 0);
        for _ in 0..100 {
            game.expand(&mut workspace, &state, &mut expansion).expect("no fault");
            if expansion.is_terminal() {
                state = game.initial();
                continue;
            }
            let [without, with]: [Advice; 2] = [false, true].map(|latches| {
                let parameters = Parameters { latches, ..Parameters::default() };
                let mut search = Search::new(Arc::clone(&game), state.clone(), parameters, 1);
                search.run(&Budget::simulations(4_000)).expect("no fault");
                let totals = search.totals();
                simulations[usize::from(latches)] += totals.simulations;
                assert!(latches || totals.bounded == 0);
                bounded += totals.bounded;
                search.advice(RoleId(0)).expect("there are moves")
            });
            let mut both = without.bounds.iter().zip(&with.bounds);
            let contradict = both.clone().any(|(one, two)| one.lower > two.upper || two.lower > one.upper);
            assert!(!contradict, "{name}: {without:?} {with:?}");
            compared += usize::from(both.all(|(one, two)| one == two && one.lower == one.upper));
            let joint: Vec<MoveId> =
                expansion.by_role().map(|legal| legal[dice.below(legal.len())]).collect();
            state = game.apply(&mut workspace, &state, &joint).expect("no fault");
        }
        println!("{name}: {compared} solved both ways, {bounded} bounded, simulations {simulations:?}");
        assert!(compared >= 35 && bounded > 0, "{name}: {compared}, {bounded}");
        assert!(simulations[1] < simulations[0], "{name}: {simulations:?}");
    }
}
