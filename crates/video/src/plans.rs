//! Looks for plans where nothing is left to chance, and follows them.
//!
//! Where nothing happens by itself, it waits while it looks, and the next plan is looked for, from the end of the one
//! before, while that is followed. Where the world moves, a plan that wins has to be there before the first tick, as later the world is
//! not as it was planned from.

use std::collections::VecDeque;

use game::Dice;
use vgdl::{Action, Outcome};

use crate::planner::{Planner, Progress};
use crate::{Timer, World};

/// The most plans of one game.
const MAX_PLANS: usize = 4;

/// What an action of a plan should lead to.
#[derive(Clone, Copy, Debug)]
struct Expected {
    action: Action,
    after: u64,
}

/// A search that is under way.
#[derive(Debug)]
struct Search {
    planner: Planner,
    /// How the world looks from which it plans.
    root: u64,
    /// Whether nothing changes there while nothing is done.
    still: bool,
    /// The tick until which a world that is still is waited in; none before it is there.
    until: Option<i32>,
}

/// Looks for plans and follows them.
#[derive(Debug)]
pub(crate) struct Plans {
    /// For how many ticks it waits for a plan where nothing happens meanwhile.
    patience: i32,
    search: Option<Search>,
    /// Planners that are done: giving their memory back would take time that belongs to thinking.
    spent: Vec<Planner>,
    plan: VecDeque<Action>,
    /// The last action of the plan, and how the world should look after it.
    expected: Option<Expected>,
}

/// Whether nothing changes while nothing is done.
fn is_still(world: &World, dice: &mut Dice) -> bool {
    let mut tried = world.fork(dice);
    for _ in 0..10 {
        tried.advance(Action::Nil);
    }
    !tried.is_over() && tried.fingerprint() == world.fingerprint() && tried.score() == world.score()
}

