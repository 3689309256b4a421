//! Tries random sequences of actions and begins the best of them.

use engine::Typed;

use super::*;

const LENGTH: Typed<u32> =
    Typed::<u32>::whole("length", 10, 1, 1000, "sample of the GVG-AI framework", "actions of a sequence");

pub(super) const ROW: PlayerRow = PlayerRow {
    name: "random-search",
    help: "tries random sequences of actions and takes the first action of the best one",
    source: "sample of the GVG-AI framework",
    parameters: || vec![LENGTH.row()],
    make: |settings, seed| Box::new(RandomSearch { length: settings.of(&LENGTH), dice: Dice::new(seed) }),
};

struct RandomSearch {
    length: u32,
    dice: Dice,
}

impl Player for RandomSearch {
    fn prepare(&mut self, _: &World, _: &Budget<'_>) {}

    fn act(&mut self, world: &World, budget: &Budget<'_>) -> Action {
        let mut timer = Timer::new(budget);
        let mut tried = world.clone();
        let mut best = (any_action(world, &mut self.dice), f64::NEG_INFINITY);
        while !timer.is_over() {
            tried.restart(world, &mut self.dice);
            let first = any_action(world, &mut self.dice);
            let mut action = first;
            let mut ticks = 0;
            while ticks < self.length && !tried.is_over() {
                tried.advance(action);
                action = any_action(&tried, &mut self.dice);
                ticks += 1;
            }
            timer.spend(u64::from(ticks).max(1));
            let value = win_and_score(&tried);
            if value > best.1 {
                best = (first, value);
            }
        }
        best.0
    }
}
