//! Pieces: what stands on a cell, moves and can be taken, and what it is worth.
//!
//! Pairs of positions with one move between them show what pieces are. A shape has cells and contents if no state has
//! two facts that differ in one slot only: that slot is the content, the others are the cell. A content is a
//! piece if it is seen to go from one cell to another, and to vanish without coming anywhere. What pieces are worth is
//! learnt by regression on their numbers; what is lost with one is also measured directly, by the playouts before and
//! after it vanished, and the two have to agree in sign. A part of the positions is kept apart: a function that does not
//! foretell their scores better than a constant is not used.

use std::ops::Range;
use std::sync::Arc;

use game::{Describe, FactId, Job, Outcomes, PlayOptions, Simulator};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::features::{Expression, Slots};
use crate::function::{Counted, Function, Link, RoleFunction, Term};
use crate::learn::LearnError;
use crate::logistic::{Examples, Model, Row, logit};
use crate::positions::{Positions, SampleOptions, SequenceOptions};
use crate::statistics::{correlation, mean, variance};
use crate::vocabulary::{ConstantId, Constants, Kind, ShapeId, Vocabulary};

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

/// Cells that there are on a board at least.
const FEWEST_CELLS: usize = 4;

/// More kinds of contents than this are no pieces.
const MOST_KINDS: usize = 30;

/// One pair of positions in so many is kept apart.
const PARTS: usize = 4;

/// Positions that are played out in one call, between two looks at whether to go on.
const TOGETHER: usize = 256;

/// The atoms of a state.
type Atoms = Vec<(ShapeId, Constants)>;

/// Where contents stand: a shape, and which of its slots is the content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Board {
    shape: ShapeId,
    content: usize,
}

