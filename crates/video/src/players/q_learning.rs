//! Learns what actions are worth in situations like this one while it plays: a situation is where the
//! nearest sprite of each type is, seen from the avatar.

use engine::Typed;
use rustc_hash::FxHashMap;

use super::*;

const SOURCE: &str = "our design after the sixth of 2014 (Culim): Świechowski et al., Recent Advances in General Game Playing, 2015, table 3; Watkins, Learning from Delayed Rewards, 1989";

const RATE: Typed<f64> =
    Typed::<f64>::real("rate", 0.1, 0.0, 1.0, SOURCE, "how much a new experience counts");
const DISCOUNT: Typed<f64> =
    Typed::<f64>::real("discount", 0.95, 0.0, 1.0, SOURCE, "what is worth a tick later");
const CHANCE: Typed<f64> =
    Typed::<f64>::real("chance", 0.2, 0.0, 1.0, SOURCE, "how likely anything is tried instead of the best");
const DEPTH: Typed<u32> = Typed::<u32>::whole("depth", 15, 1, 1000, SOURCE, "ticks of an experience");

pub(super) const ROW: PlayerRow = PlayerRow {
    name: "q-learning",
    help: "learns what actions are worth in a situation from short experiences in the forward model",
    source: SOURCE,
    parameters: || vec![RATE.row(), DISCOUNT.row(), CHANCE.row(), DEPTH.row()],
    make: |settings, seed| {
        Box::new(QLearning {
            rate: settings.of(&RATE),
            discount: settings.of(&DISCOUNT),
            chance: settings.of(&CHANCE),
            depth: settings.of(&DEPTH),
            worth: FxHashMap::default(),
            dice: Dice::new(seed),
        })
    },
};

/// The most situations that are remembered.
const MAX_SITUATIONS: usize = 1 << 20;

/// What winning is worth beside points.
const VICTORY: f64 = 100.0;

struct QLearning {
    rate: f64,
    discount: f64,
    chance: f64,
    depth: u32,
    worth: FxHashMap<u64, [f64; Action::ALL.len()]>,
    dice: Dice,
}

/// Where the nearest sprite of each type is, seen from the avatar; far ones only by their direction.
fn situation(world: &World) -> u64 {
    let Some(own) = world.avatar_sprite() else { return 0 };
    let (x, y) = world.cell(&own);
    let mut hash = own.kind.number() as u64;
    let mut last = None;
    let mut nearest = (i32::MAX, 0, 0);
    let mut mix = |nearest: (i32, i32, i32), kind: usize| {
        let number = (kind as u64) << 16 | ((nearest.1 + 9) as u64) << 8 | (nearest.2 + 9) as u64;
        hash = (hash ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23);
    };
    for sprite in world.sprites().filter(|sprite| sprite.id != own.id) {
        if last.is_some_and(|kind: crate::KindId| kind != sprite.kind) {
            mix(nearest, last.map_or(0, crate::KindId::number));
            nearest = (i32::MAX, 0, 0);
        }
        last = Some(sprite.kind);
        let (sx, sy) = world.cell(&sprite);
        let apart = (sx - x).abs() + (sy - y).abs();
        if apart < nearest.0 {
            let near = |d: i32| if apart <= 3 { d } else { 4 * d.signum() };
            nearest = (apart, near(sx - x), near(sy - y));
        }
    }
    mix(nearest, last.map_or(0, crate::KindId::number));
    hash
}

fn reward(world: &World) -> f64 {
    world.score() + VICTORY * (win_and_score(world) - world.score()) / WIN
}

impl QLearning {
    fn row(&self, situation: u64) -> [f64; Action::ALL.len()] {
        self.worth.get(&situation).copied().unwrap_or_default()
    }

    fn choose(&mut self, world: &World, situation: u64, chance: f64) -> Action {
        if self.dice.unit() < chance {
            return any_action(world, &mut self.dice);
        }
        let row = self.row(situation);
        best(world.actions().iter().map(|&action| (action, row[action as usize])), &mut self.dice)
    }

    fn experience(&mut self, tried: &mut World, timer: &mut Timer<'_>) {
        let mut here = situation(tried);
        let mut before = reward(tried);
        for _ in 0..self.depth {
            let action = self.choose(tried, here, self.chance);
            tried.advance(action);
            timer.spend(1);
            let (there, now) = (situation(tried), reward(tried));
            let row = self.row(there);
            let next =
                tried.actions().iter().map(|&action| row[action as usize]).fold(f64::NEG_INFINITY, f64::max);
            let target = now - before + if tried.is_over() { 0.0 } else { self.discount * next };
            if self.worth.len() < MAX_SITUATIONS || self.worth.contains_key(&here) {
                let worth = &mut self.worth.entry(here).or_default()[action as usize];
                *worth += self.rate * (target - *worth);
            }
            (here, before) = (there, now);
            if tried.is_over() {
                break;
            }
        }
    }

    fn learn(&mut self, world: &World, budget: &Budget<'_>) {
        let mut timer = Timer::new(budget);
        let mut tried = world.clone();
        while !timer.is_over() {
            tried.restart(world, &mut self.dice);
            self.experience(&mut tried, &mut timer);
        }
    }
}

impl Player for QLearning {
    fn prepare(&mut self, world: &World, budget: &Budget<'_>) {
        self.learn(world, budget);
    }

    fn act(&mut self, world: &World, budget: &Budget<'_>) -> Action {
        self.learn(world, budget);
        self.choose(world, situation(world), 0.0)
    }
}
