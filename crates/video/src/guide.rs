//! Judges states by what was learned: points, what is worth a visit and how far it is, where one was lately,
//! what kills and how near it is.

use vgdl::{Action, Observation, Outcome};

use crate::field::Ground;
use crate::knowledge::{Knowledge, Meetings, Moment};
use crate::open_loop::Judge;
use crate::{Category, KindId, World};

/// What winning loses and losing gains with every tick that it takes.
const DELAY: f64 = 0.05;

/// How fast it forgets where it was.
const FADING: f64 = 0.95;

/// From how many cells on nothing is to be feared.
const SAFE: i32 = 3;

/// How much the parts count, compared with a usual change of the score.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Weights {
    /// Winning; losing costs as much.
    pub(crate) stakes: f64,
    /// A step nearer to what is worth a visit.
    pub(crate) attraction: f64,
    /// Being where it was lately.
    pub(crate) boredom: f64,
    /// Being beside what kills.
    pub(crate) fear: f64,
    /// All of its health.
    pub(crate) health: f64,
    /// What points are worth a tick later.
    pub(crate) discount: f64,
    /// Being where it can be sooner.
    pub(crate) detour: f64,
}

/// Judges states by what was learned.
#[derive(Debug)]
pub(crate) struct Guide {
    pub(crate) knowledge: Knowledge,
    weights: Weights,
    /// The state before the tick that is tried, the avatar in it, and what was gained on the way there.
    before: Option<Moment>,
    own: Option<Observation>,
    gained: f64,
    weight: f64,
    /// The score of the game so far, in usual changes.
    score: f64,
    /// The tick, the usual change of the score and the avatar's health when this tick's thinking began.
    tick: i32,
    usual: f64,
    health: f64,
    ground: Option<Ground>,
    /// What each cell is worth by what is near.
    potential: Vec<f64>,
    /// Where it was lately.
    trail: Vec<f64>,
    /// After how many ticks it can be in each cell, as far as was tried in this tick.
    reached: Vec<i32>,
    /// What moves and kills.
    hunters: Vec<KindId>,
}

impl Guide {
    pub(crate) fn new(weights: Weights) -> Self {
        Self {
            knowledge: Knowledge::default(),
            weights,
            before: None,
            own: None,
            gained: 0.0,
            weight: 1.0,
            score: 0.0,
            tick: 0,
            usual: 1.0,
            health: 0.0,
            ground: None,
            potential: Vec::new(),
            trail: Vec::new(),
            reached: Vec::new(),
            hunters: Vec::new(),
        }
    }

    /// Looks at the state of a tick before thinking about it.
    pub(crate) fn begin(&mut self, world: &World) {
        self.knowledge.look(world);
        self.tick = world.tick();
        self.usual = self.knowledge.usual_change();
        self.score = world.score() / self.usual;
        let own = world.avatar_sprite();
        self.health = own.map_or(0.0, |own| f64::from(own.health));
        let ground = Ground::of(world, &self.knowledge);
        self.trail.resize(ground.len(), 0.0);
        self.trail.iter_mut().for_each(|trace| *trace *= FADING);
        if let Some(place) = world.avatar_cell().and_then(|cell| ground.place(cell)) {
            self.trail[place] += 1.0;
        }
        self.reached.clear();
        self.reached.resize(ground.len(), i32::MAX);
        self.hunters.clear();
        self.potential.clear();
        if let Some(own) = own {
            self.attract(world, own.kind, &ground);
            let moves = |kind: &KindId| {
                let first = world.sprites_of(*kind).next();
                first.is_some_and(|one| matches!(one.category, Category::Npc | Category::Movable))
            };
            let deadly = |kind: &KindId| self.knowledge.touches(own.kind, *kind).is_deadly();
            self.hunters.extend(world.kinds().filter(deadly).filter(moves));
        }
        self.ground = Some(ground);
    }

    /// Begins to try something.
    pub(crate) fn start(&mut self, world: &World) {
        self.before = Some(Moment::of(world));
        self.own = world.avatar_sprite();
        self.gained = self.score;
        self.weight = 1.0;
    }

    /// Finds out what each cell is worth by what is near: the best of what can be visited, less the way.
    fn attract(&mut self, world: &World, avatar: KindId, ground: &Ground) {
        let (width, height) = world.size();
        let reach = f64::from(width + height);
        self.potential.resize(ground.len(), -self.weights.attraction * reach);
        for kind in world.kinds() {
            let Some((worth, least)) = self.interest(world, avatar, kind) else { continue };
            let distances = ground.distances(world.sprites_of(kind).map(|sprite| world.cell(&sprite)));
            for (place, potential) in self.potential.iter_mut().enumerate() {
                if let Some(steps) = distances.at(place) {
                    let way = self.weights.attraction * f64::from(steps.max(least)).min(reach);
                    *potential = potential.max(worth - way);
                }
            }
        }
    }

