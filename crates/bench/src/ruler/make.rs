//! Makes a set of positions: games are played half at random, half well, and from each at most one
//! position is taken.

use std::collections::HashSet;

use game::Dice;

use super::{HandGame, Judge, Kind, Position};

/// What is wanted.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// Positions of each kind.
    pub count: usize,
    /// The first and the last ply to look at.
    pub plies: std::ops::Range<u32>,
    /// Up to this depth a position counts as tactical.
    pub tactical: u32,
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
        let Some(position) = position(judge, &game, line, wanted.tactical) else { continue };
        if missing(position.kind) {
            found.push(position);
        }
    }
    found.sort_by_key(|position| (position.kind, position.line.len()));
    found
}

/// A position after some plies of a game in which immediate wins are taken; `None` if it ended before.
fn random_game<G: HandGame>(plies: usize, dice: &mut Dice) -> Option<(G, Vec<String>)> {
    let mut game = G::initial();
    let mut line = Vec::new();
    let mut moves = Vec::new();
    while line.len() < plies {
        if game.result().is_some() {
            return None;
        }
        moves.clear();
        game.moves(&mut moves);
        let aim = if game.is_first_to_move() { 1 } else { -1 };
        let win = moves.iter().find(|&&chosen| game.play(chosen).result() == Some(aim));
        let chosen = win.copied().unwrap_or_else(|| moves[dice.below(moves.len())]);
        // Who has no choice is not written down.
        if moves.len() > 1 {
            line.push(G::text(chosen));
        }
        game = game.play(chosen);
    }
    Some((game, line))
}

fn position<G: HandGame>(
    judge: &mut impl Judge<G>,
    game: &G,
    line: Vec<String>,
    tactical: u32,
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
    let mut values = Vec::new();
    let mut plies = 0;
    for chosen in moves {
        let next = game.play(chosen);
        let (value, depth) = next.result().map_or_else(|| judge.value(&next), |result| Some((result, 0)))?;
        // A win at once is no question.
        if depth == 0 && value * sign == 1 {
            return None;
        }
        plies = plies.max(depth + 1);
        values.push((G::text(chosen), (50 + 50 * i16::from(value * sign)) as u8));
    }
    let right = values.iter().map(|&(_, value)| value).max()?;
    if values.iter().all(|&(_, value)| value == right) {
        return None;
    }
    let kind = if plies <= tactical { Kind::Tactical } else { Kind::Quiet };
    Some(Position { kind, plies, line, values })
}
