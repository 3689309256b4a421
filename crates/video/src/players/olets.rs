//! Open loop expectimax tree search, the winner of 2014: no playouts, leaves are worth their score, a
//! node is worth what ended there and the best of what lies behind it, and places where the avatar was
//! a short time ago are a little worse.

use std::collections::VecDeque;

use engine::Typed;
use vgdl::Outcome;

use super::*;
use crate::open_loop::{Judge, OpenLoop};

const SOURCE: &str = "Perez et al., The 2014 General Video Game Playing Competition, 2016";

const TABOO_TICKS: Typed<u32> =
    Typed::<u32>::whole("taboo_ticks", 15, 0, 1000, SOURCE, "for how many ticks a place is taboo");
const TABOO_PENALTY: Typed<f64> = Typed::<f64>::real(
    "taboo_penalty",
    0.1,
    0.0,
    1000.0,
    SOURCE,
    "what being in a taboo place costs: an order of magnitude less than the least score",
);

pub(super) const ROW: PlayerRow = PlayerRow {
    name: "olets",
    help: "open loop expectimax tree search with taboo bias",
    source: SOURCE,
    parameters: || vec![TABOO_TICKS.row(), TABOO_PENALTY.row()],
    make: |settings, seed| {
        Box::new(Olets {
            taboo: Taboo {
                ticks: settings.of(&TABOO_TICKS) as usize,
                penalty: settings.of(&TABOO_PENALTY),
                places: VecDeque::new(),
            },
            search: OpenLoop::new(1.0, false, None),
            last: None,
            dice: Dice::new(seed),
        })
    },
};

/// What winning or losing adds to the score, more of it the sooner it comes.
fn ending(world: &World) -> f64 {
    let soon = 1000.0 * (1.0 + 100.0 / (10.0 + f64::from(world.tick())));
    match world.outcome() {
        Outcome::Won => soon,
        Outcome::Lost => -soon,
        Outcome::Open => 0.0,
    }
}

/// Scores, less where the avatar was lately.
struct Taboo {
    ticks: usize,
    penalty: f64,
    places: VecDeque<(i32, i32)>,
}

impl Judge for Taboo {
    fn ticked(&mut self, _: Action, _: &World) -> bool {
        true
    }

    fn value(&mut self, world: &World) -> f64 {
        let place = world.avatar_sprite().map(|sprite| (sprite.rect.x, sprite.rect.y));
        let taboo = place.is_some_and(|place| self.places.contains(&place));
        world.score() + ending(world) - if taboo { self.penalty } else { 0.0 }
    }
}

struct Olets {
    taboo: Taboo,
    search: OpenLoop,
    /// What was done in the last tick.
    last: Option<Action>,
    dice: Dice,
}

impl Olets {
    fn think(&mut self, world: &World, budget: &Budget<'_>) {
        let mut timer = Timer::new(budget);
        let mut tried = world.clone();
        while !timer.is_over() {
            tried.restart(world, &mut self.dice);
            timer.spend(self.search.simulate(&mut tried, &mut self.taboo, &mut self.dice));
        }
    }
}

impl Player for Olets {
    fn prepare(&mut self, world: &World, budget: &Budget<'_>) {
        self.think(world, budget);
    }

    fn act(&mut self, world: &World, budget: &Budget<'_>) -> Action {
        if let Some(last) = self.last {
            self.search.follow(last, 1.0);
        }
        if let Some(sprite) = world.avatar_sprite() {
            self.taboo.places.push_back((sprite.rect.x, sprite.rect.y));
            while self.taboo.places.len() > self.taboo.ticks {
                self.taboo.places.pop_front();
            }
        }
        self.think(world, budget);
        let action = self.search.most_tried(world, &mut self.dice);
        self.last = Some(action);
        action
    }
}