    /// What a visit to a type is worth, and the least distance that counts; none if there is no reason to.
    fn interest(&self, world: &World, avatar: KindId, kind: KindId) -> Option<(f64, u32)> {
        let sprite = world.sprites_of(kind).next()?;
        if matches!(sprite.category, Category::Avatar | Category::FromAvatar) {
            return None;
        }
        let known = self.knowledge.of(kind);
        let touches = self.knowledge.touches(avatar, kind);
        // The rarer it is, the likelier it is that something depends on it.
        let rarity = || 1.0 / (world.sprites_of(kind).count().max(1) as f64).sqrt();
        let hit = known.hit.is_good(self.usual).then_some((0.6, 2));
        let touch = if touches.count > 0.0 {
            self.worth(&touches, rarity).map(|worth| (worth, 0))
        } else if known.inert {
            None
        } else {
            let curious = match sprite.category {
                Category::Portal | Category::Resource => 0.8,
                Category::Npc | Category::Movable => 0.3,
                _ => 0.5 * rarity(),
            };
            Some((curious, 0))
        };
        match (hit, touch) {
            (Some(hit), Some(touch)) => Some(if touch.0 >= hit.0 { touch } else { hit }),
            (hit, touch) => touch.or(hit),
        }
    }

    /// What touching a type is worth, if anything.
    fn worth(&self, touches: &Meetings, rarity: impl Fn() -> f64) -> Option<f64> {
        if touches.is_good(self.usual) {
            return Some(1.0);
        }
        // What vanishes or makes the avatar another one may be needed later.
        let changes = touches.changes > 0.5 && touches.gain > -0.05 * self.usual && !touches.is_deadly();
        changes.then(|| 0.5 * rarity())
    }

    /// How much is to be feared from what moves and kills.
    fn danger(&self, world: &World, (x, y): (i32, i32)) -> f64 {
        let mut nearest = SAFE;
        for &kind in &self.hunters {
            for sprite in world.sprites_of(kind) {
                let (other_x, other_y) = world.cell(&sprite);
                nearest = nearest.min((other_x - x).abs() + (other_y - y).abs());
            }
        }
        f64::from(SAFE - nearest) / f64::from(SAFE)
    }
}

impl Judge for Guide {
    fn ticked(&mut self, action: Action, world: &World) -> bool {
        let own = world.avatar_sprite();
        let now = Moment::of(world);
        let mut differs = matches!(action, Action::Nil | Action::Use);
        if let Some(before) = self.before {
            self.knowledge.learn(before, action, world);
            let gain = world.score() - before.score;
            self.gained += self.weight * gain / self.usual;
            differs |= gain != 0.0 || now.hands != before.hands;
        }
        let look = |own: &Observation| (own.rect, own.direction, own.health);
        differs |= own.as_ref().map(look) != self.own.as_ref().map(look);
        if !differs && let Some(own) = own {
            let events = self.before.map_or(0, |before| before.events).min(world.news().len());
            differs = world.news()[events..].iter().any(|event| {
                event.active_id == own.id
                    && self.knowledge.touches(event.active, event.passive).changes > 0.02
            });
        }
        self.weight *= self.weights.discount;
        self.before = Some(now);
        self.own = own;
        differs
    }

    fn value(&mut self, world: &World) -> f64 {
        let ticks = world.tick() - self.tick;
        let late = f64::from(ticks);
        match world.outcome() {
            Outcome::Won => return self.gained + self.weights.stakes - DELAY * late,
            Outcome::Lost => return self.gained - self.weights.stakes + DELAY * late,
            Outcome::Open => {}
        }
        let mut value = self.gained;
        if let Some(own) = world.avatar_sprite() {
            value += self.weights.health * (f64::from(own.health) - self.health) / self.health.max(1.0);
            let cell = world.cell(&own);
            if self.weights.fear > 0.0 {
                value -= self.weights.fear * self.danger(world, cell);
            }
            if let Some(place) = self.ground.as_ref().and_then(|ground| ground.place(cell)) {
                value += self.potential.get(place).copied().unwrap_or(0.0);
                value -= self.weights.boredom * self.trail.get(place).copied().unwrap_or(0.0).min(5.0);
                let reached = &mut self.reached[place];
                if *reached < ticks {
                    value -= self.weights.detour;
                }
                *reached = ticks.min(*reached);
            }
        }
        value
    }
}
