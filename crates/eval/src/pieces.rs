//! Pieces: what stands on a cell, moves and can be taken, and what it is worth.
//!
//! Pairs of positions with one move between them show what pieces are. A content of a board (`boards`) is a
//! piece if it is seen to go from one cell to another, and to vanish without coming anywhere. What pieces are worth is
//! learnt by regression on their numbers; what is lost with one is also measured directly, by the playouts before and
//! after it vanished, and the two have to agree in sign. A part of the positions is kept apart: a function that does not
//! foretell their scores better than a constant is not used.

use std::ops::Range;
use std::sync::Arc;

use game::{Describe, FactId, Job, Outcomes, PlayOptions, Simulator};
use rustc_hash::FxHashMap;

use crate::boards::{Atoms, find};
use crate::features::{Expression, Slots};
use crate::function::{Counted, Function, Link, RoleFunction, Term};
use crate::learn::LearnError;
use crate::logistic::{Examples, Model, Row, logit};
use crate::positions::{Positions, SampleOptions, SequenceOptions};
use crate::statistics::{correlation, mean, variance};
use crate::vocabulary::{Constants, Kind, ShapeId, Vocabulary};

/// How pieces are looked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PieceOptions {
    /// Pairs of positions.
    pub pairs: usize,
    /// Playouts from each position.
    pub playouts: u32,
    /// The same seed finds the same.
    pub seed: u64,
}

impl Default for PieceOptions {
    fn default() -> Self {
        Self { pairs: 2_000, playouts: 8, seed: 1 }
    }
}

/// A piece.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// What counts it.
    pub expression: Expression,
    /// As it is written: `cell(?,?,wp)`.
    pub text: String,
    /// How many there are at the beginning.
    pub at_start: usize,
    /// For each role: how its mean score changes when one is lost, half the width of the 95% interval, and in how many
    /// pairs that was seen; `None` if it was not seen twice.
    pub losses: Vec<Option<(f64, f64, usize)>>,
    /// For each role: the correlation of their number with its score.
    pub correlations: Vec<f64>,
}

/// One pair of positions in so many is kept apart.
const PARTS: usize = 4;

/// Positions that are played out in one call, between two looks at whether to go on.
const TOGETHER: usize = 256;

/// What was learnt of pieces.
#[derive(Clone, Debug)]
pub struct LearntPieces {
    /// Counts them.
    pub function: Function,
    /// All of them.
    pub pieces: Vec<Piece>,
    /// How far the function explains the scores of positions that it was not learnt from, role by role.
    pub explained: Vec<f64>,
}

/// Finds the pieces of a game and a function that counts them.
pub fn learn_pieces<G: Simulator + Describe>(
    game: &G,
    options: &PieceOptions,
    goes_on: &dyn Fn() -> bool,
) -> Result<LearntPieces, LearnError> {
    let sample = SampleOptions {
        sequences: options.pairs,
        sequence: SequenceOptions { least: 2, most: 2, gap: 1 },
        playouts: 1,
        seed: options.seed,
        ..SampleOptions::default()
    };
    let sampled = Positions::sample(game, &mut game.workspace(), &sample, goes_on)?;
    let positions = sampled.ok_or(LearnError::Stopped)?;
    if positions.sequences.is_empty() {
        return Err(LearnError::NoPositions);
    }
    let mut words = Vocabulary::default();
    let mut known: FxHashMap<FactId, Option<(ShapeId, Constants)>> = FxHashMap::default();
    let mut facts = Vec::new();
    let mut read = |state: &G::State| -> Atoms {
        game.list_facts(state, &mut facts);
        let mut atom = |&fact: &FactId| {
            known.entry(fact).or_insert_with(|| words.read(Kind::Fact, &game.fact_text(fact))).clone()
        };
        facts.iter().filter_map(&mut atom).collect()
    };
    let start = read(&game.initial());
    let states: Vec<Atoms> = positions.states.iter().map(&mut read).collect();
    let found = find(&states);
    if found.is_empty() {
        return Err(LearnError::NoPieces);
    }
    let scores = score(game, &positions, options, goes_on)?;
    if scores.iter().all(|scores| variance(scores) == 0.0) {
        return Err(LearnError::ConstantScores);
    }
    let counts: Vec<Vec<f64>> = found
        .iter()
        .map(|(board, content)| states.iter().map(|atoms| board.count(atoms, content) as f64).collect())
        .collect();
    let pieces: Vec<Piece> = found
        .iter()
        .enumerate()
        .map(|(place, (board, content))| {
            let arity = words.shape(board.shape).positions.len();
            let mut slots: Slots = (0..arity).map(|_| None).collect();
            board.content.iter().zip(content).for_each(|(&slot, &constant)| slots[slot] = Some(constant));
            Piece {
                text: words.write(board.shape, &slots),
                expression: Expression { shape: board.shape, slots },
                at_start: board.count(&start, content),
                losses: scores.iter().map(|scores| loss(&counts, place, scores)).collect(),
                correlations: scores.iter().map(|scores| correlation(&counts[place], scores)).collect(),
            }
        })
        .collect();
    let apart = states.len() / 2 / PARTS * 2;
    let learnt = states.len() - apart;
    let first =
        |rows: &[Vec<f64>]| -> Vec<Vec<f64>> { rows.iter().map(|row| row[..learnt].to_vec()).collect() };
    let function = function(game, Arc::new(words), &pieces, &first(&counts), &first(&scores));
    if function.is_constant() {
        return Err(LearnError::NothingFound);
    }
    let explained = |function: &Function| -> Vec<f64> {
        let roles = function.roles.iter().zip(&scores);
        let of = |(role, scores): (&RoleFunction, &Vec<f64>)| {
            let said = |state: usize| function.link.value(role.sum(&pieces, &counts, state));
            explained_by(learnt..states.len(), said, scores)
        };
        roles.map(of).collect()
    };
    let of_all = explained(&function);
    let means: Vec<f64> = scores.iter().map(|scores| mean(&scores[..learnt])).collect();
    let function = function.accepted(&of_all, &means)?;
    let explained = explained(&function);
    Ok(LearntPieces { function, pieces, explained })
}

