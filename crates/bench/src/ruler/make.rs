//! Makes a set of positions: games are played half at random, half fairly well, and from each at most one position is
//! taken.
//!
//! Positions are hard: few of the moves are right, and the one that looks best to random playouts is not.

use std::collections::HashSet;

use game::Dice;

use super::{HandGame, Judge, Kind, Position};

/// Playouts a move of players that play fairly well.
const GLANCE: u32 = 8;

/// What is wanted.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// Positions of each kind.
    pub count: usize,
    /// The first and the last ply to look at.
    pub plies: std::ops::Range<u32>,
    /// Where right is told from wrong within so many plies a position counts as tactical.
    pub tactical: u32,
    /// At most one of so many moves is right, or one of all.
    pub one_of: usize,
    /// Random playouts a move, to see which looks best.
    pub playouts: u32,
    /// The seed of the games.
    pub seed: u64,
    /// Games after which it is given up.
    pub games: u64,
}

/// Makes positions in which who moves has right moves and wrong ones. `judge` says what is right.
pub fn make<G: HandGame>(judge: &mut impl Judge<G>, wanted: &Wanted) -> Vec<Position> {
    let mut found: Vec<Position> = Vec::new();
    let mut known = HashSet::new();
    for number in 0..wanted.games {
        let missing = |kind| found.iter().filter(|position| position.kind == kind).count() < wanted.count;
        if !missing(Kind::Tactical) && !missing(Kind::Quiet) {
            break;
        }
        let mut dice = Dice::stream(wanted.seed, number);
        let length = wanted.plies.start as usize + dice.below(wanted.plies.len());
        let Some((game, line)) = random_game::<G>(length, &mut dice) else { continue };
        if !known.insert(game.key()) {
            continue;
        }
        let Some(position) = position(judge, &game, line, wanted, &mut dice) else { continue };
        if missing(position.kind) {
            found.push(position);
        }
    }
    found.sort_by_key(|position| (position.kind, position.line.len()));
    found
}

/// A move that wins at once, if there is one.
fn win<G: HandGame>(game: &G, moves: &[G::Move]) -> Option<G::Move> {
    let aim = if game.is_first_to_move() { 1 } else { -1 };
    moves.iter().copied().find(|&chosen| game.play(chosen).result() == Some(aim))
}

/// A random move of who takes immediate wins.
fn random_move<G: HandGame>(game: &G, moves: &mut Vec<G::Move>, dice: &mut Dice) -> G::Move {
    moves.clear();
    game.moves(moves);
    win(game, moves).unwrap_or_else(|| moves[dice.below(moves.len())])
}

/// The same of who does not let the other win at once either.
fn careful_move<G: HandGame>(game: &G, moves: &mut Vec<G::Move>, dice: &mut Dice) -> G::Move {
    let chosen = random_move(game, moves, dice);
    let mut replies = Vec::new();
    let mut is_safe = |&chosen: &G::Move| {
        let next = game.play(chosen);
        replies.clear();
        next.moves(&mut replies);
        next.result().is_some() || win(&next, &replies).is_none()
    };
    if is_safe(&chosen) {
        return chosen;
    }
    let safe: Vec<G::Move> = moves.iter().copied().filter(is_safe).collect();
    if safe.is_empty() { chosen } else { safe[dice.below(safe.len())] }
}

/// A position after some plies of a game that is half careful and random, half played by a few playouts; `None` if it
/// ended before.
fn random_game<G: HandGame>(plies: usize, dice: &mut Dice) -> Option<(G, Vec<String>)> {
    let mut game = G::initial();
    let mut line = Vec::new();
    let mut moves = Vec::new();
    while line.len() < plies {
        if game.result().is_some() {
            return None;
        }
        let careful = careful_move(&game, &mut moves, dice);
        let is_random = moves.len() == 1 || dice.below(2) == 0;
        let chosen = if is_random { careful } else { moves[favourite(&game, &moves, GLANCE, dice)] };
        // Who has no choice is not written down.
        if moves.len() > 1 {
            line.push(G::text(chosen));
        }
        game = game.play(chosen);
    }
    Some((game, line))
}

