//! Knowledge-based fast evolutionary tree search: playouts are biased by weights that evolve while the
//! search runs, and leaves without a change of the score are worth what was learned and how near the
//! avatar came to what is worth a visit.

use engine::Typed;
use vgdl::Category;

use super::mcts::{Bounds, Visits, count, most_visited, upper_confidence};
use super::*;
use crate::KindId;
use crate::evolution::{Evolution, Weights};
use crate::knowledge::{KindKnowledge, Knowledge, Moment};
use crate::open_loop::untried;

const SOURCE: &str = "Perez, Samothrakis and Lucas, Knowledge-based Fast Evolutionary MCTS for General Video Game Playing, 2014";

const DEPTH: Typed<u32> =
    Typed::<u32>::whole("depth", 10, 1, 1000, SOURCE, "ticks that are looked ahead, playouts included");
const EXPLORATION: Typed<f64> = Typed::<f64>::real(
    "exploration",
    std::f64::consts::SQRT_2,
    0.0,
    1000.0,
    SOURCE,
    "how much actions that were tried less are preferred",
);
const CURIOSITY: Typed<f64> =
    Typed::<f64>::real("curiosity", 0.66, 0.0, 1.0, SOURCE, "what a gain of knowledge is worth");
const NEARNESS: Typed<f64> =
    Typed::<f64>::real("nearness", 0.33, 0.0, 1.0, SOURCE, "what coming nearer is worth");
const SPREAD: Typed<f64> = Typed::<f64>::real(
    "spread",
    0.1,
    0.0,
    100.0,
    SOURCE,
    "how much weights change from one trial to the next",
);
const PLAYOUTS: Typed<u32> =
    Typed::<u32>::whole("playouts", 10, 1, 1000, SOURCE, "playouts that a set of weights is judged by");

pub(super) const ROW: PlayerRow = PlayerRow {
    name: "kb-fast-evo-mcts",
    help: "Monte Carlo tree search with evolving biases of playouts and a base of knowledge of sprites",
    source: SOURCE,
    parameters: || {
        vec![DEPTH.row(), EXPLORATION.row(), CURIOSITY.row(), NEARNESS.row(), SPREAD.row(), PLAYOUTS.row()]
    },
    make: |settings, seed| {
        Box::new(KnowledgeMcts {
            depth: settings.of(&DEPTH),
            exploration: settings.of(&EXPLORATION),
            curiosity: settings.of(&CURIOSITY),
            nearness: settings.of(&NEARNESS),
            spread: settings.of(&SPREAD),
            playouts: settings.of(&PLAYOUTS),
            knowledge: Knowledge::default(),
            evolution: Evolution::default(),
            tree: Tree::new(),
            dice: Dice::new(seed),
        })
    },
};

struct KnowledgeMcts {
    depth: u32,
    exploration: f64,
    curiosity: f64,
    nearness: f64,
    spread: f64,
    playouts: u32,
    knowledge: Knowledge,
    evolution: Evolution,
    tree: Tree<Visits>,
    dice: Dice,
}

/// The types that count as features: all but avatars, what they made, and scenery.
fn features(world: &World) -> Vec<KindId> {
    let matters = |kind: &KindId| {
        let category = world.sprites_of(*kind).next().map(|sprite| sprite.category);
        matches!(category, Some(Category::Npc | Category::Portal | Category::Resource | Category::Movable))
    };
    world.kinds().filter(matters).collect()
}

/// Distances in cells to the nearest sprite of each type; 0 where there is none.
fn distances(world: &World, kinds: &[KindId], into: &mut Vec<f64>) {
    into.clear();
    let Some(own) = world.avatar_sprite() else { return into.resize(kinds.len(), 0.0) };
    let block = f64::from(world.block());
    for &kind in kinds {
        let apart = |sprite: vgdl::Observation| {
            let (x, y) = (f64::from(sprite.rect.x - own.rect.x), f64::from(sprite.rect.y - own.rect.y));
            (x * x + y * y).sqrt() / block
        };
        let nearest = world.sprites_of(kind).map(apart).fold(f64::INFINITY, f64::min);
        into.push(if nearest.is_finite() { nearest } else { 0.0 });
    }
}

/// How often a type was met, by the avatar or by what it made.
fn occurrences(known: &KindKnowledge) -> f64 {
    known.touched.count + known.hit.count
}

/// The gain of knowledge of a type that was met so often before a playout and after it.
fn gain(before: f64, after: f64) -> f64 {
    if before == 0.0 { after } else { after / before - 1.0 }
}

