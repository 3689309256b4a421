//! The players, one file and one row each.

mod a_star;
mod climbing;
mod genetic;
mod iterated_width;
mod knowledge_mcts;
mod look_ahead;
mod ludens_video;
mod mcts;
mod olets;
mod one_step;
mod q_learning;
mod random;
mod random_search;
mod time_scale;
mod visitor;

use engine::{Budget, Parameter};
use game::Dice;
use vgdl::Action;

use crate::open_loop::best;
use crate::tree::Tree;
use crate::value::{WIN, win_and_score};
use crate::{Player, PlayerRow, Registry, Timer, World};

/// All players.
pub fn registry() -> Registry {
    Registry::new(vec![
        ludens_video::ROW,
        random::ROW,
        one_step::ROW,
        random_search::ROW,
        genetic::ROW,
        mcts::ROW,
        olets::ROW,
        look_ahead::ROW,
        climbing::ROW,
        q_learning::ROW,
        a_star::ROW,
        visitor::ROW,
        knowledge_mcts::ROW,
        time_scale::ROW,
        iterated_width::ROW,
    ])
}

/// Any of the actions of a world.
fn any_action(world: &World, dice: &mut Dice) -> Action {
    let actions = world.actions();
    actions[dice.below(actions.len())]
}

fn no_parameters() -> Vec<Parameter> {
    Vec::new()
}
