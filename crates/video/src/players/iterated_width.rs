//! Iterated width: breadth first, and states in which nothing is where nothing like it was before are left
//! out. What is left is linear in the number of places and types, so that it reaches far.

use std::collections::VecDeque;

use engine::Typed;
use rustc_hash::FxHashSet;
use vgdl::{Category, Outcome};

use super::*;

const SOURCE: &str = "Geffner and Geffner, Width-based Planning for General Video-Game Playing, 2015";

const DISCOUNT: Typed<f64> =
    Typed::<f64>::real("discount", 0.99, 0.0, 1.0, SOURCE, "what gains are worth a tick later");
const TRIES: Typed<u32> = Typed::<u32>::whole(
    "tries",
    10,
    0,
    1000,
    SOURCE,
    "how often each action is tried to find out whether it ends the game at once",
);
const STATES: Typed<u32> =
    Typed::<u32>::whole("states", 3000, 1, 100_000, SOURCE, "the most states that are kept in a tick");

pub(super) const ROW: PlayerRow = PlayerRow {
    name: "iw1",
    help: "breadth first, without states in which nothing is where nothing like it was before (width 1)",
    source: SOURCE,
    parameters: || vec![DISCOUNT.row(), TRIES.row(), STATES.row()],
    make: |settings, seed| {
        Box::new(IteratedWidth {
            discount: settings.of(&DISCOUNT),
            tries: settings.of(&TRIES),
            states: settings.of(&STATES) as usize,
            dice: Dice::new(seed),
        })
    },
};

struct IteratedWidth {
    discount: f64,
    tries: u32,
    states: usize,
    dice: Dice,
}

struct Open {
    world: World,
    first: Action,
    value: f64,
    weight: f64,
}

/// Whether something is where nothing like it was before. Avatars count with where they face.
fn is_novel(atoms: &mut FxHashSet<u64>, world: &World) -> bool {
    let mut novel = false;
    for sprite in world.sprites() {
        let facing = if sprite.category == Category::Avatar {
            (sprite.direction.x as i64 + 2) as u64 * 5 + (sprite.direction.y as i64 + 2) as u64
        } else {
            0
        };
        let (x, y) = world.cell(&sprite);
        let atom = (sprite.kind.number() as u64) << 40
            ^ facing << 32
            ^ (u64::from(x as u16)) << 16
            ^ u64::from(y as u16);
        novel |= atoms.insert(atom);
    }
    novel
}

impl IteratedWidth {
    /// The actions that do not end the game at once, as far as trying tells; all if none is safe.
    fn safe(&mut self, world: &World, timer: &mut Timer<'_>) -> Vec<Action> {
        let mut tried = world.clone();
        let mut losses: Vec<(u32, Action)> = Vec::new();
        for &action in world.actions() {
            let mut lost = 0;
            for _ in 0..self.tries {
                tried.restart(world, &mut self.dice);
                tried.advance(action);
                timer.spend(1);
                lost += u32::from(tried.outcome() == Outcome::Lost);
            }
            losses.push((lost, action));
        }
        let least = losses.iter().map(|(lost, _)| *lost).min().unwrap_or(0);
        losses.into_iter().filter(|(lost, _)| *lost == least).map(|(_, action)| action).collect()
    }
}

impl Player for IteratedWidth {
    fn prepare(&mut self, _: &World, _: &Budget<'_>) {}

    fn act(&mut self, world: &World, budget: &Budget<'_>) -> Action {
        let mut timer = Timer::new(budget);
        let safe = self.safe(world, &mut timer);
        let mut atoms = FxHashSet::default();
        is_novel(&mut atoms, world);
        let mut found: Vec<(Action, f64)> = safe.iter().map(|&action| (action, f64::NEG_INFINITY)).collect();
        let root = Open { world: world.clone(), first: Action::Nil, value: 0.0, weight: 1.0 };
        let mut open = VecDeque::from([root]);
        let mut begun = false;
        while let Some(state) = open.pop_front() {
            let actions = if begun { state.world.actions() } else { &safe[..] };
            for &action in actions {
                if timer.is_over() {
                    return best(found, &mut self.dice);
                }
                let mut child = state.world.fork(&mut self.dice);
                let before = win_and_score(&child);
                child.advance(action);
                timer.spend(1);
                let first = if begun { state.first } else { action };
                let value = state.value + state.weight * (win_and_score(&child) - before);
                if let Some(entry) = found.iter_mut().find(|(action, _)| *action == first) {
                    entry.1 = entry.1.max(value);
                }
                let novel = is_novel(&mut atoms, &child);
                if novel && !child.is_over() && open.len() < self.states {
                    open.push_back(Open { world: child, first, value, weight: state.weight * self.discount });
                }
            }
            begun = true;
        }
        best(found, &mut self.dice)
    }
}
