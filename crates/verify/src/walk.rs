//! The differential walk: two machines play the same random games in lock-step and every answer
//! is compared, by sets and states.

use game::{Describe, Dice, Expansion, MoveId, RuleFault};

use crate::PlayoutLimits;
use crate::trace::percept_texts;

/// The first place where two machines differ.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("playout {playout}, step {step}: {what}\n  first:  {first}\n  second: {second}")]
pub struct Difference {
    /// Which playout.
    pub playout: u64,
    /// After how many joint moves.
    pub step: usize,
    /// What differs: `state`, `terminal`, `roles`, `legal moves of ..`, `spelling of ..`, `goals`, `percepts of ..`,
    /// `fault`.
    pub what: String,
    /// The first machine's answer.
    pub first: String,
    /// The second machine's answer.
    pub second: String,
}

/// What a walk without differences has covered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WalkReport {
    /// Playouts walked.
    pub playouts: u64,
    /// States compared.
    pub states: u64,
}

/// Walks both machines through `playouts` seeded playouts and compares states, terminality, legal
/// moves, goals (in every state) and percepts by their texts, and how roles and moves are spelled. A fault must be met by both.
pub fn walk<A: Describe, B: Describe>(
    first: &A,
    second: &B,
    playouts: u64,
    seed: u64,
    limits: PlayoutLimits,
) -> Result<WalkReport, Difference> {
    let mut report = WalkReport::default();
    let mut sides = (Side::new(first), Side::new(second));
    for playout in 0..playouts {
        let mut dice = Dice::stream(seed, playout);
        let mut states = (first.initial(), second.initial());
        for step in 0..=limits.steps {
            let difference = |what: &str, first, second| Difference {
                playout,
                step,
                what: what.to_owned(),
                first,
                second,
            };
            report.states += 1;
            let looks = (sides.0.look(&states.0), sides.1.look(&states.1));
            let (one, two) = match looks {
                (Ok(one), Ok(two)) => (one, two),
                (Err(_), Err(_)) => break,
                (one, two) => return Err(difference("fault", outcome(&one), outcome(&two))),
            };
            one.compare(&two).map_err(|(what, first, second)| difference(&what, first, second))?;
            if sides.0.expansion.is_terminal() || sides.0.expansion.stuck_role().is_some() {
                break;
            }
            let choices: Vec<usize> =
                sides.0.expansion.by_role().map(|legal| dice.below(legal.len())).collect();
            match (sides.0.step(&states.0, &choices), sides.1.step(&states.1, &choices)) {
                (Ok(one), Ok(two)) => {
                    compare_percepts(&one.1, &two.1, first.roles())
                        .map_err(|(what, first, second)| difference(&what, first, second))?;
                    states = (one.0, two.0);
                }
                (Err(_), Err(_)) => break,
                (one, two) => return Err(difference("fault", outcome(&one), outcome(&two))),
            }
        }
        report.playouts += 1;
    }
    Ok(report)
}

fn outcome<T>(result: &Result<T, RuleFault>) -> String {
    match result {
        Ok(_) => "no fault".to_owned(),
        Err(fault) => fault.to_string(),
    }
}

/// One machine with its scratch space.
struct Side<'a, G: Describe> {
    game: &'a G,
    workspace: G::Workspace,
    expansion: Expansion,
}

/// All answers about one state, as text.
struct Look {
    facts: Vec<String>,
    terminal: bool,
    legal: Vec<Vec<String>>,
    spellings: Vec<Vec<String>>,
    goals: String,
    roles: Vec<String>,
}

impl<'a, G: Describe> Side<'a, G> {
    fn new(game: &'a G) -> Self {
        Self { game, workspace: game.workspace(), expansion: Expansion::new() }
    }

    fn look(&mut self, state: &G::State) -> Result<Look, RuleFault> {
        let mut goals = Vec::new();
        self.game.expand(&mut self.workspace, state, &mut self.expansion)?;
        self.game.goals(&mut self.workspace, state, &mut goals)?;
        let text = |legal: &[MoveId]| legal.iter().map(|&id| self.game.move_text(id)).collect();
        let spelling = |legal: &[MoveId]| legal.iter().map(|&id| self.game.move_spelling(id)).collect();
        Ok(Look {
            facts: self.game.facts(state),
            terminal: self.expansion.is_terminal(),
            legal: self.expansion.by_role().map(text).collect(),
            spellings: self.expansion.by_role().map(spelling).collect(),
            goals: format!("{goals:?}"),
            roles: self.game.role_ids().map(|role| self.game.role_spelling(role)).collect(),
        })
    }

    /// The successor, and what each role is told.
    fn step(
        &mut self,
        state: &G::State,
        choices: &[usize],
    ) -> Result<(G::State, Vec<Vec<String>>), RuleFault> {
        let joint: Vec<MoveId> =
            self.expansion.by_role().zip(choices).map(|(legal, &choice)| legal[choice]).collect();
        let next = self.game.apply(&mut self.workspace, state, &joint)?;
        let mut told = Vec::new();
        if self.game.has_percepts() {
            for role in self.game.role_ids() {
                told.push(percept_texts(self.game, &mut self.workspace, state, &joint, role)?);
            }
        }
        Ok((next, told))
    }
}

fn compare_percepts(
    one: &[Vec<String>],
    two: &[Vec<String>],
    roles: &[String],
) -> Result<(), (String, String, String)> {
    if one.len() != two.len() {
        let text = |told: &[Vec<String>]| format!("{} roles are told something", told.len());
        return Err(("percepts".to_owned(), text(one), text(two)));
    }
    for ((one, two), role) in one.iter().zip(two).zip(roles) {
        if one != two {
            return Err((format!("percepts of {role}"), missing(one, two), missing(two, one)));
        }
    }
    Ok(())
}

impl Look {
    fn compare(&self, other: &Look) -> Result<(), (String, String, String)> {
        let differ =
            |what: String, one: &[String], two: &[String]| Err((what, missing(one, two), missing(two, one)));
        if self.facts != other.facts {
            return differ("state".to_owned(), &self.facts, &other.facts);
        }
        if self.terminal != other.terminal {
            let text = |terminal: bool| terminal.to_string();
            return Err(("terminal".to_owned(), text(self.terminal), text(other.terminal)));
        }
        if self.roles != other.roles {
            return differ("roles".to_owned(), &self.roles, &other.roles);
        }
        for ((one, two), role) in self.legal.iter().zip(&other.legal).zip(&self.roles) {
            if one != two {
                return differ(format!("legal moves of {role}"), one, two);
            }
        }
        for ((one, two), role) in self.spellings.iter().zip(&other.spellings).zip(&self.roles) {
            if one != two {
                return differ(format!("spelling of the moves of {role}"), one, two);
            }
        }
        if self.goals != other.goals {
            return Err(("goals".to_owned(), self.goals.clone(), other.goals.clone()));
        }
        Ok(())
    }
}

/// What one list has and the other has not, in words; the whole list if only the order differs.
pub(crate) fn missing(have: &[String], lack: &[String]) -> String {
    let lack_set: std::collections::HashSet<&String> = lack.iter().collect();
    let only: Vec<&str> = have.iter().filter(|item| !lack_set.contains(item)).map(String::as_str).collect();
    if !only.is_empty() {
        return format!("only here: {}", only.join(" "));
    }
    if have.len() == lack.len() {
        format!("in this order: {}", have.join(" "))
    } else {
        "nothing more".to_owned()
    }
}
