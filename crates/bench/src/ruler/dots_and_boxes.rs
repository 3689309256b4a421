//! Dots and boxes, 3x3 boxes: what is still to be won depends on the lines alone, so all 2^24 sets of
//! lines are solved once.

use std::sync::Arc;

use super::{HandGame, Judge};

const LINES: u32 = 24;
const ALL: u32 = (1 << LINES) - 1;

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DotsAndBoxes {
    lines: u32,
    /// Boxes of the first player less those of the second.
    lead: i8,
    is_first_to_move: bool,
}

/// The place of a line in the lattice of the rule sheet: column and row from 1 to 7.
fn place(line: u32) -> (u32, u32) {
    if line < 12 {
        // Across: columns 2, 4, 6 in rows 1, 3, 5, 7.
        (2 * (line % 3) + 2, 2 * (line / 3) + 1)
    } else {
        // Upright: columns 1, 3, 5, 7 in rows 2, 4, 6.
        let line = line - 12;
        (2 * (line % 4) + 1, 2 * (line / 4) + 2)
    }
}

/// The four lines around each box.
const BOXES: [u32; 9] = {
    let mut boxes = [0; 9];
    let mut number = 0;
    while number < 9 {
        let (column, row) = (number % 3, number / 3);
        let across = 1 << (row * 3 + column) | 1 << ((row + 1) * 3 + column);
        let upright = 1 << (12 + row * 4 + column) | 1 << (12 + row * 4 + column + 1);
        boxes[number as usize] = across | upright;
        number += 1;
    }
    boxes
};

/// How many boxes a new line closes.
fn closed(lines: u32, line: u32) -> i8 {
    let after = lines | 1 << line;
    BOXES.iter().filter(|&&sides| sides >> line & 1 != 0 && after & sides == sides).count() as i8
}

impl HandGame for DotsAndBoxes {
    type Move = u32;

    fn initial() -> Self {
        Self { lines: 0, lead: 0, is_first_to_move: true }
    }

    fn result(&self) -> Option<i8> {
        (self.lines == ALL).then(|| self.lead.signum())
    }

    fn is_first_to_move(&self) -> bool {
        self.is_first_to_move
    }

    fn moves(&self, out: &mut Vec<u32>) {
        out.extend((0..LINES).filter(|line| self.lines >> line & 1 == 0));
    }

    fn promising(&self, out: &mut Vec<u32>) {
        self.moves(out);
    }

    fn play(&self, line: u32) -> Self {
        let won = closed(self.lines, line);
        let sign = if self.is_first_to_move { 1 } else { -1 };
        Self {
            lines: self.lines | 1 << line,
            lead: self.lead + sign * won,
            is_first_to_move: self.is_first_to_move == (won > 0),
        }
    }

    fn key(&self) -> u128 {
        u128::from(self.lines) << 16 | u128::from(self.lead as u8) << 1 | u128::from(self.is_first_to_move)
    }

    fn text(line: u32) -> String {
        let (column, row) = place(line);
        format!("(draw {column} {row})")
    }
}

/// For every set of lines: by how many boxes who is to move will be ahead of the other from there on.
#[derive(Clone, Debug)]
pub struct BoxTable(Arc<[i8]>);

impl BoxTable {
    /// Solves the game: some seconds.
    pub fn new() -> Self {
        let mut table = vec![0i8; 1 << LINES];
        for lines in (0..ALL).rev() {
            let ahead = |line: u32| {
                let rest = table[(lines | 1 << line) as usize];
                match closed(lines, line) {
                    0 => -rest,
                    won => won + rest,
                }
            };
            let best = (0..LINES).filter(|line| lines >> line & 1 == 0).map(ahead).max();
            table[lines as usize] = best.unwrap_or(0);
        }
        Self(table.into())
    }
}

impl Default for BoxTable {
    fn default() -> Self {
        Self::new()
    }
}

impl Judge<DotsAndBoxes> for BoxTable {
    fn value(&mut self, game: &DotsAndBoxes) -> Option<i8> {
        let ahead = self.0[game.lines as usize];
        let lead = if game.is_first_to_move { game.lead + ahead } else { game.lead - ahead };
        Some(lead.signum())
    }

    fn plies(&mut self, game: &DotsAndBoxes, _: i8) -> u32 {
        // The count of boxes may change to the last line.
        (ALL & !game.lines).count_ones()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_have_four_sides_and_who_closes_moves_again() {
        assert!(BOXES.iter().all(|sides| sides.count_ones() == 4));
        let sides: Vec<u32> = (0..LINES).filter(|line| BOXES[0] >> line & 1 != 0).collect();
        let played = sides.iter().fold(DotsAndBoxes::initial(), |game, &line| game.play(line));
        assert_eq!((played.lead, played.is_first_to_move), (-1, false));
        assert_eq!(DotsAndBoxes::text(0), "(draw 2 1)");
        assert_eq!(DotsAndBoxes::text(23), "(draw 7 6)");
    }
}
