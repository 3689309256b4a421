//! Boards: where contents stand, and which contents move and are taken.
//!
//! A shape of facts has cells and contents if no state has two of its facts with one cell: some slots are the content, the
//! others are the cell. A content may have several slots, as in `(cell a 1 white rook)`.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::vocabulary::{Constants, ShapeId};

/// The atoms of a state.
pub(crate) type Atoms = Vec<(ShapeId, Constants)>;

/// Cells that there are on a board at least.
const FEWEST_CELLS: usize = 4;

/// More kinds of contents than this are no pieces.
const MOST_KINDS: usize = 30;

/// The part of the moves of contents that are to be moves still when contents have another slot: what changes with most
/// moves is a part of the cell, and a promotion is a rare move.
const KEPT_MOVES: f64 = 0.75;

/// Where contents stand: a shape, and which of its slots are the content, ascending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Board {
    pub(crate) shape: ShapeId,
    pub(crate) content: Vec<usize>,
}

impl Board {
    /// The cell and the content of an atom, if it is of this board.
    fn read(&self, (shape, constants): &(ShapeId, Constants)) -> Option<(Constants, Constants)> {
        if *shape != self.shape {
            return None;
        }
        let of = |is_content: bool| {
            let own =
                constants.iter().enumerate().filter(|(slot, _)| self.content.contains(slot) == is_content);
            own.map(|(_, constant)| *constant).collect()
        };
        Some((of(false), of(true)))
    }

    /// The number of a content in a state.
    pub(crate) fn count(&self, atoms: &Atoms, content: &Constants) -> usize {
        let is_own = |(shape, constants): &&(ShapeId, Constants)| {
            let mut slots = self.content.iter().zip(content);
            *shape == self.shape && slots.all(|(&slot, constant)| constants[slot] == *constant)
        };
        atoms.iter().filter(is_own).count()
    }

    /// How many kinds of contents there are; `None` if a state has two contents in one cell, or there are too few cells.
    fn kinds(&self, states: &[Atoms]) -> Option<usize> {
        let (mut cells, mut contents) = (FxHashSet::default(), FxHashSet::default());
        let is_board = states.iter().all(|atoms| {
            let mut seen = FxHashSet::default();
            atoms.iter().filter_map(|atom| self.read(atom)).all(|(cell, content)| {
                cells.insert(cell.clone());
                contents.insert(content);
                seen.insert(cell)
            })
        });
        (is_board && cells.len() >= FEWEST_CELLS).then_some(contents.len())
    }

    /// What becomes of contents. States come in pairs.
    fn fates(&self, states: &[Atoms]) -> Fates {
        let mut fates = Fates::default();
        for pair in states.chunks(2) {
            let [before, after] = pair else { continue };
            let cells = |atoms: &Atoms| -> FxHashSet<(Constants, Constants)> {
                atoms.iter().filter_map(|atom| self.read(atom)).collect()
            };
            let (before, after) = (cells(before), cells(after));
            let mut changes: FxHashMap<&Constants, (usize, usize)> = FxHashMap::default();
            after.difference(&before).for_each(|(_, content)| changes.entry(content).or_default().0 += 1);
            before.difference(&after).for_each(|(_, content)| changes.entry(content).or_default().1 += 1);
            for (content, change) in changes {
                match change {
                    (1, 1) => {
                        fates.moves += 1;
                        fates.moving.insert(content.clone());
                    }
                    (0, 1) => {
                        fates.taken.insert(content.clone());
                    }
                    _ => {}
                }
            }
        }
        fates
    }
}

/// What becomes of contents.
#[derive(Default)]
struct Fates {
    /// How often one went from one cell to another.
    moves: usize,
    /// Those that did.
    moving: FxHashSet<Constants>,
    /// Those that vanished without coming anywhere.
    taken: FxHashSet<Constants>,
}

/// The contents of boards that move and are taken, in order. States come in pairs.
pub(crate) fn find(states: &[Atoms]) -> Vec<(Board, Constants)> {
    let mut shapes: Vec<(ShapeId, usize)> =
        states.iter().flatten().map(|(shape, constants)| (*shape, constants.len())).collect();
    shapes.sort_unstable();
    shapes.dedup();
    let mut found = Vec::new();
    for (shape, arity) in shapes.into_iter().filter(|(_, arity)| *arity >= 2) {
        let Some((board, fates)) = board(states, shape, arity) else { continue };
        let mut pieces: Vec<Constants> = fates.moving.intersection(&fates.taken).cloned().collect();
        pieces.sort_unstable();
        found.extend(pieces.into_iter().map(|content| (board.clone(), content)));
    }
    found
}

