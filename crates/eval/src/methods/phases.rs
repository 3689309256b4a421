//! Weights that depend on how far the game has come.
//!
//! How far that is has to be read off the state, as an evaluator is not told: it is what goes along most with the number
//! of moves made. Every expression is there twice, once as it is and once times the phase. The weights are kept only if
//! they predict positions that were not learnt from better than weights that are the same all the time.

use super::MethodRow;
use crate::counts::Counts;
use crate::learn::LearnError;
use crate::lesson::{Lesson, Taught, percent};
use crate::weighted::weigh;

pub(super) const ROW: MethodRow = MethodRow {
    name: "phases",
    source: "ours",
    help: "expressions of the rules, weighted by how far the game has come",
    learn,
};

fn learn(lesson: &Lesson<'_>) -> Result<Taught, LearnError> {
    let (positions, known, apart) = lesson.positions_and_states()?;
    let counts = Counts::new(lesson, &positions, &known)?;
    let same = weigh(lesson, Box::new(counts.clone()), &known, &apart);
    let phased = weigh(lesson, Box::new(counts.phased()), &known, &apart);
    let sum = |explained: &[f64]| explained.iter().sum::<f64>();
    let (weighted, explained, what) = match (same, phased) {
        (Ok((_, same)), Ok((weighted, explained))) if sum(&explained) > sum(&same) => {
            let what = format!(
                "weights by phase, which explain more than the same weights all the time ({})",
                percent(&same)
            );
            (weighted, explained, what)
        }
        (Ok((weighted, explained)), _) => (
            weighted,
            explained,
            "the same weights all the time, as weights by phase explain no more".to_owned(),
        ),
        (Err(_), Ok((weighted, explained))) => (weighted, explained, "weights by phase".to_owned()),
        (Err(error), Err(_)) => return Err(error),
    };
    let told =
        format!("{what}: {} of the scores of others, from {} positions", percent(&explained), known.len());
    Ok(Taught::knowledge(weighted, told, Some(&known), Some(explained)))
}
