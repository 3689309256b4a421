//! States met in random play: what an analysis looks at to learn what states are like.

use game::{Dice, Expansion, Game, MoveId};

/// How many states are wanted.
#[derive(Clone, Copy, Debug)]
pub struct SampleLimits {
    /// Playouts.
    pub playouts: u64,
    /// Joint moves after which a playout is left.
    pub steps: usize,
    /// States kept of each playout, from its beginning to its end.
    pub kept: usize,
}

impl Default for SampleLimits {
    fn default() -> Self {
        Self { playouts: 6, steps: 300, kept: 12 }
    }
}

/// States of a few random playouts, the initial one first. What is wrong with a game ends a playout early and
/// is no concern here; `go_on` is asked before every step.
pub fn sample<G: Game>(
    game: &G,
    workspace: &mut G::Workspace,
    limits: SampleLimits,
    seed: u64,
    go_on: &dyn Fn() -> bool,
) -> Vec<G::State> {
    let mut found = vec![game.initial()];
    let mut expansion = Expansion::new();
    for number in 0..limits.playouts {
        let mut dice = Dice::stream(seed, number);
        let mut path = vec![game.initial()];
        while path.len() <= limits.steps && go_on() {
            let Some(state) = path.last() else { break };
            if game.expand(workspace, state, &mut expansion).is_err()
                || expansion.is_terminal()
                || expansion.stuck_role().is_some()
            {
                break;
            }
            let joint: Vec<MoveId> =
                expansion.by_role().map(|legal| legal[dice.below(legal.len())]).collect();
            let Ok(next) = game.apply(workspace, state, &joint) else { break };
            path.push(next);
        }
        let last = path.len() - 1;
        let kept = limits.kept.clamp(1, path.len());
        // Evenly from the first after the start to the last.
        found.extend((1..=kept).map(|at| path[last * at / kept].clone()));
        if !go_on() {
            break;
        }
    }
    found
}
