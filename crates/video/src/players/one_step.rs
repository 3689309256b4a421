//! Tries every action once and takes the one that looks best.

use vgdl::{Category, Outcome};

use super::*;

pub(super) const ROW: PlayerRow = PlayerRow {
    name: "one-step",
    help: "tries every action once and takes the best by score, others that are left, and distances to them and to portals",
    source: "sample of the GVG-AI framework; Perez et al., The 2014 General Video Game Playing Competition, 2016",
    parameters: no_parameters,
    make: |_, seed| Box::new(OneStep { dice: Dice::new(seed) }),
};

struct OneStep {
    dice: Dice,
}

impl Player for OneStep {
    fn prepare(&mut self, _: &World, _: &Budget<'_>) {}

    fn act(&mut self, world: &World, _: &Budget<'_>) -> Action {
        let mut tried = world.clone();
        let values: Vec<(Action, f64)> = world
            .actions()
            .iter()
            .map(|&action| {
                tried.restart(world, &mut self.dice);
                tried.advance(action);
                (action, simple_value(&tried))
            })
            .collect();
        best(values, &mut self.dice)
    }
}

/// Score first; fewer others, near others and near portals are better.
pub(super) fn simple_value(world: &World) -> f64 {
    match world.outcome() {
        Outcome::Won => return WIN,
        Outcome::Lost => return -WIN,
        Outcome::Open => {}
    }
    let Some(own) = world.avatar_sprite() else { return world.score() * 100.0 };
    let (mut others, mut near_other, mut near_portal) = (0u32, f64::INFINITY, f64::INFINITY);
    for sprite in world.sprites() {
        let apart =
            f64::from((sprite.rect.x - own.rect.x).abs()) + f64::from((sprite.rect.y - own.rect.y).abs());
        match sprite.category {
            Category::Npc => {
                others += 1;
                near_other = near_other.min(apart);
            }
            Category::Portal => near_portal = near_portal.min(apart),
            _ => {}
        }
    }
    let cells = |pixels: f64| if pixels.is_finite() { pixels / f64::from(world.block()) } else { 0.0 };
    world.score() * 100.0 - f64::from(others) * 100.0 - cells(near_other) - cells(near_portal) * 10.0
}
