//! Goofspiel with five cards and a fixed order of prizes, by hand: solved from the end, step by step a matrix game.

use std::collections::HashMap;

use super::equilibria::MatrixPosition;
use super::matrix::{Equilibrium, solve};

const CARDS: u32 = 5;
const PRIZES: [i8; CARDS as usize] = [2, 4, 1, 5, 3];

/// Where a game stands: the hands as sets of cards, and the first player's lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Goofspiel {
    hands: [u8; 2],
    lead: i8,
}

/// The cards of a hand, lowest first.
fn cards(hand: u8) -> impl Iterator<Item = u32> + Clone {
    (0..CARDS).filter(move |card| hand >> card & 1 != 0)
}

impl Goofspiel {
    const START: Self = Self { hands: [(1 << CARDS) - 1; 2], lead: 0 };

    fn play(self, own: u32, other: u32) -> Self {
        let prize = PRIZES[(CARDS - self.hands[0].count_ones()) as usize];
        let won = match own.cmp(&other) {
            std::cmp::Ordering::Greater => prize,
            std::cmp::Ordering::Less => -prize,
            std::cmp::Ordering::Equal => 0,
        };
        Self { hands: [self.hands[0] & !(1 << own), self.hands[1] & !(1 << other)], lead: self.lead + won }
    }
}

/// Values of positions, as they are found.
#[derive(Debug, Default)]
struct Values(HashMap<Goofspiel, f64>);

impl Values {
    /// What a position is worth to the first player, 0 to 100.
    fn of(&mut self, game: Goofspiel) -> f64 {
        if game.hands == [0, 0] {
            return 50.0 + 50.0 * f64::from(game.lead.signum());
        }
        if let Some(&known) = self.0.get(&game) {
            return known;
        }
        let value = solve(&self.matrix(game)).value;
        self.0.insert(game, value);
        value
    }

    fn matrix(&mut self, game: Goofspiel) -> Vec<Vec<f64>> {
        let [own, other] = game.hands;
        cards(own).map(|one| cards(other).map(|two| self.of(game.play(one, two))).collect()).collect()
    }
}

fn text(card: u32) -> String {
    format!("(play {})", card + 1)
}

/// All positions in which it matters what the first player does, each reached by one line, the shortest lines first.
pub fn goofspiel_positions() -> Vec<MatrixPosition> {
    let mut values = Values::default();
    let mut found = Vec::new();
    let mut level: Vec<(Goofspiel, Vec<Vec<String>>)> = vec![(Goofspiel::START, Vec::new())];
    while !level.is_empty() {
        let mut next: HashMap<Goofspiel, Vec<Vec<String>>> = HashMap::new();
        for (game, line) in &level {
            let [own, other] = game.hands;
            if own.count_ones() > 1 {
                let matrix = values.matrix(*game);
                let Equilibrium { value, .. } = solve(&matrix);
                let position = MatrixPosition {
                    line: line.clone(),
                    role: 0,
                    moves: cards(own).map(text).collect(),
                    replies: cards(other).map(text).collect(),
                    values: matrix,
                };
                // Where any move is as good there is no question.
                if position.worst_security() < value - 1.0 {
                    found.push(position);
                }
            }
            for one in cards(own) {
                for two in cards(other) {
                    let longer = || line.iter().cloned().chain([vec![text(one), text(two)]]).collect();
                    next.entry(game.play(one, two)).or_insert_with(longer);
                }
            }
        }
        level = next.into_iter().filter(|(game, _)| game.hands[0] != 0).collect();
        level.sort();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_symmetric_game_is_fair() {
        let mut values = Values::default();
        assert!((values.of(Goofspiel::START) - 50.0).abs() < 1e-6);
        // With one card each all is decided.
        let last = Goofspiel { hands: [0b1, 0b10], lead: 2 };
        assert_eq!(values.of(last), 0.0, "the prize of 3 goes to the other");
        // Two cards each and the same lead: the higher card takes 5 or 3, and 5 decides.
        let two = Goofspiel { hands: [0b11, 0b11], lead: 0 };
        assert!((values.of(two) - 50.0).abs() < 1e-6);
    }

    #[test]
    fn there_are_some_hundred_positions() {
        let all = goofspiel_positions();
        let mixed = all.iter().filter(|position| position.must_mix()).count();
        println!("{} positions, {mixed} of them to be mixed", all.len());
        assert!(all.len() >= 200 && mixed >= 20, "{} and {mixed}", all.len());
    }
}
