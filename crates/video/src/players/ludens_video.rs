//! Our own player. It learns which meetings give points or end the game from whatever it tries, walks to
//! what is worth a visit by path finding, and plans games in which nothing is left to chance to their end.

use std::collections::VecDeque;

use engine::Typed;
use vgdl::Outcome;

use super::*;
use crate::field::Ground;
use crate::knowledge::{Knowledge, Moment};
use crate::open_loop::{Judge, OpenLoop};
use crate::planner::{Planner, Progress};
use crate::{Category, KindId};

const SOURCE: &str = "Ludens";

const PATIENCE: Typed<u32> = Typed::<u32>::whole(
    "patience",
    400,
    0,
    2000,
    SOURCE,
    "for how many ticks it waits for a plan where nothing happens meanwhile",
);
const ATTRACTION: Typed<f64> = Typed::<f64>::real(
    "attraction",
    0.7,
    0.0,
    1000.0,
    SOURCE,
    "what being near to what is worth a visit is worth, compared with a usual change of the score",
);
const BOREDOM: Typed<f64> = Typed::<f64>::real(
    "boredom",
    0.1,
    0.0,
    1000.0,
    SOURCE,
    "what being where it was lately costs, compared with a usual change of the score",
);
const EXPLORATION: Typed<f64> = Typed::<f64>::real(
    "exploration",
    0.7,
    0.0,
    1000.0,
    SOURCE,
    "how much actions that were tried less are preferred",
);

pub(super) const ROW: PlayerRow = PlayerRow {
    name: "ludens-video",
    help: "plans where nothing is left to chance; elsewhere an open loop search that learns what is worth a visit",
    source: SOURCE,
    parameters: || vec![PATIENCE.row(), ATTRACTION.row(), BOREDOM.row(), EXPLORATION.row()],
    make: |settings, seed| {
        Box::new(LudensVideo {
            patience: settings.of(&PATIENCE) as i32,
            guide: Guide {
                knowledge: Knowledge::default(),
                attraction: settings.of(&ATTRACTION),
                boredom: settings.of(&BOREDOM),
                ..Guide::default()
            },
            search: OpenLoop::new(settings.of(&EXPLORATION), true),
            planner: None,
            spent: Vec::new(),
            until: 0,
            plan: VecDeque::new(),
            expected: None,
            last: None,
            held: Vec::new(),
            dice: Dice::new(seed),
        })
    },
};

/// What winning and losing are worth, in usual changes of the score.
const WON: f64 = 50.0;
const LOST: f64 = -25.0;

/// How fast it forgets where it was.
const FADING: f64 = 0.95;

/// Judges states by what was learned.
#[derive(Default)]
struct Guide {
    knowledge: Knowledge,
    attraction: f64,
    boredom: f64,
    /// The state before the tick that is tried.
    before: Option<Moment>,
    /// The score, the tick and the usual change when this tick's thinking began.
    score: f64,
    tick: i32,
    usual: f64,
    ground: Option<Ground>,
    /// What each cell is worth by what is near.
    potential: Vec<f64>,
    /// Where it was lately.
    trail: Vec<f64>,
}

impl Guide {
    /// Looks at the state of a tick before thinking about it.
    fn begin(&mut self, world: &World) {
        self.knowledge.look(world);
        self.score = world.score();
        self.tick = world.tick();
        self.usual = self.knowledge.usual_change();
        let ground = Ground::of(world, &self.knowledge);
        self.trail.resize(ground.len(), 0.0);
        self.trail.iter_mut().for_each(|trace| *trace *= FADING);
        if let Some(place) = world.avatar_cell().and_then(|cell| ground.place(cell)) {
            self.trail[place] += 1.0;
        }
        self.attract(world, &ground);
        self.ground = Some(ground);
    }

    /// Finds out what each cell is worth by what is near.
    fn attract(&mut self, world: &World, ground: &Ground) {
        let cells = ground.len();
        let (width, height) = world.size();
        let reach = f64::from(width + height);
        let mut most = vec![0.0f64; cells];
        let mut sum = vec![0.0f64; cells];
        for kind in world.kinds() {
            let (weight, least) = self.interest(world, kind);
            if weight <= 0.0 {
                continue;
            }
            let distances = ground.distances(world.sprites_of(kind).map(|sprite| world.cell(&sprite)));
            for place in 0..cells {
                if let Some(steps) = distances.at(place) {
                    let near = 1.0 - (f64::from(steps.max(least)) / reach).min(1.0);
                    most[place] = most[place].max(weight * near);
                    sum[place] += weight * near;
                }
            }
        }
        self.potential = most.iter().zip(&sum).map(|(most, sum)| most + 0.1 * sum).collect();
    }

    /// How much a type is worth a visit, and the least distance that counts.
    fn interest(&self, world: &World, kind: KindId) -> (f64, u32) {
        let Some(sprite) = world.sprites_of(kind).next() else { return (0.0, 0) };
        let known = self.knowledge.of(kind);
        if matches!(sprite.category, Category::Avatar | Category::FromAvatar) {
            return (0.0, 0);
        }
        let mut weight = (0.0, 0);
        if known.hit.is_good(self.usual) {
            weight = (0.6, 2);
        }
        if known.touched.count == 0.0 {
            let curious = match sprite.category {
                Category::Portal | Category::Resource => 0.8,
                Category::Npc | Category::Movable => 0.3,
                _ => 0.5,
            };
            if !known.inert && curious > weight.0 {
                weight = (curious, 0);
            }
        } else if known.touched.is_good(self.usual) {
            weight = (1.0, 0);
        }
        weight
    }
}

impl Judge for Guide {
    fn ticked(&mut self, action: Action, world: &World) {
        if let Some(before) = self.before {
            self.knowledge.learn(before, action, world);
        }
        self.before = Some(Moment::of(world));
    }

    fn value(&mut self, world: &World) -> f64 {
        let gain = (world.score() - self.score) / self.usual;
        let late = f64::from(world.tick() - self.tick);
        let ending = match world.outcome() {
            // Sooner is better, and losing is better put off.
            Outcome::Won => return gain + WON - 0.05 * late,
            Outcome::Lost => return gain + LOST + 0.05 * late,
            Outcome::Open => 0.0,
        };
        let place =
            world.avatar_cell().zip(self.ground.as_ref()).and_then(|(cell, ground)| ground.place(cell));
        let Some(place) = place else { return gain + ending };
        let near = self.potential.get(place).copied().unwrap_or(0.0);
        let trail = self.trail.get(place).copied().unwrap_or(0.0).min(5.0);
        gain + ending + self.attraction * near - self.boredom * trail
    }
}

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
    /// What the avatar held in the last tick.
    held: Vec<(KindId, i32)>,
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
            self.guide.before = Some(Moment::of(&tried));
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
            return action;
        }
        match self.last {
            Some(last) => self.search.follow(last),
            None => self.search.clear(),
        }
        let held = world.avatar().map(|avatar| avatar.resources).unwrap_or_default();
        if held != self.held {
            self.guide.knowledge.doubt();
            self.held = held;
        }
        self.guide.begin(world);
        self.think(world, budget);
        let action = self.search.most_tried(world, &mut self.dice);
        self.last = Some(action);
        action
    }
}
