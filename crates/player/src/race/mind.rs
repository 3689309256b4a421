//! Who thinks in a race: a tree that grows, or a look ahead to a depth.

use std::sync::Arc;

use alphabeta::{DriverKind, Judge, Options};
use engine::Budget;
use game::{MoveId, RoleId, RuleFault, Simulator};
use search::mcts::Search;

use super::{Heuristic, think};

/// Who thinks.
pub(super) enum Mind<G: Simulator> {
    Tree(Box<Search<G>>),
    LookAhead(Box<LookAhead<G>>),
}

/// A look ahead, and what it is begun anew with.
pub(super) struct LookAhead<G: Simulator> {
    search: alphabeta::Search<G>,
    heuristic: Heuristic<G>,
    options: Options,
}

/// How the default agent looks ahead: windows around the value of the depth before take a tenth of the work off.
pub(crate) fn options(bytes: usize, threads: usize) -> Options {
    let mut options = Options::default();
    (options.driver, options.bytes, options.threads) = (DriverKind::Guess, bytes, threads);
    options
}

impl<G: Simulator> Mind<G> {
    /// Looks ahead in one thread, with so many bytes.
    pub(super) fn looking_ahead(
        game: &Arc<G>,
        start: &G::State,
        heuristic: Heuristic<G>,
        bytes: usize,
        seed: u64,
    ) -> Self {
        let options = options(bytes, 1);
        let judge = Judge::Ready(Arc::clone(&heuristic));
        let search = alphabeta::Search::new(game, start.clone(), RoleId(0), judge, options, seed);
        Mind::LookAhead(Box::new(LookAhead { search, heuristic, options }))
    }

    /// Begins anew, for a role in a position.
    pub(super) fn restart(&mut self, state: &G::State, role: RoleId, seed: u64) {
        match self {
            Mind::Tree(search) => {
                search.play_for(role);
                search.restart(state, seed);
            }
            Mind::LookAhead(ahead) => {
                let game = Arc::clone(ahead.search.game());
                let judge = Judge::Ready(Arc::clone(&ahead.heuristic));
                ahead.search = alphabeta::Search::new(&game, state.clone(), role, judge, ahead.options, seed);
            }
        }
    }

    /// What it would play for a role where it stands, after some time.
    pub(super) fn think(&mut self, role: RoleId, budget: &Budget<'_>) -> Result<Option<MoveId>, RuleFault> {
        match self {
            Mind::Tree(search) => Ok(think(search, role, budget)?.map(|advice| advice.best().id)),
            Mind::LookAhead(ahead) => {
                ahead.search.set_role(role);
                ahead.search.run(&Budget { turn_ends: budget.until, ..*budget })?;
                Ok(ahead.search.advice()?.map(|advice| advice.candidates[advice.best].id))
            }
        }
    }

    /// Follows a joint move.
    pub(super) fn advance(&mut self, joint: &[MoveId]) -> Result<(), RuleFault> {
        match self {
            Mind::Tree(search) => search.advance(joint),
            Mind::LookAhead(ahead) => ahead.search.advance(joint),
        }
    }
}

#[cfg(test)]
mod tests {
    use alphabeta::evaluators::Even;
    use game::{Describe, Expansion, Game};
    use machine::batch::BatchMachine;

    use super::super::test_game as game;
    use super::*;

    /// Follows the first legal moves whose texts are these, role by role.
    fn follow(
        game: &BatchMachine,
        state: &mut <BatchMachine as Game>::State,
        texts: [&str; 2],
    ) -> Vec<MoveId> {
        let (mut workspace, mut expansion) = (game.workspace(), Expansion::new());
        game.expand(&mut workspace, state, &mut expansion).expect("no fault");
        let find = |(legal, text): (&[MoveId], &str)| {
            let found = legal.iter().find(|id| game.move_text(**id) == text);
            *found.unwrap_or_else(|| panic!("{text} is not legal"))
        };
        let joint: Vec<MoveId> = expansion.by_role().zip(texts).map(find).collect();
        *state = game.apply(&mut workspace, state, &joint).expect("no fault");
        joint
    }

    #[test]
    fn who_looks_ahead_wins_at_once_and_follows_moves() {
        let game = game("tic-tac-toe");
        let mut state = game.initial();
        let moves =
            [["(mark 1 1)", "noop"], ["noop", "(mark 2 1)"], ["(mark 1 2)", "noop"], ["noop", "(mark 2 2)"]];
        let start = state.clone();
        let joints: Vec<Vec<MoveId>> = moves.map(|texts| follow(&game, &mut state, texts)).to_vec();
        let mut mind = Mind::looking_ahead(&game, &start, Arc::new(Even), 1 << 20, 1);
        mind.restart(&start, RoleId(0), 2);
        joints.iter().for_each(|joint| mind.advance(joint).expect("no fault"));
        let chosen = mind.think(RoleId(0), &Budget::simulations(10_000)).expect("no fault");
        assert_eq!(chosen.map(|id| game.move_text(id)).as_deref(), Some("(mark 1 3)"));
        mind.restart(&state, RoleId(0), 3);
        let again = mind.think(RoleId(0), &Budget::simulations(10_000)).expect("no fault");
        assert_eq!(chosen, again);
    }
}