/// The move with the best mean result of random playouts for who moves.
fn favourite<G: HandGame>(game: &G, moves: &[G::Move], playouts: u32, dice: &mut Dice) -> usize {
    let sign = if game.is_first_to_move() { 1 } else { -1 };
    let mut scratch = Vec::new();
    let mut total = |chosen: G::Move| -> i64 {
        let playout = |_| {
            let mut end = game.play(chosen);
            loop {
                if let Some(result) = end.result() {
                    return i64::from(sign * result);
                }
                let next = random_move(&end, &mut scratch, dice);
                end = end.play(next);
            }
        };
        (0..playouts).map(playout).sum()
    };
    let totals: Vec<i64> = moves.iter().map(|&chosen| total(chosen)).collect();
    (0..moves.len()).max_by_key(|&number| totals[number]).unwrap_or(0)
}

fn position<G: HandGame>(
    judge: &mut impl Judge<G>,
    game: &G,
    line: Vec<String>,
    wanted: &Wanted,
    dice: &mut Dice,
) -> Option<Position> {
    if game.result().is_some() {
        return None;
    }
    let mut moves = Vec::new();
    game.moves(&mut moves);
    if moves.len() < 2 {
        return None;
    }
    let sign = if game.is_first_to_move() { 1 } else { -1 };
    // A win at once is no question.
    if win(game, &moves).is_some() {
        return None;
    }
    // Where all is lost every move is as good.
    if judge.value(game)? == -sign {
        return None;
    }
    let favourite = favourite(game, &moves, wanted.playouts, dice);
    let most_right = (moves.len() / wanted.one_of).max(1);
    let after: Vec<G> = moves.iter().map(|&chosen| game.play(chosen)).collect();
    let mut values = vec![0; moves.len()];
    let mut wins = 0;
    // The one that looks best first: mostly it is right, and the others need not be looked at.
    for number in std::iter::once(favourite).chain((0..moves.len()).filter(|&other| other != favourite)) {
        let next = &after[number];
        let own = sign * next.result().or_else(|| judge.value(next))?;
        wins += usize::from(own == 1);
        if wins > most_right || number == favourite && own == 1 {
            return None;
        }
        values[number] = own;
    }
    let best = *values.iter().max()?;
    let right = values.iter().filter(|&&value| value == best).count();
    if values[favourite] == best || right > most_right {
        return None;
    }
    // Right is told from wrong by one right move that is seen to win, or by all wrong moves that are seen to be wrong.
    let mut depth = |number: usize| match after[number].result() {
        Some(_) => 1,
        None => judge.plies(&after[number], sign * values[number]) + 1,
    };
    let (rights, wrongs): (Vec<usize>, Vec<usize>) =
        (0..moves.len()).partition(|&number| values[number] == best);
    let by_right = if best == 1 { rights.into_iter().map(&mut depth).min() } else { None };
    let by_wrong = wrongs.into_iter().map(&mut depth).max();
    let plies = by_right.into_iter().chain(by_wrong).min()?;
    let kind = if plies <= wanted.tactical { Kind::Tactical } else { Kind::Quiet };
    let worth = |&value: &i8| (50 + 50 * i16::from(value)) as u8;
    let values = moves.iter().map(|&chosen| G::text(chosen)).zip(values.iter().map(worth)).collect();
    Some(Position { kind, plies, line, values })
}

#[cfg(test)]
mod tests {
    use super::super::{Breakthrough, Solver};
    use super::*;

    #[test]
    fn what_looks_best_is_wrong_and_few_moves_are_right() {
        let wanted =
            Wanted { count: 4, plies: 4..12, tactical: 5, one_of: 3, playouts: 4, seed: 7, games: 500 };
        let found = make::<Breakthrough<4, 5>>(&mut Solver::new(16, 200_000), &wanted);
        assert!((1..=8).contains(&found.len()), "{}", found.len());
        for position in &found {
            let right = position.values.iter().filter(|&&(_, value)| value == position.value()).count();
            assert!(right <= (position.values.len() / 3).max(1) && right < position.values.len());
            assert_eq!(position.kind == Kind::Tactical, position.plies <= 5);
            assert!((4..12).contains(&position.line.len()));
        }
        assert_eq!(found, make::<Breakthrough<4, 5>>(&mut Solver::new(16, 200_000), &wanted));
    }
}