impl RoleFunction {
    /// What is summed up of the numbers of pieces in a state.
    fn sum(&self, pieces: &[Piece], counts: &[Vec<f64>], state: usize) -> f64 {
        let count = |term: &Term| {
            let place = pieces.iter().position(|piece| piece.expression == term.counted.expression);
            place.map_or(0.0, |place| counts[place][state])
        };
        self.constant + self.terms.iter().map(|term| term.weight * count(term)).sum::<f64>()
    }
}

/// How far what is said of some states explains their scores: 0 is no better than the mean, 1 is all there is.
fn explained_by(states: Range<usize>, said: impl Fn(usize) -> f64, scores: &[f64]) -> f64 {
    let errors: f64 = states.clone().map(|state| (100.0 * said(state) - scores[state]).powi(2)).sum();
    let all = variance(&scores[states.clone()]) * states.len() as f64;
    if all > 0.0 { 1.0 - errors / all } else { 0.0 }
}

/// The mean scores of playouts from every position, role by role.
fn score<G: Simulator>(
    game: &G,
    positions: &Positions<G::State>,
    options: &PieceOptions,
    goes_on: &dyn Fn() -> bool,
) -> Result<Vec<Vec<f64>>, LearnError> {
    let playouts = options.playouts.max(1);
    let (mut workspace, mut outcomes) = (game.workspace(), Outcomes::default());
    let mut scores = vec![Vec::with_capacity(positions.states.len()); game.role_count()];
    for (seed, states) in (options.seed.wrapping_add(2)..).zip(positions.states.chunks(TOGETHER)) {
        if !goes_on() {
            return Err(LearnError::Stopped);
        }
        let jobs: Vec<Job<'_, G::State>> = states.iter().map(|state| Job::new(state, playouts)).collect();
        let play = PlayOptions { seed, most_steps: 2_000, ..PlayOptions::default() };
        game.play(&mut workspace, &jobs, &play, &mut outcomes)?;
        for state in 0..states.len() {
            let own = state * playouts as usize..(state + 1) * playouts as usize;
            for (role, scores) in scores.iter_mut().enumerate() {
                let goals = own.clone().map(|playout| f64::from(outcomes.goals(playout)[role].0));
                scores.push(goals.sum::<f64>() / f64::from(playouts));
            }
        }
    }
    Ok(scores)
}

/// How a score changes when one piece of a kind is lost and nothing else is: the mean, half the width of its interval,
/// and how often it was seen.
fn loss(counts: &[Vec<f64>], place: usize, scores: &[f64]) -> Option<(f64, f64, usize)> {
    let changes: Vec<f64> = (0..scores.len() / 2)
        .map(|pair| (2 * pair, 2 * pair + 1))
        .filter(|&(before, after)| {
            counts.iter().enumerate().all(|(kind, counts)| {
                let lost = if kind == place { 1.0 } else { 0.0 };
                counts[before] - counts[after] == lost
            })
        })
        .map(|(before, after)| scores[after] - scores[before])
        .collect();
    let seen = changes.len();
    let error = (variance(&changes) / seen.max(1) as f64).sqrt();
    (seen >= 2).then(|| (mean(&changes), 1.96 * error, seen))
}

