//! Connect four, 7 columns and 6 rows, on bitboards: seven bits a column, the uppermost always empty.

use super::HandGame;

const COLUMNS: u32 = 7;
const ROWS: u32 = 6;
const HEIGHT: u32 = ROWS + 1;
const BOTTOM: u64 = 0x0000_0408_1020_4081;
pub(super) const BOARD: u64 = BOTTOM * ((1 << ROWS) - 1);

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectFour {
    /// The stones of who is to move.
    pub(super) own: u64,
    /// All stones.
    pub(super) all: u64,
}

/// Whether there are four in a row.
fn has_four(stones: u64) -> bool {
    [1, HEIGHT, HEIGHT - 1, HEIGHT + 1].into_iter().any(|step| {
        let pairs = stones & stones >> step;
        pairs & pairs >> (2 * step) != 0
    })
}

/// The empty places where one more stone makes four.
pub(super) fn threats(stones: u64, all: u64) -> u64 {
    let mut found = stones << 1 & stones << 2 & stones << 3;
    for step in [HEIGHT, HEIGHT - 1, HEIGHT + 1] {
        let up = stones << step & stones << (2 * step);
        let down = stones >> step & stones >> (2 * step);
        found |= up & stones << (3 * step) | up & stones >> step;
        found |= down & stones >> (3 * step) | down & stones << step;
    }
    found & BOARD & !all
}

impl ConnectFour {
    /// The places where the next stones may come to lie.
    pub(super) fn open(&self) -> u64 {
        (self.all + BOTTOM) & BOARD
    }

    pub(super) fn column(place: u32) -> u64 {
        ((1 << ROWS) - 1) << (place * HEIGHT)
    }
}

impl HandGame for ConnectFour {
    type Move = u32;

    fn initial() -> Self {
        Self { own: 0, all: 0 }
    }

    fn result(&self) -> Option<i8> {
        if has_four(self.own ^ self.all) {
            // Who moved last has won.
            return Some(if self.is_first_to_move() { -1 } else { 1 });
        }
        (self.all == BOARD).then_some(0)
    }

    fn is_first_to_move(&self) -> bool {
        self.all.count_ones().is_multiple_of(2)
    }

    fn moves(&self, out: &mut Vec<u32>) {
        out.extend((0..COLUMNS).filter(|&column| self.open() & Self::column(column) != 0));
    }

    fn promising(&self, out: &mut Vec<u32>) {
        let open = self.open();
        let mut tried = open;
        let (wins, losses) = (threats(self.own, self.all), threats(self.own ^ self.all, self.all));
        if open & wins != 0 {
            tried = open & wins;
        } else if open & losses != 0 {
            // What the other wins with must be taken; a second such place cannot be helped.
            tried = open & losses;
        }
        let order = [3, 2, 4, 1, 5, 0, 6];
        out.extend(order.into_iter().filter(|&column| tried & Self::column(column) != 0));
        // Below a place where the other wins is the last place to go.
        out.sort_by_key(|&column| {
            let place = open & Self::column(column);
            let gives = place << 1 & losses != 0;
            let makes = threats(self.own | place, self.all | place).count_ones();
            (gives, std::cmp::Reverse(makes))
        });
    }

    fn play(&self, column: u32) -> Self {
        let all = self.all | self.open() & Self::column(column);
        Self { own: self.own ^ self.all, all }
    }

    fn key(&self) -> u128 {
        u128::from(self.all) << 64 | u128::from(self.own)
    }

    fn text(column: u32) -> String {
        format!("(drop {})", column + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_in_every_direction_win() {
        let played = |columns: &[u32]| columns.iter().fold(ConnectFour::initial(), |game, &c| game.play(c));
        assert_eq!(played(&[0, 1, 0, 1, 0, 1, 0]).result(), Some(1));
        assert_eq!(played(&[0, 0, 1, 1, 2, 2, 3]).result(), Some(1));
        assert_eq!(played(&[0, 1, 1, 2, 2, 3, 2, 3, 3, 6, 3]).result(), Some(1));
        assert_eq!(played(&[6, 5, 5, 4, 4, 3, 4, 3, 3, 0, 3]).result(), Some(1));
        assert_eq!(played(&[0, 1, 0, 1, 0, 1]).result(), None);
        let mut promising = Vec::new();
        played(&[0, 1, 0, 1, 0, 1]).promising(&mut promising);
        assert_eq!(promising, [0]);
    }

    #[test]
    fn known_numbers_of_positions() {
        // Perft of 7x6, as many have published it.
        fn count(game: &ConnectFour, depth: u32) -> u64 {
            if depth == 0 {
                return 1;
            }
            if game.result().is_some() {
                return 0;
            }
            let mut moves = Vec::new();
            game.moves(&mut moves);
            moves.into_iter().map(|column| count(&game.play(column), depth - 1)).sum()
        }
        assert_eq!([1, 4, 7].map(|depth| count(&ConnectFour::initial(), depth)), [7, 2401, 823_536]);
    }
}
