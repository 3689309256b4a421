//! Weights that depend on how far the game has come.
//!
//! How far that is has to be read off the state, as an evaluator is not told: it is what goes along most with the number
//! of moves made. Every expression is there twice, once as it is and once times the phase. The weights are kept only if
//! they predict positions that were not learnt from better than weights that are the same all the time.

use super::MethodRow;
use crate::acceptance::accept;
use crate::counts::Counts;
use crate::learn::LearnError;
use crate::lesson::{Lesson, Taught, percent};
use crate::weighted::weigh;
use std::sync::Arc;

pub(super) const ROW: MethodRow = MethodRow {
    name: "phases",
    source: "ours",
    help: "expressions of the rules, weighted by how far the game has come",
    derived: false,
    learn,
};

fn learn(lesson: &Lesson<'_>) -> Result<Taught, LearnError> {
    let (positions, known, apart) = lesson.positions_and_states()?;
    let counts = Counts::new(lesson, &positions, &known)?;
    let (same, phased) = (counts.clone(), counts.phased());
    let same = weigh(lesson, Box::new(same), &known)?;
    let phased = weigh(lesson, Box::new(phased), &known)?;
    let judges = lesson.positions_to_choose_by()?;
    let (of_same, of_phased) = (judges.explained(&same), judges.explained(&phased));
    let sum = |explained: &[f64]| explained.iter().sum::<f64>();
    let (weighted, what) = if sum(&of_phased) > sum(&of_same) {
        let what = format!(
            "weights by phase, which explain {} where the same weights all the time explain {}",
            percent(&of_phased),
            percent(&of_same)
        );
        (phased, what)
    } else {
        (same, "the same weights all the time, as weights by phase explain no more".to_owned())
    };
    let accepted = accept(Arc::new(weighted), &known, &apart)?;
    let told = format!(
        "{what}: {} of the scores of others, from {} positions",
        percent(&accepted.explained),
        known.len()
    );
    Ok(Taught::knowledge(accepted, told, &known))
}
