//! What is learnt is used only as far as it foretells: one rule for all methods.

use std::sync::Arc;

use crate::function::{Function, Link};
use crate::knowledge::{Group, Knowledge, Learner};
use crate::learn::LearnError;
use crate::logistic::logit;
use crate::sample::Sample;
use crate::statistics::mean;

/// The part of what there is to explain of the scores of positions kept apart that has to be explained.
pub(crate) const LEAST_EXPLAINED: f64 = 0.01;

/// The roles whose values foretell scores of positions kept apart, by what is explained of each; an error if there is
/// none. What the others are worth is to be their mean score.
pub(crate) fn foretold(explained: &[f64]) -> Result<Vec<bool>, LearnError> {
    let is_foretold: Vec<bool> = explained.iter().map(|part| *part >= LEAST_EXPLAINED).collect();
    if is_foretold.contains(&true) { Ok(is_foretold) } else { Err(LearnError::NoBetter) }
}

/// Knowledge as far as it may be used, and what it explains.
pub(crate) struct Accepted {
    pub(crate) knowledge: Arc<dyn Knowledge>,
    pub(crate) explained: Vec<f64>,
}

/// Judges knowledge that was learnt from some positions by others.
pub(crate) fn accept(
    knowledge: Arc<dyn Knowledge>,
    known: &Sample,
    apart: &Sample,
) -> Result<Accepted, LearnError> {
    let explained = apart.explained(&*knowledge);
    let is_foretold = foretold(&explained)?;
    if !is_foretold.contains(&false) {
        return Ok(Accepted { knowledge, explained });
    }
    let levels = known.scores.iter().zip(is_foretold);
    let levels = levels.map(|(scores, is_foretold)| (!is_foretold).then(|| mean(scores))).collect();
    let levelled = Levelled { knowledge, roles: known.roles.clone(), levels };
    let explained = apart.explained(&levelled);
    Ok(Accepted { knowledge: Arc::new(levelled), explained })
}

impl Function {
    /// The same for the roles that it foretells, by what it explains of each, and mean goals for the others.
    pub(crate) fn accepted(mut self, explained: &[f64], means: &[f64]) -> Result<Self, LearnError> {
        for ((role, is_foretold), mean) in self.roles.iter_mut().zip(foretold(explained)?).zip(means) {
            if !is_foretold {
                role.terms.clear();
                role.constant = match self.link {
                    Link::Logistic => logit(mean / 100.0),
                    Link::Goals => *mean,
                };
            }
        }
        Ok(self)
    }
}

/// Knowledge that says nothing of some roles.
struct Levelled {
    knowledge: Arc<dyn Knowledge>,
    roles: Vec<String>,
    /// For each role what it has in every state, if nothing is foretold of it.
    levels: Vec<Option<f64>>,
}

impl Knowledge for Levelled {
    fn facts(&self) -> &[String] {
        self.knowledge.facts()
    }

    fn wants_moves(&self) -> bool {
        self.knowledge.wants_moves()
    }

    fn judge(&self, group: &Group<'_>, out: &mut [f64]) {
        self.knowledge.judge(group, out);
        for values in out.chunks_mut(self.levels.len()) {
            for (value, level) in values.iter_mut().zip(&self.levels) {
                *value = level.unwrap_or(*value);
            }
        }
    }

    fn learner(&self) -> Option<&dyn Learner> {
        self.knowledge.learner()
    }

    fn lines(&self) -> Vec<String> {
        let level = |(role, level): (&String, &Option<f64>)| {
            level.map(|level| {
                format!("{role}: {:.0} in every state, as nothing is foretold of it", 100.0 * level)
            })
        };
        let mut lines: Vec<String> = self.roles.iter().zip(&self.levels).filter_map(level).collect();
        lines.extend(self.knowledge.lines());
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::Columns;

    /// Says that whoever has the fact is sure to win, and so is the other one.
    struct Sure(Vec<String>);

    impl Knowledge for Sure {
        fn facts(&self) -> &[String] {
            &self.0
        }

        fn wants_moves(&self) -> bool {
            false
        }

        fn judge(&self, group: &Group<'_>, out: &mut [f64]) {
            for (state, values) in out.chunks_mut(2).enumerate() {
                values.fill(f64::from(u8::from(group.has(0, state))));
            }
        }

        fn learner(&self) -> Option<&dyn Learner> {
            None
        }

        fn lines(&self) -> Vec<String> {
            vec!["sure".to_owned()]
        }
    }

    fn sample(scores: [Vec<f64>; 2]) -> Sample {
        let mut columns = Columns::new(2);
        let atom = columns.atom(0);
        columns.set(atom, 0);
        Sample {
            facts: vec!["a".to_owned()],
            columns,
            scores: scores.to_vec(),
            moves: vec![1; 4],
            depths: vec![0; 2],
            length: 1.0,
            roles: vec!["you".to_owned(), "me".to_owned()],
            chance: None,
        }
    }

    #[test]
    fn roles_of_which_nothing_is_foretold_have_their_mean() {
        let sure = || Arc::new(Sure(vec!["a".to_owned()]));
        let half = sample([vec![1.0, 0.0], vec![0.25, 0.75]]);
        let Accepted { knowledge, explained } = accept(sure(), &half, &half).expect("one is foretold");
        assert_eq!(half.judge(&*knowledge), [1.0, 0.5, 0.0, 0.5]);
        assert_eq!(explained, [1.0, 0.0]);
        assert_eq!(knowledge.lines(), ["me: 50 in every state, as nothing is foretold of it", "sure"]);
        let whole = sample([vec![1.0, 0.0], vec![1.0, 0.0]]);
        assert_eq!(
            whole.judge(&*accept(sure(), &whole, &whole).expect("both are").knowledge),
            [1.0, 1.0, 0.0, 0.0]
        );
        let none = sample([vec![0.0, 1.0], vec![0.25, 0.75]]);
        assert_eq!(accept(sure(), &none, &none).err(), Some(LearnError::NoBetter));
        assert_eq!(foretold(&[0.009, 0.01]), Ok(vec![false, true]));
    }
}
