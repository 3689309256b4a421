//! Our own player. It learns which meetings give points or end the game from whatever it tries, walks to
//! what is worth a visit by path finding, and plans games in which nothing is left to chance to their end.

use std::collections::VecDeque;

use engine::Typed;
use vgdl::Outcome;

use super::*;
use crate::guide::{Guide, Weights};
use crate::open_loop::{OpenLoop, Spread};
use crate::planner::{Planner, Progress};

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
            patience: settings.of(&PATIENCE) as i32,
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
            planner: None,
            spent: Vec::new(),
            until: 0,
            plan: VecDeque::new(),
            expected: None,
            last: None,
            hands: 0,
            dice: Dice::new(seed),
        })
    },
};

/// The most plans of one game.
const MAX_PLANS: usize = 4;

/// What an action of a plan should lead to.
#[derive(Clone, Copy)]
struct Expected {
    action: Action,
    before: u64,
    after: u64,
}

struct LudensVideo {
    patience: i32,
    guide: Guide,
    search: OpenLoop,
    memory: f64,
    planner: Option<Planner>,
    /// Planners that are done: giving their memory back would take time that belongs to thinking.
    spent: Vec<Planner>,
    /// The tick until which it waits for a plan.
    until: i32,
    plan: VecDeque<Action>,
    /// The last action of the plan, and how the world looked before it and should look after it.
    expected: Option<Expected>,
    /// What was done in the last tick.
    last: Option<Action>,
    /// What the avatar was and held in the last tick.
    hands: u64,
    dice: Dice,
}

impl LudensVideo {
    /// Whether nothing changes while nothing is done.
    fn is_still(&mut self, world: &World) -> bool {
        let mut tried = world.fork(&mut self.dice);
        for _ in 0..10 {
            tried.advance(Action::Nil);
        }
        !tried.is_over() && tried.fingerprint() == world.fingerprint() && tried.score() == world.score()
    }

    /// Whether the same actions lead to the same states, whatever chance says.
    fn is_certain(&mut self, world: &World, timer: &mut Timer<'_>) -> bool {
        const ROUNDS: usize = 8;
        const TICKS: usize = 40;
        for _ in 0..ROUNDS {
            let (mut one, mut other) = (world.fork(&mut self.dice), world.fork(&mut self.dice));
            for _ in 0..TICKS {
                let action = any_action(&one, &mut self.dice);
                one.advance(action);
                other.advance(action);
                timer.spend(2);
                if one.fingerprint() != other.fingerprint() {
                    return false;
                }
                if one.is_over() {
                    break;
                }
            }
        }
        true
    }

    /// Whether a plan leads to a victory, or at least to more points, from here.
    fn holds(&self, world: &World, plan: &VecDeque<Action>) -> bool {
        let mut tried = world.clone();
        for &action in plan {
            tried.advance(action);
        }
        tried.outcome() == Outcome::Won || (tried.outcome() == Outcome::Open && tried.score() > world.score())
    }

    /// Goes on looking for a plan; none if there is nothing to wait for.
    fn look_for_plan(&mut self, world: &World, budget: &Budget<'_>) -> Option<Action> {
        let planner = self.planner.as_mut()?;
        let mut timer = Timer::new(budget);
        let progress = planner.search(&mut timer);
        let found = match progress {
            Progress::Won => planner.winning(),
            Progress::Open if world.tick() < self.until => return Some(Action::Nil),
            Progress::Open | Progress::Exhausted => planner.gaining(),
        };
        self.spent.extend(self.planner.take());
        self.plan = found.filter(|plan| self.holds(world, plan))?;
        self.follow_plan(world)
    }

    /// The next action of the plan, if there is one.
    fn follow_plan(&mut self, world: &World) -> Option<Action> {
        let action = self.plan.pop_front()?;
        let mut tried = world.clone();
        tried.advance(action);
        let (before, after) = (world.fingerprint(), tried.fingerprint());
        self.expected = Some(Expected { action, before, after });
        Some(action)
    }

    /// Looks whether the last action of the plan did what it should. One that came too late was not made
    /// and is made again; a plan that no longer fits is given up. After a plan, another one is looked for.
    fn review_plan(&mut self, world: &World, budget: &Budget<'_>) {
        let Some(Expected { action, before, after }) = self.expected.take() else { return };
        let now = world.fingerprint();
        if now != after {
            if now == before {
                self.plan.push_front(action);
            } else {
                self.plan.clear();
            }
        }
        if self.plan.is_empty() && self.spent.len() < MAX_PLANS {
            self.begin_planning(world, &mut Timer::new(budget));
        }
    }

    /// Begins to look for a plan, if this is a world for plans.
    fn begin_planning(&mut self, world: &World, timer: &mut Timer<'_>) {
        if world.players() == 1 && self.is_still(world) && self.is_certain(world, timer) {
            self.planner = Some(Planner::new(world, false));
            self.until = world.tick() + self.patience / (1 + self.spent.len() as i32);
        }
    }

    fn think(&mut self, world: &World, budget: &Budget<'_>) {
        let mut timer = Timer::new(budget);
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
        self.begin_planning(world, &mut timer);
        if let Some(planner) = &mut self.planner {
            planner.search(&mut timer);
            return;
        }
        self.guide.begin(world);
        self.think(world, budget);
    }

    fn act(&mut self, world: &World, budget: &Budget<'_>) -> Action {
        self.review_plan(world, budget);
        if let Some(action) = self.follow_plan(world).or_else(|| self.look_for_plan(world, budget)) {
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
        self.think(world, budget);
        let action = self.search.most_tried(world, &mut self.dice);
        self.last = Some(action);
        action
    }
}