/// The board of a shape: of slots that could be the content the one with the fewest values is, and with it others that
/// stay when contents move.
fn board(states: &[Atoms], shape: ShapeId, arity: usize) -> Option<(Board, Fates)> {
    // The one with the fewest kinds of contents of some boards.
    let fewest = |contents: &mut dyn Iterator<Item = Vec<usize>>| {
        let boards = contents.map(|content| Board { shape, content });
        let boards = boards.filter_map(|board| Some((board.kinds(states)?, board)));
        let few = boards.filter(|(kinds, _)| *kinds <= MOST_KINDS);
        few.min_by_key(|(kinds, _)| *kinds).map(|(_, board)| board)
    };
    let mut board = fewest(&mut (0..arity).map(|slot| vec![slot]))?;
    let mut fates = board.fates(states);
    let mut left: Vec<usize> = (0..arity).filter(|slot| !board.content.contains(slot)).collect();
    while left.len() > 1 {
        let wider = |slot: usize| {
            let mut content = board.content.clone();
            content.push(slot);
            content.sort_unstable();
            content
        };
        let Some(next) = fewest(&mut left.iter().map(|&slot| wider(slot))) else { break };
        left.retain(|slot| !next.content.contains(slot));
        let of_next = next.fates(states);
        if of_next.moves as f64 >= KEPT_MOVES * fates.moves as f64 {
            (board, fates) = (next, of_next);
        }
    }
    Some((board, fates))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::{Kind, Vocabulary};

    fn state(words: &mut Vocabulary, facts: &str) -> Atoms {
        facts.split(';').filter_map(|fact| words.read(Kind::Fact, fact)).collect()
    }

    fn names(words: &Vocabulary, found: &[(Board, Constants)]) -> Vec<String> {
        let name = |content: &Constants| {
            content.iter().map(|&constant| words.name(constant)).collect::<Vec<_>>().join(" ")
        };
        found.iter().map(|(_, content)| name(content)).collect()
    }

    #[test]
    fn what_moves_and_is_taken_is_a_piece() {
        let mut words = Vocabulary::default();
        let mut of = |facts: &str| state(&mut words, facts);
        let states = [
            // A knight moves.
            of("(cell a 1 knight);(cell b 1 pawn);(cell b 2 wall);(cell a 2 wall);(cell a 3 wall);(step 1)"),
            of("(cell c 1 knight);(cell b 1 pawn);(cell b 2 wall);(cell a 2 wall);(cell a 3 wall);(step 2)"),
            // A pawn is moved onto, and a pawn moves.
            of("(cell a 1 knight);(cell b 1 pawn);(cell b 2 wall);(cell c 2 pawn)"),
            of("(cell b 1 knight);(cell b 2 wall);(cell c 2 pawn)"),
            of("(cell c 2 pawn);(cell a 1 knight)"),
            of("(cell c 1 pawn);(cell a 1 knight)"),
            // A knight is lost.
            of("(cell c 2 pawn);(cell a 1 knight)"),
            of("(cell a 1 pawn)"),
        ];
        let found = find(&states);
        assert_eq!(names(&words, &found), ["knight", "pawn"], "a wall does not move, a step is on no board");
        assert_eq!(found[0].0.content, [2]);
        assert_eq!(found[0].0.count(&states[2], &found[1].1), 2);
    }

    #[test]
    fn side_and_kind_are_one_content() {
        let mut words = Vocabulary::default();
        let mut of = |facts: &str| state(&mut words, facts);
        let states = [
            // A rook takes a queen.
            of("(cell a 1 white rook);(cell b 1 white queen);(cell a 8 black queen);(cell b 8 black rook)"),
            of("(cell b 1 white queen);(cell a 8 white rook);(cell b 8 black rook)"),
            // A queen takes a rook.
            of("(cell b 1 white queen);(cell a 8 white rook);(cell b 8 black rook);(cell b 7 black queen)"),
            of("(cell b 8 white queen);(cell a 8 white rook);(cell b 7 black queen)"),
            // A queen takes a queen, a rook a rook, and each comes near.
            of("(cell c 1 black queen);(cell a 1 white queen);(cell b 1 white rook)"),
            of("(cell a 1 black queen);(cell b 1 white rook)"),
            of("(cell c 1 black rook);(cell a 1 white rook);(cell b 1 white queen)"),
            of("(cell a 1 black rook);(cell b 1 white queen)"),
        ];
        let found = find(&states);
        assert!(found.iter().all(|(board, _)| board.content == [2, 3]));
        let mut names = names(&words, &found);
        names.sort();
        assert_eq!(names, ["black queen", "black rook", "white queen", "white rook"]);
        assert_eq!(found[0].0.count(&states[0], &found[0].1), 1);
    }

    #[test]
    fn the_rank_of_what_moves_is_no_content() {
        // One pawn on each file at most: the file would be cell enough, but a pawn would be another one after each move.
        let mut words = Vocabulary::default();
        let mut of = |facts: &str| state(&mut words, facts);
        let states = [
            of("(cell a 1 pawn);(cell b 1 pawn);(cell c 1 pawn);(cell d 1 pawn)"),
            of("(cell a 1 pawn);(cell b 2 pawn);(cell c 1 pawn);(cell d 1 pawn)"),
            of("(cell a 1 pawn);(cell b 2 pawn);(cell c 1 pawn);(cell d 1 pawn)"),
            of("(cell a 2 pawn);(cell b 2 pawn);(cell c 1 pawn);(cell d 1 pawn)"),
            of("(cell a 2 pawn);(cell b 2 pawn);(cell d 1 pawn)"),
            of("(cell a 2 pawn);(cell b 2 pawn)"),
        ];
        let found = find(&states);
        assert_eq!((names(&words, &found), &found[0].0.content), (vec!["pawn".to_owned()], &vec![2]));
    }
}
