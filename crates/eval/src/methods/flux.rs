//! The evaluation of FluxPlayer: how far the goals of a role hold, by fuzzy logic.

use super::MethodRow;
use crate::acceptance::Accepted;
use crate::formula::Formulas;
use crate::fuzzy::{FLUX, Norms, Values, words};
use crate::knowledge::{Group, Knowledge, Learner, TOGETHER};
use crate::learn::LearnError;
use crate::lesson::{Lesson, Taught, percent};
use crate::weighted::{self, Source};
use game::Describe;
use std::sync::Arc;

pub(super) const ROW: MethodRow = MethodRow {
    name: "flux",
    source: "Schiffel and Thielscher 2007",
    help: "how far the goals of a role hold, by the t-norms and s-norms of FluxPlayer",
    derived: false,
    learn,
};

/// Formulas of more parts than this take too long in every state.
pub(crate) const MOST_PARTS: usize = 8_000;

/// The goals of a game and the norms.
pub(crate) struct Flux {
    pub(crate) formulas: Formulas,
    pub(crate) norms: Norms,
}

/// The formulas of a game, if they are not too large.
pub(crate) fn formulas(lesson: &Lesson<'_>, most_parts: usize) -> Result<Formulas, LearnError> {
    let rules = lesson.rules()?;
    let formulas = lesson.ground(|budget| Formulas::new(rules, most_parts, budget))?;
    let formulas = formulas
        .ok_or_else(|| LearnError::TooLarge(format!("the goals have more than {most_parts} parts")))?;
    if formulas.facts.is_empty() {
        return Err(LearnError::NoFeatures);
    }
    Ok(formulas)
}

fn learn(lesson: &Lesson<'_>) -> Result<Taught, LearnError> {
    let formulas = formulas(lesson, MOST_PARTS)?;
    let told = format!("goals of {} parts by fuzzy logic", formulas.parts.len());
    calibrate(lesson, Arc::new(Flux { formulas, norms: FLUX }), &told)
}

/// How far goals hold has no scale of its own: what it says of scores is learnt, and it is used if it says something. As it
/// was published it is only looked at.
pub(crate) fn calibrate(
    lesson: &Lesson<'_>,
    knowledge: Arc<dyn Knowledge>,
    what: &str,
) -> Result<Taught, LearnError> {
    let roles = lesson.game.roles();
    let names = roles.iter().map(|role| format!("how far the goals of {role} hold")).collect();
    let source = Degrees { names, knowledge: Arc::clone(&knowledge) };
    let used = weighted::learn(lesson, Box::new(source), what);
    if !lesson.published {
        return used;
    }
    let of_use = match used {
        Ok(used) => format!("engines use it with weights: {}", used.told),
        Err(LearnError::NoBetter) => "it foretells nothing, and engines do not use it".to_owned(),
        Err(error) => format!("engines do not use it: {error}"),
    };
    let apart = lesson.positions_to_choose_by()?;
    let explained = apart.explained(&*knowledge);
    let told = format!("{what} explain {} of scores as published; {of_use}", percent(&explained));
    Ok(Taught::knowledge(Accepted { knowledge, explained }, told, &apart))
}

/// How far the goals of each role hold, as features.
struct Degrees {
    names: Vec<String>,
    knowledge: Arc<dyn Knowledge>,
}

impl Source for Degrees {
    fn facts(&self) -> &[String] {
        self.knowledge.facts()
    }

    fn wants_moves(&self) -> bool {
        self.knowledge.wants_moves()
    }

    fn names(&self) -> &[String] {
        &self.names
    }

    fn read(&self, group: &Group<'_>, out: &mut [f32]) {
        let roles = self.names.len();
        let mut values = vec![0.0; roles * group.states];
        self.knowledge.judge(group, &mut values);
        for (role, room) in out.chunks_mut(TOGETHER).enumerate() {
            let own = values.iter().skip(role).step_by(roles);
            room.iter_mut().zip(own).for_each(|(room, value)| *room = *value as f32);
        }
    }
}

impl Knowledge for Flux {
    fn facts(&self) -> &[String] {
        &self.formulas.facts
    }

    fn wants_moves(&self) -> bool {
        false
    }

    fn judge(&self, group: &Group<'_>, out: &mut [f64]) {
        let roles = self.formulas.goals.len();
        let mut known: Vec<Values> = Vec::with_capacity(self.formulas.parts.len());
        for (word, states) in words(group) {
            let fact = |fact: usize, values: &mut Values| {
                self.norms.of_bits(group.facts[fact][word], values);
            };
            self.norms.evaluate(&self.formulas, fact, &mut known);
            for role in 0..roles {
                let values = self.norms.goals(&self.formulas, role, &known);
                for (state, value) in states.clone().zip(values) {
                    out[state * roles + role] = f64::from(value);
                }
            }
        }
    }

    fn learner(&self) -> Option<&dyn Learner> {
        None
    }

    fn lines(&self) -> Vec<String> {
        let Norms { p, q, t } = self.norms;
        let mut lines = vec![format!(
            "goals of {} parts over {} facts; p = {p}, q = {q}, t = {t}",
            self.formulas.parts.len(),
            self.formulas.facts.len()
        )];
        for (role, goals) in self.formulas.goals.iter().enumerate() {
            let goals: Vec<String> = goals.iter().map(|goal| goal.0.to_string()).collect();
            lines.push(format!("role {}: goals {}", role + 1, goals.join(", ")));
        }
        lines
    }
}