impl KnowledgeMcts {
    /// An action by the weights: the more it is preferred, the likelier.
    fn biased(&mut self, world: &World, weights: &Weights, kinds: &[KindId], distances: &[f64]) -> Action {
        let mut sum = 0.0;
        let strengths: Vec<(Action, f64)> = world
            .actions()
            .iter()
            .map(|&action| {
                let preferred = |(&kind, apart): (&KindId, &f64)| weights.of(kind)[action as usize] * apart;
                let preference: f64 = kinds.iter().zip(distances).map(preferred).sum();
                let strength = preference.clamp(-20.0, 20.0).exp();
                sum += strength;
                (action, strength)
            })
            .collect();
        let mut left = self.dice.unit() * sum;
        for &(action, strength) in &strengths {
            left -= strength;
            if left <= 0.0 {
                return action;
            }
        }
        strengths.last().map_or(Action::Nil, |&(action, _)| action)
    }

    /// What a playout was worth: the change of the score or, without one, of knowledge and distances.
    fn reward(
        &self,
        world: &World,
        tried: &World,
        kinds: &[KindId],
        gained: f64,
        from: &[f64],
        to: &[f64],
    ) -> f64 {
        let change = win_and_score(tried) - world.score();
        if change != 0.0 {
            return change;
        }
        let mut nearer = 0.0;
        for ((&kind, from), to) in kinds.iter().zip(from).zip(to) {
            let known = self.knowledge.of(kind).touched;
            let wanted = known.count == 0.0 || known.is_good(self.knowledge.usual_change());
            if wanted && *from > 0.0 {
                nearer += 1.0 - to / from;
            }
        }
        self.curiosity * gained + self.nearness * nearer
    }

    fn simulate(&mut self, world: &World, tried: &mut World, run: &mut Run<'_>, weights: &Weights) -> f64 {
        let mut node = Tree::<Visits>::ROOT;
        let (mut depth, mut expanded) = (0, false);
        run.met.clear();
        while depth < self.depth && !tried.is_over() {
            let actions = tried.actions();
            let action = if expanded {
                distances(tried, &run.kinds, &mut run.now);
                self.biased(tried, weights, &run.kinds, &run.now)
            } else {
                let fresh = untried(&self.tree, node, actions, &mut self.dice);
                expanded = fresh.is_some();
                let bound = |search: &mut Self| {
                    let Self { tree, dice, exploration, .. } = search;
                    upper_confidence(tree, node, actions, run.bounds, *exploration, dice)
                };
                let action = fresh.unwrap_or_else(|| bound(self));
                node = match self.tree.child(node, action) {
                    Some(child) => child,
                    None => self.tree.add(node, action),
                };
                action
            };
            let before = Moment::of(tried);
            let known = tried.news().len();
            tried.advance(action);
            for event in &tried.news()[known.min(tried.news().len())..] {
                if run.met.iter().all(|(kind, _)| *kind != event.passive) {
                    run.met.push((event.passive, occurrences(&self.knowledge.of(event.passive))));
                }
            }
            self.knowledge.learn(before, action, tried);
            depth += 1;
        }
        run.timer.spend(u64::from(depth).max(1));
        distances(tried, &run.kinds, &mut run.now);
        let after = |kind: KindId| occurrences(&self.knowledge.of(kind));
        let gained: f64 = run.met.iter().map(|&(kind, before)| gain(before, after(kind))).sum();
        let value = self.reward(world, tried, &run.kinds, gained, &run.start, &run.now);
        run.bounds.extend(value);
        count(&mut self.tree, node, value);
        value
    }
}

/// What is needed while one answer is thought about.
struct Run<'a> {
    kinds: Vec<KindId>,
    start: Vec<f64>,
    now: Vec<f64>,
    /// The types that were met in a playout, and how often before it.
    met: Vec<(KindId, f64)>,
    bounds: Bounds,
    timer: Timer<'a>,
}

impl Player for KnowledgeMcts {
    fn prepare(&mut self, _: &World, _: &Budget<'_>) {}

    fn act(&mut self, world: &World, budget: &Budget<'_>) -> Action {
        let kinds = features(world);
        let mut start = Vec::new();
        distances(world, &kinds, &mut start);
        let (now, met, bounds) = (Vec::new(), Vec::new(), Bounds::NONE);
        let mut run = Run { kinds, start, now, met, bounds, timer: Timer::new(budget) };
        let mut tried = world.clone();
        self.tree.clear();
        self.evolution.begin();
        'time: loop {
            let weights = self.evolution.candidate(&run.kinds, self.spread, &mut self.dice);
            let mut sum = 0.0;
            for _ in 0..self.playouts {
                if run.timer.is_over() {
                    break 'time;
                }
                tried.restart(world, &mut self.dice);
                sum += self.simulate(world, &mut tried, &mut run, &weights);
            }
            self.evolution.judge(weights, sum);
        }
        most_visited(&self.tree, world.actions(), &mut self.dice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knowledge_of_what_was_never_met_is_worth_most() {
        assert_eq!(gain(0.0, 3.0), 3.0);
        assert_eq!(gain(4.0, 5.0), 0.25);
        assert_eq!(gain(4.0, 4.0), 0.0);
    }
}
