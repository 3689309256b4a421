//! Our own player. It learns which meetings give points or end the game from whatever it tries, walks to
//! what is worth a visit by path finding, and plans games in which nothing is left to chance to their end.

use engine::Typed;

use super::*;
use crate::guide::{Guide, Weights};
use crate::open_loop::{OpenLoop, Spread};
use crate::plans::Plans;

const SOURCE: &str = "Ludens";

const PATIENCE: Typed<u32> = Typed::<u32>::whole(
    "patience",
    400,
    0,
    2000,
    SOURCE,
    "for how many ticks it waits for a plan where nothing happens meanwhile",
);
const STAKES: Typed<f64> = Typed::<f64>::real(
    "stakes",
    25.0,
    0.0,
    1e6,
    SOURCE,
    "what winning is worth and losing costs, compared with a usual change of the score",
);
const ATTRACTION: Typed<f64> = Typed::<f64>::real(
    "attraction",
    0.05,
    0.0,
    1000.0,
    SOURCE,
    "what a step nearer to what is worth a visit is worth, compared with a usual change of the score",
);
const BOREDOM: Typed<f64> = Typed::<f64>::real(
    "boredom",
    0.1,
    0.0,
    1000.0,
    SOURCE,
    "what being where it was lately costs, compared with a usual change of the score",
);
const FEAR: Typed<f64> = Typed::<f64>::real(
    "fear",
    0.2,
    0.0,
    1000.0,
    SOURCE,
    "what being beside what kills costs, compared with a usual change of the score",
);
const HEALTH: Typed<f64> = Typed::<f64>::real(
    "health",
    5.0,
    0.0,
    1000.0,
    SOURCE,
    "what all health points are worth, compared with a usual change of the score",
);
const DISCOUNT: Typed<f64> =
    Typed::<f64>::real("discount", 0.99, 0.0, 1.0, SOURCE, "what points are worth a tick later");
const DETOUR: Typed<f64> = Typed::<f64>::real(
    "detour",
    0.05,
    0.0,
    1000.0,
    SOURCE,
    "what it costs to be where it can be sooner, compared with a usual change of the score",
);
const EXPLORATION: Typed<f64> = Typed::<f64>::real(
    "exploration",
    1.0,
    0.0,
    1000.0,
    SOURCE,
    "how much actions that were tried less are preferred, measured by how much values differ",
);
const SPREAD: Typed<f64> = Typed::<f64>::real(
    "spread",
    0.1,
    0.0,
    1000.0,
    SOURCE,
    "the least difference of values that exploration is measured by",
);
const MEMORY: Typed<f64> = Typed::<f64>::real(
    "memory",
    0.5,
    0.0,
    1.0,
    SOURCE,
    "how much of what was thought in the tick before still counts",
);

pub(super) const ROW: PlayerRow = PlayerRow {
    name: "ludens-video",
    help: "plans where nothing is left to chance; elsewhere an open loop search that learns what is worth a visit",
    source: SOURCE,
    parameters: || {
        vec![
            PATIENCE.row(),
            STAKES.row(),
            ATTRACTION.row(),
            BOREDOM.row(),
            FEAR.row(),
            HEALTH.row(),
            DISCOUNT.row(),
            DETOUR.row(),
            EXPLORATION.row(),
            SPREAD.row(),
            MEMORY.row(),
        ]
    },
    make: |settings, seed| {
        Box::new(LudensVideo {
            guide: Guide::new(Weights {
                stakes: settings.of(&STAKES),
                attraction: settings.of(&ATTRACTION),
                boredom: settings.of(&BOREDOM),
                fear: settings.of(&FEAR),
                health: settings.of(&HEALTH),
                discount: settings.of(&DISCOUNT),
                detour: settings.of(&DETOUR),
            }),
            search: OpenLoop::new(settings.of(&EXPLORATION), true, Some(Spread::new(settings.of(&SPREAD)))),
            memory: settings.of(&MEMORY),
            plans: Plans::new(settings.of(&PATIENCE) as i32),
            last: None,
            hands: 0,
            dice: Dice::new(seed),
        })
    },
};

struct LudensVideo {
    guide: Guide,
    search: OpenLoop,
    memory: f64,
    plans: Plans,
    /// What was done in the last tick.
    last: Option<Action>,
    /// What the avatar was and held in the last tick.
    hands: u64,
    dice: Dice,
}

impl LudensVideo {
    fn think(&mut self, world: &World, timer: &mut Timer<'_>) {
        let mut tried = world.clone();
        while !timer.is_over() {
            tried.restart(world, &mut self.dice);
            self.guide.start(&tried);
            timer.spend(self.search.simulate(&mut tried, &mut self.guide, &mut self.dice));
        }
    }
}

impl Player for LudensVideo {
    fn prepare(&mut self, world: &World, budget: &Budget<'_>) {
        let mut timer = Timer::new(budget);
        if self.plans.prepare(world, &mut timer, &mut self.dice) {
            return;
        }
        self.guide.begin(world);
        self.think(world, &mut timer);
    }

    fn act(&mut self, world: &World, budget: &Budget<'_>) -> Action {
        let mut timer = Timer::new(budget);
        if let Some(action) = self.plans.act(world, &mut timer, &mut self.dice) {
            // What was thought before the plan is about other states.
            self.last = None;
            return action;
        }
        match self.last {
            Some(last) => self.search.follow(last, self.memory),
            None => self.search.clear(),
        }
        let hands = world.hands();
        if hands != self.hands {
            self.guide.knowledge.doubt();
            self.hands = hands;
        }
        self.guide.begin(world);
        self.think(world, &mut timer);
        let action = self.search.most_tried(world, &mut self.dice);
        self.last = Some(action);
        action
    }
}
