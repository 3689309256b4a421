//! Plans for games that one plays alone.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use game::Describe;
use machine::{Limits, Target, Wanted};
use puzzle::{Clock, Options, Portfolio, Space};

use crate::{Error, Rules};

/// A plan.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Solution {
    /// The moves, as the rules spell them.
    pub moves: Vec<String>,
    /// The goal it reaches, from 0 to 100.
    pub score: u8,
    /// Whether no plan reaches more.
    pub is_proven: bool,
    /// Who found it.
    pub method: &'static str,
}

/// Looks for the best plan of a one-player game, by several methods side by side. Returns early if it is known to be
/// the best there is.
pub fn solve(rules: &Rules, time: Duration) -> Result<Solution, Error> {
    let begin = Instant::now();
    let limits = Limits { clock: &|| begin.elapsed(), time, ..Limits::generous() };
    let machine = machine::from_rules(rules.normal(), Wanted::Batch(Target::detect()), &limits)?;
    let batch = machine.lanes().ok_or(Error::NoPlan)?;
    let space = Arc::new(Space::new(Arc::clone(batch))?.merging(true));
    let portfolio = Portfolio::new(&space, Options::default());
    let clock: Clock = Arc::new(move || begin.elapsed());
    portfolio.work(time, &clock, &AtomicBool::new(false));
    let best = portfolio.best().ok_or(Error::NoPlan)?;
    let spelling = |&id| batch.move_spelling(id);
    Ok(Solution {
        moves: best.plan.moves.iter().map(spelling).collect(),
        score: best.plan.score.0,
        is_proven: portfolio.board().is_settled(),
        method: best.method,
    })
}