/// Whether the same actions lead to the same states, whatever chance says.
fn is_certain(world: &World, timer: &mut Timer<'_>, dice: &mut Dice) -> bool {
    const ROUNDS: usize = 8;
    const TICKS: usize = 40;
    for _ in 0..ROUNDS {
        let (mut one, mut other) = (world.fork(dice), world.fork(dice));
        for _ in 0..TICKS {
            let actions = one.actions();
            let action = actions[dice.below(actions.len())];
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
fn holds(world: &World, plan: &VecDeque<Action>) -> bool {
    let mut tried = world.clone();
    plan.iter().for_each(|&action| tried.advance(action));
    tried.outcome() == Outcome::Won || (tried.outcome() == Outcome::Open && tried.score() > world.score())
}

impl Plans {
    pub(crate) fn new(patience: i32) -> Self {
        Self { patience, search: None, spent: Vec::new(), plan: VecDeque::new(), expected: None }
    }

    /// Begins to look for a plan, if this is a world for plans. Tells whether it is.
    pub(crate) fn prepare(&mut self, world: &World, timer: &mut Timer<'_>, dice: &mut Dice) -> bool {
        if world.players() > 1 || !is_certain(world, timer, dice) {
            return false;
        }
        self.begin(world, dice).planner.search(timer);
        true
    }

    /// What to do by a plan or while one is looked for; none if there is nothing to wait for.
    pub(crate) fn act(&mut self, world: &World, timer: &mut Timer<'_>, dice: &mut Dice) -> Option<Action> {
        self.review(world);
        if self.plan.is_empty() {
            self.arrive(world, dice);
            if let Some(action) = self.look(world, timer, dice) {
                return Some(action);
            }
        } else if let Some(search) = &mut self.search {
            search.planner.search(timer);
        }
        self.follow(world)
    }

    fn begin(&mut self, root: &World, dice: &mut Dice) -> &mut Search {
        let still = is_still(root, dice);
        let planner = Planner::new(root, !still);
        self.search.insert(Search { planner, root: root.fingerprint(), still, until: None })
    }

    /// Looks whether the last action of the plan did what it should. A plan of which an action came too late
    /// goes on with it, if it still leads where it should.
    fn review(&mut self, world: &World) {
        let Some(Expected { action, after }) = self.expected.take() else { return };
        if world.fingerprint() == after {
            return;
        }
        self.plan.push_front(action);
        if !holds(world, &self.plan) {
            self.plan.clear();
        }
    }

    /// Looks whether the world is as the search took it to be. One that is not, but is still, is planned anew.
    fn arrive(&mut self, world: &World, dice: &mut Dice) {
        let Some(search) = &self.search else { return };
        if search.root != world.fingerprint() {
            self.end_search();
            if self.spent.len() >= MAX_PLANS || !is_still(world, dice) {
                return;
            }
            self.begin(world, dice);
        }
        let patience = self.patience / (1 + self.spent.len() as i32);
        if let Some(search) = &mut self.search {
            search.until.get_or_insert(world.tick().saturating_add(patience));
        }
    }

    /// Ends the search; its memory is kept.
    fn end_search(&mut self) {
        self.spent.extend(self.search.take().map(|search| search.planner));
    }

    /// Goes on looking for a plan, and waits meanwhile if waiting costs nothing.
    fn look(&mut self, world: &World, timer: &mut Timer<'_>, dice: &mut Dice) -> Option<Action> {
        let Search { planner, still, until, .. } = self.search.as_mut()?;
        let still = *still;
        if still {
            let progress = planner.search(timer);
            if progress == Progress::Open && until.is_some_and(|until| world.tick() < until) {
                return Some(Action::Nil);
            }
        }
        // Points alone are not worth following a plan blindly where the world moves.
        let found = planner.winning().or_else(|| planner.gaining().filter(|_| still));
        self.end_search();
        self.plan = found.filter(|plan| holds(world, plan))?;
        let mut end = world.clone();
        self.plan.iter().for_each(|&action| end.advance(action));
        if !end.is_over() && self.spent.len() < MAX_PLANS {
            self.begin(&end, dice);
        }
        None
    }

    /// The next action of the plan, if there is one.
    fn follow(&mut self, world: &World) -> Option<Action> {
        let action = self.plan.pop_front()?;
        let mut tried = world.clone();
        tried.advance(action);
        self.expected = Some(Expected { action, after: tried.fingerprint() });
        Some(action)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use engine::Budget;
    use vgdl::{Game, Level, SourceFile};

    use super::*;

    /// A gem behind a guard that walks up and down; `guard` is its class.
    fn world(guard: &str) -> World {
        let rules = format!(
            "BasicGame\n  SpriteSet\n    gem > Immovable\n    guard > {guard}\n    avatar > MovingAvatar\n  \
             InteractionSet\n    avatar wall > stepBack\n    guard wall > reverseDirection\n    guard wall > stepBack\n    \
             avatar guard > killSprite\n    gem avatar > killSprite scoreChange=1\n  TerminationSet\n    \
             SpriteCounter stype=gem limit=0 win=True\n    SpriteCounter stype=avatar limit=0 win=False\n  \
             LevelMapping\n    g > gem\n    m > guard\n"
        );
        let rules = vgdl::compile(&vgdl::parse(&SourceFile::new("game", rules)).description).rules;
        let map = "wwwwwwwww\nwwwwmwwww\nwA     gw\nwwww wwww\nwwww wwww\nwwwwwwwww\n";
        let level = Level::load(Arc::new(rules), &SourceFile::new("level", map)).level;
        World::new(&Game::new(Arc::new(level), 1), 0, 1)
    }

    fn budget(ticks: u64) -> Budget<'static> {
        Budget { clock: &|| Duration::ZERO, ..Budget::simulations(ticks) }
    }

    #[test]
    fn a_world_that_moves_is_planned_before_the_first_tick() {
        let (mut world, mut dice) = (world("Missile orientation=DOWN speed=1"), Dice::new(1));
        let mut plans = Plans::new(400);
        assert!(plans.prepare(&world, &mut Timer::new(&budget(20_000)), &mut dice));
        assert!(plans.search.as_ref().is_some_and(|search| !search.still));
        while !world.is_over() {
            let action = plans.act(&world, &mut Timer::new(&budget(1)), &mut dice).expect("there is a plan");
            world.advance(action);
        }
        assert_eq!(world.outcome(), Outcome::Won);
    }

    #[test]
    fn nothing_is_planned_where_chance_decides_and_a_plan_that_no_longer_fits_is_given_up() {
        let (chance, mut dice) = (world("RandomNPC"), Dice::new(1));
        assert!(!Plans::new(400).prepare(&chance, &mut Timer::new(&budget(20_000)), &mut dice));
        let mut world = world("Missile orientation=DOWN speed=1");
        let mut plans = Plans::new(400);
        assert!(plans.prepare(&world, &mut Timer::new(&budget(20_000)), &mut dice));
        world.advance(Action::Right);
        world.advance(Action::Right);
        world.advance(Action::Right);
        assert_eq!(plans.act(&world, &mut Timer::new(&budget(1)), &mut dice), None);
    }
}
