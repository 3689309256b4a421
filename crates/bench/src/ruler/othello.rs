//! Othello on 8x8, ray by ray: plain, as it only has to see the end of games.

use super::HandGame;

/// A position. Bit `8 * (rank - 1) + file`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Othello {
    /// The stones of who is to move.
    pub(super) own: u64,
    pub(super) other: u64,
    is_black_to_move: bool,
}

/// A square, or none for a pass.
pub(crate) type Placed = Option<u32>;

const NOT_FIRST_FILE: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_LAST_FILE: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// One step in each of the eight directions.
const STEPS: [fn(u64) -> u64; 8] = [
    |set| set << 8,
    |set| set >> 8,
    |set| (set & NOT_LAST_FILE) << 1,
    |set| (set & NOT_FIRST_FILE) >> 1,
    |set| (set & NOT_LAST_FILE) << 9,
    |set| (set & NOT_FIRST_FILE) << 7,
    |set| (set & NOT_LAST_FILE) >> 7,
    |set| (set & NOT_FIRST_FILE) >> 9,
];

/// The squares where who has `own` may place a stone.
pub(super) fn playable(own: u64, other: u64) -> u64 {
    let empty = !(own | other);
    STEPS.iter().fold(0, |found, step| {
        let mut ray = step(own) & other;
        for _ in 0..5 {
            ray |= step(ray) & other;
        }
        found | step(ray) & empty
    })
}

/// The stones that one at `placed` turns.
pub(super) fn turned(own: u64, other: u64, placed: u64) -> u64 {
    STEPS.iter().fold(0, |all, step| {
        let (mut ray, mut next) = (0, step(placed));
        while next & other != 0 {
            ray |= next;
            next = step(next);
        }
        if next & own != 0 { all | ray } else { all }
    })
}

impl Othello {
    /// The squares that are empty.
    pub fn empty(&self) -> u32 {
        (!(self.own | self.other)).count_ones()
    }
}

impl HandGame for Othello {
    type Move = Placed;

    fn initial() -> Self {
        let bit = |file: u32, rank: u32| 1u64 << (8 * rank + file);
        Self { own: bit(3, 4) | bit(4, 3), other: bit(3, 3) | bit(4, 4), is_black_to_move: true }
    }

    fn result(&self) -> Option<i8> {
        if playable(self.own, self.other) != 0 || playable(self.other, self.own) != 0 {
            return None;
        }
        let (own, other) = (self.own.count_ones(), self.other.count_ones());
        let result = own.cmp(&other) as i8;
        Some(if self.is_black_to_move { result } else { -result })
    }

    fn is_first_to_move(&self) -> bool {
        self.is_black_to_move
    }

    fn moves(&self, out: &mut Vec<Placed>) {
        let mut squares = playable(self.own, self.other);
        if squares == 0 {
            out.push(None);
        }
        while squares != 0 {
            out.push(Some(squares.trailing_zeros()));
            squares &= squares - 1;
        }
    }

    fn promising(&self, out: &mut Vec<Placed>) {
        self.moves(out);
        // What leaves the other the fewest replies.
        out.sort_by_key(|&placed| {
            let next = self.play(placed);
            playable(next.own, next.other).count_ones()
        });
    }

    fn play(&self, placed: Placed) -> Self {
        let square = placed.map_or(0, |square| 1u64 << square);
        let turned = if square == 0 { 0 } else { turned(self.own, self.other, square) };
        Self {
            own: self.other & !turned,
            other: self.own | turned | square,
            is_black_to_move: !self.is_black_to_move,
        }
    }

    fn key(&self) -> u128 {
        // Three states a square take 102 bits: the solver needs the uppermost bit for itself.
        let mut key: u128 = 0;
        for square in 0..64 {
            let own = (self.own >> square & 1) as u128;
            let other = (self.other >> square & 1) as u128;
            key = key * 3 + own + 2 * other;
        }
        key << 1 | u128::from(self.is_black_to_move)
    }

    fn text(placed: Placed) -> String {
        placed.map_or("pass".to_owned(), |square| {
            format!("(place {} {})", char::from(b'a' + (square % 8) as u8), square / 8 + 1)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_numbers_of_positions() {
        fn count(game: &Othello, depth: u32) -> u64 {
            if depth == 0 {
                return 1;
            }
            if game.result().is_some() {
                return 0;
            }
            let mut moves = Vec::new();
            game.moves(&mut moves);
            moves.into_iter().map(|placed| count(&game.play(placed), depth - 1)).sum()
        }
        // As many have published it.
        assert_eq!([1, 2, 3, 6].map(|depth| count(&Othello::initial(), depth)), [4, 12, 56, 8200]);
    }
}
