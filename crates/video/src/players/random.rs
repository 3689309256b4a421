//! Does anything.

use super::*;

pub(super) const ROW: PlayerRow = PlayerRow {
    name: "random",
    help: "any action, all equally likely",
    source: "sample of the GVG-AI framework",
    parameters: no_parameters,
    make: |_, seed| Box::new(Random { dice: Dice::new(seed) }),
};

struct Random {
    dice: Dice,
}

impl Player for Random {
    fn prepare(&mut self, _: &World, _: &Budget<'_>) {}

    fn act(&mut self, world: &World, _: &Budget<'_>) -> Action {
        any_action(world, &mut self.dice)
    }
}
