//! The players, one file and one row each.

mod genetic;
mod mcts;
mod olets;
mod one_step;
mod random;
mod random_search;

use engine::{Budget, Parameter};
use game::Dice;
use vgdl::Action;

use crate::tree::Tree;
use crate::value::{WIN, win_and_score};
use crate::{Player, PlayerRow, Registry, Timer, World};

/// All players.
pub fn registry() -> Registry {
    Registry::new(vec![random::ROW, one_step::ROW, random_search::ROW, genetic::ROW, mcts::ROW, olets::ROW])
}

/// Any of the actions of a world.
fn any_action(world: &World, dice: &mut Dice) -> Action {
    let actions = world.actions();
    actions[dice.below(actions.len())]
}

/// The action with the largest value; of several, any.
fn best(values: impl IntoIterator<Item = (Action, f64)>, dice: &mut Dice) -> Action {
    let mut best = (Action::Nil, f64::NEG_INFINITY);
    let mut ties = 0;
    for (action, value) in values {
        if value > best.1 {
            best = (action, value);
            ties = 1;
        } else if value == best.1 {
            ties += 1;
            if dice.below(ties) == 0 {
                best.0 = action;
            }
        }
    }
    best.0
}

fn no_parameters() -> Vec<Parameter> {
    Vec::new()
}
