//! What a state is worth.

use vgdl::Outcome;

use crate::World;

/// What winning is worth, beyond any score (the samples of the GVG-AI framework).
pub(crate) const WIN: f64 = 1e7;

/// The score, and winning above all scores.
pub(crate) fn win_and_score(world: &World) -> f64 {
    world.score()
        + match world.outcome() {
            Outcome::Won => WIN,
            Outcome::Lost => -WIN,
            Outcome::Open => 0.0,
        }
}
