//! Finds out by simulation which sprites do no harm, and visits one after the other, by path finding.

use engine::Typed;
use rustc_hash::FxHashSet;
use vgdl::{Category, Outcome};

use super::*;
use crate::field::Ground;
use crate::knowledge::{Knowledge, Moment};

const SOURCE: &str = "our design after the thirteenth of 2014 (IdealStandard): Świechowski et al., Recent Advances in General Game Playing, 2015, table 3";

const PATIENCE: Typed<u32> = Typed::<u32>::whole(
    "patience",
    40,
    1,
    2000,
    SOURCE,
    "ticks after which a sprite that was not reached is given up",
);

pub(super) const ROW: PlayerRow = PlayerRow {
    name: "visitor",
    help: "finds out by simulation which sprites do no harm and visits them at random",
    source: SOURCE,
    parameters: || vec![PATIENCE.row()],
    make: |settings, seed| {
        Box::new(Visitor {
            patience: settings.of(&PATIENCE),
            knowledge: Knowledge::default(),
            target: None,
            spent: 0,
            given_up: FxHashSet::default(),
            dice: Dice::new(seed),
        })
    },
};

/// Ticks of a playout from which it learns.
const PLAYOUT: u32 = 20;

struct Visitor {
    patience: u32,
    knowledge: Knowledge,
    /// The sprite that is visited, and for how long it tries.
    target: Option<u32>,
    spent: u32,
    given_up: FxHashSet<u32>,
    dice: Dice,
}

impl Visitor {
    /// Learns from random playouts what meetings lead to.
    fn learn(&mut self, world: &World, timer: &mut Timer<'_>) {
        let mut tried = world.clone();
        while !timer.is_over() {
            tried.restart(world, &mut self.dice);
            for _ in 0..PLAYOUT {
                let before = Moment::of(&tried);
                let action = any_action(&tried, &mut self.dice);
                tried.advance(action);
                timer.spend(1);
                self.knowledge.learn(before, action, &tried);
                if tried.is_over() {
                    break;
                }
            }
        }
    }

    /// Any sprite that does no harm and can be reached.
    fn choose(&mut self, world: &World, ground: &Ground) {
        let Some(own) = world.avatar_sprite() else { return };
        let ways = ground.distances([world.cell(&own)]);
        let harmless: Vec<u32> = world
            .sprites()
            .filter(|sprite| !matches!(sprite.category, Category::Avatar | Category::FromAvatar))
            .filter(|sprite| !self.given_up.contains(&sprite.id))
            .filter(|sprite| {
                let known = self.knowledge.of(sprite.kind);
                !known.touched.is_deadly() && !known.is_solid() && !known.inert
            })
            .filter(|sprite| ground.place(world.cell(sprite)).is_some_and(|place| ways.at(place).is_some()))
            .map(|sprite| sprite.id)
            .collect();
        self.target = (!harmless.is_empty()).then(|| harmless[self.dice.below(harmless.len())]);
        self.spent = 0;
    }

    /// How likely an action ends the game at once, by trying.
    fn danger(&mut self, world: &World, action: Action) -> f64 {
        const TRIES: u32 = 5;
        let mut lost = 0;
        for _ in 0..TRIES {
            let mut tried = world.fork(&mut self.dice);
            tried.advance(action);
            lost += u32::from(tried.outcome() == Outcome::Lost);
        }
        f64::from(lost) / f64::from(TRIES)
    }
}

impl Player for Visitor {
    fn prepare(&mut self, world: &World, budget: &Budget<'_>) {
        self.learn(world, &mut Timer::new(budget));
    }

    fn act(&mut self, world: &World, budget: &Budget<'_>) -> Action {
        self.knowledge.look(world);
        let ground = Ground::of(world, &self.knowledge);
        self.spent += 1;
        let touched = world.avatar_sprite().and_then(|own| {
            let target = self.target?;
            world.sprites().find(|sprite| sprite.id == target).map(|sprite| sprite.rect.intersects(&own.rect))
        });
        if touched != Some(false) || self.spent > self.patience {
            self.given_up.extend(self.target);
            self.choose(world, &ground);
        }
        let goal = self.target.and_then(|target| world.sprites().find(|sprite| sprite.id == target));
        let ways = goal.map(|goal| ground.distances([world.cell(&goal)]));
        let mut values = Vec::new();
        for &action in world.actions() {
            let mut tried = world.fork(&mut self.dice);
            tried.advance(action);
            let place = tried.avatar_cell().and_then(|cell| ground.place(cell));
            let steps = ways.as_ref().zip(place).and_then(|(ways, place)| ways.at(place));
            let far = steps.map_or(1e3, f64::from);
            values.push((action, -far - 1e4 * self.danger(world, action)));
        }
        let action = best(values, &mut self.dice);
        self.learn(world, &mut Timer::new(budget));
        action
    }
}