impl Board {
    /// The cell and the content of an atom, if it is of this board.
    fn read(&self, (shape, constants): &(ShapeId, Constants)) -> Option<(Constants, ConstantId)> {
        if *shape != self.shape {
            return None;
        }
        let mut cell = constants.clone();
        let content = cell.remove(self.content);
        Some((cell, content))
    }
}

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
        .map(|&(board, content)| states.iter().map(|atoms| count(atoms, board, content) as f64).collect())
        .collect();
    let pieces: Vec<Piece> = found
        .iter()
        .enumerate()
        .map(|(place, &(board, content))| {
            let arity = words.shape(board.shape).positions.len();
            let mut slots: Slots = (0..arity).map(|_| None).collect();
            slots[board.content] = Some(content);
            Piece {
                text: words.write(board.shape, &slots),
                expression: Expression { shape: board.shape, slots },
                at_start: count(&start, board, content),
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
    let explained: Vec<f64> = function
        .roles
        .iter()
        .zip(&scores)
        .map(|(role, scores)| {
            let said = |state: usize| function.link.value(role.sum(&pieces, &counts, state));
            explained_by(learnt..states.len(), said, scores)
        })
        .collect();
    if explained.iter().all(|part| *part <= 0.0) {
        return Err(LearnError::NoBetter);
    }
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

/// The contents of boards that move and are taken, in order. States come in pairs.
fn find(states: &[Atoms]) -> Vec<(Board, ConstantId)> {
    let mut found = Vec::new();
    for board in boards(states) {
        let (mut moving, mut taken) = (FxHashSet::default(), FxHashSet::default());
        let mut contents = FxHashSet::default();
        for pair in states.chunks(2) {
            let [before, after] = pair else { continue };
            let cells = |atoms: &Atoms| -> FxHashSet<(Constants, ConstantId)> {
                atoms.iter().filter_map(|atom| board.read(atom)).collect()
            };
            let (before, after) = (cells(before), cells(after));
            contents.extend(before.iter().map(|(_, content)| *content));
            let mut changes: FxHashMap<ConstantId, (usize, usize)> = FxHashMap::default();
            after.difference(&before).for_each(|(_, content)| changes.entry(*content).or_default().0 += 1);
            before.difference(&after).for_each(|(_, content)| changes.entry(*content).or_default().1 += 1);
            for (content, (came, went)) in changes {
                if came == 1 && went == 1 {
                    moving.insert(content);
                }
                if came == 0 && went == 1 {
                    taken.insert(content);
                }
            }
        }
        if contents.len() <= MOST_KINDS {
            let mut pieces: Vec<ConstantId> = moving.intersection(&taken).copied().collect();
            pieces.sort_unstable();
            found.extend(pieces.into_iter().map(|content| (board, content)));
        }
    }
    found
}

/// The boards of a game: of slots that could be the content the one with the fewest values is.
fn boards(states: &[Atoms]) -> Vec<Board> {
    let mut shapes: Vec<(ShapeId, usize)> =
        states.iter().flatten().map(|(shape, constants)| (*shape, constants.len())).collect();
    shapes.sort_unstable();
    shapes.dedup();
    let mut boards = Vec::new();
    for (shape, arity) in shapes.into_iter().filter(|(_, arity)| *arity >= 2) {
        let mut best: Option<(usize, Board)> = None;
        for content in 0..arity {
            let board = Board { shape, content };
            let (mut cells, mut contents) = (FxHashSet::default(), FxHashSet::default());
            let is_board = states.iter().all(|atoms| {
                let mut seen = FxHashSet::default();
                atoms.iter().filter_map(|atom| board.read(atom)).all(|(cell, content)| {
                    cells.insert(cell.clone());
                    contents.insert(content);
                    seen.insert(cell)
                })
            });
            let is_better = best.is_none_or(|(kinds, _)| contents.len() < kinds);
            if is_board && cells.len() >= FEWEST_CELLS && is_better {
                best = Some((contents.len(), board));
            }
        }
        boards.extend(best.map(|(_, board)| board));
    }
    boards
}

fn count(atoms: &Atoms, board: Board, content: ConstantId) -> usize {
    let fits = |atom: &&(ShapeId, Constants)| atom.0 == board.shape && atom.1[board.content] == content;
    atoms.iter().filter(fits).count()
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

/// A function that counts pieces. A weight whose sign the losses deny is left out.
fn function<G: Describe>(
    game: &G,
    vocabulary: Arc<Vocabulary>,
    pieces: &[Piece],
    counts: &[Vec<f64>],
    scores: &[Vec<f64>],
) -> Function {
    let states = scores.first().map_or(0, Vec::len);
    let row = |state: usize| -> Row {
        let own = (0..).zip(counts).map(|(place, counts)| (place, counts[state] as f32));
        own.filter(|(_, count)| *count != 0.0).collect()
    };
    let rows: Vec<Row> = (0..states).map(row).collect();
    let role = |(role, name): (usize, &String)| {
        let is_chance = game.chance().map(|chance| usize::from(chance.0)) == Some(role);
        if is_chance || variance(&scores[role]) == 0.0 {
            let constant = logit(mean(&scores[role]) / 100.0);
            return RoleFunction { role: name.clone(), terms: Vec::new(), constant };
        }
        let targets: Vec<f64> = scores[role].iter().map(|score| score / 100.0).collect();
        let examples = Examples {
            rows: &rows.iter().collect::<Vec<_>>(),
            targets: &targets,
            ridge: 1.0,
            goes_on: &|| true,
        };
        let model = examples.fit(Model::constant(pieces.len(), &targets));
        let terms = pieces.iter().zip(&model.weights).filter(|(piece, weight)| {
            // To lose what is worth something lowers the score.
            piece.losses[role].is_none_or(|(change, interval, _)| {
                change.abs() <= interval || (change < 0.0) == (**weight > 0.0)
            })
        });
        let term = |(piece, weight): (&Piece, &f64)| Term {
            counted: Counted { expression: piece.expression.clone(), less: None },
            weight: *weight,
            correlation: piece.correlations[role],
            stability: None,
        };
        RoleFunction { role: name.clone(), terms: terms.map(term).collect(), constant: model.constant }
    };
    Function { link: Link::Logistic, roles: game.roles().iter().enumerate().map(role).collect(), vocabulary }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(words: &mut Vocabulary, facts: &str) -> Atoms {
        facts.split(';').filter_map(|fact| words.read(Kind::Fact, fact)).collect()
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
        let names: Vec<&str> = found.iter().map(|(_, content)| words.name(*content)).collect();
        assert_eq!(names, ["knight", "pawn"], "a wall does not move, a step is on no board");
        assert_eq!(found[0].0.content, 2);
        assert_eq!(count(&states[2], found[0].0, found[1].1), 2);
    }

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
}
