//! Distances by path finding on the cells of a level.

use std::collections::VecDeque;

use crate::knowledge::Knowledge;
use crate::{Category, World};

/// Cells and whether one can go there.
#[derive(Clone, Debug)]
pub(crate) struct Ground {
    width: i32,
    height: i32,
    blocked: Vec<bool>,
}

impl Ground {
    /// The cells of a world; what is known to be solid or deadly blocks, unless it moves about.
    pub(crate) fn of(world: &World, knowledge: &Knowledge) -> Self {
        let (width, height) = world.size();
        let mut ground = Self { width, height, blocked: vec![false; (width * height) as usize] };
        for kind in world.kinds() {
            let known = knowledge.of(kind);
            if known.is_solid() || known.touched.is_deadly() {
                for sprite in world.sprites_of(kind) {
                    let moves = matches!(sprite.category, Category::Npc | Category::Movable);
                    if !(moves && known.touched.is_deadly())
                        && let Some(place) = ground.place(world.cell(&sprite))
                    {
                        ground.blocked[place] = true;
                    }
                }
            }
        }
        ground
    }

    /// The place of a cell in tables.
    pub(crate) fn place(&self, (x, y): (i32, i32)) -> Option<usize> {
        let inside = (0..self.width).contains(&x) && (0..self.height).contains(&y);
        inside.then(|| (y * self.width + x) as usize)
    }

    /// Steps from each cell to the nearest of some cells; these may themselves be blocked.
    pub(crate) fn distances(&self, targets: impl IntoIterator<Item = (i32, i32)>) -> Distances {
        let mut steps = vec![FAR; self.blocked.len()];
        let mut open = VecDeque::new();
        for cell in targets {
            if let Some(place) = self.place(cell)
                && steps[place] == FAR
            {
                steps[place] = 0;
                open.push_back(cell);
            }
        }
        while let Some((x, y)) = open.pop_front() {
            let Some(here) = self.place((x, y)) else { continue };
            for next in [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)] {
                if let Some(place) = self.place(next)
                    && steps[place] == FAR
                {
                    steps[place] = steps[here] + 1;
                    // Blocked cells have a distance, for whoever is in one, but nobody goes through.
                    if !self.blocked[place] {
                        open.push_back(next);
                    }
                }
            }
        }
        Distances { steps }
    }

    /// Cells in all.
    pub(crate) fn len(&self) -> usize {
        self.blocked.len()
    }
}

const FAR: u32 = u32::MAX;

/// Steps from each cell.
#[derive(Clone, Debug)]
pub(crate) struct Distances {
    steps: Vec<u32>,
}

impl Distances {
    /// Steps from a place; none if there is no way.
    pub(crate) fn at(&self, place: usize) -> Option<u32> {
        self.steps.get(place).copied().filter(|&steps| steps != FAR)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_lead_around_what_blocks() {
        let mut ground = Ground { width: 3, height: 3, blocked: vec![false; 9] };
        ground.blocked[4] = true;
        ground.blocked[3] = true;
        let distances = ground.distances([(0, 2)]);
        let steps: Vec<Option<u32>> = (0..9).map(|place| distances.at(place)).collect();
        let expected = [6, 5, 4, 1, 2, 3, 0, 1, 2].map(Some);
        assert_eq!(steps, expected);
        ground.blocked[5] = true;
        assert_eq!(ground.distances([(0, 2)]).at(0), None);
        assert_eq!(ground.distances([(9, 9)]).at(0), None);
    }
}
