//! Looks several ticks ahead, the most promising state first, and judges states by a heuristic.

use engine::Typed;
use rustc_hash::FxHashMap;
use vgdl::Category;

use super::*;

const SOURCE: &str = "our design after the runner-up of 2014 (JinJerry): Perez et al., The 2014 General Video Game Playing Competition, 2016";

const DEPTH: Typed<u32> =
    Typed::<u32>::whole("depth", 10, 1, 1000, SOURCE, "the most ticks that are looked ahead");
const STATES: Typed<u32> =
    Typed::<u32>::whole("states", 400, 1, 100_000, SOURCE, "the most states that are kept in a tick");

pub(super) const ROW: PlayerRow = PlayerRow {
    name: "look-ahead",
    help: "looks several ticks ahead, best state first, judged by score, by what is near and by where it was",
    source: SOURCE,
    parameters: || vec![DEPTH.row(), STATES.row()],
    make: |settings, seed| {
        Box::new(LookAhead {
            depth: settings.of(&DEPTH),
            states: settings.of(&STATES) as usize,
            visits: FxHashMap::default(),
            dice: Dice::new(seed),
        })
    },
};

struct LookAhead {
    depth: u32,
    states: usize,
    /// How often the avatar was in each cell.
    visits: FxHashMap<(i32, i32), u32>,
    dice: Dice,
}

/// A state that can be looked beyond.
struct Leaf {
    world: World,
    first: Action,
    depth: u32,
    value: f64,
}

impl LookAhead {
    /// Score first; then what is near, and cells that were not visited.
    fn value(&self, world: &World, depth: u32) -> f64 {
        let Some(own) = world.avatar_sprite() else { return win_and_score(world) };
        let block = f64::from(world.block());
        let mut near = 0.0f64;
        for sprite in world.sprites() {
            let weight = match sprite.category {
                Category::Resource => 1.0,
                Category::Portal => 0.8,
                Category::Npc => 0.3,
                _ => continue,
            };
            let apart = f64::from((sprite.rect.x - own.rect.x).abs() + (sprite.rect.y - own.rect.y).abs());
            near = near.max(weight / (1.0 + apart / block));
        }
        let visits = self.visits.get(&world.cell(&own)).copied().unwrap_or(0);
        let late = f64::from(depth);
        win_and_score(world) + 0.5 * near - 0.1 * f64::from(visits.min(10)) - 0.001 * late
    }
}

impl Player for LookAhead {
    fn prepare(&mut self, _: &World, _: &Budget<'_>) {}

    fn act(&mut self, world: &World, budget: &Budget<'_>) -> Action {
        if let Some(cell) = world.avatar_cell() {
            *self.visits.entry(cell).or_default() += 1;
        }
        let mut timer = Timer::new(budget);
        let mut found: FxHashMap<Action, f64> = FxHashMap::default();
        let mut leaves: Vec<Leaf> = Vec::new();
        let mut kept = 0;
        let mut next = Some(Leaf { world: world.clone(), first: Action::Nil, depth: 0, value: 0.0 });
        while let Some(leaf) = next.take() {
            for &action in leaf.world.actions() {
                if timer.is_over() {
                    break;
                }
                let mut child = leaf.world.fork(&mut self.dice);
                child.advance(action);
                timer.spend(1);
                let (depth, first) = (leaf.depth + 1, if leaf.depth == 0 { action } else { leaf.first });
                let value = self.value(&child, depth);
                let best = found.entry(first).or_insert(f64::NEG_INFINITY);
                // The first step must not be deadly: what follows is worth nothing then.
                *best = best.max(value);
                if depth < self.depth && !child.is_over() && kept < self.states {
                    kept += 1;
                    leaves.push(Leaf { world: child, first, depth, value });
                }
            }
            if timer.is_over() {
                break;
            }
            let best =
                (0..leaves.len()).max_by(|&one, &other| leaves[one].value.total_cmp(&leaves[other].value));
            next = best.map(|place| leaves.swap_remove(place));
        }
        best(found, &mut self.dice)
    }
}
