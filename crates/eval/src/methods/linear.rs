//! Weighted sums of features: the paper's, by regression, of pieces, and the constant.

use std::sync::Arc;

use game::Describe;

use super::MethodRow;
use crate::function::Function;
use crate::learn::{LearnError, LearnOptions, Report, learn};
use crate::lesson::{Judgement, Lesson, Taught, percent};
use crate::pieces::{LearntPieces, PieceOptions, learn_pieces};
use crate::positions::SampleOptions;
use crate::regression::{RegressionOptions, learn_by_regression};

const PAPER_SOURCE: &str = "Walędzik and Mańdziuk 2014";

pub(super) const NULL: MethodRow = MethodRow {
    name: "null",
    source: PAPER_SOURCE,
    help: "every state is a draw: the null heuristic",
    derived: false,
    learn: null,
};

pub(super) const PAPER: MethodRow = MethodRow {
    name: "paper",
    source: PAPER_SOURCE,
    help: "expressions of the rules, weighted by correlation times stability",
    derived: true,
    learn: paper,
};

pub(super) const REGRESSION: MethodRow = MethodRow {
    name: "regression",
    source: "ours",
    help: "the same expressions, weighted by logistic regression over many more positions",
    derived: true,
    learn: regression,
};

pub(super) const PIECES: MethodRow = MethodRow {
    name: "pieces",
    source: "ours",
    help: "the numbers of what is seen to move and to be taken, by regression",
    derived: false,
    learn: pieces,
};

fn null(lesson: &Lesson<'_>) -> Result<Taught, LearnError> {
    Ok(Taught {
        judgement: Judgement::Function(Arc::new(Function::constant(lesson.game.roles(), 0.5))),
        told: "every state counts as a draw".to_owned(),
        report: Report::default(),
        explained: None,
    })
}

fn paper(lesson: &Lesson<'_>) -> Result<Taught, LearnError> {
    let usual = SampleOptions::default();
    let sample = SampleOptions {
        seed: lesson.seed,
        sequences: lesson.samples.unwrap_or(usual.sequences),
        sequence: lesson.sequence,
        playouts: lesson.playouts.unwrap_or(usual.playouts),
        ..usual
    };
    let options = LearnOptions { sample, limits: lesson.limits, paper: lesson.paper };
    let learnt = learn(&*lesson.game, lesson.rules()?, lesson.derived, &options, lesson.goes_on)?;
    let told = format!("a sum of the best of {} features", learnt.report.candidates);
    Ok(Taught {
        judgement: Judgement::Function(learnt.function),
        told,
        report: learnt.report,
        explained: None,
    })
}

fn regression(lesson: &Lesson<'_>) -> Result<Taught, LearnError> {
    let usual = RegressionOptions::default();
    let options = RegressionOptions {
        seed: lesson.seed,
        positions: lesson.samples.unwrap_or(usual.positions),
        playouts: lesson.playouts.unwrap_or(usual.playouts),
        limits: lesson.limits,
        ..usual
    };
    let (learnt, explained) =
        learn_by_regression(&lesson.game, lesson.rules()?, lesson.derived, &options, lesson.goes_on)?;
    let told = format!(
        "a regression over {} positions explains {} of the scores of others",
        learnt.report.positions,
        percent(&explained)
    );
    Ok(Taught {
        judgement: Judgement::Function(learnt.function),
        told,
        report: learnt.report,
        explained: Some(explained),
    })
}

fn pieces(lesson: &Lesson<'_>) -> Result<Taught, LearnError> {
    let usual = PieceOptions::default();
    let options = PieceOptions {
        seed: lesson.seed,
        pairs: lesson.samples.unwrap_or(usual.pairs),
        playouts: lesson.playouts.unwrap_or(usual.playouts),
    };
    let LearntPieces { function, pieces, explained } = learn_pieces(&*lesson.game, &options, lesson.goes_on)?;
    let names: Vec<&str> = pieces.iter().map(|piece| piece.text.as_str()).collect();
    let report = Report {
        candidates: pieces.len(),
        expressions: pieces.len(),
        positions: 2 * options.pairs,
        sequences: options.pairs,
        ..Report::default()
    };
    Ok(Taught {
        told: format!(
            "the numbers of {} explain {} of the scores of positions",
            names.join(", "),
            percent(&explained)
        ),
        judgement: Judgement::Function(Arc::new(function)),
        report,
        explained: Some(explained),
    })
}
