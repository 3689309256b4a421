//! The first steps of shortest paths around the obstacles of a level's first state.
//!
//! Paths of one length are chosen as the reference framework does: cells are taken from a binary
//! heap that is ordered by distance only, so the heap's own order decides.

use super::Direction;

/// For every two cells the first step from one to the other.
#[derive(Clone, Debug)]
pub(crate) struct Paths {
    width: i32,
    height: i32,
    /// A place in [`Direction::BASE`], or [`NO_STEP`].
    steps: Vec<u8>,
}

const NO_STEP: u8 = u8::MAX;

/// The most cells of a level with paths: the table has the square of this.
pub(crate) const MAX_PATH_CELLS: usize = 4096;

impl Paths {
    /// Finds all paths through cells that are `open`, row by row.
    pub(crate) fn new(width: i32, height: i32, open: &[bool]) -> Self {
        let cells = (width * height) as usize;
        let mut paths = Self { width, height, steps: vec![NO_STEP; cells * cells] };
        for start in 0..cells {
            if open[start] {
                paths.search(start, open);
            }
        }
        paths
    }

    fn search(&mut self, start: usize, open: &[bool]) {
        let cells = open.len();
        let mut first = vec![NO_STEP; cells];
        let mut visited = vec![false; cells];
        visited[start] = true;
        let mut heap = Heap::default();
        heap.push((0, start));
        while let Some((distance, cell)) = heap.pop() {
            let (x, y) = (cell as i32 % self.width, cell as i32 / self.width);
            for (heading, dx, dy) in [(0, 0, -1), (2, 0, 1), (1, -1, 0), (3, 1, 0)] {
                let (x, y) = (x + dx, y + dy);
                if x < 0 || y < 0 || x >= self.width || y >= self.height {
                    continue;
                }
                let next = (y * self.width + x) as usize;
                if !open[next] || visited[next] {
                    continue;
                }
                visited[next] = true;
                first[next] = if cell == start { heading } else { first[cell] };
                heap.push((distance + 1, next));
            }
        }
        self.steps[start * cells..(start + 1) * cells].copy_from_slice(&first);
    }

    /// The first step from one cell to another; none if it is the same or there is no path.
    pub(crate) fn step(&self, from: (i32, i32), to: (i32, i32)) -> Option<Direction> {
        let index = |(x, y): (i32, i32)| {
            let within = x >= 0 && y >= 0 && x < self.width && y < self.height;
            within.then_some((y * self.width + x) as usize)
        };
        let cells = (self.width * self.height) as usize;
        Direction::BASE.get(self.steps[index(from)? * cells + index(to)?] as usize).copied()
    }
}

/// A binary heap as the textbooks have it: who is equal to its parent stays below it, and of two
/// equal children the left one rises.
#[derive(Default)]
struct Heap {
    items: Vec<(u32, usize)>,
}

impl Heap {
    fn push(&mut self, item: (u32, usize)) {
        let mut at = self.items.len();
        self.items.push(item);
        while at > 0 {
            let parent = (at - 1) / 2;
            if item.0 >= self.items[parent].0 {
                break;
            }
            self.items[at] = self.items[parent];
            at = parent;
        }
        self.items[at] = item;
    }

    fn pop(&mut self) -> Option<(u32, usize)> {
        let last = self.items.pop()?;
        let Some(&top) = self.items.first() else { return Some(last) };
        let size = self.items.len();
        let mut at = 0;
        while at < size / 2 {
            let mut child = 2 * at + 1;
            if child + 1 < size && self.items[child].0 > self.items[child + 1].0 {
                child += 1;
            }
            if last.0 <= self.items[child].0 {
                break;
            }
            self.items[at] = self.items[child];
            at = child;
        }
        self.items[at] = last;
        Some(top)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_go_around_and_end_where_there_is_no_way() {
        // . # .
        // . . .
        // # # #
        // . . .
        let open: Vec<bool> = ".#....###...".chars().map(|cell| cell == '.').collect();
        let paths = Paths::new(3, 4, &open);
        assert_eq!(paths.step((0, 0), (2, 0)), Some(Direction::DOWN));
        assert_eq!(paths.step((1, 1), (2, 0)), Some(Direction::RIGHT));
        assert_eq!(paths.step((0, 0), (0, 3)), None);
        assert_eq!(paths.step((0, 0), (0, 0)), None);
        assert_eq!(paths.step((0, 0), (9, 0)), None);
    }
}