/// A function that counts pieces.
fn function<G: Describe>(
    game: &G,
    vocabulary: Arc<Vocabulary>,
    pieces: &[Piece],
    counts: &[Vec<f64>],
    scores: &[Vec<f64>],
) -> Function {
    let role = |(role, name): (usize, &String)| {
        let is_chance = game.chance().map(|chance| usize::from(chance.0)) == Some(role);
        if is_chance || variance(&scores[role]) == 0.0 {
            let constant = logit(mean(&scores[role]) / 100.0);
            return RoleFunction { role: name.clone(), terms: Vec::new(), constant };
        }
        let losses: Vec<Option<(f64, f64, usize)>> = pieces.iter().map(|piece| piece.losses[role]).collect();
        let (model, kept) = fit(counts, &scores[role], &losses);
        let term = |(place, piece): (usize, &Piece)| Term {
            counted: Counted { expression: piece.expression.clone(), less: None },
            weight: model.weights[place],
            correlation: piece.correlations[role],
            stability: None,
        };
        let terms = pieces.iter().enumerate().filter(|(place, _)| kept[*place]).map(term).collect();
        RoleFunction { role: name.clone(), terms, constant: model.constant }
    };
    Function { link: Link::Logistic, roles: game.roles().iter().enumerate().map(role).collect(), vocabulary }
}

/// The weights of numbers of pieces, and which of them count. A weight whose sign the losses deny is left out, the one
/// that is denied most clearly first, and what is left is fitted anew: it has to make up for what is gone.
fn fit(counts: &[Vec<f64>], scores: &[f64], losses: &[Option<(f64, f64, usize)>]) -> (Model, Vec<bool>) {
    let targets: Vec<f64> = scores.iter().map(|score| score / 100.0).collect();
    let mut kept = vec![true; counts.len()];
    loop {
        let row = |state: usize| -> Row {
            let own = (0..).zip(counts).zip(&kept).filter(|(_, is_kept)| **is_kept);
            let own = own.map(|((place, counts), _)| (place, counts[state] as f32));
            own.filter(|(_, count)| *count != 0.0).collect()
        };
        let rows: Vec<Row> = (0..scores.len()).map(row).collect();
        let rows: Vec<&Row> = rows.iter().collect();
        let examples = Examples { rows: &rows, targets: &targets, ridge: 1.0, goes_on: &|| true };
        let model = examples.fit(Model::constant(counts.len(), &targets));
        // To lose what is worth something lowers the score.
        let denied = |place: &usize| {
            let (change, interval, _) = losses[*place]?;
            let is_denied = change.abs() > interval && (change < 0.0) != (model.weights[*place] > 0.0);
            is_denied.then(|| change.abs() / interval.max(f64::MIN_POSITIVE))
        };
        let places = (0..counts.len()).filter(|&place| kept[place]);
        let worst = places
            .filter_map(|place| denied(&place).map(|clearness| (clearness, place)))
            .max_by(|one, other| one.0.total_cmp(&other.0));
        match worst {
            Some((_, place)) => kept[place] = false,
            None => return (model, kept),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_lost_with_a_piece_by_hand() {
        // Three pairs; in the first and the last one of the first kind is lost and nothing else.
        let counts = [vec![2.0, 1.0, 3.0, 2.0, 2.0, 1.0], vec![1.0, 1.0, 1.0, 0.0, 0.0, 0.0]];
        let scores = [60.0, 40.0, 50.0, 10.0, 70.0, 60.0];
        let (change, interval, seen) = loss(&counts, 0, &scores).expect("seen twice");
        assert_eq!((change, seen), (-15.0, 2));
        // The variance of -20 and -10 is 25.
        assert!((interval - 1.96 * 12.5f64.sqrt()).abs() < 1e-9);
        assert_eq!(loss(&counts, 1, &scores), None);
    }

    #[test]
    fn what_is_explained_by_hand() {
        // The last two of three states: scores 40 and 60 around 50, said to be 45 and 60. 1 - 25 / 200.
        let said = [0.0, 0.45, 0.6];
        let found = explained_by(1..3, |state| said[state], &[99.0, 40.0, 60.0]);
        assert!((found - 0.875).abs() < 1e-12);
        assert_eq!(explained_by(1..3, |_| 0.5, &[99.0, 50.0, 50.0]), 0.0, "there is nothing to explain");
    }

    #[test]
    fn what_is_left_is_fitted_anew() {
        // Two kinds that mostly come together: what the second is worth is all that the first seems to be, and losses of the
        // second say the opposite of its weight.
        let counts =
            [vec![0.0, 1.0, 2.0, 3.0, 0.0, 1.0, 2.0, 3.0], vec![1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0]];
        let scores = [80.0, 20.0, 90.0, 30.0, 80.0, 20.0, 90.0, 30.0];
        let denied = [None, Some((20.0, 1.0, 5))];
        let (model, kept) = fit(&counts, &scores, &denied);
        assert_eq!(kept, [true, false]);
        let alone = fit(&counts[..1], &scores, &[None]).0;
        assert!((model.weights[0] - alone.weights[0]).abs() < 1e-6, "{model:?} {alone:?}");
        assert!((model.constant - alone.constant).abs() < 1e-6 && model.weights[1] == 0.0);
    }
}
